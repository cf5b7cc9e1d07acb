"""Clubs, rounds, fees, and how the event was played."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.utils import timezone
from openpyxl import Workbook

from tests.files.results_file.conftest import above, column, shades, table
from tests.support.championships import championship, heat
from tests.support.factories import (
    Event as Made,
    event,
    recorded_heat,
    recorded_round,
    running_heats,
    running_match,
    running_session,
)
from tests.support.tour_evenings import add_game
from tournament import actions
from tournament.actions import Command, Receipt
from tournament.actions.kernel import work
from tournament.models import Entry

pytestmark = pytest.mark.django_db

Read = Callable[..., Workbook]


def test_clubs_are_ranked_once_by_the_last_stage_and_none_is_shaded_for_nothing(results: Read) -> None:
    made = championship(players=6, tables=2)
    clubs = dict(zip(made.uids, ["Red", "Blue", "Green", "Green", "Red", "Grey"], strict=True))
    for entry in made.entries:
        Entry.objects.filter(pk=entry.pk).update(club=clubs[entry.uid])
    assert above(results(made)["Results"])[-1].endswith(" (1 through)")
    made.act(actions.start_stage, stage=made.stage.uid)
    made.refresh()
    recorded_round(made)
    sheet = results(made)["Clubs"]
    assert [[*row.values()][:4] for row in table(sheet)] == [
        [1, "Red", 7, "Final"],
        [2, "Blue", 0, "Final"],
        [3, "Green", 0, "Heats"],
        [3, "Grey", 0, "Heats"],
    ]
    assert sheet["A4"].value == "Final: The points of each"
    assert shades(sheet) == ["FFF5D76E", *["00000000"] * 3]
    assert above(results(made)["Results"])[-1] == "Best club: Red (7 points)"


def test_a_club_with_too_few_players_says_why_it_has_no_place_below_a_worse_average(results: Read) -> None:
    made = running_session(5)
    for entry, club in zip(made.entries, ["Noppa", "Vaasa", "Noppa", "Vaasa", "Alone"], strict=True):
        Entry.objects.filter(pk=entry.pk).update(club=club)
    add_game(made, [600, 900, 700, 0, 60])
    rows = [(row["Place"], row["Club or group"], row["Note"]) for row in table(results(made)["Clubs"])]
    assert rows == [
        (1, "Noppa", None),
        (2, "Vaasa", None),
        (None, "Alone", "fewer players than count"),
    ]
    best, _second, alone = column(results(made)["Clubs"], "Result")
    assert alone < best


def test_the_row_of_a_heat_names_its_winner_whoever_goes_through_in_the_end(results: Read) -> None:
    made = championship(players=6, tables=2)
    gone, reserve = heat(made, 1)[:2]
    made.act(actions.swap_finalist, stage=made.stage.uid, out=gone, enters=reserve, reason="ill")
    *_stages, plays, _about = results(made).worksheets
    assert Entry.objects.get(uid=gone).shown_name in {row["Winner"] for row in table(plays)}
    assert "Number" not in table(plays)[0]


def test_a_corrected_round_says_who_corrected_it_and_why_and_when_it_was_played(
    results: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = running_match(players=3)
    play, referee = recorded_round(made), made.referee()
    first, second, third = made.at(made.table)
    later = timezone.now() + timedelta(hours=1)
    monkeypatch.setattr(work, "now", lambda: later)
    actions.correct_round(
        Command(uuid4(), referee),
        made.tournament.uid,
        play=play,
        version=made.play(play).version,
        reason="misread",
        winner=second,
        hands={str(first): {"9": 1}, str(third): {"9": 1}},
    )
    recorded_round(made)
    rows = table(results(made, private=True)["For organisers"])
    corrected, last = (row["Time (Europe/Helsinki)"] for row in rows)
    assert last - corrected > timedelta(minutes=59)
    assert [(row["Number"], row["Winner"], row["Points"]) for row in rows] == [
        (1, "Börje", 18),
        (2, "Aino", 14),
    ]
    author, corrector = made.user.display_name(), referee.display_name()
    said = [[*row.values()][-4:] for row in rows]
    was = "Aino: 14 points"
    assert said == [[author, corrector, was, "misread"], [author, None, None, None]]
    assert "1 correction ·" in above(results(made)["Results"])[2]


def test_what_a_changed_play_was_before_is_said_of_cards_of_a_void_one_and_of_a_heat(results: Read) -> None:
    made = running_match(players=3)
    first, second, third = made.at(made.table)
    same, voided = recorded_round(made), recorded_round(made, second)
    entered = made.play(voided).version
    correct(made, same, winner=first, hands={str(second): {"5": 1, "2": 1}, str(third): {"7": 1}})
    made.act(actions.void_play, play=voided, version=entered, reason="fire alarm")
    assert before(results(made, private=True)) == ["the same result", "Börje: 14 points"]
    correct(made, voided, actions.revert_play, to=entered)
    assert before(results(made, private=True)) == ["the same result", "void"]
    assert "Before the change" not in table(results(made).worksheets[-2])[0]

    made = running_heats(6, tables=2)
    heat, (winner, _second, other) = recorded_heat(made), made.at(made.table)
    correct(made, heat, actions.correct_heat, finish_order=[other])
    names = {entry.uid: entry.shown_name for entry in made.entries}
    assert before(results(made, private=True)) == [f"{names[winner]}: 1., {names[other]}: –."]


def test_a_round_that_two_players_missed_gave_nothing_before_it_was_corrected(results: Read) -> None:
    made = running_match(players=3)
    first, second, third = made.at(made.table)
    play = uuid4()
    out = [second, third]
    made.act(
        actions.record_round, table=made.table.uid, play=play, number=1, winner=None, hands={}, withdrawn=out
    )
    correct(made, play, winner=first, hands={str(second): {"7": 1}, str(third): {"7": 1}}, withdrawn=[])
    assert before(results(made, private=True)) == ["entered"]


def correct(
    made: Made, play: UUID, how: Callable[..., Receipt] = actions.correct_round, **facts: Any
) -> None:
    made.act(how, play=play, version=made.play(play).version, reason="misread", **facts)


def before(book: Workbook) -> list[str]:
    """The column *Before the change* of the organisers' sheet."""
    return column(book["For organisers"], "Before the change")


def test_fees_add_up(results: Read) -> None:
    made = event(players=2, fee="5 €")
    made.act(actions.walk_in, entry=uuid4(), name="Zacharias")
    made.act(actions.mark_paid, entries=made.uids[:1])
    sheet = results(made, private=True)["Fees"]
    assert above(sheet)[2:] == ["1 of 3 paid", "Paid: 5 €", "Not yet paid: 10 € – Börje and Zacharias"]
    assert sheet.page_setup.orientation == "portrait"
    assert column(sheet, "Fee (€)") == [5, 5, 5]
    assert column(sheet, "Paid") == ["yes", "no", "no"]
    assert column(sheet, "Walk-in") == [None, None, "yes"]


def test_about_names_the_settings_and_the_end_of_the_ledger(results: Read) -> None:
    made = running_match(players=3, target=300)
    sheet = results(made)["About this file"]
    about = {row["Item"]: row["Value"] for row in table(sheet)}
    made.refresh()
    assert about["Ruleset"] == "Mattel UNO, 108 cards"
    assert about["Match: target"] == 300
    assert {cell.alignment.horizontal for (cell,) in sheet.iter_rows(5, min_col=2, max_col=2)} == {"left"}
    assert about["Hash of that row"] == made.tournament.ledger_head


def test_about_has_the_rulings_that_were_asked_for_and_for_organisers_the_referees_own(results: Read) -> None:
    made = running_match(players=3)
    made.act(actions.record_ruling, incident=uuid4(), text="Phones at the table?", ruling="No.")
    asked = ["Places behind the winner"]
    assert rulings_in(results(made)) == asked
    recorded_round(made)
    voided = recorded_round(made, made.at(made.table)[1])
    made.act(actions.void_play, play=voided, version=made.play(voided).version, reason="fire alarm")
    made.act(actions.stop_match, table=made.table.uid)
    asked = ["May a referee void a result?", *asked, "The referees stop a match before the target"]
    assert rulings_in(results(made)) == asked
    assert rulings_in(results(made, private=True)) == [*asked, "Phones at the table?"]


def rulings_in(book: Workbook) -> list[str]:
    items = column(book["About this file"], "Item")
    return items[items.index("Ruleset") + 1 : items.index("Exported (Europe/Helsinki)")]
