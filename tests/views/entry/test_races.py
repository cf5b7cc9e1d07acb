"""A race's game at the desk: the same pad, the bell, who did not play, and what the pages say then."""

import re
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.desk import as_referee, hands, hidden, open_page, record_url, text
from tests.support.factories import Event, running_race
from tournament import actions
from tournament.models import Entry, Play, Result

pytestmark = pytest.mark.django_db


def filled(page: Any, **fields: str) -> dict[str, str]:
    return {**hidden(page), "last": "", **fields}


def save(client: Client, made: Event, **fields: str) -> None:
    """Fill in the next game at the first table, look at it, and save it."""
    data = filled(open_page(client, "table", made.table.uid), **fields)
    assert client.post(record_url(made), {**data, "step": "look"}).status_code == 200
    answer = client.post(record_url(made), {**data, "step": "save"})
    assert answer.status_code == 303, text(answer)


def rows(play: Play) -> dict[UUID, tuple[str, dict[str, int]]]:
    return {
        row.entry.uid: (row.outcome, row.hand)
        for row in Result.objects.filter(play=play).select_related("entry")
    }


def test_a_game_is_entered_on_the_pad_of_a_round() -> None:
    made = running_race(3)
    client, (first, second, third) = as_referee(made), made.uids
    page = text(open_page(client, "table", made.table.uid))
    assert "Game 1" in page
    assert "Round" not in re.sub(r"<template.*?</template>|Background", "", page, flags=re.DOTALL)
    save(client, made, winner=str(first), **hands((second, "7", 1), (third, "skip", 2)))
    assert rows(Play.objects.get()) == {
        first: ("won", {}),
        second: ("holds", {"7": 1}),
        third: ("holds", {"skip": 2}),
    }


def test_time_may_be_up_before_anyone_is_out() -> None:
    made = running_race(2, scoring="winner_takes")
    client, (first, second) = as_referee(made), made.uids
    assert "Nobody: time was up" in text(open_page(client, "table", made.table.uid))
    save(client, made, winner="time", **hands((first, "9", 1), (second, "7", 1)))
    play = Play.objects.get()
    assert (play.ended, {outcome for outcome, _hand in rows(play).values()}) == ("time", {"holds"})
    page = text(open_page(client, "play-correct", play.uid))
    assert re.search(r'name="winner" value="time" checked', page)


def test_who_is_seated_but_did_not_play_has_no_hand_and_no_game() -> None:
    made = running_race(3)
    client, (first, second, third) = as_referee(made), made.uids
    save(client, made, winner=str(first), **hands((second, "7", 1)), **{f"out-{third}": "absent"})
    assert third not in rows(Play.objects.get())


def test_a_form_opened_before_the_seats_were_drawn_again_keeps_its_players() -> None:
    made = running_race(4, tables=2)
    client, (first, second, third, fourth) = as_referee(made), made.uids
    data = filled(open_page(client, "table", made.table.uid), winner=str(first), **hands((third, "7", 1)))
    seats = [{"number": 1, "entries": [first, second]}, {"number": 2, "entries": [third, fourth]}]
    made.act(actions.seat_stage, stage=made.stage.uid, tables=seats)
    assert client.post(record_url(made), {**data, "step": "save"}).status_code == 303
    assert rows(Play.objects.get()).keys() == {first, third}


def test_a_correction_shows_the_players_of_then_and_who_did_not_play() -> None:
    made = running_race(3)
    client, (first, second, third) = as_referee(made), made.uids
    save(client, made, winner=str(first), **hands((second, "7", 1)), **{f"out-{third}": "absent"})
    play = Play.objects.get()
    seats = [{"number": 1, "entries": [first, second]}, {"number": 2, "entries": [third]}]
    made.act(actions.seat_stage, stage=made.stage.uid, tables=seats)
    page = open_page(client, "play-correct", play.uid)
    assert [each.out for each in page.context["outs"]] == ["", "", "absent"]
    url = reverse("play-correct", args=[play.uid])
    data = filled(page, winner=str(second), reason="misread", **hands((first, "9", 1)))
    data[f"out-{third}"] = "absent"
    look = client.post(url, {**data, "step": "look"})
    assert look.status_code == 200
    assert "Börje" in text(look)
    assert client.post(url, {**data, "step": "save"}).status_code == 303
    assert rows(play) == {first: ("holds", {"9": 1}), second: ("won", {})}
    page = open_page(client, "play-correct", play.uid)
    held = hands((first, "9", 1), (third, "7", 1))
    data = filled(page, winner=str(second), reason="played too", **held)
    assert client.post(url, {**data, "step": "save"}).status_code == 303
    assert rows(play)[third] == ("holds", {"7": 1})


def test_what_cannot_be_is_said_at_its_hand_and_nothing_is_lost() -> None:
    made = running_race(3)
    client, (first, second, third) = as_referee(made), made.uids
    data = filled(open_page(client, "table", made.table.uid), winner=str(first), **hands((second, "7", 1)))
    page = client.post(record_url(made), {**data, "step": "save"})
    assert page.status_code == 422
    assert f'id="hand-{third}_error"' in text(page)
    assert re.search(rf'name="hand-{second}-7" value="1"', text(page))


def test_the_public_page_ranks_by_what_the_settings_say() -> None:
    made = running_race(3, scoring="placing", rank=["wins", "average"], min_games=1)
    client, (first, second, third) = as_referee(made), made.uids
    save(client, made, winner=str(first), **hands((second, "7", 1), (third, "7", 1)))
    page = text(Client().get(reverse("stage", args=[made.tournament.slug, made.stage.uid])))
    assert "Ranked in this order: most games won, highest average points a game." in page
    for heading in ("Games won", "Average", "Games", "Points"):
        assert heading in page
    assert "0.25" in page
    own = text(Client().get(reverse("entry", args=[made.tournament.slug, second])))
    assert "Behind" in own
    assert "0 of 2 others held more points, 1 as many" in own


@pytest.mark.parametrize("kind", ["race", "races"])
def test_every_page_about_a_race_opens(kind: str) -> None:
    made = running_race(
        6, kind=kind, tables=2, scoring="winner_takes", rank=["wins", "cards", "total"], best=2
    )
    for table in made.tables:
        for number in (1, 2):
            first, *others = made.at(table)
            held = {str(uid): {"7": number} for uid in others}
            new = {"table": table.uid, "play": uuid4(), "number": number}
            made.act(actions.record_round, **new, winner=first, hands=held)
    for entry, club in zip(made.entries, "aabbab", strict=True):
        Entry.objects.filter(pk=entry.pk).update(club=club)
    client, slug = Client(), made.tournament.slug
    client.force_login(made.user)
    play = Play.objects.first()
    assert play
    for name, *args in (
        ("tournament", slug),
        ("stage", slug, made.stage.uid),
        ("entry", slug, made.uids[0]),
        ("clubs", slug),
        ("screens", slug),
        ("workbook", slug),
        ("data", slug),
        ("organise-board", slug),
        ("organise-stage", made.stage.uid),
        ("organise-seats", made.stage.uid),
        ("organise-seats-print", made.stage.uid),
        ("organise-table-sheets", made.stage.uid),
        ("table", made.table.uid),
        ("table-players", made.table.uid),
        ("play", play.uid),
        ("play-void", play.uid),
    ):
        answer = client.get(reverse(name, args=args), follow=True)
        assert answer.status_code == 200, name
    for part in ("Games won", "Cards left"):
        assert part in text(client.get(reverse("stage", args=[slug, made.stage.uid])))


def test_the_next_draw_leaves_out_who_has_played_all_games_allowed() -> None:
    made = running_race(5, max_games=1)
    client = Client()
    client.force_login(made.user)
    seats = reverse("organise-seats", args=[made.stage.uid])
    assert "Sitting out" not in text(client.get(seats))
    first, second, *others = made.uids
    new = {"table": made.table.uid, "winner": first, "hands": {str(second): {"7": 1}}}
    made.act(actions.record_round, **new, play=uuid4(), number=1, entries=[first, second])
    page = client.get(f"{seats}?draw=1&who=expected&seed=1&order=drawn")
    assert "all the games that the settings allow: Aino and Börje." in text(page)
    drawn = page.context["proposal"].tables
    assert sorted(uid for table in drawn.values() for uid in table) == sorted(map(str, others))
    made.act(
        actions.record_round,
        table=made.table.uid,
        play=uuid4(),
        number=2,
        winner=others[0],
        hands={str(uid): {"7": 1} for uid in others[1:]},
        entries=others,
    )
    page = client.get(f"{seats}?draw=1&who=expected&seed=1&order=drawn")
    assert page.status_code == 200
    assert "Börje, Cécile" in text(page)
