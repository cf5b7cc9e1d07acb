"""Table of hands: counted cards per row of games and rounds.

| rule | column |
| --- | --- |
| card points | `worth` |
| race: number of cards | `order` |
| special situation 6: fewest cards, fewest number cards, most 0s, 1s ... 9s | `order`, `order_2` |

Lower is better; `order_2` breaks ties. `order` packs cards and number cards (3 digits each) and 0s to 3s (2 each),
`order_2` the rest: weighted sums below 2^53, exact up to 99 of a kind (a deck has 8).
"""

from collections.abc import Iterator, Mapping

from rulesets import CARDS, NUMBERS, RULESETS
from tournament.extras.workbook.files.plays import IDS, MATCHES, PLAYER, Cells, results_of
from tournament.extras.workbook.files.race import KINDS
from tournament.files.workbook.event import Event
from tournament.files.workbook.writer import IFS, Formula
from tournament.models import Stage

COLUMNS = f"stage table play {PLAYER} {' '.join(CARDS)} worth order order_2 {IDS}"
ALL = f"[{CARDS[0]}]:[{CARDS[-1]}]"

Weights = Mapping[str, int]

_MOST_OF_EACH = {card: 100 ** ((3 if index < 4 else 9) - index) for index, card in enumerate(NUMBERS)}
ORDER = {
    card: 10**11 + (10**8 if card in NUMBERS else 0) - (_MOST_OF_EACH[card] if card in NUMBERS[:4] else 0)
    for card in CARDS
}
ORDER_2 = {card: -_MOST_OF_EACH[card] if card in NUMBERS[4:] else 0 for card in CARDS}
CARDS_EACH = dict.fromkeys(CARDS, 1)  # a race: how many cards


def rows(event: Event) -> Iterator[Cells]:
    """Rows by column, without cards if not counted."""
    worth = ("worth", RULESETS[event.tournament.ruleset].points, 0)
    for kinds, sums in (
        ((Stage.Kind.SESSION,), (worth, ("order", ORDER, None), ("order_2", ORDER_2, None))),
        (MATCHES, (worth,)),
        (KINDS, (worth, ("order", CARDS_EACH, 0))),
    ):
        formulas = {key: _formula(weights, empty) for key, weights, empty in sums}
        for _one, result, _answer, cells in results_of(event, *kinds):
            held = {card: count for card, count in result.hand.items() if count}
            weighed = {
                key: sum(count * weights.get(card, 0) for card, count in held.items()) if held else empty
                for key, weights, empty in sums
            }
            yield {**cells, **held, **{key: Formula(formulas[key], value) for key, value in weighed.items()}}


def _formula(weights: Weights, empty: int | None) -> str:
    """Weighted sum; `empty` without cards."""
    row = ",".join(str(weights.get(card, 0)) for card in CARDS)
    none = '""' if empty is None else empty
    return f"{IFS}(SUM({ALL})=0,{none},TRUE,SUMPRODUCT({ALL},{{{row}}}))"
