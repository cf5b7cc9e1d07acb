"""Actions that make a whole event, or a person: planned, copied, from a sheet, from an archive, by an invite."""

import json
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any
from uuid import uuid4

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from tests.support.recording import found
from tests.support.recording.texts import text_of
from tournament import actions
from tournament.links import token_for
from tournament.models import Tournament

PLAN: dict[str, Any] = {
    "name": "Club night",
    "starts_on": "2026-06-01",
    "organiser_name": "Club",
    "ruleset": "tite-2022",
    "stages": [{"kind": "heats", "settings": {"advance": 2}}, {"kind": "final", "settings": {"target": 300}}],
}
COPY = {"name": "Club night II", "starts_on": "2027-05-08", "players": True, "roles": True}
SHEETS = "fixtures/sheets"


def cases() -> Iterator[tuple[str, str, Any]]:
    """The action, how it is asked, and a function that gives the answer as text."""
    for how, body in (("accepted", PLAN), ("refused", {**PLAN, "ruleset": "chess", "name": ""})):
        yield "plan_event", how, lambda body=body: _sent("plan_event", body)
    for how, body in (("accepted", COPY), ("refused", {})):
        yield "copy_event", how, lambda body=body: _sent("copy_event", body)
    for how, name in (("accepted", "Spring"), ("refused", "")):
        yield "create_tournament", how, lambda name=name: _created(name)
    for how, name in (("accepted", "Ada"), ("refused", "")):
        yield "accept_invite", how, lambda name=name: _invited(name)
    for file in sorted((found.ROOT / SHEETS).glob("*.json")):
        yield "found_event", f"sheet {file.stem}", lambda file=file: _founded(file.read_text())
        yield "found_event", f"scored {file.stem}", lambda file=file: _scored(file.read_text())
    archive = (found.ROOT / "fixtures" / "archive" / "tite-1.zip").read_bytes()
    for how, content in (("accepted", archive), ("refused", archive[:-100])):
        yield "import_event", how, lambda content=content: _imported(content)
    yield "add_webhook", "accepted", _webhook
    yield "register", "accepted", lambda: _registered("New")
    yield "register", "refused", lambda: _registered("")


def _factories() -> Any:
    return found.module(r"class UserFactory\(")


def _sent(action: str, body: dict[str, Any]) -> str:
    sending = found.module(r"def send\(\n    client: Client")
    return text_of(sending.send(Client(), _factories().event(players=3), action, body))


def _created(name: str) -> str:
    command = actions.Command(uuid4(), _factories().StaffFactory())
    more = {"name": name, "starts_on": date(2026, 5, 9), "ruleset": "tite-2022", "organiser_name": "Club"}
    return repr(actions.create_tournament(command, uuid4(), **more))


def _invited(name: str) -> str:
    made, invite = _factories().event(), uuid4()
    until = timezone.now() + timedelta(hours=3)
    made.act(actions.create_invite, invite=invite, role="table_referee", expires_at=until)
    return text_of(
        Client().post(f"/en/i/{token_for('invite', invite)}/", {"name": name, "command": str(uuid4())})
    )


def _founded(sheet: str) -> str:
    said = {"do": "event", "sheet": sheet, "event": str(uuid4()), "name": "Ours"}
    return text_of(Client().post("/en/score/", said))


def _scored(sheet: str) -> str:
    client = Client()
    answer = client.post("/api/v1/score", json.dumps(json.loads(sheet)), content_type="application/json")
    return f"{text_of(answer)}\n{text_of(client.post('/en/score/', {'do': 'show', 'sheet': sheet}))}"


def _imported(content: bytes) -> str:
    client = Client()
    client.force_login(_factories().StaffFactory())
    answer = ""
    for _time in range(2):
        file = SimpleUploadedFile("event.zip", content, "application/zip")
        answer += (
            text_of(client.post("/en/organise/import-archive/", {"file": file, "command": str(uuid4())}))
            + "\n"
        )
    return answer


def _webhook() -> str:
    made = _factories().event()
    more = {"address": "https://a.example/", "kinds": ["results", "stages"]}
    return repr(made.act(actions.add_webhook, webhook=uuid4(), **more))


def _registered(name: str) -> str:
    arriving = found.module(r"def by_link\(")
    made = arriving.opened()
    arriving.registered(made, name)
    return str(
        list(Tournament.objects.get(pk=made.tournament.pk).entries.values_list("public_name", "state"))
    )
