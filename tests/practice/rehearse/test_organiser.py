"""The organiser's side of a rehearsal, against a server that answers as it is told."""

import pytest

from tournament.practice.rehearse.organiser import Address, Impossible, number_of_parts


def test_addresses() -> None:
    assert Address.of("http://localhost:8000").url == "http://127.0.0.1:8000"
    assert Address.of("https://play.example") == Address("play.example", 443, tls=True)
    with pytest.raises(Impossible):
        Address.of("play.example")


def test_parts_of_a_page_are_counted() -> None:
    stage = "6f1c7f0e-6f0d-4b52-9c4e-0a4d2f5b8a11"
    assert number_of_parts(b"no links") == 1
    assert (
        number_of_parts(f'<a href="/en/t/x/stage/{stage}/2/"><a href="/en/t/x/stage/{stage}/10/">'.encode())
        == 10
    )
