"""Players who advance from heats, by the next stage's seats and by decisions.

Needs the whole tournament's version: the heats' own does not rise for another stage.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tournament.models import Entry, Stage, Tournament
from tournament.pages.public.stage import StageBoard, everybody_in
from tournament.queries.visible import GoingOn, Shown, going_on_to, shown


def goes_on(heats: Shown, stages: Sequence[Stage]) -> GoingOn | None:
    """Who advances from these heats; None unless they are heats that lead to another stage. `stages`: in order."""
    at = next(index for index, stage in enumerate(stages) if stage.uid == heats.stage.uid)
    return going_on_to(heats, shown(stages[at + 1], stages)) if at + 1 < len(stages) else None


def going_on(
    tournament: Tournament, board: StageBoard, stages: Sequence[Stage], entries: Mapping[str, Entry]
) -> StageBoard:
    """Fill in `through`, `gone` and `instead` (see `GoingOn`) of heats; other boards stay unchanged."""
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
