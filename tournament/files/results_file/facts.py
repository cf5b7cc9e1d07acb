"""Facts beyond the standings, in public as of the freeze."""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any
from uuid import UUID

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from rulesets import ByKind
from scoring import averages_so_far, totals_so_far
from tournament.files.workbook.event import Event, LedgerLine
from tournament.ledger.past import CHANGES, ENTRIES, entry_rows
from tournament.models import Entry, LedgerRow, Tournament
from tournament.queries.registration import Question, questions_of
from tournament.results import ContestResults, PlayFacts

CORRECTIONS = ("correct_game", "correct_round", "correct_heat")
WALK_INS = ("walk_in", "join_game")  # may enter a walk-in
_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")


@dataclass(frozen=True, slots=True)
class Extras:
    """`organiser`: name; `walk_ins`: entry uids; `corrections`: count; `first`: the row that entered each play. For
    organisers also `changed`, its later change, `before`, the play before that, and `real_names`."""

    organiser: str
    walk_ins: frozenset[str]
    corrections: int
    first: Mapping[UUID, LedgerRow]
    changed: Mapping[UUID, LedgerLine]
    before: Mapping[UUID, PlayFacts]
    real_names: Mapping[str, str]
    questions: Sequence[Question]


def read_extras(event: Event) -> Extras:
    """Read the extras at the version of `event`."""
    tournament = event.tournament
    rows = LedgerRow.objects.filter(tournament__uid=tournament.uid, sequence__lte=tournament.version)
    seen = rows if event.frozen_at is None else rows.filter(at__lte=event.frozen_at)
    organiser = Tournament.objects.filter(uid=tournament.uid).values_list("organiser__name", flat=True)
    private = event.ledger is not None
    lines = {line.sequence: line for line in event.ledger or ()}
    plays = [play for read in event.stages for each in read.results for play in each.contest.plays]
    changed = {uid: lines[row] for uid, row in event.entry_rows.items() if lines[row].action in CHANGES}
    writing = rows.filter(payload__play__has_any_keys=[*map(str, changed)]) if changed else rows.none()
    names = Entry.objects.filter(tournament__uid=tournament.uid).values_list("uid", "player__name")
    return Extras(
        organiser=organiser.first() or "",
        walk_ins=frozenset(
            uid
            for payload in rows.filter(action__in=WALK_INS).values_list("payload", flat=True)
            for uid in payload.get("entry", ())
        ),
        corrections=seen.filter(action__in=CORRECTIONS).count(),
        first=entry_rows(((tournament.pk, play.uid, play.version) for play in plays), ENTRIES - CHANGES),
        changed=changed,
        before={
            uid: PlayFacts.from_json(text, facts)
            for sequence, plays in writing.order_by("sequence").values_list("sequence", "payload__play")
            for text, facts in plays.items()
            for uid in [UUID(text)]
            if uid in changed and sequence < changed[uid].sequence
        },
        real_names={str(uid): name for uid, name in names} if private else {},
        questions=questions_of(tournament) if event.answers else (),
    )


def happened(event: Event) -> set[str]:
    """Codes that choose rulings."""
    found: set[str] = set()
    for contest in (each for read in event.stages for each in read.results):
        answer, lines, facts = contest.answer, contest.answer.standings, contest.contest
        found |= {answer.kind, *(line.status for line in lines)}
        for play in facts.plays:
            found |= {play.state, play.ended, *(row.outcome for row in play.results)}
        places = Counter(("level", line.place) for line in lines if line.earned)
        for play, scored in contest.counted:
            outcomes = {str(row.entry): row.outcome for row in play.results}
            places |= Counter(
                (f"level {outcomes[row.player]}", row.place) for row in scored.results if row.place
            )
        ranked = [line for line in lines if line.status == "ranked"]
        found |= {code for (code, _place), players in places.items() if players > 1}
        found |= {"out afterwards" for line in ranked if event.entries[line.player].is_out}
        ends = {"stopped": facts.stopped, "alone": answer.complete and len(ranked) == 1}
        found |= {code for code, is_so in ends.items() if is_so}
    return found


def fee_amount(fee: str) -> tuple[int | Fraction | None, str]:
    """The fee's number and what stands around it ("4,50 €": 9/2, "€"); None unless there is exactly one."""
    numbers = _NUMBER.findall(fee)
    if len(numbers) != 1:
        return None, ""
    return exact(Fraction(numbers[0].replace(",", "."))), fee.replace(numbers[0], "").strip()


def fees_text(fee: str, players: int) -> str:
    """`fee` times `players` in the organiser's notation; "" where `fee_amount` is None."""
    amount, _unit = fee_amount(fee)
    if amount is None:
        return ""
    total = f"{float(amount * players):.2f}".removesuffix(".00")
    number = _NUMBER.findall(fee)[0]
    return fee.replace(number, total.replace(".", "," if "," in number else "."))


# ---- Numbers and chart lines per kind of contest ----

Numbers = tuple[int | Fraction | None, ...]
Courses = Mapping[str, Sequence[int | Fraction]]
Text = str | Promise


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind's texts and numbers. `plays`: what plays are called; `headings` of a player's `numbers`, the deciding one
    first; `course`: totals or averages by player."""

    plays: Text
    headings: Sequence[Text] = ()
    numbers: Callable[[ContestResults], Mapping[str, Numbers]] = lambda _results: {}
    course: Callable[[Any, Sequence[str]], Courses] = lambda _answer, _players: {}


def _played(results: ContestResults) -> dict[str, tuple[int, int]]:
    found = {line.player: (0, 0) for line in results.answer.lines}
    for _play, answer in results.counted:
        for row in answer.results:
            won, played = found.get(row.player, (0, 0))
            found[row.player] = won + (row.place == 1), played + (row.points is not None)
    return found


def _session(results: ContestResults) -> dict[str, Numbers]:
    answer: Any = results.answer
    played = _played(results)
    return {line.player: (line.average, played[line.player][0], line.games) for line in answer.standings}


def _match(results: ContestResults) -> dict[str, Numbers]:
    answer: Any = results.answer
    played = _played(results)
    return {line.player: (line.points, line.rounds_won, played[line.player][1]) for line in answer.standings}


def _race(results: ContestResults) -> dict[str, Numbers]:
    """Averages and cards only where they decide."""
    answer: Any = results.answer
    ranks = results.sheet.data["settings"].get("rank", ["average"])
    return {
        line.player: (
            line.average if "average" in ranks else None,
            None if line.points is None else exact(line.points),
            line.wins,
            line.cards if "cards" in ranks else None,
            line.games,
        )
        for line in answer.standings
    }


def exact(points: int | Fraction) -> int | Fraction:
    """Whole points as a number without decimals."""
    return int(points) if points.denominator == 1 else points


KINDS: ByKind[Kind] = ByKind(
    "files/results_file/facts.py",
    {
        "session": Kind(_("Games"), (_("Average"), _("Games won"), _("Games")), _session, averages_so_far),
        "match": Kind(_("Rounds"), (_("Points"), _("Rounds won"), _("Rounds")), _match, totals_so_far),
        "heats": Kind(_("Heats")),
        "race": Kind(
            _("Games"),
            (_("Average"), _("Points"), _("Games won"), _("Cards left"), _("Games")),
            _race,
            lambda answer, players: (averages_so_far if answer.decided_by == "average" else totals_so_far)(
                answer, players
            ),
        ),
    },
)
