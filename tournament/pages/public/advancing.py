"""The players who in the end go on from heats: by the seats of the stage after them, and by people's decisions.

Only for pages with the whole tournament's version, since the heats' own version does not rise for another stage.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tournament.models import Decision, Entry, Stage, Tournament
from tournament.pages.public.stage import StageBoard, everybody_in
from tournament.queries.visible import Shown, shown
from tournament.results.kinds import kind_of


@dataclass(frozen=True, slots=True)
class GoingOn:
    """The outcome of heats, as entries' uids as text: `through` play on, `gone` were sent by the heats and do not play
    on, `instead` came in by a decision. `stage` is the one after the heats."""

    stage: Stage
    through: Sequence[str]
    gone: Sequence[str]
    instead: Sequence[str]


def goes_on(heats: Shown, stages: Sequence[Stage]) -> GoingOn | None:
    """The players who go on from these heats; None for any other stage, and if no stage follows that they lead to.
    `stages` are the tournament's in their order."""
    at = next(index for index, stage in enumerate(stages) if stage.uid == heats.stage.uid)
    if (
        not heats.results
        or not kind_of(heats.stage.kind).one_play
        or at + 1 == len(stages)
        or not kind_of(stages[at + 1].kind).filled
    ):
        return None
    answer = heats.results[0].answer
    following = shown(stages[at + 1], stages)
    sits = {str(seat.entry) for contest in following.contests for seat in contest.seats}
    advance, back = (
        [str(each.entry) for each in following.decisions if each.kind == kind]
        for kind in (Decision.Kind.ADVANCE, Decision.Kind.STEPS_BACK)
    )
    gone = [player for player in answer.finalists if player in back or (sits and player not in sits)]
    instead = [each for each in advance if each not in answer.finalists and (not sits or each in sits)]
    through = [player for player in (*answer.finalists, *instead) if player not in gone]
    return GoingOn(stages[at + 1], through, gone, instead)


def going_on(
    tournament: Tournament, board: StageBoard, stages: Sequence[Stage], entries: Mapping[str, Entry]
) -> StageBoard:
    """Fill in `through`, `gone` and `instead` (see `GoingOn`) in the board of heats, and mark each heat's players who
    play on; any other board is returned as it is. `stages` are the tournament's in their order."""
    if not board.heats:
        return board
    heats = shown(next(stage for stage in stages if stage.uid == board.uid), stages)
    found = goes_on(heats, stages)
    if found is None:
        return board
    everybody = everybody_in(tournament, entries, heats)
    return replace(
        board,
        heats=[
            replace(heat, rows=[replace(row, through=row.player in found.through) for row in heat.rows])
            for heat in board.heats
        ],
        through=[everybody[player] for player in found.through],
        gone=[everybody[player] for player in found.gone],
        instead=[everybody[player] for player in found.instead],
    )
