"""The details of an event on its own form: nothing is required, and what is wrong is said at its field."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.actions.event.test_face import SAID, edit
from tests.support.factories import Event, event
from tests.support.pictures import in_base64, picture
from tests.views.organiser.conftest import Browser, form_of
from tournament.models import LedgerRow

pytestmark = pytest.mark.django_db


@pytest.fixture
def made(db: None) -> Event:
    return event(name="Spring")


@pytest.fixture
def browser(made: Event) -> Browser:
    browser = Browser()
    browser.force_login(made.user)
    return browser


def address(made: Event) -> str:
    return f"/en/organise/t/{made.tournament.slug}/edit/"


def upload(content: bytes, name: str = "logo.png") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content, "image/png")


def test_everything_is_typed_once(made: Event, browser: Browser) -> None:
    typed = SAID | {"colour": "#8a1c4a", "logo": upload(picture())}
    assert browser.post(address(made), form_of(browser, address(made)) | typed).status_code == 303
    row = made.tournament
    row.refresh_from_db()
    assert (row.fee, row.colour, row.starts_at.hour if row.starts_at else 0) == ("5 €", "#8a1c4a", 18)
    assert row.logo
    again = form_of(browser, address(made))
    assert (again["doors_at"], again["colour"], again["fee"]) == ("17:30", "#8a1c4a", "5 €")


def test_the_untouched_form_changes_nothing(made: Event, browser: Browser) -> None:
    row = edit(made, **SAID, logo=in_base64(picture()))
    assert browser.post(address(made), form_of(browser, address(made))).status_code == 303
    assert LedgerRow.objects.filter(tournament=row).count() == row.version
    row.refresh_from_db()
    assert row.description == SAID["description"]
    assert row.picture.content


def test_an_event_that_never_chose_stays_green(made: Event, browser: Browser) -> None:
    sent = form_of(browser, address(made))
    assert sent["colour"] == "#0a5a39"
    assert not sent.keys() & {"no_logo", "usual_colour"}
    browser.post(address(made), sent)
    made.tournament.refresh_from_db()
    assert (made.tournament.colour, made.tournament.logo) == ("", "")


def test_ticks_take_logo_and_colour_away(made: Event, browser: Browser) -> None:
    edit(made, **SAID, logo=in_base64(picture()))
    sent = form_of(browser, address(made)) | {"no_logo": "on", "usual_colour": "on"}
    assert browser.post(address(made), sent).status_code == 303
    made.tournament.refresh_from_db()
    assert (made.tournament.colour, made.tournament.logo) == ("", "")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"apples, pears", "This is not a picture. Choose a PNG, JPEG, WebP or GIF file."),
        (b"", "This is not a picture. Choose a PNG, JPEG, WebP or GIF file."),
        (b"x" * (2 * 1024 * 1024 + 1), "The picture is too large."),
    ],
    ids=["text", "empty", "long"],
)
def test_a_logo_that_is_no_picture_is_said_at_its_field(
    made: Event, browser: Browser, content: bytes, words: str
) -> None:
    typed = {
        "description": "An evening",
        "fee": "7 €",
        "bring": "Cards",
        "name": "Summer",
        "starts_at": "19:15",
    }
    answer = browser.post(address(made), form_of(browser, address(made)) | typed | {"logo": upload(content)})
    assert answer.status_code == 422
    text = answer.content.decode()
    error = text.index('id="id_logo_error"')
    assert words in text[error : error + 200]
    for kept in (
        ">\nAn evening</textarea>",
        'value="7 €"',
        'value="Cards"',
        'value="Summer"',
        'value="19:15"',
    ):
        assert kept in text, kept
    made.tournament.refresh_from_db()
    assert made.tournament.name == "Spring"


@pytest.mark.parametrize(
    ("field", "typed"),
    [("colour", "red"), ("doors_at", "late"), ("description", "x" * 5001), ("fee", "x" * 101)],
)
def test_other_fields_say_what_is_wrong(made: Event, browser: Browser, field: str, typed: str) -> None:
    answer = browser.post(address(made), form_of(browser, address(made)) | {field: typed})
    assert answer.status_code == 422
    assert f'id="id_{field}_error"' in answer.content.decode()


def test_the_details_are_grouped(made: Event) -> None:
    client = Client()
    client.force_login(made.user)
    text = client.get(address(made)).content.decode()
    places = [
        text.index(f">{heading}</h2>")
        for heading in ("When and where", "About the event", "Logo and colour", "Settings")
    ]
    assert places == sorted(places)
