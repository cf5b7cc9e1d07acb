"""Entering a whole play at its table: looked at, saved, refused, corrected."""

from uuid import uuid4

import pytest
from django.urls import reverse

from tests.support.desk import as_referee, filled, hands, hidden, open_page, paper, record_url, tap, text
from tests.support.factories import Event, add_stage, event, recorded_round, running_match, started_game
from tournament import actions
from tournament.models import LedgerRow, Play

pytestmark = pytest.mark.django_db


def test_a_round_is_looked_at_and_then_saved(match: Event) -> None:
    client = as_referee(match)
    data = filled(match, open_page(client, "table", match.table.uid))

    look = client.post(record_url(match), {**data, "step": "look"})
    assert look.status_code == 200
    assert not Play.objects.exists()
    assert "47 points" in text(look)

    done = client.post(record_url(match), {**hidden(look), "step": "save"})
    assert done.status_code == 303
    row = LedgerRow.objects.latest("sequence")
    assert done["Location"] == f"{reverse('table', args=[match.table.uid])}?saved={row.sequence}"
    play = Play.objects.get()
    assert str(play.uid) == data["play"]
    assert play.results.get(outcome="won").entry.uid == match.uids[0]
    assert "Round 1 · Saved on the server" in text(client.get(done["Location"]))


def test_saving_twice_stores_once(match: Event) -> None:
    client = as_referee(match)
    data = {**filled(match, open_page(client, "table", match.table.uid)), "step": "save"}
    first = client.post(record_url(match), data)
    again = client.post(record_url(match), data)
    assert (first.status_code, again.status_code) == (303, 303)
    assert first["Location"] == again["Location"]
    assert Play.objects.count() == 1


def test_a_refused_round_keeps_what_was_typed_with_the_error_at_its_hand(match: Event) -> None:
    client = as_referee(match)
    _first, second, third = match.uids
    data = filled(match, open_page(client, "table", match.table.uid))
    del data[f"hand-{third}-draw2"]
    page = client.post(record_url(match), {**data, "step": "look"})
    assert page.status_code == 422
    assert f'name="hand-{second}-7" value="1"' in text(page)
    assert f'href="#hand-{third}"' in text(page)
    assert f'id="hand-{third}_error"' in text(page)
    assert hidden(page)["command"] == data["command"]


def test_an_unknown_card_is_refused(match: Event) -> None:
    client = as_referee(match)
    _first, second, _third = match.uids
    data = filled(match, open_page(client, "table", match.table.uid), **hands((second, "joker", 1)))
    page = client.post(record_url(match), {**data, "step": "save"})
    assert page.status_code == 422
    assert "There is no such card." in text(page)


def test_a_match_that_is_over_leads_on_to_the_next_table() -> None:
    match = running_match(players=3, target=10)
    client = as_referee(match)
    tables = f'<a class="button button--primary" href="{reverse("desk")}">My tables</a>'
    assert tables not in text(client.get(reverse("table", args=[match.table.uid])))
    recorded_round(match)
    assert tables in text(client.get(reverse("table", args=[match.table.uid])))


def test_a_finished_stage_takes_no_round(match: Event) -> None:
    client = as_referee(match)
    data = filled(match, open_page(client, "table", match.table.uid))
    recorded_round(match)
    match.act(actions.stop_match, table=match.table.uid)
    match.act(actions.finish_stage, stage=match.stage.uid)
    assert client.post(record_url(match), {**data, "step": "save"}).status_code == 302
    assert "official" in text(open_page(client, "table", match.table.uid))
    assert Play.objects.count() == 1


def test_a_game_is_corrected(session: Event) -> None:
    client = as_referee(session)
    play = started_game(session, elapsed_s=1300)
    for uid, elapsed in zip(session.uids[:2], ("700", "1200"), strict=True):
        tap(client, "play-out", play, uid, elapsed_s=elapsed)
    form = open_page(client, "play-correct", play)
    assert 'value="11:40"' in text(form)
    data = paper(session, form, reason="Written down wrong", step="look")
    look = client.post(reverse("play-correct", args=[play]), data)
    assert look.status_code == 200
    done = client.post(reverse("play-correct", args=[play]), {**hidden(look), "step": "save"})
    assert done.status_code == 303
    assert Play.objects.get().results.get(entry__uid=session.uids[0]).elapsed_s == 750


def test_a_head_referee_starts_the_stage_from_its_table_and_a_table_referee_is_told_who_does() -> None:
    made = add_stage(event("tite-2022", 3), "final", start=False, target=300)
    page = text(
        open_page(as_referee(made, role="table_referee", table=made.tables[0]), "table", made.table.uid)
    )
    assert "The organiser or a head referee starts it." in page
    assert "Start the final" not in page
    head = as_referee(made, role="head_referee")
    page = text(open_page(head, "table", made.table.uid))
    assert "The target can change until the first round is in." in page
    started = head.post(
        reverse("organise-stage-start", args=[made.stage.uid]),
        {"command": str(uuid4()), "back": str(made.table.uid)},
    )
    assert started["Location"].startswith(reverse("table", args=[made.table.uid]))
    assert made.refresh().stage.state == "running"
