"""The sheets of hands and of card values.

| rule | column |
| --- | --- |
| points of the cards, which stand in the sheet of cards | points together |
| special situation 6: fewest cards, fewest number cards, most 0s, most 1s ... most 9s | order of those remaining |

The order is two whole numbers of which less is better, the second where the first is level: cards and number cards with
three digits each and the numbers of 0s to 3s with two, then those of 4s to 9s. They stay below 2^53, so they are exact
where a hand holds up to 99 cards of a kind: a deck has eight.
"""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from rulesets import NUMBERS
from tournament.files.workbook import columns
from tournament.files.workbook.addresses import Sheet
from tournament.files.workbook.cells import Formula, Row, Value
from tournament.files.workbook.event import Event
from tournament.files.workbook.layout import Layout
from tournament.files.workbook.plays import head, row_id, who

POINTS_ROW = 2  # of the sheet of cards


def rows(event: Event, layout: Layout) -> Iterator[Row]:
    """Give the hand for each row of the sheets of games and rounds, as it was counted at the table; empty where none
    was."""
    kinds = columns.kinds(layout.ruleset)
    points = layout.cards.across(kinds[0], kinds[-1], POINTS_ROW)
    for placed in (*layout.games_played, *layout.rounds_played):
        assert placed.hands is not None
        play, of_play = placed.one.play, head(placed.one)
        for at, row in enumerate(play.results, placed.hands.first):
            yield [
                *of_play,
                *who(row, event.entries),
                *(row.hand.get(card) or None for card in kinds),
                *_formulas(layout.hands, at, kinds[0], kinds[-1], points),
                row_id(play, row),
            ]


def _formulas(sheet: Sheet, row: int, first: str, last: str, points: str) -> list[Value]:
    letters = sheet.letters
    cards = f"{letters[first]}{row}:{letters[last]}{row}"
    found: list[Value] = [Formula(f"SUM({cards})"), Formula(f"SUMPRODUCT({cards},{points})")]
    if "order" in sheet.columns:
        numbers, most_0_to_3, most_4_to_9 = (
            f"{letters[of[0]]}{row}:{letters[of[-1]]}{row}" for of in (NUMBERS, NUMBERS[:4], NUMBERS[4:])
        )
        found += [
            Formula(
                f"{letters['count']}{row}*10^11+SUM({numbers})*10^8-SUMPRODUCT({most_0_to_3},{_weights(4)})",
                width=13,
            ),
            Formula(f"-SUMPRODUCT({most_4_to_9},{_weights(6)})", width=13),
        ]
    return found


def _weights(count: int) -> str:
    """Give so many weights of two digits each, as a row: {10000,100,1}."""
    return "{" + ",".join(str(100**power) for power in reversed(range(count))) + "}"


def card_rows(layout: Layout) -> Iterator[Row]:
    """Give the points of each kind of card, and its count in a deck."""
    ruleset, kinds = layout.ruleset, columns.kinds(layout.ruleset)
    yield [_("Points"), *(ruleset.points[card] for card in kinds)]
    yield [_("In a deck"), *(ruleset.deck[card] for card in kinds)]
