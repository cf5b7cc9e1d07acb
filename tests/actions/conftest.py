"""Check in every action's test that refusals name faults and places that pages and programs know, and in one of three
that the ledger and the process's cache of a stage agree with the rows."""

import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any
from zlib import crc32

import pytest
from django.db import connection
from django.db.models import QuerySet

from scoring.faults import MESSAGES
from tests.depth import FULL, MUTANTS
from tests.support.built import TABLES, filled
from tests.support.cost import touches_database
from tests.support.known import same
from tests.support.models import stored_models
from tournament.actions import every
from tournament.actions.kernel.work import Receipt, Work
from tournament.ledger import verify as ledger_verify
from tournament.ledger.verify import verify
from tournament.models import Play, Proposal, Seat, Stage, Tournament
from tournament.results import contests
from tournament.results.bridge import contests_of
from tournament.results.contests import Known
from tournament.results.faults import Fault, Refused
from tournament.results.kinds import SETTINGS
from tournament.words.faults import CARDS, FAULTS
from tournament.words.text import name_suffixes

# One test of so many compares its rows with the ledger and with what is known; all of them do in the soak.
OF_THE_TESTS = 3


def after_each_action(request: pytest.FixtureRequest) -> bool:
    return FULL or MUTANTS or crc32(request.node.name.encode()) % OF_THE_TESTS == 0


@pytest.fixture(autouse=True)
def _known_is_what_the_rows_say(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if not after_each_action(request):
        return
    known_now = contests._known

    def checked(stage: Stage, *, as_read: bool) -> Known:
        known = known_now(stage, as_read=as_read)
        if not connection.force_debug_cursor:  # a test that counts queries
            assert same(known.contests, contests_of(stage))
        return known

    monkeypatch.setattr(contests, "_known", checked)


@pytest.fixture(autouse=True)
def _no_empty_table_is_read(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compare only tables that have rows with the ledger: composing a query for each of the kinds takes longer than
    reading the rows."""
    if not touches_database(request.node):
        return
    read = ledger_verify.rows_by_kind

    def there(tournament: Tournament) -> dict[str, Any]:
        has_rows = dict(zip(TABLES, filled(), strict=True))
        found = read(tournament)
        return {kind: rows if has_rows[rows.model._meta.db_table] else [] for kind, rows in found.items()}

    monkeypatch.setattr(ledger_verify, "rows_by_kind", there)


@pytest.fixture(autouse=True)
def _the_ledger_says_what_there_is(request: pytest.FixtureRequest) -> Iterator[None]:
    """Check that the ledger holds all that the test's actions wrote, and that names which read the same are told apart,
    unless a test writes beside them (`beside`)."""
    beside = request.node.get_closest_marker("beside")
    if not touches_database(request.node) or beside or not after_each_action(request):
        yield
        return
    request.getfixturevalue("transactional_db" if _is_transactional(request) else "db")
    yield
    for each in Tournament.objects.order_by("pk"):
        assert list(verify(each)) == []
        rows = list(each.entries.values_list("uid", "public_name", "club", "state", "name_suffix"))
        assert {row[0]: row[4] for row in rows} == name_suffixes(row[:4] for row in rows)


@pytest.fixture(autouse=True)
def _readers_are_told(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that an action which wrote a play, proposal, seat or setting of a stage told the readers of that stage."""
    if not after_each_action(request):
        return
    close = Work.close

    def checked(self: Work) -> Receipt:
        if not connection.force_debug_cursor:  # a test that counts queries
            touched = [key for key in [*self._changed, *self._deleted] if key[0] in STAGE_OF]
            stages = {stage for kind, uid in touched for stage in STAGE_OF[kind](uid)}
            assert stages <= self._stages.keys(), (self.action, touched)
        return close(self)

    monkeypatch.setattr(Work, "close", checked)


STAGE_OF: dict[str, Callable[[str], "QuerySet[Any, int]"]] = {
    "play": lambda uid: Play.objects.filter(uid=uid).values_list("table__stage", flat=True),
    "proposal": lambda uid: Proposal.objects.filter(uid=uid).values_list("table__stage", flat=True),
    "seat": lambda uid: Seat.objects.filter(uid=uid).values_list("table__stage", flat=True),
    "stage": lambda uid: Stage.objects.filter(uid=uid).values_list("pk", flat=True),
}


def _is_transactional(request: pytest.FixtureRequest) -> bool:
    mark = request.node.get_closest_marker("django_db")
    return "transactional_db" in request.fixturenames or bool(mark and mark.kwargs.get("transaction"))


# The parameters that the words of each fault name, and those that programs read besides.
SAID = {code: set(re.findall(r"%\((\w+)\)", str(text))) for code, text in FAULTS.items()}
PARAMETERS = set().union(*SAID.values()) | {"action", "advance", "decks", "elapsed_s", "field_label", "kind"}
PARAMETERS |= {"contest", "limit_s", "pairs", "through", "time_zone", "value", "wanted"}
PARAMETERS |= {name for message in MESSAGES.values() for name in re.findall(r"{(\w+)}", message)}
AT_LEISURE = {"play", "player"}  # said without them too: by the path, by the kind of the contest

# The names that a fault's path may hold: arguments of actions, fields of rows and of score sheets; also uids, numbers
# and cards.
NAMES = {
    name for each in vars(every).values() if callable(each) for name in inspect.signature(each).parameters
}
MODELS = stored_models()
NAMES |= {field.name for model in MODELS for field in model._meta.fields}.union(*SETTINGS.values())
NAMES |= {"levels", "places", "players", "plays", "results", "hands", "hand", "entries", "tables"}
NAMES |= {
    "settings",
    "parts",
    "open",
    "count",
    "take",
    "scope",
    "__all__",
    "labels",
    "options",
    *Tournament.Language.values,
}
NUMBER = re.compile(r"\d+(-\d+)*|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
STRANGE = {"malformed", "unknown_card", "unknown_player", "unknown_setting"}  # at a name that somebody sent


def is_told(fault: Fault) -> bool:
    """Whether there are words for the fault, with all that they need, and its path leads to something."""
    first, *rest = fault.path.split("/")[1:] or [""]
    leads = all(step in NAMES or step in CARDS or NUMBER.fullmatch(step) for step in rest)
    return (
        fault.code in FAULTS
        and SAID[fault.code] - AT_LEISURE <= fault.parameters.keys()
        and fault.parameters.keys() <= PARAMETERS
        and (first in NAMES or not fault.path)
        and (leads or fault.code in STRANGE)
    )


@pytest.fixture(autouse=True)
def _refusals_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    refused = Refused.__init__

    def checked(self: Refused, *faults: Fault, wait: int = 0) -> None:
        assert [fault for fault in faults if not is_told(fault)] == []
        refused(self, *faults, wait=wait)

    monkeypatch.setattr(Refused, "__init__", checked)
