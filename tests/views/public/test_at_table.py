"""The table's own page, for everybody who scanned its code: what it shows, and what players may do there."""

import re
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from tests.support.factories import (
    Event,
    recorded_heat,
    recorded_round,
    running_heats,
    running_match,
    running_session,
    started_game,
)
from tournament import actions
from tournament.links import token_for
from tournament.models import Call, Play, Proposal, Stage, Table

pytestmark = pytest.mark.django_db

COMMAND = re.compile(r'name="(\w+)"\s+value="([^"]*)"')


def address(table: Table, what: str = "") -> str:
    return f"/en/at/{token_for('table', table.uid, Table.objects.get(pk=table.pk).link_number)}/{what}"


def text(answer: Any) -> str:
    return str(answer.content.decode())


def shown(made: Event, what: str = "") -> str:
    answer = Client().get(address(made.table, what))
    assert answer.status_code == 200
    return text(answer)


def sent(made: Event, what: str, **fields: Any) -> Any:
    data = {"command": uuid4(), **fields}
    return Client().post(address(made.table, what), {name: str(value) for name, value in data.items()})


def looked_twice(made: Event) -> Event:
    made.act(actions.ask_second_look, stage=made.stage.uid, wanted=True)
    return made


def form_of(made: Event) -> dict[str, Any]:
    """The pad of a round: the first player wins against 7s."""
    winner, *others = made.at(made.table)
    fields = {"play": uuid4(), "number": Play.objects.count() + 1, "proposal": uuid4(), "winner": winner}
    return fields | {f"hand-{uid}-7": 1 for uid in others}


def test_it_shows_the_table_and_is_in_no_search_engine() -> None:
    made = running_match(players=3)
    answer = Client().get(address(made.table))
    assert "noindex" in answer["X-Robots-Tag"]
    assert all(
        name in text(answer) for name in ("Aino", "Börje", "Cécile", "Propose a result", "Call a referee")
    )


def test_the_address_in_the_code_has_no_language() -> None:
    made = running_match(players=2)
    answer = Client().get(address(made.table).removeprefix("/en"), headers={"accept-language": "fi"})
    assert answer["Location"] == address(made.table).replace("/en/", "/fi/")


def test_an_old_code_is_told_so() -> None:
    made = running_match(players=2)
    old = address(made.table)
    made.act(actions.renew_link_of_table, table=made.table.uid)
    for url in (old, f"{old}propose/", f"{old}call/", "/en/at/x/"):
        assert Client().get(url).status_code == 404


def test_one_tap_finds_a_round_right() -> None:
    made = looked_twice(running_match(players=3))
    play = made.play(recorded_round(made))
    page = shown(made)
    assert "Round 1: is this right?" in page
    assert sent(made, "right/", play=play.uid, version=play.version).status_code == 303
    play.refresh_from_db()
    assert play.second_look == "accepted"
    assert "is this right?" not in shown(made)


def test_one_tap_contests_it_and_calls_a_referee() -> None:
    made = looked_twice(running_match(players=3))
    play = made.play(recorded_round(made))
    assert sent(made, "contest/", play=play.uid, version=play.version).status_code == 303
    assert Call.objects.get().kind == Call.Kind.CONTEST
    page = shown(made)
    assert re.search(r"Contested at \d\d:\d\d: a referee comes.", page)
    assert "is this right?" not in page
    assert "Take it back: it is right" in page
    play.refresh_from_db()
    assert sent(made, "right/", play=play.uid, version=play.version).status_code == 303
    assert Call.objects.get().answered_at
    assert "a referee comes" not in shown(made)


def test_what_a_referee_contested_is_not_taken_back_at_the_table() -> None:
    made = looked_twice(running_match(players=3))
    play = made.play(recorded_round(made))
    made.act(actions.contest_play, play=play.uid, version=play.version)
    page = shown(made)
    assert "a referee comes" in page
    assert "Take it back" not in page


def test_players_read_that_their_result_was_accepted_and_what_was_played_last() -> None:
    made = running_match(players=3)
    recorded_round(made)
    fields = form_of(made)
    sent(made, "propose/", **fields)
    winner, *others = made.at(made.table)
    result = {"winner": winner, "hands": {str(uid): {"7": 1} for uid in others}}
    made.act(actions.accept_proposal, proposal=Proposal.objects.get().uid, result=result)
    page = shown(made)
    assert re.search(r"Round 2: accepted by .+ at \d\d:\d\d", page)
    assert page.count("Aino\u2069 +14") == 2
    made.act(actions.ask_second_look_at, play=fields["play"])
    assert "Proposed by the players, accepted by" in shown(made)


def test_a_version_that_was_corrected_meanwhile_is_not_found_right() -> None:
    made = looked_twice(running_match(players=3))
    play = made.play(recorded_round(made))
    made.act(actions.void_play, play=play.uid, version=play.version, reason="why")
    answer = sent(made, "right/", play=play.uid, version=play.version)
    assert answer.status_code == 409
    assert "Somebody else entered this in the meantime." in text(answer)


def test_players_propose_a_round_change_it_and_take_it_back() -> None:
    made = running_match(players=3)
    assert sent(made, "propose/", **form_of(made)).status_code == 303
    first = Proposal.objects.get()
    page = shown(made)
    assert "You propose: Round 1" in page
    assert f'value="{first.uid}"' in page
    assert 'value="1"' in shown(made, "propose/")
    assert sent(made, "propose/", **form_of(made)).status_code == 303
    second = Proposal.objects.get(state="waiting")
    assert second.uid != first.uid
    assert sent(made, "withdraw/", proposal=second.uid).status_code == 303
    assert "You propose" not in shown(made)
    assert not Play.objects.exists()


def test_what_cannot_be_is_refused_at_its_field() -> None:
    made = running_match(players=3)
    fields = form_of(made)
    other = made.at(made.table)[1]
    answer = sent(made, "propose/", **fields | {f"hand-{other}-7": 99})
    assert answer.status_code == 422
    assert f'href="#hand-{other}"' in text(answer)
    assert sent(made, "propose/", **fields | {"winner": "Aino"}).status_code == 422
    assert not Proposal.objects.exists()


def test_a_heat_and_a_game_are_proposed_by_their_own_forms() -> None:
    heats = running_heats(players=4)
    winner = heats.at(heats.table)[0]
    ids = {"play": uuid4(), "number": 1, "proposal": uuid4()}
    assert sent(heats, "propose/", **ids, advance=1, **{f"order-{winner}": 1}).status_code == 303
    assert "You propose: Heat 1" in shown(heats)
    session = running_session(players=2)
    first, second = session.at(session.table)
    ids = {"play": uuid4(), "number": 1, "proposal": uuid4()}
    rows = {f"outcome-{first}": "out", f"time-{first}": "12:30", f"outcome-{second}": "last"}
    assert sent(session, "propose/", **ids, ended="last", **rows).status_code == 303
    assert "out after 12:30" in shown(session)


def test_nothing_is_proposed_where_nothing_comes_next() -> None:
    game = running_session(players=2)
    started_game(game)
    heats = running_heats(players=4)
    recorded_heat(heats)
    planned = running_match(players=2)
    Stage.objects.filter(pk=planned.stage.pk).update(state="planned")
    for made in (game, heats, planned):
        assert "Propose a result" not in shown(made)
        assert Client().get(address(made.table, "propose/")).status_code == 302


def test_the_reason_of_who_declined_is_read() -> None:
    made = running_match(players=3)
    sent(made, "propose/", **form_of(made))
    made.act(actions.decline_proposal, proposal=Proposal.objects.get().uid, reason="Aino has two 7s")
    page = shown(made)
    assert "Aino has two 7s" in page
    assert "Round 1: declined by" in page
    sent(made, "propose/", **form_of(made))
    assert "Aino has two 7s" not in shown(made)


def test_a_referee_is_called_once() -> None:
    made = running_match(players=2)
    assert sent(made, "call/").status_code == 303
    page = shown(made)
    assert "A referee is called" in page
    assert "Call a referee" not in page


def test_opening_an_address_of_a_tap_leads_to_the_table() -> None:
    made = running_match(players=2)
    for what in ("right/", "contest/", "call/", "withdraw/"):
        assert Client().get(address(made.table, what))["Location"] == address(made.table)
    assert Client().get(address(made.table, "nothing/")).status_code == 404
    assert not Call.objects.exists()


@pytest.mark.parametrize("rounds", [1, 3])
def test_so_many_queries(rounds: int, django_assert_max_num_queries: Any) -> None:
    made = looked_twice(running_match(players=3))
    for _each in range(rounds):
        recorded_round(made)
    sent(made, "propose/", **form_of(made))
    url = address(made.table)
    with django_assert_max_num_queries(16):
        assert Client().get(url).status_code == 200
