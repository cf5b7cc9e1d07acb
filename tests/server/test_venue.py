"""Which address a QR code holds: one that phones can reach."""

import pytest
from django.test import RequestFactory
from pytest_django import Settings

from tournament.server import venue

NETWORK = "10.0.0.7"


@pytest.fixture(autouse=True)
def network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(venue, "network_address", lambda: NETWORK)


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("uno.example", "http://uno.example/j/x/"),
        ("uno.example:8000", "http://uno.example:8000/j/x/"),
        ("192.168.1.5:8000", "http://192.168.1.5:8000/j/x/"),
        ("127.0.0.1:8000", f"http://{NETWORK}:8000/j/x/"),
        ("localhost:8000", f"http://{NETWORK}:8000/j/x/"),
        ("localhost", f"http://{NETWORK}/j/x/"),
        ("[::1]:8000", f"http://{NETWORK}:8000/j/x/"),
        ("[fe80::1]:8000", "http://[fe80::1]:8000/j/x/"),
        ("[fe80::1]", "http://[fe80::1]/j/x/"),
    ],
)
def test_address_is_one_that_phones_reach(host: str, address: str) -> None:
    request = RequestFactory().get("/", headers={"host": host})
    assert venue.public_address(request, "/j/x/") == address


def test_public_url_goes_before_everything(settings: Settings) -> None:
    settings.PUBLIC_URL = "https://uno.example"
    request = RequestFactory().get("/", headers={"host": "127.0.0.1:8000"})
    assert venue.public_address(request, "/j/x/") == "https://uno.example/j/x/"


def test_without_a_network_the_loopback_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(venue, "network_address", lambda: None)
    request = RequestFactory().get("/", headers={"host": "127.0.0.1:8000"})
    assert venue.public_address(request) == "http://127.0.0.1:8000"


def test_qr_code_is_an_image_without_a_size() -> None:
    svg = venue.qr_svg("https://uno.example/")
    assert svg.startswith("<svg")
    assert "style=" not in svg
    assert " width=" not in svg.partition(">")[0]
