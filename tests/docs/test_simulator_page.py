"""The example of docs/simulator.md runs, as it stands but for fewer games."""

from tests.generators.readme import BLOCK, ROOT


def test_the_example_plays_games_to_their_end():
    [(language, example)] = BLOCK.findall((ROOT / "docs" / "simulator.md").read_text())
    assert language == "python"
    names: dict = {}
    exec(example.replace("games=64", "games=4"), names)
    assert int.from_bytes(names["sim"].seed(0)) > 7
