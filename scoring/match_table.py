"""One round of a match as its checks see it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .faults import Faults, Path
from .sheets import Hand, MatchSheet


@dataclass(frozen=True, slots=True)
class Table:
    """What the checks of one round need to know beside the round."""

    sheet: MatchSheet
    path: Path  # of the round
    in_play: Sequence[str]
    available: Hand
    faults: Faults

    def check_in_play(self, player: str, path: Path) -> bool:
        """Note who is not on the sheet or out of the match; true if `player` is in play."""
        if player in self.in_play:
            return True
        code = "removed_plays" if player in self.sheet.players else "unknown_player"
        self.faults.add(code, path, player=player)
        return False
