"""ETags: whether a reader has the answer already, and which version a writer changes."""

import pytest
from django.db import connection
from django.test import Client

from tests.api.asking import ask
from tests.api.championship import People, token_for
from tests.api.sending import correction, read, rows, send
from tests.api.test_writes import CASES
from tests.support.factories import recorded_round, running_match
from tournament.api import versions
from tournament.ledger import triggers
from tournament.models import LedgerRow, Play, Tournament

pytestmark = pytest.mark.django_db


def test_answer_comes_again_only_when_it_changed(client: Client) -> None:
    made = running_match(players=2)
    address = f"stages/{made.stage.uid}/standings"
    first = ask(client, address)
    again = ask(client, address, {"if-none-match": first["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    recorded_round(made)
    changed = ask(client, address, {"if-none-match": first["ETag"]})
    assert (changed.status_code, changed["ETag"] != first["ETag"]) == (200, True)
    assert changed["Cache-Control"] == "private, no-cache"
    assert {"Authorization", "Cookie", "Accept-Language"} <= {
        each.strip() for each in changed["Vary"].split(",")
    }


def test_etag_of_another_history_or_program_is_another(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a backup was restored: the same number says something else."""
    made = running_match(players=2)
    row = LedgerRow.objects.filter(tournament=made.tournament, sequence=made.stage.version)
    addresses = [f"stages/{made.stage.uid}", f"tournaments/{made.tournament.uid}", "tournaments"]
    before = [ask(client, address)["ETag"] for address in addresses]
    monkeypatch.setattr(versions, "digest", lambda: "another")
    upgraded = [ask(client, address)["ETag"] for address in addresses]
    Tournament.objects.filter(pk=made.tournament.pk).update(ledger_head="f" * 64)
    triggers.drop(connection)
    row.update(digest="f" * 64)
    triggers.create(connection)
    restored = [ask(client, address)["ETag"] for address in addresses]
    for tags in zip(before, upgraded, restored, strict=True):
        assert len(set(tags)) == 3
    assert [tag.partition(".")[0] for tag in restored] == [tag.partition(".")[0] for tag in before]


def test_etag_of_who_sees_more_is_another(client: Client, people: People) -> None:
    address = f"tournaments/{people.made.tournament.uid}/entries"
    tags = {ask(client, address, people.headers(who))["ETag"] for who in people.tokens if who != "stranger"}
    assert len(tags) == 4  # anybody and another event's organiser see the same
    assert ask(client, address, people.headers("stranger"))["ETag"] == ask(client, address)["ETag"]


def test_plays_etag_is_its_version(client: Client) -> None:
    made = running_match(players=2)
    play = recorded_round(made)
    response = ask(client, f"plays/{play}")
    assert response["ETag"].startswith(f'"{Play.objects.get(uid=play).version}.everybody.')
    assert ask(client, f"plays/{play}", {"if-match": '"1.everybody"'}).status_code == 412


@pytest.mark.parametrize("action", ["correct_round", "void_play", "accept_play", "contest_play"])
def test_change_without_a_version_is_not_done(client: Client, action: str) -> None:
    made, _action, arguments = CASES[action]()
    del arguments["version"]
    before = rows()
    for said in (None, {"if-match": "*"}):
        response = send(client, made, action, arguments, headers=said)
        assert (response.status_code, read(response)["code"]) == (428, "version_missing")
    response = send(client, made, action, arguments, headers={"if-match": "seventeen"})
    assert (response.status_code, rows()) == (400, before)


@pytest.mark.parametrize("action", ["correct_round", "void_play"])
def test_change_of_an_old_version_tells_both(client: Client, action: str) -> None:
    made = running_match(players=2)
    play = recorded_round(made)
    old = f'"{made.play(play).version}.organiser"'
    assert (
        send(client, made, "correct_round", correction(made, play), headers={"if-match": old}).status_code
        == 200
    )
    late = {"play": play, "reason": "the cards fell"}
    if action == "correct_round":
        late = correction(made, play, cards=3)
    before = rows()
    response = send(client, made, action, late, headers={"if-match": old})
    said = read(response)
    assert (response.status_code, said["code"], rows()) == (412, "version_changed", before)
    loser = str(made.at(made.table)[1])
    held = {each["entry"]: each["hand"] for each in said["current"]["play"]["results"]}
    assert (held[loser], said["current"]["by"]) == ({"7": 2}, made.user.display_name())
    assert said["offered"]["play"]["uid"] == str(play)
    assert said["offered"]["at"] is None


def test_etag_of_what_was_read_is_what_a_change_names(client: Client) -> None:
    made = running_match(players=2)
    play = recorded_round(made)
    headers = {"authorization": f"Bearer {token_for(made.user)}"}
    tag = client.get(f"/api/v1/plays/{play}", headers=headers)["ETag"]
    changed = send(client, made, "correct_round", correction(made, play), headers={"if-match": tag})
    assert changed.status_code == 200
    assert client.get(f"/api/v1/plays/{play}", headers={**headers, "if-none-match": tag}).status_code == 200


def test_etag_of_another_history_names_no_version(client: Client) -> None:
    """As after a backup was restored: the number is there again, and says something else."""
    made = running_match(players=2)
    play = recorded_round(made)
    other = f'"{made.play(play).version}.organiser.ffffffffff-{versions.digest()}"'
    response = send(
        client, made, "void_play", {"play": play, "reason": "misread"}, headers={"if-match": other}
    )
    assert (response.status_code, read(response)["code"]) == (412, "version_changed")
