"""Plays in words: who did what, in which order, and in what two versions differ."""

from datetime import UTC, datetime
from types import SimpleNamespace
from zoneinfo import ZoneInfo

import pytest

from rulesets import RULESETS
from scoring import SessionAnswer
from tests.support.contests import play, player, round_, seats
from tests.support.contests_shown import seen_contest
from tournament.ledger.undoing import UNDO
from tournament.models import Play
from tournament.pages.desk.play import comparison, did_text, hand_text, lines_of, notes_of, outcome_text

NAMES = {str(player(number)): name for number, name in enumerate(("Aino", "Börje", "Cécile"), 1)}
HELSINKI = SimpleNamespace(zone=ZoneInfo("Europe/Helsinki"))
SCENE = SimpleNamespace(names=NAMES, ruleset=RULESETS["mattel-108"], tournament=HELSINKI)


def test_round_has_its_winner_first_and_what_each_hand_is_worth() -> None:
    points = {str(player(2)): 14, str(player(1)): 0}
    lines = lines_of(round_(1, 2, {"7": 1}, 1, 3), NAMES, SCENE.ruleset, points)
    assert [(line.name, line.text, line.worth, line.points) for line in lines] == [
        ("Börje", "won", None, 14),
        ("Aino", "", 7, None),
        ("Cécile", "", 7, None),
    ]


def test_game_is_in_the_order_of_its_places_once_it_is_scored() -> None:
    game = play(1, (1, "remaining", {"7": 2}), (2, "remaining", {"7": 1}), (3, "out", 750), ended="time")
    _seen, results = seen_contest("session", game, seats=seats(1, 2, 3))
    assert isinstance(results.answer, SessionAnswer)
    scored = {row.player: row for row in results.answer.rounds[0].results}
    lines = lines_of(game, NAMES, RULESETS["kpgut-2016"], scored=scored)
    assert [(line.name, line.place, line.text) for line in lines] == [
        ("Cécile", 1, "out after 12 min 30 s"),
        ("Börje", 2, "cards left"),
        ("Aino", 3, "cards left"),
    ]
    assert lines[2].decided == "Behind Börje: more cards"


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        ("won", "won"),
        ("emptied", "hand emptied"),
        ("finished", "out"),
        ("playing", "not out"),
        ("holds", ""),
        ("last", "last one left"),
        ("gave_up", "gave up after 1 min 5 s"),
    ],
)
def test_outcomes_are_worded(outcome: str, words: str) -> None:
    assert outcome_text(outcome, 65) == words


def test_notes_tell_what_belongs_to_the_play_alone() -> None:
    made = round_(1, 1, {"7": 1}, 2, last_cards={"draw2": 2}, drew=player(2), decks=2)
    assert notes_of(made, SCENE) == [
        ("Last card", "Draw 2, Draw 2"),
        ("Drew the cards", "Börje"),
        ("Decks", "2"),
    ]
    began = datetime(2026, 11, 28, 16, 0, 5, tzinfo=UTC)
    assert notes_of(play(1, ended="time", duration_s=3600, started_at=began), SCENE) == [
        ("Began", "28 Nov 2026 18:00:05"),
        ("How it ended", "The hour was up"),
        ("Ended at", "60:00"),
    ]


def test_comparison_has_a_row_for_whatever_either_version_says() -> None:
    mine, theirs = round_(1, 1, {"7": 2}, 2), round_(1, 1, {"7": 1}, 3, state="void")
    compared = comparison(mine, theirs, SCENE, yours_by="Aino", theirs_by="Outi")
    assert [(row.what, row.yours, row.theirs) for row in compared.rows] == [
        ("Aino", "won", "won"),
        ("Börje", "7, 7 (14 points)", "–"),
        ("State", "–", str(Play.State.VOID.label)),
        ("Cécile", "–", "7 (7 points)"),
    ]


def test_an_undo_of_an_undo_did_it_again() -> None:
    undone = {5: ("record_round", None), 6: (UNDO, 5)}
    assert did_text("record_round", None, undone) == "Round entered"
    assert did_text(UNDO, 5, undone) == "Undone: Round entered"
    assert did_text(UNDO, 6, undone) == "Redone: Round entered"


def test_no_hand_names_more_than_twenty_of_a_card() -> None:
    assert hand_text({}, SCENE.ruleset) == "no cards"
    assert hand_text({"7": 10**9}, SCENE.ruleset).count("7") == 20
