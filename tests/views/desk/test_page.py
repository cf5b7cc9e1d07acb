"""Notices about the latest entry, on every page of a table."""

import re
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.at_table import over_before
from tests.support.desk import as_referee, ended, hands, open_page, put_back_words, save_correction, text
from tests.support.factories import (
    recorded_round,
    running_match,
)
from tests.views.desk.test_second_look import looked_twice, tap
from tournament import actions
from tournament.models import LedgerRow, Membership, Play

pytestmark = pytest.mark.django_db


def test_a_correction_is_taken_back_beside_its_receipt() -> None:
    match, plays = ended(2)
    client = as_referee(match)
    page = save_correction(client, plays[0], winner=str(match.uids[0]), **hands((match.uids[1], "wild", 1)))
    back = page.context["put_back"]
    assert put_back_words(page) == "Undo the correction of round 1"
    assert (page.context["saved_label"], page.context["correct"]) == ("Round 1", plays[0])
    assert "On hold: Round 2" in text(page)
    sent = {"command": str(back.command), **back.fields}
    assert back.url == reverse("play-revert", args=[plays[0]])
    done = client.post(back.url, sent)
    assert done.status_code == 303
    assert Play.objects.get(uid=plays[0]).results.get(outcome="holds").hand == {"7": 1}
    assert "on hold" not in text(client.get(done["Location"]))
    assert (
        put_back_words(client.get(done["Location"])) == "Round 1: Back to Aino +50"
    )  # the way back from there


def test_the_receipt_of_a_round_that_a_correction_put_on_hold_says_so() -> None:
    made, later = over_before(later=2)
    client = Client()
    client.force_login(made.user)
    row = LedgerRow.objects.filter(action="record_round").latest("sequence")
    page = client.get(reverse("table", args=[made.table.uid]), {"saved": row.sequence})
    assert (page.context["saved_label"], page.context["correct"]) == ("Round 3 is on hold", None)
    assert later[1]["play"] in {UUID(uid) for uid in row.payload["play"]}


def test_what_is_on_hold_is_left_out_in_one_go_and_taken_back_in_one() -> None:
    made, later = over_before(later=5)
    client = as_referee(made, role=Membership.Role.TABLE_REFEREE, table=made.table)
    page = text(open_page(client, "table", made.table.uid))
    assert "On hold: Rounds 2 to 6" in page
    assert "They could not have been played, so they do not count." in page
    assert page.index("Leave out all 5") < page.index("Decide one by one") < page.index("Leave it out")
    asked = open_page(client, "table-leave-out", made.table.uid)
    fields = re.findall(r'name="play" value="([^"]+)"', text(asked))
    assert fields == [f"{each['play']}:{each['version']}" for each in later]
    said = {"play": fields, "command": str(uuid4()), "reason": asked.context["reason"]}
    assert client.post(asked.wsgi_request.path, said | {"reason": ""}).status_code == 422
    done = client.post(asked.wsgi_request.path, said)
    assert done.status_code == 303
    after = client.get(done["Location"])
    assert (after.context["saved_label"], put_back_words(after)) == ("Rounds 2 to 6: left out", "Undo")
    back = after.context["put_back"]
    undone = client.post(back.url, {"command": str(back.command)})
    assert client.get(undone["Location"]).context["saved_label"] == "Rounds 2 to 6: as before"
    assert "On hold: Rounds 2 to 6" in text(client.get(undone["Location"]))
    again = client.post(back.url, {"command": str(uuid4())})
    assert (again.status_code, "That did not work" in text(again)) == (422, True)
    assert client.get(back.url)["Location"] == reverse("table", args=[made.table.uid])


def test_what_was_decided_meanwhile_is_named_and_the_others_can_still_be_left_out() -> None:
    made, later = over_before(later=3)
    client = as_referee(made)
    url = reverse("table-leave-out", args=[made.table.uid])
    fields = [f"{each['play']}:{each['version']}" for each in later]
    made.act(actions.void_play, **later[0], reason="entered twice")
    answer = client.post(url, {"play": fields, "command": str(uuid4()), "reason": "over"})
    assert answer.status_code == 422
    assert "Table 1, round 2 has changed in the meantime" in text(answer)
    assert re.findall(r'name="play" value="([^"]+)"', text(answer)) == fields[1:]
    for each in later[1:]:
        made.act(actions.void_play, **each, reason="entered twice")
    assert client.get(url).status_code == 302
    wrong = client.post(url, {"play": ["x", fields[0][:36]], "command": str(uuid4()), "reason": "over"})
    assert wrong.status_code == 302


def test_same_round_again_names_who_entered_it_not_who_accepted_it() -> None:
    made = looked_twice(running_match(players=3))
    play = made.play(recorded_round(made))
    client = as_referee(made)
    tap(client, f"play/{play.uid}/accept/", version=play.version)
    page = client.get(f"/en/desk/table/{made.table.uid}/", {"same": str(play.uid)})
    assert f"{made.user.display_name()} entered the same result before you" in text(page)


def test_a_contested_round_is_called_so_at_its_table() -> None:
    made = looked_twice(running_match(players=3))
    play = made.play(recorded_round(made))
    made.act(actions.contest_play, play=play.uid, version=play.version)
    page = text(open_page(as_referee(made), "table", made.table.uid))
    assert "1 contested, referee called" in page
    assert "provisional" not in page
    ways = text(open_page(as_referee(made), "play", play.uid))
    assert all(
        words in ways
        for words in ("Someone else then confirms the correction", "switch confirmation off for this stage")
    )
