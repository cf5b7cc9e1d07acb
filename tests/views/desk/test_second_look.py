"""The queue of results that wait for a referee, and the effect of one tap there."""

import re
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from tests.support.arriving import by_link
from tests.support.desk import as_referee, hidden, open_page, text
from tests.support.factories import Event, StaffFactory, add_stage, event, recorded_round, running_match
from tournament import actions
from tournament.links import token_for
from tournament.models import LedgerNote, Membership, Play, Proposal, Table

pytestmark = pytest.mark.django_db


def proposed(made: Event, table: Table | None = None) -> Proposal:
    table = table or made.table
    winner, *others = made.at(table)
    uid = uuid4()
    by_link(
        made,
        actions.propose_result,
        token=token_for("table", table.uid),
        proposal=uid,
        play=uuid4(),
        number=1 + Play.objects.filter(table=table).count(),
        fields={"winner": str(winner), **{f"hand-{each}-7": "1" for each in others}},
    )
    return Proposal.objects.get(uid=uid)


def looked_twice(made: Event) -> Event:
    made.act(actions.ask_second_look, stage=made.stage.uid, wanted=True)
    return made


def queue(client: Client, **query: Any) -> str:
    answer = client.get("/en/desk/accept/", query)
    assert answer.status_code == 200
    return text(answer)


def tap(client: Client, url: str, **fields: Any) -> Any:
    return client.post(f"/en/desk/{url}", {"command": str(uuid4()), **fields})


def test_a_proposal_is_shown_in_full_and_accepted_with_one_tap() -> None:
    made = running_match(players=3)
    row = proposed(made)
    referee = as_referee(made, role=Membership.Role.TABLE_REFEREE, table=made.table)
    assert "1 result to confirm" in text(open_page(referee, "desk"))
    assert "1 proposed result" in text(open_page(referee, "table", made.table.uid))
    page = queue(referee)
    assert all(words in page for words in ("Round 1", "won", "14 points", "Cécile"))
    answer = tap(referee, f"proposal/{row.uid}/accept/", proposal=row.uid)
    assert answer.status_code == 303
    assert Play.objects.get().uid == row.play
    assert "Nothing to confirm" in text(referee.get(answer["Location"]))


def test_declining_asks_for_a_reason() -> None:
    made = running_match(players=3)
    row = proposed(made)
    referee = as_referee(made)
    assert "Decline the players’ proposal for Round 1?" in text(
        open_page(referee, "proposal-decline", row.uid)
    )
    assert tap(referee, f"proposal/{row.uid}/decline/").status_code == 422
    assert tap(referee, f"proposal/{row.uid}/decline/", reason="Count again").status_code == 303
    assert LedgerNote.objects.get().text == "Count again"


def test_a_number_entered_meanwhile_shows_both_versions() -> None:
    made = running_match(players=3)
    row = proposed(made)
    recorded_round(made, winner=made.uids[1])
    referee = as_referee(made)
    assert "A referee has entered a result for this game in the meantime." in queue(referee)
    answer = tap(referee, f"proposal/{row.uid}/accept/", proposal=row.uid)
    assert answer.status_code == 409
    fields = hidden(answer)
    assert fields["winner"] == str(made.uids[0])


def test_a_proposal_that_is_gone_says_so_in_the_queue() -> None:
    made = running_match(players=3)
    row = proposed(made)
    proposed(made)
    answer = tap(as_referee(made), f"proposal/{row.uid}/accept/", proposal=row.uid)
    assert answer.status_code == 422
    assert "This proposal is no longer waiting." in text(answer)


def test_a_provisional_round_is_accepted_by_another_referee_only() -> None:
    made = looked_twice(running_match(players=3))
    play = made.play(recorded_round(made))
    own = Client()
    own.force_login(made.user)
    assert "You entered this" in queue(own)
    assert f"/play/{play.uid}/accept/" not in queue(own)
    assert tap(own, f"play/{play.uid}/accept/", version=play.version).status_code == 422
    other = as_referee(made)
    assert "1 result to confirm" in text(open_page(other, "table", made.table.uid))
    assert tap(other, f"play/{play.uid}/accept/", version=play.version).status_code == 303
    assert "Confirmed" in text(open_page(other, "play", play.uid))


def test_several_rounds_are_accepted_at_once_and_that_is_undone_by_one_tap() -> None:
    made = looked_twice(running_match(players=3))
    plays = [made.play(recorded_round(made)) for _ in range(3)]
    referee = as_referee(made, role=Membership.Role.TABLE_REFEREE, table=made.table)
    page = queue(referee)
    assert page.index("Round 3") < page.index("Round 2") < page.index("Round 1")
    assert (page.count(" open>"), "Confirm all (3)" in page) == (1, True)
    fields = re.findall(r'name="play" value="([^"]+)"', page)
    assert fields == [f"{play.uid}:{play.version}" for play in reversed(plays)]
    url = f"table/{made.table.uid}/accept/"
    assert referee.get(f"/en/desk/{url}")["Location"] == "/en/desk/accept/"
    answer = tap(referee, url, play=fields)
    assert answer.status_code == 303
    done = referee.get(answer.url)
    assert "Nothing to confirm" in text(done)
    back = done.context["put_back"]
    undone = referee.post(back.url, {"command": str(back.command)})
    assert undone.status_code == 303
    assert "Confirm all (3)" in queue(referee)
    tap(referee, f"play/{plays[1].uid}/contest/", version=made.play(plays[1].uid).version)
    refused = tap(referee, url, play=[f"{play.uid}:{made.play(play.uid).version}" for play in plays])
    assert (refused.status_code, "Table 1, round 2 has changed in the meantime" in text(refused)) == (
        422,
        True,
    )
    assert "Confirm all (2)" in text(refused)


def test_the_next_round_does_not_open_where_the_last_one_was_accepted() -> None:
    made = looked_twice(running_match(players=3))
    plays = [made.play(recorded_round(made)) for _ in range(2)]
    referee = as_referee(made)
    answer = tap(referee, f"play/{plays[1].uid}/accept/", version=plays[1].version)
    page = text(referee.get(answer.url))
    assert ("Round 1" in page, " open>" in page) == (True, False)


def test_nobody_is_offered_the_own_rounds_to_accept_at_once() -> None:
    made = looked_twice(running_match(players=3))
    for _ in range(2):
        recorded_round(made)
    own = Client()
    own.force_login(made.user)
    assert "Confirm all" not in queue(own)
    assert "Confirm all" not in text(own.get(f"/en/organise/t/{made.tournament.slug}/"))
    head = as_referee(made)
    board = text(head.get(f"/en/organise/t/{made.tournament.slug}/"))
    assert "Confirm all (2)" in board
    fields = re.findall(r'name="play" value="([^"]+)"', board)
    answer = tap(head, f"table/{made.table.uid}/accept/", play=fields, back="board")
    after = head.get(answer.url)
    assert ("All right" in text(after), bool(after.context["undo_url"])) == (False, True)


def test_a_contested_round_comes_first_and_leads_to_its_correction() -> None:
    made = looked_twice(running_match(players=3))
    first, second = (made.play(recorded_round(made)) for _ in range(2))
    referee = as_referee(made)
    assert tap(referee, f"play/{second.uid}/contest/", version=second.version).status_code == 303
    page = queue(referee)
    assert page.index("Round 2") < page.index("Round 1")
    assert f"/play/{second.uid}/correct/" in page
    assert "Contested" in text(open_page(referee, "play", second.uid))
    assert tap(referee, f"play/{first.uid}/contest/", version=0).status_code in {303, 409}


def test_an_organiser_asks_for_a_second_look_at_one_round() -> None:
    made = running_match(players=3)
    play = recorded_round(made)
    client = Client()
    client.force_login(made.user)
    assert "Ask for confirmation" in text(open_page(client, "play", play))
    assert tap(client, f"play/{play}/second-look/").status_code == 303
    assert made.play(play).second_look == "wanted"
    referee = as_referee(made, role=Membership.Role.TABLE_REFEREE)
    assert "Ask for confirmation" not in text(open_page(referee, "play", recorded_round(made)))


def test_what_waits_at_other_tables_is_none_of_a_table_referees_business() -> None:
    made = running_match(players=4, tables=2)
    row = proposed(made, made.tables[1])
    client = as_referee(made, role=Membership.Role.TABLE_REFEREE, table=made.tables[0])
    assert "Nothing to confirm" in queue(client)
    for url in (f"proposal/{row.uid}/accept/", f"proposal/{row.uid}/decline/"):
        assert tap(client, url).status_code == 404


def test_who_confirms_for_several_events_reads_which_one(client: Client) -> None:
    one, other = (add_stage(event(players=3, name=name), "match") for name in ("Spring cup", "Autumn cup"))
    client.force_login(StaffFactory())
    proposed(one)
    assert "Spring cup" not in queue(client)
    proposed(other)
    assert all(name in queue(client) for name in ("Spring cup", "Autumn cup"))


@pytest.mark.parametrize("tables", [1, 3])
def test_the_queue_needs_so_many_queries(tables: int, django_assert_max_num_queries: Any) -> None:
    made = looked_twice(running_match(players=2 * tables, tables=tables))
    recorded_round(made)
    for table in made.tables:
        proposed(made, table)
    client = as_referee(made)
    with django_assert_max_num_queries(16):
        queue(client)


def test_what_nobody_is_asked_about_bears_no_mark() -> None:
    made = running_match(players=3)
    play = recorded_round(made)
    referee = as_referee(made)
    assert "Provisional" not in text(open_page(referee, "play", play))
    assert "Provisional" not in text(open_page(referee, "table-history", made.table.uid))
    looked_twice(made)
    assert "Provisional" not in text(open_page(referee, "play", play))  # it was entered before
    play = recorded_round(made)
    assert "Provisional" in text(open_page(referee, "play", play))
    assert "1 result to confirm" in text(open_page(referee, "table", made.table.uid))
