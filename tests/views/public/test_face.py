"""An event's face on its pages: the logo and colour at addresses of their own, texts safe, prints and the copy."""

from datetime import date
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from tests.actions.event.test_face import SAID, edit
from tests.support.factories import Event, event
from tests.support.pictures import in_base64, picture
from tournament import actions
from tournament.models import Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def made(db: None) -> Event:
    made = event("kpgut-2016", players=3, starts_on=date(2126, 5, 9))
    made.act(actions.set_registration, opened=True)
    edit(made, **SAID, logo=in_base64(picture()))
    return made


def page(path: str) -> str:
    answer = Client().get(path)
    assert answer.status_code == 200, path
    return str(answer.content.decode())


def logo_of(row: Tournament) -> str:
    return reverse("event-logo", args=[row.slug, row.logo[:16]])


def test_the_logo_is_kept_by_browsers_and_gone_with_the_next_one(made: Event) -> None:
    row = made.tournament
    answer = Client().get(logo_of(row))
    assert answer.content == bytes(row.picture.content)
    assert answer["Content-Type"] == "image/webp"
    assert answer["Cache-Control"] == "public, max-age=31536000"
    old = logo_of(row)
    assert logo_of(edit(made, logo=in_base64(picture(colour="#00aa00")))) != old
    assert Client().get(old).status_code == 404
    edit(made, logo="")
    assert Client().get(old).status_code == 404


def test_the_logo_of_an_event_that_was_put_away_is_hidden(made: Event) -> None:
    made.act(actions.put_away)
    assert Client().get(logo_of(made.tournament)).status_code == 404


def test_the_colour_is_a_style_sheet_of_its_own(made: Event) -> None:
    answer = Client().get(reverse("event-colour", args=[made.tournament.slug, "8a1c4a"]))
    assert answer["Content-Type"].startswith("text/css")
    assert "--accent:light-dark(#8a1c4a," in answer.content.decode()
    for wrong in ("8a1c4", "8A1C4A", "zzzzzz", "8a1c4a0"):
        assert Client().get(reverse("event-colour", args=[made.tournament.slug, wrong])).status_code == 404


@pytest.mark.parametrize("name", ["tournament", "join"])
def test_public_pages_show_the_face(made: Event, name: str) -> None:
    shown = page(reverse(name, args=[made.tournament.slug]))
    for part in ("An evening of cards.", "Doors 17:30", "Start 18:00", "5 €", "A pen"):
        assert part in shown, part
    assert f'src="{logo_of(made.tournament)}"' in shown
    assert reverse("event-colour", args=[made.tournament.slug, "8a1c4a"]) in shown
    assert '<a href="https://example.org/cards" rel="nofollow">' in shown
    assert " style=" not in shown


def test_markup_in_the_description_stays_text(made: Event) -> None:
    edit(made, description='<script>alert(1)</script> <b onclick="x">bold</b>\n\njavascript:alert(1)')
    shown = page(reverse("tournament", args=[made.tournament.slug]))
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in shown
    assert "<b onclick" not in shown
    assert 'href="javascript' not in shown


def test_an_event_without_a_face_has_none_of_it(made: Event) -> None:
    edit(made, **dict.fromkeys(SAID, ""), logo="")
    shown = page(reverse("tournament", args=[made.tournament.slug]))
    for part in ("<img", "colour-", "Doors", "About the event"):
        assert part not in shown, part


def test_the_wall_welcomes_with_it(made: Event) -> None:
    uid = uuid4()
    made.act(actions.add_screen, screen=uid, name="Hall")
    made.act(actions.set_screen, screen=uid, scenes=["welcome"], seconds=10)
    shown = page(reverse("screen", args=[made.tournament.slug, uid]))
    assert logo_of(made.tournament) in shown
    assert "Start 18:00" in shown


@pytest.mark.parametrize("name", ["organise-badges", "organise-poster"])
def test_prints_carry_the_logo(made: Event, name: str) -> None:
    client = Client()
    client.force_login(made.user)
    shown = client.get(reverse(name, args=[made.tournament.slug])).content.decode()
    assert logo_of(made.tournament) in shown
    assert "prints--a4" in shown
    letter = client.get(reverse(name, args=[made.tournament.slug]) + "?paper=letter").content.decode()
    assert "prints--letter" in letter
