"""The organiser's page of announcements, and where they stand: the board, every public page, the desk, the ledger."""

from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.factories import Event, event, running_match
from tests.support.pages import folded
from tests.support.walls import wall
from tests.views.organiser.conftest import Browser
from tournament import actions
from tournament.links import token_for
from tournament.models import Announcement, Tournament

pytestmark = pytest.mark.django_db

MARKUP = "Final <b>now</b> & here"
SHOWN = "Final &lt;b&gt;now&lt;/b&gt; &amp; here"


def page_of(made: Event) -> str:
    return reverse("organise-announcements", args=[made.tournament.slug])


def said(made: Event, **words: str) -> Announcement:
    uid = uuid4()
    made.act(actions.announce, announcement=uid, words=words or {"en": MARKUP}, minutes=30)
    return Announcement.objects.get(uid=uid)


@pytest.mark.parametrize(
    ("language", "minutes"), [("en", "5 minutes"), ("fi", "5 minuuttia"), ("sv", "5 minuter")]
)
def test_how_long_it_stands_is_in_the_readers_language(
    browser: Browser, planned: Event, language: str, minutes: str
) -> None:
    page = folded(browser.get(page_of(planned).replace("/en/", f"/{language}/")))
    assert minutes in page


def test_it_is_said_and_taken_down(browser: Browser, planned: Event) -> None:
    assert (
        browser.send(page_of(planned), "/announcements/", en="Food is served", minutes="30").status_code
        == 303
    )
    row = Announcement.objects.get()
    assert (row.words, row.until and (row.until - row.at).seconds) == ({"en": "Food is served"}, 1800)
    assert "Everyone sees this until" in folded(browser.get(page_of(planned)))
    down = reverse("organise-announcement-down", args=[row.uid])
    answer = browser.send(page_of(planned), down)
    assert answer.status_code == 303
    page = folded(browser.get(answer.url))
    assert "Everyone sees this" not in page
    assert "Earlier announcements" in page
    assert "Undo" in page


def test_without_a_time_it_stands_until_it_is_taken_down(browser: Browser, planned: Event) -> None:
    browser.send(page_of(planned), "/announcements/", en="Doors close at 22", minutes="down")
    assert Announcement.objects.get().until is None
    assert "Everyone sees this until you take it down" in folded(browser.get(page_of(planned)))


def test_too_much_is_refused_at_the_field_and_stays_typed(browser: Browser, planned: Event) -> None:
    typed = "<b>x</b>" * 625
    answer = browser.send(page_of(planned), "/announcements/", en="Food", sv=typed, minutes="5")
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "At most 200 characters. There are 5000 now." in page
    assert 'href="#id_sv"' in page
    assert "&lt;b&gt;x&lt;/b&gt;" * 625 in page
    assert '<details id="languages" open>' in page
    assert not Announcement.objects.exists()


@pytest.mark.parametrize("minutes", ["", "7", "soon"])
def test_another_time_is_refused_at_its_field(browser: Browser, planned: Event, minutes: str) -> None:
    answer = browser.send(page_of(planned), "/announcements/", en="Food", minutes=minutes)
    assert answer.status_code == 422
    assert 'id="id_minutes_error"' in answer.content.decode()
    assert not Announcement.objects.exists()


def test_what_is_often_said_is_there_in_each_language(browser: Browser, planned: Event) -> None:
    page = browser.get(page_of(planned)).content.decode()
    assert "Ruoka on tarjolla" in page
    assert "Maten är serverad" in page


def test_the_board_takes_it_down_and_leads_back(browser: Browser, planned: Event) -> None:
    row = said(planned)
    board = reverse("organise-board", args=[planned.tournament.slug])
    page = folded(browser.get(board))
    assert SHOWN in page
    assert page.count("button--primary") == 1
    answer = browser.send(board, reverse("organise-announcement-down", args=[row.uid]))
    assert answer.url.startswith(board)
    assert SHOWN not in folded(browser.get(answer.url))


def test_two_people_take_it_down_at_once(browser: Browser, planned: Event) -> None:
    row = said(planned)
    board = reverse("organise-board", args=[planned.tournament.slug])
    browser.get(board)
    down = reverse("organise-announcement-down", args=[row.uid])
    form = {"command": uuid4(), "back": "board"}
    planned.act(actions.take_down, announcement=row.uid)
    answer = browser.post(down, form)
    assert answer.status_code == 422
    assert "This announcement has already been taken down." in answer.content.decode()


def test_who_did_what_shows_the_words(browser: Browser, planned: Event) -> None:
    row = said(planned)
    planned.act(actions.take_down, announcement=row.uid)
    page = folded(browser.get(reverse("organise-ledger", args=[planned.tournament.slug])))
    assert page.count(f"<q><bdi>{SHOWN}</bdi></q>") == 2


def test_every_public_page_says_it_as_text_with_its_end() -> None:
    made = running_match(players=4)
    made.act(actions.plan_stage, stage=uuid4(), kind="match", settings={})
    row = said(made)
    until = f'data-until="{int(row.until.timestamp())}"' if row.until else ""
    slug = made.tournament.slug
    paths = [
        reverse("tournament", args=[slug]),
        reverse("stage", args=[slug, made.stage.uid]),
        reverse("entry", args=[slug, made.uids[0]]),
        reverse("players", args=[slug]),
        reverse("programme", args=[slug]),
        reverse("said", args=[slug]),
        reverse("own", args=[token_for("player", made.uids[0])]),
        reverse("at-table", args=[token_for("table", made.table.uid)]),
    ]
    texts = [Client().get(path, follow=True).content.decode() for path in paths]
    for path, text in zip(paths, [*texts, wall(made, "standings")], strict=False):
        assert (text.count(SHOWN), text.count(until)) == (1, 1), path
    made.act(actions.take_down, announcement=row.uid)
    for path in paths:
        assert SHOWN not in Client().get(path, follow=True).content.decode(), path


def test_the_desk_and_my_tables_say_it() -> None:
    made = running_match(players=4)
    said(made)
    client = Client()
    client.force_login(made.referee())
    table = client.get(reverse("table", args=[made.table.uid]), follow=True).content.decode()
    assert SHOWN in table
    assert f'data-of="{made.tournament.uid}"' in table
    mine = folded(client.get(reverse("desk")))
    assert SHOWN in mine
    assert f"<bdi>{made.tournament.name}</bdi> · Announced at" in mine


def test_another_event_says_nothing() -> None:
    made, other = event(), running_match(players=4)
    said(made)
    text = Client().get(reverse("tournament", args=[other.tournament.slug])).content.decode()
    assert 'id="said"' in text
    assert SHOWN not in text
    assert Tournament.objects.count() == 2


def test_texts_of_the_last_events_are_offered_once_each(browser: Browser, planned: Event) -> None:
    later = event(user=planned.user, organiser=planned.tournament.organiser.uid)
    for text in ("Doors close at ten", "Pizza is here", "Doors close at ten"):
        planned.act(actions.announce, announcement=uuid4(), words={"en": text})
    page = reverse("organise-announcements", args=[later.tournament.slug])
    offered = [each.text for each in browser.get(page).context["usual"]]
    assert offered[3:] == ["Doors close at ten", "Pizza is here"]
