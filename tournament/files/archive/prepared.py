"""Unsaved model rows of an archive, validated like the actions' own writes and verified against the ledger before the
import's transaction."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db.models import JSONField

from rulesets import RULESETS
from scoring import SheetInvalid
from tournament.files.archive.reading import Archive
from tournament.files.archive.schema import ANSWERS, KINDS, MODELS, rows_file
from tournament.files.archive.stored import Played, bytes_of, contest_values
from tournament.files.archive.words import NotImported
from tournament.ledger.past import Facts, contests_in
from tournament.ledger.verify import BROKEN, compared
from tournament.models import (
    GUEST,
    LEDGER_KINDS,
    LONGEST_CARD_TEXT,
    MOST_CARD_TEXTS,
    OWN_LINK,
    Announcement,
    HallClock,
    Invite,
    LedgerRow,
    Logo,
    Proposal,
    PublicModel,
    Result,
    Screen,
    Stage,
    Tournament,
    User,
)
from tournament.models.announcement import LONGEST as LONGEST_WORDS
from tournament.models.hall_clock import MOST_EXTRA
from tournament.models.screen import LONGEST, SHORTEST
from tournament.queries.programme import COUNTS, Plan
from tournament.results import (
    PlayFacts,
    Refused,
    ResultFacts,
    check_settings,
    facts_of,
    grouped,
    scored,
    sound_fields,
    values_of,
)
from tournament.server.pictures import is_stored
from tournament.words.text import clean
from tournament.words.zones import ZONES

# A sheet or answer in an archive may be longer than ours: whitespace, escapes.
LONGER, SLACK = 3, 100_000  # factor, bytes
SINGLE = frozenset({"organiser", "tournament"})  # exactly one row each


@dataclass(slots=True)
class Prepared:
    """Unsaved rows by kind and uid in insertion order; references are objects without primary keys."""

    tournament: Tournament
    rows: dict[str, dict[UUID, Any]] = field(default_factory=dict)


def prepared(archive: Archive) -> Prepared:
    """Read and verify all rows. Raises NotImported for invalid rows, a disagreeing ledger, or different standings."""
    event = _read(archive)
    try:
        _verify(archive, event)
    except (Refused, SheetInvalid, *BROKEN) as error:
        raise NotImported("not_verified", detail=line(error)) from error
    return event


def line(said: object) -> str:
    """First line of a message, at most 200 characters."""
    return (str(said).splitlines() or [""])[0][:200]


def _read(archive: Archive) -> Prepared:
    found: dict[str, dict[UUID, Any]] = {}
    tournament: Tournament | None = None
    for kind in KINDS:
        rows = found[kind] = {}
        for where, row in _users(archive) if kind == "user" else _rows(archive, kind, found, tournament):
            if row.uid in rows or (kind == "tournament" and row.uid != archive.manifest.event):
                raise NotImported("wrong_value", f"{where} uid")
            rows[row.uid] = row
        if kind in SINGLE and len(rows) != 1:
            raise NotImported("wrong_count", rows_file(kind))
        if kind == "tournament":
            tournament = rows[archive.manifest.event]
    assert tournament is not None
    if bool(tournament.logo) != bool(found["logo"]):
        raise NotImported("wrong_count", rows_file("logo"))
    return Prepared(tournament, found)


def _rows(
    archive: Archive, kind: str, found: Mapping[str, Mapping[UUID, Any]], tournament: Tournament | None
) -> Iterator[tuple[str, PublicModel]]:
    model, fields = MODELS[kind], KINDS[kind]
    refs = [(name, each.of) for name, each in fields.items() if each.type == "ref"]
    for where, values in archive.rows(kind):
        for name, of in refs:
            if values[name] is not None:
                values[name] = found[of].get(values[name])
                if values[name] is None:
                    raise NotImported("unknown_ref", f"{where} {name}")
        row = model(**values)
        check_imported(row, where, tournament)
        yield where, row


def _users(archive: Archive) -> Iterator[tuple[str, User]]:
    for where, row in archive.rows("user"):
        # Cannot be chosen at sign-up; separates guests from account holders.
        username = f"{OWN_LINK}:{row['uid']}" if row["own_link"] else f"{GUEST}{row['uid'].hex}"
        user = User(uid=row["uid"], username=username, first_name=row["name"][:150], is_active=False)
        user.set_unusable_password()
        yield where, user


def _verify(archive: Archive, event: Prepared) -> None:
    facts = _facts(event)
    versions = {str(uid): row.version for uid, row in event.rows["play"].items()}
    if findings := compared(event.tournament, list(event.rows["ledgerrow"].values()), facts, versions)[1]:
        raise NotImported("not_verified", detail=line(findings[0]))
    names = {uid: row.public_name for uid, row in event.rows["entry"].items()}
    left = set(archive.contests())
    for name, value in contest_values(_played(event, facts, versions), names):
        if name not in left:
            raise NotImported("other_standings", name)
        said = archive.json(name, LONGER * len(bytes_of(value, indent=1)) + SLACK)
        if not _says(value, said, more=name.startswith(ANSWERS)):
            raise NotImported("other_standings", name)
        left.discard(name)
    if left:
        raise NotImported("other_standings", min(left))


def _facts(event: Prepared) -> Facts:
    results = grouped(
        (row.play.uid, ResultFacts(row.uid, **values_of(row))) for row in event.rows["result"].values()
    )
    facts = {
        kind: {str(uid): facts_of(row) for uid, row in event.rows[kind].items()}
        for kind in LEDGER_KINDS
        if kind != "play"
    }
    for uid, row in event.rows["play"].items():
        facts.setdefault("play", {})[str(uid)] = PlayFacts(
            uid, results=tuple(results.get(uid, ())), **values_of(row)
        ).as_json()
    return facts


def _played(event: Prepared, facts: Facts, versions: Mapping[str, int]) -> Iterator[Played]:
    """Raises NotImported if rescoring changes a contest."""
    for stage in event.rows["stage"].values():
        for contest in contests_in(facts, str(stage.uid), versions):
            if stage.state != Stage.State.PLANNED:
                if scored(contest).contest is not contest:
                    raise NotImported("not_verified", detail=f"state_altered stage {stage.uid}")
                yield Played(stage.number, contest)


def _says(now: Any, then: Any, *, more: bool) -> bool:
    """Whether the archive's value agrees; `more` allows keys that later versions add to answers."""
    if isinstance(now, dict) and isinstance(then, dict):
        return (now.keys() >= then.keys() if more else now.keys() == then.keys()) and all(
            _says(now[key], then[key], more=more) for key in then
        )
    if isinstance(now, list) and isinstance(then, list):
        return len(now) == len(then) and all(_says(*pair, more=more) for pair in zip(now, then, strict=True))
    return type(now) is type(then) and bool(now == then)


def check_imported(row: PublicModel, where: str, tournament: Tournament | None) -> None:
    """Validate a row by its model's fields and CHECKS; raises NotImported with `where`. `tournament` is None for the
    tournament's own row."""
    exclude = {
        field.name
        for field in type(row)._meta.concrete_fields
        if field.is_relation or isinstance(field, JSONField) or getattr(row, field.attname) is None
    }
    try:
        row.clean_fields(exclude=exclude)
    except ValidationError as error:
        raise NotImported("wrong_value", f"{where} {next(iter(error.error_dict))}") from None
    try:
        if (check := CHECKS.get(type(row))) and not check(row, tournament):
            raise ValueError(where)
    except (Refused, LookupError, TypeError, ValueError, AttributeError, OverflowError):
        raise NotImported("wrong_value", where) from None


def _tournament(row: Tournament, _none: None) -> bool:
    ruleset = RULESETS.get(row.ruleset)
    if ruleset is None or ruleset.revision != row.ruleset_revision:
        raise NotImported("unknown_ruleset", ruleset=row.ruleset, revision=row.ruleset_revision)
    return row.time_zone in ZONES


def _logo(row: Logo, tournament: Tournament) -> bool:
    """Whether this is the event's logo, encoded as this server stores images."""
    content = bytes(row.content)
    return sha256(content).hexdigest() == tournament.logo and is_stored(content)


def _stage(row: Stage, tournament: Tournament) -> bool:
    check_settings(row, whole=row.state != Stage.State.PLANNED)
    texts = row.card_texts
    return (
        row.version <= tournament.version
        and (row.frozen_after is None or 1 <= row.frozen_after <= tournament.version)
        and len(texts) <= MOST_CARD_TEXTS
        and all(isinstance(text, str) and len(text) <= LONGEST_CARD_TEXT for text in texts)
        and all(map(_is_plan, (row.plan, row.first_plan)))
    )


def _is_plan(plan: Mapping[str, Any]) -> bool:
    return (
        all(type(plan[name]) is int and 0 <= plan[name] < 10**6 for name in COUNTS if name in plan)
        and Plan.of(plan).as_json() == plan
    )


def _invite(row: Invite, _tournament: Tournament) -> bool:
    return all(str(UUID(table)) == table for table in row.tables)


def _screen(row: Screen, _tournament: Tournament) -> bool:
    return (
        bool(row.scenes)
        and all(scene in Screen.Scene.values for scene in row.scenes)
        and SHORTEST <= row.seconds <= LONGEST
    )


def _announcement(row: Announcement, _tournament: Tournament) -> bool:
    return all(
        code in dict(settings.LANGUAGES) and 0 < len(text) <= LONGEST_WORDS and clean(text) == text
        for code, text in row.words.items()
    )


def _hall_clock(row: HallClock, _tournament: Tournament) -> bool:
    return all(
        number.isascii() and number.isdigit() and type(minutes) is int and 0 < minutes <= MOST_EXTRA
        for number, minutes in row.extra.items()
    )


def _proposal(row: Proposal, _tournament: Tournament) -> bool:
    return bool(sound_fields(row.fields) == row.fields)


def _result(row: Result, _tournament: Tournament) -> bool:
    return all(type(count) is int for count in row.hand.values())


def _ledger_row(row: LedgerRow, _tournament: Tournament) -> bool:
    return all(
        str(UUID(uid)) == uid and (facts is None or isinstance(facts, dict))
        for changed in row.payload.values()
        for uid, facts in changed.items()
    )


CHECKS: dict[type[PublicModel], Callable[[Any, Any], bool]] = {
    Tournament: _tournament,
    Logo: _logo,
    Stage: _stage,
    Invite: _invite,
    Screen: _screen,
    Announcement: _announcement,
    HallClock: _hall_clock,
    Proposal: _proposal,
    Result: _result,
    LedgerRow: _ledger_row,
}
