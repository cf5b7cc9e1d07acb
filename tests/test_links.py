"""A link's token is for one purpose, one thing and one number; nothing else passes for it."""

import logging
from uuid import UUID, uuid4

import pytest
from pytest_django import Settings

from tournament.links import (
    LETTERS,
    PURPOSES,
    SHORT_CODE,
    WithoutTokens,
    holds,
    read_short,
    short_code,
    token_for,
    uid_in,
)

UID = UUID("6a0d7b52-3c1c-4c1e-9e51-6ff8a3f2b0aa")


@pytest.mark.parametrize("purpose", sorted(PURPOSES))
def test_token_says_what_it_is_for_and_holds_for_it(purpose: str) -> None:
    token = token_for(purpose, UID, 3)
    assert len(token) == 43
    assert uid_in(token) == UID
    assert holds(token, purpose, UID, 3)


def test_token_holds_for_nothing_else() -> None:
    token = token_for("player", UID, 1)
    assert not holds(token, "invite", UID, 1)
    assert not holds(token, "player", UID, 2)
    assert not holds(token, "player", uuid4(), 1)
    altered = token[:-3] + ("A" if token[-3] != "A" else "B") + token[-2:]
    assert not holds(altered, "player", UID, 1)


@pytest.mark.parametrize("text", ["", "x", "ä" * 43, "=" * 43, "!" * 43, "A" * 44, "\x00" * 43])
def test_anything_else_is_no_token(text: str) -> None:
    assert uid_in(text) is None
    assert not holds(text, "player", UID)


def test_another_secret_key_ends_every_link(settings: Settings) -> None:
    token = token_for("invite", UID)
    settings.SECRET_KEY = "another"
    assert not holds(token, "invite", UID)


@pytest.mark.parametrize(
    ("said", "logged"),
    [
        ("Not Found: /en/p/{token}/", "Not Found: /en/p/·/"),
        ("Not Found: /en/p/{token}/leave/?a=1", "Not Found: /en/p/·/leave/?a=1"),
        ("Not Found: /en/i/{token}", "Not Found: /en/i/·"),
        ("Not Found: /en/t/spring/", "Not Found: /en/t/spring/"),
        ("Not Found: /en/{short}/", "Not Found: /en/·/"),
        ("Not Found: /{SHORT}?again", "Not Found: /·?again"),
    ],
)
def test_log_holds_no_token(said: str, logged: str) -> None:
    short = short_code(UID, 0)
    text = said.format(token=token_for("player", UID), short=short, SHORT=short.upper())
    record = logging.LogRecord("x", logging.WARNING, "", 0, "%s", (text,), None)
    assert WithoutTokens().filter(record)
    assert record.getMessage() == logged


def test_short_code_is_of_one_table_and_one_number() -> None:
    code = short_code(UID, 3)
    assert SHORT_CODE.fullmatch(code)
    assert len(code) == 8
    assert code == short_code(UID, 3)
    assert len({code, short_code(UID, 4), short_code(uuid4(), 3)}) == 3
    assert not set(LETTERS) & set("0o1lisbzguv")


@pytest.mark.parametrize(
    "typed", ["t7kq2mxw", "T7KQ2MXW", " t7kq 2mxw ", "t7kq-2mxw", "T 7 K Q 2 M X W", "t7kqzmxw"]
)
def test_short_code_is_read_however_it_is_typed(typed: str) -> None:
    assert read_short(typed) == "t7kq2mxw"
