"""The board's next step: one for each state of an event, and the page's only primary button."""

from collections.abc import Callable
from datetime import timedelta
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.support.factories import (
    Event,
    StaffFactory,
    add_stage,
    event,
    recorded_heat,
    recorded_round,
    running_heats,
    running_match,
    running_session,
    started_game,
)
from tests.views.organiser.conftest import Browser
from tournament import actions
from tournament.models import Entry, Play, Stage
from tournament.pages.organiser.next_step import STEPS

pytestmark = pytest.mark.django_db


def planned(players: int = 6, *, tables: int = 0, state: str = "checked_in") -> Event:
    made = event("tite-2022", players)
    Entry.objects.filter(tournament=made.tournament).update(state=state)
    return add_stage(made, "heats", tables=tables, start=False)


def nobody() -> Event:
    return planned(0)


def day_ahead() -> Event:
    made = planned(state="registered")
    made.tournament.starts_on = timezone.localdate() + timedelta(days=9)
    made.tournament.save()
    return made


def heats_over() -> Event:
    made = running_heats(players=8, tables=2, advance=1)
    made.act(actions.plan_stage, stage=uuid4(), kind="final", settings={"target": 300})
    for table in made.tables:
        recorded_heat(made, table)
    return made


def heats_finished() -> Event:
    made = heats_over()
    made.act(actions.finish_stage, stage=made.stage.uid)
    return made


def corrected_after_the_draw() -> Event:
    made = heats_finished()
    made.act(actions.fill_stage, stage=Stage.objects.get(kind="final").uid)
    made.act(actions.reopen_stage, stage=made.stage.uid, reason="miscounted")
    play = Play.objects.filter(table=made.tables[0]).get()
    order = made.at(made.tables[0])[1:2]
    made.act(actions.correct_heat, play=play.uid, version=play.version, reason="misread", finish_order=order)
    return made


def finished() -> Event:
    made = running_heats(players=4, tables=1)
    recorded_heat(made, made.tables[0])
    made.act(actions.finish_stage, stage=made.stage.uid)
    return made


def looked_at() -> Event:
    made = running_match(players=5, ruleset="tite-2022", kind="final", target=250)
    made.act(actions.ask_second_look, stage=made.stage.uid, wanted=True)
    seated = made.at(made.tables[0])
    recorded_round(made, seated[0], **{str(uid): {"wild4": 1, "draw2": 2} for uid in seated[1:]})
    return made


def open_tables() -> Event:
    made = add_stage(event("mattel-108", 4), "race", tables=0, start=False, scoring="own_hand")
    made.act(actions.check_in, entries=made.uids)
    made.act(actions.set_stage_settings, stage=made.stage.uid, source={"open": True})
    return made


def between_games() -> Event:
    made = running_session(players=4)
    game = started_game(made)
    made.act(actions.void_play, play=game, version=made.play(game).version, reason="no cards")
    return made


def lacks_referee() -> Event:
    made = running_heats(players=8, tables=2)
    made.referee("table_referee", made.tables[1])
    return made


MAKE: dict[str, Callable[[], Event]] = {
    "asked": lambda: planned(state="applied"),
    "no players": nobody,
    "others sit": corrected_after_the_draw,
    "finished": finished,
    "day ahead": day_ahead,
    "players expected": lambda: planned(state="registered"),
    "open tables": open_tables,
    "seats missing": planned,
    "through to decide": heats_finished,
    "seated": lambda: planned(tables=2),
    "second looks": looked_at,
    "everything played": heats_over,
    "table needs somebody": lacks_referee,
    "between games": between_games,
    "running": lambda: running_heats(players=8, tables=2),
}


@pytest.fixture
def browser() -> Browser:
    """A browser of somebody who may do everything in every event."""
    client = Browser()
    client.force_login(StaffFactory(is_superuser=True))
    return client


@pytest.mark.parametrize("state", MAKE)
def test_board_has_one_primary_action_in_each_state(browser: Browser, state: str) -> None:
    made = MAKE[state]()
    answer = browser.get(reverse("organise-board", args=[made.tournament.slug]))
    assert answer.context["next"].state == state
    page = answer.content.decode()
    assert page.count("button--primary") == 1
    primary = page[page.index("button--primary") :]
    assert f'href="{answer.context["next"].url}">' in primary[:200]
    assert browser.get(answer.context["next"].url, follow=True).status_code == 200


def test_results_are_entered_at_the_only_table_in_play_or_chosen_among_the_events_own(
    browser: Browser,
) -> None:
    running_match(players=3)  # of another event
    made = running_heats(players=8, tables=2, advance=1)
    board = reverse("organise-board", args=[made.tournament.slug])
    url = browser.get(board).context["next"].url
    tables = [tile.key for event in browser.get(url).context["events"] for tile in event.tiles]
    assert tables == [str(table.uid) for table in made.tables]
    recorded_heat(made, made.tables[0])
    assert browser.get(board).context["next"].url == reverse("table", args=[made.tables[1].uid])


def test_each_state_of_the_table_has_an_event() -> None:
    assert [row.state for row in STEPS] == list(MAKE)


def test_call_of_a_table_goes_before_the_next_step(browser: Browser) -> None:
    made = running_heats(players=8, tables=2)
    for table in made.tables:
        made.act(actions.call_referee, table=table.uid)
    page = browser.get(reverse("organise-board", args=[made.tournament.slug])).content.decode()
    assert page.count("button--primary") == 1
    assert page.index("button--primary") < page.index("On my way")


def test_head_referee_gets_no_step_of_the_organiser_alone() -> None:
    made = planned()
    client = Browser()
    client.force_login(made.referee())
    answer = client.get(reverse("organise-board", args=[made.tournament.slug]))
    assert answer.context["next"] is None
    assert "button--primary" not in answer.content.decode()
