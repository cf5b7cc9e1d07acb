"""Changes in the standings when a play is corrected or made void."""

import re
from uuid import UUID

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.chains import begun, chained, filled, first, named, played
from tests.support.championships import championship
from tests.support.desk import (
    as_referee,
    correction,
    ended,
    hands,
    hidden,
    open_page,
    text,
)
from tests.support.factories import recorded_round, running_match
from tests.support.pages import Answer
from tournament import actions
from tournament.models import Play, Stage

pytestmark = pytest.mark.django_db


def sentences(page: Answer) -> list[str]:
    """List the consequences as the page states them, without the marks that isolate names."""
    found = re.search(r'confirm__follows">(.*?)</ul>', text(page), re.S)
    lines = re.findall(r"<li[^>]*>(.*?)</li>", found[1]) if found else []
    return [line.replace("\u2068", "").replace("\u2069", "") for line in lines]


def looked(client: Client, play: UUID, **typed: str) -> Answer:
    page = client.post(reverse("play-correct", args=[play]), correction(client, play, **typed))
    assert page.status_code == 200
    return page


def test_a_target_reached_earlier_sets_later_rounds_aside() -> None:
    match, plays = ended(4)
    client = as_referee(match)
    wild = {"winner": str(match.uids[0]), **hands((match.uids[1], "wild", 1))}
    assert sentences(looked(client, plays[1], **wild)) == [
        "The match ends here. Aino wins.",
        "Round 3 and round 4 are on hold until someone decides: they could not have been played.",
    ]


def test_a_match_that_was_over_is_open_again_and_the_leader_changes() -> None:
    match, plays = ended(5)
    client = as_referee(match)
    other = {"winner": str(match.uids[1]), **hands((match.uids[0], "9", 3))}
    assert sentences(looked(client, plays[0], **other)) == [
        "The match is open again. Nobody has reached the target, so more rounds can be entered.",
    ]
    five = {"winner": str(match.uids[1]), **hands((match.uids[0], "wild", 1))}
    assert sentences(looked(client, plays[4], **five)) == [
        "Börje has won the match instead of Aino.",
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
        "The target is reached later. The match ends with round 3, not with round 2.",
        "Round 3 counts again.",
    ]


def test_the_marks_of_a_preview_tell_what_the_correction_moves() -> None:
    """Not what the last round moved before."""
    match = running_match(players=3)
    first, second, third = match.uids
    play = recorded_round(match, first)
    recorded_round(match, second, **{str(first): {"wild": 1}})
    client = as_referee(match)

    def moved(card: str) -> list[int]:
        page = looked(client, play, winner=str(first), **hands((second, "9", 1), (third, card, 1)))
        return [row.moved or 0 for row in page.context["board"].table.rows]

    assert moved("2") == [0, 0, 0]
    assert moved("wild") == [1, -1, 0]


def test_a_correction_without_consequences_says_so() -> None:
    match, plays = ended(1)
    client = as_referee(match)
    eight = {"winner": str(match.uids[0]), **hands((match.uids[1], "7", 0), (match.uids[1], "8", 1))}
    page = looked(client, plays[0], **eight)
    assert sentences(page) == ["Points change, places do not."]
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
        f"{names[second]} is now through.",
        f"{names[first]} is no longer through.",
        f"Already seated in Final: {names[first]}. The seats stay until the organiser decides.",
    ]


def test_making_void_says_what_follows() -> None:
    match, plays = ended(5)
    page = open_page(as_referee(match), "play-void", plays[0])
    assert any("The match is open again" in line for line in sentences(page))


def test_correction_in_a_chain_says_who_is_through_and_who_already_sits_there() -> None:
    made = played(begun(players=4, tables=1))
    played(filled(chained(made, first(1, 2), kind="final")), finish=False)
    stage = Stage.objects.get(tournament=made.tournament, number=1)
    made.act(actions.reopen_stage, stage=stage.uid, reason="misread")
    held = zip(named(made, "Cécile", "Börje", "Dima"), "123", strict=True)
    typed = hands(*(each for uid, card in held for each in ((uid, "wild", 1), (uid, card, 1))))
    play = Play.objects.get(table__stage=stage).uid
    assert sentences(looked(as_referee(made), play, winner=str(made.uids[0]), **typed)) == [
        "Cécile is now through.",
        "Börje is no longer through.",
        "Already seated in Final: Börje. The seats stay until the organiser decides.",
        "Final: play at table 1 has begun.",
        "Cécile moves up from place 3 to place 2.",
        "Börje moves down from place 2 to place 3.",
    ]
