"""The figures count what they say, in houses of a few lines."""

from pathlib import Path
from typing import Any

import pytest

from tests.support import trace_round
from tests.support.figures.actions import files_naming, views_by_noun
from tests.support.figures.assets import font_sizes, questions, raw_sizes
from tests.support.figures.imports import circles, import_graph, imports_up, room_graph
from tests.support.figures.kinds import branches_on_kind
from tests.support.figures.mirrors import mirrored_tests
from tests.support.figures.sources import statements

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
