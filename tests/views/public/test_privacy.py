"""Details of a player that only organisers see: birth date, contact and the name behind a nickname."""

import logging
import re
from collections.abc import Iterator
from datetime import date
from io import BytesIO, StringIO
from uuid import uuid4
from zipfile import ZipFile

import pytest
from django.db import IntegrityError
from django.test import Client
from django.urls import reverse
from django.utils import translation

from tests.support.crawler import guesses
from tests.support.factories import Event, add_stage, event, recorded_heat
from tournament import actions
from tournament.models import Entry
from tournament.settings import EXTRAS

pytestmark = pytest.mark.django_db

LINK = re.compile(r'(?:href|action|src)="(/[^"#?]*)')
DETAILED = "refused\nDETAIL:  Failing row contains (1, Secretname 0, 1987-07-14)."  # as PostgreSQL says it
SECRET = ("Secretname", "secret@example", "1987")
BEHIND_SIGN_IN = re.compile(r"/../(organise|desk|sign-in|admin|sign-out)|/static/|/admin/")


def secretive() -> Event:
    """Heats, one played, with somebody who left; everybody has a nickname and every detail."""
    made = event("tite-2022")
    players = [
        {
            "entry": uuid4(),
            "name": f"Nick {number}",
            "real_name": f"Secretname {number}",
            "birth_date": date(1987, 7, 14),
            "contact": f"secret@example{number}",
            "guardian": True,
        }
        for number in range(6)
    ]
    made.act(actions.enter_players, players=players)
    made.entries = list(Entry.objects.filter(tournament=made.tournament))
    add_stage(made, "heats", tables=2)
    recorded_heat(made)
    made.act(actions.player_leaves, entry=made.uids[1])
    made.act(actions.no_show, entries=[made.uids[3]])
    return made


@pytest.fixture
def log() -> Iterator[StringIO]:
    """All that the log's handler writes by the product's filters and formatter."""
    said = StringIO()
    ours = next(each for each in logging.getLogger().handlers if type(each) is logging.StreamHandler)
    copy = logging.StreamHandler(said)
    copy.setFormatter(ours.formatter)
    copy.filters = list(ours.filters)
    root, level = logging.getLogger(), logging.getLogger().level
    root.addHandler(copy)
    root.setLevel(logging.INFO)
    yield said
    root.removeHandler(copy)
    root.setLevel(level)


def text_in(content: bytes) -> str:
    """The text of a page, or of every part of a workbook."""
    if content[:2] != b"PK":
        return content.decode()
    with ZipFile(BytesIO(content)) as book:
        return "".join(book.read(name).decode() for name in book.namelist())


def addresses_from(*starts: str) -> dict[str, str]:
    """Every address that links lead to from these, for somebody who is not signed in, with its text."""
    seen: dict[str, str] = {}
    coming = set(starts)
    with translation.override("en"):  # pages in other languages are among them, and leave theirs behind
        while coming:
            path = coming.pop()
            answer = Client().get(path, follow=True)
            content = answer.getvalue()
            seen[path] = text_in(content) if answer.status_code == 200 else ""
            found = set(LINK.findall(seen[path])) - seen.keys()
            coming |= {link for link in found if not BEHIND_SIGN_IN.match(link)}
    return seen


@pytest.mark.sweep
def test_no_public_address_tells_what_is_never_shown() -> None:
    made = secretive()
    page, book = f"/en/t/{made.tournament.slug}/", f"/fi/t/{made.tournament.slug}/results.xlsx"
    data = f"/en/t/{made.tournament.slug}/data.xlsx" if "workbook" in EXTRAS else book
    seen = addresses_from("/en/", page, book, data, f"/j/{made.tournament.slug}/", f"/b/{made.uids[0]}/")
    assert len([path for path in seen if "/player/" in path]) >= 6
    assert "Nick 0" in seen[page]
    assert "Nick 0" in seen[book]
    assert "Nick 0" in seen[data]
    assert [(path, secret) for path, text in seen.items() for secret in SECRET if secret in text] == []


def test_ledger_keeps_no_details_of_people() -> None:
    made = secretive()
    kept = str(list(made.tournament.ledger.values_list("payload", flat=True)))
    assert not [secret for secret in (*SECRET, "Nick") if secret in kept]


@pytest.mark.sweep
def test_no_name_contact_or_birth_date_is_in_the_log(log: StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    made = secretive()
    client = Client(raise_request_exception=False)
    client.force_login(made.user)
    slug, entry = made.tournament.slug, made.uids[0]
    values: dict[str, list[object]] = {
        "slug": [slug],
        "entry": [entry],
        "stage": [made.stage.uid],
        "table": [made.table.uid],
        "what": ["remove"],
    }
    asked = [path for path in guesses(["en"], **values) if "/organise/" in path and "/print/" not in path]
    answers = [client.get(path) for path in asked if not path.endswith((".xlsx", ".zip", "/archive/"))]
    seen = [answer.content.decode() for answer in answers if answer["Content-Type"].startswith("text/html")]
    assert sum("Secretname 0" in text for text in seen) >= 3
    client.get(reverse("organise-players", args=[slug]), {"q": "Secretname 0"})
    changed = {
        "public_name": "Nick 0",
        "real_name": "Secretname 0",
        "contact": "secret@example0",
        "start_number": "x",
    }
    changed["birth_date"] = "14.7.1987"
    client.post(reverse("organise-player", args=[entry]), changed)  # refused
    Client(enforce_csrf_checks=True).post(reverse("join", args=[slug]), changed)
    Client().post(reverse("sign-in"), {"username": "Secretname 0", "password": "secret@example0"})

    def fails(*_: object, **__: object) -> None:
        raise IntegrityError(DETAILED)

    monkeypatch.setattr(actions, "erase_person", fails)
    broken = client.post(reverse("organise-player-erase", args=[entry]), {"command": str(uuid4())})
    assert broken.status_code == 500
    said = log.getvalue()
    assert "IntegrityError: refused" in said
    assert [secret for secret in (*SECRET, "Nick 0") if secret in said] == []
