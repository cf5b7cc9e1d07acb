"""Score sheets that become events."""

import json
from datetime import date
from typing import Any
from uuid import UUID, uuid4

from tournament.extras.friends import actions as founding
from tournament.models import Tournament


def anonymous(answer: Any, names: dict[str, str]) -> Any:
    """An answer with names instead of ids."""
    text = json.dumps(answer.as_json())
    for player, name in names.items():
        text = text.replace(f'"{player}"', f'"{name}"')
    return json.loads(text)


def found(sheet: dict[str, Any], form: UUID | None = None, **more: Any) -> Tournament:
    """The event that is made of this sheet for a guest."""
    usual = {"name": "Ours", "guest_name": "A guest", "starts_on": date(2026, 5, 9), "language": "en"}
    asked = {"user": None, "reason": "as on the sheet", **usual, **more}
    founded = founding.found_event(form or uuid4(), sheet, **asked)
    return Tournament.objects.get(uid=founded.tournament)
