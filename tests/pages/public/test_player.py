"""A player's page: the next seat, what matters now, what comes, and all that the browser needs to make it "mine"."""

import re
from datetime import UTC, datetime
from html import unescape
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.support.arriving import opened, registered, token_of
from tests.support.championships import championship
from tests.support.factories import (
    Event,
    add_stage,
    event,
    recorded_heat,
    recorded_round,
    running_heats,
    running_match,
    running_session,
)
from tests.support.pages import folded
from tournament import actions
from tournament.models import Entry, Stage
from tournament.models.event import EntryQuerySet
from tournament.queries.programme import Plan

pytestmark = pytest.mark.django_db


def page(made: Event, rest: str = "") -> str:
    response = Client().get(f"/en/t/{made.tournament.slug}/{rest}")
    assert response.status_code == 200
    return folded(response)


def of(made: Event, index: int = 0) -> str:
    return page(made, f"player/{made.uids[index]}/")


def read(text: str) -> str:
    """The words of the page's content as people read them."""
    main = text.partition("<main")[2].partition("</main>")[0]
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", main)).split())


def game(made: Event, minutes: dict[UUID, int], last: UUID) -> None:
    results: list[dict[str, Any]] = [
        {"entry": uid, "outcome": "out", "elapsed_s": 60 * at} for uid, at in minutes.items()
    ]
    made.act(
        actions.record_game,
        table=made.table.uid,
        play=uuid4(),
        number=made.table.plays.count() + 1,
        ended="last",
        results=[*results, {"entry": last, "outcome": "last"}],
    )


# ---- the next seat ----


def test_the_seat_says_table_seat_and_who_sits_there_clockwise() -> None:
    made = running_match(4)
    assert "Now: Match Table 1, seat 2 clockwise from here: Cécile , Dima , Aino" in read(of(made, 1))


def test_whoever_left_sits_beside_nobody() -> None:
    made = running_session(4)
    made.act(actions.player_leaves, entry=made.uids[2])
    assert "clockwise from here: Dima , Aino" in read(of(made, 1))
    assert "Table 1, seat" not in read(of(made, 2))


def test_the_next_seat_is_where_something_is_still_to_be_played() -> None:
    made = running_heats(8, tables=2, advance=2)
    recorded_heat(made)
    through, out = made.at(made.table)[0], made.at(made.table)[3]
    assert ", seat" not in read(page(made, f"player/{out}/"))
    recorded_heat(made, made.tables[1])
    made.act(actions.finish_stage, stage=made.stage.uid)
    final = uuid4()
    made.act(actions.plan_stage, stage=final, kind="final", settings={"target": 300})
    made.act(actions.fill_stage, stage=final)
    text = read(page(made, f"player/{through}/"))
    assert "Next : Final Table 1, seat" in text.replace("Next:", "Next :")
    assert "Table 1, seat" not in read(page(made, f"player/{out}/"))


def test_a_match_that_is_over_has_no_next_seat() -> None:
    made = running_match(3, target=10)
    assert "Now: Match" in read(of(made))
    recorded_round(made)
    assert "Now: Match" not in read(of(made))


# ---- what a phone is told while nobody looks (js/watch/notifications.js) ----


def telling(made: Event, index: int = 0) -> list[tuple[str, str]]:
    """List the notifications for the player: the value that makes each new, and its title."""
    found = re.findall(r'data-tell-of="[^"]+" data-is="([^"]*)" data-title="([^"]*)"', of(made, index))
    return [(value, unescape(title)) for value, title in found]


def test_a_seat_the_begin_of_play_a_call_and_the_final_place_are_told() -> None:
    made = championship()
    through = "You are through"
    at = made.at(made.table).index(made.uids[0]) + 1
    assert telling(made) == [
        ("through", through),
        (f"1-{at}-planned", f"Your seat is ready. Table 1, seat {at}"),
    ]
    made.act(actions.start_stage, stage=made.stage.uid)
    made.act(actions.call_referee, table=made.table.uid)
    recorded_round(made, made.uids[0])
    assert [title for _value, title in telling(made)] == [
        f"Play begins. Table 1, seat {at}",
        "Table 1 has called a referee",
        through,
    ]
    made.act(actions.stop_match, table=made.table.uid, reason="late")
    made.act(actions.finish_stage, stage=made.stage.uid)
    assert telling(made) == [("1", "Final place: 1"), ("through", through)]


def test_frozen_standings_tell_nothing() -> None:
    made = running_match(3, target=20)
    made.act(actions.freeze_standings, stage=made.stage.uid)
    recorded_round(made, None, **{str(made.uids[1]): {"wild": 1}})
    made.act(actions.finish_stage, stage=made.stage.uid)
    assert telling(made) == []
    made.act(actions.lift_freeze, stage=made.stage.uid)
    assert telling(made) == [("1", "Final place: 1")]


def test_who_is_out_in_the_heats_reads_it_as_the_answer() -> None:
    made = running_heats(8, tables=2)
    out = made.at(made.table)[3]
    assert "Not through" not in read(page(made, f"player/{out}/"))
    recorded_heat(made)
    text = read(page(made, f"player/{out}/"))
    assert "Heats Not through" in text
    assert "Why not through? Still had cards when the heat ended" in text


def test_the_event_s_page_says_who_plays_instead_of_a_finalist_who_has_gone() -> None:
    made = championship(players=8)
    gone, instead = made.at(made.table)[0], made.uids[6]
    swap = {"out": gone, "enters": instead, "reason": "left early"}
    made.act(actions.swap_finalist, stage=made.stage.uid, **swap)
    made.act(actions.start_stage, stage=made.stage.uid)
    names = {entry.uid: entry.public_name for entry in made.entries}
    other = next(names[uid] for uid in made.at(made.table) if uid != instead)
    text = read(page(made)).replace(" ,", ",")
    assert f"Through {other}, {names[instead]} Not playing: {names[gone]}" in text
    assert f"Through by decision: {names[instead]}" in text
    heats = made.tournament.stages.get(number=1)
    own = page(made, f"stage/{heats.uid}/")  # the heats' own page says the same, and marks nobody else
    text = read(own).replace(" ,", ",")
    assert f"2 through {other}, {names[instead]} Not playing: {names[gone]}" in text
    assert f"Through by decision: {names[instead]}" in text
    marked = re.findall(r'class="is-through">.*?<bdi>(.*?)</bdi>', own, re.DOTALL)
    assert sorted(marked) == sorted([other, names[instead]])
    assert "Not playing: Final" in read(page(made, f"player/{gone}/"))
    assert "Through by decision: Final" in read(page(made, f"player/{instead}/"))
    unmoved = read(page(made, f"player/{made.uids[7]}/"))
    assert "Not playing" not in unmoved
    assert "decision: Final" not in unmoved


# ---- the stage that matters, the others ----


def test_the_running_stage_comes_first_and_the_one_before_below() -> None:
    made = running_heats(8, tables=4)
    for table in made.tables:
        recorded_heat(made, table)
    made.act(actions.finish_stage, stage=made.stage.uid)
    final = uuid4()
    made.act(actions.plan_stage, stage=final, kind="final", settings={"target": 300})
    made.act(actions.fill_stage, stage=final)
    made.act(actions.start_stage, stage=final)
    text = of(made)
    assert re.findall(r'data-title="(\w+)"', text) == ["Final", "Heats"]
    assert text.index('id="why-1"') > text.index('data-title="Heats"')


def test_order_on_the_page_is_the_order_of_what_matters() -> None:
    made = running_session(3)
    game(made, {made.uids[0]: 10, made.uids[1]: 20}, made.uids[2])
    game(made, {made.uids[0]: 10, made.uids[1]: 20}, made.uids[2])
    made.act(actions.plan_stage, stage=uuid4(), kind="session")
    later = Stage.objects.get(tournament=made.tournament, number=2)
    plan = Plan(starts_at=datetime(2026, 5, 9, 17, 30, tzinfo=UTC)).as_json()
    made.act(actions.set_programme, stages=[{"stage": later.uid, "plan": plan}])
    made.act(actions.publish_programme)
    text = of(made)
    parts = [
        "data-state-of",
        "my-seat",
        'class="panel needs',
        'id="coming"',
        "data-news",
        'class="why"',
        'class="list plays"',
        "<figure",
    ]
    at = [text.index(part) for part in parts]
    assert at == sorted(at)


def hero(text: str) -> str:
    """The words of the box that the page begins with."""
    box = text.partition('class="my-place row felt"')[2].partition("</div>")[0]
    return read(f"<main{box}</main>").partition("> ")[2]


def test_the_place_and_the_points_are_the_first_box_while_something_is_played_and_after_it() -> None:
    made = running_match(3, target=100)
    assert 'class="felt my-seat' in of(made)  # before the first round the seat is
    recorded_round(made, None, **{str(made.uids[1]): {"9": 1}})
    assert hero(of(made)) == "Match Place 1 Points 16"
    assert 'class="panel my-seat' in of(made)
    made.act(actions.freeze_standings, stage=made.stage.uid)
    recorded_round(made, made.uids[1], **{str(made.uids[0]): {"wild": 1}})
    assert hero(of(made)) == "Match Place 1 Points 16"
    made.act(actions.lift_freeze, stage=made.stage.uid)
    assert hero(of(made)) == "Match Place 2 Points 16"
    made.act(actions.remove_player, entry=made.uids[0], reason="cheated")
    assert hero(of(made)) == "Match Points 16 Disqualified"


def test_state_that_the_browser_compares_is_in_the_page() -> None:
    made = running_session(3)
    game(made, {made.uids[0]: 10, made.uids[1]: 20}, made.uids[2])
    text = of(made, 1)
    for each in (
        f'data-state-of="{made.stage.uid}"',
        'data-title="Session"',
        'data-place="2"',
        'data-value="20.00"',
        'data-games="1"',
        'data-table="1" data-seat="2"',
        'data-zone="Europe/Helsinki"',
    ):
        assert each in text


def test_plays_that_do_not_count_are_not_counted() -> None:
    made = running_match(3)
    play = recorded_round(made)
    recorded_round(made)
    version = made.play(play).version
    made.act(actions.void_play, play=play, version=version, reason="counted twice")
    assert 'data-games="1"' in of(made)


def test_rows_of_standings_lead_to_why() -> None:
    made = running_match(3)
    recorded_round(made)
    uid = made.uids[1]
    text = page(made, f"stage/{made.stage.uid}/")
    assert f'href="/en/t/{made.tournament.slug}/player/{uid}/#why-1"' in text
    assert f'id="at-{uid}"' in text
    own = of(made, 1)
    assert 'id="why-1"' in own
    assert f'href="/en/t/{made.tournament.slug}/stage/{made.stage.uid}/#at-{uid}"' in own


# ---- what comes ----


@pytest.fixture
def evening() -> Event:
    made = add_stage(event("mattel-108", 4), "match", start=False)
    plan = Plan(starts_at=datetime(2026, 5, 9, 17, 30, tzinfo=UTC)).as_json()
    made.act(actions.set_programme, stages=[{"stage": made.stage.uid, "plan": plan}])
    return made


def test_programme_is_on_the_page_once_it_is_published(evening: Event) -> None:
    assert "20:30" not in of(evening)
    evening.act(actions.publish_programme)
    text = read(of(evening))
    assert "Next at 20:30: Match Table 1, seat 1" in text
    assert "Coming up 20:30 Match" in text


def test_a_part_that_has_begun_does_not_come_any_more(evening: Event) -> None:
    evening.act(actions.publish_programme)
    evening.act(actions.start_stage, stage=evening.stage.uid)
    assert "Coming up" not in read(of(evening))


# ---- the list of players ----


def named(made: Event, *names: str) -> None:
    rows = [{"entry": uuid4(), "name": name, "club": "Club of " + name[0]} for name in names]
    made.act(actions.enter_players, players=rows)


@pytest.mark.parametrize(
    ("language", "letters"), [("fi", ["A", "B", "Z", "Ä", "Ö", "#"]), ("en", ["A", "B", "O", "Z", "#"])]
)
def test_players_are_listed_by_the_events_letters_with_number_and_club(
    language: str, letters: list[str]
) -> None:
    made = event(language=language)
    named(made, "Östen", "bea", "Ada", "Zoë", "7up", "Ärla", "Bo")
    text = page(made, "players/")
    assert re.findall(r'class="letters__one"[^>]*>(.)<', text) == letters
    assert re.findall(r"<a href=\"#letter-\d\">(.)<", text) == letters
    assert "B 2 bea Club of b 7 Bo Club of B" in read(text)


def test_who_only_asked_is_not_listed() -> None:
    made = opened(approval=True)
    registered(made, "Asks only")
    assert "Asks only" not in page(made, "players/")
    assert "No players yet." in page(made, "players/")


def test_an_event_names_a_few_players_and_counts_many() -> None:
    made = event()
    named(made, *(f"Player {number:02}" for number in range(60)))
    assert "Player 42" in page(made)
    named(made, "The straw")
    text = page(made)
    assert "Player 42" not in text
    assert "All 61 players" in text
    assert f'href="/en/t/{made.tournament.slug}/players/"' in text
    assert "Player 42" in page(made, "players/")


# ---- my own link ----


def test_own_page_remembers_whoever_takes_part_and_shows_no_token_to_the_script() -> None:
    made = opened()
    uid = registered(made, "Ada")
    token = token_of(uid)
    text = Client().get(f"/en/p/{token}/").content.decode()
    assert f'data-me-own="{uid}"' in text
    assert f'data-me="{made.tournament.uid}"' in text
    assert token not in text[text.index("data-me=") : text.index("</nav>", text.index("data-me="))]


def test_own_page_of_who_waits_remembers_nobody() -> None:
    made = opened(approval=True)
    uid = registered(made, "Ada")
    text = Client().get(f"/en/p/{token_of(uid)}/").content.decode()
    assert "data-me" not in text
    assert "me.js" not in text


# ---- what it costs ----


def queries(path: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert Client().get(path).status_code == 200
    return len(captured)


def test_a_player_s_page_asks_as_often_for_one_round_as_for_three() -> None:
    made = running_match(3)
    path = f"/en/t/{made.tournament.slug}/player/{made.uids[0]}/"
    recorded_round(made)
    one = queries(path)
    recorded_round(made)
    recorded_round(made)
    assert queries(path) == one <= 12


def test_players_are_listed_by_as_many_questions_for_one_as_for_three() -> None:
    made = event(players=1)
    path = f"/en/t/{made.tournament.slug}/players/"
    one = queries(path)
    named(made, "Ada", "Bo")
    assert queries(path) == one <= 5


def test_bytes_are_the_same_for_the_player_and_for_everybody() -> None:
    made = running_match(3)
    recorded_round(made)
    path = f"/en/t/{made.tournament.slug}/player/{made.uids[0]}/"
    mine = Client(headers={"cookie": f"me={made.uids[0]}"}).get(path)
    assert mine.content == Client().get(path).content
    assert not mine.cookies
    assert Entry.objects.filter(tournament=made.tournament).count() == 3


@pytest.mark.parametrize(("players", "seconds"), [(4, None), (210, 2), (1_500, 10)])
def test_pages_of_many_players_are_asked_for_within_some_seconds(
    players: int, seconds: int | None, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = running_session(4)
    monkeypatch.setattr(EntryQuerySet, "count", lambda _: players)
    page = client.get(reverse("entry", args=[made.tournament.slug, made.uids[0]])).content.decode()
    assert ("data-spread" in page) == (seconds is not None)
    assert seconds is None or f' data-spread="{seconds}"' in page
