"""Cards have the names that the ruleset's own sheet gives them (fixtures/sheet_questions), wherever they are named."""

import re
from html import unescape
from io import BytesIO
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override
from openpyxl import load_workbook

from tests.support.desk import as_referee, text
from tests.support.factories import Event, recorded_round, running_match, running_session
from tests.support.pages import ended, game, of_player, out, page
from tournament.models import Play
from tournament.results.faults import Refused
from tournament.settings import EXTRAS
from tournament.words.faults import fault_text
from tournament.words.penalties import penalty_texts

SHEETS = Path("fixtures/sheet_questions")
# The names of cards that a sheet has of its own: ruleset and language -> card -> name.
SAID = {
    ("kpgut-2016", "fi"): {
        "draw2": "Nosta 2",
        "reverse": "Suunnanvaihto",
        "skip": "Ohitus",
        "wild": "Villi",
        "wild4": "Villi+Nosta 4",
    },
    ("kpgut-2016", "en"): {
        "draw2": "Draw 2",
        "reverse": "Reverse",
        "skip": "Skip",
        "wild": "Wild",
        "wild4": "Wild+Draw 4",
    },
    ("mattel-108", "fi"): {
        "draw2": "Nosta 2 korttia",
        "reverse": "Suunnanvaihto",
        "skip": "Ohitus",
        "wild": "Villi kortti",
        "wild4": "Villi nosta 4 korttia",
    },
    ("mattel-112", "fi"): {
        "draw2": "Nosta 2",
        "reverse": "Suunnanvaihto",
        "skip": "Ohitus",
        "wild": "Jokeri",
        "wild4": "Nosta 4 -jokeri",
        "shuffle": "Sekoita kortit -jokeri",
        "custom": "Mukautettava jokeri",
    },
    ("tite-2022", "fi"): {
        "draw2": "Nosta 2",
        "reverse": "Suunnanvaihto",
        "skip": "Ohitus",
        "wild4": "Nosta 4",
    },
    ("tite-2022", "en"): {"draw2": "Draw 2", "reverse": "Reverse", "skip": "Skip", "wild4": "Draw 4"},
}
each_sheet = pytest.mark.parametrize(("ruleset", "language"), SAID)


@each_sheet
def test_the_names_are_those_of_the_sheet(ruleset: str, language: str) -> None:
    lines = (SHEETS / f"{ruleset}.{language}.names.tsv").read_text().splitlines()
    assert set(SAID[ruleset, language].values()) <= {line.partition("\t")[0] for line in lines}


@each_sheet
@pytest.mark.django_db
def test_the_rules_name_each_card(client: Client, ruleset: str, language: str) -> None:
    page = client.get(f"/{language}/rules/{ruleset}/").content.decode()
    assert [name for name in SAID[ruleset, language].values() if f">{name}<" not in page] == []


@each_sheet
def test_the_penalties_name_the_card(ruleset: str, language: str) -> None:
    with override(language):
        happened, _follows = penalty_texts(ruleset, "wild4_challenged_rightly")
    assert happened.startswith(f"{SAID[ruleset, language]['wild4']} ")


def played(ruleset: str, *, cards: int = 1) -> Event:
    """A table of three where the second player holds so many of each special card."""
    hand = dict.fromkeys(SAID[ruleset, "fi"], cards)
    if ruleset != "kpgut-2016":
        made = running_match(3, ruleset)
        recorded_round(made, None, **{str(made.at(made.table)[1]): hand})
        return made
    made = running_session(3)
    game(
        made, out(made, 0, 60), *(ended(made, n, "remaining") | {"hand": hand} for n in (1, 2)), ended="time"
    )
    return made


def missing(ruleset: str, language: str, page: str, around: str) -> list[str]:
    """The names of the sheet's cards that the page does not have, each where this pattern has NAME."""
    names, page = SAID[ruleset, language].values(), unescape(page)
    return [name for name in names if not re.search(around.replace("NAME", re.escape(name)), page)]


def on_desk(made: Event, language: str, name: str, *args: object) -> str:
    with override(language):
        return text(as_referee(made).get(reverse(name, args=args)))


@each_sheet
@pytest.mark.django_db
def test_the_card_pad_names_each_card(ruleset: str, language: str) -> None:
    made = played(ruleset)
    pad = on_desk(made, language, "table-record" if ruleset == "kpgut-2016" else "table", made.table.uid)
    assert missing(ruleset, language, pad, 'data-label="NAME"') == []
    assert missing(ruleset, language, pad, 'class="visually-hidden">NAME<') == []
    if ruleset != "kpgut-2016":
        assert missing(ruleset, language, pad, "<dd>NAME<") == []  # the keys of a keyboard
        assert f"{SAID[ruleset, language]['draw2']}</label>" in pad  # the last card played


@each_sheet
@pytest.mark.django_db
def test_what_was_entered_names_each_card(ruleset: str, language: str) -> None:
    made = played(ruleset)
    read = on_desk(made, language, "play", Play.objects.get().uid)
    assert missing(ruleset, language, read, 'aria-label="NAME"') == []


@pytest.mark.parametrize(("ruleset", "language"), [each for each in SAID if each[0] != "kpgut-2016"])
@pytest.mark.django_db
def test_the_reasons_of_a_place_name_each_card(client: Client, ruleset: str, language: str) -> None:
    made = played(ruleset)
    winner = Play.objects.get().results.get(outcome="won").entry
    assert missing(ruleset, language, page(client, made, of_player(winner), language), "[(,] ?NAME[,)]") == []


@pytest.mark.skipif("workbook" not in EXTRAS, reason="an extra writes the file")
@each_sheet
@pytest.mark.django_db
def test_the_data_name_each_card(client: Client, ruleset: str, language: str) -> None:
    made = played(ruleset)
    made.tournament.language = language
    made.tournament.save()
    file = client.get(f"/{language}/t/{made.tournament.slug}/data.xlsx").getvalue()
    _headings, *cards = load_workbook(BytesIO(file))["cards"].iter_rows(values_only=True)
    assert {card: name for card, name, *_points in cards}.items() >= SAID[ruleset, language].items()


@each_sheet
@pytest.mark.django_db
def test_what_is_wrong_with_a_hand_names_the_card(ruleset: str, language: str) -> None:
    with pytest.raises(Refused) as refused:
        played(ruleset, cards=99)
    with override(language):
        said = [fault_text(fault).partition(":")[0] for fault in refused.value.faults]
    assert said == list(SAID[ruleset, language].values())


@each_sheet
@pytest.mark.django_db
def test_what_a_phone_keeps_names_each_card(ruleset: str, language: str) -> None:
    kept = on_desk(played(ruleset), language, "desk-outbox")
    for card, name in SAID[ruleset, language].items():
        assert f'<template data-names="{ruleset} {card}">{name}</template>' in kept
