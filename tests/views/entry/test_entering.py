"""The part that a new round shows above Save."""

import re

import pytest
from django.urls import reverse

from tests.support.desk import as_referee, filled, hands, hidden, open_page, record_url, text
from tests.support.factories import Event, recorded_round, running_match
from tournament.models import Play

pytestmark = pytest.mark.django_db


def test_a_correction_wants_a_reason_and_shows_what_follows(match: Event) -> None:
    client = as_referee(match)
    play = recorded_round(match)
    correct = reverse("play-correct", args=[play])
    form = open_page(client, "play-correct", play)
    data = {
        **hidden(form),
        "winner": str(match.uids[0]),
        **hands((match.uids[1], "7", 2), (match.uids[2], "7", 1)),
    }
    refused = client.post(correct, {**data, "step": "look"})
    assert refused.status_code == 422
    assert 'id="id_reason_error"' in text(refused)
    look = client.post(correct, {**data, "reason": "One more\x00", "step": "look"})
    assert look.status_code == 200
    assert "data-differs" in text(look)
    assert client.post(correct, {**hidden(look), "step": "save"}).status_code == 303
    assert Play.objects.get().results.get(entry__uid=match.uids[1]).hand == {"7": 2}
    history = text(open_page(client, "play", play))
    assert "One more" in history
    assert "Round corrected" in history


def test_a_preview_says_what_the_standings_become_and_stores_nothing(match: Event) -> None:
    client = as_referee(match)
    data = filled(match, open_page(client, "table", match.table.uid), step="preview")
    fragment = client.post(record_url(match), data)
    assert fragment.status_code == 200
    assert "<html" not in text(fragment)
    assert "New standings" in text(fragment)
    assert "Not saved yet." in text(fragment)
    assert "data-ends" not in text(fragment)
    assert not Play.objects.exists()


def test_a_preview_says_that_the_match_ends() -> None:
    match = running_match(players=3, target=40)
    client = as_referee(match)
    data = filled(match, open_page(client, "table", match.table.uid), step="preview")
    ends = re.search(r"<p data-ends hidden>([^<]*)</p>", text(client.post(record_url(match), data)))
    assert ends
    assert ends[1] == "Aino wins with 47 points"


def test_a_preview_says_what_is_wrong_and_where(match: Event) -> None:
    client = as_referee(match)
    _first, second, _third = match.uids
    data = filled(match, open_page(client, "table", match.table.uid), last="draw2", drew=str(second))
    fragment = client.post(record_url(match), {**data, "step": "preview"})
    assert f'data-at="#hand-{second}"' in text(fragment)
    del data["drew"]
    fragment = client.post(record_url(match), {**data, "step": "preview"})
    assert 'data-at="#id_drew"' in text(fragment)


def test_a_preview_says_that_somebody_was_faster(match: Event) -> None:
    client = as_referee(match)
    data = filled(match, open_page(client, "table", match.table.uid), step="preview")
    recorded_round(match)
    fragment = client.post(record_url(match), data)
    assert "data-taken" in text(fragment)
    assert "Round 1 is already on the server" in text(fragment)
    assert re.search(r"Entered by [^<]+ at \d{1,2}:\d\d", text(fragment))
