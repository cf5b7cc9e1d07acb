"""Big screens: what may be chosen for one, and what stays when a stage that one shows goes away."""

from typing import Any
from uuid import UUID, uuid4

import pytest

from tests.support.asking_actions import agrees, refusal
from tests.support.factories import Event, add_stage, event
from tests.support.undoing import undo
from tournament import actions
from tournament.actions.event.screens import MOST_SCREENS
from tournament.models import LedgerRow, Screen, Stage

pytestmark = pytest.mark.django_db


@pytest.fixture
def made() -> Event:
    return add_stage(event("tite-2022", 6), "heats", tables=2)


def hung(made: Event, name: str = "Hall") -> UUID:
    uid = uuid4()
    made.act(actions.add_screen, screen=uid, name=name)
    return uid


def chosen(of: UUID, **more: Any) -> dict[str, Any]:
    return {"screen": of, "scenes": ["seats", "standings"], "seconds": 8, **more}


def shows(screen: UUID) -> tuple[str, list[str], Stage | None, int]:
    row = Screen.objects.select_related("stage").get(uid=screen)
    return row.name, row.scenes, row.stage, row.seconds


def test_a_screen_greets_until_something_is_chosen(made: Event) -> None:
    screen = hung(made, "  Hall left ")
    assert shows(screen) == ("Hall left", ["welcome"], None, 12)
    made.act(actions.set_screen, **chosen(screen, stage=made.stage.uid, name="Right"))
    assert shows(screen) == ("Right", ["seats", "standings"], made.stage, 8)
    made.act(actions.set_screen, **chosen(screen, scenes=["clock", "seats", "clock"]))
    assert shows(screen) == ("Right", ["clock", "seats"], made.stage, 8)
    made.act(actions.set_screen, screen=screen, stage=None)
    assert shows(screen) == ("Right", ["clock", "seats"], None, 8)
    assert agrees(made)
    made.act(actions.remove_screen, screen=screen)
    assert not Screen.objects.exists()
    assert agrees(made)


def test_only_who_watches_the_event_hears_of_it(made: Event) -> None:
    before = made.stage.version
    screen = hung(made)
    sequence = made.act(actions.set_screen, **chosen(screen)).sequence
    made.refresh()
    assert (made.tournament.version, made.stage.version) == (sequence, before)


def test_its_name_is_not_in_the_ledger(made: Event) -> None:
    screen = hung(made, "Bar upstairs")
    made.act(actions.set_screen, **chosen(screen, name="Bar downstairs"))
    assert "Bar" not in str(list(LedgerRow.objects.values_list("payload", flat=True)))


@pytest.mark.parametrize(
    ("asked", "fault"),
    [
        ({"scenes": []}, ("no_scene", "/scenes")),
        ({"scenes": ["seats", "fireworks"]}, ("unknown_scene", "/scenes")),
        ({"scenes": "seats"}, ("malformed", "/scenes")),
        ({"scenes": [1]}, ("malformed", "/scenes")),
        ({"seconds": 4}, ("field_min_value", "/seconds")),
        ({"seconds": 121}, ("field_max_value", "/seconds")),
        ({"seconds": True}, ("malformed", "/seconds")),
        ({"name": " "}, ("field_blank", "/name")),
        ({"name": "x" * 61}, ("field_max_length", "/name")),
        ({"screen": uuid4()}, ("unknown_screen", "/screen")),
        ({"stage": uuid4()}, ("unknown_stage", "/stage")),
    ],
    ids=[
        "no scene", "unknown scene", "no list", "no text", "too short", "too long", "no number", "no name",
        "long name", "unknown screen", "unknown stage",
    ],
)  # fmt: skip
def test_what_cannot_be_shown_is_refused(made: Event, asked: Any, fault: tuple[str, str]) -> None:
    screen = hung(made)
    assert refusal(made, actions.set_screen, **chosen(screen, **asked)) == [fault]
    assert shows(screen) == ("Hall", ["welcome"], None, 12)
    assert agrees(made)


@pytest.mark.parametrize("seconds", [5, 120])
def test_the_shortest_and_the_longest_page(made: Event, seconds: int) -> None:
    screen = hung(made)
    made.act(actions.set_screen, **chosen(screen, seconds=seconds))
    assert shows(screen)[3] == seconds


def test_a_stage_of_another_event_is_refused(made: Event) -> None:
    other = add_stage(event("tite-2022", 6), "heats")
    assert refusal(made, actions.set_screen, **chosen(hung(made), stage=other.stage.uid)) == [
        ("unknown_stage", "/stage")
    ]


def test_an_event_has_at_most_so_many(made: Event) -> None:
    for number in range(MOST_SCREENS):
        hung(made, f"Screen {number}")
    assert refusal(made, actions.add_screen, screen=uuid4(), name="More") == [("too_many_screens", "/name")]
    assert refusal(made, actions.set_screen, **chosen(uuid4())) == [("unknown_screen", "/screen")]
    assert agrees(made)
    hung(event())  # another event has as many of its own


@pytest.mark.parametrize(("name", "code"), [("", "field_blank"), ("x" * 61, "field_max_length")])
def test_a_screen_needs_a_name_of_some_length(made: Event, name: str, code: str) -> None:
    assert refusal(made, actions.add_screen, screen=uuid4(), name=name) == [(code, "/name")]


def test_a_uid_is_one_screen_s(made: Event) -> None:
    screen = hung(made)
    assert refusal(made, actions.add_screen, screen=screen, name="Again") == [("field_unique", "/uid")]


def test_a_screen_lets_go_of_a_stage_that_goes_away_and_takes_it_again() -> None:
    made = event("tite-2022", 6)
    heats, final = uuid4(), uuid4()
    made.act(actions.plan_stage, stage=heats, kind="heats")
    made.act(actions.plan_stage, stage=final, kind="final", settings={"target": 300})
    screen = hung(made)
    made.act(actions.set_screen, **chosen(screen, stage=final))
    other = hung(made, "Bar")
    made.act(actions.set_screen, **chosen(other, stage=heats))
    levels = [{"stage": heats, "kind": "heats", "settings": {}}]
    made.act(actions.set_levels, levels=levels)
    assert not Stage.objects.filter(uid=final).exists()
    assert shows(screen) == ("Hall", ["seats", "standings"], None, 8)
    assert shows(other)[2] == Stage.objects.get(uid=heats)
    assert verified(made)
    undo(made)
    assert shows(screen)[2] == Stage.objects.get(uid=final)
    assert verified(made)


def test_a_stage_that_a_screen_shows_is_not_undone() -> None:
    made = event("tite-2022", 6)
    stage = uuid4()
    row = made.act(actions.plan_stage, stage=stage, kind="heats").sequence
    made.act(actions.set_screen, **chosen(hung(made), stage=stage))
    assert refusal(made, actions.undo, row=row) == [("in_use_since", "/row")]


def verified(made: Event) -> bool:
    made.stage = Stage.objects.filter(tournament=made.tournament)[0]
    return agrees(made)
