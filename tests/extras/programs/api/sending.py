"""Commands as a program sends them: the arguments of an action, taken apart into address, headers and body."""

import json
import re
from collections.abc import Mapping
from typing import Any
from uuid import UUID, uuid4

from django.core.serializers.json import DjangoJSONEncoder
from django.test import Client

from tests.extras.programs.api.championship import token_for
from tests.support.factories import Event
from tournament.extras.programs.api.bodies import NewPlayer
from tournament.extras.programs.api.writes import commands
from tournament.extras.programs.api.writing import body_of
from tournament.models import LedgerRow, User

BY_ACTION = {each.action: each for each in commands() if each.method != "PATCH"}


def send(
    client: Client,
    made: Event,
    action: str,
    arguments: dict[str, Any],
    *,
    key: UUID | str | None = None,
    user: User | None = None,
    secret: str = "",
    headers: Mapping[str, str] | None = None,
    method: str = "",
) -> Any:
    """The answer to the action with these arguments, under the names of the document, from the organiser
    unless another user is named. What edits is sent as PATCH, whatever the version is."""
    write = BY_ACTION[action]
    body = dict(arguments)
    address = write.path
    for name in re.findall(r"<uuid:(\w+)>", address):
        value = made.tournament.uid if name == "tournament" else body.pop(name)
        address = address.replace(f"<uuid:{name}>", str(value))
    secret = secret or token_for(user or made.user)
    sent = {"authorization": f"Bearer {secret}", "idempotency-key": str(key or uuid4())}
    if "version" in body:
        sent["if-match"] = f'"{body.pop("version")}.organiser"'
    elif write.edits:
        sent["if-match"] = "*"
    sent |= headers or {}
    body = as_documented(body_of(write).fields, body)
    said = json.dumps(body, cls=DjangoJSONEncoder) if body else ""
    method = method or ("PATCH" if write.edits else write.method)
    return client.generic(method, f"/api/v1/{address}", said, content_type="application/json", headers=sent)


def as_documented(fields: Mapping[str, Any], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments of an action by the names of a body's members."""
    names = {field.source: name for name, field in fields.items()}
    rows = {name for name, field in fields.items() if isinstance(getattr(field, "child", None), NewPlayer)}
    body = {names.get(argument, argument): value for argument, value in arguments.items()}
    return body | {
        name: [as_documented(NewPlayer().fields, row) for row in body[name]] for name in rows & body.keys()
    }


def read(response: Any) -> Any:
    return json.loads(response.content)


def a_round(made: Event, number: int = 1, cards: int = 1) -> dict[str, Any]:
    first, *others = made.at(made.table)
    hands = {str(uid): {"7": cards} for uid in others}
    return {"table": made.table.uid, "number": number, "winner": first, "hands": hands}


def correction(made: Event, play: UUID, cards: int = 2) -> dict[str, Any]:
    entered = a_round(made, cards=cards)
    return {"play": play, "reason": "misread", "winner": entered["winner"], "hands": entered["hands"]}


def codes(response: Any) -> list[tuple[str, str]]:
    return [(error["code"], error["path"]) for error in read(response).get("errors", [])]


def rows() -> int:
    return LedgerRow.objects.count()
