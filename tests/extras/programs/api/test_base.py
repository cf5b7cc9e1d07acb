"""Behaviour that every address shares; and every answer as a page in a browser."""

import csv
import json
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from tests.extras.programs.api.championship import token_for
from tests.support.factories import UserFactory, recorded_round, running_match
from tournament.models import Entry

pytestmark = pytest.mark.django_db


def test_unknown_address_is_a_problem(client: Client) -> None:
    response = client.get("/api/v1/nothing/here")
    assert response["Content-Type"] == "application/problem+json"
    assert json.loads(response.content) == {
        "type": "/api/v1/docs#not_found",
        "title": "Nothing here, or not for you to see.",
        "status": 404,
        "code": "not_found",
    }


@pytest.mark.parametrize(
    ("address", "meant"),
    [
        ("tournaments/", "/api/v1/tournaments"),
        ("stages/1//", "/api/v1/stages/1"),
        ("tournaments/club-night/standings", "/api/v1/stages/{stage}/standings"),
        ("stream/live", "/live/{scope}"),
        ("tournaments/club-night", "/api/v1/tournaments?slug=club-night"),
    ],
)
def test_wrong_address_names_the_one_that_was_meant(client: Client, address: str, meant: str) -> None:
    response = client.get(f"/api/v1/{address}")
    assert (response.status_code, response.json()["detail"]) == (404, f"Did you mean {meant}?")


def test_index_leads_to_every_address(client: Client) -> None:
    assert client.get("/api/v1")["Location"] == "/api/v1/"
    links = client.get("/api/v1/").json()
    made = running_match(players=2)
    for name in ("tournaments", "schema", "docs"):
        assert client.get(links[name]).status_code == 200
    assert links["standings"] == "http://testserver/api/v1/stages/{stage}/standings"
    assert links["live"] == "http://testserver/live/{scope}"
    standings = links["standings"].replace("{stage}", str(made.stage.uid))
    assert client.get(standings).status_code == 200
    page = client.get("/api/v1/", headers={"accept": "text/html"}).content.decode()
    assert f'<a href="{links["tournaments"]}">' in page
    assert f'<a href="{links["standings"]}">' not in page


@pytest.mark.parametrize(
    ("allowed", "answered"),
    [
        ({"*"}, "*"),
        ({"https://board.example"}, "https://board.example"),
        ({"https://other.example"}, None),
        ((), None),
    ],
    ids=["all", "this one", "another", "none"],
)
def test_page_of_another_site_reads_where_the_operator_allows_it(
    client: Client, settings: Any, allowed: Any, answered: str | None
) -> None:
    settings.CORS_ALLOW_ALL_ORIGINS = "*" in allowed
    settings.CORS_ALLOWED_ORIGINS = [each for each in allowed if each != "*"]
    origin = {"origin": "https://board.example"}
    read = client.get("/api/v1/tournaments", headers=origin)
    wrong = client.get("/api/v1/me", headers=origin)
    asked = client.options(
        "/api/v1/tournaments",
        headers={
            **origin,
            "access-control-request-method": "GET",
            "access-control-request-headers": "authorization",
        },
    )
    assert [each.status_code for each in (read, wrong, asked)] == [200, 401, 200]
    for each in (read, wrong, asked):
        assert each.get("Access-Control-Allow-Origin") == answered
        assert "Access-Control-Allow-Credentials" not in each
        assert "origin" in each["Vary"]
    page = client.get("/en/", headers=origin)
    assert "Access-Control-Allow-Origin" not in page
    if answered:
        methods, headers = (asked[f"Access-Control-Allow-{name}"] for name in ("Methods", "Headers"))
        assert (methods, "authorization" in headers) == ("GET, HEAD, OPTIONS", True)
        assert "idempotency-key" not in headers  # without it no command is carried out
        assert "RateLimit-Remaining" in read["Access-Control-Expose-Headers"]


def test_options_say_what_an_address_takes(client: Client) -> None:
    made = running_match(players=2)
    response = client.options(f"/api/v1/tournaments/{made.tournament.uid}")
    assert response.status_code == 200
    assert {"GET", "PUT", "OPTIONS"} <= {each.strip() for each in response["Allow"].split(",")}
    assert {"GET", "PUT", "OPTIONS"} <= set(response.json()["methods"])


def test_nothing_can_be_read_where_commands_are_sent(client: Client) -> None:
    made = running_match(players=2)
    address = f"/api/v1/tournaments/{made.tournament.uid}/copies"
    assert [client.get(address).status_code, client.post(address).status_code] == [405, 401]


def test_an_address_without_that_method_names_the_one_that_has_it(client: Client) -> None:
    made = running_match(players=2)
    entry, play = made.entries[0].uid, uuid4()
    client.force_login(made.user)
    for method, address, meant in (
        ("delete", f"entries/{entry}", "DELETE /api/v1/tournaments/{tournament}/entries/{entry}"),
        ("put", f"plays/{play}", "PUT /api/v1/plays/{play}/round"),
        ("delete", f"tournaments/{made.tournament.uid}/ledger", ""),
    ):
        answer = getattr(client, method)(f"/api/v1/{address}")
        assert answer.status_code == 405
        assert "GET" in answer["Allow"]
        assert meant in answer.json().get("detail", "")


def test_every_answer_says_how_many_requests_are_left(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tournament.server.rate_limits import ApiThrottle

    monkeypatch.setattr(ApiThrottle, "rate", "2/min")
    answers = [client.get("/api/v1/tournaments") for _ in range(3)]
    assert [each.status_code for each in answers] == [200, 200, 429]
    assert [each["RateLimit-Remaining"] for each in answers] == ["1", "0", "0"]
    assert {each["RateLimit-Limit"] for each in answers} == {"2"}
    assert 0 < int(answers[2]["RateLimit-Reset"]) <= 60


def test_one_token_is_slowed_down_and_no_other(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    from tournament.server.rate_limits import ApiThrottle

    monkeypatch.setattr(ApiThrottle, "rate", "2/min")
    busy, calm = token_for(UserFactory()), token_for(UserFactory())

    def ask(secret: str) -> Any:
        return client.get("/api/v1/nothing", headers={"authorization": f"Bearer {secret}"})

    assert [ask(busy).status_code for _ in range(3)] == [404, 404, 429]
    assert int(ask(busy)["Retry-After"]) <= 60
    assert ask(calm).status_code == 404


def test_browser_gets_an_answer_as_a_page_with_links(client: Client) -> None:
    made = running_match(players=2)
    play = recorded_round(made)
    browser = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    said = client.get(f"/api/v1/stages/{made.stage.uid}/plays", headers=browser).content.decode()
    assert f'<a href="/api/v1/plays/{play}">{play}</a>' in said
    assert f'<a href="/api/v1/tables/{made.table.uid}">' in said
    stage = client.get(f"/api/v1/stages/{made.stage.uid}", headers=browser).content.decode()
    assert f'href="/api/v1/stages/{made.stage.uid}/standings"' in stage
    missing = client.get(f"/api/v1/stages/{uuid4()}", headers=browser)
    assert (missing.status_code, missing["Content-Type"]) == (404, "text/html; charset=utf-8")


def test_page_escapes_what_people_wrote(client: Client) -> None:
    made = running_match(players=2)
    made.tournament.name = "<script>alert(1)</script>"
    made.tournament.save(update_fields=["name"])
    address = f"/api/v1/tournaments/{made.tournament.uid}"
    said = client.get(address, headers={"accept": "text/html"}).content.decode()
    assert "<script>alert" not in said
    assert "&lt;script&gt;alert" in said


def test_page_and_json_have_etags_of_their_own(client: Client) -> None:
    made = running_match(players=2)
    address = f"/api/v1/stages/{made.stage.uid}"
    page, data = client.get(address, headers={"accept": "text/html"}), client.get(address)
    assert page["ETag"] != data["ETag"]
    assert client.get(address, headers={"if-none-match": page["ETag"]}).status_code == 200


def test_format_in_the_address_decides(client: Client) -> None:
    entries = f"/api/v1/tournaments/{running_match(players=2).tournament.uid}/entries"
    for accept in ("application/json", "text/html", "image/png"):
        answer = client.get(f"{entries}?format=csv", headers={"accept": accept})
        assert (answer.status_code, answer["Content-Type"]) == (200, "text/csv; charset=utf-8")
    wrong = client.get(f"{entries.rpartition('/')[0]}?format=csv")
    (error,) = wrong.json()["errors"]
    assert (wrong.status_code, error["code"], error["path"]) == (400, "field_invalid_choice", "/format")
    assert error["message"] == "This address has these formats: json, html."


def test_lists_and_standings_are_csv_where_asked(client: Client) -> None:
    made = running_match(players=3)
    Entry.objects.filter(pk=made.entries[0].pk).update(public_name="=Aino, “A”")
    recorded_round(made)
    entries = f"/api/v1/tournaments/{made.tournament.uid}/entries"
    response = client.get(f"{entries}?format=csv&limit=2")
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    rows = list(csv.DictReader(response.content.decode().splitlines()))
    assert [(row["public_name"], row["start_number"], row["club"]) for row in rows] == [
        ("'=Aino, “A”", "1", ""),
        ("Börje", "2", ""),
    ]
    beyond = response["Link"].removeprefix("<").removesuffix('>; rel="next"')
    assert client.get(beyond).content.decode().count("Cécile") >= 1
    asked = {"accept": "text/csv"}
    standings = client.get(f"/api/v1/stages/{made.stage.uid}/standings", headers=asked)
    first = next(csv.DictReader(standings.content.decode().splitlines()))
    assert (first["public_name"], first["place"]) == ("'=Aino, “A”", "1")
    problem = client.get(f"{entries}?offset=2", headers=asked)
    assert (problem.status_code, problem["Content-Type"]) == (400, "application/problem+json")
    assert problem.json()["code"] == "malformed"


def test_signed_in_browser_needs_the_csrf_token_to_write() -> None:
    """The session's own check comes before anything is looked for."""
    from rest_framework.authentication import SessionAuthentication
    from rest_framework.exceptions import PermissionDenied
    from rest_framework.request import Request
    from rest_framework.test import APIRequestFactory

    request = APIRequestFactory(enforce_csrf_checks=True).post("/api/v1/score")
    request.user = UserFactory()
    with pytest.raises(PermissionDenied, match="CSRF"):
        SessionAuthentication().authenticate(Request(request))
