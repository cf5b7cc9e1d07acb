"""Incidents and calls: what may be kept, what a dispute comes to, an ejection's own incident, who may."""

from typing import Any
from uuid import UUID, uuid4

import pytest

from tests.support.asking_actions import agrees, refusal
from tests.support.factories import (
    Event,
    add_stage,
    event,
    recorded_round,
    running_heats,
    running_match,
    running_session,
    started_game,
)
from tournament import actions
from tournament.actions import Command
from tournament.models import Call, Entry, Incident, LedgerNote, LedgerRow, Membership, User
from tournament.results.faults import Forbidden, Refused

pytestmark = pytest.mark.django_db
Kind = Incident.Kind


def penalty(made: Event, **more: Any) -> dict[str, Any]:
    """The arguments of a penalty for the first player at the first table."""
    usual = {"incident": uuid4(), "table": made.table.uid, "code": "uno_not_said", "entry": made.uids[0]}
    return usual | more


def the(made: Event) -> Incident:
    return Incident.objects.get(tournament=made.tournament)


def test_a_penalty_is_kept_with_the_cards_of_the_sheet() -> None:
    made = running_session(3)
    play = started_game(made)
    receipt = made.act(actions.record_penalty, **penalty(made, play=play, text="said too late"))
    row = the(made)
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


def by(user: User, action: Any, made: Event, **arguments: Any) -> None:
    action(Command(uuid4(), user), made.tournament.uid, **arguments)


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


def ejections(made: Event) -> list[tuple[UUID, bool]]:
    rows = Incident.objects.filter(tournament=made.tournament, kind=Kind.EJECTION)
    return list(rows.values_list("entry__uid", "withdrawn"))


def test_an_ejection_leaves_its_incident_in_the_same_row_and_goes_with_it() -> None:
    made = running_session(3)
    play = started_game(made)
    asked = {"play": play, "entry": made.uids[0], "elapsed_s": 0}
    receipt = made.act(actions.eject_player, reason="insulted the oldest", code="unsporting_again", **asked)
    row = the(made)
    assert (row.kind, row.play.uid, row.code, row.text) == (
        "ejection", play, "unsporting_again", "insulted the oldest"
    )  # fmt: skip
    payload = LedgerRow.objects.get(tournament=made.tournament, sequence=receipt.sequence).payload
    assert payload.keys() == {"play", "incident"}
    assert refusal(made, actions.withdraw_incident, incident=row.uid) == [("ejection_stands", "/incident")]
    made.act(actions.take_back, play=play, entry=made.uids[0])
    assert ejections(made) == [(made.uids[0], True)]
    made.act(actions.eject_player, reason="again", **asked)
    made.act(actions.record_out, play=play, entry=made.uids[1], elapsed_s=0)
    assert ejections(made) == [(made.uids[0], True), (made.uids[0], False)]
    version = made.play(play).version
    made.act(actions.void_play, play=play, version=version, reason="cards missing")  # the ejection stands
    assert ejections(made)[-1] == (made.uids[0], False)
    assert agrees(made)


def test_a_removal_leaves_one_incident_however_many_tables_and_goes_with_readmission() -> None:
    made = running_match(4)
    gone = made.uids[3]
    asked = {"entry": gone, "table": made.table.uid}
    assert refusal(made, actions.remove_player, reason="x" * 501, **asked) == [
        ("field_max_length", "/reason")
    ]
    made.act(actions.remove_player, reason="disturbed", **asked)
    assert (the(made).table, the(made).text, the(made).play) == (made.table, "disturbed", None)
    made.act(actions.readmit_player, entry=gone)
    assert ejections(made) == [(gone, True)]
    assert agrees(made)


def test_a_removal_and_its_end_leave_the_ejection_in_an_earlier_game_as_it_was() -> None:
    made = running_session(3)
    play = started_game(made)
    gone, *_ = made.uids
    made.act(actions.eject_player, play=play, entry=gone, elapsed_s=0, reason="insulted the oldest")
    made.act(actions.record_out, play=play, entry=made.uids[1], elapsed_s=0)
    made.act(actions.finish_stage, stage=made.stage.uid)
    made.act(actions.readmit_player, entry=gone)
    made.act(actions.remove_player, entry=gone, reason="shouted")
    assert told(made) == [
        (gone, "ejection", "", "insulted the oldest", False),
        (gone, "ejection", "", "shouted", False),
    ]
    made.act(actions.readmit_player, entry=gone)
    assert ejections(made) == [(gone, False), (gone, True)]
    assert agrees(made)


def told(made: Event) -> list[tuple[UUID, str, str, str, bool]]:
    """Every incident: of whom, of which kind, by which row of the sheet, in which words, whether it was withdrawn."""
    rows = Incident.objects.filter(tournament=made.tournament).order_by("pk")
    return list(rows.values_list("entry__uid", "kind", "code", "text", "withdrawn"))


def test_each_ejection_has_its_own_incident_and_words_beside_others_and_beside_penalties() -> None:
    made = running_session(8, tables=2)
    here, there = made.tables
    one, two = made.at(here)[:2]
    far = made.at(there)[0]
    play = started_game(made)
    made.act(actions.record_penalty, **penalty(made, play=play, entry=one))
    made.act(actions.eject_player, play=play, entry=one, elapsed_s=0, reason="insulted the oldest")
    made.act(actions.eject_player, play=play, entry=two, elapsed_s=0, reason="cut", code="unsporting_again")
    made.tables = [there]
    game = started_game(made)
    made.act(actions.eject_player, play=game, entry=far, elapsed_s=0, reason="marked a card")
    late, later = uuid4(), uuid4()
    made.act(actions.enter_players, players=[{"entry": uid, "name": str(uid)} for uid in (late, later)])
    for uid in (late, later):
        made.act(actions.remove_player, entry=uid, reason=f"shouted {uid}")
    made.act(actions.readmit_player, entry=late)
    assert told(made) == [
        (one, "penalty", "uno_not_said", "", False),
        (one, "ejection", "", "insulted the oldest", False),
        (two, "ejection", "unsporting_again", "cut", False),
        (far, "ejection", "", "marked a card", False),
        (late, "ejection", "", f"shouted {late}", True),
        (later, "ejection", "", f"shouted {later}", False),
    ]
    assert agrees(made)


def test_who_is_removed_in_a_round_has_an_incident_until_that_is_corrected() -> None:
    made = running_match(4)
    first, second, third, fourth = made.uids
    play = uuid4()
    told = {"winner": first, "hands": {str(second): {"7": 1}, str(third): {"7": 1}}}
    made.act(actions.record_round, table=made.table.uid, play=play, number=1, removed=[fourth], **told)
    assert ejections(made) == [(fourth, False)]
    told["hands"] |= {str(fourth): {"7": 1}}
    made.act(
        actions.correct_round, play=play, version=made.play(play).version, reason="it was nothing", **told
    )
    assert ejections(made) == [(fourth, True)]
    assert Entry.objects.get(uid=fourth).state == "checked_in"
    assert agrees(made)


def test_who_has_an_incident_cannot_be_taken_out_as_a_mistake() -> None:
    made = running_session(3)
    made.act(actions.record_penalty, **penalty(made))
    rest = made.uids[1:]
    made.act(actions.seat_table, stage=made.stage.uid, table=made.table.uid, number=1, entries=rest)
    assert [code for code, _path in refusal(made, actions.withdraw_entry, entry=made.uids[0])] == [
        "entry_in_use"
    ]


def test_a_call_is_open_once_until_somebody_comes() -> None:
    made = running_match(4, tables=2)
    made.act(actions.call_referee, table=made.table.uid)
    assert refusal(made, actions.call_referee, table=made.table.uid) == [("called_already", "/table")]
    call = Call.objects.get()
    with pytest.raises(Forbidden):
        by(made.referee(Membership.Role.TABLE_REFEREE, made.table), actions.answer_call, made, call=call.uid)
    head = made.referee()
    by(head, actions.answer_call, made, call=call.uid)
    call.refresh_from_db()
    assert call.answered_by == head
    for action in (actions.answer_call, actions.take_back_call):
        assert refusal(made, action, call=call.uid) == [("answered_already", "/call")]
    made.act(actions.call_referee, table=made.table.uid)
    made.act(actions.call_referee, table=made.tables[1].uid)
    made.act(actions.take_back_call, call=Call.objects.get(answered_at=None, table=made.table).uid)
    assert list(Call.objects.order_by("pk").values_list("table", "answered_by")) == [
        (made.table.pk, head.pk),
        (made.tables[1].pk, None),
    ]
    assert refusal(made, actions.take_back_call, call=uuid4()) == [("unknown_call", "/call")]
    call = Call.objects.get(table=made.tables[1])
    for action in (actions.answer_call, actions.take_back_call):
        assert refusal(running_match(2), action, call=call.uid) == [("unknown_call", "/call")]
    recorded_round(made)
    assert agrees(made)


def test_a_table_referee_comes_where_a_result_is_contested_and_a_head_referee_to_help() -> None:
    made = running_match(4)
    play = recorded_round(made)
    made.act(actions.ask_second_look_at, play=play)
    made.act(actions.contest_play, play=play, version=made.play(play).version)
    made.act(actions.call_referee, table=made.table.uid)
    contest, help_ = Call.objects.order_by("pk")
    user = made.referee(Membership.Role.TABLE_REFEREE, made.table)
    by(user, actions.answer_call, made, call=contest.uid)
    with pytest.raises(Forbidden):
        by(user, actions.answer_call, made, call=help_.uid)
    contest.refresh_from_db()
    assert contest.answered_by == user
