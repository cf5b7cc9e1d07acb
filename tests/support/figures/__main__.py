"""`python -m tests.support.figures [--json] [--show WORD] [--sample N]`: the figures of the house beside their targets.

--show WORD   also list what the rows whose name holds WORD have counted
--sample N    of N modules above 50 lines also run the tests at the mirrored path (some minutes)
"""

import argparse
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from statistics import median

from tests.support.rooms import ROOMS
from tests.support.trace_round import trace_in_its_own_process

from .actions import files_naming, views_by_noun
from .assets import font_sizes, questions, raw_sizes, read_assets
from .imports import circles, import_graph, importers, imports_up, room_graph, room_of
from .kinds import branches_on_kind
from .mirrors import large_modules, mirrored_tests, test_files, well_tested
from .sources import (
    ROOT,
    Sources,
    files_by_folder,
    functions,
    lines,
    read_sources,
    small_modules,
    statements,
)

STATEMENTS_AT_FIRST = 33_817  # at 25f0cd2


@dataclass(frozen=True, slots=True)
class Row:
    """One figure; `counted` says what it counts, where a list helps to bring it down."""

    figure: str
    value: int | str
    target: str
    counted: tuple[str, ...] = ()


def rows(sources: Sources, sample: int = 0) -> Iterator[Row]:
    yield from _rooms(sources)
    yield from _nouns(sources, sample)
    branches = branches_on_kind(sources)
    yield Row("branches on the kind of contest", len(branches), "at most 40", tuple(branches))
    for kind, trace in trace_in_its_own_process().items():
        target = ("at most 16", "at most 25") if kind == "round" else ("", "")
        yield Row(
            f"files entered by a POST of a {kind}", len(trace["files"]), target[0], tuple(trace["files"])
        )
        yield Row(
            f"calls back into a file by a POST of a {kind}",
            len(trace["back"]),
            target[1],
            tuple(trace["back"]),
        )
    yield from _sizes(sources)
    yield from _assets()


def _rooms(sources: Sources) -> Iterator[Row]:
    graph = import_graph(sources)
    up, files, knots = imports_up(graph, ROOMS), circles(graph), circles(room_graph(graph))
    entries = [path.name for path in (ROOT / "tournament").iterdir() if path.name != "__pycache__"]
    rooms = {room_of(path) for path in sources} - {""}
    unnamed = sorted(rooms - {room for row in ROOMS for room in row})
    yield Row("entries in tournament/", len(entries), "at most 32", tuple(sorted(entries)))
    yield Row("imports that run up, between named rooms", len(up), "0", tuple(up))
    yield Row("circles between files", len(files), "0", tuple(map(", ".join, files)))
    yield Row("largest knot of rooms", max(map(len, knots), default=0), "0", tuple(map(", ".join, knots)))
    yield Row(
        "rooms that the ordered list names",
        f"{len(rooms) - len(unnamed)} of {len(rooms)}",
        "all",
        tuple(unnamed),
    )


def _nouns(sources: Sources, sample: int) -> Iterator[Row]:
    views = views_by_noun(sources)
    others = tuple(path for path, own in views.items() if not own)
    yield Row(
        "views that call an action of their own noun",
        f"{sum(views.values())} of {len(views)}",
        "at least 38",
        others,
    )
    tests = test_files()
    modules = large_modules(sources)
    bare = tuple(path for path in modules if not mirrored_tests(path, tests))
    share = _percent(len(modules) - len(bare), len(modules))
    yield Row("modules above 50 lines with a test at the mirrored path", share, "at least 60 %", bare)
    if sample:
        taken = well_tested(sources, sample)
        share = _percent(sum(taken.values()), len(taken))
        missed = tuple(path for path, good in taken.items() if not good)
        yield Row("that alone takes most of their branches (sample)", share, "at least 60 %", missed)
    naming = files_naming(sources)
    yield Row(
        "files that name remove_screen",
        len(naming["remove_screen"]),
        "at most 4",
        tuple(naming["remove_screen"]),
    )
    ranked = sorted(naming, key=lambda action: len(naming[action]), reverse=True)
    counts = tuple(f"{len(naming[action])} {action}" for action in ranked)
    yield Row("files that name an action (median)", f"{median(map(len, naming.values())):g}", "", counts)


def _sizes(sources: Sources) -> Iterator[Row]:
    count = sum(map(statements, sources.values()))
    yield Row("statements", count, f"at most {STATEMENTS_AT_FIRST * 92 // 100}")
    small, imported = small_modules(sources), importers(import_graph(sources))
    once = tuple(path for path in small if imported[path] == 1)
    yield Row("modules of 50 lines or fewer", len(small), "at most 60", tuple(small))
    yield Row("those with one importer", len(once), "", once)
    yield _longest("longest file", ((lines(text), path) for path, text in sources.items()), "at most 500")
    yield _longest("longest function", functions(sources), "at most 60")
    folders = ((count, folder) for folder, count in files_by_folder(sources).items())
    yield _longest("Python files directly in a folder", folders, "at most 25")


def _longest(figure: str, sized: Iterable[tuple[int, str]], target: str) -> Row:
    ranked = sorted(sized, reverse=True)
    return Row(figure, ranked[0][0], target, tuple(f"{size} {what}" for size, what in ranked[:20]))


def _assets() -> Iterator[Row]:
    page = (ROOT / "docs/contributors.md").read_text()
    yield Row("questions in the contributors' map", questions(page), "at most 15")
    sheets = read_assets("tournament/static", ".css")
    sizes, raw = font_sizes(sheets), raw_sizes(sheets)
    yield Row("lines of CSS", sum(map(lines, sheets.values())), "at most 6500")
    yield Row("different font sizes", len(sizes), "8", tuple(sorted(sizes)))
    yield Row("raw sizes outside tokens.css", len(raw), "0", tuple(raw))


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} % ({part} of {whole})"


def main() -> None:
    parser = argparse.ArgumentParser(prog="tests.support.figures", description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--show", metavar="WORD")
    parser.add_argument("--sample", metavar="N", type=int, default=0)
    given = parser.parse_args()
    found = list(rows(read_sources(), given.sample))
    if given.json:
        print(
            json.dumps(
                [{"figure": row.figure, "value": row.value, "target": row.target} for row in found], indent=2
            )
        )
        return
    print("| figure | value | target |\n| --- | --- | --- |")
    for row in found:
        print(f"| {row.figure} | {row.value} | {row.target} |")
    for row in found:
        if given.show and given.show in row.figure:
            print(f"\n{row.figure}:", *row.counted, sep="\n  ")


if __name__ == "__main__":
    main()
