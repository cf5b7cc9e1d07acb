"""Two versions of one play: nothing is overwritten, a person chooses."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.desk import (
    as_referee,
    filled,
    hands,
    hidden,
    open_page,
    record_url,
    text,
)
from tests.support.factories import (
    Event,
    recorded_round,
    running_match,
)
from tests.support.pages import Answer
from tournament.models import LedgerRow, Play

pytestmark = pytest.mark.django_db


def two_versions() -> tuple[Event, Client, dict[str, str], Answer]:
    match = running_match(players=3)
    client, other = as_referee(match), as_referee(match)
    page = open_page(client, "table", match.table.uid)
    record = reverse("table-record", args=[match.table.uid])
    first, second, third = match.uids
    typed = {**hidden(page), "winner": str(first), "step": "save"}
    theirs = {**hidden(open_page(other, "table", match.table.uid)), "winner": str(first), "step": "save"}
    theirs |= hands((second, "2", 1), (third, "draw2", 2))
    assert other.post(record, theirs).status_code == 303
    return match, client, typed, client.post(record, typed | hands((second, "2", 3), (third, "draw2", 2)))


def test_both_versions_say_cards_points_and_the_difference() -> None:
    match, _client, typed, page = two_versions()
    assert page.status_code == 409
    assert '<li class="hand__sum">2</li>' in text(page)
    assert "46 points (+4)" in text(page)
    assert "42 points" in text(page)
    assert text(page).count(f'data-settles="{typed["command"]}"') == 2
    assert "Points change, places do not." in text(page)
    assert Play.objects.get(table=match.table).results.get(entry__uid=match.uids[1]).hand == {"2": 1}


def test_keeping_theirs_is_one_tap_that_ends_at_the_table() -> None:
    _match, client, _typed, page = two_versions()
    address = re.search(r'href="([^"]+kept=[^"]+)"', text(page))
    assert address
    assert "Round 1 stays as it is on the server" in text(client.get(address[1]))


def test_mine_takes_its_place_with_a_reason_and_ends_at_the_table() -> None:
    match, client, _typed, page = two_versions()
    play = Play.objects.get(table=match.table)
    correct = reverse("play-correct", args=[play.uid])
    sent = {**hidden(page), "step": "save"}
    refused = client.post(correct, sent)
    assert refused.status_code == 422  # a reason is asked, and what was counted is still there
    assert f'name="hand-{match.uids[1]}-2" value="3"' in text(refused)
    done = client.post(correct, sent | {"reason": "Miscounted hand"})
    assert done.status_code == 303
    assert "Saved on the server" in text(client.get(done["Location"]))
    assert play.results.get(entry__uid=match.uids[1]).hand == {"2": 3}
    assert LedgerRow.objects.filter(action="correct_round").count() == 1


def test_two_referees_see_both_versions_and_choose(match: Event) -> None:
    client, other = as_referee(match), as_referee(match)
    second = match.uids[1]
    mine = filled(match, open_page(client, "table", match.table.uid))
    theirs = filled(match, open_page(other, "table", match.table.uid), **hands((second, "7", 3)))
    assert other.post(record_url(match), {**theirs, "step": "save"}).status_code == 303

    conflict = client.post(record_url(match), {**mine, "step": "save"})
    assert conflict.status_code == 409
    assert '<li class="hand__sum">21</li>' in text(conflict)
    play = Play.objects.get()
    correct = reverse("play-correct", args=[play.uid])
    assert correct in text(conflict)

    chosen = {**hidden(conflict), "reason": "Counted twice"}
    look = client.post(correct, {**chosen, "step": "look"})
    assert look.status_code == 200
    assert client.post(correct, {**hidden(look), "step": "save"}).status_code == 303
    play.refresh_from_db()
    assert play.results.get(entry__uid=second).hand == {"7": 1}
    row = LedgerRow.objects.get(sequence=play.version, tournament=match.tournament)
    assert row.action == "correct_round"
    assert row.note.text == "Counted twice"


def test_the_same_round_entered_by_both_is_no_conflict(match: Event) -> None:
    client, other = as_referee(match), as_referee(match)
    mine = filled(match, open_page(client, "table", match.table.uid))
    theirs = filled(match, open_page(other, "table", match.table.uid))
    other.post(record_url(match), {**theirs, "step": "save"})
    same = client.post(record_url(match), {**mine, "step": "save"})
    assert same.status_code == 303
    assert "is already on the server" in text(client.get(same["Location"]))


def test_a_stale_correction_is_a_conflict(match: Event) -> None:
    client, other = as_referee(match), as_referee(match)
    play = recorded_round(match)
    correct = reverse("play-correct", args=[play])

    def data(client: Client, count: int) -> dict[str, str]:
        form = open_page(client, "play-correct", play)
        held = hands((match.uids[1], "7", count), (match.uids[2], "7", 1))
        return {**hidden(form), "winner": str(match.uids[0]), **held, "reason": "x", "step": "save"}

    mine, theirs = data(client, 2), data(other, 3)
    assert other.post(correct, theirs).status_code == 303
    assert client.post(correct, mine).status_code == 409
