"""A change of what is played, while nothing was played: the event is then as one made with that template."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import transaction
from django.utils import timezone
from hypothesis import given, strategies as st

from tests.depth import examples
from tests.support.archives import archived, comes_back
from tests.support.asking_actions import refusal
from tests.support.championships import championship
from tests.support.factories import (
    Event,
    StaffFactory,
    add_stage,
    event,
    name_of,
    running_heats,
    running_session,
    started_game,
)
from tests.support.incidents import penalty
from tournament import actions
from tournament.actions import Command, PlannedStage
from tournament.actions.event import planning
from tournament.ledger.verify import verify
from tournament.models import Decision, Draw, Invite, Membership, Screen, Seat, Stage, Table, Tournament
from tournament.queries.programme import clock_of
from tournament.results import Refused
from tournament.results.facts import facts_of

pytestmark = pytest.mark.django_db

PLANS: dict[str, tuple[str, list[PlannedStage]]] = {
    "session": ("kpgut-2016", [PlannedStage("session", settings={"min_games": 2})]),
    "match": (
        "mattel-112",
        [PlannedStage("match", settings={"target": 300, "custom_cards": 1}, card_texts=["Sing"])],
    ),
    "championship": (
        "tite-2022",
        [
            PlannedStage("heats", "Heats", {"advance": 1}, plan={"players": 12, "tables": 2}),
            PlannedStage("final", "Final", {"target": 350}, plan={"players": 2, "tables": 1}),
        ],
    ),
}
KIND = {"session": "session", "match": "match", "championship": "heats"}


def replan(made: Event, to: str, **other: Any) -> None:
    ruleset, stages = PLANS[to]
    arguments = {"ruleset": ruleset, "stages": [stage.as_planned() for stage in stages]}
    made.act(actions.replan_event, **(arguments | other))
    made.tournament.refresh_from_db()


def facts(tournament: Tournament) -> dict[str, Any]:
    """All that the rules of an event are, without ids and times."""
    stages = [
        {name: value for name, value in facts_of(stage).items() if name != "tournament"}
        | {"name": stage.name, "card_texts": stage.card_texts, "looked": stage.second_look}
        for stage in tournament.stages.order_by("number")
    ]
    players = sorted(
        (entry.start_number, entry.public_name, str(entry.state)) for entry in tournament.entries.all()
    )
    return {
        "rules": (tournament.ruleset, tournament.ruleset_revision, str(tournament.state)),
        "stages": stages,
        "tables": Table.objects.filter(stage__tournament=tournament).count(),
        "players": players,
    }


@examples(8)
@given(
    before=st.sampled_from(sorted(PLANS)),
    to=st.sampled_from(sorted(PLANS)),
    players=st.integers(0, 9),
    seated=st.booleans(),
    started=st.booleans(),
)
def test_event_is_then_as_one_made_so(
    before: str, to: str, players: int, seated: bool, started: bool
) -> None:
    """Whatever was planned, seated, drawn and started before; the ledger agrees, and the archive brings it back."""
    with transaction.atomic():
        made = event(PLANS[before][0], players=players, user=StaffFactory())
        if seated and players >= 2:
            target = {"target": 300} if before == "match" else {}
            add_stage(made, KIND[before], start=started, **target)
        replan(made, to)
        fresh = event(PLANS[to][0], players=players)
        command = Command(uuid4(), StaffFactory())
        details = {"name": "Fresh", "starts_on": fresh.tournament.starts_on, "ruleset": PLANS[to][0]}
        actions.plan_event(command, details | {"organiser_name": "Club"}, PLANS[to][1])
        other = Tournament.objects.get(uid=command.id)
        names = [{"entry": uuid4(), "name": name_of(number)} for number in range(players)]
        if names:
            actions.enter_players(replace(command, id=uuid4()), other.uid, players=names)
        assert facts(made.tournament) == facts(other)
        assert verify(made.tournament) == []
        assert archived(made.tournament)
        comes_back(made.tournament)
        transaction.set_rollback(True)


def screen_of(made: Event) -> UUID:
    """Hang a screen that shows the event's stage."""
    screen = uuid4()
    made.act(actions.add_screen, screen=screen, name="Hall")
    made.act(actions.set_screen, screen=screen, scenes=["seats"], seconds=12, stage=made.stage.uid)
    return screen


def test_other_events_stay_as_they_were() -> None:
    made, other, decided = running_heats(), running_session(), championship(filled=False)
    user, table = other.referee("table_referee", other.table), other.table
    until = timezone.now() + timedelta(hours=3)
    posted = {"role": "table_referee", "tables": [table.uid]}
    other.act(actions.create_invite, invite=uuid4(), expires_at=until, **posted)
    screen_of(other)
    other.act(actions.record_penalty, **penalty(other))
    made.act(
        actions.grant_role,
        membership=uuid4(),
        user=user.uid,
        role="table_referee",
        table=made.table.uid,
    )
    reserve = {"entries": decided.uids[2:3], "reason": "asked for it"}
    decided.act(actions.name_reserves, stage=decided.stage.uid, **reserve)
    decided.act(actions.fill_stage, stage=decided.stage.uid, seed="7")
    whole = {"user": user.uid, "role": "table_referee"}
    decided.act(actions.grant_role, membership=uuid4(), **whole)
    before = facts(other.tournament)
    replan(made, "match")
    assert facts(other.tournament) == before
    assert verify(other.refresh().tournament) == []
    assert verify(decided.refresh().tournament) == []
    assert (Draw.objects.count(), Decision.objects.count()) == (1, 1)
    assert Screen.objects.get().stage == other.stage
    assert Invite.objects.get().tables == [str(table.uid)]
    posts = Membership.objects.filter(user=user).order_by("pk")
    assert [row.table for row in posts] == [table, None, None]


def test_people_and_screens_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    made = running_heats()
    general, of_table, both = (
        made.referee("table_referee", table) for table in (None, made.tables[0], made.tables[1])
    )
    for user, table in ((both, None), (of_table, made.tables[1])):
        made.act(
            actions.grant_role,
            membership=uuid4(),
            user=user.uid,
            role="table_referee",
            table=table.uid if table else None,
        )
    until = timezone.now() + timedelta(hours=3)
    tables = [made.table.uid]
    for here in (tables, []):
        made.act(actions.create_invite, invite=uuid4(), role="table_referee", tables=here, expires_at=until)
    over, revoked = uuid4(), uuid4()
    for uid, ends in ((over, until - timedelta(hours=2)), (revoked, until)):
        made.act(actions.create_invite, invite=uid, role="table_referee", tables=tables, expires_at=ends)
    made.act(actions.revoke_invite, invite=revoked)
    monkeypatch.setattr(planning, "now", lambda: until - timedelta(hours=1))
    screen = screen_of(made)
    made.act(actions.add_screen, screen=uuid4(), name="Shows no stage")
    made.act(actions.set_registration, opened=True, terms="Be kind.")
    replan(made, "session")
    referees = Membership.objects.filter(role="table_referee")
    assert not referees.filter(table__isnull=False).exists()
    assert set(referees.values_list("user", flat=True)) == {user.pk for user in (general, of_table, both)}
    ended = Invite.objects.filter(uid__in=[over, revoked])
    assert [invite.tables for invite in ended] == [[str(made.table.uid)]] * 2
    assert not any(invite.tables for invite in Invite.objects.exclude(pk__in=ended))
    shown = Screen.objects.get(uid=screen)
    assert (shown.stage, shown.scenes) == (None, ["seats"])
    assert made.tournament.ledger.latest("pk").payload["screen"].keys() == {str(screen)}
    assert not Seat.objects.exists()
    assert made.tournament.entries.count() == 8
    assert verify(made.tournament) == []


def test_the_record_of_a_draw_goes_and_sources_come() -> None:
    made = event("mattel-108", players=4)
    add_stage(made, "match", start=False)
    drawn = [{"number": 1, "entries": made.uids}]
    made.act(actions.seat_stage, stage=made.stage.uid, tables=drawn, draw={"seed": "1"})
    source = {"parts": [{"stage": 1, "take": "first", "count": 2}]}
    stages = [PlannedStage("heats"), PlannedStage("final", settings={"target": 300}, source=source)]
    replan(made, "championship", stages=[stage.as_planned() for stage in stages])
    assert not Draw.objects.exists()
    assert made.tournament.stages.get(number=2).source == source
    assert verify(made.tournament) == []


def test_event_that_began_begins_again_by_the_new_rules() -> None:
    made = running_session()
    replan(made, "match")
    assert (str(made.tournament.state), Stage.objects.get().settings["target"]) == ("planned", 300)
    made.stage = Stage.objects.get()
    made.act(actions.seat_table, stage=made.stage.uid, table=uuid4(), number=1, entries=made.uids)
    made.act(actions.start_stage, stage=made.stage.uid)
    made.act(
        actions.record_round,
        table=Table.objects.get().uid,
        play=uuid4(),
        number=1,
        winner=made.uids[0],
        hands={str(each): {"7": 1} for each in made.uids[1:]},
    )
    made.tournament.refresh_from_db()
    assert verify(made.tournament) == []


def test_the_clock_of_a_begun_stage_goes_with_it() -> None:
    made = running_heats()
    made.act(actions.start_hall_clock, stage=made.stage.uid, minutes=20)
    replan(made, "match")
    assert clock_of(made.tournament) is None
    assert verify(made.tournament) == []


def test_what_was_undone_before_is_not_undone_after() -> None:
    """The seats of a stage that is gone do not come back."""
    made = event("kpgut-2016", players=4)
    add_stage(made, "session", start=False)
    row = made.tournament.version
    replan(made, "match")
    ((code, _path),) = refusal(made, actions.undo, row=row, reason="Wrong table")[:1]
    assert code == "changed_since"
    assert verify(made.tournament) == []


def test_nothing_changes_once_something_was_played() -> None:
    made = running_session()
    game = started_game(made)
    made.act(actions.void_play, play=game, reason="A test", version=made.refresh().tournament.version)
    before = facts(made.refresh().tournament)
    ruleset, stages = PLANS["match"]
    asked = {"ruleset": ruleset, "stages": [stage.as_planned() for stage in stages]}
    assert refusal(made, actions.replan_event, **asked) == [("played_already", "")]
    assert facts(made.refresh().tournament) == before


def test_refused_where_a_referee_has_ruled() -> None:
    made = running_session()
    made.act(actions.record_penalty, **penalty(made))
    assert refusal(made, actions.replan_event, ruleset="mattel-112", stages=[]) == [("played_already", "")]


def test_refused_stages_leave_everything() -> None:
    made = running_heats()
    before = facts(made.tournament)
    unknown: list[tuple[dict[str, Any], str]] = [
        ({"ruleset": "poker"}, "unknown_ruleset"),
        ({"ruleset": "kpgut-2016"}, "wrong_kind_of_stage"),
    ]
    for other, code in unknown:
        with pytest.raises(Refused, match=code):
            replan(made, "championship", **other)
    assert facts(made.refresh().tournament) == before


def test_all_stages_are_judged_at_once() -> None:
    made = running_heats()
    source = {"parts": [{"stage": 9, "take": "first", "count": 1}]}
    wrong = [
        PlannedStage("session", plan={"tables": 0}),
        PlannedStage("match", "x" * 61, {"speed": 1}),
    ]
    asked = {"ruleset": "tite-2022", "stages": [stage.as_planned() for stage in wrong]}
    assert refusal(made, actions.replan_event, **asked) == [
        ("wrong_kind_of_stage", "/stages/0/kind"),
        ("malformed", "/stages/0/plan/tables"),
        ("unknown_setting", "/stages/1/settings/speed"),
        ("field_max_length", "/stages/1/name"),
    ]
    asked["stages"] = [PlannedStage("match", source=source).as_planned()] * 2
    assert refusal(made, actions.replan_event, **asked) == [
        ("unknown_stage", f"/stages/{index}/source/parts/0/stage") for index in range(2)
    ]


def test_sent_twice_it_is_done_once() -> None:
    made = event("kpgut-2016", players=3)
    command = Command(UUID(int=7), made.user)
    ruleset, stages = PLANS["championship"]
    for replayed in (False, True):
        receipt = actions.replan_event(
            command,
            made.tournament.uid,
            ruleset=ruleset,
            stages=[stage.as_planned() for stage in stages],
        )
        assert receipt.replayed is replayed
    assert Stage.objects.count() == 2
