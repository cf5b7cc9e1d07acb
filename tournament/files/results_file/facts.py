"""Facts beyond the standings: walk-ins, corrections, fees; in public as of the freeze."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from tournament.files.workbook.event import Event, LedgerLine
from tournament.models import Entry, LedgerRow, Tournament
from tournament.queries.questions import Question, questions_of

CORRECTIONS = ("correct_game", "correct_round", "correct_heat")
WALK_INS = ("walk_in", "join_game")  # may enter a walk-in
_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")


@dataclass(frozen=True, slots=True)
class Extras:
    """Facts for the file. `organiser`: name; `walk_ins`: entry uids; `corrections`: count. For organisers also
    `entered` (last ledger line by play) and `real_names` by entry uid."""

    organiser: str
    walk_ins: frozenset[str]
    corrections: int
    entered: Mapping[UUID, LedgerLine]
    real_names: Mapping[str, str]
    questions: Sequence[Question]


def read_extras(event: Event) -> Extras:
    """Read the extras at the version of `event`."""
    tournament = event.tournament
    rows = LedgerRow.objects.filter(tournament__uid=tournament.uid, sequence__lte=tournament.version)
    seen = rows if event.frozen_at is None else rows.filter(at__lte=event.frozen_at)
    organiser = Tournament.objects.filter(uid=tournament.uid).values_list("organiser__name", flat=True)
    private = event.ledger is not None
    names = Entry.objects.filter(tournament__uid=tournament.uid).values_list("uid", "player__name")
    return Extras(
        organiser=organiser.first() or "",
        walk_ins=frozenset(
            uid
            for payload in rows.filter(action__in=WALK_INS).values_list("payload", flat=True)
            for uid in payload.get("entry", ())
        ),
        corrections=seen.filter(action__in=CORRECTIONS).count(),
        entered=_entered(event),
        real_names={str(uid): name for uid, name in names} if private else {},
        questions=questions_of(tournament) if private else (),
    )


def _entered(event: Event) -> dict[UUID, LedgerLine]:
    """Last ledger line of each play; {} in public."""
    if event.ledger is None:
        return {}
    lines = {line.sequence: line for line in event.ledger}
    return {uid: lines[row] for uid, row in event.entry_rows.items()}


def fees_text(fee: str, players: int) -> str:
    """`fee` times `players` in the organiser's notation ("5 €": "125 €"); "" unless it holds exactly one number."""
    numbers = _NUMBER.findall(fee)
    if len(numbers) != 1:
        return ""
    total = f"{float(numbers[0].replace(',', '.')) * players:.2f}".removesuffix(".00")
    return fee.replace(numbers[0], total.replace(".", "," if "," in numbers[0] else "."))
