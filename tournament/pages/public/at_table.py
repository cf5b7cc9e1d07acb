"""Page behind a table's code: open results, answered proposal, last plays."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone

from rulesets import Ruleset
from scoring import cards_available
from tournament.ledger.past import last_rows
from tournament.models import LedgerRow, Proposal
from tournament.pages.components import Clock, card_pad
from tournament.pages.desk.table import Looked, PlayLine, Scene, looked_at, play_lines
from tournament.queries.incidents import BY_PLAYERS
from tournament.results import PlayFacts

LAST = 3  # plays on the page
ANSWERS = {Proposal.State.ACCEPTED: "accept_proposal", Proposal.State.DECLINED: "decline_proposal"}


@dataclass(frozen=True, slots=True)
class Asked:
    """Play awaiting a second look. `may`: accept or contest it; `may_take_back`: the contest."""

    looked: Looked
    may: bool
    may_take_back: bool = False
    contested_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Answered:
    """Referee's answer to a proposed result."""

    label: str
    accepted: bool
    by: str
    at: datetime
    reason: str


def asked_at(scene: Scene) -> list[Asked]:
    """The table's plays awaiting a second look, with what players may do."""
    now = timezone.now()
    looked = looked_at([scene])
    rows = last_rows(scene.stage.tournament_id, [each.play for each in looked if each.contested])
    return [_asked(each, rows.get(each.play.uid), bool(each.until and each.until > now)) for each in looked]


def _asked(looked: Looked, row: LedgerRow | None, in_time: bool) -> Asked:
    if not looked.contested:
        return Asked(looked, in_time)
    mine = row is not None and row.action == BY_PLAYERS
    return Asked(looked, may=False, may_take_back=mine and in_time, contested_at=row.at if row else None)


def answered_at(scene: Scene) -> Answered | None:
    """Answer to the last proposed result; None if open or withdrawn."""
    last = Proposal.objects.filter(table=scene.table).order_by("-at", "-pk").first()
    if last is None or last.state not in ANSWERS:
        return None
    row = (
        LedgerRow.objects.filter(
            tournament=scene.tournament,
            action=ANSWERS[Proposal.State(last.state)],
            payload__proposal__has_key=str(last.uid),
        )
        .select_related("actor", "note")
        .order_by("-sequence")
        .first()
    )
    if row is None:
        return None
    note = getattr(row, "note", None)
    return Answered(
        label=scene.label(PlayFacts(last.play, scene.table.uid, last.number, "entered")),
        accepted=last.state == Proposal.State.ACCEPTED,
        by=row.actor.display_name(),
        at=row.at,
        reason=note.text if note else "",
    )


def last_plays(scene: Scene) -> Sequence[PlayLine]:
    """The table's last LAST plays."""
    return play_lines(scene)[:LAST]


def by_the_clock(
    players: Sequence[tuple[str, str]], ruleset: Ruleset, *, decks: int | None
) -> dict[str, Any]:
    """Clock, and hands from one deck, for a game timed on the device; players as (id, name)."""
    return {
        "ruleset": ruleset.id,
        "decks": decks,
        "per_deck": ruleset.players_per_deck,
        "clock": Clock(elapsed_s=0, state="waiting", limit_s=ruleset.hour_s),
        "hands": card_pad(players, ruleset=ruleset, copies=cards_available(ruleset, 1), by_number=True),
    }
