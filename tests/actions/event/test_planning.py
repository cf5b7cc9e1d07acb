"""Events made in one call: from a template and from another event, all or nothing, and only once however often it is
sent."""

import sys
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID, uuid4

import pytest

from tests.support.asking_actions import refusal
from tests.support.chains import begun, chained, first, named, played
from tests.support.factories import Event, StaffFactory, UserFactory, event, running_session
from tournament import actions
from tournament.actions import Command, PlannedStage, Receipt
from tournament.actions.event import planning
from tournament.ledger.verify import verify
from tournament.models import (
    Apart,
    Different,
    Entry,
    Invite,
    LedgerRow,
    Logo,
    Membership,
    Player,
    Registration,
    Stage,
    Tournament,
    User,
)
from tournament.results.faults import CommandReused, Fault, Forbidden, Refused

pytestmark = pytest.mark.django_db

DAY = date(2027, 5, 8)
WHOLE: dict[str, Any] = {"name": "Cup 2027", "starts_on": DAY, "players": True, "roles": True}


@pytest.fixture
def cup(db: None) -> Event:
    """Last year's event with all that a copy takes along, and some that it does not."""
    made = event("mattel-112", players=5, name="Cup 2026", place="Tampere", language="fi", listed=True)
    made.act(
        actions.plan_stage,
        stage=uuid4(),
        kind="match",
        name="The match",
        settings={"target": 300, "custom_cards": 2},
        card_texts=["Everybody sings", "Draw a card"],
    )
    stage = Stage.objects.get()
    plan = {"starts_at": "2026-05-09T15:00:00+00:00", "minutes": 90, "players": 5, "tables": 1}
    made.act(actions.set_programme, stages=[{"stage": stage.uid, "plan": plan}])
    made.act(
        actions.set_registration,
        opened=True,
        closes_at=datetime(2126, 5, 1, tzinfo=UTC),
        approval=True,
        most=40,
        terms="Be kind.\nBe on time.",
        safer_space="Everybody belongs here.",
        contact_person="Outi",
    )
    made.act(actions.set_decks, decks=4)
    made.act(actions.keep_apart, first=made.uids[0], second=made.uids[1])
    made.act(actions.remove_player, entry=made.uids[2], reason="After a warning")
    made.act(
        actions.register, entry=uuid4(), public_name="Asks", terms=True
    )  # approval: they only ask, so they did not take part
    made.referee("head_referee")
    made.referee("table_referee")
    made.stage = stage
    return made.refresh()


@pytest.fixture
def other(db: None) -> Event:
    """An event with everything that the copied one lacks."""
    made = event(players=2)
    made.act(actions.set_registration, opened=True, terms="Other terms.")
    made.act(actions.add_screen, screen=uuid4(), name="Other wall")
    made.referee()
    Logo.objects.create(tournament=made.tournament, content=b"a picture")
    return made


def copy(made: Event, uid: UUID | None = None, **other: Any) -> tuple[Receipt, Tournament]:
    uid = uid or uuid4()
    receipt = actions.copy_event(Command(uid, made.user), made.tournament.uid, **(WHOLE | other))
    return receipt, Tournament.objects.get(uid=uid)


def test_plan_event_keeps_card_texts_and_programme() -> None:
    stages = [
        PlannedStage(
            "match", settings={"custom_cards": 1}, card_texts=["Sing"], plan={"players": 8, "tables": 2}
        )
    ]
    uid, user = uuid4(), event().user
    details = {"name": "Evening", "starts_on": DAY, "ruleset": "mattel-112", "organiser_name": "Club"}
    assert not actions.plan_event(Command(uid, user), details, stages).replayed
    stage = Stage.objects.get(tournament__uid=uid)
    assert (stage.card_texts, stage.plan) == (["Sing"], {"players": 8, "tables": 2})


def test_a_second_person_accepts_what_a_final_gives_unless_it_is_said() -> None:
    heats, final = PlannedStage("heats"), PlannedStage("final")
    asked = [heats, final, replace(heats, second_look=True), replace(final, second_look=False)]
    details = {"name": "Evening", "starts_on": DAY, "ruleset": "tite-2022", "organiser_name": "Club"}
    command = Command(uuid4(), event().user)
    actions.plan_event(command, details, asked)
    stages = Stage.objects.filter(tournament__uid=command.id).order_by("number")
    assert list(stages.values_list("second_look", flat=True)) == [False, True, True, False]


@pytest.mark.beside
def test_copy_leaves_out_a_time_far_from_the_event_that_an_earlier_version_took(cup: Event) -> None:
    Stage.objects.update(plan={"starts_at": "2025-05-09T15:00:00+00:00", "minutes": 90})
    _receipt, made = copy(cup)
    assert made.stages.get().plan == {"minutes": 90}


def test_plan_event_refused_makes_nothing() -> None:
    stages = [PlannedStage("match", settings={"custom_cards": 0}, card_texts=["Sing"])]
    details = {"name": "Evening", "starts_on": DAY, "ruleset": "mattel-112", "organiser_name": "Club"}
    user = event().user
    with pytest.raises(Refused, match="too_many_card_texts at /stages/0/card_texts/0"):
        actions.plan_event(Command(uuid4(), user), details, stages)
    assert Tournament.objects.count() == 1


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        (
            {"parts": [{"stage": 2, "take": "first", "count": 1}]},
            "source_itself at /stages/1/source/parts/0/stage",
        ),
        (None, "wrong_kind_of_stage at /stages/1/kind"),
    ],
)
def test_a_source_is_refused_at_its_stage_and_not_read_before_all_stages_are_planned(
    source: dict[str, Any] | None, fault: str
) -> None:
    part = {"parts": [{"stage": 1, "take": "first", "count": 2}]}
    stages = [
        PlannedStage("heats"),
        PlannedStage("final" if source else "session", settings={"target": 300}, source=source or part),
    ]
    details = {"name": "Evening", "starts_on": DAY, "ruleset": "tite-2022", "organiser_name": "Club"}
    with pytest.raises(Refused) as refused:
        actions.plan_event(Command(uuid4(), event().user), details, stages)
    assert str(refused.value) == fault
    assert Tournament.objects.count() == 1


def test_copy_takes_the_event_along(cup: Event) -> None:
    hung = uuid4()
    cup.act(actions.add_screen, screen=hung, name="Hall left")
    shows = {"scenes": ["standings", "calls"], "seconds": 20, "stage": cup.stage.uid}
    cup.act(actions.set_screen, screen=hung, **shows)
    _receipt, made = copy(cup)
    assert (made.name, made.slug, made.place, made.language, made.ruleset, made.decks) == (
        "Cup 2027",
        "cup-2027",
        "Tampere",
        "fi",
        "mattel-112",
        4,
    )
    assert (made.state, made.rehearsal, made.listed) == ("planned", False, True)
    assert made.organiser == cup.tournament.organiser
    stage = made.stages.get()
    assert (stage.name, stage.settings, stage.card_texts, stage.state) == (
        "The match",
        {"target": 300, "custom_cards": 2},
        ["Everybody sings", "Draw a card"],
        "planned",
    )
    # The same time of the day, the second Saturday of May.
    assert stage.plan == {"starts_at": "2027-05-08T15:00:00+00:00", "minutes": 90, "players": 5, "tables": 1}
    assert stage.first_plan == {}
    asked = Registration.objects.get(tournament=made)
    assert (asked.opened, asked.closes_at, asked.approval, asked.most) == (False, None, True, 40)
    assert (asked.terms, asked.safer_space, asked.contact_person) == (
        "Be kind.\nBe on time.",
        "Everybody belongs here.",
        "Outi",
    )
    screen = made.screens.get()
    assert (screen.name, screen.scenes, screen.seconds, screen.stage) == (
        "Hall left",
        ["standings", "calls"],
        20,
        stage,
    )
    assert screen.uid != hung
    assert verify(made) == []


def test_copy_keeps_its_chains() -> None:
    made = begun(players=4, tables=1)
    tied = played(made, level=named(made, "Börje", "Cécile", "Dima"))
    chained(tied, first(1, 2), kind="final", division="Juniors")
    made.act(actions.set_stage_settings, stage=made.stage.uid, source={"parts": [first(1, 2)]})
    made.act(actions.plan_tie_break, stage=made.stage.uid, tie_break=uuid4())
    sources = list(made.tournament.stages.order_by("number").values_list("source", flat=True))
    assert sources[1:] == [
        {"parts": [first(1, 2), {"stage": 3, "take": "first"}]},
        {"parts": [{"stage": 1, "take": "level"}]},
    ]
    _receipt, copied = copy(made)
    assert list(copied.stages.order_by("number").values_list("source", flat=True)) == sources


def test_copy_enters_the_same_players(cup: Event) -> None:
    players = Player.objects.count()
    _receipt, made = copy(cup)
    took_part = [
        (row.player_id, row.public_name, row.start_number)
        for row in cup.entries[:5]
        if row.public_name != "Cécile"  # who did not come
    ]
    entered = Entry.objects.filter(tournament=made)
    assert [(row.player_id, row.public_name, row.start_number) for row in entered] == took_part
    assert set(entered.values_list("state", flat=True)) == {"registered"}
    assert Player.objects.count() == players
    pair = Apart.objects.get(tournament=made)
    assert [pair.first.start_number, pair.second.start_number] == [1, 2]


def test_copy_keeps_names_found_right_clubs_divisions_and_start_numbers(cup: Event) -> None:
    where = {"club": "Noppa", "division": "Juniors", "start_number": 40}
    cup.act(actions.edit_entry, entry=cup.uids[4], public_name="e@v.a", public_name_is_right=True, **where)
    _receipt, made = copy(cup)
    assert made.entries.filter(public_name="e@v.a").values(*where).get() == where


def test_copy_takes_nothing_of_other_events(other: Event) -> None:
    bare = event("mattel-112", time_zone="Asia/Tokyo", listed=False, user=other.user)
    _receipt, made = copy(bare)
    assert (made.time_zone, made.listed) == ("Asia/Tokyo", False)
    assert not Registration.objects.filter(tournament=made).exists()
    assert not made.screens.exists()
    assert not Logo.objects.filter(tournament=made).exists()
    assert [row.user for row in made.memberships.all()] == [other.user]


def test_copy_without_players_and_roles(cup: Event) -> None:
    _receipt, made = copy(cup, players=False, roles=False)
    assert not made.entries.exists()
    assert not made.aparts.exists()
    assert [(row.user, row.role) for row in made.memberships.all()] == [(cup.user, "organiser")]


def test_copy_gives_roles_of_the_whole_event_again(cup: Event) -> None:
    cup.referee("organiser")
    gone = cup.referee("organiser")
    gone.is_active = False
    gone.save()
    for number, seated in ((1, cup.uids[:2]), (2, cup.uids[3:5])):
        cup.act(actions.seat_table, stage=cup.stage.uid, table=uuid4(), number=number, entries=seated)
    one, other = cup.refresh().tables
    at_table = cup.referee("table_referee", one)  # for all tables, until posted again
    again = {"user": at_table.uid, "role": "table_referee", "table": other.uid}
    cup.act(actions.grant_role, membership=uuid4(), **again)
    _receipt, made = copy(cup)
    assert sorted(made.memberships.values_list("role", flat=True)) == [
        "head_referee",
        "organiser",
        "organiser",
        "table_referee",
        "table_referee",
    ]
    assert made.memberships.get(user=at_table).table is None


@pytest.mark.beside
def test_copy_gives_referees_their_role_again_who_came_by_an_invite_but_no_organisers(cup: Event) -> None:
    invite = Invite.objects.create(
        tournament=cup.tournament, role="head_referee", expires_at=datetime(2026, 5, 10, tzinfo=UTC)
    )
    cup.referee("organiser")
    Membership.objects.exclude(user=cup.user).update(invite=invite)
    User.objects.filter(memberships__role="head_referee").update(username="guest-1", password="!")
    _receipt, made = copy(cup)
    assert sorted(made.memberships.values_list("role", flat=True)) == [
        "head_referee",
        "organiser",
        "table_referee",
    ]
    assert not made.memberships.exclude(invite=None).exists()


def test_a_rehearsal_changes_nothing_of_the_real_players(cup: Event) -> None:
    known = {"contact": "+358 44 000", "birth_date": date(2001, 5, 9), "real_name": "Aino Mäkelä"}
    cup.act(actions.edit_entry, entry=cup.uids[0], public_name="Aino", start_number=1, **known)
    before = list(Player.objects.filter(entries__tournament=cup.tournament).order_by("pk").values())
    _receipt, made = copy(cup, name="Rehearsal", rehearsal=True)
    there = Entry.objects.select_related("player").get(tournament=made, start_number=1)
    person = there.player
    assert (person.name, person.birth_date, person.contact) == (
        "Aino Mäkelä",
        date(2001, 5, 9),
        "+358 44 000",
    )
    actions.edit_entry(
        Command(uuid4(), cup.user), made.uid, entry=there.uid, public_name="X", start_number=1, real_name="Y"
    )
    assert list(Player.objects.filter(entries__tournament=cup.tournament).order_by("pk").values()) == before


def test_a_rehearsal_tells_the_same_two_apart_where_it_has_both(cup: Event) -> None:
    for one, other in ((0, 1), (1, 2), (2, 3)):  # the third was removed
        cup.act(actions.different_people, entry=cup.uids[one], other=cup.uids[other])
    _receipt, made = copy(cup, name="Rehearsal", rehearsal=True)
    copies = Player.objects.filter(entries__tournament=made, entries__start_number__in=[1, 2])
    assert Different.objects.get(tournament=made).players == sorted(str(copy.uid) for copy in copies)


@pytest.mark.beside
def test_copy_as_a_rehearsal_keeps_the_guardians_consent(cup: Event) -> None:
    Entry.objects.filter(pk=cup.entries[0].pk).update(guardian=True)
    _receipt, made = copy(cup, name="Cup 2026", starts_on=cup.tournament.starts_on, rehearsal=True)
    assert (made.rehearsal, made.listed, made.slug) == (True, False, "rehearsal-cup-2026")
    assert made.entries.order_by("start_number")[0].guardian
    _receipt, made = copy(cup)
    assert not made.entries.order_by("start_number")[0].guardian


def test_copy_sent_twice_makes_one(cup: Event) -> None:
    uid = uuid4()
    first, made = copy(cup, uid)
    rows = LedgerRow.objects.count()
    cup.act(actions.enter_players, players=[{"entry": uuid4(), "name": "Later"}])
    again, same = copy(cup, uid)
    assert (again.sequence, again.replayed, same) == (first.sequence, True, made)
    assert LedgerRow.objects.count() == rows + 1
    with pytest.raises(CommandReused):
        copy(cup, uid, name="Another")


def test_copy_refused_makes_nothing(cup: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    before = (Tournament.objects.count(), LedgerRow.objects.count())
    with pytest.raises(Refused, match="field_max_length at /name"):
        copy(cup, name="x" * 101)
    monkeypatch.setattr("tournament.actions.event.planning._copy_players", lambda *_a, **_n: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        copy(cup)
    assert (Tournament.objects.count(), LedgerRow.objects.count()) == before


def test_a_copy_that_fails_when_it_is_sent_again_leaves_what_the_first_made(
    cup: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    uid = uuid4()
    monkeypatch.setattr(planning, "_copy_players", lambda *_a, **_n: sys.exit())
    with pytest.raises(SystemExit):
        copy(cup, uid)
    monkeypatch.setattr(planning, "_copy_players", lambda *_a, **_n: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        copy(cup, uid)
    assert Tournament.objects.filter(uid=uid).exists()


def test_copy_of_many_enters_them_in_parts_and_goes_on_after_a_kill(
    cup: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("event.planning", "people.players"):
        monkeypatch.setattr(f"tournament.actions.{module}.MOST_AT_ONCE", 2)
    calls, usual = list[str](), actions.enter_players

    def killed(*arguments: Any, **named: Any) -> Receipt:
        calls.append("")
        if len(calls) == 2:
            raise SystemExit
        return usual(*arguments, **named)

    uid = uuid4()
    monkeypatch.setattr(planning, "enter_players", killed)
    with pytest.raises(SystemExit):
        copy(cup, uid)
    assert Tournament.objects.get(uid=uid).entries.count() == 2
    _receipt, made = copy(cup, uid)
    names = made.entries.order_by("start_number").values_list("public_name", flat=True)
    assert list(names) == ["Aino", "Börje", "Dima", "Eeva"]


def test_copy_is_for_who_organises_the_source(cup: Event) -> None:
    for user in (UserFactory(), cup.referee("head_referee"), StaffFactory()):
        with pytest.raises(Forbidden, match="forbidden") as forbidden:
            actions.copy_event(Command(uuid4(), user), cup.tournament.uid, **WHOLE)
        assert forbidden.value.faults[0].parameters == {"action": "copy_event"}


@pytest.mark.parametrize(
    ("settings", "texts", "faults"),
    [
        ({"custom_cards": 1}, ["a", "b"], [("too_many_card_texts", "/card_texts/1")]),
        ({"custom_cards": 0}, ["a"], [("too_many_card_texts", "/card_texts/0")]),
        ({}, ["a", "b", "c", "d"], [("too_many_card_texts", "/card_texts/3")]),
        ({}, ["a", "x" * 101], [("field_max_length", "/card_texts/1")]),
        ({}, "abc", [("malformed", "/card_texts")]),
        ({}, [1], [("malformed", "/card_texts")]),
    ],
)
def test_card_texts_fit_the_deck(
    cup: Event, settings: dict[str, int], texts: Any, faults: list[tuple[str, str]]
) -> None:
    stage = Stage.objects.get().uid
    assert (
        refusal(cup, actions.set_stage_settings, stage=stage, settings=settings, card_texts=texts) == faults
    )


def test_card_texts_stay_where_they_are_not_given(cup: Event) -> None:
    stage = Stage.objects.get()
    cup.act(actions.set_stage_settings, stage=stage.uid, settings={"custom_cards": 3, "target": 200})
    stage.refresh_from_db()
    assert stage.card_texts == ["Everybody sings", "Draw a card"]
    cup.act(actions.set_stage_settings, stage=stage.uid, settings={}, card_texts=["", " \x00Hop ", ""])
    stage.refresh_from_db()
    assert stage.card_texts == ["Hop"]
    cup.act(actions.set_stage_settings, stage=stage.uid, settings={}, card_texts=["x" * 100])
    stage.refresh_from_db()
    assert stage.card_texts == ["x" * 100]
    assert "Hop" not in str(LedgerRow.objects.latest("id").payload)


def test_card_texts_lock_with_the_settings(cup: Event) -> None:
    stage = Stage.objects.get().uid
    cup.act(actions.seat_table, stage=stage, table=uuid4(), number=1, entries=cup.uids[:2])
    cup.act(actions.start_stage, stage=stage)
    settings = {"target": 300, "custom_cards": 2}
    assert refusal(cup, actions.set_stage_settings, stage=stage, settings=settings, card_texts=["New"]) == [
        ("settings_locked", "/card_texts")
    ]
    same = ["Everybody sings", "Draw a card"]
    cup.act(actions.set_stage_settings, stage=stage, settings=settings, card_texts=same, name="Renamed")
    assert Stage.objects.get().name == "Renamed"


def test_rulesets_without_customizable_cards_take_no_texts() -> None:
    made = event("mattel-108")
    arguments = {"stage": uuid4(), "kind": "match", "card_texts": ["a"]}
    with pytest.raises(Refused) as refused:
        made.act(actions.plan_stage, **arguments)
    assert refused.value.faults == (Fault("too_many_card_texts", "/card_texts/0", {"most": 0}),)


def test_copy_lets_players_run_the_clock_where_they_did() -> None:
    made = running_session(players=3)
    for wanted in (True, False):
        made.act(actions.let_players_time, stage=made.stage.uid, wanted=wanted)
        assert copy(made.refresh(), name=f"Cup {wanted}")[1].stages.get().players_clock is wanted
