"""Figures of actions: their number, the views that call them, the files that name each."""

import ast
import re
from collections.abc import Mapping
from pathlib import PurePosixPath

from tests.support.rooms import as_core

from .sources import Sources, parse

FOLDER = "tournament/actions/"
VIEWS = "tournament/views/"


def actions_in(sources: Sources) -> dict[str, str]:
    """The file of each action, by the action's name: a function with the decorator `@action`."""
    return {
        node.name: path
        for path, text in sources.items()
        if as_core(path).startswith(FOLDER)
        for node in parse(text).body
        if isinstance(node, ast.FunctionDef)
        and any(ast.unparse(each).partition("(")[0] == "action" for each in node.decorator_list)
    }


def views_by_noun(sources: Sources) -> dict[str, bool]:
    """For each module with views that calls an action, whether it calls one of its own noun, that is from the module of
    the same name in actions/. A module whose name begins with `_` holds no view."""
    actions = actions_in(sources)
    found = {}
    for path, text in sources.items():
        if path.startswith(VIEWS) and not (name := PurePosixPath(path).stem).startswith("_"):
            called = called_in(parse(text), actions)
            if called:
                found[path] = name in {PurePosixPath(actions[each]).stem for each in called}
    return found


def called_in(tree: ast.Module, actions: Mapping[str, str]) -> set[str]:
    """The actions that a module imports by name, or reads from something that it imported from tournament.actions."""
    imported = {
        alias.asname or alias.name: alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if (f"{node.module}.{alias.name}.").startswith("tournament.actions.")
    }
    read = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in imported
    }
    return (read | set(imported.values())) & actions.keys()


def files_naming(sources: Sources) -> dict[str, list[str]]:
    """For each action the files in which its name stands as a word, in code, texts and comments."""
    words = {path: set(re.findall(r"\w+", text)) for path, text in sources.items()}
    return {action: [path for path in words if action in words[path]] for action in actions_in(sources)}
