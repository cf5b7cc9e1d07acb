"""To which addresses a message may go, and over which connection it goes."""

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import Sequence
from typing import Any

import pytest
from pytest_django import Settings

from tests.support.receiver import CERTIFICATE, EXPIRED, receiving
from tournament.extras.webhooks import live
from tournament.extras.webhooks.live import MOST_READ, Answer, Ip, is_public, may_reach, post, target_of
from tournament.results.faults import Refused

PUBLIC = ["93.184.215.14", "8.8.8.8", "2606:2800:220:1::1", "::ffff:8.8.8.8", "64:ff9b::808:808"]
NOT_PUBLIC = [
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "100.127.255.255",
    "127.0.0.1",
    "127.8.8.8",
    "169.254.169.254",
    "172.16.0.1",
    "192.0.0.170",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.51.100.7",
    "203.0.113.9",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::7f00:1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "64:ff9b::a00:1",
    "64:ff9b::7f00:1",
    "64:ff9b:1::a00:1",
    "100::1",
    "2001::1",
    "2001:db8::1",
    "2002:7f00:1::1",
    "3fff::1",
    "fc00::1",
    "fd12:3456::1",
    "fe80::1",
    "fec0::1",
    "ff02::1",
]


@pytest.mark.parametrize("address", PUBLIC)
def test_a_public_address_may_be_told(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_an_address_that_is_not_public_is_told_nothing(address: str) -> None:
    ip = ipaddress.ip_address(address)
    assert not is_public(ip)
    target = target_of("https://board.example/")
    assert not may_reach(target, [ip])
    assert not may_reach(target, [ipaddress.ip_address("8.8.8.8"), ip])


@pytest.mark.parametrize(
    ("address", "code"),
    [
        pytest.param("", "webhook_address", id="nothing"),
        pytest.param("board.example/x", "webhook_address", id="no scheme"),
        pytest.param("ftp://board.example/", "webhook_address", id="ftp"),
        pytest.param("file:///etc/passwd", "webhook_address", id="file"),
        pytest.param("https://", "webhook_address", id="no host"),
        pytest.param("https://me:word@board.example/", "webhook_address", id="password"),
        pytest.param("https://board.example/#x", "webhook_address", id="fragment"),
        pytest.param("https://board.example/a b", "webhook_address", id="blank"),
        pytest.param("https://board.example/ä", "webhook_address", id="not ascii"),
        pytest.param("https://board.example:0/", "webhook_address", id="port 0"),
        pytest.param("https://board.example:99999/", "webhook_address", id="port beyond"),
        pytest.param("https://[::1/", "webhook_address", id="half a bracket"),
        pytest.param("https://a..example/", "webhook_address", id="empty label"),
        pytest.param("https://evil.example\\@board.example/", "webhook_address", id="backslash"),
        pytest.param("http://board.example/", "webhook_https", id="http"),
        pytest.param("https://127.0.0.1/", "webhook_private", id="loopback"),
        pytest.param("https://[::ffff:10.0.0.1]/", "webhook_private", id="mapped"),
    ],
)
def test_an_address_that_nothing_would_be_sent_to_is_refused(address: str, code: str) -> None:
    with pytest.raises(Refused) as refused:
        target_of(address)
    assert [(fault.code, fault.path) for fault in refused.value.faults] == [(code, "/address")]


def test_an_address_is_taken_apart() -> None:
    target = target_of("https://Bräd.example:8443/a?b=%20c")
    assert (target.host, target.port, target.path) == ("xn--brd-rla.example", 8443, "/a?b=%20c")
    assert target.authority == "xn--brd-rla.example:8443"
    assert target_of("https://[2606:2800::1]").authority == "[2606:2800::1]"


def test_the_operator_allows_networks_and_hosts(settings: Settings) -> None:
    settings.WEBHOOKS_ALLOW = ["192.168.7.0/24", "board.hall"]
    inside, outside = ipaddress.ip_address("192.168.7.9"), ipaddress.ip_address("192.168.8.9")
    assert may_reach(target_of("http://any.hall/"), [inside])
    assert may_reach(target_of("http://any.hall/"), [ipaddress.ip_address("::ffff:192.168.7.9")])
    assert not may_reach(target_of("http://any.hall/"), [inside, outside])
    assert may_reach(target_of("http://board.hall/"), [outside])
    assert not may_reach(target_of("http://any.hall/"), [ipaddress.ip_address("8.8.8.8")])
    assert not may_reach(target_of("http://any.hall/"), [])


def sent(address: str, *found: str, **more: Any) -> tuple[Answer, list[str]]:
    """Send to a host that has these addresses, other ones when it is asked again; gives the answer, and which hosts
    were looked up."""
    asked: list[str] = []

    async def resolve(host: str, _port: int) -> Sequence[Ip]:
        asked.append(host)
        return [ipaddress.ip_address(each) for each in (found if len(asked) == 1 else ["127.0.0.2"])]

    return asyncio.run(post(address, b"{}", {"x-own": "1"}, resolve=resolve, **more)), asked


def test_a_name_is_looked_up_once_and_only_what_was_checked_is_told(settings: Settings) -> None:
    settings.WEBHOOKS_ALLOW = ["127.0.0.1/32"]
    with receiving() as receiver:
        address = f"http://rebinding.example:{receiver.port}/hook?a=1"
        assert sent(address, "127.0.0.1") == (Answer(200, "fine"), ["rebinding.example"])
        assert sent(address, "127.0.0.1", "127.0.0.2") == (Answer(fault="private"), ["rebinding.example"])
        assert sent(address) == (Answer(fault="private"), ["rebinding.example"])
    ((path, headers, body),) = receiver.came
    assert (path, body, headers["x-own"]) == ("/hook?a=1", b"{}", "1")
    assert headers["Host"] == f"rebinding.example:{receiver.port}"


def test_a_private_address_is_not_even_connected_to() -> None:
    with receiving(secure=True) as receiver:
        for found in ("127.0.0.1", "::ffff:127.0.0.1", "64:ff9b::7f00:1"):
            assert sent(f"https://board.example:{receiver.port}/", found)[0] == Answer(fault="private")
    assert receiver.came == []


def test_a_certificate_must_be_the_hosts_own(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.WEBHOOKS_ALLOW = ["127.0.0.0/8"]
    with receiving(secure=True) as receiver:
        own = f"https://receiver.example:{receiver.port}/"
        assert sent(own, "127.0.0.1")[0] == Answer(fault="certificate")
        trusting = ssl.create_default_context(cafile=CERTIFICATE)
        monkeypatch.setattr(live, "certificates", lambda: trusting)
        assert sent(own, "127.0.0.1")[0] == Answer(200, "fine")
        other = f"https://other.example:{receiver.port}/"
        assert sent(other, "127.0.0.1")[0] == Answer(fault="certificate")
    assert len(receiver.came) == 1


def test_a_certificate_that_ran_out_is_none(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.WEBHOOKS_ALLOW = ["127.0.0.0/8"]
    trusting = ssl.create_default_context(cafile=EXPIRED)
    monkeypatch.setattr(live, "certificates", lambda: trusting)
    with receiving(secure=True, certificate=EXPIRED) as receiver:
        own = f"https://receiver.example:{receiver.port}/"
        assert sent(own, "127.0.0.1")[0] == Answer(fault="certificate")
    assert receiver.came == []


@pytest.mark.parametrize(
    ("raw", "answer"),
    [
        pytest.param(b"HTTP/1.1 204 No Content\r\n\r\n", Answer(204), id="empty"),
        pytest.param(
            b"HTTP/1.1 103 Early\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nok",
            Answer(201, "ok"),
            id="interim",
        ),
        pytest.param(
            b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/\r\nContent-Length: 0\r\n\r\n",
            Answer(302),
            id="redirect",
        ),
        pytest.param(
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\na\0b\r\n0\r\n\r\n",
            Answer(200, "ab"),
            id="chunks",
        ),
        pytest.param(b"HTTP/1.0 500 Sorry\r\n\r\n\xff" + b"x" * 999, Answer(500, "�" + "x" * 199), id="long"),
        pytest.param(b"HTTP/1.1 200 OK\r\n\r\n" + b"y" * 500_000, Answer(200, "y" * 200), id="far too long"),
        pytest.param(b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 20_000, Answer(fault="not_http"), id="headers"),
        pytest.param(b"SSH-2.0-hello\r\n", Answer(fault="not_http"), id="another protocol"),
        pytest.param(b"", Answer(fault="not_http"), id="silence"),
    ],
)
def test_an_answer_is_read_within_bounds(settings: Settings, raw: bytes, answer: Answer) -> None:
    settings.WEBHOOKS_ALLOW = ["127.0.0.1/32"]
    with receiving() as receiver:
        receiver.answer = raw
        assert sent(f"http://127.0.0.1:{receiver.port}/", "127.0.0.1")[0] == answer
    assert len(receiver.came) == 1
    assert MOST_READ == 65_536


def test_a_receiver_that_takes_its_time_or_is_not_there_is_no_answer(settings: Settings) -> None:
    settings.WEBHOOKS_ALLOW = ["127.0.0.1/32"]
    with receiving() as receiver:
        receiver.answers.clear()
        late = sent(f"http://127.0.0.1:{receiver.port}/", "127.0.0.1", timeout=0.1)[0]
        receiver.answers.set()
        assert late == Answer(fault="timeout")
    assert sent(f"http://127.0.0.1:{receiver.port}/", "127.0.0.1")[0] == Answer(fault="unreachable")


def test_a_host_without_an_address_is_not_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(*_: object, **__: object) -> None:
        raise socket.gaierror

    monkeypatch.setattr(socket, "getaddrinfo", nobody)
    answer = asyncio.run(post("https://nobody.example/", b"{}", {}))
    assert answer == Answer(fault="unreachable")
