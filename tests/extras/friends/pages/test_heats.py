"""Heats as friends enter them."""

from django.test import Client

from tests.extras.friends.browser import start


def test_heats_name_who_goes_through(client: Client) -> None:
    page = start(client, "tite-2022.heats", "A\nB\nC\nD\nE", advance="1")
    page = page.send("save", row=0, **{"sat-p1": "1", "sat-p2": "sat", "sat-p3": "removed", "advance": "1"})
    assert page.status == 200
    assert "Through" in page.text
    assert 'name="sat-p1"' not in page.text  # sits in one heat only
    page = page.send("save", row=1, **{"sat-p4": "sat", "sat-p5": "sat"})
    assert (page.status, "Name everyone who goes through" in page.text) == (422, True)
    page = page.send("save", row=1, **{"sat-p4": "2", "sat-p5": "2"})
    assert (page.status, "cannot have the same number, 2." in page.text) == (422, True)
    page = page.send("edit:0")
    assert 'name="sat-p1"' in page.text
