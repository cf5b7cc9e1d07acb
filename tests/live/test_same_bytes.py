"""Every public address of the demo events gives the same bytes published, not published, and to somebody signed in."""

from collections.abc import Iterator

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils.translation import override
from pytest_django import Settings

from tests.factories import StaffFactory
from tournament.live.pages import store
from tournament.live.versions import versions
from tournament.models import Entry, Stage, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _empty_store() -> Iterator[None]:
    store.clear()
    versions.settle(versions.all(), {})
    yield
    store.clear()
    versions.settle(versions.all(), {})


def public_addresses(language: str) -> list[str]:
    with override(language):
        return [
            reverse("tournaments"),
            *(reverse("tournament", args=[row.slug]) for row in Tournament.objects.all()),
            *(
                reverse("stage", args=[row.tournament.slug, row.uid])
                for row in Stage.objects.select_related("tournament")
            ),
            *(
                reverse("entry", args=[row.tournament.slug, row.uid])
                for row in Entry.objects.select_related("tournament")
            ),
        ]


def test_every_public_address_has_the_same_bytes(settings: Settings) -> None:
    call_command("demo", verbosity=0)
    addresses = [path for language, _ in settings.LANGUAGES for path in public_addresses(language)]
    assert len(addresses) > 100
    visitor, referee = Client(), Client()
    referee.force_login(StaffFactory())
    for path in addresses:
        settings.PUBLISH = True
        first = visitor.get(path)
        assert first.status_code == 200, path
        kept = store.fresh(path)
        assert kept is not None, f"{path} is not published"
        start, body = kept.answer(b"", b"")
        settings.PUBLISH = False
        anew, signed_in = visitor.get(path), referee.get(path)
        assert body == first.content == anew.content == signed_in.content, path
        stored = {name.decode(): value.decode() for name, value in start["headers"]}
        for answer in (first, anew, signed_in):
            assert {name.lower(): value for name, value in answer.headers.items()} == stored, path
