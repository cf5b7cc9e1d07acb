"""Setting up: tournaments, players, roles, stages and seats, with all that people type as names."""

from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from tests.support.asking_actions import agrees, refusal, results
from tests.support.factories import (
    Event,
    StaffFactory,
    UserFactory,
    add_stage,
    event,
    running_match,
    running_session,
    started_game,
)
from tournament import actions
from tournament.actions import Command
from tournament.ledger.verify import verify
from tournament.models import Entry, Organiser, Play, Player, Registration, Stage, Table, Tournament
from tournament.results.faults import Forbidden, Refused
from tournament.words.faults import fault_text

pytestmark = pytest.mark.django_db

DAY = date(2026, 5, 9)
LONG = "x" * 200
# Names as typed, and as stored.
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
    assert create(name="Łódź Größe").slug == "lodz-grosse-2026"
    assert create(name="Smørrebrød, Æsir, þing, Đà").slug == "smorrebrod-aesir-thing-da-2026"
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


def planned_event() -> Event:
    """An event on 24 October 2026 in Helsinki whose every planned time is at 22:00 there; a game runs."""
    made = running_session(players=4)
    made.act(actions.edit_tournament, name="Cup", starts_on=date(2026, 10, 24))
    at = datetime(2026, 10, 24, 19, tzinfo=UTC)
    plan = {"starts_at": at.isoformat(), "minutes": 40}
    made.act(actions.set_programme, stages=[{"stage": made.stage.uid, "plan": plan}])
    made.act(actions.publish_programme)
    until = at + timedelta(minutes=1)
    made.act(actions.set_registration, opened=True, closes_at=at, check_in_from=at, check_in_until=until)
    started_game(made)
    return made


def planned_times(made: Event) -> dict[str, str]:
    """Every planned time of the event as its own clocks show it."""
    rows = [row for model in (Stage, Registration) for row in model.objects.all()]
    found = {line.name: getattr(row, line.name) for row in rows for line in row.FIELDS.fields if line.wall}
    zone = Tournament.objects.get(pk=made.tournament.pk).zone
    moments = {
        name: datetime.fromisoformat(value["starts_at"]) if isinstance(value, dict) else value
        for name, value in found.items()
    }
    return {name: f"{at.astimezone(zone):%Y-%m-%d %H:%M}" for name, at in moments.items()}


def test_planned_times_keep_their_reading_in_another_time_zone_and_moments_of_play_stay() -> None:
    made = planned_event()
    before, began = planned_times(made), Play.objects.get().started_at
    assert set(before.values()) == {"2026-10-24 22:00", "2026-10-24 22:01"}
    for zone in ("America/New_York", "Pacific/Kiritimati", "Europe/Helsinki"):
        made.act(actions.edit_tournament, name="Cup", starts_on=date(2026, 10, 24), time_zone=zone)
        assert planned_times(made) == before
        assert Play.objects.get().started_at == began
    assert Stage.objects.get().plan == {"starts_at": "2026-10-24T19:00:00+00:00", "minutes": 40}
    assert verify(Tournament.objects.get()) == []


def test_the_programme_moves_with_the_date_at_the_same_time_of_day() -> None:
    made = planned_event()
    before = planned_times(made)
    made.act(actions.edit_tournament, name="Cup", starts_on=date(2026, 10, 26))
    assert planned_times(made) == before | {"plan": "2026-10-26 22:00"}  # what was published shows as changed
    made.act(actions.edit_tournament, name="Cup", starts_on=date(2026, 10, 23), time_zone="Asia/Tokyo")
    assert planned_times(made) == before | {"plan": "2026-10-23 22:00"}
    assert verify(Tournament.objects.get()) == []


def test_an_event_cannot_begin_at_a_time_that_the_clocks_skip() -> None:
    night = {"starts_on": date(2026, 3, 29), "doors_at": "03:15", "starts_at": "03:30"}
    skipped = [("time_skipped", "/doors_at"), ("time_skipped", "/starts_at")]
    assert refused_creation(**night) == skipped
    made = event()
    assert refusal(made, actions.edit_tournament, name="Cup", **night) == skipped
    made.act(actions.edit_tournament, name="Cup", **night | {"starts_on": date(2026, 10, 25)})
    assert refusal(made, actions.edit_tournament, name="Cup", starts_on=night["starts_on"]) == skipped


def test_a_time_zone_that_is_none_is_said_as_far_as_anybody_reads() -> None:
    made = event()
    with pytest.raises(Refused) as refused:
        made.act(actions.edit_tournament, name="Spring", starts_on=DAY, time_zone="x" * 100)
    (fault,) = refused.value.faults
    assert (fault.code, fault.parameters) == ("unknown_time_zone", {"time_zone": "x" * 60})


def test_the_revision_of_the_ruleset_is_pinned() -> None:
    assert create(ruleset="kpgut-2016").ruleset_revision == "2016"


def test_event_without_organiser_is_the_only_ones_or_that_of_the_users_name() -> None:
    user = StaffFactory(username="aino", first_name="", last_name="")

    def owner(**more: Any) -> str:
        actions.create_tournament(
            Command(uuid4(), user), uuid4(), name="X", starts_on=DAY, ruleset="tite-2022", **more
        )
        return str(Tournament.objects.latest("pk").organiser.name)

    assert [owner() for _ in range(2)] == ["aino"] * 2
    assert Organiser.objects.count() == 1
    Organiser.objects.update(name="Club")
    assert (owner(), owner(organiser_name="Other club")) == ("Club", "Other club")
    with pytest.raises(Refused) as refused:
        owner()
    (fault,) = refused.value.faults
    clubs = ", ".join(f"{each.name} ({each.uid})" for each in Organiser.objects.order_by("name"))
    assert (fault.code, fault.path, fault.parameters) == (
        "which_organiser", "/organiser", {"allowed": clubs},
    )  # fmt: skip
    assert (owner(organiser_name="aino"), owner()) == ("aino", "aino")
    assert Organiser.objects.count() == 3
    assert owner(organiser_name=" OTHER  club ") == "Other club"
    assert (Organiser.objects.count(), Tournament.objects.filter(organiser__name="Other club").count()) == (
        3,
        2,
    )
    Organiser.objects.filter(name="Club").update(name="other Club")
    with pytest.raises(Refused) as refused:
        owner(organiser_name="Other club")
    (fault,) = refused.value.faults
    named = Organiser.objects.filter(name__iexact="other club")
    alike = ", ".join(f"{each.name} ({each.uid})" for each in named.order_by("name"))
    assert (fault.code, fault.path, fault.parameters) == (
        "which_organiser", "/organiser", {"allowed": alike},
    )  # fmt: skip


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
    theirs: dict[str, Any] = {"organiser": organiser.uid}
    for user, more in (
        (UserFactory(), theirs),
        (made.referee(), theirs),
        (other.user, theirs),
        (StaffFactory(), theirs),
        (UserFactory(is_active=False), {}),
    ):
        with pytest.raises(Forbidden) as forbidden:
            actions.create_tournament(Command(uuid4(), user), uuid4(), listed=False, **asked, **more)
        assert forbidden.value.faults[0].parameters == {"action": "create_tournament"}
    admin = StaffFactory(is_superuser=True)
    actions.create_tournament(Command(uuid4(), admin), uuid4(), **asked, **theirs)


def test_a_guest_lists_no_event_until_staff_have_listed_one() -> None:
    guest = UserFactory()
    with pytest.raises(Refused, match="not_listed at /listed"):
        actions.create_tournament(
            Command(uuid4(), guest), uuid4(), name="Mine", starts_on=DAY, ruleset="tite-2022"
        )
    made = event(user=guest, listed=False)
    shown: dict[str, Any] = {"name": "Mine", "starts_on": DAY, "listed": True}
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


@pytest.mark.parametrize(
    ("kind", "settings", "message", "allowed"),
    [
        (
            "session",
            {},
            "This needs another kind of stage: heats, match, final, race, race at each table.",
            "heats, match, final, race, races",
        ),
        (
            "heats",
            {"what": 1},
            "This kind of stage does not have this setting. It has: advance.",
            "advance",
        ),
    ],
)
def test_refusal_names_what_is_allowed(
    kind: str, settings: dict[str, Any], message: str, allowed: str
) -> None:
    made = event("mattel-108")
    with pytest.raises(Refused) as refused:
        made.act(actions.plan_stage, **plan(made, kind, **settings))
    assert [fault_text(fault) for fault in refused.value.faults] == [message]
    assert refused.value.faults[0].parameters["allowed"] == allowed


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
    assert table.youngest
    assert (table.oldest, table.youngest.uid) == (None, two)
    assert agrees(made)
