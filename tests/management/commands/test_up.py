"""`manage.py up`: where it listens, what it says, and what newcomers are offered."""

import socket
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError

from tests.e2e.server import Server
from tests.support.factories import UserFactory
from tournament.backup.in_use import Locked
from tournament.management.commands import up
from tournament.management.commands.up import (
    first_account_link,
    first_account_words,
    listen,
    offer_practice,
    venue_address,
)


@pytest.mark.django_db
@pytest.mark.both
def test_first_account_is_offered_until_somebody_can_sign_in() -> None:
    link = first_account_link()
    assert (first_account_words("http://127.0.0.1:8000", link) or "").endswith(f"http://127.0.0.1:8000{link}")
    UserFactory()
    assert first_account_link() == ""
    assert first_account_words("http://127.0.0.1:8000", "") is None


@pytest.mark.parametrize(
    ("said", "demo", "offered"), [(None, True, True), (None, False, False), (False, True, False), (True, False, True)],
    ids=["with the demo", "elsewhere", "no", "yes"],
)  # fmt: skip
def test_switch_follows_the_demo_unless_it_is_said(
    settings: Any, said: bool | None, demo: bool, offered: bool
) -> None:
    settings.TRY = said
    offer_practice(demo=demo)
    assert settings.TRY is offered


def test_listening_takes_the_port_or_says_in_a_line_why_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MAKELEVEL", raising=False)
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        assert taken.family == socket.AF_INET
        with pytest.raises(CommandError, match=rf"port {port}: .* Try another port: --port {port + 1}$"):
            listen("127.0.0.1", port)
        monkeypatch.setenv("MAKELEVEL", "1")
        with pytest.raises(CommandError, match=rf'Try another port: make run ARGS="--port {port + 1}"$'):
            listen("127.0.0.1", port)
    with pytest.raises(CommandError, match="99999 is not a port"):
        listen("127.0.0.1", 99999)


@pytest.mark.parametrize(
    ("host", "network", "public", "address"),
    [
        ("0.0.0.0", "192.0.2.7", "", "http://192.0.2.7:8000"),
        ("::", None, "", None),
        ("127.0.0.1", "192.0.2.7", "", None),
        ("192.0.2.9", "192.0.2.7", "", "http://192.0.2.9:8000"),
        ("fd00::1", None, "", "http://[fd00::1]:8000"),
        ("127.0.0.1", None, "https://play.example", "https://play.example"),
    ],
    ids=["every", "no network", "loopback", "one", "IPv6", "public"],
)
def test_address_for_phones(
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    *,
    host: str,
    network: str | None,
    public: str,
    address: str | None,
) -> None:
    settings.PUBLIC_URL = public
    monkeypatch.setattr(up, "in_container", lambda: False)
    monkeypatch.setattr(up, "network_address", lambda: network)
    assert venue_address(host, 8000) == address


def test_welcome_says_where_it_is_and_how_to_sign_in(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    welcome = partial(up.welcome, terminal=True)
    settings.PUBLIC_URL = ""
    monkeypatch.setattr(up, "in_container", lambda: False)
    monkeypatch.setattr(up, "network_address", lambda: "192.0.2.7")
    lines = welcome("0.0.0.0", 8000, "Sign in as kim")
    assert lines[1] == "Lastcard is running. On this computer:  http://127.0.0.1:8000"
    assert lines[2].endswith("http://192.0.2.7:8000")
    assert "▀" in lines[4] or "█" in lines[4]
    assert lines[5:] == ["Sign in as kim", "Stop with Ctrl+C.", ""]
    monkeypatch.setattr(up, "network_address", lambda: None)
    nowhere = welcome("0.0.0.0", 8000, None)
    assert nowhere[2].startswith("Phones cannot reach Lastcard")
    assert nowhere[3:] == ["Stop with Ctrl+C.", ""]
    monkeypatch.setattr(up, "network_address", lambda: "172.17.0.2")
    monkeypatch.setattr(up, "in_container", lambda: True)
    assert welcome("0.0.0.0", 8000, None)[2].startswith("Set PUBLIC_URL to show the address for phones")
    settings.PUBLIC_URL = "https://play.example"
    assert welcome("127.0.0.1", 8000, None)[1] == "Lastcard is running:  https://play.example"
    log = up.welcome("127.0.0.1", 8000, None, terminal=False)
    assert log == ["Lastcard is running:  https://play.example", "Stop with Ctrl+C."]


@pytest.mark.server
@pytest.mark.sqlite
def test_server_of_a_service_prints_the_public_address_and_ends_on_sigterm_as_on_ctrl_c(
    prepared: Path,
) -> None:
    server = Server(prepared, PUBLIC_URL="https://play.example", LOG_FORMAT="json")
    try:
        server.start()
        server.stop()
        first, *others, last = [
            line for line in server.log.read_text().splitlines() if not line.startswith("{")
        ]
        assert (first, last) == ("Starting Lastcard ...", "Stopped.")
        assert others[0] == "Lastcard is running:  https://play.example"
        assert "Create your account: https://play.example/en/first/" in others[1]
        assert others[2:] == ["Stop with Ctrl+C."]
    finally:
        server.close()


def test_nothing_is_served_while_a_backup_is_restored(monkeypatch: pytest.MonkeyPatch) -> None:
    def locked() -> Any:
        raise Locked("another process is using the database")

    monkeypatch.setattr(up, "serving", locked)
    with pytest.raises(CommandError, match="A backup is being restored"):
        up.in_use()


@pytest.mark.parametrize(
    ("options", "done"),
    [
        ({}, ["migrate", "collect"]),
        ({"no_migrate": True}, ["collect"]),
        ({"prepared": True}, []),
        ({"demo": True}, ["migrate", "collect", "make_demo"]),
    ],
    ids=["all", "no_migrate", "prepared", "demo"],
)
@pytest.mark.django_db
def test_what_is_prepared_before_it_serves(
    settings: Any, monkeypatch: pytest.MonkeyPatch, options: dict[str, bool], done: list[str]
) -> None:
    found: list[str] = []

    @contextmanager
    def free() -> Any:
        yield

    settings.TRY = False
    for name, does in {
        "in_use": free, "migrate": lambda: found.append("migrate"), "collect": lambda: found.append("collect"),
        "make_demo": lambda: found.append("make_demo"), "sign_in_words": lambda: None,
        "warn_of_broken_promises": lambda: None,
        "connections": type("None", (), {"close_all": lambda: None}),
    }.items():  # fmt: skip
        monkeypatch.setattr(up, name, does)
    monkeypatch.setattr("signal.signal", lambda *_: None)
    command, served = up.Command(), list[Any]()
    monkeypatch.setattr(command, "_serve", served.append)
    usual = {"prepared": False, "no_migrate": False, "demo": False, "browser": False}
    command.handle(host="127.0.0.1", port=0, **usual | options)
    assert found == done
    assert len(served) == 1
    assert "Create your account: http://127.0.0.1:" in command._words[-2]
    assert command._opens == ""
    for path in ("first/", "organise/"):
        command.handle(host="127.0.0.1", port=0, **usual | {"browser": True})
        assert command._opens.partition("/en/")[2].startswith(path)
        UserFactory()
