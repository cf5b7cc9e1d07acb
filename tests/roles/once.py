"""Every page is opened and every form sent once, by whoever may do most with it.

No test of `make test` by itself, which asks more: tests/test_other_systems.py runs it where nothing of Unix is.
"""

import pytest

from tests.roles.asking import Route, ask_everything
from tests.roles.table import ADMIN, LINK, NO_METHOD, ORGANISER, row_of
from tests.roles.test_matrix import wrong
from tests.roles.world import OWN, world

pytestmark = pytest.mark.django_db


def once(route: Route, method: str, role: str, place: str) -> bool:
    row = row_of(route.path) or {}
    most = ADMIN if route.admin else LINK if route.by_link else ORGANISER
    return (role, place) == (most, OWN) and method in row and row[method].organiser != NO_METHOD


def test_every_page_and_form_is_answered_as_the_table_says() -> None:
    answers = ask_everything(world(), once).answers
    assert len(answers) > 600
    assert wrong(answers) == []
