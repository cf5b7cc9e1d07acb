"""A change put into a running process: the functions of a module get the code of the changed one.

References to a function stay valid (in imports, decorators, tables of functions), so that nothing is imported again.
A function that a changed one made when it ran before, as a decorator does, is changed with it.
"""

from __future__ import annotations

import ast
import gc
from collections.abc import Iterator
from types import CodeType, FunctionType

from .sites import Mutant

Key = tuple[str, int]  # a code's qualified name and first line


class Unreachable(Exception):
    """No function of the process runs this code."""


class Functions:
    """The functions of some files that a process holds, found once."""

    def __init__(self, files: dict[str, str]) -> None:
        """`files`: the file's name as the interpreter knows it, by the name that mutants have."""
        self._files = files
        wanted = {path: name for name, path in files.items()}
        self._found: dict[tuple[str, Key], list[FunctionType]] = {}
        gc.unfreeze()  # tests/conftest.py: frozen objects are not listed
        for each in gc.get_objects():
            if type(each) is FunctionType and each.__code__.co_filename in wanted:
                key = (wanted[each.__code__.co_filename], _key(each.__code__))
                self._found.setdefault(key, []).append(each)

    def swap(self, mutant: Mutant) -> None:
        """Change this process for good. Raises Unreachable where nobody holds the function."""
        mutant.site.put(mutant.node)
        self._keep_names(mutant)
        tree = ast.fix_missing_locations(mutant.tree)
        module = compile(tree, self._files[mutant.file], "exec", dont_inherit=True)
        swapped = 0
        for code in _codes(module):
            if f"{code.co_qualname}.".startswith(f"{mutant.function}."):
                for function in self._found.get((mutant.file, _key(code)), ()):
                    if function.__code__.co_freevars == code.co_freevars:
                        function.__code__ = code
                        swapped += 1
        if not swapped:
            raise Unreachable(f"{mutant.file}: {mutant.function}")

    def _keep_names(self, mutant: Mutant) -> None:
        """Name all variables that the function holds of those around it, where nothing runs: it takes no code that
        names fewer."""
        held = {
            (function.__code__.co_name, line): function.__code__.co_freevars
            for (file, (_, line)), functions in self._found.items()
            for function in functions
            if file == mutant.file
        }
        for node in ast.walk(mutant.tree):
            if isinstance(node, ast.FunctionDef):
                line = min([node.lineno, *(each.lineno for each in node.decorator_list)])
                for name in held.get((node.name, line), ()):
                    node.body += ast.parse(f"if False: {name}").body


def _key(code: CodeType) -> Key:
    return code.co_qualname, code.co_firstlineno


def _codes(code: CodeType) -> Iterator[CodeType]:
    """The code of everything below a module: functions, methods, functions inside them."""
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield const
            yield from _codes(const)
