"""The published pages: what everybody sees of each kind of contest, and what nobody may see."""

import re
from collections.abc import Callable
from datetime import date
from fractions import Fraction
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

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
from tests.support.pages import folded
from tests.support.uids import without_uids
from tournament import actions
from tournament.models import Entry, Player, Stage, Tournament
from tournament.results.contests import forget
from tournament.words.text import average_text

pytestmark = pytest.mark.django_db

NASTY = [
    "<script>alert('x')</script>",
    "Ada 🃏👩‍👩‍👧‍👦",
    "محمد بن عبد الله",
    "W" * 100,
]


def page(client: Client, made: Event, rest: str = "", language: str = "en", status: int = 200) -> str:
    """The text of a page under the tournament's address."""
    response = client.get(f"/{language}/t/{made.tournament.slug}/{rest}")
    assert response.status_code == status
    return folded(response)


def of_stage(made: Event) -> str:
    return f"stage/{made.stage.uid}/"


def of_player(entry: Entry) -> str:
    return f"player/{entry.uid}/"


def game(made: Event, *results: dict[str, Any], ended: str = "last", **more: Any) -> None:
    made.act(
        actions.record_game,
        table=made.table.uid,
        play=uuid4(),
        number=made.table.plays.count() + 1,
        ended=ended,
        results=list(results),
        **more,
    )


def out(made: Event, index: int, elapsed_s: int) -> dict[str, Any]:
    return {"entry": made.uids[index], "outcome": "out", "elapsed_s": elapsed_s}


def ended(made: Event, index: int, outcome: str) -> dict[str, Any]:
    return {"entry": made.uids[index], "outcome": outcome}


# ---- what pages show ----


def test_front_door_leads_to_the_language_of_the_browser(client: Client) -> None:
    for asked, address in (("fi", "/fi/"), ("sv-FI,en;q=0.5", "/sv/"), ("de", "/en/")):
        response = client.get("/", headers={"accept-language": asked})
        assert (response.status_code, response["Location"]) == (302, address)


def test_list_names_listed_tournaments_with_running_ones_first(client: Client) -> None:
    event(name="Planned night")
    running_match()
    event(name="Secret night", listed=False)
    running = running_match(2)
    text = client.get("/en/").content.decode()
    assert text.index(running.tournament.name) < text.index("Planned night")
    assert "Secret night" not in text


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
    event(name="Next year", user=admin, starts_on=date(2027, 1, 9))
    event(name="Next week", user=admin, starts_on=date(2026, 10, 9))
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


def test_session_shows_leader_last_and_exact_averages_rounded(client: Client) -> None:
    made = running_session(3)
    game(made, out(made, 0, 600), out(made, 1, 1230), ended(made, 2, "last"))
    game(made, out(made, 0, 660), ended(made, 2, "last"))
    text = page(client, made)
    assert "Leads" in text
    assert "Last place so far" in text
    assert "10.50" in text  # Aino: 10 and 11 in two games
    assert "20.00" in text  # the last of a game has the minutes at which it ended
    assert "15.50" in text
    assert 'class="is-best"' in text
    assert "10,50" in page(client, made, language="fi")


def test_finished_session_names_winner_and_loser(client: Client) -> None:
    made = running_session(2)
    game(made, out(made, 0, 600), ended(made, 1, "last"))  # level points, so nobody lost
    made.act(actions.finish_stage, stage=made.stage.uid)
    text = page(client, made)
    assert "Winner" in text
    assert "Loser" not in text
    made = running_session(3)
    game(made, out(made, 0, 600), out(made, 1, 1200), ended(made, 2, "last"))
    game(made, out(made, 0, 600), ended(made, 2, "last"))
    made.act(actions.finish_stage, stage=made.stage.uid)
    text = page(client, made)
    assert "Loser" in text
    assert "Last place so far" not in text


def test_session_words_statuses_and_shows_who_moved(client: Client) -> None:
    made = running_session(5, min_games=2)
    game(made, out(made, 0, 600), out(made, 1, 900), out(made, 2, 1200), ended(made, 3, "last"))
    game(
        made,
        out(made, 1, 60),
        out(made, 0, 1800),
        ended(made, 2, "ejected"),
        ended(made, 3, "last"),
        duration_s=1900,
    )
    made.act(actions.player_leaves, entry=made.uids[3])
    text = page(client, made)
    assert "Disqualified" in text
    assert "Not played yet" in text
    assert "Left" in text
    assert "Too few games" not in text
    game(made, out(made, 1, 60), ended(made, 4, "last"))
    text = page(client, made)
    assert "Too few games" in text


def test_movement_is_what_the_last_game_changed(client: Client) -> None:
    made = running_session(3)
    game(made, out(made, 0, 600), out(made, 1, 1200), ended(made, 2, "last"))
    assert "movement--" not in page(client, made)
    game(made, out(made, 1, 60), out(made, 0, 3000), ended(made, 2, "last"))
    text = page(client, made)
    assert "up 1 place" in text
    assert "down 1 place" in text


def test_running_game_shows_since_when_and_who_is_still_in(client: Client) -> None:
    made = running_session(4)
    play = started_game(made, elapsed_s=1000)
    made.act(actions.record_out, play=play, entry=made.uids[1], elapsed_s=750)
    text = page(client, made)
    assert "Still in" in text
    assert "out after 12:30" in text
    started = made.play(play).started_at
    assert started is not None
    assert f'datetime="{started.astimezone().year}' in text
    assert "Running" in page(client, made, of_player(made.entries[0]))


def test_times_stand_in_the_zone_of_the_tournament(client: Client) -> None:
    made = add_stage(event("kpgut-2016", 3, time_zone="Asia/Kolkata"), "session")
    play = started_game(made)
    started = made.play(play).started_at
    assert started is not None
    assert "+05:30" in page(client, made)


def test_match_shows_points_missing_and_every_round(client: Client) -> None:
    made = running_match(3)
    recorded_round(made, None, **{str(made.uids[1]): {"wild": 2, "9": 1}})
    text = page(client, made)
    assert "Leads" in text
    assert "116" in text  # 50 + 50 + 9 from one, 7 from the other
    assert "384 points missing" in text


def test_complete_match_names_its_winner(client: Client) -> None:
    made = running_match(3, target=10)
    recorded_round(made)
    text = page(client, made, of_stage(made))
    assert "Winner" in text
    assert "missing" not in text


def test_own_hand_says_that_the_lowest_wins(client: Client) -> None:
    made = running_match(3, scoring="own_hand", target=20)
    recorded_round(made)
    assert "13 points away" in page(client, made)


def test_stopped_match_and_those_who_left_are_worded(client: Client) -> None:
    made = running_match(4)
    recorded_round(made)
    made.act(actions.player_leaves, entry=made.uids[3])
    made.act(actions.remove_player, entry=made.uids[2], reason="private words")
    made.act(actions.stop_match, table=made.table.uid, reason="other private words")
    text = page(client, made, of_stage(made))
    for word in ("Stopped early", "Left", "Disqualified", "Winner"):
        assert word in text
    assert "private words" not in text


def test_walkover_ends_the_match(client: Client) -> None:
    made = running_match(2)
    made.act(actions.player_leaves, entry=made.uids[1])
    text = page(client, made, of_stage(made))
    assert "Winner" in text
    assert page(client, made, of_player(made.entries[0]))


def test_several_tables_are_a_match_each(client: Client) -> None:
    made = running_match(6, tables=2)
    recorded_round(made)
    text = page(client, made, of_stage(made))
    assert "Table 1" in text
    assert "Table 2" in text
    assert text.count("Leads") == 1


def test_void_and_set_aside_plays_are_listed_as_such(client: Client) -> None:
    made = running_match(3, target=30)
    first = recorded_round(made)
    recorded_round(made)
    recorded_round(made)  # over: 42 points
    version = made.play(first).version
    hands = {str(uid): {"wild": 1} for uid in made.uids[1:]}
    made.act(
        actions.correct_round,
        play=first,
        version=version,
        reason="private words",
        winner=made.uids[0],
        hands=hands,
    )
    text = page(client, made, of_stage(made))
    assert text.count("Set aside") == 2
    assert "private words" not in text
    made.act(actions.void_play, play=first, version=made.play(first).version, reason="private words")
    text = page(client, made, of_stage(made))
    assert "Void" in text
    assert "Void" in page(client, made, of_player(made.entries[1]))


def test_heats_show_places_and_who_goes_through(client: Client) -> None:
    made = running_heats(8, tables=2, advance=2)
    recorded_heat(made)
    text = page(client, made)
    assert "Heat 1" in text
    assert re.findall(r'id="heat-\d">.*?data-status="(\w+)"', text) == ["finished", "running"]
    assert "2 through" in text
    assert text.count('data-status="through"') == 2


def test_final_after_heats_is_what_the_tournament_shows(client: Client) -> None:
    made = running_heats(8, tables=4)
    for table in made.tables:
        recorded_heat(made, table)
    made.act(actions.finish_stage, stage=made.stage.uid)
    final = uuid4()
    made.act(actions.plan_stage, stage=final, kind="final", settings={"target": 300})
    made.act(actions.fill_stage, stage=final)
    heats = of_stage(made)
    made.stage = Stage.objects.get(uid=final)
    assert "Table 1" in page(client, made, of_stage(made))  # planned: who sits where
    made.act(actions.start_stage, stage=final)
    made.refresh()
    recorded_round(made)
    text = page(client, made)
    assert text.index("Leads") < text.index("Heats")
    assert "Through" in page(client, made, heats)
    assert "Through" in page(client, made, of_player(made.entries[0]))


def test_planned_stage_shows_the_seats(client: Client) -> None:
    made = add_stage(event("mattel-108", 5), "match", tables=2, start=False)
    text = page(client, made)
    assert "Table 2" in text
    assert "Table 2" in page(client, made, of_player(made.entries[1]))


def test_a_final_shows_its_seats_before_its_target_is_chosen(client: Client) -> None:
    made = add_stage(event("tite-2022", 4), "final", start=False)
    assert "Table 1" in page(client, made, of_stage(made))
    assert "Table 1" in page(client, made, of_player(made.entries[1]))


def test_tournament_without_stages_names_its_players(client: Client) -> None:
    assert "Aino" in page(client, event("mattel-108", 3))


def test_player_page_lists_every_game_with_place_and_points(client: Client) -> None:
    made = running_session(3)
    game(made, out(made, 0, 600), out(made, 1, 1230), ended(made, 2, "last"))
    text = page(client, made, of_player(made.entries[1]))
    assert "Game 1" in text
    assert "out at 20:30" in text
    assert "20.00" in text
    text = page(client, running := running_match(3), of_player(running.entries[0]))
    recorded_round(running)
    assert "won the round" in page(client, running, of_player(running.entries[0]))


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


def test_language_switch_leads_to_the_same_page(client: Client) -> None:
    made = running_match(3)
    text = page(client, made, of_stage(made), "fi")
    assert f"/sv/t/{made.tournament.slug}/{of_stage(made)}" in text
    assert '<html lang="fi">' in text


# ---- what it costs ----


def queries(client: Client, address: str) -> int:
    with CaptureQueriesContext(
        connection,
    ) as captured:
        assert client.get(address).status_code == 200
    return len(captured)


def test_list_asks_as_often_for_one_tournament_as_for_three(client: Client) -> None:
    running_match(2)
    one = queries(client, "/en/?1")
    running_match(2)
    running_session(2)
    assert queries(client, "/en/?3") == one <= 4


def test_stage_asks_as_often_for_one_round_as_for_three(client: Client) -> None:
    made = running_match(3, tables=1)
    address = f"/en/t/{made.tournament.slug}/{of_stage(made)}"
    recorded_round(made)
    one = queries(client, address)
    recorded_round(made)
    recorded_round(made)
    assert queries(client, address) == one <= 11


def test_heats_page_asks_as_often_for_one_heat_as_for_four(client: Client) -> None:
    made = running_heats(16, tables=4)
    address = f"/en/t/{made.tournament.slug}/{of_stage(made)}"
    recorded_heat(made)
    made.act(actions.plan_stage, stage=uuid4(), kind="final", settings={"target": 300})
    forget()
    one = queries(client, address)
    for table in made.tables[1:]:
        recorded_heat(made, table)
    forget()  # both times as a new process, which knows nothing yet
    assert queries(client, address) == one <= 24


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
