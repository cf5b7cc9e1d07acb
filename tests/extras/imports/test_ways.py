"""Ways to the page of results from a file, and from there."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.roles.test_guests import WORDS, made  # noqa: F401 - a fixture
from tests.support.factories import Event
from tests.support.undoing import planned
from tournament.live.bodies import UPLOADS

pytestmark = pytest.mark.django_db


def test_a_guest_is_offered_nothing_there(made: Event) -> None:  # noqa: F811
    client = Client()
    client.force_login(made.user)
    slug = made.tournament.slug
    address = reverse("organise-results-import", args=[slug])
    for page in ("organise-board", "organise-print"):
        assert address not in client.get(reverse(page, args=[slug])).content.decode(), page
    content = client.get(address).content.decode()
    assert WORDS in content
    assert 'type="file"' not in content


def test_an_organiser_comes_there_from_the_board_and_the_prints_and_on_to_the_old_list() -> None:
    coming = planned(players=1)
    client = Client()
    client.force_login(coming.user)
    slug = coming.tournament.slug
    address = reverse("organise-results-import", args=[slug])
    for page in ("organise-board", "organise-print"):
        assert f'href="{address}"' in client.get(reverse(page, args=[slug])).content.decode(), page
    content = client.get(address).content.decode()
    assert reverse("organise-past-results", args=[slug]) in content
    assert UPLOADS.fullmatch(address), "files are larger than other requests"
