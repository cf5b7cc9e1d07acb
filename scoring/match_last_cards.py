"""The cards with which a round was won: what they may be, and who drew because of them.

| rule | section of the rule sheet | where |
| --- | --- | --- |
| one card, in TiTe several of a kind | Mattel, end of a round; TiTe, last card | `_check_kind` |
| the last card must not be black | TiTe, last card | `_check_allowed` |
| the next player draws, and that counts | Mattel, end of a round; TiTe, last card | `_check_drew` |
"""

from __future__ import annotations

from .faults import Path
from .hands import check_cards, hand_size
from .match_table import Table
from .sheets import Hand, Round

NONE: Hand = {}


def check_last_cards(round_: Round, table: Table) -> Hand:
    """Note what is wrong with a round's last cards; hands back those that can be counted with the deck."""
    if round_.last_cards is None:
        return NONE
    path: Path = (*table.path, "last_cards")
    if not check_cards(round_.last_cards, path, table.ruleset, table.available, table.faults):
        return NONE
    cards = {card: count for card, count in round_.last_cards.items() if count}
    kind_stands = _check_kind(cards, path, table)
    if _check_allowed(cards, path, table) and kind_stands:
        _check_drew(round_, cards, table)
    return cards


def _check_kind(cards: Hand, path: Path, table: Table) -> bool:
    several = table.ruleset.several_last_cards
    count = hand_size(cards)
    if len(cards) == 1 and (several or count == 1):
        return True
    expected = "one card or more" if several else "one card"
    table.faults.add("last_cards_invalid", path, count=count, kinds=len(cards), expected=expected)
    return False


def _check_allowed(cards: Hand, path: Path, table: Table) -> bool:
    forbidden = [card for card in cards if card in table.ruleset.forbidden_last_cards]
    for card in forbidden:
        table.faults.add("last_card_forbidden", (*path, card), card=card)
    return not forbidden


def _check_drew(round_: Round, cards: Hand, table: Table) -> None:
    """Who drew is in play, is not the winner, and holds what was drawn and one card more."""
    draws = table.ruleset.last_card_draws
    drawn = sum(draws.get(card, 0) * count for card, count in cards.items())
    if not drawn:
        return
    where: Path = (*table.path, "drew")
    if round_.drew is None or round_.drew == round_.winner:
        table.faults.add("missing_drew", where)
        return
    if not table.check_in_play(round_.drew, where):
        return
    held = hand_size(round_.hands.get(round_.drew, {}))
    may_be_empty = round_.drew in round_.emptied  # else an empty hand was noted with the hands
    if held <= drawn and (held > 0 or may_be_empty):
        hand_path = (*table.path, "hands", round_.drew)
        table.faults.add("drawn_cards_missing", hand_path, player=round_.drew, count=held, least=drawn + 1)
