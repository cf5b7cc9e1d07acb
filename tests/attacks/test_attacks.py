"""While strangers attack, a referee saves and a player reads as before. In small here; for a minute, by 20 connections,
in `make soak`; with figures in `python -m benchmarks.attacks`."""

import socket
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from uuid import uuid4

import pytest

from tests.attacks.conftest import FEW
from tests.attacks.hall import MB, PLAYER, Hall
from tests.attacks.sheets import session
from tests.attacks.strangers import ATTACKS, PIECE, head
from tests.attacks.visitors import FORM, Referee, Visitor
from tests.depth import dear
from tests.faults.phones import BUSY

pytestmark = pytest.mark.server

# How a stranger is refused: by an answer that says why, or by a closed connection.
REFUSED = {"400", "408", "413", "422", "429", "431", "503", "closed", "silent"}
# Attacks that ask for what anybody may have: some of it they get.
SERVED = {
    "accept_encoding",
    "backups",
    "events_of_guests",
    "flood",
    "made_up_sessions",
    "names_1000",
    "pipelines",
    "sheets_of_300_games",
    "sign_ins",
    "silent",
    "silent_after_a_question",
    "streams",
    "unfinished_bodies",
}
# Attacks whose address rests between its requests; with more connections it would rest before its first answer.
RESTING = {"backups", "events_of_guests", "names_1000", "names_5000", "sheets_of_300_games"}
LIMITED = {"silent", "silent_after_a_question", "streams"}  # against a server that may open few files
# In CI one of each way: bytes, work, waiting, guesses, many requests.
IN_CI = ("names_1000", "sign_ins", "flood")
FILES = 4096  # in full
NOTICED = 0.1  # seconds: a save that is quicker is no nuisance, whatever the quiet one took


@pytest.fixture
def whole_hall(prepared: Path) -> Iterator[Hall]:
    hall = Hall(prepared, FILES)
    yield hall
    hall.end()


@pytest.mark.sweep
@pytest.mark.parametrize("name", [*IN_CI, *dear(*(name for name in ATTACKS if name not in IN_CI))])
def test_nobody_in_the_hall_is_refused_anything(name: str, request: pytest.FixtureRequest) -> None:
    hall: Hall = request.getfixturevalue("small_hall" if name in LIMITED else "hall")
    connections = 2 if name in RESTING else 4
    run = hall.attacked(
        name, connections=connections, quiet=0.15, seconds=1.2, after=0.05, every=0.1, small=True
    )
    print(run)
    assert run.broken == []
    before, most, after = run.memory
    assert most < before + 300 * MB
    assert after < before + 100 * MB
    assert run.said
    assert set(run.said) <= REFUSED | ({"200", "201", "302", "open"} if name in SERVED else set())


@pytest.mark.soak
def test_a_guest_s_commands_make_no_backup(hall: Hall) -> None:
    guest = Visitor(hall.server.port, hall.stranger())
    shelf = hall.server.data / "backups"
    kept = sorted(shelf.glob("*"))
    body = f"do=event&name=Ours&event={uuid4()}&sheet={session(3, 1)}"
    assert guest.ask("POST", "/en/score/", body, Content_Type=FORM).status == 302
    (role,) = guest.ask("GET", "/api/v1/me").json["roles"]
    for number in range(12):
        rows = {"players": [{"public_name": f"Guest {number}"}]}
        assert guest.send(f"/api/v1/tournaments/{role['tournament']}/entries", rows).status in {200, 429}
    assert sorted(shelf.glob("*")) == kept


def test_who_knows_the_password_gets_in_beside_those_who_guess(hall: Hall) -> None:
    with hall.strangers("sign_ins", 20, BUSY, small=True):
        Referee(hall.server.port, hall.stranger(), hall.event)  # on a device that nobody knows


@pytest.mark.soak
def test_one_address_leaves_streams_to_the_next(small_hall: Hall) -> None:
    with ExitStack() as stack:

        def streams(source: str, many: int) -> "Counter[bytes]":
            """How many of so many streams have which status; those that are open stay so."""
            asked = []
            for _ in range(many):
                connection = socket.create_connection(
                    ("127.0.0.1", small_hall.server.port), timeout=BUSY, source_address=(source, 0)
                )
                connection.sendall(head("/live/site"))
                asked.append(stack.enter_context(connection))
            return Counter(connection.recv(PIECE)[9:12] for connection in asked)

        assert streams(small_hall.stranger(), FEW // 3).keys() == {b"200", b"503"}
        assert streams(PLAYER, 1) == {b"200": 1}


@pytest.mark.soak
@pytest.mark.parametrize("name", [*IN_CI, *dear(*(name for name in ATTACKS if name not in IN_CI))])
def test_a_minute_of_it(name: str, whole_hall: Hall) -> None:
    run = whole_hall.attacked(name)
    print(run)
    assert run.broken == []
    for quiet, under, _ in (run.saves, run.pages):
        assert under.at(95) <= 2 * max(quiet.at(95), NOTICED * 1000)
    before, _, after = run.memory
    assert after <= before * 1.1
