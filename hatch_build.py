"""Puts the page into the sdist and the wheel of fogg-server as two files, besides the hundred of a
checkout: its modules and its style sheets in a bundle each. esbuild makes them, which `make setup`
installs; without it the service that the wheel installs serves the modules, as a checkout does.
"""

import json
import subprocess
import tempfile
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PAGE = Path("service/page")
ESBUILD = "tests/typescript/node_modules/@esbuild/*/bin/esbuild"
MINIFIED = ("--bundle", "--minify", "--format=esm", "--target=es2022", "--log-level=warning")


class PageBundle(BuildHookInterface):
    made: tempfile.TemporaryDirectory | None = None

    def initialize(self, version: str, build_data: dict) -> None:
        """Make the bundles, unless the package stays in its folder."""
        esbuild = next(Path(self.root).glob(ESBUILD), None)
        if version == "editable" or esbuild is None:
            return
        self.made = tempfile.TemporaryDirectory()
        page, made = Path(self.root) / PAGE, Path(self.made.name)
        subprocess.run(
            [esbuild, page / "app.mjs", *MINIFIED, f"--outfile={made / 'bundle.mjs'}"], check=True
        )
        with (made / "bundle.css").open("wb") as file:
            subprocess.run(
                [esbuild, "--loader=css", "--minify"], input=styles(page), stdout=file, check=True
            )
        for name in ("bundle.mjs", "bundle.css"):
            build_data["force_include"][str(made / name)] = str(PAGE / name)

    def finalize(self, version: str, build_data: dict, artifact_path: str) -> None:
        if self.made:
            self.made.cleanup()


def styles(page: Path) -> bytes:
    """Return all style sheets of the page's folder, in the order in which screens load them."""
    sheets = json.loads((page / "screens.json").read_bytes())["styles"].values()
    names = dict.fromkeys(name for names in sheets for name in names)
    return b"".join((page / name).read_bytes() for name in ("base.css", *names))
