"""Actions that the players at a table take by its code, and of a phone that asks to join them."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from tests.support.arriving import by_link
from tests.support.at_table import act_as, at_table, codes, final, open_calls, proposed, result_of, token
from tests.support.factories import (
    Event,
    recorded_round,
    running_match,
    running_session,
    started_game,
)
from tests.support.undoing import agrees
from tournament import actions
from tournament.actions.table.at_table import MOST_ASKS
from tournament.links import short_code
from tournament.models import (
    Ask,
    Call,
    LedgerRow,
    Proposal,
    Stage,
    Table,
    Tournament,
)
from tournament.results import typed
from tournament.results.faults import Forbidden, Refused

pytestmark = pytest.mark.django_db


def test_players_call_a_referee_once() -> None:
    made = final()
    at_table(made, actions.call_at_table)
    rows = LedgerRow.objects.count()
    with pytest.raises(Refused) as refused:
        at_table(made, actions.call_at_table)
    assert (codes(refused), LedgerRow.objects.count()) == (["called_already"], rows)
    assert [call.kind for call in open_calls(made)] == [Call.Kind.HELP]


def test_a_new_proposal_takes_the_place_of_the_one_before() -> None:
    made = final()
    first, second = proposed(made), proposed(made)
    with pytest.raises(Refused) as refused:
        proposed(made, proposal=first.uid)
    assert codes(refused) == ["proposal_exists"]
    first.refresh_from_db()
    assert (first.state, second.state) == ("withdrawn", "waiting")
    with pytest.raises(Refused) as refused:
        made.act(actions.accept_proposal, proposal=first.uid, result=result_of(made))
    assert codes(refused) == ["proposal_gone"]
    with pytest.raises(Refused) as refused:
        at_table(made, actions.withdraw_proposal, proposal=first.uid)
    assert codes(refused) == ["proposal_gone"]
    at_table(made, actions.withdraw_proposal, proposal=second.uid)
    for action in (actions.accept_proposal, actions.decline_proposal):
        more: dict[str, Any] = {"result": {}} if action is actions.accept_proposal else {"reason": "why"}
        with pytest.raises(Refused) as refused:
            made.act(action, proposal=second.uid, **more)
        assert codes(refused) == ["proposal_gone"]
    assert agrees(made)


def test_tables_propose_each_for_itself_and_what_was_accepted_stays_so() -> None:
    made = running_match(players=4, tables=2)
    here, there = made.tables
    made.act(actions.accept_proposal, proposal=proposed(made).uid, result=result_of(made))
    made.tables = [there]
    other = proposed(made)
    with pytest.raises(Refused) as refused:
        at_table(made, actions.withdraw_proposal, here, proposal=other.uid)
    assert codes(refused) == ["proposal_gone"]
    made.tables = [here]
    own = proposed(made, number=2)
    states = dict(Proposal.objects.values_list("number", "state"))
    assert (states, Proposal.objects.get(pk=other.pk).state) == ({1: "waiting", 2: "waiting"}, "waiting")
    assert list(Proposal.objects.filter(table=here).order_by("pk").values_list("state", flat=True)) == [
        "accepted",
        "waiting",
    ]
    at_table(made, actions.withdraw_proposal, proposal=own.uid)
    with pytest.raises(Refused) as refused:
        at_table(made, actions.withdraw_proposal, proposal=own.uid)
    assert codes(refused) == ["proposal_gone"]


def test_a_form_of_a_proposal_is_kept_without_what_is_empty_and_may_be_as_long_as_any() -> None:
    made = final()
    most = {f"hand-{uuid4()}-{number}": "1" for number in range(typed.MOST_FIELDS)}
    first = proposed(made, fields=most)
    assert first.fields == most
    kept = {"ended": "time", f"time-{uuid4()}": "59.5", "drew": str(uuid4())}
    assert proposed(made, fields={**kept, "winner": "", "hand": None}, instead=first.uid).fields == kept


@pytest.mark.parametrize(
    "fields",
    [
        {"winner": "Aino"},
        {"reason": "she is sixteen"},
        {"Aino Aalto": "1"},
        {"hand-7": "1; drop"},
        {f"hand-{uuid4()}-7": "12345678901234567890"},
        {f"hand-{uuid4()}-{number}": "1" for number in range(typed.MOST_FIELDS + 1)},
        "winner",
    ],
)
def test_a_proposal_holds_ids_and_numbers_only(fields: Any) -> None:
    made = final()
    with pytest.raises(Refused) as refused:
        proposed(made, fields=fields)
    assert codes(refused) == ["malformed"]
    assert not Proposal.objects.exists()


@pytest.mark.parametrize("number", ["1", True, 1.0])
def test_a_proposals_number_is_a_whole_one(number: Any) -> None:
    made = final()
    with pytest.raises(Refused, match=r"malformed at /number$"):
        proposed(made, number=number)


def test_nothing_is_proposed_beside_a_running_game() -> None:
    made = running_session(players=2)
    started_game(made)
    with pytest.raises(Refused) as refused:
        proposed(made, number=2)
    assert codes(refused) == ["game_running"]


@pytest.mark.beside
@pytest.mark.parametrize("closed", ["before", "after"])
def test_the_code_holds_while_the_stage_is_played(closed: str) -> None:
    made = final(asked=False)
    if closed == "before":
        Stage.objects.update(state=Stage.State.PLANNED)
    else:
        recorded_round(made)
        made.act(actions.stop_match, table=made.table.uid)
        made.act(actions.finish_stage, stage=made.stage.uid)
    with pytest.raises(Refused) as refused:
        at_table(made, actions.call_at_table)
    assert codes(refused) == ["stage_not_running"]


@pytest.mark.beside
def test_the_code_of_an_event_that_is_put_away_opens_nothing() -> None:
    made = final()
    Tournament.objects.update(put_away=True)
    with pytest.raises(Forbidden) as refused:
        at_table(made, actions.call_at_table)
    assert refused.value.faults[0].parameters == {"action": "call_at_table"}


def test_a_renewed_code_ends_the_old_one() -> None:
    made = final()
    old = token(made.table)
    made.act(actions.renew_link_of_table, table=made.table.uid)
    assert made.refresh().table.link_number == 1
    with pytest.raises(Forbidden):
        by_link(made, actions.call_at_table, token=old)
    with pytest.raises(Forbidden):
        by_link(final(), actions.call_at_table, token=token(made.table))
    at_table(made, actions.call_at_table)
    assert agrees(made)


# ---- a phone that came by the short code ----


def code_of(made: Event) -> str:
    table = Table.objects.get(pk=made.table.pk)
    return short_code(table.uid, table.link_number)


def asked(made: Event) -> Ask:
    by_link(made, actions.ask_to_join, table=made.table.uid, code=code_of(made))
    return Ask.objects.latest("pk")


def test_a_phone_asks_and_the_table_or_its_referee_answers_once() -> None:
    made = final()
    first, second = asked(made), asked(made)
    at_table(made, actions.answer_ask_at_table, ask=first.uid, yes=True)
    made.act(actions.answer_ask, table=made.table.uid, ask=second.uid, yes=False)
    assert list(Ask.objects.values_list("answer", flat=True)) == [True, False]
    for again in (first, second):
        with pytest.raises(Refused) as refused:
            made.act(actions.answer_ask, table=made.table.uid, ask=again.uid, yes=True)
        assert codes(refused) == ["ask_gone"]
    row = LedgerRow.objects.latest("sequence")
    assert (row.action, row.payload) == ("answer_ask", {})
    assert agrees(made)


def test_few_phones_ask_at_once_and_a_request_ends_after_five_minutes_or_with_the_code() -> None:
    made = final()
    last = [asked(made) for _ in range(MOST_ASKS)][-1]
    with pytest.raises(Refused) as refused:
        asked(made)
    assert codes(refused) == ["too_many_asks"]
    Ask.objects.filter(pk=last.pk).update(at=timezone.now() - timedelta(minutes=5))
    assert asked(made) in Ask.objects.waiting()
    made.act(actions.renew_link_of_table, table=made.table.uid)
    assert not Ask.objects.waiting().exists()
    assert asked(made) in Ask.objects.waiting()


def test_a_phone_asks_by_the_right_code_at_the_right_table_while_it_is_played() -> None:
    made = running_match(players=4, tables=2)
    here, there = made.tables
    with pytest.raises(Forbidden):
        by_link(made, actions.ask_to_join, table=here.uid, code=short_code(there.uid, 0))
    made.tables = [here]
    found = asked(made)
    with pytest.raises(Refused) as refused:
        at_table(made, actions.answer_ask_at_table, there, ask=found.uid, yes=True)
    assert codes(refused) == ["ask_gone"]
    with pytest.raises(Forbidden):
        act_as(
            made.referee("table_referee", there),
            made,
            actions.answer_ask,
            table=here.uid,
            ask=found.uid,
            yes=True,
        )
    over = running_session(players=2)
    over.act(actions.finish_stage, stage=over.stage.uid)
    with pytest.raises(Refused, match="stage_not_running"):
        asked(over)
