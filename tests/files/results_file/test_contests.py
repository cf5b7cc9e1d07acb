"""The sheets of the stages."""

from collections.abc import Callable

import pytest
from openpyxl import Workbook

from tests.files.results_file.conftest import above, column, table
from tests.support.championships import championship, heat
from tests.support.factories import recorded_heat, recorded_round, running_heats, running_match
from tests.support.workbook_events import close_calls
from tournament import actions
from tournament.files.results_file.ranking import KEPT_NAME, courses, crosstable
from tournament.models import Entry

pytestmark = pytest.mark.django_db

Read = Callable[..., Workbook]


def test_heats_say_of_everybody_whether_they_go_through_once_their_heat_is_over(results: Read) -> None:
    made = running_heats(6, tables=2)
    recorded_heat(made)
    made.act(actions.remove_player, entry=made.at(made.table)[2], reason="cheated")
    rows = [[*row.values()] for row in table(results(made)["Heats"])]
    assert rows == [
        [1, 1, "Aino", "through", None],
        [1, None, "Cécile", "not through", None],
        [1, None, "Eeva", "not through", "disqualified"],
        [2, None, "Börje", None, None],
        [2, None, "Dima", None, None],
        [2, None, "Fatima", None, None],
    ]


def test_organisers_read_why_a_player_goes_through_by_decision(results: Read) -> None:
    made = championship(filled=False)
    first, second = heat(made, 1)[:2]
    made.act(actions.player_leaves, entry=first)
    made.act(actions.fill_stage, stage=made.stage.uid, decided=[second], reason="drawn by lot")
    public, private = (column(results(made, private=private)["Heats"], "Note") for private in (False, True))
    assert public == ["left", "through by decision", *[None] * 4]
    assert private == ["left", f"through by decision: drawn by lot ({made.user.display_name()})", *[None] * 4]
    book, player = results(made, private=True), Entry.objects.get(uid=second).shown_name
    said = {row["Player"]: row["Note"] for row in table(book["Results"])}
    assert said[player] == "through by decision"  # the first sheet is to fit a page
    assert f"{player}: {private[1]}" in " ".join(above(book["For organisers"]))


def test_organisers_read_why_a_player_was_disqualified_wherever_it_is_said(results: Read) -> None:
    made = championship(players=8)
    cheat, _other = made.at(made.table)
    made.act(actions.remove_player, entry=cheat, reason="Hid a card.")
    for private, note in ((False, "disqualified"), (True, "disqualified: Hid a card.")):
        book = results(made, private=private)
        assert [row["Note"] for row in table(book["Heats"]) if row["Note"]] == [note]
        assert column(book["Results"], "Note")[-1] == f"not through, {note}"
    made.act(actions.readmit_player, entry=cheat)
    assert "Note" not in table(results(made, private=True)["Heats"])[0]


def test_a_match_has_a_column_for_each_round_with_its_winner_underlined(results: Read) -> None:
    made = running_match(players=3)
    recorded_round(made)
    recorded_round(made, made.at(made.table)[1], **{str(made.at(made.table)[0]): {"draw2": 1}})
    sheet = results(made)["Match"]
    assert [[*row.values()] for row in table(sheet)] == [
        ["Börje", 1, 0, 27, 27, 1, 2],
        ["Aino", 2, 14, 0, 14, 1, 2],
        ["Cécile", 3, 0, 0, 0, 0, 2],
    ]
    assert [*table(sheet)[0]][2:4] == ["Round 1", "Round 2"]
    underlined = [cell.value for row in sheet.iter_rows() for cell in row if cell.font.underline]
    assert underlined == [27, 14]
    assert sheet.freeze_panes == "B6"
    # Excel shows a column of so many letters this many pixels wide: a third of a phone's 390.
    assert 7 * KEPT_NAME + 5 <= 130


def test_games_at_many_tables_are_each_players_own() -> None:
    read = close_calls()
    (contest,) = read.stages[0].results
    assert courses(contest).plays[:2] == ["Table 1, game 2", "Table 1, game 3"]
    columns, rows = crosstable(read, contest)
    assert [column.heading for column in columns[-5:]] == [
        "Points",
        "Average",
        "Games won",
        "Games",
        "Note",
    ]
    assert [len(row) for row in rows] == [len(columns)] * len(rows)


def test_a_match_says_who_is_disqualified_or_left(results: Read) -> None:
    made = running_match(players=4)
    recorded_round(made)
    _first, second, third, _fourth = made.at(made.table)
    made.act(actions.remove_player, entry=second, reason="cheated")
    made.act(actions.player_leaves, entry=third)
    rows = table(results(made)["Match"])
    assert {row["Player"]: row["Note"] for row in rows} == {
        "Aino": None,
        "Börje": "disqualified",
        "Cécile": "left",
        "Dima": None,
    }
