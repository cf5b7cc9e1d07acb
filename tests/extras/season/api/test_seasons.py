"""Seasons in the interface: what each reader finds, that a change moves the ETag, and create and change."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client

from tests.extras.programs.api.asking import ask, read
from tests.extras.programs.api.championship import token_for
from tests.extras.programs.api.sending import codes, read as said, send
from tests.support.factories import Event, UserFactory
from tests.support.tour_evenings import Club
from tournament import actions
from tournament.extras.season.actions import set_season, start_season

pytestmark = pytest.mark.django_db


def season(made: Event, **rule: Any) -> UUID:
    uid = uuid4()
    made.act(start_season, season=uid, name="Thursdays")
    made.act(set_season, season=uid, **rule)
    return uid


def signed_in(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_season_that_is_not_public_is_found_by_its_organisers_alone(client: Client) -> None:
    made = Club().match("Aino", "Börje")
    uid, organiser = season(made), made.tournament.organiser.uid
    assert [row["uid"] for row in read(client, f"organisers/{organiser}/seasons")["results"]] == [str(uid)]
    made.act(set_season, season=uid, public=False)
    own, staff = signed_in(made.user), signed_in(UserFactory(is_staff=True))
    for reader in (client, staff):
        assert read(reader, f"organisers/{organiser}/seasons")["results"] == []
        assert ask(reader, f"seasons/{uid}/ranking").status_code == 404
    assert len(read(own, f"organisers/{organiser}/seasons")["results"]) == 1
    assert len(read(own, f"seasons/{uid}/ranking")["results"]) == 2


def test_list_names_no_event_that_is_not_listed_except_to_its_organisers(client: Client) -> None:
    club = Club()
    made, hidden = club.match("Aino", "Börje"), club.match("Aino", "Börje", listed=False)
    uid = season(made, evenings=[made.tournament.uid, hidden.tournament.uid])
    organiser = made.tournament.organiser.uid
    (public,) = read(client, f"organisers/{organiser}/seasons")["results"]
    (own,) = read(signed_in(made.user), f"organisers/{organiser}/seasons")["results"]
    assert (public["uid"], public["evenings"]) == (str(uid), [str(made.tournament.uid)])
    assert set(own["evenings"]) == {str(made.tournament.uid), str(hidden.tournament.uid)}


def test_token_of_one_event_finds_no_season(client: Client) -> None:
    made = Club().match("Aino", "Börje")
    uid = season(made)
    confined = {"authorization": f"Bearer {token_for(made.user, 'organise', made.tournament.uid)}"}
    for path in (f"organisers/{made.tournament.organiser.uid}/seasons", f"seasons/{uid}/ranking"):
        assert ask(client, path, confined).status_code == 404
    assert ask(client, f"seasons/{uuid4()}/ranking").status_code == 404
    assert ask(client, f"organisers/{uuid4()}/seasons").status_code == 404


def test_etag_moves_with_a_correction_and_with_the_rule(client: Client) -> None:
    made = Club().match("Aino", "Börje")
    uid = season(made)
    before = ask(client, f"seasons/{uid}/ranking")
    made.act(set_season, season=uid, place_points=[20, 10])
    after = ask(client, f"seasons/{uid}/ranking")
    assert before["ETag"] != after["ETag"]
    assert [row["value"] for row in after.json()["results"]] == ["20", "10"]


def test_season_has_a_version_of_its_own_in_every_event(client: Client) -> None:
    """Changes of its events leave it alone; a change of its rule or evenings through any of them is seen."""
    club = Club()
    first, second = club.match("Aino", "Börje"), club.match("Aino", "Börje")
    uid = season(first)
    headers = {"authorization": f"Bearer {token_for(first.user)}"}
    addresses = [f"tournaments/{made.tournament.uid}/seasons/{uid}" for made in (first, second)]

    def tags() -> set[str]:
        return {ask(client, address, headers)["ETag"] for address in addresses}

    (tag,) = tags()
    second.act(actions.tick, item="backup")
    assert tags() == {tag}
    change = {"season": uid, "best": 2}
    answers = [
        send(client, made, "set_season", change, headers={"if-match": tag}, user=first.user)
        for made in (first, second)
    ]
    assert [(each.status_code, said(each).get("code")) for each in answers] == [
        (200, None),
        (412, "version_changed"),
    ]
    (after,) = tags()
    assert after != tag
    belongs = {"season": uid, "belongs": True}
    headed = {"if-match": answers[0]["ETag"]}
    put_in = [
        send(client, second, "put_in_season", belongs, headers=headed, user=first.user) for _ in range(2)
    ]
    assert [each.status_code for each in put_in] == [200, 412]
    whole = read(client, addresses[1], headers)
    put = send(
        client,
        first,
        "set_season",
        {**whole, "season": uid},
        headers={"if-match": put_in[0]["ETag"]},
        method="PUT",
    )
    assert (put.status_code, codes(put)) == (200, [])
    assert read(client, addresses[0], headers) == whole
    assert ask(client, f"tournaments/{uuid4()}/seasons/{uid}", headers).status_code == 404


def test_repeated_change_of_a_season_is_answered_as_before(client: Client) -> None:
    made = Club().match("Aino", "Börje")
    uid, key = season(made), uuid4()
    headers = {"authorization": f"Bearer {token_for(made.user)}"}
    tag = ask(client, f"tournaments/{made.tournament.uid}/seasons/{uid}", headers)["ETag"]
    change = {"season": uid, "best": 3}
    answers = [send(client, made, "set_season", change, headers={"if-match": tag}, key=key) for _ in range(2)]
    assert [(each.status_code, said(each)["replayed"]) for each in answers] == [(200, False), (200, True)]
    assert answers[0]["ETag"] == answers[1]["ETag"]
