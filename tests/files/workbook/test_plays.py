"""The columns and rows that the sheets of games, rounds, heats and hands share."""

from dataclasses import replace

from rulesets import RULESETS
from tests.support.workbook_events import close_calls, generated
from tournament.files.workbook.plays import MATCHES, cards_text, head, played, row_id, who
from tournament.models import Play, Stage

RULES = RULESETS["mattel-108"]
EVERY = (Stage.Kind.SESSION, *MATCHES, Stage.Kind.HEATS)


def test_plays_stand_in_the_order_of_the_score_sheet() -> None:
    plays = list(played(close_calls(), Stage.Kind.SESSION))
    assert [(one.table, one.play.number) for one in plays] == [
        (2, 1),
        *((1, number) for number in range(2, 12)),
    ]
    assert list(played(close_calls(), *MATCHES)) == []
    assert len({one.key for one in plays}) == 1


def test_only_what_counts_has_places_and_points() -> None:
    running, *entered = played(close_calls(), Stage.Kind.SESSION)
    places = [[one.place(str(row.entry)) for row in one.play.results] for one in entered]
    assert places == [*([2, 1] for _ in entered[1:]), [1, 1]]  # level in the last
    assert all(one.points(str(row.entry)) is not None for one in entered for row in one.play.results)
    nobody = str(running.play.results[0].entry)
    assert (running.place(nobody), running.points(nobody), running.advances(nobody)) == (None, None, False)


def test_who_goes_through_from_a_heat() -> None:
    heats = [one for seed in (116, 135) for one in played(generated(seed), Stage.Kind.HEATS)]
    through = [(one, player) for one in heats for player, row in one.answer.items() if row.advances]
    assert through
    assert all(one.advances(player) for one, player in through)


def test_a_row_begins_with_its_play_and_ends_with_what_a_program_knows_it_by() -> None:
    event = close_calls()
    _running, one, *_more = played(event, Stage.Kind.SESSION)
    row = one.play.results[0]
    assert head(one) == [str(one.stage), 1, 2, str(Play.State.ENTERED.label)]
    assert who(row, event.entries) == [1, "P1"]
    assert row_id(one.play, row) == f"{one.play.uid} {row.entry} {one.play.version}"


def test_a_play_that_waits_for_a_second_person_says_so_instead_of_its_state() -> None:
    _running, one, *_more = played(close_calls(), Stage.Kind.SESSION)
    waiting = replace(one, play=replace(one.play, second_look=str(Play.SecondLook.WANTED)))
    assert head(waiting)[-1] == str(Play.SecondLook.WANTED.label)


def test_cards_are_said_as_players_do() -> None:
    assert cards_text({"draw2": 2, "7": 1, "wild": 0}, RULES) == "1 × 7, 2 × Draw 2"
    assert cards_text({}, RULES) is None
