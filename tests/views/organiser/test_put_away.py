"""Rehearsing an event, putting the rehearsal away and bringing it back."""

import re
from io import BytesIO
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from openpyxl import load_workbook

from tests.support.factories import Event, add_stage, event, recorded_heat
from tests.views.organiser.conftest import Browser, form_of
from tournament import actions
from tournament.models import Tournament, User

pytestmark = pytest.mark.django_db


def rehearse(browser: Browser, made: Event) -> Tournament:
    answer = browser.send(reverse("organise-board", args=[made.tournament.slug]), "/rehearse/")
    assert answer.status_code == 303
    return Tournament.objects.get(rehearsal=True)


def test_rehearse_in_one_tap_and_put_away_in_one(browser: Browser, planned: Event) -> None:
    planned.act(actions.plan_stage, stage=uuid4(), kind="heats", settings={"advance": 2})
    made = rehearse(browser, planned)
    assert (made.name, made.entries.count(), made.stages.get().settings) == (
        planned.tournament.name,
        7,
        {"advance": 2},
    )
    board = reverse("organise-board", args=[made.slug])
    assert browser.send(board, "/put-away/").status_code == 302
    assert browser.get(board).status_code == 404
    mine = browser.get(reverse("organise"))
    assert [row.name for row in mine.context["now"]] == [planned.tournament.name]
    assert [row for row, _command in mine.context["put_away"]] == [made]
    back = browser.send(reverse("organise"), "/bring-back/")
    assert back.status_code == 303
    assert browser.get(back.url).status_code == 200


def test_put_away_tapped_twice_is_answered_alike(browser: Browser, planned: Event) -> None:
    made = rehearse(browser, planned)
    address = reverse("organise-put-away", args=[made.uid])
    command = {"command": str(uuid4())}
    assert {browser.post(address, command)["Location"] for _time in range(2)} == {"/en/organise/#put-away"}
    again = {"command": str(uuid4())}
    back = reverse("organise-bring-back", args=[made.uid])
    assert browser.get(address)["Location"] == reverse("organise")
    assert len({browser.post(back, again)["Location"] for _time in range(2)}) == 1
    assert browser.post(back, {"command": str(uuid4())}).status_code == 422


def test_any_event_is_put_away_on_its_details_and_its_pages_say_so(browser: Browser, planned: Event) -> None:
    slug = planned.tournament.slug
    details = reverse("organise-edit", args=[slug])
    assert browser.send(details, "/put-away/").status_code == 302
    assert "Hidden events" in browser.get(reverse("organise")).content.decode()
    for page in (reverse("tournament", args=[slug]), details):
        for reader, offered in ((Client(), False), (browser, True)):
            answer = reader.get(page, follow=True)
            if answer.status_code == 404:
                assert "This event is hidden" in answer.content.decode()
                assert ("/bring-back/" in answer.content.decode()) is offered
    assert browser.send(page, "/bring-back/").status_code == 303
    assert Client().get(reverse("tournament", args=[slug])).status_code == 200


def test_delete_says_what_goes_and_is_pressed_twice(browser: Browser, planned: Event) -> None:
    page = reverse("organise-delete", args=[planned.tournament.uid])
    assert page in browser.get(reverse("organise-edit", args=[planned.tournament.slug])).content.decode()
    assert "7 players with their details" in browser.get(page).content.decode()
    assert Tournament.objects.count() == 1
    sent = form_of(browser, page, "command")
    for _time in range(2):
        assert browser.post(page, sent)["Location"] == reverse("organise")
    assert not Tournament.objects.exists()


def test_event_that_was_played_is_not_offered_for_deletion(browser: Browser, organiser: User) -> None:
    made = event("tite-2022", players=4, user=organiser)
    add_stage(made, "heats", tables=1)
    recorded_heat(made)
    page = reverse("organise-delete", args=[made.tournament.uid])
    assert page not in browser.get(reverse("organise-edit", args=[made.tournament.slug])).content.decode()
    assert "cannot be deleted" in browser.get(page).content.decode()
    answer = browser.post(page, {"command": str(uuid4())})
    assert (answer.status_code, Tournament.objects.count()) == (422, 1)
    assert browser.post(page, {"command": "none"}).status_code in {400, 422}


def test_rehearsal_is_marked_on_every_page(browser: Browser, organiser: User) -> None:
    made = event("tite-2022", players=4, user=organiser, name="Cup", rehearsal=True)
    add_stage(made, "heats", tables=1)
    recorded_heat(made)
    slug, marked = made.tournament.slug, '<div class="rehearsal" role="note">'
    public = [
        reverse("tournament", args=[slug]),
        reverse("stage", args=[slug, made.stage.uid]),
        reverse("entry", args=[slug, made.entries[0].uid]),
    ]
    own = [
        *(
            reverse(f"organise-{name}", args=[slug])
            for name in ("board", "edit", "copy", "players", "roles", "ledger")
        ),
        reverse("organise-stage", args=[made.stage.uid]),
        reverse("organise-seats", args=[made.stage.uid]),
        reverse("table", args=[made.table.uid]),
        reverse("table-players", args=[made.table.uid]),
    ]
    for page in public:
        assert marked in Client().get(page).content.decode(), page
    for page in own:
        assert marked in browser.get(page).content.decode(), page
    for page in (reverse("organise"), reverse("desk")):
        html = browser.get(page).content.decode()
        assert marked not in html
        assert re.search(r'status--warn"[^>]*>\s*Rehearsal', html), page
    assert "Cup" not in Client().get(reverse("tournaments")).content.decode()


def test_first_sheet_of_a_rehearsals_workbook_says_so(browser: Browser, organiser: User) -> None:
    for rehearsal in (True, False):
        made = event(user=organiser, name="Cup", rehearsal=rehearsal)
        answer = browser.get(reverse("workbook", args=[made.tournament.slug]))
        book = load_workbook(BytesIO(answer.getvalue()), read_only=True)
        said = {cell for row in book.worksheets[0].iter_rows(values_only=True) for cell in row}
        assert ("Rehearsal: Nothing here is official." in said) == rehearsal


def test_real_event_is_not_marked(browser: Browser, planned: Event) -> None:
    for page in ("organise-board", "tournament"):
        html = browser.get(reverse(page, args=[planned.tournament.slug])).content.decode()
        assert 'class="rehearsal"' not in html


def test_details_of_a_rehearsal_do_not_ask_whether_it_is_listed(browser: Browser, organiser: User) -> None:
    made = event(user=organiser, name="Cup", rehearsal=True)
    page = reverse("organise-edit", args=[made.tournament.slug])
    assert "listed" not in form_of(browser, page)
    assert browser.send(page, "/edit/", name="Other").status_code == 303
    made.tournament.refresh_from_db()
    assert (made.tournament.name, made.tournament.listed) == ("Other", False)


def test_rehearsal_offers_no_duplicates_of_the_players_it_copied(browser: Browser, planned: Event) -> None:
    made = rehearse(browser, planned)
    assert browser.get(reverse("organise-duplicates", args=[made.slug])).context["pairs"] == []
