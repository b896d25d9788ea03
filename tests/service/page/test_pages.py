"""Where a stranger finds everything: the ways, and the pages that the description names."""

import re

import pytest

from tools.generators.committed import FILE

BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
CITED = sorted(set(re.findall(r"docs/[a-z]+\.md", FILE.read_text(encoding="utf-8"))))


@pytest.mark.parametrize("path", ["/", "/v1"])
def test_the_root_address_leads_to_everything_else(anybody, path):
    answer = anybody.get(path)
    assert (answer.status_code, answer.mimetype) == (200, "application/json")
    ways = answer.json
    for way in (
        ways["docs"],
        ways["openapi"],
        ways["openapi_without_examples"],
        ways["openapi_for_bots"],
        *ways["pages"],
    ):
        assert anybody.get(way).status_code == 200
    page = anybody.get(path, headers=BROWSER)
    assert page.mimetype == "text/html"
    assert f'<a href="{answer.json["docs"]}">' in page.text


@pytest.mark.parametrize("page", CITED)
def test_every_page_that_the_description_names_is_served_to_programs_and_browsers(anybody, page):
    text = anybody.get(f"/{page}")
    assert (text.status_code, text.mimetype) == (200, "text/markdown")
    assert text.data == (FILE.parent / page).read_bytes()
    shown = anybody.get(f"/{page}", headers=BROWSER)
    assert shown.mimetype == "text/html"
    assert "<h1" in shown.text
    assert text.headers["ETag"] != shown.headers["ETag"]
    for answer, form in ((text, "*/*"), (shown, "text/html")):
        same = anybody.get(
            f"/{page}", headers={"If-None-Match": answer.headers["ETag"], "Accept": form}
        )
        assert same.status_code == 304


def test_the_headings_of_a_page_can_be_linked_to(anybody):
    for page in CITED:
        shown = anybody.get(f"/{page}", headers=BROWSER).text
        for wanted in re.findall('href="#([^"]+)"', shown):
            assert f'id="{wanted}"' in shown
