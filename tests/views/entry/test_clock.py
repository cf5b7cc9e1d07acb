"""The page of a table of KPGUT: the running game, or the start of the next."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.db.models import F
from django.urls import reverse

from tests.support.desk import as_referee, hands, open_page, outcomes, tap, text
from tests.support.factories import Event, running_session, started_game
from tournament import actions
from tournament.models import Play, Screen
from tournament.results.contests import forget
from tournament.seating import DrawRecord, Person

pytestmark = pytest.mark.django_db


def test_who_was_ejected_is_not_asked_to_play_on(session: Event) -> None:
    client = as_referee(session)
    play = started_game(session)
    first, second, third = session.uids
    tap(client, "play-eject", play, first, reason="After a warning", warned="on")
    for entry in (second, third):
        tap(client, "play-out", play, entry)
    page = open_page(client, "table", session.table.uid)
    assert f'value="{second}" checked' in text(page)
    assert f'value="{first}"' not in text(page)
    assert f"outcome-{first}" not in text(open_page(client, "table-record", session.table.uid))
    assert f"outcome-{first}" in text(open_page(client, "play-correct", play))


def test_where_nobody_can_join_no_button_offers_it(session: Event) -> None:
    client = as_referee(session)
    play = started_game(session)
    assert '<button class="button button--primary">Add to the game' in text(
        open_page(client, "play-join", play)
    )
    tap(client, "play-out", play, session.uids[0])
    page = text(open_page(client, "play-join", play))
    assert "Nobody can join this game now." in page
    assert "Add to the game" not in page


def test_at_the_hour_the_hands_are_asked(session: Event) -> None:
    client = as_referee(session)
    play = started_game(session, elapsed_s=3600)
    Play.objects.update(started_at=F("started_at") - timedelta(seconds=1))
    forget()  # this was in no ledger
    first, second, third = session.uids
    page = open_page(client, "table", session.table.uid)
    assert "data-until-limit hidden" in text(page)
    assert tap(client, "play-out", play, first).status_code == 422
    end = reverse("play-end", args=[play])
    form = {"command": str(uuid4()), "version": str(Play.objects.get().version), "how": "time"}
    refused = client.post(end, {**form, **hands((first, "7", 1))})
    assert refused.status_code == 422
    assert f'id="hand-{second}_error"' in text(refused)
    assert f'name="hand-{first}-7" value="1"' in text(refused)
    held = hands((first, "7", 1), (second, "7", 2), (third, "7", 3))
    assert client.post(end, {**form, **held}).status_code == 303
    assert set(outcomes(play).values()) == {"remaining"}


# ---- between games ----


def _two_tables(drawn_between: bool) -> Event:
    """A session at two tables whose seats were drawn, before its first game or again after one."""
    made = running_session(players=8, tables=2)
    tables = [{"number": table.number, "entries": made.at(table)} for table in made.tables]
    people = [Person(str(uid), number) for number, uid in enumerate(made.uids, 1)]
    seated = [[str(uid) for uid in made.at(table)] for table in made.tables]
    record = DrawRecord.of(people, [4, 4], "seed", past=[seated] if drawn_between else [])
    made.act(actions.seat_stage, stage=made.stage.uid, tables=tables, draw=record.as_json())
    return made.refresh()


def _played(made: Event) -> None:
    play = started_game(made, elapsed_s=60)
    for entry in made.at(made.table)[:-1]:
        tap(as_referee(made), "play-out", play, entry)


@pytest.mark.parametrize("drawn_between", [True, False])
def test_seats_that_are_drawn_between_games_are_waited_for(drawn_between: bool) -> None:
    made = _two_tables(drawn_between)
    said = "Seats are drawn between games"
    start = (
        text(open_page(as_referee(made), "table", made.table.uid)).split("data-part")[1].split("<template")[0]
    )
    assert said not in start, "nobody has played from these seats"
    _played(made)
    start = (
        text(open_page(as_referee(made), "table", made.table.uid)).split("data-part")[1].split("<template")[0]
    )
    assert (said in start) is drawn_between
    assert "Start game 2" in start, "the table may still play on as it sits"
    others = [
        {"number": table.number, "entries": made.at(other)}
        for table, other in zip(made.tables, made.tables[::-1], strict=True)
    ]
    made.act(actions.seat_stage, stage=made.stage.uid, tables=others)
    assert (
        said
        not in text(open_page(as_referee(made), "table", made.table.uid))
        .split("data-part")[1]
        .split("<template")[0]
    )


def test_missing_number_is_explained_at_the_table_on_the_wall_and_for_everybody(session: Event) -> None:
    client = as_referee(session)
    play = started_game(session)
    version = session.refresh().tournament.version
    session.act(actions.void_play, play=play, version=version, reason="Cards on the floor")
    table = text(open_page(client, "table", session.table.uid))
    assert "Who plays game 2?" in table
    assert "Game 1 was void" in table
    second = started_game(session)
    session.act(actions.add_screen, screen=uuid4(), name="Hall")
    slug = session.tournament.slug
    wall = reverse("screen", args=[slug, Screen.objects.get().uid])
    stage = reverse("stage", args=[slug, session.stage.uid])
    session.act(actions.set_screen, screen=Screen.objects.get().uid, scenes=["clock"], seconds=12, stage=None)
    for page in (reverse("table", args=[session.table.uid]), wall, stage):
        assert "Game 1 was void" in text(client.get(page)), page
    version = session.play(second).version
    session.act(actions.void_play, play=second, version=version, reason="Cards on the floor")
    assert "Games 1 and 2 were void" in text(open_page(client, "table", session.table.uid))
