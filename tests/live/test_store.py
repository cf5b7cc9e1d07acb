"""tournament/live/store.py."""

import gzip
import secrets

import pytest

from tournament.live import store
from tournament.live.store import Entry, Store, Versions, takes_gzip

TEXT = b"<p>Standings</p>" * 50


def entry(scope: str = "a", version: int = 1, body: bytes = TEXT) -> Entry:
    return Entry.of(scope, version, [(b"content-type", b"text/html"), (b"vary", b"accept-encoding")], body)


def test_an_entry_is_fresh_while_its_version_is_the_known_one() -> None:
    versions = Versions()
    store, kept = Store(versions), entry(version=1)
    store.put("/a/", kept)
    assert store.fresh("/a/") is None
    versions.announce({"a": 1})
    assert store.fresh("/a/") is kept
    versions.announce({"a": 2})
    assert store.fresh("/a/") is None
    assert store.last("/a/") is kept


def test_an_older_render_does_not_replace_a_newer_one() -> None:
    store, newer = Store(Versions()), entry(version=2)
    store.put("/a/", newer)
    store.put("/a/", entry(version=1))
    assert store.last("/a/") is newer
    assert store.size == newer.size


def test_what_was_not_asked_for_longest_goes_first() -> None:
    versions = Versions()
    versions.announce({"a": 1})
    kept = entry()
    store = Store(versions, limit=3 * kept.size)
    for path in ("/1/", "/2/", "/3/"):
        store.put(path, kept)
    store.fresh("/1/")
    store.put("/4/", kept)
    assert [path for path in ("/1/", "/2/", "/3/", "/4/") if store.last(path)] == ["/1/", "/3/", "/4/"]
    assert store.size == 3 * kept.size


def test_what_is_larger_than_everything_that_may_be_kept_is_not_kept() -> None:
    small = entry()
    store = Store(Versions(), limit=small.size)
    store.put("/a/", small)
    store.put("/a/", entry(version=2, body=secrets.token_bytes(2 * small.size)))
    assert store.last("/a/") is None
    assert store.size == 0


def test_both_forms_count() -> None:
    kept = entry()
    assert kept.packed is not None
    assert kept.size > len(kept.plain.full.body) + len(kept.packed.full.body)


def test_pages_of_a_scope_that_went_back_or_away_are_forgotten() -> None:
    versions = Versions()
    versions.announce({"a": 5, "b": 5, "c": 5})
    store = Store(versions)
    for scope in "abc":
        store.put(f"/{scope}/", entry(scope, 5))
    versions.settle(versions.all(), {"a": 4, "c": 5})
    assert [scope for scope in "abc" if store.last(f"/{scope}/")] == ["c"]


def test_an_answer_is_compressed_when_that_is_asked_for_and_smaller() -> None:
    answer = entry().answer(b"gzip, br", b"")
    assert gzip.decompress(answer.body) == TEXT
    assert (b"content-encoding", b"gzip") in answer.start["headers"]
    assert entry().answer(b"br", b"").body == TEXT
    assert entry(body=b"x").answer(b"gzip", b"").body == b"x"


def test_entity_tags_are_of_the_form_that_is_sent() -> None:
    kept = entry()
    assert kept.packed is not None
    assert kept.plain.etag != kept.packed.etag
    assert kept.answer(b"gzip", kept.packed.etag).status == 304
    assert kept.answer(b"gzip", kept.plain.etag).status == 200
    assert entry(version=2).plain.etag == kept.plain.etag
    assert entry(body=TEXT + b" ").plain.etag != kept.plain.etag


@pytest.mark.parametrize(
    ("if_none_match", "status"),
    [
        (b"%s", 304),
        (b"W/%s", 304),
        (b'"other", %s', 304),
        (b'"other" ,  W/%s ', 304),
        (b"*", 304),
        (b'"other"', 200),
        (b"", 200),
        (b"garbage,,,", 200),
    ],
)
def test_if_none_match(if_none_match: bytes, status: int) -> None:
    kept = entry()
    asked = if_none_match.replace(b"%s", kept.plain.etag)
    answer = kept.answer(b"", asked)
    assert (answer.status, answer.body) == (status, b"" if status == 304 else TEXT)
    assert (b"etag", kept.plain.etag) in answer.start["headers"]
    assert (b"vary", b"accept-encoding") in answer.start["headers"]


@pytest.mark.parametrize(
    ("accept_encoding", "takes"),
    [
        (b"gzip", True),
        (b"gzip, deflate, br, zstd", True),
        (b"br;q=1.0, GZIP;q=0.2", True),
        (b"*", True),
        (b"identity", False),
        (b"", False),
        (b"gzip;q=0", False),
        (b"*;q=0", False),
        (b"gzip;q=0, *", False),
        (b"gzip;q=nonsense", False),
        (b"xgzip", False),
    ],
)
def test_takes_gzip(accept_encoding: bytes, takes: bool) -> None:
    assert takes_gzip(accept_encoding) is takes


def test_header_longer_than_any_browsers_takes_no_gzip_and_is_not_kept() -> None:
    before = store._takes_gzip.cache_info().currsize
    assert not takes_gzip(b"gzip," + b"x" * 200)
    assert store._takes_gzip.cache_info().currsize == before
    assert store._takes_gzip.cache_info().maxsize == 64
