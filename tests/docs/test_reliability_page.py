"""The results of the faults have their place on docs/reliability.md."""

from tools.faults.verdict import Row, Verdict
from tools.generators.reliability import PAGE, PLACE, SHOWN, section


def test_the_page_has_one_place_for_the_table():
    assert len(PLACE.findall(PAGE.read_text())) == 1


def test_the_table_adds_up():
    verdict = Verdict(games=2, entries=1200, texts=9)
    verdict.rows |= {
        "kill web": Row(faults=1, acknowledged=20, recovered=[0.5]),
        "kill worker": Row(faults=1, acknowledged=10, recovered=[1.5]),
        "cut redis half": Row(faults=3, acknowledged=70, recovered=[0.25]),
    }
    head, _, cut, kill, together = section(verdict).split("\n\n")[0].splitlines()
    assert [line.count("|") for line in (head, cut, kill, together)] == [len(SHOWN) + 1] * 4
    assert kill.startswith("| kill | 2 | 30 | 0 | 0 |")
    assert together.startswith("| **together** | **5** | **100** | **0** |")
    assert together.endswith("|  | **1.50 s** |")
    assert section(verdict).endswith("secret: nothing was otherwise than it should be.\n")
