"""Who goes on from heats as it came about: the stage after them says who sits there, and what people decided.

For pages of the whole tournament's version alone, since the heats' own version does not tell of another stage.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from scoring import HeatsAnswer
from tournament.models import Decision, Entry, Stage, Tournament
from tournament.shown import shown
from tournament.views.public.stage_boards import StageBoard, everybody_in


def going_on(
    tournament: Tournament, board: StageBoard, stages: Sequence[Stage], entries: Mapping[str, Entry]
) -> StageBoard:
    """The board of heats with `through` who plays on, `gone` whom the heats sent and who does not, `instead` who came
    in by a decision; any other board as it is. `stages` are the tournament's in their order."""
    at = next(index for index, stage in enumerate(stages) if stage.uid == board.uid)
    if not board.heats or at + 1 == len(stages) or stages[at + 1].kind == Stage.Kind.SESSION:
        return board
    heats, following = shown(stages[at], stages), shown(stages[at + 1], stages)
    answer = heats.results[0].answer
    assert isinstance(answer, HeatsAnswer)
    sits = {str(seat.entry) for contest in following.contests for seat in contest.seats}
    advance, back = (
        [str(each.entry) for each in following.decisions if each.kind == kind]
        for kind in (Decision.Kind.ADVANCE, Decision.Kind.STEPS_BACK)
    )
    gone = [player for player in answer.finalists if player in back or (sits and player not in sits)]
    instead = [each for each in advance if each not in answer.finalists and (not sits or each in sits)]
    everybody = everybody_in(tournament, entries, heats)
    return replace(
        board,
        through=[everybody[player] for player in (*answer.finalists, *instead) if player not in gone],
        gone=[everybody[player] for player in gone],
        instead=[everybody[player] for player in instead],
    )
