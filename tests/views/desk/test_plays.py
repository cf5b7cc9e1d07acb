"""Corrections at the desk: what follows is said first, everything before can be gone back to, and what was set aside is
decided; two versions side by side; who else is entering."""

import re
from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.support.championships import championship
from tests.support.desk import (
    as_referee,
    correction,
    ended,
    hands,
    hidden,
    open_page,
    put_back_words,
    save_correction,
    text,
)
from tests.support.factories import (
    recorded_heat,
    running_heats,
    running_match,
    running_session,
)
from tournament import actions
from tournament.models import LedgerRow, Play, Stage, Table, Typing

pytestmark = pytest.mark.django_db


def sentences(page):
    """What follows, as the page says it, without the marks that isolate names."""
    found = re.search(r'confirm__follows">(.*?)</ul>', text(page), re.S)
    lines = re.findall(r"<li>(.*?)</li>", found[1]) if found else []
    return [line.replace("\u2068", "").replace("\u2069", "") for line in lines]


def looked(client: Client, play: UUID, **typed: str):
    page = client.post(reverse("play-correct", args=[play]), correction(client, play, **typed))
    assert page.status_code == 200
    return page


# ---- what follows ----


def test_a_target_reached_earlier_sets_later_rounds_aside() -> None:
    match, plays = ended(4)
    client = as_referee(match)
    wild = {"winner": str(match.uids[0]), **hands((match.uids[1], "wild", 1))}
    assert sentences(looked(client, plays[1], **wild)) == [
        "The match ends with Round 2: Aino has won.",
        "Round 3, Round 4 are set aside until somebody decides: they could not have been played.",
    ]


def test_a_match_that_was_over_is_open_again_and_the_leader_changes() -> None:
    match, plays = ended(5)
    client = as_referee(match)
    other = {"winner": str(match.uids[1]), **hands((match.uids[0], "9", 3))}
    assert sentences(looked(client, plays[0], **other)) == [
        "The match is open again: nobody has reached the target. More rounds can be entered.",
    ]
    five = {"winner": str(match.uids[1]), **hands((match.uids[0], "wild", 1))}
    assert sentences(looked(client, plays[4], **five)) == [
        "Börje has won the match, no longer Aino.",
        "Börje moves up from place 2 to place 1.",
        "Aino moves down from place 1 to place 2.",
    ]


def test_a_target_reached_later_brings_rounds_back() -> None:
    match, plays = ended(4)
    client = as_referee(match)
    wild = {"winner": str(match.uids[0]), **hands((match.uids[1], "wild", 1))}
    page = looked(client, plays[1], **wild)
    assert client.post(page.context["entering"].url, {**hidden(page), "step": "save"}).status_code == 303
    seven = {"winner": str(match.uids[0]), **hands((match.uids[1], "9", 2), (match.uids[1], "wild", 0))}
    assert sentences(looked(client, plays[1], **seven)) == [
        "The target is reached later: the match ends with Round 3, not with Round 2.",
        "Round 3 counts again.",
    ]


def test_a_correction_without_consequences_says_so() -> None:
    match, plays = ended(1)
    client = as_referee(match)
    eight = {"winner": str(match.uids[0]), **hands((match.uids[1], "7", 0), (match.uids[1], "8", 1))}
    page = looked(client, plays[0], **eight)
    assert sentences(page) == ["The points change, and no place does."]
    change = page.context["change"]
    for rows in (change.points, change.totals):
        assert [(row.what, row.yours, row.theirs) for row in rows] == [("Aino", "7 points", "8 points (+1)")]


def test_a_correction_that_changes_nothing_says_so() -> None:
    match, plays = ended(1)
    client = as_referee(match)
    seven = {"winner": str(match.uids[0]), **hands((match.uids[1], "7", 1))}
    page = looked(client, plays[0], **seven)
    assert sentences(page) == ["Nothing changed."]
    assert not page.context["change"].points


def test_finalists_that_change_are_named_with_the_seats_they_have() -> None:
    made = championship()
    heats = Stage.objects.get(tournament=made.tournament, number=1)
    made.act(actions.reopen_stage, stage=heats.uid, reason="misread")
    play = Play.objects.get(table__stage=heats, table__number=1)
    first, second, _third = made.at(play.table)
    client = as_referee(made)
    names = {entry.uid: entry.public_name for entry in made.entries}
    page = looked(client, play.uid, **{f"order-{first}": "", f"order-{second}": "1"})
    assert sentences(page) == [
        f"{names[second]} goes through now.",
        f"{names[first]} does not go through any more.",
        f"{names[first]}: seated in Final already. The seats stay until the organiser decides.",
    ]


def test_making_void_says_what_follows() -> None:
    match, plays = ended(5)
    page = open_page(as_referee(match), "play-void", plays[0])
    assert any("The match is open again" in line for line in sentences(page))


# ---- the way back ----


def test_each_earlier_version_says_what_going_back_means() -> None:
    match, plays = ended(2)
    client = as_referee(match)
    first = Play.objects.get(uid=plays[0]).version
    save_correction(client, plays[0], winner=str(match.uids[0]), **hands((match.uids[1], "wild", 1)))
    page = open_page(client, "play", plays[0])
    ways = {event.sequence: event.back for event in page.context["events"]}
    assert [sequence for sequence, back in ways.items() if back] == [first]
    assert ways[first].follows[:2] == [
        "The match is open again: nobody has reached the target. More rounds can be entered.",
        "Round 2 counts again.",
    ]
    assert text(page).count(f"{ways[first].words}</button>") == 1


def test_a_void_is_undone_with_one_tap() -> None:
    heats = running_heats(players=4, tables=1)
    play = recorded_heat(heats)
    client = as_referee(heats)
    void = client.post(
        reverse("play-void", args=[play]), {**hidden(open_page(client, "play-void", play)), "reason": "x"}
    )
    page = client.get(void.url)
    back = page.context["put_back"]
    assert put_back_words(page) == "Make it count again"
    sent = {"command": str(back.back.command), "version": back.play.version, "to": back.back.to}
    done = client.post(reverse("play-revert", args=[play]), sent)
    assert Play.objects.get(uid=play).state == "entered"
    assert put_back_words(client.get(done.url)) == "Make it void again"
    assert "Back to an earlier version" in text(open_page(client, "play", play))


@pytest.mark.parametrize(
    "fields", [{"to": "x"}, {"to": ""}, {"to": "9" * 30}, {"version": "x"}, {"command": ""}]
)
def test_no_hostile_field_breaks_the_way_back(fields) -> None:
    match, plays = ended(1)
    client = as_referee(match)
    sent = {"command": str(uuid4()), "version": "1", "to": "1", **fields}
    assert client.post(reverse("play-revert", args=[plays[0]]), sent).status_code in {409, 422}
    assert client.get(reverse("play-revert", args=[plays[0]])).status_code == 302


def test_nothing_goes_back_while_nothing_may_be_entered() -> None:
    match, plays = ended(1)
    client = as_referee(match)
    save_correction(client, plays[0], winner=str(match.uids[0]), **hands((match.uids[1], "wild", 1)))
    match.act(actions.finish_stage, stage=match.stage.uid)
    assert reverse("play-revert", args=[plays[0]]) not in text(open_page(client, "play", plays[0]))


# ---- set aside ----


def test_what_was_set_aside_is_decided_before_the_stage_is_finished() -> None:
    match, plays = ended(2)
    client = as_referee(match)
    save_correction(client, plays[0], winner=str(match.uids[0]), **hands((match.uids[1], "wild", 1)))
    page = open_page(client, "table", match.table.uid)
    assert reverse("play-correct", args=[plays[1]]) in text(page)
    assert reverse("play-void", args=[plays[1]]) in text(page)
    board = Client()
    board.force_login(match.user)
    assert "Waits for a decision" in text(board.get(reverse("organise-board", args=[match.tournament.slug])))
    void = {**hidden(open_page(client, "play-void", plays[1])), "reason": "Not played"}
    assert client.post(reverse("play-void", args=[plays[1]]), void).status_code == 303
    assert "Set aside: decide" not in text(open_page(client, "table", match.table.uid))


# ---- the wrong table ----


# ---- two versions ----


# ---- who else is entering ----


def tell(client: Client, table: Table, on: str = "1"):
    return client.post(reverse("table-typing", args=[table.uid]), {"on": on}).json()["others"]


def test_two_devices_at_a_table_are_told_of_each_other() -> None:
    match = running_match(players=2)
    one, other = as_referee(match), as_referee(match)
    assert tell(one, match.table) == []
    [said] = tell(other, match.table)
    assert said["text"] == f"{said['name']} is entering at this table on another phone"
    assert 0 <= said["seconds"] < 30
    assert len(tell(one, match.table)) == 1
    assert said["text"] in text(open_page(other, "table", match.table.uid))
    tell(one, match.table, on="")
    assert tell(other, match.table) == []


def test_a_sign_holds_half_a_minute_and_is_kept_for_ten() -> None:
    match = running_match(players=2, tables=1)
    one, other = as_referee(match), as_referee(match)
    tell(one, match.table)
    Typing.objects.update(at=timezone.now() - timedelta(seconds=31))
    assert tell(other, match.table) == []
    assert Typing.objects.count() == 2
    Typing.objects.filter(at__lt=timezone.now() - timedelta(seconds=30)).update(
        at=timezone.now() - timedelta(minutes=11)
    )
    tell(other, match.table)
    assert Typing.objects.count() == 1


def test_typing_is_no_fact_and_nobody_elses_business() -> None:
    match = running_session(players=4, tables=2)
    here, there = match.tables
    client = as_referee(match, role="table_referee", table=here)
    rows = LedgerRow.objects.count()
    assert tell(client, here) == []
    assert LedgerRow.objects.count() == rows
    address = reverse("table-typing", args=[there.uid])
    assert client.post(address, {"on": "1"}).status_code in {403, 404}
    assert client.get(reverse("table-typing", args=[here.uid])).status_code == 302


def test_the_same_referee_on_two_devices_is_told_too() -> None:
    match = running_match(players=2)
    user = match.referee()
    one, other = Client(), Client()
    for client in (one, other):
        client.force_login(user)
    tell(one, match.table)
    assert tell(other, match.table)[0]["text"] == "You are entering at this table on another device"
