"""One round of a match as its checks see it."""

from __future__ import annotations

from dataclasses import dataclass

from rulesets import Ruleset

from .faults import Faults, Path
from .match import InPlay
from .sheets import Hand


@dataclass(frozen=True, slots=True)
class Table:
    """What the checks of one round need to know beside the round."""

    ruleset: Ruleset
    known: frozenset[str]  # everybody on the sheet
    path: Path  # of the round
    in_play: InPlay
    available: Hand
    faults: Faults

    def check_in_play(self, player: str, path: Path) -> bool:
        """Note who is not on the sheet or out of the match; true if `player` is in play."""
        if player in self.in_play:
            return True
        code = "removed_plays" if player in self.known else "unknown_player"
        self.faults.add(code, path, player=player)
        return False
