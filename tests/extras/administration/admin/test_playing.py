"""A stage's page in the admin: standings, the last results, and the way to the desk and back."""

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl, urlsplit
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.admin_forms import address
from tests.support.desk import hands, hidden, paper, record_url
from tests.support.factories import (
    Event,
    recorded_round,
    running_heats,
    running_match,
    running_race,
    running_session,
)
from tournament.models import Final, Heats, LedgerRow, Match, Race, Session, Stage

pytestmark = pytest.mark.django_db

STAGES = {"session": Session, "heats": Heats, "match": Match, "final": Final, "race": Race}
MADE: dict[str, Callable[[], Event]] = {
    "session": lambda: running_session(players=3),
    "heats": lambda: running_heats(players=4, tables=1),
    "match": lambda: running_match(players=3),
    "race": lambda: running_race(players=3),
}


def page_of(browser: Client, made: Event) -> str:
    return " ".join(browser.get(address(Stage, "change", made.stage.pk)).content.decode().split())


def test_page_shows_standings_and_the_last_results_with_who_entered_them(
    browser: Client, championship: Event
) -> None:
    play = recorded_round(championship)
    text = page_of(browser, championship)
    winner = championship.table.plays.get(uid=play).results.get(outcome="won").entry.public_name
    assert f'<td>1</td><th scope="row"><bdi>{winner}</bdi></th>' in text
    assert text.index("Table 1, round 2") < text.index("Table 1, round 1")
    assert f"play={play}" in text
    assert championship.user.display_name() in text


def typed(made: Event, kind: str, page: Any) -> dict[str, str]:
    """The desk's form of a result that the first player won."""
    first, *others = made.at(made.table)
    match kind:
        case "session":
            return paper(made, page)
        case "heats":
            return {**hidden(page), "advance": "1", f"order-{first}": "1"}
    return {**hidden(page), "last": "", "winner": str(first), **hands(*((each, "7", 1) for each in others))}


@pytest.mark.parametrize("kind", STAGES)
def test_result_of_each_kind_is_entered_corrected_and_voided_from_the_admin_and_back_there(
    browser: Client, championship: Event, kind: str
) -> None:
    made = MADE[kind]() if kind in MADE else championship
    back = address(STAGES[kind], "change", made.stage.pk)

    def ways() -> dict[str, str]:
        """The page's links that enter, correct or void a result."""
        links = re.findall(r'href="([^"]*/enter/[^"]*)"', browser.get(back).content.decode())
        found = [link.replace("&amp;", "&") for link in links]
        return {dict(parse_qsl(urlsplit(link).query)).get("do", "enter"): link for link in reversed(found)}

    form = browser.get(ways()["enter"], follow=True)
    entered = browser.post(record_url(made), typed(made, kind, form) | {"step": "save"}, follow=True)
    play = made.table.plays.exclude(state="void").get()
    assert f'href="{back}"' in entered.content.decode()

    links = ways()
    assert all(str(play.uid) in links[do] for do in ("correct", "void"))
    form = browser.get(links["correct"], follow=True)
    again = typed(made, kind, form) | {"reason": "Misread", "step": "save"}
    second = str(made.at(made.table)[1])
    if kind == "session":
        again[f"time-{second}"] = "25:00"
    elif kind == "heats":
        again = {name: text for name, text in again.items() if not name.startswith("order-")}
        again[f"order-{second}"] = "1"
    else:
        again[f"hand-{second}-7"] = "2"
    assert browser.post(reverse("play-correct", args=[play.uid]), again)["Location"] == back
    assert LedgerRow.objects.filter(tournament=made.tournament, action__startswith="correct_").count() == 1

    asked = browser.get(ways()["void"], follow=True)
    sent = dict(asked.context["hidden"]) | {"command": str(uuid4()), "reason": "A card was missing"}
    assert browser.post(asked.request["PATH_INFO"], sent)["Location"] == back
    assert [str(message) for message in browser.get(back).context["messages"]]
    play.refresh_from_db()
    assert play.state == "void"
