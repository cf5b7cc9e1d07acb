"""Consequences of an entry about a player, table by table, with a link to each place where somebody must act."""

from typing import Any

import pytest
from django.urls import reverse
from django.utils.translation import override

from tests.support.contests_shown import plain
from tests.support.factories import (
    Event,
    add_stage,
    event,
    recorded_round,
    running_heats,
    running_match,
    running_session,
    started_game,
)
from tournament import actions
from tournament.models import Entry
from tournament.pages.organiser.undo import Line, lines_of
from tournament.queries.consequences import What, consequences

pytestmark = pytest.mark.django_db


def lines(made: Event, what: What, count: int = 1, *, seats: bool = True) -> list[Line]:
    entries = list(Entry.objects.filter(tournament=made.tournament).order_by("start_number")[:count])
    return lines_of(consequences(made.tournament, entries, what), what, seats=seats)


@pytest.mark.parametrize(
    ("make", "what", "said"),
    [
        (
            lambda: running_match(players=3),
            What.LATE,
            "The match is being played. Each round asks for the cards of Aino. If the others play without them, "
            "use “No-show”.",
        ),
        (lambda: running_session(players=3), What.LATE, "Aino can play from the next game."),
        (lambda: running_heats(players=4), What.LATE, "The heat can begin without Aino."),
        (
            lambda: running_match(players=3),
            What.REMOVE,
            "Aino is out from round 1 and listed last as disqualified, without a place.",
        ),
        (lambda: running_session(players=3), What.NO_SHOW, "Aino plays no games. 2 players are left."),
        (lambda: running_heats(players=6), What.LEAVE, "Aino cannot go through. 2 players are left."),
    ],
)
def test_it_is_said_what_that_does_at_the_table(make: Any, what: What, said: str) -> None:
    first, *_rest = lines(make(), what)
    assert plain(first.place).endswith(", table 1")
    assert plain(first.text).endswith(said)


@pytest.mark.parametrize(
    ("language", "one", "several"),
    [
        ("en", "Aino is out from round 1 and listed", "are out from round 1 and listed"),
        ("fi", "Aino on poissa kierroksesta 1 alkaen", "ovat poissa kierroksesta 1 alkaen"),
    ],
)
def test_several_who_did_not_come_have_the_plural(language: str, one: str, several: str) -> None:
    made = running_match(players=4)
    with override(language):
        assert one in plain(lines(made, What.NO_SHOW)[0].text)
        assert several in plain(lines(made, What.NO_SHOW, 2)[0].text)


def test_without_a_table_that_is_said_and_how_it_is_taken_back() -> None:
    texts = [plain(line.text) for line in lines(event("tite-2022", players=2), What.LEAVE)]
    assert texts == [
        "No table is affected.",
        "Shown as “left”, never as disqualified. Nothing played is lost. “Let back in” undoes it.",
    ]


def test_in_a_running_game_the_way_leads_to_its_table() -> None:
    made = running_session(players=3)
    started_game(made)
    (line, _shown) = lines(made, What.LEAVE)
    assert "A game with Aino is running." in plain(line.text)
    assert (line.url, line.link) == (reverse("table", args=[made.table.uid]), "Go to the table")


def test_the_last_one_left_has_won_the_match() -> None:
    made = running_match(players=2)
    out, _shown = lines(made, What.LEAVE)
    assert plain(out.text).endswith(
        "listed last as left, without a place. Then only Börje is left and wins the match."
    )


def test_rounds_that_were_played_before_somebody_leaves_count() -> None:
    made = running_match(players=3)
    recorded_round(made)
    (out, _shown) = lines(made, What.LEAVE)
    assert plain(out.text).endswith("1 round so far counts.")


@pytest.mark.parametrize("seats", [True, False])
def test_a_table_that_is_too_small_leads_to_the_seats_who_may_change_them(*, seats: bool) -> None:
    made = add_stage(event("kpgut-2016", 2), "session", start=False)
    small = next(line for line in lines(made, What.LEAVE, seats=seats) if "too few" in line.text)
    assert small.url == (reverse("organise-seats", args=[made.stage.uid]) if seats else "")


def test_who_comes_back_has_no_seat_yet() -> None:
    made = add_stage(event("kpgut-2016", 3), "session", start=False)
    made.act(actions.player_leaves, entry=made.uids[0])
    first, *_rest = lines(made, What.BACK)
    assert plain(first.text) == "No seat for Aino yet."
