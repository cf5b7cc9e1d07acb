"""Incidents and calls: what may be kept, what a dispute comes to, an ejection's own incident, who may."""

from typing import Any
from uuid import uuid4

import pytest

from tests.support.asking_actions import agrees, refusal
from tests.support.factories import (
    add_stage,
    event,
    running_heats,
    running_match,
    running_session,
    started_game,
)
from tests.support.incidents import by, penalty, the
from tournament import actions
from tournament.models import Call, Incident, LedgerNote, LedgerRow, Membership
from tournament.results.faults import Forbidden, Refused

pytestmark = pytest.mark.django_db


def test_a_penalty_is_kept_with_the_cards_of_the_sheet() -> None:
    made = running_session(3)
    play = started_game(made)
    receipt = made.act(actions.record_penalty, **penalty(made, play=play, text="said too late"))
    row = the(made)
    assert row.entry
    assert row.play
    assert (row.kind, row.code, row.cards, row.entry.uid) == ("penalty", "uno_not_said", 2, made.uids[0])
    assert (row.play.uid, row.table, row.by, row.at) == (play, made.table, made.user, receipt.at)
    facts = LedgerRow.objects.get(sequence=receipt.sequence, tournament=made.tournament).payload
    assert facts.keys() == {"incident"}
    assert "said too late" not in str(facts)
    assert agrees(made)


@pytest.mark.parametrize("cards", [0, 3, 99])
def test_other_cards_than_the_sheet_says_can_be_drawn(cards: int) -> None:
    made = running_session(3)
    made.act(actions.record_penalty, **penalty(made, cards=cards))
    assert the(made).cards == cards


def test_more_cards_than_anybody_draws_are_said_so() -> None:
    made = running_session(3)
    with pytest.raises(Refused) as refused:
        made.act(actions.record_penalty, **penalty(made, cards=100))
    assert refused.value.faults[0].parameters == {"least": 0, "most": 99}


def test_something_else_needs_words_and_nobody_in_particular() -> None:
    made = running_match(3)
    assert refusal(made, actions.record_penalty, **penalty(made, code="", entry=None)) == [
        ("field_required", "/text")
    ]
    made.act(actions.record_penalty, **penalty(made, code="", entry=None, text="A card fell", ruling="Back"))
    assert (the(made).code, the(made).entry, the(made).decided) == ("", None, "referee")
    assert agrees(made)


@pytest.mark.parametrize(
    ("more", "fault"),
    [
        ({"code": "nonsense"}, ("unknown_penalty", "/code")),
        ({"code": "unsporting"}, ("unknown_penalty", "/code")),  # is a warning
        ({"code": "unsporting_again"}, ("unknown_penalty", "/code")),  # is an ejection
        ({"code": "disturbing"}, ("unknown_penalty", "/code")),  # of another ruleset
        ({"entry": None}, ("nobody_chosen", "/entry")),
        ({"entry": uuid4()}, ("not_seated", "/entry")),
        ({"play": uuid4()}, ("unknown_play", "/play")),
        ({"table": uuid4()}, ("unknown_table", "/table")),
        ({"cards": 100}, ("number_too_large", "/cards")),
        ({"cards": -1}, ("number_too_large", "/cards")),
        ({"cards": True}, ("malformed", "/cards")),
        ({"ruling": "x" * 501}, ("field_max_length", "/ruling")),
        ({"text": "x" * 501}, ("field_max_length", "/text")),
    ],
)
def test_what_is_no_penalty_is_refused(more: dict[str, Any], fault: tuple[str, str]) -> None:
    made = running_session(3)
    assert refusal(made, actions.record_penalty, **penalty(made, **more)) == [fault]
    assert not Incident.objects.exists()


def test_who_sits_at_another_table_is_refused_and_so_is_a_play_there() -> None:
    made = running_session(6, tables=2)
    play = started_game(made)
    there = made.tables[1]
    assert refusal(
        made, actions.record_penalty, **penalty(made, table=there.uid, entry=made.at(there)[0], play=play)
    ) == [("unknown_play", "/play")]
    assert refusal(made, actions.record_penalty, **penalty(made, play=uuid4())) == [("unknown_play", "/play")]
    for more in ({}, {"play": play}):
        asked = penalty(made, entry=made.at(there)[0], **more)
        assert refusal(made, actions.record_penalty, **asked) == [("not_seated", "/entry")]


def test_before_play_there_are_no_incidents_and_no_calls() -> None:
    made = add_stage(event("kpgut-2016", 3), "session", start=False)
    assert refusal(made, actions.record_penalty, **penalty(made)) == [("stage_not_running", "/table")]
    assert refusal(made, actions.call_referee, table=made.table.uid) == [("stage_not_running", "/table")]


def test_one_id_is_one_incident() -> None:
    made = running_session(3)
    asked = penalty(made)
    made.act(actions.record_penalty, **asked)
    assert refusal(made, actions.record_penalty, **asked) == [("incident_exists", "/incident")]


def test_what_the_sheet_leaves_to_the_referees_needs_a_ruling() -> None:
    made = running_heats(4, tables=1)
    assert refusal(made, actions.record_penalty, **penalty(made, code="helped")) == [
        ("missing_ruling", "/ruling")
    ]
    made.act(actions.record_penalty, **penalty(made, code="helped", ruling="Two cards", cards=2))
    assert (the(made).decided, the(made).cards) == ("referee", 2)


def test_a_warning_is_for_a_row_of_the_sheet_or_in_words() -> None:
    made = running_session(3)
    asked = {"table": made.table.uid, "entry": made.uids[1]}
    assert refusal(made, actions.warn_player, incident=uuid4(), **asked) == [("field_required", "/text")]
    assert refusal(made, actions.warn_player, incident=uuid4(), code="helped", **asked) == [
        ("unknown_penalty", "/code")
    ]
    assert refusal(made, actions.warn_player, incident=uuid4(), text="x" * 501, **asked) == [
        ("field_max_length", "/text")
    ]
    made.act(actions.warn_player, incident=uuid4(), text="shouts", **asked)
    made.act(actions.warn_player, incident=uuid4(), code="unsporting", **asked)
    assert list(Incident.objects.values_list("kind", "code", "text")) == [
        ("warning", "", "shouts"),
        ("warning", "unsporting", ""),
    ]
    assert agrees(made)


@pytest.mark.parametrize(
    ("yes", "no", "oldest", "answer", "decided"),
    [
        (3, 1, None, True, "votes"),
        (1, 2, None, False, "votes"),
        (0, 1, None, False, "votes"),
        (2, 0, None, True, "votes"),
        (3, 1, False, True, "votes"),  # the oldest player is asked only where they are even
        (2, 2, True, True, "oldest"),
        (2, 2, False, False, "oldest"),
    ],
)
def test_votes_settle_a_dispute(yes: int, no: int, oldest: bool | None, answer: bool, decided: str) -> None:
    made = running_session(4)
    made.act(
        actions.record_dispute,
        table=made.table.uid,
        incident=uuid4(),
        text="Was it red?",
        votes_yes=yes,
        votes_no=no,
        oldest_yes=oldest,
    )
    assert (the(made).yes, the(made).decided, the(made).code) == (answer, decided, "dispute")
    assert agrees(made)


@pytest.mark.parametrize(
    ("more", "fault"),
    [
        ({"text": " "}, ("field_required", "/text")),
        ({"votes_no": None}, ("missing_votes", "/votes_yes")),
        ({"votes_yes": 0, "votes_no": 0}, ("missing_votes", "/votes_yes")),
        ({"votes_yes": "2"}, ("malformed", "/votes_yes")),
        ({"votes_no": True}, ("malformed", "/votes_no")),
        ({"text": "x" * 501}, ("field_max_length", "/text")),
        ({"ruling": "x" * 501}, ("field_max_length", "/ruling")),
        ({"votes_yes": 4}, ("too_many_votes", "/votes_yes")),
        ({"votes_yes": -1, "votes_no": 3}, ("too_many_votes", "/votes_yes")),
        ({"votes_yes": 1}, ("missing_oldest", "/oldest_yes")),
        ({"votes_yes": 1, "oldest_yes": 1}, ("missing_oldest", "/oldest_yes")),
    ],
)
def test_a_vote_that_settles_nothing_is_refused(more: dict[str, Any], fault: tuple[str, str]) -> None:
    made = running_session(8, tables=2)  # those at another table have no vote
    asked = {"text": "Was it red?", "votes_yes": 2, "votes_no": 1} | more
    assert refusal(made, actions.record_dispute, table=made.table.uid, incident=uuid4(), **asked) == [fault]


@pytest.mark.parametrize("ruleset", ["mattel-112", "tite-2022"])
def test_elsewhere_the_referee_rules(ruleset: str) -> None:
    made = running_match(3, ruleset, kind="final" if ruleset == "tite-2022" else "match")
    asked = {"table": made.table.uid, "text": "Was it red?", "votes_yes": 2, "votes_no": 1}
    assert refusal(made, actions.record_dispute, incident=uuid4(), **asked) == [("missing_ruling", "/ruling")]
    made.act(actions.record_dispute, incident=uuid4(), ruling="It was.", **asked)
    assert (the(made).decided, the(made).votes_yes, the(made).yes) == ("referee", None, None)
    assert the(made).code == {"mattel-112": "", "tite-2022": "dispute"}[ruleset]


def test_an_incident_is_withdrawn_and_stays_readable() -> None:
    made = running_session(3)
    made.act(actions.record_penalty, **penalty(made, text="said too late"))
    made.act(actions.withdraw_incident, incident=the(made).uid, reason="it was said")
    assert (the(made).withdrawn, the(made).text) == (True, "said too late")
    assert LedgerNote.objects.get().text == "it was said"
    assert refusal(made, actions.withdraw_incident, incident=the(made).uid) == [
        ("already_withdrawn", "/incident")
    ]
    assert refusal(made, actions.withdraw_incident, incident=uuid4()) == [("unknown_incident", "/incident")]
    assert agrees(made)


def test_a_table_referee_keeps_incidents_of_the_own_table_only() -> None:
    made = running_session(6, tables=2)
    here, there = made.tables
    user = made.referee(Membership.Role.TABLE_REFEREE, here)
    by(user, actions.record_penalty, made, **penalty(made))
    own = the(made).uid
    other = penalty(made, table=there.uid, entry=made.at(there)[0])
    made.act(actions.record_penalty, **other)
    made.act(actions.call_referee, table=there.uid)
    ruling = {"incident": uuid4(), "text": "May one?", "ruling": "One may."}
    for action, arguments in [
        (actions.record_penalty, other | {"incident": uuid4()}),
        (actions.withdraw_incident, {"incident": other["incident"]}),
        (actions.record_ruling, ruling),
        (actions.record_ruling, ruling | {"incident": own}),
        (actions.call_referee, {"table": there.uid}),
        (actions.take_back_call, {"call": Call.objects.get().uid}),
        (actions.answer_call, {"call": Call.objects.get().uid}),
    ]:
        with pytest.raises(Forbidden):
            by(user, action, made, **arguments)
    by(user, actions.record_ruling, made, table=here.uid, **ruling)
    by(user, actions.withdraw_incident, made, incident=own)
    assert agrees(made)


def test_for_the_whole_event_a_head_referee_rules() -> None:
    made = running_session(3)
    everywhere = made.referee(Membership.Role.TABLE_REFEREE)
    ruling = {"incident": uuid4(), "text": "May one?", "ruling": "One may.", "code": "helped"}
    with pytest.raises(Forbidden):
        by(everywhere, actions.record_ruling, made, **ruling)
    by(made.referee(), actions.record_ruling, made, **ruling)
    assert (the(made).table, the(made).kind, the(made).code) == (None, "ruling", "helped")
    with pytest.raises(Forbidden):
        by(everywhere, actions.withdraw_incident, made, incident=the(made).uid)
    assert agrees(made)


def test_a_ruling_has_a_question_and_an_answer() -> None:
    made = running_session(3)
    asked = {"incident": uuid4(), "table": made.table.uid, "text": " ", "ruling": " "}
    assert refusal(made, actions.record_ruling, **asked) == [
        ("field_required", "/text"),
        ("missing_ruling", "/ruling"),
    ]
    for name in ("text", "ruling"):
        long = {"text": "May one?", "ruling": "One may."} | {name: "x" * 501}
        assert refusal(made, actions.record_ruling, **asked | long) == [("field_max_length", f"/{name}")]
    made.act(actions.record_ruling, **asked | {"text": "May one?", "ruling": "One may."})
    assert (the(made).code, the(made).decided) == ("", "referee")


def test_who_has_an_incident_cannot_be_taken_out_as_a_mistake() -> None:
    made = running_session(3)
    made.act(actions.record_penalty, **penalty(made))
    rest = made.uids[1:]
    made.act(actions.seat_table, stage=made.stage.uid, table=made.table.uid, number=1, entries=rest)
    assert [code for code, _path in refusal(made, actions.withdraw_entry, entry=made.uids[0])] == [
        "entry_in_use"
    ]
