"""Actions that the cases of the interface leave out: whole events, and what links let their holders do."""

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
from tournament.actions import every
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
        sheet = json.loads(file.read_text())["sheet"]
        yield "found_event", f"made {file.stem}", lambda sheet=sheet: _founded(sheet)
        yield "found_event", f"scored {file.stem}", lambda sheet=sheet: _scored(sheet)
    archive = (found.ROOT / "fixtures" / "archive" / "tite-1.zip").read_bytes()
    for how, content in (("accepted", archive), ("refused", archive[:-100])):
        yield "import_event", how, lambda content=content: _imported(content)
    yield "add_webhook", "accepted", _webhook
    yield "register", "accepted", lambda: _registered("New")
    yield "register", "refused", lambda: _registered("")
    for action in ("call_at_table", "propose_result", "withdraw_proposal"):
        yield action, "accepted", lambda action=action: _at_table(action)
    for action in ("check_in_self", "come_back_self", "change_own_entry"):
        yield action, "accepted", lambda action=action: _own(action)


def _factories() -> Any:
    return found.module(r"class UserFactory\(")


def _sent(action: str, body: dict[str, Any]) -> str:
    sending = found.module(r"def send\(\n    client: Client")
    return text_of(sending.send(Client(), _factories().event(players=3), action, body))


def _created(name: str) -> str:
    command = actions.Command(uuid4(), _factories().StaffFactory())
    more: dict[str, Any] = {
        "name": name,
        "starts_on": date(2026, 5, 9),
        "ruleset": "tite-2022",
        "organiser_name": "Club",
    }
    return repr(actions.create_tournament(command, uuid4(), **more))


def _invited(name: str) -> str:
    made, invite = _factories().event(), uuid4()
    until = timezone.now() + timedelta(hours=3)
    made.act(actions.create_invite, invite=invite, role="table_referee", expires_at=until)
    return text_of(
        Client().post(f"/en/i/{token_for('invite', invite)}/", {"name": name, "command": str(uuid4())})
    )


def _founded(sheet: dict[str, Any]) -> str:
    said = {"do": "event", "sheet": json.dumps(sheet), "event": str(uuid4()), "name": "Ours"}
    return text_of(Client().post("/en/score/", said))


def _scored(sheet: dict[str, Any]) -> str:
    client = Client()
    answer = client.post("/api/v1/score", json.dumps(sheet), content_type="application/json")
    page = client.post("/en/score/", {"do": "show", "sheet": json.dumps(sheet)})
    return f"{text_of(answer)}\n{text_of(page)}"


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
    return repr(made.act(vars(every)["add_webhook"], webhook=uuid4(), **more))


def _registered(name: str) -> str:
    arriving = found.module(r"def by_link\(")
    made = arriving.opened()
    arriving.registered(made, name)
    return str(
        list(Tournament.objects.get(pk=made.tournament.pk).entries.values_list("public_name", "state"))
    )


def _at_table(action: str) -> str:
    arriving, made = found.module(r"def by_link\("), _factories().running_heats()
    here = {"token": token_for("table", made.table.uid)}
    if action == "call_at_table":
        return repr(arriving.by_link(made, actions.call_at_table, **here))
    proposal = uuid4()
    more = {"proposal": proposal, "play": uuid4(), "number": 1, "fields": {}}
    said = arriving.by_link(made, actions.propose_result, **here, **more)
    if action == "withdraw_proposal":
        said = arriving.by_link(made, actions.withdraw_proposal, **here, proposal=proposal)
    return repr(said)


def _own(action: str) -> str:
    arriving, now = found.module(r"def by_link\("), timezone.now()
    hour = timedelta(hours=1)
    made = arriving.opened(check_in_from=now - hour, check_in_until=now + hour)
    uid = arriving.registered(made, "Aino")
    if action == "come_back_self":
        arriving.own(made, actions.cancel_self, uid)
    more = {"public_name": "Other", "club": "Korpi"} if action == "change_own_entry" else {}
    return repr(arriving.own(made, getattr(actions, action), uid, **more))
