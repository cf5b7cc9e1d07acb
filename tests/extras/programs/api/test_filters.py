"""Lists are narrowed by filters, sorted, and divided into pages by cursors."""

import json
from typing import Any

import pytest
from django.test import Client

from tests.extras.programs.api.asking import ask, every_address, read
from tests.extras.programs.api.championship import People, uids_of
from tests.support.factories import Event, event, recorded_heat, recorded_round, running_heats, running_match
from tournament import actions
from tournament.models import Play

pytestmark = pytest.mark.django_db


def pages(client: Client, address: str | None, headers: dict[str, str], to: str = "next") -> list[Any]:
    """Read each page from this address on."""
    found = []
    while address:
        response = client.get(address, headers=headers)
        assert response.status_code == 200, response.content
        found.append(json.loads(response.content))
        address = found[-1][to]
    return found


def faults(client: Client, address: str) -> list[tuple[str, str]]:
    response = client.get(address)
    problem = json.loads(response.content)
    assert (response.status_code, response["Content-Type"], problem["code"]) == (
        400,
        "application/problem+json",
        "malformed",
    )
    return [(error["code"], error["path"]) for error in problem["errors"]]


def addresses(made: Event) -> list[str]:
    """Every address that can be read, with the first thing that it can name."""
    return every_address({name: uids[:1] for name, uids in uids_of(made).items()})


@pytest.mark.sweep
def test_every_list_is_the_same_page_by_page_in_both_directions(client: Client, people: People) -> None:
    headers, lists = people.headers("organiser"), 0
    for address in addresses(people.made):
        response = ask(client, address, headers)
        whole = json.loads(response.content)
        if response.status_code == 200 and whole.get("count"):
            lists += 1
            first = f"/api/v1/{address}?limit={max(1, whole['count'] // 3)}"
            forth = pages(client, first, headers)
            last = forth[-2]["next"] if len(forth) > 1 else first
            back = pages(client, last, headers, "previous")
            for found in (forth, back[::-1]):
                rows = [row for page in found for row in page["results"]]
                assert (rows, {page["count"] for page in found}) == (whole["results"], {len(rows)}), address
    assert lists > 10


def test_rows_that_come_and_go_move_no_others_to_another_page(client: Client) -> None:
    made = event(players=5)
    address = f"/api/v1/tournaments/{made.tournament.uid}/entries?limit=2"
    first = read(client, address.removeprefix("/api/v1/"))
    made.act(actions.withdraw_entry, entry=made.entries[0].uid)
    (second, third) = pages(client, first["next"], {})
    assert [row["start_number"] for row in second["results"]] == [3, 4]
    assert (third["count"], len(third["results"]), third["next"]) == (4, 1, None)


def test_no_play_is_lost_while_plays_are_corrected(client: Client) -> None:
    made = running_match(players=2)
    plays = [recorded_round(made) for _ in range(3)]
    address = f"stages/{made.stage.uid}/plays"
    before = Play.objects.get(uid=plays[0]).version - 1
    first = read(client, address, after=before, limit=1)
    assert [row["uid"] for row in first["results"]] == [str(plays[0])]
    first_again = Play.objects.get(uid=plays[1])
    made.act(actions.void_play, play=plays[1], version=first_again.version, reason="misdeal")
    rest = [row for page in pages(client, first["next"], {}) for row in page["results"]]
    assert [row["uid"] for row in rest] == [str(plays[2]), str(plays[1])]
    greatest = max(row["version"] for row in rest)
    assert read(client, address, after=greatest)["results"] == []
    assert [row["version"] for row in read(client, address, after=greatest - 1)["results"]] == [greatest]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"search": "AIN"}, ["Aino"]),
        ({"name": "börje"}, ["Börje"]),
        ({"start_number": 2}, ["Börje"]),
        ({"ordering": "-start_number"}, ["Cécile", "Börje", "Aino"]),
        ({"ordering": "-public_name", "limit": 1}, ["Cécile"]),
        ({"ordering": "public_name", "search": "r"}, ["Börje"]),
    ],
)
def test_entries_are_found_and_sorted(client: Client, query: dict[str, Any], found: list[str]) -> None:
    made = event(players=3)
    rows = read(client, f"tournaments/{made.tournament.uid}/entries", **query)["results"]
    assert [row["public_name"] for row in rows] == found


@pytest.mark.parametrize(
    ("query", "fault"),
    [
        ("limit=0", ("field_min_value", "/limit")),
        ("limit=501", ("field_max_value", "/limit")),
        ("limit=x", ("field_invalid", "/limit")),
        ("limit=2&limit=3", ("field_repeated", "/limit")),
        ("cursor=", ("field_invalid", "/cursor")),
        ("organiser=", ("field_invalid", "/organiser")),
        ("search=%20", ("field_invalid", "/search")),
        ("limit=", ("field_invalid", "/limit")),
        ("ordering=", ("field_invalid", "/ordering")),
        ("format=", ("field_invalid", "/format")),
        ("cursor=cD0y", ("field_invalid", "/cursor")),
        ("cursor=%00", ("field_null_characters_not_allowed", "/cursor")),
        ("cursor=%ff", ("field_invalid", "/cursor")),
        ("starts_from=yesterday", ("field_invalid", "/starts_from")),
        ("organiser=me", ("field_invalid", "/organiser")),
        ("ordering=fee", ("field_invalid_choice", "/ordering")),
        ("state=running&state=planned", ("field_repeated", "/state")),
    ],
)
def test_what_is_no_filter_is_refused_at_its_place(
    client: Client, query: str, fault: tuple[str, str]
) -> None:
    assert faults(client, f"/api/v1/tournaments?{query}") == [fault]


def test_a_cursor_is_for_its_own_list_and_order(client: Client) -> None:
    made = event(players=3)
    address = f"/api/v1/tournaments/{made.tournament.uid}/entries"
    following = json.loads(client.get(f"{address}?limit=1").content)["next"]
    cursor = following.replace("&limit=1", "").partition("?")[2]
    assert client.get(f"{address}?{cursor}").status_code == 200
    other = event(players=3)
    for wrong in (
        f"{address}?{cursor}&ordering=public_name",
        f"/api/v1/tournaments/{other.tournament.uid}/entries?{cursor}",
        f"{address}?{cursor[:-1]}",
    ):
        assert faults(client, wrong) == [("field_invalid", "/cursor")]


@pytest.mark.sweep
def test_every_address_refuses_unknown_parameters(client: Client, people: People) -> None:
    headers, refused = people.headers("organiser"), 0
    for address in addresses(people.made):
        if ask(client, address, headers, format="json").status_code == 200:
            response = ask(client, address, headers, offset=2)
            assert response.status_code == 400, address
            ((code, path, message),) = [
                (each["code"], each["path"], each["message"])
                for each in json.loads(response.content)["errors"]
            ]
            assert (code, path) == ("field_unknown", "/offset")
            assert ("cursor" in message) == ("count" in read(client, address, headers)), address
            refused += 1
    assert refused > 20
    assert ask(client, "nothing", offset=2).status_code == 404


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
