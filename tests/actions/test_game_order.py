"""Games of a session follow each other by the time they began, across tables: an ejection acts on games that began
after it, never on one that was played before, in whatever order they are entered and at whichever table."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.support.asking_actions import conflict, refusal, results, standings
from tests.support.desk import as_referee, hidden, open_page, text
from tests.support.factories import Event, running_session
from tournament import actions
from tournament.actions import Receipt
from tournament.actions.kernel import work
from tournament.models import Play
from tournament.results.faults import Refused
from tournament.words.faults import fault_text

pytestmark = pytest.mark.django_db

At = Callable[[int], datetime]


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> At:
    """Set the server's clock to so many minutes after the evening began."""
    began = (timezone.now() - timedelta(days=1)).replace(hour=9, minute=0, second=0, microsecond=0)

    def later(minutes: int) -> datetime:
        monkeypatch.setattr(work, "now", lambda: began + timedelta(minutes=minutes))
        return began + timedelta(minutes=minutes)

    return later


@pytest.fixture
def evening(at: At) -> Event:
    """Aino, Cécile and Eeva sit at table 1, Börje and Dima at table 2."""
    at(0)
    return running_session(players=5, tables=2)


def rows(made: Event, *outcomes: tuple[int, str]) -> list[dict[str, Any]]:
    """Results of (player, outcome); who went out did so minute by minute."""
    return [
        {"entry": made.uids[who], "outcome": how, "elapsed_s": 60 * place if how == "out" else None}
        for place, (who, how) in enumerate(outcomes, 1)
    ]


def enter(made: Event, table: int, number: int, *outcomes: tuple[int, str], **more: Any) -> UUID:
    play = uuid4()
    arguments = game(made, *outcomes) | {"table": made.tables[table - 1].uid, "number": number} | more
    made.act(actions.record_game, play=play, **arguments)
    return play


def game(made: Event, *outcomes: tuple[int, str]) -> dict[str, Any]:
    left = any(how in {"ejected", "gave_up"} for _who, how in outcomes)
    return {"ended": "last", "duration_s": 600 if left else None, "results": rows(made, *outcomes)}


def tapped(made: Event, table: int, number: int, *outcomes: tuple[int, str]) -> UUID:
    """A game of these players, tapped while it was played; the last of them is the last one left."""
    play = uuid4()
    made.act(
        actions.start_game,
        table=made.tables[table - 1].uid,
        play=play,
        number=number,
        entries=[made.uids[who] for who, _how in outcomes],
    )
    for place, (who, how) in enumerate(outcomes[:-1], 1):
        taps: dict[str, Callable[..., Receipt]] = {"out": actions.record_out, "ejected": actions.eject_player}
        reason = {"reason": "marked cards"} if how == "ejected" else {}
        made.act(taps[how], play=play, entry=made.uids[who], elapsed_s=60 * place, **reason)
    return play


AT_HOME = ((0, "out"), (2, "out"), (4, "last"))
MOVED = ((0, "ejected"), (1, "out"), (3, "last"))
MOVED_TAPS = ((1, "out"), (0, "ejected"), (3, "last"))


def test_an_ejection_at_another_table_keeps_the_games_that_were_entered_before_it(
    evening: Event, at: At
) -> None:
    at(10)
    enter(evening, 1, 1, *AT_HOME)
    at(70)
    second = enter(evening, 1, 2, *AT_HOME)
    at(130)
    enter(evening, 2, 1, *MOVED)
    assert evening.play(second).state == "entered"
    points = {name: (status, points) for name, (_place, status, points) in standings(evening).items()}
    assert points["Aino"] == ("disqualified", 2)  # a minute in each game at table 1, nothing in the third
    assert points["Cécile"] == points["Eeva"] == ("ranked", 4)
    evening.act(actions.finish_stage, stage=evening.stage.uid)


def test_an_ejection_tapped_at_another_table_keeps_the_games_that_began_before_it(
    evening: Event, at: At
) -> None:
    for minutes, number in ((10, 1), (70, 2)):
        at(minutes)
        tapped(evening, 1, number, *AT_HOME)
    at(130)
    third = tapped(evening, 2, 1, *MOVED_TAPS)
    assert [play.state for play in Play.objects.all()] == ["entered"] * 3
    sheet = results(evening).sheet
    assert [play.uid for play in sheet.plays if play][-1] == third
    assert [row["number"] for row in sheet.data["games"]] == [1, 2, 3]


def test_paper_that_comes_late_finds_its_place_by_when_the_game_began(evening: Event, at: At) -> None:
    at(10)
    tapped(evening, 1, 1, *AT_HOME)
    at(130)
    ejecting = tapped(evening, 2, 1, *MOVED_TAPS)
    began = at(70)
    at(400)
    client, record = as_referee(evening), reverse("table-record", args=[evening.table.uid])
    form = hidden(open_page(client, "table-record", evening.table.uid)) | {"ended": "last", "step": "save"}
    for who, how in AT_HOME:
        form |= {f"outcome-{evening.uids[who]}": how, f"time-{evening.uids[who]}": "1:00"}
    form["began"] = began.astimezone(evening.tournament.zone).strftime("%Y-%m-%dT%H:%M")
    assert client.post(record, form).status_code == 303
    plays = [play.uid for play in results(evening).sheet.plays if play]
    assert plays.index(ejecting) == 2
    assert Play.objects.get(uid=plays[1]).table == evening.table


def test_an_ejection_still_acts_on_games_that_began_after_it(evening: Event, at: At) -> None:
    at(10)
    ejecting = enter(evening, 2, 1, *MOVED)
    at(70)
    wrong = {"table": evening.table.uid, "play": uuid4(), "number": 1, **game(evening, *AT_HOME)}
    path = f"/results/{evening.uids[0]}/player"
    assert refusal(evening, actions.record_game, **wrong) == [("disqualified_plays", path)]
    version = evening.play(ejecting).version
    evening.act(actions.void_play, play=ejecting, version=version, reason="wrong sheet")
    assert refusal(evening, actions.record_game, **wrong) == [("disqualified_plays", path)]


def test_moving_a_game_to_another_table_changes_nothing(evening: Event, at: At) -> None:
    at(10)
    first = tapped(evening, 2, 1, *AT_HOME)
    at(70)
    second = enter(evening, 1, 1, *AT_HOME)
    at(130)
    last = enter(evening, 1, 2, (2, "out"), (0, "ejected"), (4, "last"))
    before = standings(evening)
    at(200)
    new, version = uuid4(), evening.play(second).version
    there = evening.tables[1].uid
    evening.act(actions.move_play, play=second, version=version, to=there, new=new, reason="wrong table")
    assert standings(evening) == before
    assert [play.uid for play in results(evening).sheet.plays if play] == [first, new, last]


def test_who_was_removed_since_keeps_a_game_that_began_before(evening: Event, at: At) -> None:
    began = at(10)
    at(70)
    evening.act(actions.remove_player, entry=evening.uids[0], reason="disturbed")
    late = {"table": evening.table.uid, "play": uuid4(), "number": 1, **game(evening, *AT_HOME)}
    path = f"/results/{evening.uids[0]}"
    assert refusal(evening, actions.record_game, **late) == [("disqualified_plays", path)]
    evening.act(actions.record_game, **late, started_at=began)
    assert standings(evening)["Aino"] == (None, "disqualified", 1)


def test_an_entry_counts_from_when_it_was_made_on_a_phone_without_network(evening: Event, at: At) -> None:
    at(70)
    enter(evening, 2, 1, *MOVED)
    at(130)
    play = enter(evening, 1, 1, *AT_HOME, late_s=100 * 60)
    found = results(evening).play_of_round(1)
    assert found
    assert found.uid == play


@pytest.mark.usefixtures("real_moments")
@pytest.mark.parametrize(
    ("minutes", "code"),
    [(71, "start_in_future"), (70, "end_in_future"), (-1, "start_before_stage"), (0, ""), (68, "")],
)
def test_a_game_began_after_its_stage_and_before_now(evening: Event, at: At, minutes: int, code: str) -> None:
    began = at(minutes)
    at(70)
    late = {"table": evening.table.uid, "play": uuid4(), "number": 1, **game(evening, *AT_HOME)}
    late["started_at"] = began
    if code:
        assert refusal(evening, actions.record_game, **late) == [(code, "/started_at")]
    else:
        evening.act(actions.record_game, **late)
        assert evening.play(late["play"]).started_at == began


def test_a_correction_that_says_when_the_game_began_gives_it_its_place(evening: Event, at: At) -> None:
    began = at(10)
    at(70)
    first = enter(evening, 2, 1, (1, "out"), (3, "last"))
    at(80)
    second = enter(evening, 1, 1, *AT_HOME)
    for more, order in (
        ({}, [first, second]),
        ({"started_at": began}, [second, first]),
        ({}, [second, first]),
        ({"started_at": None}, [first, second]),
    ):
        seen = {"play": second, "version": evening.play(second).version, "reason": "the clock"}
        evening.act(actions.correct_game, **seen, **game(evening, *AT_HOME), **more)
        assert [play.uid for play in results(evening).sheet.plays if play] == order


def assert_names_both_games(evening: Event, referee: Client, home: UUID, moved: UUID) -> None:
    """The board, the table's page and the game's page say when the game on hold and the one with the ejection began,
    with a link to the correction of either."""
    organiser = Client()
    organiser.force_login(evening.user)
    zone = evening.tournament.zone
    starts = [at for play in (home, moved) if (at := evening.play(play).started_at)]
    held, ejects = (f"{at.astimezone(zone):%-H:%M:%S}." for at in starts)
    for page in (
        open_page(organiser, "organise-board", evening.tournament.slug),
        open_page(referee, "table", evening.table.uid),
        open_page(referee, "play", home),
    ):
        shown = text(page)
        assert f"Table 1, game 1 began at {held}" in shown
        assert f"Table 2, game 1, in which \u2068Aino\u2069 was ejected, began at {ejects}" in shown
        for play in (home, moved):
            assert f'href="{reverse("play-correct", args=[play])}#id_started_at"' in shown


def test_a_start_that_puts_another_game_on_hold_is_read_back_and_made_unknown_again(
    evening: Event, at: At
) -> None:
    """A correction that only moves Began moves the ejection in that game before a game at the other table."""
    home = enter(evening, 1, 1, *AT_HOME, started_at=at(70))
    moved = enter(evening, 2, 1, *MOVED, started_at=at(80))
    at(130)
    client, correct = as_referee(evening), reverse("play-correct", args=[moved])
    zone = evening.tournament.zone

    def read_back(began: str) -> tuple[str, dict[str, str]]:
        page = open_page(client, "play-correct", moved)
        form = hidden(page) | dict(page.context["typed"]) | {"began": began}
        look = client.post(correct, form | {"reason": "The clock", "step": "look"})
        return text(look), hidden(look) | {"step": "save"}

    wrong = at(60).astimezone(zone)
    at(130)
    shown, fields = read_back(f"{wrong:%Y-%m-%dT%H:%M}")
    assert "Nothing changed" not in shown
    assert f"{wrong:%-d %b %Y %-H:%M:%S}" in shown
    assert "Table 1, game 1 is on hold" in shown
    assert client.post(correct, fields).status_code == 303
    assert [evening.play(play).state for play in (home, moved)] == ["set_aside", "entered"]
    assert_names_both_games(evening, client, home, moved)
    shown, fields = read_back("")
    assert "Nothing changed" not in shown
    assert "Table 1, game 1 counts again" in shown
    assert client.post(correct, fields).status_code == 303
    assert evening.play(moved).started_at is None
    assert evening.play(home).state == "entered"


def test_a_second_entry_that_says_no_start_does_not_contradict_the_stored_one(evening: Event, at: At) -> None:
    began = at(10)
    at(70)
    play = enter(evening, 1, 1, *AT_HOME, started_at=began)
    again = {"table": evening.table.uid, "play": uuid4(), "number": 1, **game(evening, *AT_HOME)}
    for more, start in [({}, began), ({"started_at": at(60)}, at(60))]:
        at(70)
        found = conflict(evening, actions.record_game, **again, **more)
        assert (found.current.play.uid, found.offered.play.started_at) == (play, start)


def test_a_game_from_paper_is_not_taken_back_and_is_no_next_game(evening: Event, at: At) -> None:
    began = at(10)
    at(70)
    tap = tapped(evening, 1, 1, *AT_HOME)
    at(75)
    late = enter(evening, 1, 2, *AT_HOME, started_at=began)
    for play, found in ((late, [("nothing_to_take_back", f"/results/{evening.uids[0]}")]), (tap, [])):
        if found:
            assert refusal(evening, actions.take_back, play=play, entry=evening.uids[0]) == found
        else:
            evening.act(actions.take_back, play=play, entry=evening.uids[2])
    assert evening.play(tap).state == "running"


def test_a_refusal_names_the_game_that_stands_in_the_way(evening: Event, at: At) -> None:
    at(10)
    enter(evening, 2, 1, *MOVED)
    at(70)
    wrong = {"table": evening.table.uid, "play": uuid4(), "number": 1, **game(evening, *AT_HOME)}
    with pytest.raises(Refused) as refused:
        evening.act(actions.record_game, **wrong)
    (fault,) = refused.value.faults
    assert fault_text(fault, results(evening).names) == (
        "Aino was ejected earlier (Table 2, game 1). Leave them out, or enter when this game began if that was before."
    )
