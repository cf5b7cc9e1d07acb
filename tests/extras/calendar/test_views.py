"""Subscriptions of other programs: the programme as a calendar, the newest results as a feed."""

from datetime import UTC, datetime, timedelta
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.urls import reverse
from icalendar import Calendar
from pytest_django import Settings

from scoring.answers import MatchAnswer, RoundResult
from tests.support.factories import (
    Event,
    add_stage,
    event,
    recorded_heat,
    recorded_round,
    running_heats,
    running_match,
)
from tournament import actions
from tournament.models import LedgerRow
from tournament.queries.programme import Plan

pytestmark = pytest.mark.django_db

EVENING = datetime(2026, 11, 21, 16, 30, tzinfo=UTC)
ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def evening(db: None) -> Event:
    made = add_stage(
        event("tite-2022", players=4, name="Finaali; talvi, 2026", starts_on=EVENING.date()),
        "heats",
        tables=2,
        start=False,
    )
    plan = Plan(EVENING, 40, 64, 11, 6).as_json()
    made.act(actions.set_programme, stages=[{"stage": made.stage.uid, "plan": plan}])
    return made


def calendar_of(made: Event) -> Calendar:
    answer = Client().get(reverse("calendar", args=[made.tournament.slug]))
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    return Calendar.from_ical(answer.content)


def feed_of(made: Event, language: str = "en") -> ElementTree.Element:
    address = reverse("feed", args=[made.tournament.slug]).replace("/en/", f"/{language}/")
    answer = Client().get(address)
    assert answer["Content-Type"] == "application/atom+xml; charset=utf-8"
    return ElementTree.fromstring(answer.content)


def texts(feed: ElementTree.Element, tag: str) -> list[str]:
    return [entry.findtext(ATOM + tag) or "" for entry in feed.findall(ATOM + "entry")]


def plain(text: str) -> str:
    return text.translate({0x2068: None, 0x2069: None})


def test_calendar_is_empty_before_the_programme_is_published(evening: Event) -> None:
    assert calendar_of(evening).events == []


def test_calendar_holds_each_part_with_its_times(evening: Event) -> None:
    evening.act(actions.publish_programme)
    (part,) = calendar_of(evening).events
    assert part.start == EVENING
    assert part.duration.total_seconds() == 40 * 60
    assert part["SUMMARY"] == "Finaali; talvi, 2026: Heats"
    assert part["UID"] == f"{evening.stage.uid}@lastcard"
    assert part["DESCRIPTION"] == "64 players"


def test_calendar_says_how_often_to_ask_and_which_copy_is_newer(evening: Event, settings: Settings) -> None:
    evening.act(actions.publish_programme)
    calendar = calendar_of(evening)
    assert b"REFRESH-INTERVAL;VALUE=DURATION:PT15M" in calendar.to_ical()
    (before,) = calendar.events
    assert "url" not in before
    settings.PUBLIC_URL = "https://uno.example"
    later = Plan(EVENING + timedelta(minutes=30), 40, 64, 11, 6).as_json()
    evening.act(actions.set_programme, stages=[{"stage": evening.stage.uid, "plan": later}])
    (after,) = calendar_of(evening).events
    assert (after["uid"], after.sequence > before.sequence) == (before["uid"], True)
    assert after["url"] == f"https://uno.example/en/t/{evening.tournament.slug}/programme/"


def test_calendar_is_subscribed_to_by_the_address_that_the_visitor_used(evening: Event) -> None:
    path = reverse("calendar-subscribe", args=[evening.tournament.slug])
    answer = Client().get(path, headers={"host": "192.0.2.2:8000"})
    assert answer.status_code == 302
    assert answer["Location"] == f"webcal://192.0.2.2:8000/en/t/{evening.tournament.slug}/programme.ics"


def test_calendar_is_linked_from_the_programme(evening: Event) -> None:
    evening.act(actions.publish_programme)
    page = Client().get(reverse("programme", args=[evening.tournament.slug])).content.decode()
    assert f'href="{reverse("calendar", args=[evening.tournament.slug])}"' in page


def test_feed_of_a_match_tells_each_round_the_newest_first() -> None:
    made = running_match(3, tables=1)
    first = recorded_round(made)
    second = recorded_round(made)
    feed = feed_of(made)
    assert feed.findtext(ATOM + "id") == made.tournament.uid.urn
    assert texts(feed, "title") == ["Match: Round 2", "Match: Round 1"]
    assert texts(feed, "id") == [second.urn, first.urn]
    points = {row.player: row.points for row in _answer(made, 1) if row.points}
    (winner,) = points
    name = next(entry.public_name for entry in made.entries if str(entry.uid) == winner)
    assert [plain(text) for text in texts(feed, "summary")][1] == f"{name} {points[winner]} points"
    at = LedgerRow.objects.get(sequence=made.play(second).version).at
    assert datetime.fromisoformat(texts(feed, "updated")[0]) == at


def _answer(made: Event, number: int) -> tuple[RoundResult, ...]:
    from tournament.results.answer import stage_results

    made.refresh()
    answer = stage_results(made.stage)[0].answer
    assert isinstance(answer, MatchAnswer)
    return answer.rounds[number - 1].results


def test_feed_of_heats_tells_who_goes_through() -> None:
    made = running_heats(8)
    heat = recorded_heat(made)
    through = made.play(heat).results.get(finish=1).entry.public_name
    assert [plain(text) for text in texts(feed_of(made), "summary")] == [f"Through: {through}"]


def test_feed_leaves_out_what_does_not_count() -> None:
    made = running_match(3, tables=1)
    play = made.play(recorded_round(made))
    made.act(actions.void_play, play=play.uid, version=play.version, reason="Wrong deck")
    assert feed_of(made).findall(ATOM + "entry") == []


def test_feed_has_the_same_bytes_until_something_changes() -> None:
    made = running_match(3, tables=1)
    address = reverse("feed", args=[made.tournament.slug])
    one, two = Client().get(address), Client().get(address)
    assert one.content == two.content
    assert one["ETag"] == two["ETag"]
    recorded_round(made)
    assert Client().get(address)["ETag"] != one["ETag"]


@pytest.mark.parametrize("name", ["calendar", "feed"])
def test_nothing_to_subscribe_to_where_there_is_no_tournament(name: str) -> None:
    assert Client().get(reverse(name, args=["nowhere"])).status_code == 404
