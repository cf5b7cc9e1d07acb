"""The page of a table of KPGUT: the running game, or the start of the next."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.urls import reverse

from tests.support.desk import as_referee, hands, open_page, outcomes, tap, text
from tests.support.factories import started_game
from tournament.models import Play
from tournament.results.contests import forget

pytestmark = pytest.mark.django_db


def test_who_was_ejected_is_not_asked_to_play_on(session):
    client = as_referee(session)
    play = started_game(session)
    first, second, third = session.uids
    tap(client, "play-eject", play, first, reason="After a warning", warned="on")
    for entry in (second, third):
        tap(client, "play-out", play, entry)
    page = open_page(client, "table", session.table.uid)
    assert f'value="{second}" checked' in text(page)
    assert f'value="{first}"' not in text(page)
    assert f"outcome-{first}" not in text(open_page(client, "table-record", session.table.uid))
    assert f"outcome-{first}" in text(open_page(client, "play-correct", play))


def test_where_nobody_can_join_no_button_offers_it(session):
    client = as_referee(session)
    play = started_game(session)
    assert '<button class="button button--primary">Joins the game' in text(
        open_page(client, "play-join", play)
    )
    tap(client, "play-out", play, session.uids[0])
    page = text(open_page(client, "play-join", play))
    assert "Nobody can join this game now." in page
    assert "Joins the game" not in page


def test_at_the_hour_the_hands_are_asked(session):
    client = as_referee(session)
    play = started_game(session, elapsed_s=3600)
    Play.objects.update(started_at=Play.objects.get().started_at - timedelta(seconds=1))
    forget()  # this was in no ledger
    first, second, third = session.uids
    page = open_page(client, "table", session.table.uid)
    assert "data-until-limit hidden" in text(page)
    assert tap(client, "play-out", play, first).status_code == 422
    end = reverse("play-end", args=[play])
    form = {"command": str(uuid4()), "version": str(Play.objects.get().version), "how": "time"}
    refused = client.post(end, {**form, **hands((first, "7", 1))})
    assert refused.status_code == 422
    assert f'id="hand-{second}_error"' in text(refused)
    assert f'name="hand-{first}-7" value="1"' in text(refused)
    held = hands((first, "7", 1), (second, "7", 2), (third, "7", 3))
    assert client.post(end, {**form, **held}).status_code == 303
    assert set(outcomes(play).values()) == {"remaining"}
