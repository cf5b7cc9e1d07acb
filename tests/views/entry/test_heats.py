"Heats: names in the finishing order."

import re
from uuid import UUID

import pytest
from django.urls import reverse

from tests.support.desk import as_referee, hidden, open_page, text
from tests.support.factories import Event, recorded_heat, running_heats
from tournament.models import Play, Seat

pytestmark = pytest.mark.django_db


@pytest.fixture
def heats() -> Event:
    return running_heats(players=8, tables=2, advance=1)


def record_url(heats: Event) -> str:
    return reverse("table-record", args=[heats.table.uid])


def finished(play: Play) -> list[UUID]:
    return [row.entry.uid for row in play.results.exclude(finish=None).order_by("finish")]


def test_one_tap_and_one_to_save(heats: Event) -> None:
    client = as_referee(heats)
    first = heats.at(heats.table)[0]
    data = hidden(open_page(client, "table", heats.table.uid))
    done = client.post(record_url(heats), {**data, f"order-{first}": "1", "advance": "1", "step": "save"})
    assert done.status_code == 303
    play = Play.objects.get()
    assert finished(play) == [first]
    assert play.advance is None
    page = text(client.get(done["Location"]))
    assert "This heat has been entered" in page
    assert re.search(r"Entered by Person \d+ at \d{1,2}:\d\d", page)
    assert f'<a class="button button--primary" href="{reverse("desk")}">My tables</a>' in page


def test_more_go_through_from_this_heat(heats: Event) -> None:
    client = as_referee(heats)
    first, second, *_rest = heats.at(heats.table)
    data = {**hidden(open_page(client, "table", heats.table.uid)), "advance": "2", "step": "save"}
    short = client.post(record_url(heats), {**data, f"order-{first}": "1"})
    assert short.status_code == 422
    assert 'id="order_error"' in text(short)
    assert (
        client.post(record_url(heats), {**data, f"order-{first}": "2", f"order-{second}": "1"}).status_code
        == 303
    )
    play = Play.objects.get()
    assert (finished(play), play.advance) == ([second, first], 2)


@pytest.mark.parametrize("typed", ["0", "5", "-1", "x", "²", "9" * 30])
def test_no_typed_place_breaks_the_page(heats: Event, typed: str) -> None:
    client = as_referee(heats)
    first = heats.at(heats.table)[0]
    data = {**hidden(open_page(client, "table", heats.table.uid)), "step": "save"}
    page = client.post(record_url(heats), {**data, f"order-{first}": typed})
    assert page.status_code == 422
    assert 'id="order_error"' in text(page)
    wrong = client.post(record_url(heats), {**data, f"order-{first}": "1", "advance": typed})
    assert wrong.status_code == 422
    assert not Play.objects.exists()


def test_a_heat_that_nobody_finished_is_the_organisers(heats: Event) -> None:
    client = as_referee(heats)
    first = heats.at(heats.table)[0]
    page = open_page(client, "table", heats.table.uid)
    hint = "If nobody went out, do not save the heat."
    assert hint not in text(page)
    data = {**hidden(page), "step": "save"}
    assert hint in text(client.post(record_url(heats), data))
    assert hint not in text(client.post(record_url(heats), {**data, f"order-{first}": "x"}))


def test_a_place_given_twice_is_refused(heats: Event) -> None:
    client = as_referee(heats)
    first, second, *_rest = heats.at(heats.table)
    data = {**hidden(open_page(client, "table", heats.table.uid)), "advance": "2", "step": "save"}
    page = client.post(record_url(heats), {**data, f"order-{first}": "1", f"order-{second}": "1"})
    assert page.status_code == 422
    assert "cannot have the same number, 1." in text(page)


def test_somebody_removed_in_the_heat(heats: Event) -> None:
    client = as_referee(heats)
    first, second, *_rest = heats.at(heats.table)
    data = hidden(open_page(client, "table", heats.table.uid))
    fields = {f"order-{first}": "1", f"out-{second}": "removed", "step": "save"}
    assert client.post(record_url(heats), {**data, **fields}).status_code == 303
    assert Seat.objects.get(entry__uid=second).out_as == "removed"


def test_a_heat_is_corrected_and_made_void(heats: Event) -> None:
    client = as_referee(heats)
    play = recorded_heat(heats)
    second = heats.at(heats.table)[1]
    correct = reverse("play-correct", args=[play])
    data = hidden(open_page(client, "play-correct", play))
    look = client.post(correct, {**data, f"order-{second}": "1", "reason": "Wrong name", "step": "look"})
    assert look.status_code == 200
    assert client.post(correct, {**hidden(look), "step": "save"}).status_code == 303
    assert finished(Play.objects.get()) == [second]
    void = reverse("play-void", args=[play])
    data = hidden(open_page(client, "play-void", play))
    assert client.post(void, {**data, "reason": "Played anew"}).status_code == 303
    assert "<heat-order" in text(open_page(client, "table", heats.table.uid))
