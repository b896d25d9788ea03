"""Puts a bundled copy of the page into the wheel of fogg-server: two files of modules and one style
sheet, where a checkout has a hundred files.

Modules stay as they are but for their imports and exports. Each becomes a function in a table, by
its name, that returns what it exports; it runs when it is first imported. The first bundle has all
that the lobby and a game need, the other one the remaining screens.
"""

import json
import re
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path
from posixpath import dirname, join, normpath

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PAGE = Path("service/page")
ALONE = "verify.mjs"  # in no bundle: Node.js runs it, too
START, FIRST, OTHERS, STYLES = "app.mjs", "bundle.mjs", "bundle-others.mjs", "bundle.css"
FIRST_STYLES = ("lobby", "game")  # of the screens whose modules are in the first bundle
NAMES = r"\{([^}]*)\}"
WHERE = r"""\s*["'](\.[^"']+)["']"""
COMMENT = re.compile(r"/\*\*(?:[^*]|\*(?!/))*\*/")  # may import types
IMPORT = re.compile(rf"(?:^|(?<=;))import\s*(?:{NAMES}\s*from)?{WHERE};", re.MULTILINE)
LATER = re.compile(r"""\bimport\((["'`])(\./|(?:\.\./)+)""")  # import("./…"), with the folder
LISTED = re.compile(rf"\bexport\s*{NAMES};")
DECLARED = re.compile(
    rf"^export (?=(?:const|class|(?:async )?function\*?) (?:(\w+)|{NAMES}))", re.MULTILINE)
AWAITS = re.compile(r"^\S(?!.*\basync\b).*\bawait\b", re.MULTILINE)  # at once, as nothing else can
LEFT = re.compile(r"^(?:import|export)\b(?!\()", re.MULTILINE)
TABLE = f"""export const $modules = {{}}, $had = {{}};
export const $take = (name) => ($had[name] ??= $modules[name]());
export const $load = async (name) => {{
  if (!$modules[name] && OTHERS.includes(name)) await import("./{OTHERS}");
  return $modules[name] ? $take(name) : import(`./${{name}}`);
}};
"""


class PageBundle(BuildHookInterface):
    """Makes the bundles, unless the package stays in its folder."""

    def initialize(self, version: str, build_data: dict) -> None:
        if version == "editable":
            return
        self.made = Path(tempfile.mkdtemp())
        for name, text in bundles(Path(self.root) / PAGE).items():
            (self.made / name).write_text(text, encoding="utf-8")
            build_data["force_include"][str(self.made / name)] = str(PAGE / name)

    def finalize(self, version: str, build_data: dict, artifact_path: str) -> None:
        if version != "editable":
            shutil.rmtree(self.made)


def bundles(page: Path) -> dict[str, str]:
    """Return the bundles of a folder with the page, by name."""
    declared = json.loads((page / "screens.json").read_text(encoding="utf-8"))
    texts = {path.relative_to(page).as_posix(): COMMENT.sub("", path.read_text(encoding="utf-8"))
             for path in sorted(page.rglob("*.*js")) if path.name != ALONE}
    screens = {one[kind]: one["styles"] in FIRST_STYLES for one in declared["screens"]
               for kind in ("module", "framed") if kind in one}
    first = _closure(texts, [START, *(name for name, is_first in screens.items() if is_first)])
    others = [name for name in _closure(texts, screens) if name not in first]
    styles = dict.fromkeys(name for names in declared["styles"].values() for name in names)
    begin = TABLE.replace("OTHERS", json.dumps(others))
    return {
        FIRST: "".join([begin, *(_module(name, texts[name]) for name in first),
                        f'$take("{START}");\n']),
        OTHERS: "".join([f'import {{ $modules, $take, $load }} from "./{FIRST}";\n',
                         *(_module(name, texts[name]) for name in others)]),
        STYLES: "".join((page / name).read_text(encoding="utf-8")
                        for name in ("base.css", *styles)),
    }


def _closure(texts: dict[str, str], names: Iterable[str]) -> list[str]:
    """Return modules and all that they import, each after those that it needs to begin."""
    found: dict[str, None] = {}
    later = [*names]

    def add(name: str) -> None:
        if name not in found:
            for _, where in IMPORT.findall(texts[name]):
                add(_resolved(name, where))
            found[name] = None
            later.extend(other for where in re.findall(rf"\bimport\({WHERE}\)", texts[name])
                         if (other := _resolved(name, where)) in texts)

    for name in later:
        add(name)
    return [*found]


def _resolved(name: str, where: str) -> str:
    return normpath(join(dirname(name), where))


def _module(name: str, text: str) -> str:
    """Return a module as a member of the table."""
    exported: list[str] = []

    def imported(found: re.Match) -> str:
        what = f"const {{{found[1].replace(' as ', ': ')}}} = " if found[1] else ""
        return f'{what}$take("{_resolved(name, found[2])}");'

    def listed(found: re.Match) -> str:
        exported.extend(": ".join(reversed(one.split(" as "))) for one in found[1].split(","))
        return ""

    def declared(found: re.Match) -> str:
        exported.extend([found[1]] if found[1] else
                        (one.split(":")[-1].strip() for one in found[2].split(",")))
        return ""

    def later(found: re.Match) -> str:
        return f"$load({found[1]}{_folder(name, found[2])}"

    for pattern, change in ((IMPORT, imported), (LISTED, listed), (DECLARED, declared),
                            (LATER, later)):
        text = pattern.sub(change, text)
    if left := LEFT.search(text):
        raise ValueError(f"{name}: the bundle cannot have {text[left.start():][:60]!r}")
    body = f"() => {{\n{text}\nreturn {{ {', '.join(exported)} }};\n}}"
    if AWAITS.search(text):
        return f'$had["{name}"] = await (async {body})();\n'
    return f'$modules["{name}"] = {body};\n'


def _folder(name: str, where: str) -> str:
    folder = normpath(join(dirname(name), where))
    return "" if folder == "." else f"{folder}/"
