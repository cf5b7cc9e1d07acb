"""The card pad: look, save, refusals at their hands, corrections, two referees."""

import re
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.desk import as_referee, filled, hands, hidden, open_page, record_url, text
from tests.support.factories import (
    Event,
    StaffFactory,
    add_stage,
    event,
    recorded_round,
    running_heats,
    running_match,
)
from tournament import actions
from tournament.models import Play, Seat
from tournament.seating import Level, Sizes, expected_minutes

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "typed", ["9999999999999999999", "-1", "abc", "²", "１", "1.5", "1e3", "\x00", " ", "9" * 5000]
)
@pytest.mark.sweep
def test_no_typed_number_breaks_the_page(match: Event, typed: str) -> None:
    client = as_referee(match)
    _first, second, _third = match.uids
    data = filled(match, open_page(client, "table", match.table.uid), **hands((second, "7", typed)))
    page = client.post(record_url(match), {**data, "step": "save"})
    assert page.status_code == 422
    assert f'id="hand-{second}_error"' in text(page)
    assert not Play.objects.exists()


@pytest.mark.parametrize(
    "fields",
    [
        {"winner": "nobody"},
        {"winner": str(uuid4())},
        {f"hand-{uuid4()}-7": "1"},
        {"hand-": "1"},
        {"hand-x-7": "1"},
        {"last": "wild"},
        {"last": "draw2"},
        {"last": "draw2", "drew": "x"},
        {"play": "x"},
        {"play": ""},
        {"number": "0"},
        {"number": "99999999"},
        {"number": "7"},
        {"command": ""},
        {"command": "x"},
    ],
)
@pytest.mark.sweep
def test_no_hostile_field_breaks_the_page(match: Event, fields: dict[str, str]) -> None:
    client = as_referee(match)
    data = filled(match, open_page(client, "table", match.table.uid), **fields)
    page = client.post(record_url(match), {**data, "step": "save"})
    assert page.status_code == 422
    assert 'class="errors"' in text(page)
    assert not Play.objects.exists()


def test_a_round_is_made_void_with_a_reason(match: Event) -> None:
    client = as_referee(match)
    play = recorded_round(match)
    void = reverse("play-void", args=[play])
    data = hidden(open_page(client, "play-void", play))
    assert client.post(void, data).status_code == 422
    assert client.post(void, {**data, "reason": "Misdeal"}).status_code == 303
    assert Play.objects.get().state == "void"
    assert "Misdeal" in text(open_page(client, "table-history", match.table.uid))


def test_who_leaves_in_a_round_needs_no_hand(match: Event) -> None:
    client = as_referee(match)
    _first, _second, third = match.uids
    data = filled(match, open_page(client, "table", match.table.uid), **{f"out-{third}": "withdrawn"})
    assert client.post(record_url(match), {**data, "step": "save"}).status_code == 303
    assert Seat.objects.get(entry__uid=third).out_as == "withdrawn"
    page = text(open_page(client, "table", match.table.uid))
    assert f'id="hand-{third}"' not in page


def test_the_last_card_asks_who_drew() -> None:
    match = running_match(players=3)
    client = as_referee(match)
    second, third = match.uids[1:]
    data = filled(match, open_page(client, "table", match.table.uid), last="draw2")
    refused = client.post(record_url(match), {**data, "step": "look"})
    assert refused.status_code == 422
    assert "Choose who drew" in text(refused)
    data |= {"drew": str(third), **hands((third, "draw2", 2), (third, "1", 1))}
    assert client.post(record_url(match), {**data, "step": "save"}).status_code == 303
    play = Play.objects.get()
    assert play.drew
    assert (play.last_cards, play.drew.uid) == ({"draw2": 1}, third)
    del second


def test_emptied_hands_count_nothing() -> None:
    match = running_match(players=3, ruleset="mattel-112")
    client = as_referee(match)
    third = match.uids[2]
    data = filled(match, open_page(client, "table", match.table.uid), **{f"emptied-{third}": "1"})
    assert client.post(record_url(match), {**data, "step": "save"}).status_code == 303
    assert Play.objects.get().results.get(entry__uid=third).outcome == "emptied"


def test_a_stopped_match_names_its_winner_and_can_go_on(match: Event) -> None:
    client = as_referee(match)
    recorded_round(match)
    table = match.table.uid
    stop = reverse("table-stop", args=[table])
    assert client.post(stop, hidden(open_page(client, "table-stop", table))).status_code == 303
    page = text(open_page(client, "table", table))
    assert "Winner" in page
    assert "<card-pad" not in page
    go_on = reverse("table-go-on", args=[table])
    assert client.post(go_on, hidden(open_page(client, "table-go-on", table))).status_code == 303
    assert "<card-pad" in text(open_page(client, "table", table))


def test_a_round_after_the_end_can_still_be_read() -> None:
    match = running_match(players=3, target=10)
    client = as_referee(match)
    data = filled(match, open_page(client, "table", match.table.uid), number="2")
    recorded_round(match)
    page = client.post(record_url(match), {**data, "step": "save"})
    assert page.status_code == 422
    assert f'name="hand-{match.uids[1]}-7" value="1"' in text(page)


def test_several_last_cards_where_the_rules_allow() -> None:
    match = running_match(players=3, ruleset="tite-2022", kind="final")
    client = as_referee(match)
    third = match.uids[2]
    more = {"last": "draw2", "last_count": "2", "drew": str(third), **hands((third, "1", 5))}
    data = filled(match, open_page(client, "table", match.table.uid), **more)
    assert client.post(record_url(match), {**data, "step": "save"}).status_code == 303
    assert Play.objects.get().last_cards == {"draw2": 2}


def test_history_says_what_an_undo_put_back(match: Event) -> None:
    recorded_round(match)
    match.act(actions.stop_match, table=match.table.uid)
    finished = match.act(actions.finish_stage, stage=match.stage.uid).sequence
    undo = match.act(actions.undo, row=finished).sequence
    match.act(actions.undo, row=undo)
    client = as_referee(match)
    for page in (
        open_page(client, "play", Play.objects.get().uid),
        open_page(client, "table-history", match.table.uid),
    ):
        said = [event.what for event in page.context["events"]]
        assert said == [
            "Redone: Stage finished, results official",
            "Undone: Stage finished, results official",
            "Stage finished, results official",
            "Round entered",
        ]


# ---- the part that a new round's own page shows above Save ----


def chosen(client: Client, made: Event, target: str) -> Any:
    """Follow the table page's line to the target and choose this one; the answer."""
    line = re.search(r'href="([^"]+/target/)', text(open_page(client, "table", made.table.uid)))
    assert line, "the table's page leads to no target"
    return client.post(line[1], {"command": str(uuid4()), "target": target})


def final(*, start: bool = True) -> Event:
    """A TiTe final of four to 300 points, no round entered."""
    return add_stage(event("tite-2022", 4), "final", start=start, target=300)


def head_and_staff(made: Event) -> list[Client]:
    """Clients of a head referee, and of an admin who acts as referee without a role in the event."""
    staff = Client()
    staff.force_login(StaffFactory())
    return [as_referee(made), staff]


@pytest.mark.parametrize("start", [False, True])
def test_referees_choose_the_target_of_a_final_until_its_first_round(start: bool) -> None:
    for number, target in enumerate(("400", "250")):
        made = final(start=start)
        assert chosen(head_and_staff(made)[number], made, target).status_code == 303
        assert made.refresh().stage.settings == {"target": int(target)}


def test_target_page_says_how_long_each_target_takes_and_proposes_one() -> None:
    made = final()
    page = text(open_page(as_referee(made), "table-target", made.table.uid))
    tile = (
        r"([0-9]+) points</strong>\s*<small>\s*about ([0-9]+) minutes\s*\(([0-9]+)–([0-9]+)\)</small>"
        r"(?:<small\s*>(proposed)</small>)?"
    )
    lines = re.findall(tile, page)
    assert lines == [
        ("250", "30", "12", "54", ""),
        ("300", "36", "12", "60", ""),
        ("400", "54", "24", "78", "proposed"),
        ("500", "66", "30", "96", ""),
    ]
    for target, minutes, *_band, _proposed in lines:  # as "Plan the evening" says
        level = Level("final", 4, Sizes((4,)), 0)
        assert expected_minutes([level], heat=1, target=int(target))[0].minutes == int(minutes)


@pytest.mark.parametrize("typed", ["249", "501", "", "many", "²", "3e2", "9" * 99])
def test_refused_target_stands_there_with_its_error_as_it_was_typed(typed: str) -> None:
    made = final()
    page = chosen(as_referee(made), made, typed)
    assert page.status_code == 422
    assert "The target must be from 250 to 500. Choose another." in text(page)
    assert 'href="#id_target"' in text(page)
    assert f'name="target" value="{typed}"' in text(page)
    assert made.refresh().stage.settings == {"target": 300}


def test_refused_target_is_worded_in_the_readers_language() -> None:
    made = final()
    address = f"/fi/desk/table/{made.table.uid}/target/"
    page = text(as_referee(made).post(address, {"command": str(uuid4()), "target": "249"}))
    assert "250–500" in page


def test_target_chosen_while_another_phone_saves_a_round_says_so_and_keeps_what_was_typed() -> None:
    made = final()
    client = as_referee(made)
    address = reverse("table-target", args=[made.table.uid])
    open_page(client, "table-target", made.table.uid)
    recorded_round(made)
    page = client.post(address, {"command": str(uuid4()), "target": "400"})
    assert page.status_code == 422
    assert "A round has been entered, so the target can no longer be changed." in text(page)
    assert 'name="target" value="400"' in text(page)
    again = text(client.get(address))
    assert "The target can no longer be changed." in again
    assert "<form" not in again[again.index("<h1") : again.index("</main>")]
    assert "/target/" not in text(open_page(client, "table", made.table.uid))


def test_table_referee_reads_the_target_and_leaves_the_choice_to_a_head_referee() -> None:
    made = final()
    client = as_referee(made, role="table_referee", table=made.table)
    page = text(open_page(client, "table", made.table.uid))
    assert "Target 300 points" in page
    assert "/target/" not in page
    assert client.get(reverse("table-target", args=[made.table.uid])).status_code == 403


@pytest.mark.parametrize(
    ("made", "reminded"),
    [(final, True), (lambda: running_heats(players=4), True), (lambda: running_match(players=3), False)],
)
def test_last_card_that_must_not_be_black_is_said_where_it_is_entered(
    made: Callable[[], Event], reminded: bool
) -> None:
    """As "Nobody goes out on a special card" on the clock's page: by the ruleset's data."""
    event_ = made()
    page = text(open_page(as_referee(event_), "table", event_.table.uid))
    assert ("The last card must not be black." in page) is reminded
