"""Who goes on from heats as it came about: the stage after them says who sits there, and what people decided.

For pages of the whole tournament's version alone, since the heats' own version does not tell of another stage.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tournament.models import Decision, Entry, Stage, Tournament
from tournament.pages.public.stage import StageBoard, everybody_in
from tournament.queries.visible import Shown, shown
from tournament.results.kinds import kind_of


@dataclass(frozen=True, slots=True)
class GoingOn:
    """Who plays on from heats, whom the heats sent and who does not, and who came in by a decision; by their entry's
    uid as text. `stage` is the one after the heats."""

    stage: Stage
    through: Sequence[str]
    gone: Sequence[str]
    instead: Sequence[str]


def goes_on(heats: Shown, stages: Sequence[Stage]) -> GoingOn | None:
    """How it came about with these heats; None of any other stage, and where none follows that they lead to. `stages`
    are the tournament's in their order."""
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
    """The board of heats with `through` who plays on, `gone` whom the heats sent and who does not, `instead` who came
    in by a decision, and each heat's players marked so; any other board as it is. `stages` are the tournament's in
    their order."""
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
