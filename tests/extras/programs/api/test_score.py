"""POST /api/v1/score: a sheet in, the answer out."""

import json
from pathlib import Path

import pytest
from django.core.cache import cache
from django.test import Client

from tests.support.pages import Answer
from tournament.extras.programs.api import base, score as scoring_view
from tournament.server.rate_limits import ScoreThrottle

ADDRESS = "/api/v1/score"
SHEETS = sorted((Path(__file__).parents[4] / "fixtures" / "sheets").glob("*.json"))


@pytest.fixture(autouse=True)
def _fresh_throttle() -> None:
    cache.clear()


def post(client: Client, body: bytes | str, content_type: str = "application/json") -> Answer:
    return client.post(ADDRESS, body, content_type=content_type)


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_golden_sheets_give_their_answers(client: Client, path: Path) -> None:
    golden = json.loads(path.read_text())
    response = post(client, json.dumps(golden["sheet"]))
    answer = json.loads(response.content)
    if "errors" in golden["answer"]:
        assert response.status_code == 422
        found = {error["code"] for error in answer["errors"]}
        assert found == {error["code"] for error in golden["answer"]["errors"]}
        assert all(error["message"] for error in answer["errors"])
    else:
        assert (response.status_code, answer) == (200, golden["answer"])


def test_documented_shape_fits_every_golden_sheet_that_scores() -> None:
    import jsonschema_rs

    shape = jsonschema_rs.validator_for(scoring_view.SHEET)
    golden = [json.loads(path.read_text()) for path in SHEETS]
    assert [
        each["sheet"]
        for each in golden
        if "errors" not in each["answer"] and not shape.is_valid(each["sheet"])
    ] == []


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff\xfe",
        b'{"sheet": NaN}',
        b'{"sheet":1,"sheet":1}',
        b"[" * 100_000,
        b'{"sheet":1,"kind":"match","ruleset":"mattel-108","settings":{"target":500},"rounds":[],'
        b'"players":[{"id":"\\ud800","name":"A"},{"id":"b","name":"B"}]}',
    ],
    ids=["nothing", "cut", "list", "null", "no text", "NaN", "twice", "deep", "half a letter"],
)
def test_what_is_no_sheet_is_malformed(client: Client, body: bytes) -> None:
    response = post(client, body)
    assert response.status_code == 422
    assert json.loads(response.content)["errors"][0]["code"] == "malformed"


def test_type_of_the_body_does_not_matter(client: Client) -> None:
    assert post(client, b"{}", "text/plain").status_code == 422
    assert post(client, b"{}", "application/x-www-form-urlencoded").status_code == 422
    assert client.post(ADDRESS).status_code == 422


def test_body_has_a_limit(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "MOST_BYTES", 10)
    response = post(client, b" " * 11)
    assert response.status_code == 413
    assert json.loads(response.content)


def test_only_post_is_answered(client: Client) -> None:
    response = client.get(ADDRESS)
    assert response.status_code == 405
    assert response["Content-Type"] == "application/problem+json"


def test_one_address_is_slowed_down(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ScoreThrottle, "rate", "2/min")
    assert [post(client, b"{}").status_code for _ in range(3)] == [422, 422, 429]
    # A header of the client's own makes nobody somebody else.
    assert (
        client.post(
            ADDRESS, b"{}", content_type="application/json", headers={"x-forwarded-for": "1.2.3.4"}
        ).status_code
        == 429
    )


def test_a_sheet_of_more_players_than_an_event_has_is_not_scored(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scoring_view, "score", pytest.fail)
    players = [{"id": f"p{number}", "name": "A"} for number in range(20_000)]
    sheet = {"sheet": 1, "kind": "session", "ruleset": "kpgut-2016", "players": players, "games": []}
    answer = client.post("/api/v1/score", json.dumps(sheet), content_type="application/json")
    (error,) = answer.json()["errors"]
    assert (answer.status_code, error["code"], error["path"]) == (422, "too_many_at_once", "/players")
    assert error["message"] == "At most 10000 players at a time. Split the list."
