"""docs/archive.md is enough to read an archive."""

import subprocess
import sys

from domain.boards import load_folder
from service.projections.histories import line
from service.store.archive import Archive
from service.store.segments import Writer
from service.store.vaults import Folder
from tests.generators.architecture import ROOT
from tests.service.store.test_packing import KEPT, read


def test_the_program_on_the_page_prints_the_archived_histories(tmp_path):
    page = (ROOT / "docs" / "archive.md").read_text()
    program = page.partition("```python\n")[2].partition("```")[0]
    histories, writer, board = [read(path) for path in KEPT], Writer(), load_folder()["usa"]
    for number, history in enumerate(histories):
        writer.add(f"g_{number}", board, history, False)
    Archive(Folder(tmp_path)).put(writer)
    (segment,) = tmp_path.glob("*.fogg")
    printed = subprocess.run([sys.executable, "-c", program, str(segment)], capture_output=True,
                             check=True)
    assert printed.stdout.splitlines() == [line(*row) for history in histories for row in history]
