"""Make an event from a score sheet by composing actions, each in its own transaction."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any
from uuid import UUID, uuid5

from scoring import SheetInvalid, score
from tournament.actions.event.events import create_tournament
from tournament.actions.event.seats import seat_table
from tournament.actions.event.stages import finish_stage, plan_stage, start_stage
from tournament.actions.kernel import Command, refuse_if, refuse_more, writing
from tournament.actions.people.attendance import player_leaves, remove_player
from tournament.actions.people.players import enter_players
from tournament.actions.people.roles import guest
from tournament.actions.table.games import record_game
from tournament.actions.table.heats import record_heat
from tournament.actions.table.rounds import record_round, stop_match
from tournament.ledger.chain import content_digest
from tournament.ledger.purge import take_back
from tournament.models import Membership, Tournament, User
from tournament.permissions import is_limited
from tournament.results import ROWS, CommandReused, Fault, Forbidden, Refused, kind_of

MOST_ROWS = 60  # games, rounds or heats

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Founded:
    """The founded event and the user who runs it."""

    tournament: UUID
    user: User


@dataclass(slots=True)
class _Founding:
    """Ids derive from the event's, so a repeated call is idempotent."""

    event: UUID
    actor: User
    device: str
    sheet: Row
    content: str
    steps: Iterator[int] = field(default_factory=lambda: iter(range(10**6)))

    def uid(self, what: str) -> UUID:
        return uuid5(self.event, what)

    @property
    def tournament(self) -> UUID:
        return self.uid("tournament")

    def command(self, step: str = "") -> Command:
        """The content is the sheet alone."""
        return Command(
            self.uid(f"command {step or next(self.steps)}"), self.actor, self.device, self.content, part=True
        )

    def entry(self, player: str) -> UUID:
        return self.uid(f"player {player}")

    def entries(self, players: Sequence[str]) -> list[UUID]:
        return [self.entry(player) for player in players]


def found_event(
    event: UUID,
    sheet: Row,
    *,
    user: User | None,
    name: str,
    guest_name: str,
    starts_on: date,
    language: str,
    reason: str,
    device: str = "",
) -> Founded:
    """Make an unlisted event from a score sheet, finished if its match is over. `event` is the form's secret
    idempotency key; a retry resumes. A refusal deletes all that this call made. Without `user`, a guest `guest_name` is
    created. `reason` is noted for removed players. Refused `long_sheet`, `void_in_sheet`, and faults of scoring and
    actions."""
    rows = len(sheet.get(ROWS.get(str(sheet.get("kind")), ""), ()))
    refuse_if(rows > MOST_ROWS, Fault("long_sheet", "", {"rows": rows, "most": MOST_ROWS}))
    try:
        score(sheet)
    except SheetInvalid as invalid:
        raise Refused(*(Fault(e.code, e.path, e.parameters) for e in invalid.errors)) from None
    refuse_if(any(game.get("ended") == "void" for game in sheet.get("games", ())), Fault("void_in_sheet"))
    if user is None or is_limited(user):
        refuse_more({"guest_players": len(sheet["players"])})
    with writing():
        work = _Founding(event, user or guest(event, guest_name), device, sheet, content_digest(sheet))
        made = Tournament.objects.filter(uid=work.tournament).first()
        if made is None:
            _begin(work, name=name, starts_on=starts_on, language=language)
        elif not Membership.objects.filter(tournament=made, user=work.actor).exists():
            raise Forbidden("found_event")
    try:
        _enter(work, reason)
    except CommandReused:
        pass  # sent before with another sheet
    except Tournament.DoesNotExist:  # sent twice at once
        raise Forbidden("found_event") from None
    except Refused:
        if made is None:
            with writing():
                take_back(work.tournament, keep=user)
        raise
    return Founded(work.tournament, work.actor)


def _begin(work: _Founding, *, name: str, starts_on: date, language: str) -> None:
    create_tournament(
        work.command("create"),
        work.tournament,
        name=name,
        starts_on=starts_on,
        ruleset=work.sheet["ruleset"],
        organiser_name="" if is_limited(work.actor) else work.actor.display_name()[:100],
        language=language,
        listed=False,
    )
    enter_players(
        work.command("enter"),
        work.tournament,
        players=[
            {"entry": work.entry(player["id"]), "name": player["name"]} for player in work.sheet["players"]
        ],
    )


def _enter(work: _Founding, reason: str) -> None:
    sheet = work.sheet
    kind = str(sheet["kind"])
    stage = work.uid("stage")
    plan_stage(
        work.command(), work.tournament, stage=stage, kind=kind, settings=dict(sheet.get("settings", {}))
    )
    rows: Sequence[Row] = sheet[ROWS[kind]]
    tables = (
        [row["players"] for row in rows]
        if kind_of(kind).one_play
        else [[player["id"] for player in sheet["players"]]]
    )
    for number, seated in enumerate(tables, 1):
        seat_table(
            work.command(),
            work.tournament,
            stage=stage,
            table=work.uid(f"table {number}"),
            number=number,
            entries=work.entries(seated),
        )
    if tables:
        start_stage(work.command(), work.tournament, stage=stage)
    record = {"session": _record_game, "match": _record_round, "heats": _record_heat}[kind]
    for row in rows:
        record(work, row, reason)
    _leave(work, sheet, reason)
    if sheet.get("stopped") and not _over(sheet):
        stop_match(work.command(), work.tournament, table=work.uid("table 1"), reason=reason)
    if sheet.get("stopped") or _over(sheet):
        finish_stage(work.command("finish"), work.tournament, stage=stage)


def _record_game(work: _Founding, row: Row, _reason: str) -> None:
    record_game(
        work.command(),
        work.tournament,
        table=work.uid("table 1"),
        play=work.uid(f"play {row['number']}"),
        number=row["number"],
        ended=row["ended"],
        duration_s=row.get("duration_s"),
        decks=row.get("decks"),
        results=[
            {
                "entry": work.entry(result["player"]),
                "outcome": result["outcome"],
                "elapsed_s": result.get("elapsed_s"),
                "hand": result.get("hand", {}),
            }
            for result in row["results"]
        ],
    )


def _record_round(work: _Founding, row: Row, reason: str) -> None:
    if row.get("winner") is None:  # all others left: no round
        _leave(work, row, reason)
        return
    record_round(
        work.command(),
        work.tournament,
        table=work.uid("table 1"),
        play=work.uid(f"play {row['number']}"),
        number=row["number"],
        winner=work.entry(row["winner"]),
        hands={str(work.entry(player)): hand for player, hand in row.get("hands", {}).items()},
        last_cards=row.get("last_cards"),
        drew=work.entry(row["drew"]) if row.get("drew") else None,
        removed=work.entries(row.get("removed", ())),
        withdrawn=work.entries(row.get("withdrawn", ())),
        emptied=work.entries(row.get("emptied", ())),
    )


def _record_heat(work: _Founding, row: Row, _reason: str) -> None:
    record_heat(
        work.command(),
        work.tournament,
        table=work.uid(f"table {row['number']}"),
        play=work.uid(f"play {row['number']}"),
        number=1,
        finish_order=work.entries(row["finish_order"]),
        removed=work.entries(row.get("removed", ())),
        advance=row.get("advance"),
    )


def _leave(work: _Founding, part: Row, reason: str) -> None:
    for player in part.get("removed", ()):
        remove_player(work.command(), work.tournament, entry=work.entry(player), reason=reason)
    for player in part.get("withdrawn", ()):
        player_leaves(work.command(), work.tournament, entry=work.entry(player))


def _over(sheet: Row) -> bool:
    return bool(getattr(score({**sheet, "stopped": False}), "complete", False))
