"""Where a stage's players come from: what can be said, and what is refused at its place."""

from typing import Any

import pytest

from tests.support.asking_actions import agrees, refusal
from tests.support.chains import begun, chained, first, started
from tests.support.factories import add_stage, event, running_heats
from tournament import actions
from tournament.models import Stage
from tournament.results import Part, Source, ends, fed_by, source_of, sources_in, stages_before

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ({"parts": [first(2, 2)]}, ("source_itself", "/source/parts/0/stage")),
        ({"parts": [first(1, 2), first(7, 2)]}, ("unknown_stage", "/source/parts/1/stage")),
        ({"parts": [first(1, 2, "next")] * 2}, ("source_twice", "/source/parts/1/stage")),
        ({"parts": [first(1, 2), first(1, 1)]}, ("source_twice", "/source/parts/1/stage")),
        ({"parts": [{"stage": 1, "take": "first"}]}, ("source_count", "/source/parts/0/count")),
        ({"parts": [first(1, 5)]}, ("more_through", "/source/parts/0/count")),
        ({"parts": [first(1, 2)], "lives": 2}, ("lives_later", "/source/lives")),
        ({"parts": [first(1, 0)]}, ("malformed", "/source/parts/0/count")),
        ({"parts": [first(1, 2, "best")]}, ("malformed", "/source/parts/0/take")),
        ({"parts": [{"stage": "1", "take": "out"}]}, ("malformed", "/source/parts/0/stage")),
        ({"parts": [{"stage": 1, "take": "out", "of": "all"}]}, ("malformed", "/source/parts/0")),
        ({"parts": [first(1, 2)] * 5}, ("malformed", "/source/parts")),
        ({"parts": {}}, ("malformed", "/source/parts")),
        ({"lives": 0}, ("malformed", "/source/lives")),
        ({"lives": True}, ("malformed", "/source/lives")),
        ({"division": "x" * 41}, ("malformed", "/source/division")),
        ({"from": 1}, ("malformed", "/source")),
        ([], ("malformed", "/source")),
    ],
)
def test_source_that_cannot_be_is_refused_at_its_place(source: Any, fault: tuple[str, str]) -> None:
    made = chained(begun())
    assert refusal(made, actions.set_stage_settings, stage=made.stage.uid, source=source) == [fault]


def test_stages_in_a_circle_are_refused() -> None:
    made = chained(chained(event("mattel-108", 4)), first(1, 2))
    one, two = Stage.objects.filter(tournament=made.tournament).order_by("number")
    asked = {"stage": one.uid, "source": {"parts": [first(2, 1)]}}
    assert refusal(made, actions.set_stage_settings, **asked) == [("source_circle", "/source/parts")]
    Stage.objects.filter(pk=one.pk).update(source={"parts": [first(2, 1)]})  # as an archive may say
    one.refresh_from_db()
    assert sources_in([one, two]) == {1: Source(), 2: Source()}


def test_source_is_set_until_the_stage_starts() -> None:
    made = chained(begun())
    made.act(actions.set_stage_settings, stage=made.stage.uid, source={"parts": [], "division": "Juniors"})
    assert made.refresh().stage.source == {"parts": [], "division": "Juniors"}
    assert agrees(made)
    started(made, made.uids[:2])
    asked = {"stage": made.stage.uid, "source": {}}
    assert refusal(made, actions.set_stage_settings, **asked) == [("settings_locked", "/source")]


def test_players_come_as_usual_from_the_heats_before_or_registered() -> None:
    made = add_stage(running_heats(), "final", tables=0, start=False, target=250)
    heats, final = Stage.objects.filter(tournament=made.tournament).order_by("number")
    assert sources_in([heats, final]) == {1: Source(), 2: Source((Part(1, "first"),))}
    final.source = {"parts": []}
    assert source_of(final, heats) == Source()
    matches = Stage(number=1, kind="match")
    assert (
        source_of(Stage(number=2, kind="final"), matches) == Source()
    )  # whose players go nowhere by themselves


def test_numbers_lead_along_the_chain() -> None:
    stages = [
        Stage(number=1, kind="match"),
        Stage(number=2, kind="match", source={"parts": [first(1, 2)]}),
        Stage(number=3, kind="match", source={"parts": [{"stage": 1, "take": "out"}]}),
        Stage(number=4, kind="final", source={"parts": [first(2, 2), first(3, 1)]}),
    ]
    sources = sources_in(stages)
    assert [fed_by(sources, number) for number in range(1, 5)] == [[2], [4], [4], []]
    assert [sorted(stages_before(sources, number)) for number in (1, 2, 4)] == [[], [1], [1, 2, 3]]
    assert [stage.number for stage in ends(stages)] == [4]
    assert [stage.number for stage in ends([stages[0], Stage(number=2, kind="match")])] == [2]
