"""Archives without people hold no name or contact."""

from urllib.parse import quote

import pytest
from django.test import Client

from tests.roles.asking import Secrets, address, routes, text_of
from tests.roles.table import ORGANISER
from tests.roles.test_matrix import _shared, made  # noqa: F401 - fixtures
from tests.roles.world import World


@pytest.mark.parametrize("people", ["public names", "anonymous"])
def test_an_archive_without_people_tells_nothing_of_them(
    made: World,  # noqa: F811
    people: str,
) -> None:
    client = Client()
    client.force_login(made.users[ORGANISER])
    page = next(route for route in routes() if route.path.endswith("/event.zip"))
    answer = client.get(address(page, made.events["own"]).replace("everything", quote(people)))
    assert answer.status_code == 200
    found = Secrets(made).in_(text_of(answer))
    may = {"frozen", *(("who asks",) if people == "public names" else ())}
    assert {kind for _event, kind in found} - may == set()
