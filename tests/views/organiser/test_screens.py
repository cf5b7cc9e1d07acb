"""The organiser's page of the big screens."""

from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.support.factories import Event, add_stage, event
from tests.support.pages import folded
from tests.views.organiser.conftest import Browser
from tournament import actions
from tournament.actions.event.screens import MOST_SCREENS
from tournament.ledger.verify import verify
from tournament.models import Membership, Screen, Tournament, User

pytestmark = pytest.mark.django_db


def page_of(made: Event) -> str:
    return reverse("organise-screens", args=[made.tournament.slug])


def hung(made: Event, name: str = "Hall") -> Screen:
    uid = uuid4()
    made.act(actions.add_screen, screen=uid, name=name)
    return Screen.objects.get(uid=uid)


def of(screen: Screen) -> str:
    return reverse("organise-screen", args=[screen.uid])


def again(screen: Screen) -> Screen:
    return Screen.objects.get(pk=screen.pk)


def test_a_screen_is_hung_up_and_shows_a_scene_with_one_tap(browser: Browser, planned: Event) -> None:
    assert "The first screen" in browser.get(page_of(planned)).content.decode()
    answer = browser.send(page_of(planned), "/screens/", name="Hall left")
    assert (answer.status_code, Screen.objects.get().name) == (303, "Hall left")
    screen = Screen.objects.get()
    answer = browser.send(page_of(planned), of(screen), only="standings")
    assert answer.status_code == 303
    assert again(screen).scenes == ["standings"]
    page = folded(browser.get(page_of(planned)))
    assert 'value="standings" aria-pressed="true"' in page
    assert page.count('aria-pressed="true"') == 1
    assert verify(Tournament.objects.get()) == []


def test_a_tap_leaves_the_seconds_the_stage_and_the_name(browser: Browser, planned: Event) -> None:
    add_stage(planned, "heats")
    screen = hung(planned)
    given = {"scenes": ["seats", "clock"], "seconds": 20, "stage": planned.stage.uid}
    planned.act(actions.set_screen, screen=screen.uid, **given)
    browser.send(page_of(planned), of(screen), only="results")
    now = again(screen)
    assert (now.scenes, now.seconds, now.stage, now.name) == (["results"], 20, planned.stage, "Hall")


def test_several_scenes_by_turns(browser: Browser, planned: Event) -> None:
    add_stage(planned, "heats")
    screen = hung(planned)
    address = reverse("organise-screen", args=[screen.uid])
    fields = {
        "scenes": ["seats", "programme"],
        "seconds": "7",
        "stage": str(planned.stage.uid),
        "name": "Bar",
    }
    answer = browser.post(address, {"command": str(uuid4()), **fields})
    assert answer.status_code == 303
    now = again(screen)
    assert (now.scenes, now.seconds, now.stage, now.name) == (["seats", "programme"], 7, planned.stage, "Bar")
    page = folded(browser.get(answer["Location"]))
    assert "<strong>Seats, programme</strong>" in page
    assert f'<option value="{planned.stage.uid}" selected>' in page


@pytest.mark.parametrize(
    ("typed", "words", "field"),
    [
        ({"scenes": []}, "Choose at least one.", "scenes"),
        ({"seconds": "3"}, "3", "seconds"),
        ({"seconds": "500"}, "500", "seconds"),
        ({"seconds": ""}, "At least 5.", "seconds"),
        ({"name": " "}, "Fill this in.", "name"),
        ({"scenes": ["fireworks"]}, "A screen cannot show this.", "scenes"),
    ],
    ids=["no scene", "too short", "too long", "no seconds", "no name", "unknown scene"],
)
def test_what_does_not_fit_is_said_at_its_field_and_kept(
    browser: Browser, planned: Event, typed: dict[str, object], words: str, field: str
) -> None:
    screen = hung(planned)
    other = hung(planned, "Bar")
    sent = {"scenes": ["seats"], "seconds": "9", "name": "Hall left", "stage": ""} | typed
    answer = browser.post(of(screen), {"command": str(uuid4()), **sent})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert words in page
    assert f'href="#id_{field}-{screen.uid}"' in page
    assert f'id="id_{field}-{screen.uid}"' in page
    assert page.count('id="errors-title"') == 1
    if "name" not in typed:
        assert 'value="Hall left"' in page
    assert 'value="Bar"' in page
    assert again(screen).scenes == again(other).scenes == ["welcome"]


def test_an_empty_name_is_said_above(browser: Browser, planned: Event) -> None:
    answer = browser.send(page_of(planned), "/screens/", name="")
    assert answer.status_code == 422
    assert "Fill this in." in answer.content.decode()
    assert not Screen.objects.exists()


def test_a_screen_is_taken_away(browser: Browser, planned: Event) -> None:
    screen = hung(planned)
    address = reverse("organise-screen-remove", args=[screen.uid])
    assert browser.get(address).status_code == 302
    assert browser.send(page_of(planned), address).status_code == 303
    assert not Screen.objects.exists()
    assert browser.post(address, {"command": str(uuid4())}).status_code == 404


def test_no_form_where_there_are_as_many_as_may_be(browser: Browser, planned: Event) -> None:
    for number in range(MOST_SCREENS):
        hung(planned, f"Screen {number}")
    page = browser.get(page_of(planned)).content.decode()
    assert "The limit for one event is reached." in page
    assert 'id="id_name"' not in page


def test_each_language_has_its_address(browser: Browser, planned: Event) -> None:
    screen = hung(planned)
    page = browser.get(page_of(planned)).content.decode()
    for language in ("en", "fi", "sv"):
        assert f"/{language}/t/{planned.tournament.slug}/screen/{screen.uid}/" in page
    assert f"http://testserver/t/{planned.tournament.slug}/screen/" in page


def test_the_board_leads_to_it(browser: Browser, planned: Event) -> None:
    board = browser.get(reverse("organise-board", args=[planned.tournament.slug])).content.decode()
    assert f'href="{page_of(planned)}"' in board


@pytest.mark.parametrize("role", [Membership.Role.HEAD_REFEREE, Membership.Role.TABLE_REFEREE])
def test_referees_choose_nothing(planned: Event, role: str) -> None:
    screen = hung(planned)
    client = Client()
    client.force_login(planned.referee(role))
    for address in (page_of(planned), of(screen), reverse("organise-screen-remove", args=[screen.uid])):
        sent = client.post(address, {"command": str(uuid4()), "only": "clock", "name": "Mine"})
        assert sent.status_code == 403
    assert Screen.objects.get().scenes == ["welcome"]


def test_who_has_no_role_learns_of_nothing(planned: Event) -> None:
    screen = hung(planned)
    stranger = event(user=None)
    client = Client()
    client.force_login(stranger.referee())
    assert client.get(page_of(planned)).status_code == 404
    assert client.post(of(screen), {"only": "clock"}).status_code == 404


def test_page_asks_as_often_for_three_screens_as_for_one(browser: Browser, planned: Event) -> None:
    asked = []
    add_stage(planned, "heats")
    for _more in range(2):
        hung(planned)
        with CaptureQueriesContext(connection) as queries:
            browser.get(page_of(planned))
        asked.append(len(queries))
        hung(planned)
    assert asked[0] == asked[1] <= 12, asked


def test_a_command_that_is_sent_twice_hangs_one_up(browser: Browser, planned: Event) -> None:
    command: UUID = uuid4()
    for _twice in range(2):
        sent = {"command": str(command), "name": "Hall"}
        assert browser.post(page_of(planned), sent).status_code == 303
    assert Screen.objects.count() == 1


@pytest.mark.parametrize(
    ("kinds", "missing"),
    [
        ([], set()),
        (["session"], {"bracket", "final"}),
        (["match"], {"bracket", "final"}),
        (["heats", "final"], set()),
    ],
)
def test_scenes_that_can_show_nothing_are_not_offered(
    browser: Browser, organiser: User, kinds: list[str], missing: set[str]
) -> None:
    """Findings, D24; a screen that shows one of them keeps it."""
    made = event("kpgut-2016" if "session" in kinds else "tite-2022", user=organiser)
    for kind in kinds:
        made.act(actions.plan_stage, stage=uuid4(), kind=kind)
    screen = hung(made)
    (panel,) = browser.get(page_of(made)).context["panels"]
    assert {scene.value for scene in panel.scenes} == set(Screen.Scene.values) - missing
    made.act(actions.set_screen, screen=screen.uid, scenes=["final"], seconds=12, stage=None)
    (panel,) = browser.get(page_of(made)).context["panels"]
    assert "final" in {scene.value for scene in panel.scenes}
