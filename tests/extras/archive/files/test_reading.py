"""A faulty archive is refused with a word, and nothing of it is stored."""

import json
import random
import zipfile
from copy import copy
from datetime import UTC, date, datetime
from functools import cache
from io import BytesIO
from typing import Any
from uuid import uuid4

import pytest
from django.db import OperationalError
from django.test import Client

from rulesets import RULESETS
from tests.depth import deep
from tests.ledger.test_purge import everything
from tests.support.archives import (
    Files,
    archived,
    brought,
    forget_everything,
    packed,
    rows_in,
    sealed,
    taken_apart,
    with_rows,
)
from tests.support.factories import StaffFactory, UserFactory, event, recorded_round, running_match
from tournament import backup
from tournament.actions.kernel import writing
from tournament.extras.archive import actions as archives
from tournament.extras.archive.files import reading as prepared
from tournament.extras.archive.files.reading import Archive, check_imported
from tournament.extras.archive.files.schema import KINDS, MANIFEST, VERSION, NotImported, refusal_text
from tournament.ledger.chain import digest
from tournament.ledger.verify import compared
from tournament.models import (
    Announcement,
    Entry,
    Invite,
    LedgerRow,
    Player,
    Proposal,
    Result,
    Screen,
    Stage,
    Tournament,
    User,
)
from tournament.models.base import PublicModel
from tournament.results.answer import scored
from tournament.results.faults import Forbidden

pytestmark = pytest.mark.django_db

LEDGER = "rows/ledgerrow.jsonl"


@cache
def made_once() -> Files:
    made = running_match(players=3)
    recorded_round(made)
    archive = archived(Tournament.objects.get(pk=made.tournament.pk))
    forget_everything()
    return taken_apart(archive)


@pytest.fixture
def files() -> Files:
    """The files of an archive of which nothing is here."""
    return dict(made_once())


def refused(archive: bytes) -> NotImported:
    """Give the reason of the refusal; the database is as it was."""
    before = everything()
    with pytest.raises(NotImported) as refusal:
        brought(archive)
    assert everything() == before
    assert refusal_text(refusal.value)
    return refusal.value


def tried(archive: bytes) -> NotImported | None:
    """Give the reason of the refusal, None where there is none."""
    try:
        brought(archive)
    except NotImported as refusal:
        refusal_text(refusal)
        return refusal
    return None


def changed(files: Files, kind: str, /, **values: Any) -> bytes:
    """The archive with these values in the first row of a kind, sealed as if it had always been so."""
    first, *rest = rows_in(files, kind)
    return sealed(with_rows(files, kind, [{**first, **values}, *rest]))


# The file


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "no_archive"),
        (b"PK\x03\x04", "no_archive"),
        (b"%PDF-1.7", "no_archive"),
        (packed({}), "no_archive"),
        (packed({"readme.txt": b"hello"}), "unknown_file"),
        (packed({MANIFEST: b"{}"}), "no_archive"),
        (packed({MANIFEST: b"[" * 100_000}), "no_json"),
        (packed({MANIFEST: b'{"archive": 1}'}), "wrong_value"),
        (packed({MANIFEST: b'{"archive": true}'}), "no_archive"),
        (packed({MANIFEST: b'{"archive": %d, "program": "7.0"}' % (VERSION + 1)}), "newer"),
        (packed({MANIFEST: b'{"archive": 999, "program": ["x"]}'}), "newer"),
    ],
    ids=[
        "empty",
        "a beginning",
        "pdf",
        "an empty zip",
        "a zip",
        "no version",
        "deep",
        "bare",
        "true",
        "newer",
        "odd",
    ],
)
def test_what_is_no_archive(content: bytes, code: str) -> None:
    assert refused(content).code == code


@pytest.mark.parametrize(
    "name",
    ["../evil.json", "/etc/passwd", "rows/../../evil.jsonl", "rows\\evil.jsonl", "C:evil", "rows/evil.jsonl"],
)
def test_names_that_lead_elsewhere_or_are_unknown(files: Files, name: str) -> None:
    assert refused(sealed({**files, name: b"{}"})).code == "unknown_file"


def test_a_missing_an_added_and_a_changed_file(files: Files) -> None:
    without = {name: content for name, content in files.items() if name != LEDGER}
    assert refused(packed(without)).code == "missing_file"
    assert refused(sealed(without)).code == "missing_file"
    added = {**files, "sheets/stage-9.json": b"{}"}
    assert refused(packed(added)).code == "added_file"
    assert refused(packed({**files, LEDGER: files[LEDGER].replace(b"1", b"2", 1)})).code == "changed_file"
    assert refused(packed({**files, LEDGER: files[LEDGER] + b"\n"})).code == "changed_file"


def test_a_file_that_comes_twice(files: Files) -> None:
    out = BytesIO(packed(files))
    with zipfile.ZipFile(out, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr(LEDGER, files[LEDGER])
    assert refused(out.getvalue()).code == "unknown_file"


def test_what_unpacks_to_more_than_is_read(files: Files) -> None:
    bomb = packed({**files, LEDGER: bytes(40 * 1024**2)})
    assert len(bomb) < 100_000
    with pytest.raises(NotImported, match="too_large"):
        Archive(BytesIO(bomb), most_bytes=32 * 1024**2)
    with pytest.raises(NotImported, match="changed_file"):
        Archive(BytesIO(bomb))


def test_values_nested_deeper_than_anything_follows(files: Files) -> None:
    for depth, code in ((41, "no_json"), (900, "no_json"), (30, "not_verified")):
        nested: Any = 1
        for _ in range(depth):
            nested = {"a": nested}
        payload = {"play": {str(uuid4()): nested}}
        assert refused(changed(files, "ledgerrow", payload=payload)).code == code


def test_entries_elsewhere_do_not_wait_while_an_archive_is_read_and_checked(
    files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All slow work comes before the one transaction, in which rows are only written; last of it a backup."""
    done: list[str] = []

    def noted(name: str, function: Any) -> Any:
        def wrapped(*said: Any) -> Any:
            done.append(name)
            return function(*said)

        return wrapped

    monkeypatch.setattr(Archive, "rows", noted("rows", Archive.rows))
    monkeypatch.setattr(prepared, "compared", noted("compared", compared))
    monkeypatch.setattr(prepared, "scored", noted("scored", scored))
    monkeypatch.setattr(archives, "writing", noted("writing", writing))
    monkeypatch.setattr(backup, "before", done.append)
    brought(packed(files))
    assert done == ["rows"] * len(KINDS) + ["compared", "scored", "import_event", "writing"]


def test_a_line_without_end(files: Files) -> None:
    assert refused(sealed({**files, "rows/seat.jsonl": b" " * (9 * 1024**2)})).code == "too_large"


@pytest.mark.parametrize("name", [MANIFEST, "sheets/stage-1-table-1.json", "answers/stage-1-table-1.json"])
def test_a_value_that_would_fill_the_memory_is_not_read(files: Files, name: str) -> None:
    many = b"[" + b"[]," * (3 * 1024**2) + b"[]]"
    archive = packed({**files, name: many}) if name == MANIFEST else sealed({**files, name: many})
    assert refused(archive).where == name
    assert refused(archive).code == "too_large"


@pytest.mark.parametrize("cut", [1, 1000, 5000], ids=str)
def test_half_an_archive(files: Files, cut: int) -> None:
    assert refused(packed(files)[:-cut]).code == "no_archive"


@pytest.mark.parametrize("seed", range(deep(40)))
def test_bytes_that_fell_over(files: Files, seed: int) -> None:
    chance = random.Random(seed)
    damaged = bytearray(packed(files))
    for _ in range(chance.randint(1, 20)):
        damaged[chance.randrange(len(damaged))] = chance.randrange(256)
    refusal = tried(bytes(damaged))
    # Harmless is what says nothing: a date, a permission.
    assert (refusal is None) == Tournament.objects.exists()


# Contents


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("entry", {"start_number": "1"}),
        ("entry", {"start_number": 1.0}),
        ("entry", {"start_number": True}),
        ("entry", {"start_number": -1}),
        ("entry", {"start_number": 2**70}),
        ("entry", {"guardian": 1}),
        ("entry", {"public_name": "x" * 101}),
        ("entry", {"public_name": ""}),
        ("entry", {"public_name": None}),
        ("entry", {"public_name": "\x00"}),
        ("entry", {"public_name": "\ud800"}),
        ("entry", {"state": "winner"}),
        ("entry", {"accepted_at": "yesterday"}),
        ("entry", {"accepted_at": "2026-05-09T12:00:00"}),
        ("entry", {"accepted_at": "0001-01-01T00:00:00+14:00"}),
        ("entry", {"uid": "1"}),
        ("entry", {"uid": "{6f9619ff-8b86-d011-b42d-00c04fc964ff}"}),
        ("entry", {"player": None}),
        ("player", {"birth_date": "2026-02-30"}),
        ("tournament", {"time_zone": "Mars/Olympus"}),
        ("tournament", {"language": "tlh"}),
        ("tournament", {"slug": "../x"}),
        ("tournament", {"starts_on": "9999-12-31"}),
        ("stage", {"settings": []}),
        ("stage", {"settings": {"target": "many"}}),
        ("stage", {"settings": {"unheard": 1}}),
        ("stage", {"card_texts": [1]}),
        ("stage", {"card_texts": ["a"] * 9}),
        ("stage", {"plan": {"starts_at": "soon"}}),
        ("stage", {"plan": {"minutes": "x"}}),
        ("stage", {"frozen_after": 999}),
        ("stage", {"version": 999}),
        ("result", {"hand": {"7": "one"}}),
        ("ledgerrow", {"payload": {"play": []}}),
        ("ledgerrow", {"payload": {"play": {"x": {}}}}),
        ("ledgerrow", {"digest": "x" * 65}),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(f"{k} {v!r:.30}" for k, v in value.items()),
)  # fmt: skip
def test_values_that_cannot_be_there(files: Files, kind: str, values: dict[str, Any]) -> None:
    assert refused(changed(files, kind, **values)).code in {"wrong_value", "no_json"}


def test_other_fields_than_the_schema_has(files: Files) -> None:
    assert refused(changed(files, "entry", more=1)).code == "wrong_fields"
    rows = [{"uid": row["uid"]} for row in rows_in(files, "entry")]
    assert refused(sealed(with_rows(files, "entry", rows))).code == "wrong_fields"
    assert refused(sealed(with_rows(files, "entry", [1, 2]))).code == "wrong_fields"
    assert refused(sealed({**files, "rows/entry.jsonl": b"\xff\xfe\n"})).code == "no_json"
    assert refused(sealed({**files, "rows/entry.jsonl": b'{"uid": NaN}\n'})).code == "no_json"


def test_a_row_that_names_another_which_is_not_there(files: Files) -> None:
    assert refused(changed(files, "seat", entry=str(uuid4()))).code == "unknown_ref"
    assert refused(sealed(with_rows(files, "user", []))).code == "unknown_ref"


def test_a_row_that_comes_twice(files: Files) -> None:
    rows = rows_in(files, "entry")
    assert refused(sealed(with_rows(files, "entry", [*rows, rows[0]]))).where == "rows/entry.jsonl:4 uid"


def test_another_number_of_events(files: Files) -> None:
    rows = rows_in(files, "tournament")
    assert refused(sealed(with_rows(files, "tournament", []))).code == "wrong_count"
    other = {**rows[0], "uid": str(uuid4()), "slug": "other"}
    assert refused(sealed(with_rows(files, "tournament", [*rows, other]))).code == "wrong_value"


def test_rules_that_are_not_known_here(files: Files) -> None:
    assert refused(changed(files, "tournament", ruleset_revision="1999")).code == "unknown_ruleset"
    assert refused(changed(files, "tournament", ruleset="canasta")).code == "unknown_ruleset"


# Rows that do not agree with the ledger


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("result", {"hand": {"wild4": 1}}),
        ("play", {"number": 2}),
        ("play", {"version": 1}),
        ("seat", {"position": 9}),
        ("entry", {"start_number": 77}),
        ("entry", {"state": "checked_in"}),
        ("tournament", {"version": 1}),
        ("tournament", {"ledger_head": "0" * 64}),
        ("ledgerrow", {"action": "enter_players"}),
        ("ledgerrow", {"device": "another"}),
        ("ledgerrow", {"payload": {}}),
        ("ledgerrow", {"at": "2020-01-01T00:00:00+00:00"}),
        ("ledgerrow", {"sequence": 99}),
    ],
    ids=lambda value: value if isinstance(value, str) else str(value),
)
def test_facts_that_were_changed_beside_the_ledger(files: Files, kind: str, values: dict[str, Any]) -> None:
    # A stage's version may not lie behind the ledger's end either, which is found first.
    assert refused(changed(files, kind, **values)).code in {"not_verified", "wrong_value"}


def test_a_ledger_whose_end_was_cut_off(files: Files) -> None:
    rows = rows_in(files, "ledgerrow")[:-1]
    assert refused(sealed(with_rows(files, "ledgerrow", rows))).code == "not_verified"


def test_sheets_and_answers_that_say_something_else(files: Files) -> None:
    sheet, answer = "sheets/stage-1-table-1.json", "answers/stage-1-table-1.json"
    for name in (sheet, answer):
        data = json.loads(files[name]) | {"complete": True, "stopped": True}
        assert refused(sealed({**files, name: json.dumps(data).encode()})).code == "other_standings"
        left = {each: content for each, content in files.items() if each != name}
        assert refused(sealed(left)).code == "other_standings"
        more = name.replace("table-1", "table-2")
        assert refused(sealed({**files, more: files[name]})).code == "other_standings"


def test_an_answer_of_an_older_program_may_say_less(files: Files) -> None:
    name = "answers/stage-1-table-1.json"
    data = json.loads(files[name])
    del data["winners"]
    assert brought(sealed({**files, name: json.dumps(data).encode()})).slug


# Rows of others


def test_a_row_that_another_event_has(files: Files) -> None:
    other = event("mattel-108", players=1)
    first = rows_in(files, "entry")[0]["uid"]
    Entry.objects.filter(pk=other.entries[0].pk).update(uid=first)
    assert refused(packed(files)).code == "refused_by_database"


def test_a_player_of_another_organiser(files: Files) -> None:
    other = event("mattel-108", players=1)
    first = rows_in(files, "player")[0]["uid"]
    Player.objects.filter(pk=other.entries[0].player.pk).update(uid=first)
    assert refused(packed(files)).code == "player_elsewhere"


def test_a_row_of_another_event_in_the_ledgers_place(files: Files) -> None:
    """An archive may name only its own rows: the chain reveals a uid that was put in another's place."""
    other = event("mattel-108", players=1)
    for kind, stranger in (("entry", other.entries[0]), ("player", other.entries[0].player)):
        uids = rows_in(files, kind)[0]["uid"].encode(), str(stranger.uid).encode()
        text = {name: content.replace(*uids) for name, content in files.items()}
        assert refused(sealed(text)).code == "not_verified"


def test_only_staff_bring_an_event(files: Files) -> None:
    for user in (UserFactory(), StaffFactory(is_active=False)):
        with pytest.raises(Forbidden) as refusal:
            brought(packed(files), by=user)
        assert refusal.value.faults[0].parameters == {"action": "import_event"}
    assert brought(packed(files), by=StaffFactory()).slug


@pytest.mark.hypothesis  # changes of chance: `make properties` tries all of them
@pytest.mark.parametrize("seed", range(deep(60)))
def test_any_value_in_any_place_is_refused_or_harmless(files: Files, seed: int) -> None:
    """Any value written into one field is refused with a word, or gives an event that verifies."""
    chance = random.Random(seed)
    kind = chance.choice([kind for kind in KINDS if rows_in(files, kind)])
    field = chance.choice(list(KINDS[kind]))
    values: list[Any] = [
        None,
        True,
        -1,
        0,
        1,
        2**31,
        2**63 - 1,
        "",
        "x",
        "ä" * 600,
        [],
        {},
        [[]],
        {"a": [1]},
        str(uuid4()),
    ]
    refusal = tried(changed(files, kind, **{field: chance.choice(values)}))
    assert (refusal is None) == Tournament.objects.exists()
    if refusal is None:
        pages_open(Tournament.objects.get())


def pages_open(event: Tournament) -> None:
    """Check that every page that shows much of an event can show this one."""
    client = Client()
    client.force_login(User.objects.create_superuser("looks-on"))
    pages = ["/en/", "/en/desk/", f"/en/organise/t/{event.slug}/", f"/en/t/{event.slug}/"]
    pages += [f"/en/organise/t/{event.slug}/{page}/" for page in ("ledger", "players", "roles", "programme")]
    pages += [f"/en/t/{event.slug}/stage/{stage.uid}/" for stage in event.stages.all()]
    pages += [f"/en/t/{event.slug}/player/{entry.uid}/" for entry in event.entries.all()]
    assert {page: client.get(page, follow=True).status_code for page in pages} == dict.fromkeys(pages, 200)


def test_an_event_that_its_own_ledger_calls_so_must_be_one_that_can_be_played(files: Files) -> None:
    """The ledger has no secret, so that anybody can make one that agrees with itself."""
    play = rows_in(files, "play")[0]
    held = next(row for row in rows_in(files, "result") if row["hand"])
    forged: list[tuple[str, str, dict[str, Any], str]] = [
        ("play", play["uid"], {"state": "set_aside"}, "state_altered"),
        ("result", held["uid"], {"hand": {"7": 99}}, ""),
    ]
    for kind, uid, values, found in forged:
        refusal = refused(rewritten(files, kind, uid, values))
        assert refusal.code == "not_verified"
        assert str(refusal.parameters["detail"]).startswith(found)


def rewritten(files: Files, kind: str, uid: str, values: dict[str, Any]) -> bytes:
    """Rewrite the archive as if this row had always been so, in the ledger too, whose digests follow."""
    rows = [row | values if row["uid"] == uid else row for row in rows_in(files, kind)]
    ledger = rows_in(files, "ledgerrow")
    previous = ""
    for row in ledger:
        for play, facts in row["payload"].get("play", {}).items():
            for each in [facts] if kind == "play" and play == uid else facts["results"]:
                if each is facts or each["uid"] == uid:
                    each.update(values)
        covered = row | {"previous": previous}
        for kept in ("uid", "digest"):
            del covered[kept]
        at = datetime.fromisoformat(row["at"]).astimezone(UTC)
        row["previous"] = previous
        row["digest"] = previous = digest(covered | {"at": at.isoformat(timespec="microseconds")})
    (event_,) = rows_in(files, "tournament")
    files = with_rows(files, kind, rows)
    files = with_rows(files, "ledgerrow", ledger)
    return sealed(with_rows(files, "tournament", [event_ | {"ledger_head": previous}]))


def test_a_database_that_is_away_is_not_the_archives_fault(
    files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_said: Any) -> None:
        raise OperationalError("server closed the connection")

    monkeypatch.setattr(archives, "_store", away)
    with pytest.raises(OperationalError):
        brought(packed(files))
    assert not Tournament.objects.exists()


# Rules that a row must keep, whatever its ledger says

UID = str(uuid4())
EVENT = Tournament(
    ruleset="tite-2022",
    ruleset_revision=RULESETS["tite-2022"].revision,
    name="Spring",
    slug="spring",
    starts_on=date(2026, 5, 9),
    version=9,
)
ROWS: dict[str, PublicModel] = {
    "tournament": EVENT,
    "stage": Stage(
        tournament=EVENT, number=1, kind="final", state="running", settings={"target": 300}, version=9
    ),
    "invite": Invite(tournament=EVENT, role="table_referee", tables=[UID], expires_at=datetime.now(UTC)),
    "screen": Screen(tournament=EVENT, name="Hall", scenes=["welcome", "seats"], seconds=12),
    "announcement": Announcement(tournament=EVENT, words={"en": "Food"}, at=datetime.now(UTC)),
    "proposal": Proposal(number=1, play=uuid4(), fields={"ended": "time"}, at=datetime.now(UTC)),
    "result": Result(outcome="holds", hand={"7": 1, "8": 2}),
    "ledgerrow": LedgerRow(
        sequence=1,
        at=datetime.now(UTC),
        command=uuid4(),
        action="tick",
        payload={"play": {UID: {}, str(uuid4()): None}},
        content="x",
        digest="y",
    ),
}


def keeps(kind: str, values: dict[str, Any]) -> bool:
    """Whether the row of that kind may have these values."""
    row = copy(ROWS[kind])
    for name, value in values.items():
        setattr(row, name, value)
    try:
        check_imported(row, "there", None if kind == "tournament" else EVENT)
    except NotImported as refusal:
        return (refusal.code, refusal.where.split()[0]) != ("wrong_value", "there")
    return True


@pytest.mark.parametrize(
    ("kind", "name", "right", "wrong"),
    [
        ("tournament", "time_zone", ["Europe/Helsinki"], ["Mars/Olympus"]),
        ("tournament", "name", ["x" * 100], ["", "x" * 999]),
        ("stage", "version", [0, 9], [10]),
        ("stage", "frozen_after", [None, 1, 9], [0, 10]),
        ("stage", "settings", [{"target": 250}], [{}, {"target": 1}, {"unheard": 1}]),
        ("stage", "card_texts", [[], ["x" * 100] * 3], [[""] * 4, ["x", "x" * 101], ["x", 7], ["x", ["a"]]]),
        *(
            (
                "stage",
                name,
                [{}, {"minutes": 0}, {"minutes": 999_999, "tables": 2}],
                [{"minutes": 10**6}, {"minutes": -1}, {"minutes": 30, "tables": 1.5}, {"players": True}],
            )
            for name in ("plan", "first_plan")
        ),
        (
            "stage",
            "plan",
            [{"starts_at": "2026-05-09T12:00:00+00:00"}],
            [{"starts_at": "2026-05-09T14:00:00+02:00"}, {"minutes": 30, "more": 1}, {"minutes": None}],
        ),
        (
            "stage",
            "source",
            [{}, {"parts": [{"stage": 1, "take": "first", "count": 2}], "division": "Juniors"}],
            [[], {"from": 1}, {"parts": {}}, {"parts": [{"stage": 1}]}, {"lives": 0}, {"division": 13}],
        ),
        ("invite", "tables", [[]], [[UID.upper()], [UID, "x"], [UID, 7]]),
        ("screen", "scenes", [["clock"]], [[], ["welcome", "weather"]]),
        ("screen", "seconds", [5, 120], [4, 121]),
        (
            "announcement",
            "words",
            [{}, {"en": "Food", "fi": "x" * 200}],
            [{"de": "Essen"}, {"en": ""}, {"en": " Food"}, {"en": "x" * 201}, {"en": 7}, {"en": None}],
        ),
        ("proposal", "fields", [{}], [{"ended": ""}, {"ended": "time", "Aino": "1"}, [], "ended"]),
        ("result", "hand", [{}], [{"7": True}, {"7": 1, "8": "one"}, []]),
        (
            "ledgerrow",
            "payload",
            [{}, {"play": {}}],
            [{"play": {UID: {}, "x": {}}}, {"play": {UID.upper(): {}}}, {"play": {UID: []}}, {"play": []}],
        ),
    ],
)
def test_a_row_keeps_the_rules_of_whoever_writes_such_rows(
    kind: str, name: str, right: list[Any], wrong: list[Any]
) -> None:
    assert keeps(kind, {})
    assert [value for value in right if not keeps(kind, {name: value})] == []
    assert [value for value in wrong if keeps(kind, {name: value})] == []


def test_a_planned_stage_may_lack_what_is_chosen_later() -> None:
    assert keeps("stage", {"state": "planned", "settings": {}})
    assert not keeps("stage", {"state": "planned", "settings": {"target": 1}})


def test_the_field_is_named_that_no_row_may_hold() -> None:
    with pytest.raises(NotImported) as refusal:
        check_imported(Screen(name="", scenes=["welcome"]), "rows/screen.jsonl:1", EVENT)
    assert refusal.value.where == "rows/screen.jsonl:1 name"


@pytest.mark.parametrize(
    ("now", "then", "same", "with_more"),
    [
        ({"a": 1}, {"a": 1}, True, True),
        ({"a": 1, "b": 2}, {"a": 1}, False, True),
        ({"a": 1}, {"a": 1, "b": 2}, False, False),
        ({"a": 1}, {"a": 2}, False, False),
        ({"a": 1, "b": 2}, {"a": 1, "b": 3}, False, False),
        ([{"a": 1, "b": 2}], [{"a": 1}], False, True),
        ([1, 2], [1, 2], True, True),
        ([1, 2], [1, 3], False, False),
        ([1, 2], [1], False, False),
        ([1], [1, 2], False, False),
        (1, True, False, False),
        (1, 1.0, False, False),
        ([], {}, False, False),
        (None, None, True, True),
    ],
    ids=repr,
)
def test_a_later_program_may_say_more_and_nothing_else(
    now: Any, then: Any, same: bool, with_more: bool
) -> None:
    assert prepared._says(now, then, more=False) is same
    assert prepared._says(now, then, more=True) is with_more


def test_of_what_somebody_may_need_to_know_one_line_is_told() -> None:
    assert [prepared.line(said) for said in ("one\ntwo", "x" * 300, "")] == ["one", "x" * 200, ""]


def test_a_sheet_says_all_that_it_says_here(files: Files) -> None:
    """A sheet is what was played: unlike an answer it does not grow with the program."""
    name = "sheets/stage-1-table-1.json"
    data = json.loads(files[name])
    data.popitem()
    refusal = refused(sealed({**files, name: json.dumps(data).encode()}))
    assert (refusal.code, refusal.where) == ("other_standings", name)


def test_the_first_sheet_is_named_that_nobody_played(files: Files) -> None:
    more = {f"sheets/stage-1-table-{number}.json": b"{}" for number in (7, 5)}
    refusal = refused(sealed({**files, **more}))
    assert (refusal.code, refusal.where) == ("other_standings", "sheets/stage-1-table-5.json")


def test_a_name_is_cut_to_what_a_user_may_have(files: Files) -> None:
    brought(changed(files, "user", name="x" * 200))
    assert User.objects.get(first_name__startswith="x").first_name == "x" * 150


def test_the_first_thing_that_is_wrong_with_the_ledger_is_told(files: Files) -> None:
    refusal = refused(changed(files, "ledgerrow", device="another"))
    assert str(refusal.parameters["detail"]).startswith("chain_broken ledger row 1")


def test_a_sheet_may_be_some_longer_than_it_is_written_here(
    files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prepared, "SLACK", 10)
    for name in ("sheets/stage-1-table-1.json", "answers/stage-1-table-1.json"):
        most = files[name] + b" " * (2 * len(files[name]) + 10)
        assert refused(sealed({**files, name: most + b" "})).code == "too_large"
        files[name] = most
    assert brought(sealed(files)).slug
