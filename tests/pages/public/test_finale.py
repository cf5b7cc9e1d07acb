"""The end of a contest: who is told to have won, when, and the picture of the podium."""

import re
from html import unescape
from uuid import UUID, uuid4

import pytest
from django.test import Client

from tests.support.factories import Event, recorded_round, running_match, running_session
from tests.support.walls import wall
from tournament import actions
from tournament.actions import Command
from tournament.models import Entry
from tournament.pages.components import StandingsRow
from tournament.pages.public.reveal import whole_places

pytestmark = pytest.mark.django_db


def told(made: Event, rest: str = "") -> list[str]:
    """The names of the winners on a page of everybody; none while it awaits them."""
    text = Client().get(f"/en/t/{made.tournament.slug}/{rest}").content.decode()
    return names_in(text)


def names_in(text: str) -> list[str]:
    found = re.search(r'finale__name">(.*?)</p>', text)
    awaited = re.search(r'data-awaits="([^"]*)"', text)
    assert bool(found) != bool(awaited and awaited[1].strip())
    return re.findall(r"<bdi>(.*?)</bdi>", unescape(found[1])) if found else []


def everywhere(made: Event) -> list[list[str]]:
    """The finale on the page of the event, the stage and a player, and on a wall."""
    rest = ("", f"stage/{made.stage.uid}/", f"player/{made.uids[1]}/")
    return [*(told(made, each) for each in rest), names_in(wall(made, "standings"))]


def picture(made: Event, language: str = "en") -> str | int:
    """The words of the podium's picture, or the status of the answer without one."""
    answer = Client().get(f"/{language}/t/{made.tournament.slug}/stage/{made.stage.uid}/podium.svg")
    if answer.status_code != 200:
        return answer.status_code
    assert answer["Content-Type"] == "image/svg+xml"
    assert "s-maxage=1" in answer["Cache-Control"]
    words = re.findall(r"<text[^>]*>([^<]*)", answer.content.decode())
    return " | ".join(
        re.sub("[\N{FIRST STRONG ISOLATE}\N{POP DIRECTIONAL ISOLATE}]", "", each) for each in words
    )


def won(made: Event, index: int = 0) -> UUID:
    """A round that ends a match to 20 points."""
    winner = made.uids[index]
    return recorded_round(made, winner, **{str(uid): {"9": 2} for uid in made.uids if uid != winner})


def test_a_match_that_is_over_names_its_winner_everywhere() -> None:
    made = running_match(3, target=20)
    assert everywhere(made) == [[], [], [], []]
    won(made)
    assert everywhere(made) == [["Aino"]] * 4


def test_a_session_has_its_winner_once_its_stage_is_finished() -> None:
    made = running_session(3)
    results = [
        {"entry": uid, "outcome": "out", "elapsed_s": 60 * at} for at, uid in enumerate(made.uids[:2], 1)
    ]
    made.act(
        actions.record_game,
        table=made.table.uid,
        play=uuid4(),
        number=1,
        ended="last",
        results=[*results, {"entry": made.uids[2], "outcome": "last"}],
    )
    assert everywhere(made) == [[], [], [], []]
    made.act(actions.finish_stage, stage=made.stage.uid)
    assert everywhere(made) == [["Aino"]] * 4


def test_winners_who_share_the_place_are_named_together() -> None:
    made = running_match(4, target=500)
    won(made, 0)
    won(made, 1)
    made.act(actions.stop_match, table=made.table.uid, reason="late")
    assert told(made) == ["Aino", "Börje"]
    assert "Winners" in Client().get(f"/en/t/{made.tournament.slug}/").content.decode()


def test_a_match_that_nobody_won_has_no_moment() -> None:
    made = running_match(3, target=20)
    play = recorded_round(made, None, **{str(made.uids[1]): {"1": 1}, str(made.uids[2]): {"1": 1}})
    made.act(actions.stop_match, table=made.table.uid, reason="the hall closes")
    made.act(actions.void_play, play=play, version=made.play(play).version, reason="not shuffled")
    assert told(made, f"stage/{made.stage.uid}/") == []
    assert picture(made) == 404


def test_what_waits_for_a_second_person_is_said_and_told_when_it_is_accepted() -> None:
    made = running_match(3, target=20)
    made.act(actions.ask_second_look, stage=made.stage.uid, wanted=True)
    play = won(made)
    text = Client().get(f"/en/t/{made.tournament.slug}/").content.decode()
    assert names_in(text) == []
    assert re.search(r'winner__unit">Winner <span class="status[^>]*>\s*Provisional', text)
    assert picture(made) == 404
    second = Command(uuid4(), made.referee())
    actions.accept_play(second, made.tournament.uid, play=play, version=made.play(play).version)
    assert everywhere(made) == [["Aino"]] * 4


def test_a_correction_that_changes_the_winner_names_the_right_one() -> None:
    made = running_match(3, target=20)
    play = won(made)
    before = re.search(r'data-winners="([^"]*)"', wall(made, "standings"))
    hands = {str(uid): {"9": 2} for uid in (made.uids[0], made.uids[2])}
    version = made.play(play).version
    made.act(
        actions.correct_round,
        play=play,
        version=version,
        winner=made.uids[1],
        hands=hands,
        reason="the wrong name",
    )
    after = re.search(r'data-winners="([^"]*)"', wall(made, "standings"))
    assert everywhere(made) == [["Börje"]] * 4
    assert before
    assert after
    assert before[1] != after[1]


def test_frozen_standings_tell_no_winner_until_the_reveal_has_shown_the_first_place() -> None:
    made = running_match(3, target=20)
    made.act(actions.freeze_standings, stage=made.stage.uid)
    won(made)
    made.act(actions.finish_stage, stage=made.stage.uid)
    made.act(actions.begin_reveal, stage=made.stage.uid)
    for left in (3, 2):
        assert (told(made), names_in(wall(made, "standings")), picture(made)) == ([], [], 404)
        made.act(actions.reveal_next, stage=made.stage.uid, left=left)
    assert (told(made), names_in(wall(made, "standings"))) == (["Aino"], ["Aino"])
    assert str(picture(made)).startswith("Event ")
    made.act(actions.reveal_next, stage=made.stage.uid, left=1)
    assert everywhere(made) == [["Aino"]] * 4


def test_tables_of_one_stage_have_each_their_own_winner_on_their_players_pages_alone() -> None:
    made = running_match(6, tables=2, target=20)
    first = made.at(made.table)
    hands = {str(uid): {"9": 2} for uid in first[1:]}
    made.act(
        actions.record_round,
        table=made.table.uid,
        play=uuid4(),
        number=1,
        winner=first[0],
        hands=hands,
    )
    name = Entry.objects.get(uid=first[0]).public_name
    assert told(made, f"player/{first[1]}/") == [name]
    other = next(uid for uid in made.uids if uid not in first)
    assert told(made, f"player/{other}/") == []
    assert told(made) == []
    assert picture(made) == 404


def test_the_picture_names_the_first_three_by_their_public_names_in_the_readers_language() -> None:
    made = running_match(4, target=20)
    assert picture(made) == 404
    won(made)
    assert picture(made) == " | ".join(
        [
            made.tournament.name,
            "Match · 9 May 2026",
            "1 | 54 | Aino | 2 | 0 | Börje | 2 | 0 | Cécile | 2 | 0 | Dima",
            "points",
            "Lastcard",
        ]
    )
    made.act(actions.edit_entry, entry=made.uids[0], public_name="Nick", start_number=1)
    assert "Nick" in str(picture(made))
    assert "Aino" not in str(picture(made))
    made.act(actions.erase_person, entry=made.uids[0])
    assert "Nick" not in str(picture(made))
    assert "Player 1" in str(picture(made))
    assert "pistettä" in str(picture(made, "fi"))
    assert "poäng" in str(picture(made, "sv"))


@pytest.mark.parametrize(
    ("places", "shown"),
    [
        ([1, 2, 3], [1, 2, 3]),
        ([1, 2, 3, 3, 3], [1, 2, 3, 3, 3]),
        ([1, 2, 3, 3, 3, 3, 3], [1, 2]),
        ([1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 1]),
    ],
)
def test_a_shared_place_is_on_the_podium_whole_or_not_at_all(places: list[int], shown: list[int]) -> None:
    rows = [StandingsRow(key=str(at), place=place, name="", value="") for at, place in enumerate(places)]
    assert [row.place for row in whole_places(rows)] == shown
