"""Big screens for tests, and what is on them."""

from collections.abc import Sequence
from uuid import UUID, uuid4

from django.test import Client

from tests.support.factories import Event
from tournament import actions
from tournament.models import Screen

EVERY = tuple(Screen.Scene.values)


def hung(made: Event, scenes: Sequence[str] = EVERY, stage: UUID | None = None, seconds: int = 5) -> UUID:
    uid = uuid4()
    made.act(actions.add_screen, screen=uid, name="Hall")
    made.act(actions.set_screen, screen=uid, scenes=list(scenes), seconds=seconds, stage=stage)
    return uid


def address(made: Event, screen: UUID, language: str = "en") -> str:
    return f"/{language}/t/{made.tournament.slug}/screen/{screen}/"


def wall(made: Event, *scenes: str, stage: UUID | None = None, language: str = "en") -> str:
    """The text of a screen that shows these scenes."""
    answer = Client().get(address(made, hung(made, scenes or EVERY, stage), language))
    assert answer.status_code == 200
    return str(answer.content.decode())
