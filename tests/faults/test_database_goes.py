"""The database goes in the middle of a request, at each statement in turn: the answer is 503 or what it would have
been, never a 500 or a refusal of what was sent; and what is sent again is there once."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import OperationalError, connection
from django.urls import reverse

from tests.depth import FULL
from tests.support.arriving import token_of
from tests.support.factories import Event, access_token, recorded_round, running_match
from tests.views.organiser.conftest import Browser, Forms
from tournament.ledger.verify import verify
from tournament.links import token_for
from tournament.models import LedgerRow, Tournament
from tournament.settings import EXTRAS

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both]

EVERY = 1 if FULL else 4  # each so many-th statement
MOST = 400  # statements of a request


class Gone:
    """Lets so many statements through; no later one gets an answer."""

    def __init__(self, after: int) -> None:
        self.left = after

    def __call__(self, execute: Any, *arguments: Any) -> Any:
        if not self.left:
            raise OperationalError("the database is gone")
        self.left -= 1
        return execute(*arguments)


def match() -> Event:
    made = running_match(players=4)
    recorded_round(made)
    return made


def page(name: str) -> Callable[[Event, Browser], Callable[[], Any]]:
    """A page that is only read."""

    def ask(made: Event, browser: Browser) -> Callable[[], Any]:
        addresses = {
            "own link": reverse("own", args=[token_of(made.uids[0])]),
            "print": reverse("organise-table-sheets", args=[made.stage.uid]),
            "board": reverse("organise-board", args=[made.tournament.slug]),
            "workbook": reverse("workbook", args=[made.tournament.slug]),
            "archive": reverse("organise-archive-file", args=[made.tournament.slug]) + "?people=everything",
            "standings": f"/api/v1/stages/{made.stage.uid}/standings",
            "stage": reverse("stage", args=[made.tournament.slug, made.stage.uid]),
            "administration": "/en/admin/tournament/play/",
        }
        return lambda: browser.get(addresses[name])

    return ask


def form(view: str, ending: str, **typed: str) -> Callable[[Event, Browser], Callable[[], Any]]:
    """A form of one of the stage's pages, sent as a person does and sent again with what it held."""

    def ask(made: Event, browser: Browser) -> Callable[[], Any]:
        address = reverse(view, args=[made.tournament.slug if view.endswith("screens") else made.stage.uid])
        forms = Forms(browser.get(address).content.decode()).forms
        found = next(
            one for one in forms if one["method"] == "post" and (one["action"] or address).endswith(ending)
        )
        return lambda: browser.post(found["action"] or address, found["data"] | typed)

    return ask


def by_program(made: Event, browser: Browser) -> Callable[[], Any]:
    _, token = access_token(made.user, "enter", made.tournament)
    winner, *others = made.at(made.table)
    headers = {"authorization": f"Bearer {token}", "idempotency-key": str(uuid4())}
    body = {"number": 2, "winner": str(winner), "hands": {str(uid): {"0": 1} for uid in others}}
    address = f"/api/v1/tables/{made.table.uid}/rounds"
    return lambda: browser.post(address, body, content_type="application/json", headers=headers)


def from_a_file(made: Event, browser: Browser) -> Callable[[], Any]:
    address = reverse("organise-results-import", args=[made.tournament.slug])
    content = browser.get(reverse("organise-results-template", args=[made.tournament.slug])).content
    return lambda: browser.post(address, {"file": SimpleUploadedFile("results.xlsx", content)})


def signing_in(made: Event, browser: Browser) -> Callable[[], Any]:
    made.user.set_password("an evening at the tables")
    made.user.save()
    browser.logout()
    typed = {"username": made.user.username, "password": "an evening at the tables"}
    return lambda: browser.post(reverse("sign-in"), typed)


def calling(made: Event, browser: Browser) -> Callable[[], Any]:
    token = token_for("table", made.table.uid, made.table.link_number)
    typed = {"command": str(uuid4()), "call": str(uuid4()), "kind": "help"}
    return lambda: browser.post(reverse("at-table-move", args=[token, "call"]), typed)


ASKED = {
    **{
        name: page(name)
        for name in ["own link", "print", "board", "workbook", "archive", "standings", "stage"]
    },
    "administration": page("administration"),
    "freeze": form("organise-stage", "/freeze/"),
    "a screen": form("organise-screens", "/screens/", name="Hall"),
    "a round by a program": by_program,
    **({"results from a file": from_a_file} if "imports" in EXTRAS else {}),
    "signing in": signing_in,
    "a call from the table": calling,
}


@pytest.mark.sweep
@pytest.mark.parametrize("name", ASKED)
def test_the_loss_of_the_database_at_any_statement_is_said(name: str) -> None:
    made = match()
    browser = Browser(raise_request_exception=False)
    browser.force_login(made.user)
    again = ASKED[name](made, browser)
    told = set()
    before = LedgerRow.objects.count()
    for statements in range(0, MOST, EVERY):
        browser.cookies.pop("messages", None)
        gone = Gone(statements)
        with connection.execute_wrapper(gone):
            answer = again()
        told.add(answer.status_code)
        if gone.left:  # more than it asks: it went through
            break
        if answer.status_code == 503:
            assert answer["Retry-After"]
    last = again().status_code
    assert last < 400
    assert told - {503} <= {last}
    assert 503 in told
    assert LedgerRow.objects.count() <= before + 1
    assert verify(Tournament.objects.get(pk=made.tournament.pk)) == []
