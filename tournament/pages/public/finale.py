"""Winners and podium of a contest, once it is over and public.

| public view | finale |
| --- | --- |
| match over, session of a finished stage | winners |
| the same, but a result awaits a second person, or frozen | none |
| frozen, every place revealed | winners |
| no winner, or heats | none |
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from tournament.models import Stage
from tournament.pages.components import StandingsRow
from tournament.pages.public.standings import Leader, Person, named
from tournament.queries.second_look import waiting_in
from tournament.queries.visible import Shown
from tournament.results import ContestResults
from tournament.words.kinds import KINDS

LAST_PLACE = 3  # of a podium
MOST = 5  # names on it


@dataclass(frozen=True, slots=True, kw_only=True)
class Finale:
    """End of a contest. `winners`: entry uids; `first`: podium, `more` beyond MOST; `podium`: picture URL, "" for one
    of several tables; `key`: unique."""

    key: str
    title: str
    winners: Sequence[str]
    leader: Leader
    first: Sequence[StandingsRow]
    more: int
    podium: str


def finale_of(seen: Shown, contests: Sequence[ContestResults]) -> Finale | None:
    """Finale of a single contest, `announced` or of one table; None unless it is over and won."""
    if len(contests) != 1:
        return None
    (results,) = contests
    answer, stage = results.answer, seen.stage
    over = results.complete or stage.state == Stage.State.FINISHED
    if not over or not answer.winners or not answer.rounds or waiting_in([results.contest]):
        return None
    kind, alone = KINDS[answer.kind], len(seen.contests) == 1
    won = next(row for row in answer.standings if row.player in answer.winners)
    rows = [
        StandingsRow(key=row.player, place=row.place, name=results.names[row.player], value=kind.value(row))
        for row in answer.standings
        if row.player in answer.winners or (row.place or LAST_PLACE + 1) <= LAST_PLACE
    ]
    return Finale(
        key=str(stage.uid) if alone else f"{stage.uid}-{results.table_number}",
        title=str(stage),
        winners=answer.winners,
        leader=Leader(
            label=_("Winner") if len(answer.winners) == 1 else _("Winners"),
            names=named(answer.winners, {row.key: Person(name=row.name) for row in rows}),
            value=kind.value(won),
            unit=kind.worth(won),
        ),
        first=rows[:MOST],
        more=len(rows[MOST:]),
        podium=reverse("stage-podium", args=[stage.tournament.slug, stage.uid]) if alone else "",
    )
