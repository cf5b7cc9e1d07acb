"""When did it begin? The table's page and the board ask, with one tap for each moment."""

import re
from datetime import datetime, timedelta
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import time_format

from tests.support.desk import as_referee, open_page, text
from tests.support.factories import Event, running_session
from tournament import actions
from tournament.models import Play
from tournament.results import contests

pytestmark = pytest.mark.django_db

BUTTON = re.compile(r'<button class="button" name="started_at" value="(\d+)">([^<]+)</button>')


@pytest.fixture
def session() -> Event:
    return running_session(players=4, tables=2)


def asked_about(made: Event, table: int) -> UUID:
    """A game that began ten minutes ago, or 15 by the phone's other reading."""
    play, row = uuid4(), made.tables[table]
    told = {"table": row.uid, "play": play, "number": 1, "late_s": 600, "other_late_s": 900}
    made.act(actions.start_game, **told)
    return play


def choices(made: Event, client: Client) -> list[tuple[str, str]]:
    """The values and words of the moments to choose from at the first table."""
    return BUTTON.findall(text(open_page(client, "table", made.table.uid)))


def at(play: UUID) -> list[str]:
    """The moments in which the game may have begun, as its form sends them."""
    game = Play.objects.get(uid=play)
    moments = [each for each in (game.started_at, game.other_start) if each]
    return sorted(str(int(each.timestamp() * 1000)) for each in moments)


def test_one_tap_at_the_table_says_when_a_game_began(session: Event) -> None:
    play, client = asked_about(session, 0), as_referee(session)
    earlier, later = choices(session, client)
    assert [earlier[0], later[0]] == at(play)
    began = datetime.fromtimestamp(int(earlier[0]) / 1000, session.tournament.zone)
    assert earlier[1] == time_format(began, "TIME_FORMAT")
    url = reverse("play-choose-start", args=[play])
    wrong = client.post(url, {"command": uuid4(), "started_at": "x"})
    assert wrong.status_code == 422
    assert "Someone has chosen or corrected this start" in wrong.content.decode()
    assert client.get(url)["Location"] == reverse("table", args=[session.table.uid])
    done = client.post(url, {"command": uuid4(), "started_at": earlier[0]})
    assert done["Location"].startswith(reverse("table", args=[session.table.uid]))
    assert at(play) == [earlier[0]]
    assert choices(session, client) == []


def test_two_moments_that_read_alike_are_offered_once(session: Event) -> None:
    play, client = asked_about(session, 0), as_referee(session)
    minute = timezone.now().replace(second=0, microsecond=0)
    Play.objects.filter(uid=play).update(started_at=minute + timedelta(seconds=50), other_start=minute)
    contests.forget()
    assert [value for value, _words in choices(session, client)] == at(play)[1:]
    assert len(at(play)) == 2


def test_one_tap_on_the_board_says_when_a_game_began(session: Event, client: Client) -> None:
    plays = [asked_about(session, table) for table in (0, 1)]
    client.force_login(session.user)
    board = reverse("organise-board", args=[session.tournament.slug])
    page = client.get(board)
    assert page.content.decode().count('class="tile__act">When did game 1 begin?') == 2
    assert "Table 2, game 1: when did it begin?" in page.content.decode()
    url = reverse("play-choose-start", args=[plays[1]])
    done = client.post(url, {"command": uuid4(), "started_at": at(plays[1])[1], "back": "board"})
    assert done["Location"].startswith(board)
    said = client.get(board).content.decode()
    assert ("Table 1, game 1: when" in said, "Table 2, game 1: when" in said) == (True, False)
