"""Lastcard on a phone's home screen and in a message: the manifest, the icons, the share picture."""

import json
import re
import struct
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from pytest_django import Settings

from tests.support.factories import event

pytestmark = pytest.mark.django_db

META = re.compile(r'<meta (?:property|name)="((?:og|twitter):[\w:]+|description)" content="([^"]*)">')
LARGEST = 40_000  # bytes of one picture


def _size(address: str) -> tuple[int, int]:
    """Width and height of a PNG among our static files."""
    found = finders.find(address.split("/static/", 1)[1])
    assert isinstance(found, str)
    content = Path(found).read_bytes()
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    assert len(content) < LARGEST
    width, height = struct.unpack(">II", content[16:24])
    return width, height


@pytest.mark.parametrize("language", ["en", "fi", "sv"])
def test_the_manifest_opens_the_app_in_its_own_language(client: Client, language: str) -> None:
    response = client.get(f"/{language}/manifest.webmanifest")
    assert response["Content-Type"] == "application/manifest+json"
    assert response["Cache-Control"] == "public, max-age=86400"
    said = json.loads(response.content)
    assert (said["lang"], said["start_url"], said["id"]) == (language, f"/{language}/", "/")
    assert said["display"] == "standalone"
    for icon in said["icons"]:
        side = int(icon["sizes"].partition("x")[0])
        assert _size(icon["src"]) == (side, side)
    assert {icon["purpose"] for icon in said["icons"]} == {"any", "maskable"}
    assert all(client.get(shortcut["url"]).status_code in {200, 302} for shortcut in said["shortcuts"])


def test_a_public_page_says_what_a_message_shows_of_a_link_to_it(client: Client, settings: Settings) -> None:
    name = 'The "Last" <Card> & more'
    row = event(name=name).tournament
    path = f"/en/t/{row.slug}/"
    settings.PUBLIC_URL, settings.PUBLISH = "https://uno.example", False
    page = client.get(path).content.decode()
    said = dict(META.findall(page))
    assert said["og:title"] == "The &quot;Last&quot; &lt;Card&gt; &amp; more · Lastcard"
    assert said["og:description"] == said["description"]
    assert said["og:url"] == f"https://uno.example{path}"
    assert said["twitter:card"] == "summary_large_image"
    assert said["og:image"].startswith("https://uno.example/static/")
    assert _size(said["og:image"]) == (1200, 630)
    assert 'rel="manifest" href="/en/manifest.webmanifest"' in page
    touch = re.search(r'rel="apple-touch-icon" href="([^"]+)"', page)
    assert touch
    assert _size(touch[1]) == (180, 180)


def test_without_a_public_address_no_page_names_a_picture(client: Client) -> None:
    page = client.get("/en/rules/").content.decode()
    assert "og:title" in dict(META.findall(page))
    assert "og:image" not in page
    assert "testserver" not in page


def test_a_page_that_is_not_everybodys_says_nothing_to_messages(client: Client) -> None:
    assert not META.findall(client.get("/en/sign-in/").content.decode())
