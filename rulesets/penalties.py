"""Penalties by infringement, a row per outcome: cards, turns, warnings, never points. Worded in
tournament/words/penalties.py."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["cards", "warning", "ejection", "none", "referees"]
Who = Literal["player", "challenger", "suspecting", "spectator", "nobody"]


@dataclass(frozen=True, slots=True)
class Penalty:
    """One outcome: `who` draws `cards` and may lose the turn; kind `referees`: their decision."""

    code: str
    kind: Kind
    who: Who = "player"
    cards: int = 0
    turn_lost: bool = False


KPGUT = (
    Penalty("uno_not_said", "cards", cards=2),
    Penalty("wild4_challenged_rightly", "cards", cards=4),
    Penalty("wild4_challenged_wrongly", "cards", "challenger", cards=6, turn_lost=True),
    Penalty("draw_suspected_rightly", "warning"),
    Penalty("draw_suspected_rightly_again", "ejection"),
    Penalty("draw_suspected_wrongly", "cards", "suspecting", cards=4),
    Penalty("last_card", "cards", cards=1),
    Penalty("helped", "cards", cards=2),
    Penalty("helped_by_spectator", "cards", "spectator", cards=9 + 2),
    Penalty("helped_novice", "none", "nobody"),
    Penalty("away", "cards", cards=2, turn_lost=True),
    Penalty("cheated", "cards", cards=2),
    Penalty("cheated_noticed_late", "none", "nobody"),
    Penalty("same_card_out_of_turn", "none", "nobody"),
    Penalty("marked_card", "none", "nobody"),
    Penalty("unsporting", "warning"),
    Penalty("unsporting_again", "ejection"),
    Penalty("dispute", "none", "nobody"),
)

MATTEL = (
    Penalty("uno_not_said", "cards", cards=2),
    Penalty("wild4_challenged_rightly", "cards", cards=4),
    # The card stands: the turn is lost anyway.
    Penalty("wild4_challenged_wrongly", "cards", "challenger", cards=4 + 2, turn_lost=True),
    Penalty("needless_draw", "none", "nobody"),
    Penalty("last_card", "none", "nobody"),
)

TITE = (
    Penalty("uno_not_said", "cards", cards=2),
    Penalty("wild4_challenged_rightly", "referees"),
    Penalty("wild4_challenged_wrongly", "referees", "challenger"),
    Penalty("needless_draw", "none", "nobody"),
    Penalty("last_card", "cards", cards=1),
    Penalty("helped", "referees"),
    Penalty("away", "referees"),
    Penalty("cheated", "referees"),
    Penalty("disturbing", "referees"),
    Penalty("dispute", "referees", "nobody"),
)
