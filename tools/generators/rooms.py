"""The imports between the rooms of the code, as docs/architecture.svg shows and tests check them.

A room is a folder of a part, such as ``service.games``. The modules outside the rooms of a part are
two more rooms: ``service`` for those that import no room of it, ``service+`` for those that do.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import networkx as nx

ROOT = Path(__file__).parents[2]
PARTS = {  # imported name -> its folder
    "cli": "cli",
    "service": "service",
    "workers": "workers",
    "fogg_client": "client/fogg_client",
    "fogg_simulator": "simulator/fogg_simulator",
    "domain": "domain",
}
ONE_ROOM = {"cli", "fogg_client", "fogg_simulator"}  # parts that are drawn as one room
ABOVE = "+"  # marks the room of a part's modules that import its rooms


@cache
def modules() -> dict[str, Path]:
    """Return every module of ours by its dotted name; a package has the name of its folder."""
    return {
        ".".join((part, *path.relative_to(ROOT / folder).with_suffix("").parts)).removesuffix(
            ".__init__"
        ): path
        for part, folder in PARTS.items()
        for path in sorted((ROOT / folder).rglob("*.py"))
    }


@cache
def imports(module: str, *, to_run: bool = False) -> frozenset[str]:
    """Return the modules of ours that a module imports, wherever in it; ``to_run``: without those
    that only its types are checked with."""
    names: set[str] = set()
    tree = ast.parse(modules()[module].read_text())
    if to_run:
        tree = _WithoutTypes().visit(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return frozenset({_module_of(name) for name in names} - {"", module})


class _WithoutTypes(ast.NodeTransformer):
    """Leaves out what is imported to check types alone."""

    def visit_If(self, node: ast.If) -> ast.If | None:
        is_for_types = isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        return None if is_for_types else node


def _module_of(name: str) -> str:
    """Return the module that a dotted name lies in; empty for one that is not ours."""
    while name and name not in modules():
        name = name.rpartition(".")[0]
    return name


def part_of(module: str) -> str:
    """Return the part that a module or a room belongs to."""
    return module.split(".")[0].removesuffix(ABOVE)


@cache
def room_of(module: str) -> str:
    """Return the room of a module: ``service.games``, or ``service`` or ``service+`` for a module
    outside the rooms of the service."""
    part, *rest = module.split(".")
    is_package = modules()[module].name == "__init__.py"
    if part in ONE_ROOM:
        return part
    folder = rest[0] if len(rest) > 1 or (rest and is_package) else ""
    if folder:
        return f"{part}.{folder}"
    above = any(
        room_of(other) != part
        for other in imports(module, to_run=True)
        if part_of(other) == part and other != part
    )
    return part + (ABOVE if above else "")


def rooms() -> nx.DiGraph:
    """Return which room imports which to run."""
    graph = nx.DiGraph()
    for module, path in modules().items():
        if path.name == "__init__.py" and module in PARTS and module not in ONE_ROOM:
            continue  # the docstring of a part
        graph.add_node(room_of(module))
        graph.add_edges_from(
            (room_of(module), room_of(other))
            for other in imports(module, to_run=True)
            if room_of(other) != room_of(module) and other not in PARTS
        )
    return graph


def reduced(graph: nx.DiGraph) -> nx.DiGraph:
    """Return a graph without the arrows that follow from others; circles stay as they are."""
    groups = nx.condensation(graph)
    needed, group = nx.transitive_reduction(groups), groups.graph["mapping"]
    left = nx.DiGraph()
    left.add_nodes_from(sorted(graph))
    left.add_edges_from(
        sorted(
            (a, b)
            for a, b in graph.edges
            if group[a] == group[b] or needed.has_edge(group[a], group[b])
        )
    )
    return left
