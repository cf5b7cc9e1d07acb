"""tournament/live/pages.py: published pages through Django alone."""

import gzip

import pytest
from django.core import mail
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from pytest_django import Settings

from tests.live.conftest import Site

PATH = "/en/page/a/"


@pytest.fixture
def client(site: Site) -> Client:
    site.facts.versions["a"] = 1
    return Client()


def test_a_published_page_is_finished_and_kept(client: Client, site: Site) -> None:
    response = client.get(PATH)
    assert response.status_code == 200
    assert b'data-live="a" data-version="1"' in response.content
    caching = "public, max-age=0, s-maxage=1, stale-while-revalidate=1, must-revalidate"
    assert response["Cache-Control"] == caching
    assert response["Vary"] == "accept-encoding"
    assert response["Content-Length"] == str(len(response.content))
    assert response["ETag"].startswith('"')
    assert "script-src 'self'" in response["Content-Security-Policy"]
    assert response["X-Frame-Options"] == "DENY"
    entry = site.store.fresh(PATH)
    assert entry is not None
    assert entry.plain.full.body == response.content


def test_a_view_tells_the_version_it_read(client: Client, site: Site) -> None:
    client.get(PATH)
    assert site.versions.known("a") == 1


def test_an_unchanged_page_is_not_sent_again(client: Client) -> None:
    etag = client.get(PATH)["ETag"]
    response = client.get(PATH, headers={"if-none-match": etag})
    assert (response.status_code, response.content, response["ETag"]) == (304, b"", etag)


def test_a_page_is_compressed_the_same_every_time(client: Client) -> None:
    first, second = (client.get(PATH, headers={"accept-encoding": "gzip"}) for _ in range(2))
    assert first["Content-Encoding"] == "gzip"
    assert first.content == second.content
    assert gzip.decompress(first.content) == client.get(PATH).content


@pytest.mark.parametrize("headers", [{}, {"accept-encoding": "gzip"}], ids=["plain", "gzip"])
def test_publish_off_gives_equal_bytes_and_headers(
    client: Client, site: Site, settings: Settings, headers: dict[str, str]
) -> None:
    published = client.get(PATH, headers=headers)
    site.store.clear()
    settings.PUBLISH = False
    rendered = client.get(PATH, headers=headers)
    assert rendered.content == published.content
    assert dict(rendered.headers) == dict(published.headers)
    assert site.store.last(PATH) is None


def test_head_has_the_headers_of_get(client: Client, site: Site) -> None:
    head = client.head(PATH)
    assert site.store.last(PATH) is None
    assert dict(head.headers) == dict(client.get(PATH).headers)


@pytest.mark.parametrize("target", [f"{PATH}?q=1", "/en/page/%C3%A5/", "/en/page/a%20b/"])
def test_what_has_a_query_or_several_spellings_is_not_kept(client: Client, site: Site, target: str) -> None:
    site.facts.versions |= {"å": 1, "a b": 1}
    response = client.get(target)
    assert response.status_code == 200
    assert "ETag" in response
    assert site.store.size == 0


@pytest.mark.parametrize("kind", ["session", "token", "cookie"])
def test_a_published_page_with_something_personal_fails_loudly(client: Client, site: Site, kind: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="is a published page"):
        client.get(f"/en/{kind}/a/")
    assert site.store.size == 0


def test_a_published_page_with_something_personal_is_not_published_in_production(
    client: Client, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(mail, "outbox")
    response = client.get("/en/session/a/")
    assert (response.status_code, response["Cache-Control"]) == (200, "private, no-store")
    assert site.store.size == 0


def test_a_page_that_is_not_there_is_not_kept(client: Client, site: Site) -> None:
    assert client.get("/en/page/nobody/").status_code == 404
    assert client.get("/en/elsewhere/").status_code == 302
    assert site.store.size == 0


def test_nothing_of_a_person_reaches_a_published_page(client: Client, site: Site) -> None:
    client.get("/en/echo/")  # leaves a message in a cookie
    assert "messages" in client.cookies
    assert client.get(PATH).content == Client().get(PATH).content


def test_a_published_page_has_nobody_s_id(site: Site) -> None:
    site.facts.versions["a"] = 1
    assert "X-Request-ID" not in Client().get("/en/page/a/")
    assert Client().get("/nothing")["X-Request-ID"]
