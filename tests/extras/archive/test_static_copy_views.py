"""The copy that an organiser takes home, and what it holds of the event's face and rules."""

from io import BytesIO
from zipfile import ZipFile

import pytest
from django.test import Client

from tests.extras.archive.test_views import content, organiser_of, page_of
from tests.support.factories import Event, UserFactory, recorded_round, running_match
from tests.views.public.test_face import made  # noqa: F401 - a fixture
from tests.views.public.test_which_sheet import session_in
from tournament import actions
from tournament.extras.archive.files.static_copy import copied_pages

pytestmark = pytest.mark.django_db


def test_the_static_copy_holds_logo_and_colour(made: Event) -> None:  # noqa: F811 - the fixture
    copy = dict(copied_pages(made.tournament))
    name = f"logo-{made.tournament.logo[:16]}.webp"
    assert copy[f"en/{name}"] == bytes(made.tournament.picture.content)
    assert b"--accent" in copy["en/colour-8a1c4a.css"]
    assert f'src="{name}"'.encode() in copy["en/index.html"]
    assert b'href="colour-8a1c4a.css"' in copy["en/index.html"]


def test_copy_of_an_event_leads_to_the_sheet_that_it_plays_by(db: None) -> None:
    copy = dict(copied_pages(session_in("fi").tournament))
    for language in ("en", "fi", "sv"):
        assert b'href="rules/kpgut-2016/fi/index.html"' in copy[f"{language}/index.html"]
        assert f"{language}/rules/kpgut-2016/fi/index.html" in copy
        assert f"{language}/rules/kpgut-2016/index.html" not in copy


def test_the_organiser_copies_the_pages() -> None:
    event = running_match(players=3)
    for query, beside in (({}, False), ({"archive": "on"}, True)):
        answer = organiser_of(event).get(f"{page_of(event)}pages.zip", query)
        with ZipFile(BytesIO(content(answer))) as copy:
            assert "index.html" in copy.namelist()
            assert ("archive.zip" in copy.namelist()) == beside


def test_while_frozen_the_archive_does_not_lie_beside_the_pages() -> None:
    event = running_match(players=3)
    recorded_round(event)
    event.act(actions.freeze_standings, stage=event.stage.uid)
    refused = organiser_of(event).get(f"{page_of(event)}pages.zip", {"archive": "on"})
    assert refused.status_code == 422
    assert "The archive would give the frozen standings away." in refused.content.decode()
    assert organiser_of(event).get(f"{page_of(event)}pages.zip").status_code == 200


def test_the_copy_is_for_organisers_alone() -> None:
    event = running_match(players=3)
    address = f"{page_of(event)}pages.zip"
    assert Client().get(address).status_code == 302
    for user, status in ((UserFactory(), 404), (event.referee("head_referee"), 403)):
        other = Client()
        other.force_login(user)
        assert other.get(address).status_code == status


def test_the_page_of_the_archive_offers_it() -> None:
    event = running_match(players=3)
    said = organiser_of(event).get(page_of(event)).content.decode()
    assert f'action="{page_of(event)}pages.zip"' in said
    assert (
        '<input type="checkbox" name="archive" aria-describedby="id_archive_helptext" id="id_archive">'
        in said
    )
