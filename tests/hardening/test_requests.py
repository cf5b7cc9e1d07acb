"""Requests that are no requests: what is handed out, what is read, what stands in the log."""

import pytest
from django.test import Client


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
    said = [record.getMessage() for record in caplog.records]
    assert any("forged" in line for line in said)
    assert not any("\n" in line for line in said)
