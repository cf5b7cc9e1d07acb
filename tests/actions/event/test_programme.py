"""The programme: the levels of an event, their times, and publishing them."""

from datetime import date
from uuid import uuid4

import pytest

from tests.support.asking_actions import refusal
from tests.support.factories import (
    add_stage,
    event,
)
from tournament import actions
from tournament.models import Stage

pytestmark = pytest.mark.django_db


def test_a_programme_names_each_stage_once_and_at_a_time_that_there_is() -> None:
    made = event("tite-2022", players=8)
    assert refusal(made, actions.set_levels, levels=[]) == [("no_levels", "/levels")]
    level = {"stage": uuid4(), "kind": "heats"}
    for plan, path in [
        ("soon", "/levels/0/plan"),
        ({"tables": 0}, "/levels/0/plan/tables"),
        ({"starts_at": "2026-05-09T18:00"}, "/levels/0/plan/starts_at"),
    ]:
        assert refusal(made, actions.set_levels, levels=[{**level, "plan": plan}]) == [("malformed", path)]
    wrong = [{"stage": uuid4(), "kind": "session"}]
    assert refusal(made, actions.set_levels, levels=wrong) == [("wrong_kind_of_stage", "/levels/0/kind")]


@pytest.mark.parametrize(
    ("starts_at", "wrong"),
    [
        ("2026-05-08T20:59:00+00:00", True),  # 23:59 on the evening before, in Helsinki
        ("2026-05-08T21:00:00+00:00", False),
        ("2026-06-05T20:59:00+00:00", False),
        ("2026-06-05T21:00:00+00:00", True),
        ("2027-05-09T15:00:00+00:00", True),
    ],
)
def test_a_part_is_planned_for_the_days_of_the_event(starts_at: str, *, wrong: bool) -> None:
    made = event("tite-2022", players=2, starts_on=date(2026, 5, 9))
    stage, plan = uuid4(), {"starts_at": starts_at}
    made.act(actions.set_levels, levels=[{"stage": stage, "kind": "heats"}])
    for action, arguments, path in (
        (actions.set_programme, {"stages": [{"stage": stage, "plan": plan}]}, f"/stages/{stage}"),
        (actions.set_levels, {"levels": [{"stage": stage, "kind": "heats", "plan": plan}]}, "/levels/0/plan"),
    ):
        if wrong:
            assert refusal(made, action, **arguments) == [("not_on_event_days", f"{path}/starts_at")]
        else:
            made.act(action, **arguments)
    assert Stage.objects.get().plan == ({} if wrong else plan)


def test_a_level_with_seats_stays_as_it_is_planned() -> None:
    made = add_stage(event("tite-2022", players=4), "heats", start=False)
    heats = {"stage": made.stage.uid, "kind": "heats", "settings": made.stage.settings}
    final = {"stage": uuid4(), "kind": "final"}
    stays = [("level_stays", "/levels/0")]
    for levels in (
        [final],
        [final, heats],
        [{**heats, "settings": {"advance": 2}}, final],
        [{**heats, "kind": "final"}],
    ):
        assert refusal(made, actions.set_levels, levels=levels) == stays
    assert refusal(made, actions.set_levels, levels=[heats, final, final]) == [("stage_exists", "/levels")]
    unknown = {**final, "settings": {"what": 1}}
    assert refusal(made, actions.set_levels, levels=[heats, unknown]) == [
        ("unknown_setting", "/levels/1/settings/what")
    ]
    made.act(actions.set_levels, levels=[{**heats, "name": "First"}, final])
    assert list(Stage.objects.values_list("number", "name")) == [(1, "First"), (2, "")]


def test_levels_change_places_and_what_is_known_of_them_stays() -> None:
    other = add_stage(event("tite-2022"), "final", tables=0, start=False)
    made = event("mattel-112", players=4)
    stages = [uuid4(), uuid4(), uuid4()]
    for stage in stages:
        made.act(actions.plan_stage, stage=stage, kind="match", card_texts=["Sing"])
    levels = [{"stage": stage, "kind": "match", "plan": {"minutes": 30}} for stage in stages]
    made.act(actions.seat_table, stage=stages[0], table=uuid4(), number=1, entries=made.uids)
    made.act(actions.start_stage, stage=stages[0])
    made.act(actions.set_levels, levels=levels)
    made.act(actions.publish_programme)
    made.act(actions.set_levels, levels=[levels[0], levels[2], levels[1]])
    rows = Stage.objects.filter(tournament=made.tournament).order_by("number")
    assert list(rows.values_list("uid", "state", "card_texts", "first_plan")) == [
        (stages[0], "running", ["Sing"], {"minutes": 30}),
        (stages[2], "planned", ["Sing"], {"minutes": 30}),
        (stages[1], "planned", ["Sing"], {"minutes": 30}),
    ]
    other.stage.refresh_from_db()
    assert other.stage.number == 1


def test_an_event_has_at_most_so_many_levels() -> None:
    made = event("tite-2022")
    levels = [{"stage": uuid4(), "kind": "heats"} for _ in range(21)]
    assert refusal(made, actions.set_levels, levels=levels) == [("no_levels", "/levels")]
    made.act(actions.set_levels, levels=levels[:20])
    assert Stage.objects.count() == 20


def test_a_programme_is_published_for_one_event() -> None:
    made, other = (add_stage(event("tite-2022"), "heats", tables=0, start=False) for _ in range(2))
    most = {"minutes": 10_000, "players": 100_000, "tables": 999, "most": 1000}
    for each in (made, other):
        each.act(actions.set_programme, stages=[{"stage": each.stage.uid, "plan": most}])
    made.act(actions.publish_programme)
    assert (made.refresh().stage.first_plan, other.refresh().stage.first_plan) == (most, {})
