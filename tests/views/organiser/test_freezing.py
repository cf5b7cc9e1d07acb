"""The freeze on the organiser's pages: freezing, the truth beside it, the page of the reveal, and its limits."""

import re
from uuid import uuid4

import pytest

from tests.actions.event.test_freezing import left, over, revealing
from tests.support.factories import Event, recorded_round, running_match
from tests.support.uids import without_uids
from tests.views.organiser.conftest import Browser
from tournament import actions
from tournament.models import Membership, Stage, User

pytestmark = pytest.mark.django_db


@pytest.fixture
def organiser(made: Event) -> User:
    return made.user


@pytest.fixture
def made(db: None) -> Event:
    return over()


def stage_page(made: Event) -> str:
    return f"/en/organise/stage/{made.stage.uid}/"


def reveal_page(made: Event) -> str:
    return f"{stage_page(made)}reveal/"


def text(browser: Browser, address: str) -> str:
    return re.sub(r"\s+", " ", browser.get(address, follow=True).content.decode())


def state(made: Event) -> tuple[bool, int | None]:
    row = Stage.objects.get(pk=made.stage.pk)
    return row.frozen_after is not None, row.revealed


def test_a_freeze_a_reveal_and_the_end_of_it_from_the_pages(browser: Browser, made: Event) -> None:
    answer = browser.send(stage_page(made), "/freeze/")
    assert (answer.status_code, state(made)) == (303, (True, None))
    assert "The public sees this stage and later ones as they were at" in text(browser, stage_page(made))
    answer = browser.send(stage_page(made), "/reveal/begin/")
    assert (answer["Location"].partition("?")[0], state(made)) == (reveal_page(made), (True, 0))
    for revealed in (1, 2, 3, 4):
        assert f"Show place {5 - revealed}<" in text(browser, reveal_page(made))
        browser.send(reveal_page(made), "/reveal/")
        assert state(made) == (True, revealed)
    page = text(browser, reveal_page(made))
    assert ">Show everything</button>" in page
    assert page.count("reveal__row--newest") == 1
    everybody = text(browser, f"/en/t/{made.tournament.slug}/")
    assert "All results have been announced." in everybody
    assert "frozen as of" not in everybody
    browser.send(reveal_page(made), "/reveal/")
    assert state(made) == (False, None)
    assert "Everyone can see everything" in text(browser, reveal_page(made))


def test_the_page_says_who_is_next_and_what_everybody_saw(browser: Browser) -> None:
    made = revealing()
    browser.force_login(made.user)
    first = text(browser, reveal_page(made))
    coming = re.search(r'reveal-next__who">.*?<bdi>(.*?)</bdi>', first)
    assert coming
    assert coming[1] in {entry.public_name for entry in made.entries}
    seen = f'reveal__name">{coming[1]}<'
    assert seen not in first
    made.act(actions.reveal_next, stage=made.stage.uid, left=left(made))
    assert seen in text(browser, reveal_page(made))


def test_a_step_that_another_phone_showed_is_said_and_the_page_goes_on(browser: Browser) -> None:
    made = revealing()
    browser.force_login(made.user)
    made.act(actions.reveal_next, stage=made.stage.uid, left=5)
    answer = browser.send(reveal_page(made), "/reveal/", left="5")
    assert answer.status_code == 422
    assert "Someone else has already revealed this. 4 to go." in answer.content.decode()
    assert state(made) == (True, 1)


@pytest.mark.parametrize("junk", ["", "0", "-1", "x", "9" * 12, "4.0"])
@pytest.mark.sweep
def test_steps_that_are_no_number_reveal_nothing(junk: str, browser: Browser) -> None:
    made = revealing()
    browser.force_login(made.user)
    assert browser.send(reveal_page(made), "/reveal/", left=junk).status_code == 422
    assert state(made) == (True, 0)


def test_everything_is_shown_after_a_second_tap(browser: Browser) -> None:
    made = revealing()
    browser.force_login(made.user)
    page = browser.get(reveal_page(made)).content.decode()
    assert '<details id="lift">' in page
    browser.send(reveal_page(made), "/freeze/lift/")
    assert state(made) == (False, None)


def test_before_the_stage_is_finished_the_reveal_cannot_begin(browser: Browser) -> None:
    made = running_match()
    browser.force_login(made.user)
    made.act(actions.freeze_standings, stage=made.stage.uid)
    page = text(browser, stage_page(made))
    assert "Finish this stage first. Then you can reveal the results." in page
    assert page.index('id="freeze"') < page.index('<div class="tiles">'), "the state comes first"
    page = browser.get(reveal_page(made)).content.decode()
    assert "/reveal/begin/" not in page
    assert "/freeze/lift/" in page


def test_the_stage_page_shows_the_truth_beside_the_freeze(browser: Browser) -> None:
    made = running_match(players=3)
    browser.force_login(made.user)
    assert "The real standings" not in text(browser, stage_page(made))
    made.act(actions.freeze_standings, stage=made.stage.uid)
    recorded_round(made, None, **{str(uid): {"wild4": 1, "9": 2} for uid in made.at(made.table)[1:]})
    page = text(browser, stage_page(made))
    assert "The real standings" in page
    assert "136" in without_uids(page)
    assert "136" not in without_uids(text(browser, f"/en/t/{made.tournament.slug}/stage/{made.stage.uid}/"))


def test_a_later_stage_says_with_which_one_it_is_frozen(browser: Browser, made: Event) -> None:
    later = uuid4()
    made.act(actions.freeze_standings, stage=made.stage.uid)
    made.act(actions.plan_stage, stage=later, kind="match", name="Next")
    page = text(browser, f"/en/organise/stage/{later}/")
    assert "when “Match” was frozen" in page
    assert "/freeze/" not in page


def test_the_board_says_that_everybody_sees_less(browser: Browser, made: Event) -> None:
    board = f"/en/organise/t/{made.tournament.slug}/"
    assert "public standings frozen at" not in text(browser, board)
    made.act(actions.freeze_standings, stage=made.stage.uid)
    assert "public standings frozen at" in text(browser, board)
    assert "Reveal or show everything" in text(browser, board)
    browser.force_login(made.referee(Membership.Role.HEAD_REFEREE))
    assert "public standings frozen at" in text(browser, board)
    assert "Reveal or show everything" not in text(browser, board)


@pytest.mark.parametrize("ending", ["freeze/", "freeze/lift/", "reveal/", "reveal/begin/"])
@pytest.mark.parametrize("role", ["", *Membership.Role.values[1:]])
def test_nobody_else_gets_to_these_pages(role: str, ending: str, browser: Browser, made: Event) -> None:
    address = f"{stage_page(made)}{ending}"
    browser.logout()
    if role:
        browser.force_login(made.referee(role))
    assert browser.get(address).status_code == (403 if role else 302)
    assert browser.post(address).status_code == (403 if role else 302)
    assert state(made) == (False, None)
