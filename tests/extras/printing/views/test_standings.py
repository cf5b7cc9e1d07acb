"""The standings on the wall and certificates: what of a frozen stage is on them, and how places are named."""

import re

from tests.extras.printing.views.printed import address, page
from tests.support.championships import championship, heat
from tests.support.factories import (
    recorded_heat,
    recorded_round,
    running_heats,
    running_match,
)
from tournament import actions
from tournament.models import Entry, Player


def test_heats_have_no_certificates(db: None) -> None:
    made = running_heats()
    assert address(made, "organise-certificates") not in page(made, "organise-print").content.decode()
    assert page(made, "organise-certificates").context["certificates"] == []


def test_the_wall_shows_a_frozen_stage_as_it_was_and_certificates_as_it_is(db: None) -> None:
    made = running_match(players=3)
    recorded_round(made)
    made.act(actions.freeze_standings, stage=made.stage.uid)
    for _each in range(2):
        recorded_round(made, winner=made.uids[2], **{str(made.uids[0]): {"wild": 1}})
    wall = page(made, "organise-print-results")
    (table,) = wall.context["boards"][0].tables
    assert (table.board.table.rows[0].place, table.board.table.rows[0].name) == (1, "Aino")
    assert "The standings are frozen as of" in wall.content.decode()
    certificates = page(made, "organise-certificates", "?places=1")
    assert [each["name"] for each in certificates.context["certificates"]] == ["Cécile"]
    assert "which others cannot see yet" in certificates.content.decode()


def test_the_wall_shows_of_a_reveal_what_was_announced(db: None) -> None:
    made = running_match(players=3)
    recorded_round(made)
    made.act(actions.freeze_standings, stage=made.stage.uid)
    recorded_round(made, winner=made.uids[2], **{str(made.uids[0]): {"wild": 1}})
    recorded_round(made, winner=made.uids[1], **{str(made.uids[0]): {"draw2": 1}})
    made.act(actions.stop_match, table=made.table.uid, reason="late")
    made.act(actions.finish_stage, stage=made.stage.uid)
    made.act(actions.begin_reveal, stage=made.stage.uid)
    made.act(actions.reveal_next, stage=made.stage.uid, left=4)
    wall = page(made, "organise-print-results")
    (board,) = wall.context["boards"]
    (reveal,) = board.reveal
    assert (list(reveal.hidden), [row.person.name for row in reveal.rows]) == ([1, 2], ["Aino"])
    text = " ".join(wall.content.decode().split())
    announced, frozen = text.split("The standings are frozen as of")
    assert "Announced so far" in announced
    assert "Cécile" not in announced
    assert "Cécile" in frozen


def test_wall_names_who_goes_on_by_decision_for_one_who_left(db: None) -> None:
    made = championship(filled=False)
    left, instead = heat(made, 1)[:2]
    made.act(actions.player_leaves, entry=left)
    made.act(actions.fill_stage, stage=made.stage.uid, decided=[instead], reason="drawn by lot")
    names = {uid: Entry.objects.get(uid=uid).public_name for uid in (left, instead, heat(made, 2)[0])}
    board = page(made, "organise-print-results").context["boards"][0]
    through = [names.pop(uid) for uid in (heat(made, 2)[0], instead)]
    assert [person.name for person in board.through] == through
    assert names == {left: board.gone[0].name}


def test_the_wall_ranks_clubs_where_there_are_two(db: None) -> None:
    made = running_match(players=4)
    recorded_round(made)
    assert page(made, "organise-print-results").context["clubs"] == []
    for uid, club in zip(made.uids, ("Noppa", "Åbo", "noppa", "Åbo"), strict=True):
        Entry.objects.filter(uid=uid).update(club=club)
    wall = page(made, "organise-print-results")
    assert [row.name for row in wall.context["clubs"][0].table.rows] == ["Noppa", "Åbo"]
    assert "The points of each club’s best 2 players together, most first." in wall.content.decode()
    assert page(made, "organise-print-results", "?stage=7").context["clubs"] == []


def test_a_shared_place_is_said_and_has_a_page_for_each(db: None) -> None:
    made = running_match(players=3)
    recorded_round(made)
    recorded_round(made, winner=made.uids[1])
    made_ones = page(made, "organise-certificates").context["certificates"]
    assert [(each["name"], each["place"], each["shared"]) for each in made_ones] == [
        ("Aino", "First place", True),
        ("Börje", "First place", True),
    ], "Cécile has no points and won no round"


def test_certificates_have_the_names_the_text_and_the_signatures_of_the_address(db: None) -> None:
    made = running_match(players=3)
    recorded_round(made)
    Player.objects.filter(entries__uid=made.uids[0]).update(name="Aino Mäkelä")
    typed = page(made, "organise-certificates", "?names=real&text=<b>Well</b>&signed_1=&signed_2=Ansku")
    assert [each["name"] for each in typed.context["certificates"]] == ["Aino Mäkelä"]
    text = typed.content.decode()
    assert "&lt;b&gt;Well&lt;/b&gt;" in text
    assert "<span><bdi>Ansku</bdi></span>" in text
    assert text.count("certificate__signed") == text.count("<span><bdi>") == 1
    public = page(made, "organise-certificates").content.decode()
    assert "Aino Mäkelä" not in public
    assert "Head referee" in public


def test_places_beyond_the_tenth_have_a_number(db: None) -> None:
    from tournament.extras.printing.views import place_in_words

    assert [place_in_words(place) for place in (1, 10, 11)] == ["First place", "Tenth place", "Place 11"]


def test_the_wall_says_of_everybody_in_a_heat_that_is_over_how_they_stand(db: None) -> None:
    made = running_heats(players=6, tables=2)
    recorded_heat(made)
    made.act(actions.player_leaves, entry=made.at(made.table)[2])
    text = page(made, "organise-print-results").content.decode()
    assert "1 through:" in text
    heat_1, heat_2 = text.split("Heat 1")[1].split("Heat 2")
    assert re.findall(r'data-status="(\w+)"', heat_1) == ["through", "not_through", "left"]
    assert re.findall(r'data-status="(\w+)"', heat_2) == []
