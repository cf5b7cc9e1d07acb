"""Seats for all games of a race or session at once: drawn on the seats' page, seated game by game, changed for who is
here."""

from uuid import uuid4

import pytest
from django.urls import reverse

from tests.support.desk import text
from tests.support.factories import Event, add_stage, event, recorded_round
from tests.views.organiser.conftest import Browser
from tournament import actions
from tournament.models import Play, Seat, User
from tournament.seating import DrawRecord, met_in

pytestmark = pytest.mark.django_db

Tables = dict[int, list[int]]


@pytest.fixture
def made(organiser: User) -> Event:
    """A race of nine at three tables, of three games each."""
    made = event("mattel-108", 9, user=organiser)
    return add_stage(made, "race", tables=0, start=False, scoring="own_hand", min_games=3, max_games=3)


def page_of(made: Event, query: str = "") -> str:
    return reverse("organise-seats", args=[made.stage.uid]) + query


def seats_now(made: Event) -> Tables:
    tables: Tables = {}
    seats = Seat.objects.filter(table__stage=made.stage, out_as="").order_by("table__number", "position")
    for number, start in seats.values_list("table__number", "entry__start_number"):
        tables.setdefault(number, []).append(start)
    return tables


def drawn(browser: Browser, made: Event, query: str = "?tables=3&games=3") -> Tables:
    """Draw, save what is proposed, and read the seats."""
    answer = browser.send(page_of(made, query), "/seats/")
    assert answer.status_code == 303, text(answer)
    return seats_now(made)


def play_everywhere(made: Event) -> None:
    """A game at each table, won by who sits first."""
    made.refresh()
    for table in made.tables:
        winner, *others = made.at(table)
        number = Play.objects.filter(table=table).count() + 1
        hands = {str(uid): {"7": 1} for uid in others}
        made.act(
            actions.record_round, table=table.uid, play=uuid4(), number=number, winner=winner, hands=hands
        )


def test_all_games_are_drawn_and_seated_one_after_another(browser: Browser, made: Event) -> None:
    page = browser.get(page_of(made))
    assert "Seat all 3 games" in text(page)
    proposal = text(browser.get(page_of(made, "?tables=3&games=3"), follow=True))
    assert "<li>3 tables of 3</li><li>Game 1 of 3</li><li>Nobody meets again</li>" in proposal
    assert "Seats of all 3 games" in proposal
    games = [drawn(browser, made)]
    made.act(actions.start_stage, stage=made.stage.uid)
    for number in (2, 3):
        play_everywhere(made)
        assert f"Seats for game {number}" in text(browser.get(page_of(made)))
        games.append(drawn(browser, made, "?draw=1"))  # as the stage's page says "Draw next game's seats"
    record = DrawRecord.from_json(made.refresh().stage.draw)
    assert (record.game, len(record.evening)) == (3, 3)
    assert max(met_in([game.values() for game in games]).values()) == 1
    assert {start for game in games for table in game.values() for start in table} == set(range(1, 10))
    play_everywhere(made)
    assert "Seats for game" not in text(browser.get(page_of(made)))


def test_who_comes_late_is_seated_with_few_changes_and_begun_games_stay(
    browser: Browser, made: Event
) -> None:
    drawn(browser, made)
    made.act(actions.enter_players, players=[{"entry": uuid4(), "name": "Late"}])
    assert sorted(map(len, drawn(browser, made, "?draw=1").values())) == [3, 3, 4]  # nothing has begun
    made.act(actions.start_stage, stage=made.stage.uid)
    play_everywhere(made)
    before = DrawRecord.from_json(made.refresh().stage.draw)
    gone = made.uids[0]
    made.act(actions.player_leaves, entry=gone)
    second = drawn(browser, made, "?draw=1")
    assert {start for table in second.values() for start in table} == set(range(2, 11))
    after = DrawRecord.from_json(made.refresh().stage.draw)
    assert after.game == 2
    assert after.evening[0] == tuple(
        tuple(player for player in table if player != str(gone)) for table in before.evening[0]
    )
    assert sorted(map(len, drawn(browser, made, "?draw=1&games=3&tables=4&least=2").values())) == [2, 2, 2, 3]


def test_games_are_not_drawn_at_once_for_one_table(browser: Browser, organiser: User) -> None:
    few = add_stage(
        event("mattel-108", 3, user=organiser), "race", tables=0, start=False, scoring="own_hand", max_games=3
    )
    assert "Seat all" not in text(browser.get(page_of(few)))


def test_games_are_not_drawn_at_once_where_play_has_begun_or_their_number_is_unknown(
    browser: Browser, made: Event
) -> None:
    drawn(browser, made, "?tables=3")
    made.act(actions.start_stage, stage=made.stage.uid)
    recorded_round(made.refresh())
    late = browser.get(page_of(made, "?tables=3&games=3"), follow=True)
    assert "Play has gone on, so these games can no longer be drawn at once." in text(late)
    assert "Seat all" not in text(late)
    wrong = browser.get(page_of(made, "?tables=3&games=x"), follow=True)
    assert wrong.status_code == 200
    unknown = add_stage(
        event("mattel-108", 4, user=made.user), "race", tables=0, start=False, scoring="own_hand"
    )
    assert "Seat all" not in text(browser.get(page_of(unknown)))
