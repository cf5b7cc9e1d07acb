"""Rules of architecture: which module may import which, who may write, who may compute. They keep one way from the
table to the screen."""

import ast
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import get_args

import pytest
from django.apps import apps
from django.core.exceptions import ImproperlyConfigured

from tests.support.rooms import FLOOR, OUTSIDE, as_core
from tests.support.templates import template_files
from tournament.server import extras
from tournament.settings import EXTRAS

ROOT = Path(__file__).resolve().parents[1]
LONGEST = 700  # lines

# Code without Django, a clock or chance of its own: the same input gives the same answer.
PURE = {"rulesets": {"rulesets"}, "scoring": {"scoring", "rulesets"}}
PURE_ROOMS = ("tournament/seating/",)  # chance from a seed is theirs
NO_CHANCE_NO_CLOCK = {"datetime", "os", "random", "secrets", "time", "uuid"}  # nor files

# Late imports by name, which only the wiring may make: they would hide an import that runs up.
BY_NAME = {"import_string", "import_module", "get_model"}
WIRING = (
    "tournament/apps.py",
    "tournament/asgi.py",
    "tournament/management/",
    "tournament/server/extras.py",
    "tournament/settings.py",
)

# What extras add to the API stands in their `api`, which this extra imports, and which is deleted with it.
HOLDS_API = "programs"

# Modules that ask scoring for an answer, and why; all others show one that results.py gave.
ASKS = {"parse_sheet", "read_sheet", "score"}
MAY_ASK = {
    "tournament/results/answer.py": "the one answer that all surfaces show",
    "tournament/results/settling.py": "which plays count, before the answer",
    "tournament/extras/programs/api/score.py": "answers a sheet that is not in the database",
    "tournament/management/score.py": "answers a sheet that is not in the database",
    "tournament/extras/rehearsal/": "asks whether a server's standings follow from its sheets",
    "tournament/extras/friends/": "a table of friends, not in the database until it becomes an event",
    "tournament/pages/public/rules_examples.py": "the examples in the rules, not in the database",
}

# Modules that write, and why.
WRITES = {"bulk_create", "bulk_update", "get_or_create", "update_or_create", "execute", "executemany"}
WRITES_WITHOUT_ARGUMENT = {
    "create",
    "delete",
    "save",
    "update",
}  # a dict's update and a workbook's save have one
MAY_WRITE = {
    "tournament/actions/": "the only writers",
    "tournament/ledger/": "a row for each action, written by actions; its triggers",
    "tournament/server/database.py": "asks PostgreSQL for its settings, sets limits, reads as of one moment",
    "tournament/backup/": "asks a database what it holds, a copy whether it is whole, and who migrates",
    "tournament/practice/demo.py": "the demo referee's account, which belongs to no tournament",
    "tournament/live/poller.py": "listens to what PostgreSQL tells",
    "tournament/migrations/0020_name_suffix.py": "entries of before, which no command will touch",
    "tournament/migrations/0029_versions_told.py": "the trigger that tells each new version",
}

# Public pages read from tournament/queries/visible.py: standings may be frozen.
FOR_EVERYBODY = (
    "tournament/views/personal_data.py",
    "tournament/views/public/",
    "tournament/pages/public/",
    "tournament/files/workbook/",
    "tournament/pages/pictures/",
    "tournament/extras/calendar/",
    "tournament/extras/season/",
    "tournament/extras/workbook/",
)
TRUE_RESULTS = {
    "stage_results",
    "stage_contests",
    "contests_of",
    "contest_of",
    "contests_now",
    "contest_now",
    "truth",
    "plays_in",
}
ROWS_OF_RESULTS = {"Result", "Decision", "Draw seats", "Penalty or note"}
MAY_READ_THE_TRUTH = {
    "tournament/files/workbook/event.py": "the workbook of those who run the event",
}

NOT_IN_TEMPLATES = re.compile(
    r"""\sstyle=|\son\w+=|hx-on|hx-vals=['"]js:|\|\s*safe\b|<style|<script(?![^>]*\ssrc=)"""
)


def imports(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Each imported (module, name); a relative import's module begins with a dot, and a module's own name is ""."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (("." * node.level + (node.module or ""), alias.name) for alias in node.names)


def impure(path: str, tree: ast.AST) -> Iterator[str]:
    package = path.partition("/")[0]
    if path.startswith(PURE_ROOMS):
        for module, _ in imports(tree):
            if module.partition(".")[
                0
            ] not in sys.stdlib_module_names and not f"{module.replace('.', '/')}/".startswith(PURE_ROOMS):
                yield f"imports {module}"
    if package not in PURE:
        return
    for module, _ in imports(tree):
        top = module.partition(".")[0]
        if top and (top in NO_CHANCE_NO_CLOCK or top not in sys.stdlib_module_names | PURE[package]):
            yield f"imports {module}"
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, float):
            yield f"line {node.lineno}: the float {node.value}"
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "float":
            yield f"line {node.lineno}: float()"
        elif isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div):
            yield f"line {node.lineno}: a division that may give a float; Fraction(a, b) does not"


def room_of(path: str) -> str:
    """The room in which a file lies: `rulesets`, `scoring`, or a folder or module of tournament/."""
    first, _, rest = as_core(path).partition("/")
    return first if first != "tournament" else rest.partition("/")[0].removesuffix(".py")


def extra_of(path: str) -> str:
    """The name of the extra that a file or a folder belongs to, or ""."""
    found = re.match(r"tournament/extras/(\w+)", path)
    return found[1].replace("__init__", "") if found else ""


@cache
def _names_in(module: str) -> set[str]:
    folder = ROOT / module.replace(".", "/")
    return {each.name for each in folder.iterdir()} if folder.is_dir() else set()


def imported_modules(path: str, tree: ast.AST) -> Iterator[str]:
    """The modules of ours that a file imports, also inside functions, by their dotted names."""
    for module, name in imports(tree):
        if module == "tournament" and name.startswith("__"):
            yield "tournament"
        elif module.partition(".")[0] in {"tournament", "scoring", "rulesets"}:
            yield (
                f"{module}.{name}"
                if module == "tournament" or {f"{name}.py", name} & _names_in(module)
                else module
            )


def upward(path: str, tree: ast.AST) -> Iterator[str]:
    """Imports that do not run down, and imports by name outside the wiring."""
    room = room_of(path)
    if room in OUTSIDE:
        return
    if room not in FLOOR:
        yield "lies in no room: name its room in tests/support/rooms.py, or move it"
        return
    for module in imported_modules(path, tree):
        other = room_of(module.replace(".", "/")) or "__init__"
        if extra_of(module.replace(".", "/")) not in ("", extra_of(path), HOLDS_API if room == "api" else ""):
            yield f"imports {module}: the core imports no extra, and an extra no other"
        elif other not in FLOOR:
            yield f"imports {module}, which lies in no room"
        elif other != room and FLOOR[other] >= FLOOR[room]:
            yield f"imports {module}"
    if path.startswith("tournament/") and not path.startswith(WIRING):
        for node in ast.walk(tree):
            if not isinstance(node, ast.Attribute | ast.Name):
                continue
            name = node.attr if isinstance(node, ast.Attribute) else node.id
            if name in BY_NAME:
                yield f"line {node.lineno}: {name} imports by name"


def knows_a_request(path: str, tree: ast.AST) -> Iterator[str]:
    """Pages are values for templates: no request, no form."""
    if as_core(path).startswith("tournament/pages/"):
        for module, name in imports(tree):
            if module.startswith(("django.http", "django.shortcuts", "django.forms", "tournament.forms")):
                yield f"imports {name or module} from {module}"


def knows_an_event(path: str, tree: ast.AST) -> Iterator[str]:
    """The rooms of the machine and of the page server know no event, no person."""
    if path.startswith(("tournament/server/", "tournament/live/")):
        named = (name for module, name in imports(tree) if "models" in module.split("."))
        yield from (f"imports {name}" for name in named if name != "AnonymousUser")


def computes(path: str, tree: ast.AST) -> Iterator[str]:
    if path.startswith("tournament/") and not any(
        each.startswith(tuple(MAY_ASK)) for each in (path, as_core(path))
    ):
        for module, name in imports(tree):
            if module.partition(".")[0] == "scoring" and name in ASKS | {""}:
                yield f"imports {name or 'all'} from {module}"


def writes(path: str, tree: ast.AST) -> Iterator[str]:
    if not path.startswith("tournament/") or as_core(path).startswith(tuple(MAY_WRITE)):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr == "atomic":
            yield f"line {node.lineno}: a transaction"
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            name = node.func.attr.removeprefix("a")  # asave and the like
            if name in WRITES or (name in WRITES_WITHOUT_ARGUMENT and not node.args):
                yield f"line {node.lineno}: {node.func.attr}()"
    if ("django.db.transaction", "atomic") in imports(tree):
        yield "imports atomic"


def tells_the_truth(path: str, tree: ast.AST) -> Iterator[str]:
    """List the imports in a public module of true results, or of the rows that they follow from."""
    if not path.startswith(FOR_EVERYBODY) or path.startswith(tuple(MAY_READ_THE_TRUTH)):
        return
    yield from (f"imports {name} from {module}" for module, name in imports(tree) if name in TRUE_RESULTS)
    for node in ast.walk(tree):  # the models themselves have the words of states and kinds
        rows = node.value if isinstance(node, ast.Attribute) and node.attr == "objects" else None
        if isinstance(rows, ast.Name) and rows.id in ROWS_OF_RESULTS:
            yield f"line {rows.lineno}: reads rows of {rows.id}"


def shadows(path: str, tree: ast.AST) -> Iterator[str]:
    """List the names that a function assigns although the module imports them: a call of the import in that function
    would raise UnboundLocalError."""
    del path
    imported = {
        alias.asname or alias.name
        for node in getattr(tree, "body", ())
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            for node in ast.walk(function):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in imported:
                    yield f"line {node.lineno}: {node.id} is imported"


def announces(path: str, tree: ast.AST) -> Iterator[str]:
    """Only a commit is announced: what shows a page writes nothing."""
    if not path.startswith(("tournament/actions/kernel/", "tournament/live/")):
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and ast.unparse(node) == "live.announce":
                yield f"line {node.lineno}: announces a version"


Rule = Callable[[str, ast.AST], Iterator[str]]
RULES: list[Rule] = [
    impure, upward, knows_a_request, knows_an_event, computes, writes, tells_the_truth, shadows,
    announces,
]  # fmt: skip
SOURCES = sorted(
    path.relative_to(ROOT).as_posix()
    for package in ("rulesets", "scoring", "tournament")
    for path in (ROOT / package).rglob("*.py")
)


@cache
def parsed(path: str) -> ast.AST:
    return ast.parse((ROOT / path).read_text())


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_sources_keep_the_rule(rule: Rule) -> None:
    assert [f"{path} {fault}" for path in SOURCES for fault in rule(path, parsed(path))] == []


def test_every_room_is_there() -> None:
    rooms = {room_of(path) for path in SOURCES} - set(OUTSIDE)
    if HOLDS_API not in EXTRAS:
        rooms.add("api")
    assert set(FLOOR) == rooms, "tests/support/rooms.py names each room once, and no other"


def here(paths: Iterable[str]) -> list[str]:
    """Without those of extras that EXTRAS does not name: an extra may be deleted."""
    return [path for path in paths if extra_of(path) in ("", *EXTRAS)]


@pytest.mark.parametrize(
    "path",
    here([*PURE, *PURE_ROOMS, *WIRING, *MAY_ASK, *MAY_WRITE, *FOR_EVERYBODY, *MAY_READ_THE_TRUTH]),
)
def test_path_that_a_table_names_exists(path: str) -> None:
    assert (ROOT / path).exists()


@pytest.mark.parametrize(
    ("rule", "path", "source"),
    [
        (impure, "rulesets/a.py", "from scoring import score"),
        (impure, "scoring/a.py", "import django.db"),
        (impure, "scoring/a.py", "import random"),
        (impure, "scoring/a.py", "half = 0.5"),
        (impure, "scoring/a.py", "half = points / 2"),
        (impure, "scoring/a.py", "points /= 2"),
        (impure, "scoring/a.py", "half = float(points)"),
        (upward, "tournament/models/a.py", "from tournament.actions import record_round"),
        (upward, "tournament/actions/a.py", "from tournament import views"),
        (upward, "tournament/attic.py", ""),
        (upward, "tournament/views/a.py", "from tournament.extras.rehearsal import day"),
        (upward, "tournament/extras/season/pages.py", "from tournament.extras.programs.api import reads"),
        (upward, "tournament/apps.py", "import tournament.extras.rehearsal.day"),
        (upward, "tournament/extras/other/a.py", "from tournament.extras.rehearsal.day import rehearse"),
        (upward, "tournament/extras/rehearsal/pages.py", "from tournament.extras.rehearsal.views import a"),
        (upward, "tournament/extras/rehearsal/actions.py", "from tournament.views import redirects"),
        (upward, "tournament/queries/a.py", "def late():\n    from tournament.actions import record_round"),
        (upward, "tournament/queries/a.py", "import_string('tournament.actions')"),
        (knows_a_request, "tournament/pages/a.py", "from django.http import HttpRequest"),
        (knows_a_request, "tournament/pages/a.py", "from tournament.forms.plays import PLAY_FORMS"),
        (knows_a_request, "tournament/extras/rehearsal/pages.py", "from django.http import HttpRequest"),
        (knows_an_event, "tournament/server/a.py", "from tournament.models import Stage"),
        (knows_an_event, "tournament/live/a.py", "from tournament.models import Stage"),
        (computes, "tournament/views/desk/a.py", "from scoring import score"),
        (computes, "tournament/files/workbook/a.py", "import scoring"),
        (writes, "tournament/views/desk/a.py", "play.save()"),
        (writes, "tournament/admin.py", "play.save(update_fields=['state'])"),
        (writes, "tournament/extras/programs/api/a.py", "Play.objects.filter(uid=uid).update(state='void')"),
        (writes, "tournament/extras/programs/api/a.py", "Play.objects.bulk_create(plays)"),
        (writes, "tournament/live/a.py", "await play.adelete()"),
        (writes, "tournament/views/desk/a.py", "with transaction.atomic(): pass"),
        (writes, "tournament/views/desk/a.py", "from django.db.transaction import atomic"),
        (announces, "tournament/views/a.py", "def page():\n    live.announce({'a': 1})"),
        (shadows, "tournament/a.py", "from b import shown\ndef page():\n    shown = 1"),
        (
            tells_the_truth,
            "tournament/views/public/a.py",
            "from tournament.results.answer import stage_results",
        ),
        (
            tells_the_truth,
            "tournament/files/workbook/a.py",
            "from tournament.results.bridge import contests_of",
        ),
        (tells_the_truth, "tournament/pages/pictures/a.py", "from tournament.queries.visible import truth"),
        (tells_the_truth, "tournament/extras/season/a.py", "rows = Result.objects.filter(entry=entry)"),
    ],
)
def test_breach_of_a_rule_is_found(rule: Rule, path: str, source: str) -> None:
    assert len(list(rule(path, ast.parse(source)))) == 1


@pytest.mark.parametrize(
    ("rule", "path", "source"),
    [
        (
            impure,
            "scoring/a.py",
            "from fractions import Fraction\nfrom .sheets import Game\nhalf = points // 2",
        ),
        (computes, "tournament/views/desk/a.py", "from scoring import SessionAnswer"),
        (upward, "tournament/extras/rehearsal/day.py", "from tournament.extras.rehearsal.pages import a"),
        (upward, "tournament/extras/rehearsal/day.py", "from tournament.views import redirects"),
        (upward, "tournament/extras/season/api/a.py", "from tournament.extras.programs.api import reads"),
        (writes, "tournament/extras/rehearsal/actions.py", "play.save()"),
        (writes, "tournament/views/desk/a.py", "known.update(more)\nbook.save(file)"),
        (writes, "tournament/actions/a.py", "play.save()"),
        (
            tells_the_truth,
            "tournament/views/desk/a.py",
            "from tournament.results.answer import stage_results",
        ),
        (
            tells_the_truth,
            "tournament/views/public/a.py",
            "from tournament.queries.visible import shown\nResult.Outcome.OUT",
        ),
    ],
)
def test_what_a_rule_allows_is_not_found(rule: Rule, path: str, source: str) -> None:
    assert list(rule(path, ast.parse(source))) == []


@pytest.mark.parametrize(
    ("rule", "allowed", "path"),
    [(computes, MAY_ASK, path) for path in here(MAY_ASK)]
    + [(writes, MAY_WRITE, path) for path in here(MAY_WRITE)]
    + [(tells_the_truth, MAY_READ_THE_TRUTH, path) for path in here(MAY_READ_THE_TRUTH)],
)
def test_every_allowance_is_needed(
    rule: Rule, allowed: dict[str, str], path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(allowed, path)
    assert any(list(rule(source, parsed(source))) for source in SOURCES if source.startswith(path))


def test_every_folder_of_an_extra_is_installed() -> None:
    folders = {extra_of(path) for path in SOURCES} - {""}
    assert set(EXTRAS) == folders, "EXTRAS in tournament/settings.py names each folder of tournament/extras"


def test_an_extra_adds_nothing_but_the_five_lists() -> None:
    """Django's attributes apart: what is misspelt would be read by no one."""
    lists = {*get_args(extras.List), "name", "label", "verbose_name"}
    for name in EXTRAS:
        config = apps.get_app_config(name)
        assert {each for each in vars(type(config)) if not each.startswith("_")} <= lists, name
        assert vars(type(config)).get("__doc__"), name


def test_an_extra_that_is_not_there_is_named_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(
        ImproperlyConfigured, match=r"^EXTRAS in .* names calendars, but .* is not there: .*\.$"
    ):
        extras.installed(tmp_path, ["calendars"])


def test_no_file_is_too_long() -> None:
    lines = {
        path: len((ROOT / path).read_text().splitlines()) for path in SOURCES if "/migrations/" not in path
    }
    assert {path: count for path, count in lines.items() if count > LONGEST} == {}


def test_templates_hold_no_script_no_style_and_nothing_unescaped() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {match[0].strip()}"
        for path in template_files()
        for match in NOT_IN_TEMPLATES.finditer(path.read_text())
    ]
    assert found == []


@pytest.mark.parametrize(
    "template",
    [
        "<p style='x'>",
        '<a onclick="x">',
        "<b hx-on:click='x'>",
        "{{ name|safe }}",
        "<style>",
        "<script>x</script>",
    ],
)
def test_breach_in_a_template_is_found(template: str) -> None:
    assert NOT_IN_TEMPLATES.search(template)
    assert not NOT_IN_TEMPLATES.search(
        '<script type="module" src="x.js"></script><p class="style">on = 1</p>'
    )
