"""The computer's clock is set while games run, forth and back, and games are played over both nights on which clocks
change: everybody's minutes are those that were played."""

import time
from datetime import UTC, datetime
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest

from tests.depth import dear
from tests.e2e.arranger import Arranged
from tests.faults.phones import BUSY
from tests.faults.rig import Rig

pytestmark = pytest.mark.server

HOUR = 3600
NIGHTS = {
    "in spring": datetime(2026, 3, 29, 0, 45, tzinfo=UTC),
    "in autumn": datetime(2026, 10, 25, 0, 45, tzinfo=UTC),
}


def session(rig: Rig, elapsed_s: int = 0) -> tuple[Arranged, str]:
    """A session whose game began so many seconds ago; with the game's uid."""
    event = rig.ask.session(names=["Aino", "Börje", "Cécile"])
    return event, rig.ask("start_game", slug=event.slug, elapsed_s=elapsed_s)


def out(rig: Rig, event: Arranged, play: str, name: str) -> str:
    """Tap a player out and give the desk's answer."""
    phone = rig.phones(event)[0]
    command = str(uuid4())
    entry = {
        "command": command,
        "kind": "out",
        "url": f"/en/desk/play/{play}/out/",
        "fields": [["command", command], ["entry", event.entries[name]]],
        "queued": round(time.time() * 1000),
    }
    said = phone.desk([entry])
    (answer,) = said.json["answers"]
    return str(answer["state"])


def minutes(rig: Rig, event: Arranged) -> dict[str, int]:
    """The second at which each went out."""
    (game,) = rig.ask("games", slug=event.slug)
    return {name: at for name, (outcome, at) in game["results"].items() if outcome == "out"}


@pytest.mark.sweep
@pytest.mark.parametrize("jump_s", [2 * HOUR, *dear(-40)])
def test_clock_that_is_set_in_a_game_changes_nobodys_minutes(rig: Rig, jump_s: int) -> None:
    event, play = session(rig, elapsed_s=600)
    assert out(rig, event, play, "Aino") == "saved"
    rig.breaks(clock_s=jump_s)
    assert out(rig, event, play, "Börje") == "saved"
    played = minutes(rig, event)
    assert 600 <= played["Aino"] <= played["Börje"] < 600 + BUSY
    assert rig.get(event.table, Cookie=f"sessionid={event.organiser.session}").status == 200
    rig.holds(event, [])


def test_server_whose_clock_was_put_back_while_it_was_off_makes_no_best_time_of_it(rig: Rig) -> None:
    event, play = session(rig, elapsed_s=600)
    rig.stop()
    rig.breaks(clock_s=-HOUR)
    rig.start()
    assert out(rig, event, play, "Aino") == "refused"
    assert minutes(rig, event) == {}
    rig.stop()
    rig.breaks()
    rig.start()
    assert out(rig, event, play, "Aino") == "saved"
    rig.holds(event, [])


@pytest.mark.parametrize("night", dear(*NIGHTS))
def test_game_over_the_night_on_which_the_clocks_change_has_the_minutes_that_were_played(
    rig: Rig, night: str
) -> None:
    """It begins a quarter of an hour before the change in Helsinki, and half an hour is played."""
    begins = NIGHTS[night]
    zone = ZoneInfo("Europe/Helsinki")
    ends = datetime.fromtimestamp(begins.timestamp() + HOUR / 2, UTC)
    assert begins.astimezone(zone).utcoffset() != ends.astimezone(zone).utcoffset()
    rig.stop()
    rig.breaks(clock_s=ends.timestamp() - time.time())
    rig.start()
    event = rig.ask.session(names=["Aino", "Börje", "Cécile"])
    play = rig.ask("start_game_at", slug=event.slug, at=begins.isoformat())
    assert out(rig, event, play, "Aino") == "saved"
    assert HOUR / 2 <= minutes(rig, event)["Aino"] < HOUR / 2 + BUSY
    cookie = f"sessionid={event.organiser.session}"
    for path in (event.table, event.public, f"/en/organise/t/{event.slug}/"):
        assert rig.get(path, Cookie=cookie).status == 200
    rig.stop()
    rig.breaks()
    rig.start()
    rig.holds(event, [])
