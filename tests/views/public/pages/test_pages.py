"""The published pages: what everybody sees of each kind of contest, and what nobody may see."""

import re
from collections.abc import Callable
from datetime import date
from fractions import Fraction
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.arriving import opened
from tests.support.factories import (
    Event,
    StaffFactory,
    event,
    recorded_round,
    running_heats,
    running_match,
    running_session,
)
from tests.support.pages import ended, folded, game, of_player, of_stage, out, page, queries
from tests.support.uids import without_uids
from tournament import actions
from tournament.models import Player, Tournament
from tournament.words.text import average_text

pytestmark = pytest.mark.django_db

NASTY = [
    "<script>alert('x')</script>",
    "Ada 🃏👩‍👩‍👧‍👦",
    "محمد بن عبد الله",
    "W" * 100,
]


# ---- what pages show ----


def test_front_door_leads_to_the_language_of_the_browser(client: Client) -> None:
    for asked, address in (("fi", "/fi/"), ("sv-FI,en;q=0.5", "/sv/"), ("de", "/en/")):
        response = client.get("/", headers={"accept-language": asked})
        assert (response.status_code, response["Location"]) == (302, address)


def test_list_names_listed_tournaments_with_running_ones_first(client: Client) -> None:
    opened(event(name="Planned night"))
    running_match()
    opened(event(name="Secret night", listed=False))
    event(name="By mistake")
    running = running_match(2)
    text = client.get("/en/").content.decode()
    assert text.index(running.tournament.name) < text.index("Planned night")
    assert "Secret night" not in text
    assert "By mistake" not in text


@pytest.mark.parametrize("address", ["/en/", "/en/organise/"], ids=["the list", "my events"])
def test_past_events_are_below_what_runs_and_comes_and_only_the_newest_are_seen(
    client: Client, address: str
) -> None:
    admin = StaffFactory(is_superuser=True)
    client.force_login(admin)
    names = [f"Past {month}" for month in range(1, 9)]
    for month, name in enumerate(names, 1):
        event(name=name, user=admin, starts_on=date(2026, month, 9))
    Tournament.objects.update(state="finished")
    opened(event(name="Next year", user=admin, starts_on=date(2027, 1, 9)))
    opened(event(name="Next week", user=admin, starts_on=date(2026, 10, 9)))
    tonight = event(name="Tonight", user=admin, starts_on=date(2026, 10, 2))
    Tournament.objects.filter(pk=tonight.tournament.pk).update(state="running")
    text = folded(client.get(address))
    order = ["Tonight", "Next week", "Next year", '<h2 id="past">Past events</h2>', *reversed(names)]
    order.insert(order.index("Past 2"), '<details id="earlier"> <summary>Show all</summary>')
    at = [text.index(f">{each}<" if each[0] != "<" else each) for each in order]
    assert at == sorted(at)


def test_unlisted_tournament_is_at_its_address_and_asks_not_to_be_indexed(client: Client) -> None:
    made = event(name="Secret night", listed=False)
    assert "noindex" in page(client, made)
    assert "noindex" not in page(client, event())


@pytest.mark.parametrize("name", ["tournament", "players"])
def test_players_stand_by_the_alphabet_without_who_never_came(client: Client, name: str) -> None:
    made = event(language="fi")
    names = ("Örn", "Zoe", "Aino", "Gone")
    uids = [uuid4() for _name in names]
    rows = [
        {"entry": uid, "name": each, "club": f"Club {each}"} for uid, each in zip(uids, names, strict=True)
    ]
    made.act(actions.enter_players, players=rows)
    made.act(actions.no_show, entries=uids[3:])
    shown = client.get(reverse(name, args=[made.tournament.slug])).content.decode()
    assert re.findall(r"<bdi>(Aino|Zoe|Örn|Gone)</bdi>", shown) == ["Aino", "Zoe", "Örn"]
    assert "Club Zoe" in shown


def test_tournament_without_stages_names_its_players(client: Client) -> None:
    assert "Aino" in page(client, event("mattel-108", 3))


def test_player_page_lists_every_game_with_place_and_points(client: Client) -> None:
    made = running_session(3)
    game(made, out(made, 0, 600), out(made, 1, 1230), ended(made, 2, "last"))
    text = page(client, made, of_player(made.entries[1]))
    assert "Game 1" in text
    assert "Out after 20 min 30 s: 20 points" in text
    assert "20.00" in text
    text = page(client, running := running_match(3), of_player(running.entries[0]))
    recorded_round(running)
    assert "won" in page(client, running, of_player(running.entries[0]))


# ---- names, secrets, addresses ----


@pytest.mark.parametrize("build", [running_match, running_session, running_heats])
def test_names_in_any_script_are_escaped_and_isolated(client: Client, build: Callable[..., Event]) -> None:
    made = build(players=6)
    for entry, name in zip(made.entries, NASTY, strict=False):
        made.act(
            actions.edit_entry,
            entry=entry.uid,
            public_name=name,
            start_number=entry.start_number,
            club="<b>" + name[:90],
        )
    made.refresh()
    for text in (
        page(client, made),
        page(client, made, of_stage(made)),
        page(client, made, of_player(made.entries[0])),
    ):
        assert "<script>alert" not in text
        assert "<b>" not in text
        assert "&lt;script&gt;" in text
    assert f"<bdi>{NASTY[2]}</bdi>" in page(client, made)


def test_private_facts_are_nowhere(client: Client) -> None:
    made = running_session(3)
    Player.objects.filter(entries__in=made.entries).update(
        birth_date=date(1987, 6, 5), contact="canary@example.org"
    )
    game(made, out(made, 0, 600), out(made, 1, 1200), ended(made, 2, "last"))
    for text in (
        page(client, made),
        page(client, made, of_stage(made)),
        page(client, made, of_player(made.entries[0])),
    ):
        assert "canary" not in text
        assert "1987" not in without_uids(text)
        assert made.user.username not in text


@pytest.mark.parametrize("signed_in", [False, True])
def test_bytes_are_the_same_for_everybody(client: Client, signed_in: bool) -> None:
    made = running_match(3)
    recorded_round(made)
    addresses = [
        "/en/",
        *(
            f"/en/t/{made.tournament.slug}/{rest}"
            for rest in ("", of_stage(made), of_player(made.entries[0]))
        ),
    ]
    strangers = [Client(headers={"host": "elsewhere.test"}).get(address).content for address in addresses]
    if signed_in:
        client.force_login(StaffFactory())
    for address, bytes_ in zip(addresses, strangers, strict=True):
        response = client.get(address)
        assert response.content == bytes_
        assert not response.cookies
        assert b"csrfmiddlewaretoken" not in bytes_
        assert b"elsewhere.test" not in bytes_
        assert b'data-version="' in bytes_
        assert client.head(address).status_code == 200
        assert client.post(address).status_code == 405


def test_pages_of_one_tournament_are_not_found_under_another(client: Client) -> None:
    made, other = running_match(3), running_match(3)
    page(client, other, of_stage(made), status=404)
    page(client, other, of_player(made.entries[0]), status=404)
    page(client, made, f"stage/{uuid4()}/", status=404)
    assert client.get("/en/t/no-such-event/").status_code == 404
    assert client.get(f"/en/t/{made.tournament.slug}/stage/7/").status_code == 404


def test_stage_leads_to_the_results_in_excel(client: Client) -> None:
    made = running_match(players=2)
    assert f'href="/en/t/{made.tournament.slug}/results.xlsx"' in page(client, made, of_stage(made))


def test_language_switch_leads_to_the_same_page(client: Client) -> None:
    made = running_match(3)
    text = page(client, made, of_stage(made), "fi")
    assert f"/sv/t/{made.tournament.slug}/{of_stage(made)}" in text
    assert '<html lang="fi">' in text


# ---- what it costs ----


def test_list_asks_as_often_for_one_tournament_as_for_three(client: Client) -> None:
    running_match(2)
    one = queries(client, "/en/?1")
    running_match(2)
    running_session(2)
    assert queries(client, "/en/?3") == one <= 4


@pytest.mark.parametrize(
    ("average", "text"),
    [
        (Fraction(37, 3), "12.33"),
        (Fraction(1, 8), "0.13"),
        (Fraction(12), "12.00"),
        (Fraction(1999, 1000), "2.00"),
        (None, "–"),
    ],
)
def test_averages_are_rounded_half_up(average: Fraction | None, text: str) -> None:
    assert average_text(average) == text
