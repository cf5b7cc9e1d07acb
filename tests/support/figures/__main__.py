"""`python -m tests.support.figures`: each figure with its line in budget.toml and its target.

--check       also say which figures and lines do not agree; the exit code is 1 if any
--write       first lower the lines of the figures that have fallen; a line is raised by hand
--suite       only the figures that a run of the whole suite has noted (suite.py)
--show WORD   also list what the rows whose name holds WORD have counted
--sample N    of N modules above 50 lines also run the tests at the mirrored path (some minutes)
"""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from statistics import median

from tests.support.rooms import ROOMS
from tests.support.templates import template_files
from tests.support.trace_round import trace_in_its_own_process

from .actions import files_naming, views_by_noun
from .assets import font_sizes, questions, raw_sizes, read_assets, script_statements
from .budget import FEWER, FILE, Budget, Row, faults, lowered, read_budget, read_moves
from .imports import circles, import_graph, importers, imports_up, room_graph, room_of
from .kinds import branches_on_kind
from .mirrors import large_modules, mirrored_tests, test_files, well_tested
from .names import named_once, private_names_of_libraries, without_docstring
from .sources import (
    ROOT,
    Sources,
    dialect,
    files_by_folder,
    functions,
    lines,
    read_sources,
    small_modules,
    statements,
    words,
)
from .suite import SUITE, suite_rows


def rows(sources: Sources, sample: int = 0) -> Iterator[Row]:
    yield from _rooms(sources)
    yield from _nouns(sources, sample)
    branches = branches_on_kind(sources)
    yield Row("branches on the kind of contest", len(branches), 40, tuple(branches))
    for kind, trace in trace_in_its_own_process().items():
        files, back = tuple(trace["files"]), tuple(trace["back"])
        yield Row(f"files entered by a POST of a {kind}", len(files), FEWER, files)
        yield Row(f"calls back into a file by a POST of a {kind}", len(back), FEWER, back)
    yield from _sizes(sources)
    yield from _words(sources)
    yield from _assets()


def _rooms(sources: Sources) -> Iterator[Row]:
    graph = import_graph(sources)
    up, files, knots = imports_up(graph, ROOMS), circles(graph), circles(room_graph(graph))
    entries = [path.name for path in (ROOT / "tournament").iterdir() if path.name != "__pycache__"]
    rooms = {room_of(path) for path in sources} - {""}
    unnamed = sorted(rooms - {room for row in ROOMS for room in row})
    yield Row("entries in tournament/", len(entries), 32, tuple(sorted(entries)))
    yield Row("imports that run up, between named rooms", len(up), 0, tuple(up))
    yield Row("circles between files", len(files), 0, tuple(map(", ".join, files)))
    yield Row("largest knot of rooms", max(map(len, knots), default=0), 0, tuple(map(", ".join, knots)))
    yield Row("rooms that the ordered list does not name", len(unnamed), 0, tuple(unnamed))


def _nouns(sources: Sources, sample: int) -> Iterator[Row]:
    others = tuple(path for path, own in views_by_noun(sources).items() if not own)
    yield Row("views that call no action of their own noun", len(others), 0, others)
    tests = test_files()
    bare = tuple(path for path in large_modules(sources) if not mirrored_tests(path, tests))
    yield Row("modules above 50 lines without a test at the mirrored path", len(bare), FEWER, bare)
    if sample:
        missed = tuple(path for path, good in well_tested(sources, sample).items() if not good)
        yield Row(f"of {sample} such tests, take few of the module's branches", len(missed), None, missed)
    naming = files_naming(sources)
    removing = tuple(naming["remove_screen"])
    yield Row("files that name remove_screen", len(removing), 4, removing)
    ranked = sorted(naming, key=lambda action: len(naming[action]), reverse=True)
    counts = tuple(f"{len(naming[action])} {action}" for action in ranked)
    yield Row("files that name an action (median)", median(map(len, naming.values())), None, counts)


def _sizes(sources: Sources) -> Iterator[Row]:
    yield Row("statements", sum(map(statements, sources.values())), 32_900)
    core = (statements(text) for path, text in sources.items() if not path.startswith("tournament/extras/"))
    yield Row("statements of the core", sum(core), 27_000)
    small, imported = small_modules(sources), importers(import_graph(sources))
    once = tuple(path for path in small if imported[path] == 1)
    yield Row("modules of 50 lines or fewer", len(small), 60, tuple(small))
    yield Row("those with one importer", len(once), None, once)
    yield _longest("longest file", ((lines(text), path) for path, text in sources.items()), 700)
    yield _longest("longest function", functions(sources), 60)
    folders = ((count, folder) for folder, count in files_by_folder(sources).items())
    yield _longest("Python files directly in a folder", folders, 25)
    private, public = named_once(sources)
    yield Row("private functions named once in their file", len(private), FEWER, tuple(private))
    yield Row("public functions named once in the product", len(public), FEWER, tuple(public))
    insides = private_names_of_libraries(sources)
    yield Row("private names of libraries", len(insides), FEWER, tuple(insides))


def _longest(figure: str, sized: Iterable[tuple[int, str]], target: int) -> Row:
    ranked = sorted(sized, reverse=True)
    return Row(figure, ranked[0][0], target, tuple(f"{size} {what}" for size, what in ranked[:20]))


def _words(sources: Sources) -> Iterator[Row]:
    yield _sum("words of docstrings and comments", ((words(text), path) for path, text in sources.items()))
    yield _sum("dialect words", ((dialect(text), path) for path, text in sources.items()))
    bare = without_docstring(sources)
    yield Row("public functions and classes without a docstring", len(bare), FEWER, tuple(bare))


def _sum(figure: str, sized: Iterable[tuple[int, str]]) -> Row:
    ranked = sorted(((size, path) for size, path in sized if size), key=lambda each: (-each[0], each[1]))
    return Row(
        figure, sum(size for size, _ in ranked), FEWER, tuple(f"{size} {path}" for size, path in ranked)
    )


def _assets() -> Iterator[Row]:
    page = (ROOT / "docs/contributors.md").read_text()
    yield Row("questions in the contributors' map", questions(page), 15)
    sheets = read_assets("tournament/static", ".css")
    sizes, raw = font_sizes(sheets), raw_sizes(sheets)
    yield Row("lines of CSS", sum(map(lines, sheets.values())), 6500)
    yield Row("different font sizes", len(sizes), 8, tuple(sorted(sizes)))
    yield Row("raw sizes outside tokens.css", len(raw), 0, tuple(raw))
    scripts = read_assets("tournament/static/lastcard/js", ".js")
    yield _sum("statements of scripts", ((script_statements(text), path) for path, text in scripts.items()))
    templates = {path.relative_to(ROOT).as_posix(): path.read_text() for path in template_files()}
    yield _sum("lines of templates", ((lines(text), path) for path, text in templates.items()))


def main() -> None:
    parser = argparse.ArgumentParser(prog="tests.support.figures", description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--suite", action="store_true")
    parser.add_argument("--show", metavar="WORD")
    parser.add_argument("--sample", metavar="N", type=int, default=0)
    given = parser.parse_args()
    file = ROOT / FILE
    suite = suite_rows()
    found = suite if given.suite else [*rows(read_sources(), given.sample)]
    if given.write:
        file.write_text(lowered(file.read_text(), found))
    try:
        budget = read_budget(file.read_text())
    except ValueError as error:
        sys.exit(str(error))
    if given.json:
        print(json.dumps([_as_json(row, budget) for row in found], indent=2))
        return
    _show(found if given.suite else [*found, *suite], budget, given.show)
    if given.check:
        wrong = _check(found, budget, suite=given.suite)
        print("", *wrong or ["All figures are as budgeted."], sep="\n")
        sys.exit(bool(wrong))


def _check(found: Sequence[Row], budget: Budget, *, suite: bool) -> list[str]:
    """List what is wrong. The lines of the suite's figures are checked with these, all others without them."""
    of_suite = {figure for figure, *_ in SUITE.values()}
    lines = {figure: line for figure, line in budget.lines.items() if (figure in of_suite) == suite}
    return [*faults(found, replace(budget, lines=lines), read_moves())]


def _as_json(row: Row, budget: Budget) -> dict[str, object]:
    line = budget.lines.get(row.figure)
    return {"figure": row.figure, "value": row.value, "budget": line, "target": row.target}


def _show(found: Iterable[Row], budget: Budget, word: str | None) -> None:
    print("| figure | value | budget | target |\n| --- | --- | --- | --- |")
    for row in found:
        target = {None: "", FEWER: "fewer"}.get(row.target, f"at most {row.target}")
        print(f"| {row.figure} | {row.value} | {budget.lines.get(row.figure, '')} | {target} |")
    for row in found:
        if word and word in row.figure:
            print(f"\n{row.figure}:", *row.counted, sep="\n  ")


if __name__ == "__main__":
    main()
