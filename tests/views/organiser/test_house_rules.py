"""A ruleset is one file: the one that docs/adding.md shows is placed in a folder and played, from the form of a
new event to the workbook and the archive."""

import json
import re
from contextlib import redirect_stdout
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.checks import run_checks
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from openpyxl import load_workbook

from scoring import score
from tests.support.archives import comes_back
from tests.support.desk import hands, hidden
from tests.support.house_rules import HOUSE, place
from tests.support.pages import folded
from tests.views.organiser.conftest import Browser
from tests.views.organiser.programme.test_evening import create, enter, press, seat
from tournament.models import Stage, Table


def text_of(answer: Any) -> str:
    assert answer.status_code == 200
    return " ".join(re.sub(r"<[^>]*>", " ", answer.content.decode()).split())


def enter_round(browser: Browser, table: Table, winner: int, *held: dict[str, int]) -> str:
    """Enter a round on the card pad, by seat, read it back and save it; gives what was read."""
    seated = list(table.seats.order_by("position").values_list("entry__uid", flat=True))
    cards = hands(
        *((uid, card, n) for uid, hand in zip(seated, held, strict=True) for card, n in hand.items())
    )
    page = browser.get(reverse("table", args=[table.uid]))
    typed = {**hidden(page), **cards, "winner": str(seated[winner]), "last": "", "step": "look"}
    record = reverse("table-record", args=[table.uid])
    look = browser.post(record, typed)
    saved = browser.post(record, {**hidden(look), "step": "save"})
    assert saved.status_code == 303, text_of(look)
    return text_of(look)


@pytest.mark.sweep
@pytest.mark.django_db
def test_the_file_of_the_page_is_played_through_pages_and_export(browser: Browser, folder: Path) -> None:
    place(folder)
    assert run_checks() == []

    tournament = create(browser, f"match.{HOUSE}")
    stage = tournament.stages.get()
    assert (tournament.ruleset, stage.settings) == (HOUSE, {"target": 300})
    enter(browser, tournament, 3)
    seat(browser, stage, 1)
    assert press(browser, stage, "start").status_code == 303
    table = Table.objects.get(stage=stage)
    assert "32 points" in enter_round(browser, table, 0, {}, {"draw2": 1, "7": 1}, {"wild": 2})
    assert "200 points" in enter_round(browser, table, 1, {"draw2": 2}, {}, {"wild4": 4})

    public = Client()
    standings = text_of(public.get(reverse("stage", args=[tournament.slug, stage.uid])))
    for said in (
        "House rules 2026",
        "lowest total first",
        "Winner Player 2 32 points",
        "Player 3 200 100 300",
    ):
        assert said in standings
    first = table.seats.order_by("position")[0].entry
    why = text_of(public.get(reverse("entry", args=[tournament.slug, first.uid])))
    assert "own hand: 50 (Draw 2, Draw 2) 50 points" in why

    [shown] = public.get(f"/api/v1/stages/{stage.uid}/standings").json()["contests"]
    [sheet] = public.get(f"/api/v1/stages/{stage.uid}/sheets").json()["sheets"]
    assert [line["points"] for line in shown["answer"]["standings"]] == [32, 50, 300]
    (folder / "sheet.json").write_text(json.dumps(sheet["sheet"]))
    with redirect_stdout(StringIO()) as printed:
        call_command("score", str(folder / "sheet.json"))
    assert json.loads(printed.getvalue()) == score(sheet["sheet"]).as_json() == shown["answer"]

    workbook = public.get(reverse("data", args=[tournament.slug])).getvalue()
    cards = list(load_workbook(BytesIO(workbook))["cards"].values)
    assert ("draw2", "Draw 2", 25, 8) in cards

    comes_back(tournament)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "en",
            ["House rules 2026", "A Draw 2 left in hand is 25 points.", "Draw 2 8 25", "Alternative scoring"],
        ),
        ("fi", ["Talon säännöt 2026", "Käteen jäänyt Nosta 2 on 25 pistettä.", "Nosta 2 korttia 8 25"]),
        ("sv", ["Husets regler 2026", "A Draw 2 left in hand is 25 points."]),
    ],
)
def test_rules_page_says_what_the_file_says(folder: Path, language: str, said: list[str]) -> None:
    place(folder)
    page = text_of(Client().get(f"/{language}/rules/{HOUSE}/"))
    assert [words for words in said if words not in page] == []
    assert "Standard scoring" not in page
    assert "House rules of our club, agreed in January 2026" in page
    assert said[0] in text_of(Client().get(f"/{language}/rules/"))


@pytest.mark.parametrize(
    ("kinds", "anchors"),
    [
        ("match", ["cards", "points"]),
        ("heats", ["cards"]),
        ("session", ["cards", "early", "points"]),
    ],
)
def test_without_a_wording_the_rules_page_says_what_the_data_says(
    folder: Path, kinds: str, anchors: list[str]
) -> None:
    plain = f'penalties=(), wording="", kinds=("{kinds}",), points=frozen({{**CARD_POINTS, "7": 0, '
    few = """scorings=(OWN_HAND,),
    deck=frozen({"7": 4, "skip": 1}), least_target=900, most_target=950, """
    plain = f"players_per_deck=5, {plain}" if kinds == "session" else plain
    place(folder, **{"points=frozen({**CARD_POINTS, ": plain, "scorings=(OWN_HAND,),": few, "=300": "=None"})
    page = Client().get(f"/en/rules/{HOUSE}/").content.decode()
    assert re.findall(r'<section class="panel stack rules__section" id="(.*?)"', page) == anchors
    assert "its number" not in page
    assert ">None<" not in page
    assert "Draw 4" not in page


@pytest.mark.django_db
def test_what_a_ruleset_plays_is_offered_for_a_new_event(browser: Browser, folder: Path) -> None:
    place(folder, **{"scorings=(OWN_HAND,),": 'scorings=(OWN_HAND, "winner_takes"),'})
    page = browser.get(reverse("organise-new"))
    offered = re.findall(r'name="template" value="(.*?)"', folded(page))
    assert offered[:4] == ["session", "match", "race", "championship"]
    own = [f"{kind}.{HOUSE}" for kind in ("match", "race", "championship")]
    assert [name for name in offered if HOUSE in name] == own
    create(browser, f"match.{HOUSE}")
    create(browser, f"race.{HOUSE}", scoring="winner_takes", rank="total", shape="race")
    cup = create(browser, f"championship.{HOUSE}", scoring="winner_takes", expected="12")
    settings = [stage.settings for stage in Stage.objects.order_by("tournament", "number")]
    final = {"target": 300, "scoring": "winner_takes"}
    race = {"scoring": "winner_takes", "rank": ["total"]}
    assert settings == [{"target": 300, "scoring": "own_hand"}, race, {"advance": 2}, final]
    assert cup.ruleset == HOUSE
