"""An edit that is wrong in several places is refused once, with the path of each, and nothing of it is stored."""

from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client

from tests.extras.programs.api.sending import a_round, codes, read, send
from tests.support.asking_actions import refusal
from tests.support.factories import Event, event, running_match
from tournament import actions
from tournament.models import Screen, Tournament

pytestmark = pytest.mark.django_db

LONG, LATER, UNKNOWN = "x" * 5000, date(9999, 12, 31), uuid4()
Codes = list[tuple[str, str]]

EVENT: tuple[dict[str, Any], Codes] = (
    {
        "name": "",
        "slug": "taken",
        "starts_on": LATER,
        "listed": True,
        "doors_at": "25:00",
        "starts_at": "half six",
        "colour": "blue",
        "logo": "no picture",
    },
    [
        ("field_invalid", "/doors_at"),
        ("field_invalid", "/starts_at"),
        ("rehearsal_not_listed", "/listed"),
        ("slug_taken", "/slug"),
        ("no_picture", "/logo"),
        ("field_invalid", "/starts_on"),
        ("field_blank", "/name"),
        ("field_invalid", "/colour"),
    ],
)
STAGE: tuple[dict[str, Any], Codes] = (
    {
        "settings": {"target": 1},
        "card_texts": ["draw one"],
        "source": {"division": "young"},
        "name": "x" * 61,
    },
    [
        ("settings_locked", "/settings"),
        ("settings_locked", "/card_texts"),
        ("settings_locked", "/source"),
        ("field_max_length", "/name"),
    ],
)
PLANNED: tuple[dict[str, Any], Codes] = (
    {
        "settings": {"speed": 1},
        "card_texts": ["x" * 500],
        "source": {"parts": [{"stage": 9, "take": "first", "count": 1}]},
        "name": "x" * 61,
    },
    [
        ("unknown_setting", "/settings/speed"),
        ("field_max_length", "/card_texts/0"),
        ("field_max_length", "/name"),
        ("unknown_stage", "/source/parts/0/stage"),
    ],
)
REGISTRATION: tuple[dict[str, Any], Codes] = (
    {
        "most": 0,
        "closes_at": datetime(9999, 12, 31, tzinfo=UTC),
        "check_in_from": datetime(2026, 5, 9, 18, tzinfo=UTC),
        "check_in_until": datetime(2026, 5, 9, 17, tzinfo=UTC),
        "terms": "x" * 100_000,
        "contact_person": LONG,
    },
    [
        ("not_a_number", "/most"),
        ("field_invalid", "/closes_at"),
        ("ends_before_it_begins", "/check_in_until"),
        ("field_max_length", "/terms"),
        ("field_max_length", "/contact_person"),
    ],
)
PLAYER: tuple[dict[str, Any], Codes] = (
    {
        "start_number": 10**6,
        "public_name": "",
        "club": "040 123 4567",
        "division": LONG,
        "real_name": "x" * 101,
    },
    [
        ("field_max_value", "/start_number"),
        ("field_blank", "/public_name"),
        ("field_max_length", "/division"),
        ("field_max_length", "/real_name"),
        ("field_private", "/club"),
    ],
)
SCREEN: tuple[dict[str, Any], Codes] = (
    {"scenes": [], "stage": uuid4(), "seconds": 0, "name": LONG},
    [
        ("no_scene", "/scenes"),
        ("unknown_stage", "/stage"),
        ("field_min_value", "/seconds"),
        ("field_max_length", "/name"),
    ],
)
ROLE: tuple[dict[str, Any], Codes] = (
    {"user": uuid4(), "role": "table_referee", "table": uuid4()},
    [("unknown_user", "/user"), ("unknown_table", "/table")],
)
PLACED: tuple[dict[str, Any], Codes] = (
    {"user": UNKNOWN, "tables": [uuid4()]},
    [("unknown_table", "/tables"), ("unknown_user", "/user")],
)
INVITE: tuple[dict[str, Any], Codes] = (
    {
        "role": "head_referee",
        "tables": [uuid4()],
        "expires_at": datetime(2000, 1, 1, tzinfo=UTC),
        "most": 0,
        "label": LONG,
    },
    [
        ("tables_of_referee", "/tables"),
        ("expiry_out_of_range", "/expires_at"),
        ("field_invalid", "/most"),
        ("field_max_length", "/label"),
    ],
)
ANNOUNCEMENT: tuple[dict[str, Any], Codes] = (
    {"words": {"fi": "Tauko"}, "minutes": 0},
    [("field_required", "/words/en"), ("field_min_value", "/minutes")],
)
CLOCK: tuple[dict[str, Any], Codes] = (
    {"minutes": 0, "last_hand": 10_000},
    [("field_min_value", "/minutes"), ("field_max_value", "/last_hand")],
)
QUESTIONS: tuple[dict[str, Any], Codes] = (
    {
        "questions": [
            {"id": str(uuid4()), "kind": "choice", "labels": {"fi": LONG}, "options": {"en": ["Yes"]}},
            {"id": str(uuid4()), "kind": "riddle", "labels": {"en": "Meal?"}},
        ]
    },
    [
        ("field_max_length", "/questions/0/labels/fi"),
        ("field_required", "/questions/0/labels/en"),
        ("too_few_options", "/questions/0/options/en"),
        ("field_invalid_choice", "/questions/1/kind"),
    ],
)
LEVELS: tuple[dict[str, Any], Codes] = (
    {
        "levels": [
            {"stage": uuid4(), "kind": "match", "name": "x" * 61, "plan": {"minutes": 0, "tables": 0}},
            {"stage": uuid4(), "kind": "knockout"},
        ]
    },
    [
        ("field_max_length", "/levels/0/name"),
        ("malformed", "/levels/0/plan/minutes"),
        ("malformed", "/levels/0/plan/tables"),
        ("wrong_kind_of_stage", "/levels/1/kind"),
    ],
)
PENALTY: tuple[dict[str, Any], Codes] = (
    {"incident": uuid4(), "code": "", "entry": uuid4(), "cards": 1000, "ruling": LONG},
    [
        ("field_max_length", "/ruling"),
        ("not_seated", "/entry"),
        ("field_required", "/text"),
        ("number_too_large", "/cards"),
    ],
)
DISPUTE: tuple[dict[str, Any], Codes] = (
    {"incident": uuid4(), "text": ""},
    [("field_required", "/text"), ("missing_ruling", "/ruling")],
)
PLAYERS: tuple[dict[str, Any], Codes] = (
    {
        "players": [
            {"entry": uuid4(), "name": "Aino", "contact": LONG, "club": "me@example.org", "division": LONG}
        ]
    },
    [
        ("field_max_length", "/players/0/contact"),
        ("field_max_length", "/players/0/division"),
        ("field_private", "/players/0/club"),
    ],
)
WALK_IN: tuple[dict[str, Any], Codes] = (
    {"entry": uuid4(), "name": "040 123 4567", "table": uuid4()},
    [("unknown_table", "/table"), ("field_private", "/public_name")],
)
REMOVAL: tuple[dict[str, Any], Codes] = (
    {"entry": UNKNOWN, "reason": " "},
    [("missing_reason", "/reason"), ("unknown_player", f"/entries/{UNKNOWN}")],
)


SEATS: tuple[dict[str, Any], Codes] = (
    {
        "tables": [
            {"number": 1, "entries": [uuid4(), uuid4()]},
            {"number": 1, "entries": [uuid4(), uuid4()]},
        ]
    },
    [("table_twice", "/tables/1/number")],
)


def rehearsal() -> Event:
    event(slug="taken")
    return event(rehearsal=True, listed=False)


def with_custom_cards() -> Event:
    return event("mattel-112")


def running_custom() -> Event:
    return running_match(ruleset="mattel-112")


def new(_made: Event) -> UUID:
    return uuid4()


def of_screen(made: Event) -> UUID:
    made.act(actions.add_screen, screen=uuid4(), name="Hall")
    return Screen.objects.get().uid


@pytest.mark.parametrize(
    ("make", "action", "of", "wrong"),
    [
        (rehearsal, actions.edit_tournament, {}, EVENT),
        (running_custom, actions.set_stage_settings, {"stage": lambda made: made.stage.uid}, STAGE),
        (
            with_custom_cards,
            actions.plan_stage,
            {"stage": lambda _made: uuid4(), "kind": lambda _made: "match"},
            PLANNED,
        ),
        (event, actions.set_registration, {}, REGISTRATION),
        (running_match, actions.edit_entry, {"entry": lambda made: made.entries[0].uid}, PLAYER),
        (event, actions.set_screen, {"screen": of_screen}, SCREEN),
        (event, actions.grant_role, {"membership": new}, ROLE),
        (event, actions.place_referee, {}, PLACED),
        (event, actions.create_invite, {"invite": new}, INVITE),
        (event, actions.announce, {"announcement": new}, ANNOUNCEMENT),
        (running_match, actions.start_hall_clock, {"stage": lambda made: made.stage.uid}, CLOCK),
        (running_match, actions.seat_stage, {"stage": lambda made: made.stage.uid}, SEATS),
        (event, actions.set_questions, {}, QUESTIONS),
        (event, actions.set_levels, {}, LEVELS),
        (running_match, actions.record_penalty, {"table": lambda made: made.table.uid}, PENALTY),
        (running_match, actions.record_dispute, {"table": lambda made: made.table.uid}, DISPUTE),
        (event, actions.enter_players, {}, PLAYERS),
        (event, actions.walk_in, {}, WALK_IN),
        (event, actions.remove_player, {}, REMOVAL),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_every_fault_of_an_edit_is_named_at_once(
    make: Callable[[], Event],
    action: Callable[..., Any],
    of: dict[str, Callable[[Event], Any]],
    wrong: tuple[dict[str, Any], Codes],
) -> None:
    made, (values, named) = make(), wrong
    asked = {**values, **{name: find(made) for name, find in of.items()}}
    assert refusal(made, action, **asked) == named


def test_a_new_event_names_its_faults_at_once(client: Client) -> None:
    event(slug="taken")
    made = event()
    body = {"name": "", "starts_on": date(2026, 5, 9), "ruleset": "mattel-108", "slug": "taken", "colour": ""}
    answer = send(client, made, "plan_event", {**body, "organiser_name": "Club", "fee": LONG, "logo": "none"})
    assert answer.status_code == 422
    assert codes(answer) == [
        ("no_picture", "/logo"),
        ("slug_taken", "/slug"),
        ("field_blank", "/name"),
        ("field_max_length", "/fee"),
    ]
    assert Tournament.objects.count() == 2


def test_the_api_answers_every_fault_by_its_documented_name(client: Client) -> None:
    made = running_match()
    asked = {"entry": made.entries[0].uid, "public_name": "", "start_number": 10**6, "club": "me@example.org"}
    answer = send(client, made, "edit_entry", asked)
    assert answer.status_code == 422
    assert codes(answer) == [
        ("field_max_value", "/start_number"),
        ("field_blank", "/public_name"),
        ("field_private", "/club"),
    ]


def test_stages_of_a_new_event_are_named_by_their_place(client: Client) -> None:
    made = event()
    stages = [
        {"kind": "race"},
        {"kind": "match", "name": "x" * 61, "settings": {"speed": 1}},
        {"kind": "match", "source": {"parts": [{"stage": 9, "take": "first"}]}},
    ]
    body = {"name": "Evening", "starts_on": date(2026, 5, 9), "ruleset": "mattel-108", "listed": False}
    asked = {**body, "organiser_name": "Club", "stages": stages}
    answer = send(client, made, "plan_event", asked)
    assert (answer.status_code, codes(answer)) == (
        422,
        [
            ("field_required", "/stages/0/settings/scoring"),
            ("unknown_setting", "/stages/1/settings/speed"),
            ("field_max_length", "/stages/1/name"),
        ],
    )
    stages[:2] = []
    answer = send(client, made, "plan_event", asked)
    assert codes(answer) == [("unknown_stage", "/stages/0/source/parts/0/stage")]
    levels = [{"kind": "match", "name": "x" * 61, "settings": {"speed": 1}}]
    assert codes(send(client, made, "set_levels", {"levels": levels})) == [
        ("unknown_setting", "/levels/0/settings/speed"),
        ("field_max_length", "/levels/0/name"),
    ]


def test_what_a_program_does_instead_of_an_undo_is_said_by_its_addresses(client: Client) -> None:
    made = running_match()
    entered = read(send(client, made, "record_round", a_round(made)))
    answer = send(client, made, "undo", {"row": entered["sequence"], "reason": "no"})
    assert codes(answer) == [("cannot_be_undone", "/sequence")]
    assert "`void` or `revert`" in read(answer)["errors"][0]["message"]
