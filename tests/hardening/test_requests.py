"""Requests that are no requests: what is handed out, what is read, what stands in the log."""

import pytest
from django.test import Client, override_settings

from tests.support.factories import UserFactory, event
from tournament.models import Membership


@pytest.mark.parametrize(
    "address",
    [
        "/.git/config",
        "/.env",
        "/static/",
        "/static/..%2f..%2fpyproject.toml",
        "/en/.git/HEAD",
        "/var/secret-key",
    ],
    ids=["git", "env", "listing", "outside", "git-below", "key"],
)
@pytest.mark.django_db
def test_nothing_but_collected_files_is_handed_out(client: Client, address: str) -> None:
    assert client.get(address, follow=True).status_code == 404


@pytest.mark.django_db
def test_address_makes_no_line_of_its_own_in_the_log(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    assert client.get("/en/a%0a2026-01-01 INFO forged/").status_code == 404
    assert not any("forged" in record.getMessage() for record in caplog.records)


@pytest.mark.django_db
def test_a_form_that_cannot_be_read_is_refused_and_not_found_where_nothing_is() -> None:
    client = Client(enforce_csrf_checks=True)
    client.cookies["csrftoken"] = token = "x" * 32
    body = b"--b\r\n" + b"X: y\r\n" * 500 + b"\r\n\r\n--b--\r\n"
    answers = [
        client.generic("POST", path, body, "multipart/form-data; boundary=b", headers={"X-CSRFToken": token})
        for path in ("/en/score/", "/en/nothing/", "/*")
    ]
    assert [answer.status_code for answer in answers] == [400, 404, 404]


@pytest.mark.django_db
def test_who_is_refused_something_is_logged_by_their_id(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    made = event()
    referee = UserFactory(username="robin")
    Membership.objects.create(user=referee, tournament=made.tournament, role=Membership.Role.TABLE_REFEREE)
    client.get("/en/nothing/")
    client.force_login(referee)
    assert client.get(f"/en/organise/t/{made.tournament.slug}/").status_code == 403
    assert client.get(f"/en/organise/t/{event().tournament.slug}/").status_code == 404
    said = [each.getMessage() for each in caplog.records if each.name == "tournament.requests"]
    refused = [line for line in said if "refused" in line]
    assert [line.split(" ", 2)[2].split(" ")[0] for line in refused] == ["403,", "404,"]
    assert all(line.endswith(f"refused to {referee.uid}") for line in refused)
    assert not any("robin" in line for line in said)


@pytest.mark.django_db
def test_a_program_that_asks_by_http_is_refused_and_a_reader_led_on() -> None:
    with override_settings(SECURE_SSL_REDIRECT=True):
        client = Client()
        refused = client.get("/api/v1/tournaments")
        assert (refused.status_code, refused["Content-Type"]) == (403, "application/problem+json")
        assert refused.json()["detail"] == "https://testserver/api/v1/tournaments"
        assert "Location" not in refused
        assert client.get("/api/v1/tournaments", secure=True).status_code == 200
        for page in ("/en/", "/api/v1/docs"):
            assert client.get(page)["Location"] == f"https://testserver{page}"
