"""Setting up: tournaments, players, roles, stages and seats, with whatever people type as names."""

from datetime import date
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.support.asking_actions import agrees, refusal, results
from tests.support.factories import (
    Event,
    StaffFactory,
    UserFactory,
    add_stage,
    event,
    running_match,
    running_session,
)
from tournament import actions
from tournament.actions import Command
from tournament.ledger.verify import verify
from tournament.models import Entry, Membership, Organiser, Play, Player, Seat, Stage, Table, Tournament
from tournament.results.faults import Forbidden, Refused

pytestmark = pytest.mark.django_db

DAY = date(2026, 5, 9)
QUERIES_OF_A_PLAYER = 8
LONG = "x" * 200
# What is typed, and what is kept of it.
NAMES = [
    ("🃏 Ässä 👩‍👩‍👧", "🃏 Ässä 👩‍👩‍👧"),
    ("محمد بن سلمان", "محمد بن سلمان"),
    ("<b onclick='x'>Bo & Co</b>", "<b onclick='x'>Bo & Co</b>"),
    ("=HYPERLINK(0)", "=HYPERLINK(0)"),
    ("  Aino\x00\ud800\x07 ", "Aino"),
    ("x" * 100, "x" * 100),
]
REFUSED_NAMES = [(LONG, "field_max_length"), ("", "field_blank"), (" \x00\ud800 ", "field_blank")]


def create(**more: Any) -> Tournament:
    uid = uuid4()
    asked = {"name": "Spring", "starts_on": DAY, "ruleset": "tite-2022", "organiser_name": "Club", **more}
    actions.create_tournament(Command(uuid4(), StaffFactory()), uid, **asked)
    return Tournament.objects.get(uid=uid)


def refused_creation(user: Any = None, **more: Any) -> list[tuple[str, str]]:
    before = Organiser.objects.count()
    asked = {"name": "Spring", "starts_on": DAY, "ruleset": "tite-2022", "organiser_name": "Club", **more}
    with pytest.raises(Refused) as refused:
        actions.create_tournament(Command(uuid4(), user or StaffFactory()), uuid4(), **asked)
    assert not Tournament.objects.filter(name="Spring").exists()
    assert Organiser.objects.count() == before
    return [(fault.code, fault.path) for fault in refused.value.faults]


@pytest.mark.parametrize(
    ("typed", "kept"), NAMES, ids=["emoji", "right to left", "HTML", "formula", "unkept", "long"]
)
def test_a_name_is_kept_as_it_was_typed_without_what_no_database_keeps(typed: str, kept: str) -> None:
    made = event(name=typed, place=typed, organiser_name=typed)
    made.act(actions.enter_players, players=[{"entry": uuid4(), "name": typed, "club": typed}])
    tournament = Tournament.objects.get()
    assert (tournament.name, tournament.place, tournament.organiser.name) == (kept, kept, kept)
    entry = Entry.objects.get()
    assert (entry.public_name, entry.club, entry.player.name) == (kept, kept, kept)
    made.act(
        actions.edit_entry,
        entry=entry.uid,
        public_name=typed,
        start_number=5,
        club=typed,
        contact=typed,
        birth_date=date(1990, 2, 3),
    )
    assert Entry.objects.get().player.contact == kept
    assert verify(Tournament.objects.get()) == []


@pytest.mark.parametrize(("typed", "code"), REFUSED_NAMES, ids=["too long", "empty", "unkept"])
def test_a_name_that_is_none_is_refused_at_its_field(typed: str, code: str) -> None:
    assert refused_creation(name=typed) == [(code, "/name")]
    made = event(players=1)
    assert refusal(made, actions.edit_tournament, name=typed, starts_on=DAY) == [(code, "/name")]
    players = [{"entry": uuid4(), "name": "Bo"}, {"entry": uuid4(), "name": typed}]
    assert refusal(made, actions.enter_players, players=players) == [(code, "/players/1/name")]
    assert (Entry.objects.count(), Player.objects.count()) == (1, 1)
    asked = {"entry": made.uids[0], "public_name": typed, "start_number": 1}
    assert refusal(made, actions.edit_entry, **asked) == [(code, "/public_name")]


def test_other_long_texts_are_refused_at_their_fields() -> None:
    made = event(players=1)
    assert refused_creation(place=LONG) == [("field_max_length", "/place")]
    assert refused_creation(organiser_name=LONG) == [("field_max_length", "/organiser_name/name")]
    players = [{"entry": uuid4(), "name": "Bo", "club": LONG}]
    assert refusal(made, actions.enter_players, players=players) == [("field_max_length", "/players/0/club")]
    asked = {"entry": made.uids[0], "public_name": "Bo", "start_number": 1}
    assert refusal(made, actions.edit_entry, **asked, contact="x" * 300) == [("field_max_length", "/contact")]
    assert refusal(made, actions.edit_entry, **asked, club=LONG) == [("field_max_length", "/club")]


@pytest.mark.parametrize(
    ("more", "fault"),
    [
        ({"ruleset": "uno"}, ("unknown_ruleset", "/ruleset")),
        ({"language": "xx"}, ("field_invalid_choice", "/language")),
        ({"language": "x\x00"}, ("field_invalid_choice", "/language")),
        ({"time_zone": "Mars/Base"}, ("unknown_time_zone", "/time_zone")),
        ({"time_zone": "Europe/\x00"}, ("unknown_time_zone", "/time_zone")),
        ({"slug": "with spaces"}, ("field_invalid", "/slug")),
        ({"slug": "x" * 61}, ("field_max_length", "/slug")),
        ({"slug": "\ud800!\x00"}, ("field_invalid", "/slug")),
        ({"organiser": UUID(int=7)}, ("unknown_organiser", "/organiser")),
        ({"starts_on": date(1899, 5, 9)}, ("field_invalid", "/starts_on")),
    ],
)
def test_a_tournament_that_cannot_be_is_refused_at_its_field(
    more: dict[str, Any], fault: tuple[str, str]
) -> None:
    assert refused_creation(**more) == [fault]


def test_an_address_follows_from_the_name_and_is_nobodys_else() -> None:
    assert create(name="Kesän Uno").slug == "kesan-uno-2026"
    assert create(name="Kesän Uno").slug == "kesan-uno-2026-2"
    assert create(name="🃏🃏").slug == "event-2026"
    assert create(name="محمد").slug == "event-2026-2"
    assert create(name="Uno 2026").slug == "uno-2026"
    assert create(name="y" * 100).slug == "y" * 48 + "-2026"
    assert create(name="Cup", slug="one-of-its-own").slug == "one-of-its-own"
    assert refused_creation(slug="uno-2026") == [("slug_taken", "/slug")]
    made = event()
    asked = {"name": "Spring", "starts_on": DAY}
    assert refusal(made, actions.edit_tournament, slug="uno-2026", **asked) == [("slug_taken", "/slug")]
    assert refusal(made, actions.edit_tournament, slug="", **asked) == [("field_blank", "/slug")]
    assert refusal(made, actions.edit_tournament, slug="a b\x00", **asked) == [("field_invalid", "/slug")]
    made.act(actions.edit_tournament, slug=made.tournament.slug, **asked)


def test_a_time_zone_that_is_none_is_said_as_far_as_anybody_reads() -> None:
    made = event()
    with pytest.raises(Refused) as refused:
        made.act(actions.edit_tournament, name="Spring", starts_on=DAY, time_zone="x" * 100)
    (fault,) = refused.value.faults
    assert (fault.code, fault.parameters) == ("unknown_time_zone", {"time_zone": "x" * 60})


def test_the_revision_of_the_ruleset_is_pinned() -> None:
    assert create(ruleset="kpgut-2016").ruleset_revision == "2016"


def test_who_may_create_for_whom() -> None:
    other, made = event(organiser_name="Another club"), event()
    organiser = made.tournament.organiser
    made.user.is_staff = False
    made.user.save()
    asked: dict[str, Any] = {"name": "More", "starts_on": DAY, "ruleset": "tite-2022"}
    uid = uuid4()
    actions.create_tournament(Command(uuid4(), made.user), uid, organiser=organiser.uid, **asked)
    assert Tournament.objects.get(uid=uid).organiser == organiser
    actions.create_tournament(Command(uuid4(), UserFactory()), uuid4(), listed=False, **asked)
    assert Organiser.objects.count() == 3
    other.user.is_staff = False
    other.user.save()
    for user, more in (
        (UserFactory(), {"organiser": organiser.uid}),
        (made.referee(), {"organiser": organiser.uid}),
        (other.user, {"organiser": organiser.uid}),
        (UserFactory(is_active=False), {}),
    ):
        with pytest.raises(Forbidden) as forbidden:
            actions.create_tournament(Command(uuid4(), user), uuid4(), listed=False, **asked, **more)
        assert forbidden.value.faults[0].parameters == {"action": "create_tournament"}


def test_a_guest_lists_no_event_until_staff_have_listed_one() -> None:
    guest = UserFactory()
    with pytest.raises(Refused, match="not_listed at /listed"):
        actions.create_tournament(
            Command(uuid4(), guest), uuid4(), name="Mine", starts_on=DAY, ruleset="tite-2022"
        )
    made = event(user=guest, listed=False)
    shown = {"name": "Mine", "starts_on": DAY, "listed": True}
    assert refusal(made, actions.edit_tournament, **shown) == [("not_listed", "/listed")]
    actions.edit_tournament(Command(uuid4(), StaffFactory(is_superuser=True)), made.tournament.uid, **shown)
    made.act(actions.edit_tournament, **shown)
    made.tournament.refresh_from_db()
    assert made.tournament.listed


def test_editing_shows_everywhere_and_raises_every_stage() -> None:
    other, made = running_match(players=2), running_match(players=2)
    before = other.stage.version
    results(made)
    entry = made.entries[0]
    asked = {"entry": entry.uid, "public_name": "Åsa", "start_number": 9}
    made.act(actions.edit_entry, **asked)
    assert "Åsa" in results(made).names.values()
    assert made.stage.version == made.tournament.version
    made.act(actions.edit_tournament, name="Autumn", starts_on=DAY, place="Oulu", slug="autumn", listed=False)
    assert made.refresh().tournament.slug == "autumn"
    assert made.stage.version == made.tournament.version
    assert other.refresh().stage.version == before


def test_start_numbers_follow_on_and_are_nobodys_else() -> None:
    made = event(players=2)
    rows = [
        {"entry": uuid4(), "name": "Bo", "start_number": 7},
        {"entry": uuid4(), "name": "Cy"},
        {"entry": uuid4(), "name": "Di", "start_number": "20"},
        {"entry": uuid4(), "name": "Ed"},
    ]
    made.act(actions.enter_players, players=rows)
    assert list(Entry.objects.values_list("start_number", flat=True)) == [1, 2, 7, 8, 20, 21]
    taken = [{"entry": uuid4(), "name": "Fy", "start_number": 7}]
    assert refusal(made, actions.enter_players, players=taken) == [
        ("field_unique_together", "/players/0/start_number")
    ]
    asked = {"entry": made.uids[0], "public_name": "Aino"}
    assert refusal(made, actions.edit_entry, start_number=7, **asked) == [
        ("field_unique_together", "/start_number")
    ]


@pytest.mark.parametrize("number", [-1, 100_001, 2**31 - 1, 10**30, "seven", 10**12 * 10**12])
def test_a_start_number_that_is_none_is_refused_at_its_field(number: Any) -> None:
    made = event(players=1)
    players = [{"entry": uuid4(), "name": "Bo", "start_number": number}]
    ((code, path),) = refusal(made, actions.enter_players, players=players)
    assert (code in {"field_min_value", "field_max_value", "field_invalid"}, path) == (
        True,
        "/players/0/start_number",
    )
    asked = {"entry": made.uids[0], "public_name": "Aino", "start_number": number}
    assert [path for _, path in refusal(made, actions.edit_entry, **asked)] == ["/start_number"]


def test_the_highest_start_number_is_100_000_and_each_event_has_its_own() -> None:
    event(players=9)
    made = event(players=1)
    asked = {"entry": made.uids[0], "public_name": "Aino"}
    made.act(actions.edit_entry, start_number=100_000, **asked)
    made.act(actions.edit_entry, start_number=7, **asked)
    rows = [{"entry": uuid4(), "name": "Bo", "start_number": number} for number in (None, 100_000)]
    made.act(actions.enter_players, players=rows)
    numbers = Entry.objects.filter(tournament=made.tournament).order_by("start_number")
    assert list(numbers.values_list("start_number", flat=True)) == [7, 8, 100_000]
    for action, more in (
        (actions.edit_entry, {"entry": made.uids[0], "public_name": "Aino", "start_number": 100_001}),
        (actions.enter_players, {"players": [{"entry": uuid4(), "name": "Cy"}]}),
    ):
        with pytest.raises(Refused) as refused:
            made.act(action, **more)
        assert [(fault.code, fault.parameters["limit_value"]) for fault in refused.value.faults] == [
            ("field_max_value", 100_000)
        ]


def test_of_who_is_entered_with_a_name_alone_nothing_else_is_known() -> None:
    made = event()
    made.act(actions.enter_players, players=[{"entry": uuid4(), "name": " Aino "}])
    entry = Entry.objects.select_related("player").get()
    player = entry.player
    assert (entry.public_name, entry.club, entry.state, entry.guardian) == ("Aino", "", "registered", False)
    assert (player.name, player.contact, player.birth_date) == ("Aino", "", None)
    assert refusal(made, actions.enter_players, players=[{"entry": uuid4()}]) == [
        ("field_blank", "/players/0/name")
    ]
    wrong = {"entry": uuid4(), "name": "Bo", "contact": "x" * 201}
    assert refusal(made, actions.enter_players, players=[wrong]) == [
        ("field_max_length", "/players/0/contact")
    ]
    asked = {"entry": entry.uid, "public_name": "Aino", "start_number": 1, "contact": "x" * 201}
    assert refusal(made, actions.edit_entry, **asked) == [("field_max_length", "/contact")]


def test_details_fill_in_what_was_not_known_of_a_player_and_change_nothing_else() -> None:
    made = event()
    again = event(organiser=made.tournament.organiser.uid, organiser_name="", user=made.user)
    known = {"entry": uuid4(), "name": "Aino", "real_name": " Aino M ", "contact": "040"}
    made.act(actions.enter_players, players=[known])
    player = Player.objects.get()
    born = date(1990, 1, 2)
    more = {"name": "A", "real_name": "Other", "contact": "050", "birth_date": born, "player": player.uid}
    again.act(actions.enter_players, players=[{"entry": uuid4(), "club": " Noppa ", **more}])
    player.refresh_from_db()
    assert (player.name, player.contact, player.birth_date) == ("Aino M", "040", born)
    entry = Entry.objects.get(tournament=again.tournament)
    assert (entry.player, entry.public_name, entry.club) == (player, "A", "Noppa")
    third = event(organiser=made.tournament.organiser.uid, organiser_name="", user=made.user)
    later = {"birth_date": date(1991, 1, 1), "player": player.uid}
    third.act(actions.enter_players, players=[{"entry": uuid4(), "name": "A", **later}])
    player.refresh_from_db()
    assert player.birth_date == born


def test_a_list_of_players_is_entered_with_few_questions_about_each() -> None:
    def queries(players: int) -> int:
        made = event()
        rows = [{"entry": uuid4(), "name": f"Player {number}"} for number in range(players)]
        with CaptureQueriesContext(connection) as asked:
            made.act(actions.enter_players, players=rows)
        return len(asked)

    assert queries(12) - queries(2) == 10 * QUERIES_OF_A_PLAYER


def test_every_faulty_player_of_a_list_is_named() -> None:
    made = event()
    players = [
        {"entry": uuid4(), "name": ""},
        {"entry": uuid4(), "name": "Bo"},
        {"entry": uuid4(), "name": LONG},
    ]
    assert refusal(made, actions.enter_players, players=players) == [
        ("field_blank", "/players/0/name"),
        ("field_max_length", "/players/2/name"),
    ]


def test_a_player_enters_once_and_only_for_the_own_organiser() -> None:
    made, other = event(players=1), event(players=1, organiser_name="Others")
    known = made.entries[0].player
    again = [{"entry": uuid4(), "name": "Aino", "player": known.uid}]
    assert refusal(made, actions.enter_players, players=again) == [
        ("field_unique_together", "/players/0/player")
    ]
    other.act(actions.enter_players, players=[{"entry": uuid4(), "name": "Aino", "player": known.uid}])
    assert Entry.objects.get(tournament=other.tournament, start_number=2).player != known
    same_uid = [{"entry": made.uids[0], "name": "Bo"}]
    assert refusal(made, actions.enter_players, players=same_uid) == [("field_unique", "/players/0/uid")]


def test_an_entry_by_mistake_is_taken_out_until_it_has_a_seat() -> None:
    made = add_stage(event(players=3), "match", tables=0, start=False)
    made.act(actions.withdraw_entry, entry=made.uids[2])
    assert (Entry.objects.count(), Player.objects.count()) == (2, 2)  # and nothing of who it was
    made.act(actions.seat_table, stage=made.stage.uid, table=uuid4(), number=1, entries=made.uids[:2])
    assert refusal(made, actions.withdraw_entry, entry=made.uids[0]) == [
        ("entry_in_use", f"/entries/{made.uids[0]}")
    ]
    assert agrees(made)


def test_a_player_of_another_event_stays_when_an_entry_is_taken_out() -> None:
    made = event(players=1)
    other = event(user=made.user, organiser=made.tournament.organiser.uid)
    known = made.entries[0].player
    other.act(actions.enter_players, players=[{"entry": uuid4(), "name": "Aino", "player": known.uid}])
    other.act(actions.withdraw_entry, entry=Entry.objects.get(tournament=other.tournament).uid)
    assert list(Player.objects.all()) == [known]
    assert verify(Tournament.objects.get(pk=other.tournament.pk)) == []


def test_roles_are_given_once_and_taken_back() -> None:
    event()  # with an organiser of its own
    made = running_match(players=2)
    user, membership = UserFactory(), uuid4()
    asked = {"user": user.uid, "role": "table_referee", "table": made.table.uid}
    made.act(actions.grant_role, membership=membership, **asked)
    assert [path for _, path in refusal(made, actions.grant_role, membership=uuid4(), **asked)] == ["/table"]
    head = {"user": user.uid, "role": "head_referee"}
    made.act(actions.grant_role, membership=uuid4(), **head)
    assert refusal(made, actions.grant_role, membership=uuid4(), **head)
    made.act(actions.revoke_role, membership=membership)
    assert refusal(made, actions.revoke_role, membership=membership) == [("unknown_role", "/membership")]
    own = Membership.objects.get(user=made.user)
    assert refusal(made, actions.revoke_role, membership=own.uid) == [("last_organiser", "/membership")]
    made.act(actions.grant_role, membership=uuid4(), user=user.uid, role="organiser")
    made.act(actions.revoke_role, membership=own.uid)
    assert verify(made.refresh().tournament) == []


@pytest.mark.parametrize(
    ("more", "path"),
    [
        ({"role": "king"}, "/role"),
        ({"role": "x" * 40}, "/role"),
        ({"user": UUID(int=7)}, "/user"),
        ({"table": UUID(int=7)}, "/table"),
    ],
)
def test_a_role_that_cannot_be_is_refused_at_its_field(more: dict[str, Any], path: str) -> None:
    made = running_match(players=2)
    asked = {"membership": uuid4(), "user": UserFactory().uid, "role": "table_referee", **more}
    assert {where for _, where in refusal(made, actions.grant_role, **asked)} == {path}


def test_an_inactive_user_gets_no_role_and_an_organiser_no_table() -> None:
    made = running_match(players=2)
    asked = {"membership": uuid4(), "role": "head_referee"}
    inactive = UserFactory(is_active=False)
    assert refusal(made, actions.grant_role, user=inactive.uid, **asked) == [("unknown_user", "/user")]
    assert refusal(made, actions.grant_role, user=UserFactory().uid, table=made.table.uid, **asked)


def plan(made: Event, kind: str, **settings: Any) -> dict[str, Any]:
    return {"stage": uuid4(), "kind": kind, "settings": settings}


@pytest.mark.parametrize("target", [200, 249, 501, 0, -1, 10**30, "300", 300.0, True, None])
def test_a_target_that_tite_does_not_allow_is_refused_at_the_target(target: Any) -> None:
    made = event("tite-2022")
    ((_, path),) = refusal(made, actions.plan_stage, **plan(made, "final", target=target))
    assert path == "/settings/target"
    stage = add_stage(made, "final", tables=0, start=False).stage.uid
    asked = {"stage": stage, "settings": {"target": target}}
    assert [path for _, path in refusal(made, actions.set_stage_settings, **asked)] == ["/settings/target"]


@pytest.mark.parametrize(
    ("ruleset", "kind", "settings", "fault"),
    [
        ("tite-2022", "final", {"scoring": "own_hand"}, ("scoring_not_allowed", "/settings/scoring")),
        ("mattel-112", "match", {"custom_cards": 4}, ("malformed", "/settings/custom_cards")),
        ("mattel-108", "match", {"advance": 2}, ("unknown_setting", "/settings/advance")),
        ("mattel-108", "heats", {"advance": 0}, ("malformed", "/settings/advance")),
        ("kpgut-2016", "session", {"min_games": 0}, ("malformed", "/settings/min_games")),
        ("kpgut-2016", "session", {"decks": "2"}, ("malformed", "/settings/decks")),
        ("kpgut-2016", "match", {}, ("wrong_kind_of_stage", "/kind")),
        ("mattel-108", "session", {}, ("wrong_kind_of_stage", "/kind")),
        ("mattel-108", "party", {}, ("wrong_kind_of_stage", "/kind")),
    ],
)
def test_settings_that_the_ruleset_does_not_have_are_refused_at_their_place(
    ruleset: str, kind: str, settings: dict[str, Any], fault: tuple[str, str]
) -> None:
    made = event(ruleset)
    assert refusal(made, actions.plan_stage, **plan(made, kind, **settings)) == [fault]
    assert not Stage.objects.exists()


def test_settings_that_nobody_knows_are_named_in_order() -> None:
    made = event("tite-2022")
    asked = plan(made, "heats", b=1, c=1, a=1)
    assert refusal(made, actions.plan_stage, **asked) == [
        ("unknown_setting", f"/settings/{name}") for name in ("a", "b", "c")
    ]


def test_settings_lock_at_the_start() -> None:
    made = add_stage(event("tite-2022", 2), "final", target=300, start=False)
    made.act(actions.set_stage_settings, stage=made.stage.uid, settings={})  # the target may come later
    made.act(actions.set_stage_settings, stage=made.stage.uid, settings={"target": 250})
    made.act(actions.start_stage, stage=made.stage.uid)
    asked = {"stage": made.stage.uid, "settings": {"target": 300}}
    assert refusal(made, actions.set_stage_settings, **asked) == [("settings_locked", "/settings")]
    made.act(actions.set_stage_settings, stage=made.stage.uid, settings={"target": 250}, name="Finaali")
    assert made.refresh().stage.name == "Finaali"
    assert refusal(made, actions.start_stage, stage=made.stage.uid) == [("illegal_move", "/stage")]


def test_stages_come_one_after_the_other() -> None:
    running_match(players=2)  # a stage of another event
    made = event("tite-2022")
    stages = [plan(made, "heats"), plan(made, "final")]
    for stage in stages:
        made.act(actions.plan_stage, **stage)
    numbers = Stage.objects.filter(tournament=made.tournament).values_list("number", "kind")
    assert list(numbers) == [(1, "heats"), (2, "final")]
    assert refusal(made, actions.plan_stage, **stages[0]) == [("stage_exists", "/stage")]
    asked = {"stage": UUID(int=7)}
    assert refusal(made, actions.start_stage, **asked) == [("unknown_stage", "/stage")]
    assert refusal(event("tite-2022"), actions.start_stage, stage=stages[0]["stage"]) == [
        ("unknown_stage", "/stage")
    ]
    assert refusal(made, actions.reopen_stage, stage=stages[0]["stage"], reason="why") == [
        ("illegal_move", "/stage")
    ]


def test_an_event_is_over_with_its_last_stage_and_goes_on_with_a_reason() -> None:
    running_match(players=2)  # another event goes on
    made = running_session(players=2)
    asked = {"stage": made.stage.uid}
    made.act(actions.finish_stage, **asked)
    assert made.refresh().tournament.state == "finished"
    assert refusal(made, actions.reopen_stage, **asked, reason=" ") == [("missing_reason", "/reason")]
    made.act(actions.reopen_stage, **asked, reason="one more game")
    assert made.refresh().tournament.state == "running"


def test_seats_that_cannot_be_are_refused_at_the_player() -> None:
    made = add_stage(event(players=4), "match", start=False)
    other = event(players=1)
    one, two, three, four = made.uids
    asked = {"stage": made.stage.uid, "table": uuid4(), "number": 2}
    assert refusal(made, actions.seat_table, entries=[one], **asked) == [
        ("seated_elsewhere", f"/entries/{one}")
    ]
    assert refusal(made, actions.seat_table, entries=other.uids, **asked) == [
        ("unknown_player", f"/entries/{other.uids[0]}")
    ]
    asked["table"] = made.table.uid
    assert refusal(made, actions.seat_table, entries=[two, two], **asked) == [
        ("duplicate_player", f"/entries/{two}")
    ]
    made.act(actions.seat_table, stage=made.stage.uid, table=made.table.uid, number=1, entries=[three, one])
    assert made.at(made.table) == [three, one]
    assert refusal(
        made, actions.seat_table, stage=made.stage.uid, table=uuid4(), number=1, entries=[two, four]
    ) == [("number_taken", "/tables/1")]
    elsewhere = add_stage(event(players=2), "match", start=False)
    assert refusal(
        made, actions.seat_table, stage=made.stage.uid, table=elsewhere.table.uid, number=3, entries=[two]
    ) == [("unknown_table", "/table")]
    assert agrees(made)


def test_seats_of_a_match_stay_once_it_has_begun_and_a_sessions_for_each_game() -> None:
    match, session = running_match(players=3), running_session(players=3)
    for made, fixed in ((match, True), (session, False)):
        asked = {
            "stage": made.stage.uid,
            "table": made.table.uid,
            "number": 1,
            "entries": made.uids[:2],
        }
        if fixed:
            winner, *others = made.uids
            hands = {str(uid): {"7": 1} for uid in others}
            made.act(
                actions.record_round,
                table=made.table.uid,
                play=uuid4(),
                number=1,
                winner=winner,
                hands=hands,
            )
            assert refusal(made, actions.seat_table, **asked) == [("table_has_begun", "/tables/1")]
        else:
            game = uuid4()
            made.act(actions.start_game, table=made.table.uid, play=game, number=1)
            assert refusal(made, actions.seat_table, **asked) == [("game_running_here", "/tables/1")]
            made.act(
                actions.void_play,
                play=game,
                version=Play.objects.get(uid=game).version,
                reason="Cards were missing",
            )
            made.act(actions.seat_table, **asked)
            assert made.at(made.table) == made.uids[:2]


def test_a_whole_stage_is_seated_in_one_step() -> None:
    made = add_stage(event(players=6), "heats", tables=3, start=False)
    kept = made.tables[0].uid
    one, two, three, four, five, six = made.uids
    tables = [{"number": 1, "entries": [six, one, two]}, {"number": 2, "entries": [three, four, five]}]
    made.act(actions.seat_stage, stage=made.stage.uid, tables=tables, seed="6174")
    made.refresh()
    assert [(table.number, made.at(table)) for table in made.tables] == [
        (1, [six, one, two]),
        (2, [three, four, five]),
    ]
    assert made.tables[0].uid == kept
    assert (Table.objects.count(), Seat.objects.count()) == (2, 6)
    assert agrees(made)


def test_roles_at_a_table_are_of_who_sits_there() -> None:
    made = running_session(players=3)
    one, two, _ = made.uids
    stranger = uuid4()
    asked = {"table": made.table.uid}
    assert refusal(made, actions.name_roles, oldest=stranger, starter=stranger, **asked) == [
        ("not_seated", "/oldest"),
        ("not_seated", "/starter"),
    ]
    assert refusal(made, actions.name_roles, oldest=one, youngest=one, **asked) == [
        ("same_player", "/youngest")
    ]
    row = made.act(actions.name_roles, oldest=one, youngest=two, **asked).sequence
    assert made.refresh().stage.version == row
    made.act(actions.seat_table, stage=made.stage.uid, table=made.table.uid, number=1, entries=made.uids[1:])
    table = Table.objects.get()
    assert (table.oldest, table.youngest.uid) == (None, two)
    assert agrees(made)
