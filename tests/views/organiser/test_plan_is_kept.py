"""A plan that is used is the draw that comes, or a sentence says the difference: asked of each number of players, and
of evenings that are planned, filled and drawn on the organiser's pages."""

import random
import re

import pytest
from django.urls import reverse

from tests.depth import deep
from tests.support.factories import Event, event
from tests.views.organiser.conftest import Browser
from tests.views.organiser.test_seats_page import page_of, planned_event, seats_now
from tournament import actions
from tournament.models import Stage, User
from tournament.pages.organiser.draws import Proposal, Situation, sizes_of
from tournament.seating import Impossible, Sizes, levels
from tournament.views.organiser.seats import Shown, _differs

pytestmark = pytest.mark.django_db
MOST_PLAYERS = 200


def planned_for(players: int, most: int, advance: int | None) -> tuple[Stage, Sizes] | None:
    """The first stage of the plan for so many players, and its tables; None where there is no such plan."""
    try:
        first = levels(players, most=most, advance=advance, final_most=6, final_least=min(4, players, most))[
            0
        ]
    except Impossible:
        return None
    plan = {"players": players, "tables": len(first.sizes), "most": most}
    return Stage(kind=first.kind, plan=plan, state=Stage.State.PLANNED), first.sizes


def drawn_for(stage: Stage, come: int, wish: int | None) -> tuple[Sizes, str] | None:
    """The tables of the draw for so many, and what the page says of the plan; None where the page says what is
    impossible instead."""
    situation = Situation(stage, {}, {}, frozenset(), frozenset(), (), ())
    try:
        sizes = sizes_of(situation, come, {"tables": wish})
    except Impossible:
        return None
    seated = {number: [""] * size for number, size in enumerate(sizes, 1)}
    return sizes, _differs(situation, Shown({}, Proposal(seated)))


def test_draw_keeps_to_the_plan_or_a_sentence_says_the_difference_for_2_to_200_players() -> None:
    chance = random.Random(1)  # the same evenings at every run
    kept = told = refused = unplanned = 0
    for planned in range(2, MOST_PLAYERS + 1):
        for most in range(3, 11):
            found = planned_for(planned, most, chance.choice([None, 1, 2]))
            if found is None:
                unplanned += 1
                continue
            stage, tables = found
            for come in {planned, max(2, planned - chance.randint(1, 8)), chance.randint(2, MOST_PLAYERS)}:
                wish = chance.choice([None, None, chance.randint(1, 40)]) if stage.kind == "heats" else None
                draw = drawn_for(stage, come, wish)
                if draw is None:
                    refused += 1
                    assert come != planned or wish, "a plan that cannot be drawn as it is"
                    continue
                sizes, differs = draw
                assert sum(sizes) == come
                assert wish is None or len(sizes) == wish
                if come == planned and wish is None:
                    assert sizes == tables
                assert bool(differs) is (len(sizes) != len(tables))
                if differs:
                    told += 1
                    numbers = [int(number) for number in re.findall(r"\d+", differs)]
                    assert {planned, come, len(tables), len(sizes)} <= set(numbers) | {1}
                else:
                    kept += 1
    assert min(kept, told, refused) > 300, (kept, told, refused)
    assert unplanned < 200


@pytest.mark.hypothesis  # one of the properties, with chances of its own: `make properties` tries all of them
@pytest.mark.parametrize("seed", range(deep(40)))
def test_plan_that_is_used_on_the_page_is_drawn_or_the_page_says_why_not(
    browser: Browser, organiser: User, seed: int
) -> None:
    """Planned for everybody entered; some do not come, some are expected and not here yet."""
    chance = random.Random(seed)
    planned, absent, late = chance.randint(7, 60), chance.randint(0, 12), chance.randint(0, 5)
    made = planned_on_the_page(browser, organiser, planned, most=chance.randint(4, 8))
    gone = made.uids[: min(absent, planned - 3)]
    if gone:
        made.act(actions.no_show, entries=gone)
    if here := made.uids[len(gone) + late :]:
        made.act(actions.check_in, entries=here)
    page = browser.get(page_of(made, "?draw=1&asked=1&order=drawn&who=expected"), follow=True)
    shown = [len(card.rows) for card in page.context["cards"]]
    if page.context["impossible"]:
        assert gone
        return
    assert sum(shown) == planned - len(gone)
    tables = made.stage.plan.get("tables", 1)
    assert bool(page.context["differs"]) is (len(shown) != tables)
    if not gone:
        assert len(shown) == tables


def planned_on_the_page(browser: Browser, organiser: User, players: int, *, most: int) -> Event:
    """An event whose plan for so many players is used; its stage is the first."""
    made = event("tite-2022", players=players, user=organiser)
    levels_page = reverse("organise-levels", args=[made.tournament.slug])
    query = f"?players={players}&most={most}&final_most=6&minutes=20&pause=10&target=250"
    assert browser.send(levels_page + query, "/levels/").status_code == 303
    made.stage = Stage.objects.filter(tournament=made.tournament).order_by("number")[0]
    return made


@pytest.mark.parametrize(
    ("planned", "counted", "tables"), [(42, 37, [5] * 5 + [6] * 2), (42, 42, [6] * 7), (11, 11, [5, 6])]
)
def test_championship_is_drawn_to_the_tables_of_its_plan(
    browser: Browser, organiser: User, planned: int, counted: int, tables: list[int]
) -> None:
    """42 planned and 37 counted are seven tables; of 11, two heats of which two go through."""
    made = planned_on_the_page(browser, organiser, planned, most=6)
    if planned > counted:
        made.act(actions.no_show, entries=made.uids[counted:])
    made.act(actions.check_in, entries=made.uids[: counted - 3])
    browser.send(page_of(made, "?draw=1&asked=1&order=drawn&who=expected"), "/seats/")
    assert sorted(map(len, seats_now(made).values())) == tables


def test_wish_for_tables_is_kept_or_refused_in_words(browser: Browser, organiser: User) -> None:
    made = planned_event(organiser, 19, "session", "kpgut-2016")
    browser.send(page_of(made, "?draw=1&asked=1&order=drawn&who=present&tables=3"), "/seats/")
    assert sorted(map(len, seats_now(made).values())) == [6, 6, 7]
    few = planned_event(organiser, 12)
    page = browser.get(page_of(few, "?draw=1&tables=40"), follow=True)
    assert page.context["impossible"].startswith("40 tables are too many for 12 players")
    assert page.context["form"]["tables"].value() in {40, "40"}
