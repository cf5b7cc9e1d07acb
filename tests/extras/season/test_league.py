"""A league: five weekly evenings, each a copy of the one before, with a pasted list of partly the same people."""

from collections import defaultdict
from datetime import date
from fractions import Fraction
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.factories import Event, UserFactory, event
from tests.support.tour_evenings import add_game, over
from tests.views.organiser.conftest import Browser, form_of, paste
from tournament import actions
from tournament.extras.season.actions import put_in_season, start_season
from tournament.extras.season.queries.seasons import season_table
from tournament.models import Tournament, User
from tournament.settings import EXTRAS

pytestmark = pytest.mark.django_db

PEOPLE = [
    "Aino Mäkelä",
    "Börje Öst",
    "Cécile Noir",
    "Eva Laine, Noppa",
    "Gita Rao, Ässä",
    "Finn O’Hara",
    "Åke Ödman",
]
WEEKS = ["0123", "01245", "2346", "01356", "0146"]  # who plays, by number in PEOPLE


def play(made: Event, evening: str) -> dict[str, Fraction]:
    """One game, in which they go out in the order of the list; gives the minutes of each."""
    made.stage = made.tournament.stages.get()
    made.refresh()
    made.act(actions.check_in, entries=made.uids)
    made.act(actions.seat_table, stage=made.stage.uid, table=uuid4(), number=1, entries=made.uids)
    made.act(actions.start_stage, stage=made.stage.uid)
    seconds = [300 * number for number in range(1, len(evening))]
    add_game(made.refresh(), [*seconds, 0])
    over(made)
    return {
        PEOPLE[int(who)]: Fraction(second, 60)
        for who, second in zip(evening, [*seconds, seconds[-1]], strict=True)
    }


@pytest.mark.skipif("imports" not in EXTRAS, reason="an extra reads lists")
def test_season_is_right_without_a_merge_by_hand(browser: Browser, organiser: User) -> None:
    made = event("kpgut-2016", user=organiser, name="Evening 1", starts_on=date(2026, 1, 1))
    made.act(actions.plan_stage, stage=uuid4(), kind="session")
    uid = uuid4()
    made.act(start_season, season=uid, name="Thursdays")
    following = reverse("season-next", args=[made.tournament.organiser.uid, uid])
    minutes: dict[str, list[Fraction]] = defaultdict(list)
    for week, evening in enumerate(WEEKS):
        if week:
            copied = browser.get(following)["Location"]
            asked = form_of(browser, copied) | {"starts_on": f"2026-01-{1 + 7 * week:02d}"}
            assert asked["name"] == f"Evening {week + 1}"
            assert browser.post(copied, asked).status_code == 303
            made = Event(Tournament.objects.get(name=asked["name"]), organiser)
        assert (
            paste(browser, made.tournament, "\n".join(PEOPLE[int(who)] for who in evening)).status_code == 303
        )
        for who, points in play(made, evening).items():
            minutes[who].append(points)
    found = season_table(uid)
    assert found
    assert len(found.evenings) == len(WEEKS)
    assert {
        ", ".join(filter(None, (found.names[line.player], found.clubs[line.player]))): (
            line.games,
            line.value,
        )
        for line in found.standings
    } == {who: (len(each), sum(each) / len(each)) for who, each in minutes.items()}


def test_next_evening_is_the_organisers(browser: Browser, organiser: User) -> None:
    made = event("kpgut-2016", user=organiser)
    uid = uuid4()
    made.act(start_season, season=uid, name="Thursdays")
    page = reverse("season-next", args=[made.tournament.organiser.uid, uid])
    assert browser.get(page)["Location"] == reverse("organise-copy", args=[made.tournament.slug])
    stranger = Client()
    stranger.force_login(UserFactory())
    assert stranger.get(page).status_code == 404
    made.act(put_in_season, season=uid, belongs=False)
    assert browser.get(page).status_code == 404
