"""The sheets of hands and of card values."""

from tests.support.workbook_events import close_calls
from tournament.files.workbook import columns, hands
from tournament.files.workbook.cells import Formula
from tournament.files.workbook.layout import Layout


def test_each_row_of_the_games_has_its_hand_with_what_it_is_worth_and_its_order() -> None:
    event = close_calls()
    layout = Layout(event, str)
    rows = list(hands.rows(event, layout))
    plays = [placed.one.play for placed in layout.games_played]
    assert len(rows) == sum(len(play.results) for play in plays)
    keys = list(layout.hands.columns)
    first = dict(zip(keys, rows[0], strict=True))
    kinds = columns.kinds(layout.ruleset)
    assert {card: first[card] for card in kinds if first[card]} == dict(plays[0].results[0].hand)
    at = layout.hands.cells(2)
    cards = f"{at[kinds[0]]}:{at[kinds[-1]]}"
    formulas = {key: cell.text for key, cell in first.items() if isinstance(cell, Formula)}
    assert formulas["count"] == f"SUM({cards})"
    assert formulas["worth"].startswith(f"SUMPRODUCT({cards},")
    assert "{1000000,10000,100,1}" in formulas["order"]
    assert "{10000000000,100000000,1000000,10000,100,1}" in formulas["order_2"]
    assert first["id"] == f"{plays[0].uid} {plays[0].results[0].entry} {plays[0].version}"


def test_cards_have_their_points_and_how_many_are_in_a_deck() -> None:
    layout = Layout(close_calls(), str)
    (_points, *points), (_deck, *deck) = hands.card_rows(layout)
    kinds = columns.kinds(layout.ruleset)
    assert dict(zip(kinds, points, strict=True)) == {card: layout.ruleset.points[card] for card in kinds}
    assert dict(zip(kinds, deck, strict=True)) == dict(layout.ruleset.deck)
