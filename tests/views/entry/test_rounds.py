"""The card pad: look, save, refusals at their hands, corrections, two referees."""

import re
from uuid import uuid4

import pytest
from django.urls import reverse

from tests.support.desk import as_referee, hands, hidden, open_page, text
from tests.support.factories import recorded_round, running_match
from tournament import actions
from tournament.models import LedgerRow, Play, Seat

pytestmark = pytest.mark.django_db


@pytest.fixture
def match():
    return running_match(players=3)


def filled(match, page, **more):
    first, second, third = match.uids
    return {
        **hidden(page),
        "winner": str(first),
        "last": "",
        **hands((second, "7", 1), (third, "draw2", 2)),
        **more,
    }


def record_url(match):
    return reverse("table-record", args=[match.table.uid])


def test_a_round_is_looked_at_and_then_saved(match):
    client = as_referee(match)
    data = filled(match, open_page(client, "table", match.table.uid))

    look = client.post(record_url(match), {**data, "step": "look"})
    assert look.status_code == 200
    assert not Play.objects.exists()
    assert "47 points" in text(look)

    done = client.post(record_url(match), {**hidden(look), "step": "save"})
    assert done.status_code == 303
    assert done.url == f"{reverse('table', args=[match.table.uid])}?saved={LedgerRow.objects.last().sequence}"
    play = Play.objects.get()
    assert str(play.uid) == data["play"]
    assert play.results.get(outcome="won").entry.uid == match.uids[0]
    assert "Round 1 · Saved on the server" in text(client.get(done.url))


def test_saving_twice_stores_once(match):
    client = as_referee(match)
    data = {**filled(match, open_page(client, "table", match.table.uid)), "step": "save"}
    first = client.post(record_url(match), data)
    again = client.post(record_url(match), data)
    assert (first.status_code, again.status_code) == (303, 303)
    assert first.url == again.url
    assert Play.objects.count() == 1


def test_a_refused_round_keeps_what_was_typed_with_the_error_at_its_hand(match):
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


@pytest.mark.parametrize(
    "typed", ["9999999999999999999", "-1", "abc", "²", "１", "1.5", "1e3", "\x00", " ", "9" * 5000]
)
def test_no_typed_number_breaks_the_page(match, typed):
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
def test_no_hostile_field_breaks_the_page(match, fields):
    client = as_referee(match)
    data = filled(match, open_page(client, "table", match.table.uid), **fields)
    page = client.post(record_url(match), {**data, "step": "save"})
    assert page.status_code == 422
    assert 'class="errors"' in text(page)
    assert not Play.objects.exists()


def test_an_unknown_card_is_refused(match):
    client = as_referee(match)
    _first, second, _third = match.uids
    data = filled(match, open_page(client, "table", match.table.uid), **hands((second, "joker", 1)))
    page = client.post(record_url(match), {**data, "step": "save"})
    assert page.status_code == 422
    assert "There is no such card." in text(page)


def test_two_referees_see_both_versions_and_choose(match):
    client, other = as_referee(match), as_referee(match)
    second = match.uids[1]
    mine = filled(match, open_page(client, "table", match.table.uid))
    theirs = filled(match, open_page(other, "table", match.table.uid), **hands((second, "7", 3)))
    assert other.post(record_url(match), {**theirs, "step": "save"}).status_code == 303

    conflict = client.post(record_url(match), {**mine, "step": "save"})
    assert conflict.status_code == 409
    assert "7, 7, 7" in text(conflict)
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


def test_the_same_round_entered_by_both_is_no_conflict(match):
    client, other = as_referee(match), as_referee(match)
    mine = filled(match, open_page(client, "table", match.table.uid))
    theirs = filled(match, open_page(other, "table", match.table.uid))
    other.post(record_url(match), {**theirs, "step": "save"})
    same = client.post(record_url(match), {**mine, "step": "save"})
    assert same.status_code == 303
    assert "is on the server already" in text(client.get(same.url))


def test_a_command_of_other_content_is_refused(match):
    client = as_referee(match)
    data = filled(match, open_page(client, "table", match.table.uid))
    client.post(record_url(match), {**data, "step": "save"})
    page = client.post(record_url(match), {**data, **hands((match.uids[1], "7", 2)), "step": "save"})
    assert page.status_code == 422
    assert "sent before with other content" in text(page)


def test_a_correction_wants_a_reason_and_shows_what_follows(match):
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


def test_a_stale_correction_is_a_conflict(match):
    client, other = as_referee(match), as_referee(match)
    play = recorded_round(match)
    correct = reverse("play-correct", args=[play])

    def data(client, count):
        form = open_page(client, "play-correct", play)
        held = hands((match.uids[1], "7", count), (match.uids[2], "7", 1))
        return {**hidden(form), "winner": str(match.uids[0]), **held, "reason": "x", "step": "save"}

    mine, theirs = data(client, 2), data(other, 3)
    assert other.post(correct, theirs).status_code == 303
    assert client.post(correct, mine).status_code == 409


def test_a_round_is_made_void_with_a_reason(match):
    client = as_referee(match)
    play = recorded_round(match)
    void = reverse("play-void", args=[play])
    data = hidden(open_page(client, "play-void", play))
    assert client.post(void, data).status_code == 422
    assert client.post(void, {**data, "reason": "Misdeal"}).status_code == 303
    assert Play.objects.get().state == "void"
    assert "Misdeal" in text(open_page(client, "table-history", match.table.uid))


def test_who_leaves_in_a_round_needs_no_hand(match):
    client = as_referee(match)
    _first, _second, third = match.uids
    data = filled(match, open_page(client, "table", match.table.uid), **{f"out-{third}": "withdrawn"})
    assert client.post(record_url(match), {**data, "step": "save"}).status_code == 303
    assert Seat.objects.get(entry__uid=third).out_as == "withdrawn"
    page = text(open_page(client, "table", match.table.uid))
    assert f'id="hand-{third}"' not in page


def test_the_last_card_asks_who_drew():
    match = running_match(players=3)
    client = as_referee(match)
    second, third = match.uids[1:]
    data = filled(match, open_page(client, "table", match.table.uid), last="draw2")
    refused = client.post(record_url(match), {**data, "step": "look"})
    assert refused.status_code == 422
    assert "Say who drew" in text(refused)
    data |= {"drew": str(third), **hands((third, "draw2", 2), (third, "1", 1))}
    assert client.post(record_url(match), {**data, "step": "save"}).status_code == 303
    play = Play.objects.get()
    assert (play.last_cards, play.drew.uid) == ({"draw2": 1}, third)
    del second


def test_emptied_hands_count_nothing():
    match = running_match(players=3, ruleset="mattel-112")
    client = as_referee(match)
    third = match.uids[2]
    data = filled(match, open_page(client, "table", match.table.uid), **{f"emptied-{third}": "1"})
    assert client.post(record_url(match), {**data, "step": "save"}).status_code == 303
    assert Play.objects.get().results.get(entry__uid=third).outcome == "emptied"


def test_a_stopped_match_names_its_winner_and_can_go_on(match):
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


def test_a_match_that_is_over_leads_on_to_the_next_table():
    match = running_match(players=3, target=10)
    client = as_referee(match)
    tables = f'<a class="button button--primary" href="{reverse("desk")}">My tables</a>'
    assert tables not in text(client.get(reverse("table", args=[match.table.uid])))
    recorded_round(match)
    assert tables in text(client.get(reverse("table", args=[match.table.uid])))


def test_a_round_after_the_end_can_still_be_read():
    match = running_match(players=3, target=10)
    client = as_referee(match)
    data = filled(match, open_page(client, "table", match.table.uid), number="2")
    recorded_round(match)
    page = client.post(record_url(match), {**data, "step": "save"})
    assert page.status_code == 422
    assert f'name="hand-{match.uids[1]}-7" value="1"' in text(page)


def test_several_last_cards_where_the_rules_allow():
    match = running_match(players=3, ruleset="tite-2022", kind="final")
    client = as_referee(match)
    third = match.uids[2]
    more = {"last": "draw2", "last_count": "2", "drew": str(third), **hands((third, "1", 5))}
    data = filled(match, open_page(client, "table", match.table.uid), **more)
    assert client.post(record_url(match), {**data, "step": "save"}).status_code == 303
    assert Play.objects.get().last_cards == {"draw2": 2}


def test_a_finished_stage_takes_no_round(match):
    client = as_referee(match)
    data = filled(match, open_page(client, "table", match.table.uid))
    recorded_round(match)
    match.act(actions.stop_match, table=match.table.uid)
    match.act(actions.finish_stage, stage=match.stage.uid)
    assert client.post(record_url(match), {**data, "step": "save"}).status_code == 302
    assert "official" in text(open_page(client, "table", match.table.uid))
    assert Play.objects.count() == 1


def test_history_says_what_an_undo_put_back(match):
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
            "Done again: Stage finished: official",
            "Put back: Stage finished: official",
            "Stage finished: official",
            "Round entered",
        ]


# ---- the part that a new round's own page shows above Save ----


def test_a_preview_says_what_the_standings_become_and_stores_nothing(match):
    client = as_referee(match)
    data = filled(match, open_page(client, "table", match.table.uid), step="preview")
    fragment = client.post(record_url(match), data)
    assert fragment.status_code == 200
    assert "<html" not in text(fragment)
    assert "The standings become" in text(fragment)
    assert "Not saved yet." in text(fragment)
    assert "data-ends" not in text(fragment)
    assert not Play.objects.exists()


def test_a_preview_says_that_the_match_ends():
    match = running_match(players=3, target=40)
    client = as_referee(match)
    data = filled(match, open_page(client, "table", match.table.uid), step="preview")
    ends = re.search(r"<p data-ends hidden>([^<]*)</p>", text(client.post(record_url(match), data)))
    assert ends
    assert ends[1] == "Aino wins with 47 points"


def test_a_preview_says_what_is_wrong_and_where(match):
    client = as_referee(match)
    _first, second, _third = match.uids
    data = filled(match, open_page(client, "table", match.table.uid), last="draw2", drew=str(second))
    fragment = client.post(record_url(match), {**data, "step": "preview"})
    assert f'data-at="#hand-{second}"' in text(fragment)
    del data["drew"]
    fragment = client.post(record_url(match), {**data, "step": "preview"})
    assert 'data-at="#id_drew"' in text(fragment)


def test_a_preview_says_that_somebody_was_faster(match):
    client = as_referee(match)
    data = filled(match, open_page(client, "table", match.table.uid), step="preview")
    recorded_round(match)
    fragment = client.post(record_url(match), data)
    assert "data-taken" in text(fragment)
    assert "Round 1 is on the server already" in text(fragment)
    assert re.search(r"Entered by [^<]+ at \d\d:\d\d", text(fragment))
