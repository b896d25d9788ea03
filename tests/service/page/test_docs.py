"""The page on which the API can be read and tried, in a browser."""


def test_the_documentation_is_shown_by_a_browser_and_breaks_no_policy(window):
    page = window().open("/docs")
    page.wait_for_selector("#operations-playing-playAction")
