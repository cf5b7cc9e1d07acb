"""Commands that name existing rows, with any body that the OpenAPI document allows and some that it does not: no 500,
no answer that is not documented, and afterwards the facts are as the ledger says."""

from typing import Any
from uuid import uuid4

import pytest
from django.core.cache import cache
from hypothesis import HealthCheck, Phase, given, settings

from tests.depth import FULL, SOAK
from tests.extras.programs.api.championship import championship, everybody, uids_of
from tests.extras.programs.api.test_schema import OPERATIONS, _one_transaction, ask, described, naming  # noqa: F401 - the fixture is used by itself
from tournament.ledger.verify import verify
from tournament.models import Tournament
from tournament.server.rate_limits import ApiThrottle

WHO = {"organiser": 3, "table referee": 1, "head referee": 1, "anybody": 1, "other event's organiser": 1}
ALIKE = {"table referee", "anybody", "other event's organiser"}  # refused almost everywhere, and in few ways
EACH = 1 if FULL else 8  # of so many commands they send one


def with_rows(shape: Any, uids: list[str]) -> Any:
    """The schema, in which each uid of a body is one of these or somebody's."""
    if isinstance(shape, list):
        return [with_rows(each, uids) for each in shape]
    if not isinstance(shape, dict):
        return shape
    if shape.get("format") == "uuid" and "enum" not in shape:
        nothing = [None] if "null" in shape["type"] else []
        return {**shape, "enum": [*uids, str(uuid4()), *nothing]}
    return {name: with_rows(each, uids) for name, each in shape.items()}


@pytest.mark.sweep
@pytest.mark.sqlite
@pytest.mark.django_db
@pytest.mark.parametrize("who", WHO)
def test_commands_are_answered_as_documented(who: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ApiThrottle, "rate", "1000000/min")
    cache.clear()
    made = championship()
    uids = uids_of(made)
    document = naming(uids)
    bodies = {
        name: shape for name, shape in document["components"]["schemas"].items() if name.endswith("Request")
    }
    document["components"]["schemas"] |= with_rows(
        bodies, sorted(uid for each in uids.values() for uid in each)
    )
    headers = everybody(made).headers(who)
    commands = [each for each in described(document) if each.definition.raw["operationId"] in OPERATIONS]
    assert len(commands) == len(OPERATIONS)
    limits = settings(
        max_examples=WHO[who] * (60 if SOAK else 2 if FULL else 1),
        phases=[Phase.generate, *([Phase.shrink] if SOAK else [])],
        suppress_health_check=list(HealthCheck),
        derandomize=not SOAK,
        database=None,
        deadline=None,
    )
    for operation in commands[:: EACH if who in ALIKE else 1]:

        @limits
        @given(case=operation.as_strategy())
        def hold(case: Any) -> None:
            # A key is made for one command; two alike would only ever be refused.
            ask(case, {**headers, "Idempotency-Key": str(uuid4())})

        hold()
    for row in Tournament.objects.all():
        assert verify(row) == [], row.slug
