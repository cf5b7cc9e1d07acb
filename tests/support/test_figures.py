"""The figures count what they say, in houses of a few lines, and the budget holds them."""

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.support import trace_round
from tests.support.figures import suite
from tests.support.figures.actions import files_naming, views_by_noun
from tests.support.figures.assets import font_sizes, questions, raw_sizes, script_statements
from tests.support.figures.budget import (
    FEWER,
    FILE,
    Budget,
    Move,
    Row,
    faults,
    lowered,
    read_budget,
    read_moves,
)
from tests.support.figures.imports import circles, import_graph, imports_up, room_graph
from tests.support.figures.kinds import branches_on_kind
from tests.support.figures.mirrors import mirrored_tests
from tests.support.figures.names import named_once, private_names_of_libraries, without_docstring
from tests.support.figures.sources import dialect, statements, words

ROOMS = (("models",), ("actions",), ("api", "views"))


@pytest.mark.parametrize(
    "source",
    [
        "from tournament.views import seats",
        "from tournament import views",
        "import tournament.views.seats",
        "from ...views.seats import draw",
        "def late():\n    from tournament.views.seats import draw",
        "import_string('tournament.views.seats.draw')",
        "importlib.import_module('tournament.views.seats')",
    ],
)
def test_import_that_runs_up_is_counted_however_it_is_written(source: str) -> None:
    house = {
        "tournament/actions/event/seats.py": source,
        "tournament/views/__init__.py": "",
        "tournament/views/seats.py": "from tournament.actions.event.seats import seat",
    }
    [found] = imports_up(import_graph(house), ROOMS)
    assert found.startswith("tournament/actions/event/seats.py imports tournament/views/")


def test_rooms_on_one_line_do_not_import_each_other() -> None:
    house = {
        "tournament/api/a.py": "from tournament.views.b import c",
        "tournament/views/b.py": "from django.apps import apps\napps.get_model('tournament', 'Play')",
        "tournament/models/__init__.py": "",
    }
    assert imports_up(import_graph(house), ROOMS) == ["tournament/api/a.py imports tournament/views/b.py"]


def test_circles_are_the_sets_that_lead_to_each_other() -> None:
    house = {
        "tournament/a.py": "import tournament.b.one",
        "tournament/b/one.py": "import tournament.b.two\nimport scoring",
        "tournament/b/two.py": "import tournament.b.one",
        "tournament/b/three.py": "import tournament.a",
        "scoring/__init__.py": "",
    }
    graph = import_graph(house)
    assert circles(graph) == [["tournament/b/one.py", "tournament/b/two.py"]]
    assert circles(room_graph(graph)) == [["a", "b"]]


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ("if stage.kind == Stage.Kind.HEATS: pass", 1),
        ("a = kind in {Kind.MATCH, Kind.FINAL} or 'session' in kinds", 2),
        ("assert isinstance(answer, SessionAnswer | MatchAnswer)", 1),
        ("READERS = {'session': a, 'match': b, 'heats': c}[kind]", 1),
        ("if stage.each_table_is_a_match: pass", 1),
        ("match a:\n case HeatsAnswer(): b\n case MatchAnswer(): c\n case _: assert_never(a)", 1),
        ("match a:\n case HeatsAnswer(): b\n case MatchAnswer(): c\n case _: d", 2),
        ("stages.filter(kind=Stage.Kind.HEATS)", 0),
        ("open_table(work, table, Stage.Kind.SESSION)", 0),
        ("{'heats': rows, 'table': number}", 0),
        ("scene.name == Name.FINAL", 0),
    ],
)
def test_branches_on_the_kind(source: str, count: int) -> None:
    house = {"tournament/pages/a.py": source, "tournament/pages/kinds/heats.py": source}
    assert len(branches_on_kind(house, objects=("tournament/pages/kinds/",))) == count


def test_view_calls_an_action_of_its_own_noun() -> None:
    house = {
        "tournament/actions/event/screens.py": "@action\ndef remove_screen(work): pass",
        "tournament/actions/kernel/work.py": "def action(function): pass",
        "tournament/views/screens.py": "from tournament import actions\nactions.remove_screen()",
        "tournament/views/walls.py": "from tournament.actions.event.screens import remove_screen",
        "tournament/views/_walls.py": "from tournament.actions import remove_screen",
        "tournament/views/seats.py": "wall.remove_screen_saver()",
    }
    assert views_by_noun(house) == {"tournament/views/screens.py": True, "tournament/views/walls.py": False}
    assert len(files_naming(house)["remove_screen"]) == 4


def test_mirrored_tests() -> None:
    tests = {
        "tests/pages/test_table.py",
        "tests/pages/desk/test_table.py",
        "tests/live/test_live.py",
        "tests/test_live.py",
    }
    assert mirrored_tests("tournament/pages/desk/table.py", tests) == ["tests/pages/desk/test_table.py"]
    assert mirrored_tests("tournament/live/__init__.py", tests) == [
        "tests/live/test_live.py",
        "tests/test_live.py",
    ]
    assert mirrored_tests("scoring/scene.py", tests) == []


def test_statements_leave_docstrings_out() -> None:
    assert (
        statements(
            '"""A module."""\nclass A:\n    """Says so."""\n    def b(self):\n        "c"\n        return "d"'
        )
        == 3
    )


def test_words_are_those_of_docstrings_and_comments() -> None:
    source = '"""Those\n    who wait."""\nkept = "somebody told"  # nobody: beside us\ndef told(): "Kept."'
    assert words(source) == 7
    assert dialect(source) == 4


def test_names_that_one_place_uses() -> None:
    house = {
        "a.py": "from b import once\ndef _one(): pass\ndef _two(): _two()\n_one(); _two(); once()",
        "b.py": "def once(): pass\ndef _one(): pass\n@action\ndef acts(): acts\nclass A:\n def _own(self): self._own",
    }
    assert named_once(house) == (["a.py:2 _one", "b.py:6 _own"], ["b.py:1 once"])


def test_public_names_without_a_docstring() -> None:
    source = "def a(): 'Says so.'\ndef b(): pass\ndef _c(): pass\nclass D:\n def e(self): pass"
    assert without_docstring({"a.py": source}) == ["a.py:2 b", "a.py:4 D"]


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("from uvicorn._types import Scope", ["uvicorn: a.py uvicorn._types.Scope"]),
        ("import uvicorn._types", ["uvicorn: a.py uvicorn._types"]),
        ("from uvicorn.protocols.utils import x", ["uvicorn: a.py uvicorn.protocols.utils.x"]),
        ("import sys\nsys._getframe(2)", ["sys: a.py _getframe"]),
        ("import builtins\nbuiltins.__import__ = late", ["builtins: a.py __import__"]),
        ("getattr(body, '_inner')\nrows._raw_delete()", ["django: a.py _raw_delete", "unknown: a.py _inner"]),
        ("for module, name in ((urls, '_prefixes'),): setattr(module, name, x)", ["django: a.py _prefixes"]),
        ("pool.executor = mine", ["a2wsgi: a.py executor"]),
        ("from django import b\nclass A(b.B):\n def _c(self): super()._c()", ["django: a.py _c"]),
        ("class A(B):\n def _c(self): super()._c(self._d)\n _d = 1", []),
        ("from tournament.a import _b\nimport uvicorn\nuvicorn.run(row._meta, pool.executor)", []),
    ],
)
def test_private_names_of_libraries(source: str, found: list[str]) -> None:
    assert private_names_of_libraries({"a.py": source}) == found


def test_statements_of_a_script() -> None:
    script = """
        import { a } from "./a.js"; // one; two
        /** if (x) { y; } */
        export async function run(rows) {
          for (let at = 0; at < rows.length; at++) if (rows[at]) say(`a; ${rows.map((row) => `${row};`)}`);
          for (const { row } of rows) {
            const found = /[;/"]+/.exec(row) ?? 4 / 2;
            if (!found) return 'it; is';
            else if (found.if) { found.run(); }
          }
        }
        customElements.define("a-b", class extends HTMLElement { at = 1; });
    """
    assert script_statements(script) == 13


def test_sizes_of_a_stylesheet() -> None:
    sheets = {
        "css/tokens.css": ":root { --text-s: 0.9rem; font-size: 16px }",
        "css/a.css": "p { font-size: var(--text-s); margin: 0 auto } /* font-size: 3px */",
        "css/b.css": "b { font: 9pt serif; gap: 0.5rem }",
    }
    assert font_sizes(sheets) == {"var(--text-s)", "9pt"}
    assert raw_sizes(sheets) == ["css/b.css font: 9pt serif", "css/b.css gap: 0.5rem"]


def test_questions_are_those_of_their_own_table() -> None:
    other, rule = "| a | b |\n| --- | --- |\n| c | d |\n\n", "| --- | --- |\n"
    page = f"{other}| question | where |\n{rule}| who? | here |\n| what? | there |\n\n{other}"
    assert questions(page) == 2


def test_trace_counts_files_and_calls_back(tmp_path: Path) -> None:
    for name, source in {
        "view": "def view(start, step):\n for _ in range(3): start(step)\n step()\n again()\ndef again(): pass",
        "start": "def start(step): step()",
        "step": "def step(): helper()\ndef helper(): pass",
    }.items():
        (tmp_path / f"{name}.py").write_text(source)
    made: dict[str, Any] = {}
    for path in tmp_path.iterdir():
        exec(compile(path.read_text(), path, "exec"), made)
    tracer = trace_round.Tracer(made["view"].__code__, lambda path: path.startswith(str(tmp_path)))
    with tracer.following():
        made["again"]()
        made["view"](made["start"], made["step"])
        made["step"]()
    view, start, step = (str(tmp_path / f"{name}.py") for name in ("view", "start", "step"))
    assert [*tracer.files] == [view, start, step]
    assert [*tracer.back] == [
        f"{view} calls {start} start",
        f"{start} calls {step} step",
        f"{view} calls {step} step",
    ]


UP = Move("statements", 90, 100)
OTHERS = {"longest file": 400}


def faults_of(
    value: int,
    lines: dict[str, int],
    moves: Sequence[Move] = (),
    bought: Sequence[Move] = (),
    tolerance: float = 0.0,
) -> list[str]:
    rows = [
        Row("statements", value, 80, tolerance=tolerance),
        Row("longest file", 400, 700),
        Row("seconds", 3, None),
    ]
    return list(faults(rows, Budget(lines, dict.fromkeys(bought, "seasons")), moves))


@pytest.mark.parametrize(
    ("value", "lines", "says"),
    [
        (91, {"statements": 90, **OTHERS}, "statements: 91, budget 90: make it 90 again, or"),
        (89, {"statements": 90, **OTHERS}, "statements: 89, budget 90: lower its line"),
        (
            79,
            {"statements": 78, **OTHERS},
            "statements: 79, budget 78: within its target of 80: raise its line",
        ),
        (90, OTHERS, f'statements: 90, no line: add "statements" = 90 to {FILE}'),
        (
            90,
            {"statements": 90, "circles": 0, **OTHERS},
            "circles: nothing has counted it: count it, or delete its line",
        ),
    ],
)
def test_figure_that_its_line_does_not_hold_is_named_with_the_file_and_the_mend(
    value: Any, lines: Any, says: Any
) -> None:
    [fault] = faults_of(value, lines)
    assert fault.startswith(says)
    assert FILE in fault


def test_figure_may_differ_by_its_tolerance() -> None:
    lines = {"statements": 100, **OTHERS}
    assert [len(faults_of(value, lines, tolerance=0.02)) for value in (97, 98, 102, 103)] == [1, 0, 0, 1]


@pytest.mark.parametrize(
    ("line", "moves", "bought"),
    [
        (100, [UP], [UP]),
        (90, [UP, Move("statements", 100, 90)], []),  # it came back
        (95, [Move("statements", 100, 90), Move("statements", 90, 95)], [Move("statements", 90, 95)]),
        (80, [Move("statements", 70, 80)], []),  # its target
        (90, [Move("circles", 0, 2)], []),  # nothing counts them any more
    ],
)
def test_line_moves_away_from_its_target_for_a_capability(line: Any, moves: Any, bought: Any) -> None:
    assert faults_of(line, {"statements": line, **OTHERS}, moves, bought) == []


@pytest.mark.parametrize(
    ("moves", "bought", "before"),
    [
        ([UP], [], 90),
        ([UP], [Move("statements", 90, 99)], 90),  # another one
        ([Move("statements", 90, 95), Move("statements", 95, 100)], [Move("statements", 90, 95)], 95),
        ([Move("statements", 100, 90), UP], [], 90),
        ([Move("statements", 79, 100)], [], 79),
    ],
)
def test_line_that_was_raised_without_its_capability_is_named_with_the_file_and_the_mend(
    moves: list[Move], bought: list[Move], before: int
) -> None:
    [fault] = faults_of(100, {"statements": 100, **OTHERS}, moves, bought)
    assert fault.startswith(
        f"statements: its line was raised from {before} to 100: lower it again, or add to `moved`"
    )
    assert f'{FILE} {{ figure = "statements", from = {before}, to = 100, buys = "' in fault


@pytest.mark.parametrize(
    "text",
    [
        '[figures]\n"statements" = "many"',
        'moved = [{ figure = "statements", from = 90, to = 100 }]\n[figures]',
        'moved = [{ figure = "statements", from = 90, to = 100, buys = " " }]\n[figures]',
    ],
)
def test_bad_line_of_the_budget_is_named_with_the_file_and_the_mend(text: Any) -> None:
    with pytest.raises(ValueError, match=rf"{FILE}: .*statements.*: (write|name) "):
        read_budget(text)


def test_write_lowers_lines_and_raises_none() -> None:
    rows = [Row("a (b)", 3, 0), Row("c", 9, FEWER)]
    before = 'moved = []\n[figures]\n"a (b)" = 4  # why\n"c" = 8\n'
    assert lowered(before, rows) == before.replace("4", "3")


def test_moves_are_those_of_each_commit_and_of_the_file_since(tmp_path: Path) -> None:
    def git(*command: str) -> None:
        author = ["-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *author, *command], cwd=tmp_path, check=True, capture_output=True)

    def write(statements: int, circles: int) -> None:
        file.write_text(f'[figures]\n"statements" = {statements}\n"circles" = {circles}\n')

    file = tmp_path / FILE
    file.parent.mkdir(parents=True)
    write(90, 2)
    assert read_moves(tmp_path) == []
    git("init")
    git("add", FILE)
    git("commit", "-m", "first")
    for values in [(95, 2), (100, 1)]:
        write(*values)
        git("commit", "-a", "-m", "next")
    write(101, 1)
    assert sorted(read_moves(tmp_path)[1:3]) == [Move("circles", 2, 1), Move("statements", 95, 100)]
    assert read_moves(tmp_path)[::3] == [Move("statements", 90, 95), Move("statements", 100, 101)]


def test_run_of_the_suite_notes_its_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suite, "NOTED", tmp_path / "var/suite.json")
    assert suite.suite_rows() == []
    suite.note({"cases": 3, "processor seconds": 4.5})
    suite.note({"queries": 100, "cases": 2})
    assert [(row.figure, row.value, row.target, row.tolerance) for row in suite.suite_rows()] == [
        ("test cases", 2, None, 0),
        ("queries of the whole suite", 100, FEWER, 0.02),
        ("processor seconds of the whole suite", 4.5, None, 0),
    ]
