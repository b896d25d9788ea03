"""Private parts of libraries are used in one module for each library, and are still there."""

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

from tests.test_architecture import MAY_IMPORT, ROOT, files_of

# By module: which private names of objects it uses, and which undocumented modules it imports.
NAMES = {
    "cli/processes.py": {"_processes"},  # of a ProcessPoolExecutor
    "service/http/requests.py": {"_get_current_object"},  # of werkzeug, which documents it
    "service/http/logs.py": {"_srcfile"},  # of logging, which documents it
    "service/http/reading.py": {"_expected_100_continue"},  # of gunicorn
    "workers/__main__.py": {  # of rq
        "_failure_callback_name",
        "_stopped_callback_name",
        "_success_callback_name",
    },
    "workers/bots/search/__main__.py": {"_exit"},
}
MODULES = {
    "service/http/reading.py": {
        "gunicorn.http",
        "gunicorn.http.body",
        "gunicorn.http.message",
        "gunicorn.http.parser",
        "gunicorn.http.unreader",
    },
}
UNDOCUMENTED = re.compile(r"gunicorn\.http|numba\.core|redis\._|(^|\.)_[a-z]")
OF_TUPLES = {"_asdict", "_fields", "_make", "_replace"}


@cache
def trees() -> dict[str, ast.Module]:
    return {
        str(path.relative_to(ROOT)): ast.parse(path.read_text())
        for room in MAY_IMPORT
        for path in files_of(room)
    }


def own_names(tree: ast.Module) -> set[str]:
    """The names that a module gives to its classes, their methods and members, and to functions."""
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    functions = [
        node
        for owner in (tree, *classes)
        for node in owner.body
        if isinstance(node, ast.FunctionDef)
    ]
    members = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Store)
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
    }
    declared = {
        node.target.id
        for owner in classes
        for node in owner.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }
    return members | declared | {node.name for node in (*classes, *functions)}


def foreign_names(tree: ast.Module, own: set[str]) -> set[str]:
    """The private names of others that a module uses."""
    return (
        {
            node.attr
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute)
            and re.match("_[a-z]", node.attr)
            and not (isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"))
        }
        - own
        - OF_TUPLES
    )


def test_private_names_of_libraries_are_used_in_these_modules_alone():
    own, used = defaultdict(set), {}
    for path, tree in trees().items():
        own[Path(path).parent] |= own_names(tree)
    for path, tree in trees().items():
        if names := foreign_names(tree, own[Path(path).parent]):
            used[path] = names
    assert used == NAMES


def test_undocumented_modules_of_libraries_are_imported_in_these_modules_alone():
    imported = {
        path: {
            node.module
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module and UNDOCUMENTED.search(node.module)
        }
        for path, tree in trees().items()
    }
    assert {path: names for path, names in imported.items() if names} == MODULES
