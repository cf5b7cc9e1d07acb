"""Lists are narrowed by filters and divided into pages."""

import json
from typing import Any

import pytest
from django.test import Client

from tests.api.asking import read
from tests.support.factories import event, recorded_heat, running_heats
from tournament.models import Play

pytestmark = pytest.mark.django_db


def test_list_is_narrowed_and_divided(client: Client) -> None:
    made = event(players=5)
    address = f"tournaments/{made.tournament.uid}/entries"
    first = read(client, address, limit=2)
    assert (first["count"], len(first["results"]), first["previous"]) == (5, 2, None)
    second = json.loads(client.get(first["next"]).content)
    assert [row["start_number"] for row in second["results"]] == [3, 4]
    assert [row["public_name"] for row in read(client, address, name="aino")["results"]] == ["Aino"]
    assert read(client, address, start_number=4)["count"] == 1


@pytest.mark.parametrize(
    ("address", "path"),
    [
        ("tournaments?limit=0", "/limit"),
        ("tournaments?limit=501", "/limit"),
        ("tournaments?offset=x", "/offset"),
        ("tournaments?starts_from=yesterday", "/starts_from"),
        ("tournaments?organiser=me", "/organiser"),
    ],
)
def test_what_is_no_filter_is_refused_at_its_place(client: Client, address: str, path: str) -> None:
    response = client.get(f"/api/v1/{address}")
    problem = json.loads(response.content)
    assert (response.status_code, problem["code"]) == (400, "malformed")
    assert [error["path"] for error in problem["errors"]] == [path]


def test_plays_are_narrowed(client: Client) -> None:
    made = running_heats(players=4, tables=2)
    first, second = recorded_heat(made, made.tables[0]), recorded_heat(made, made.tables[1])
    address = f"stages/{made.stage.uid}/plays"

    def found(**query: Any) -> list[str]:
        return [row["uid"] for row in read(client, address, **query)["results"]]

    assert found() == [str(first), str(second)]
    assert found(table=made.tables[1].uid) == [str(second)]
    assert found(entry=made.at(made.tables[0])[0]) == [str(first)]
    assert found(after=Play.objects.get(uid=first).version) == [str(second)]
    assert found(state="void") == []
