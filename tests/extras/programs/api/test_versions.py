"""ETags: whether a reader has the answer already, and which version a writer changes."""

from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client

from tests.extras.programs.api.asking import ask
from tests.extras.programs.api.championship import People, token_for
from tests.extras.programs.api.sending import correction, read, rows, send
from tests.extras.programs.api.test_writes import CASES
from tests.support.factories import recorded_round, running_match
from tournament import actions
from tournament.extras.programs.api import base as versions
from tournament.extras.programs.api.schema import document
from tournament.extras.programs.api.writes import NEW_EVENT, commands
from tournament.ledger import triggers
from tournament.models import LedgerRow, Play, Tournament
from tournament.server.environment import program_digest

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
    monkeypatch.setattr(versions, "program_digest", lambda: "another")
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


@pytest.mark.parametrize(
    "action", ["correct_round", "void_play", "accept_play", "contest_play", "edit_entry"]
)
def test_change_without_a_version_is_not_done(client: Client, action: str) -> None:
    """`*` is every version."""
    made, _action, arguments = CASES[action]()
    arguments.pop("version", None)
    before = rows()
    response = send(client, made, action, arguments, headers={"if-match": ""})
    assert (response.status_code, read(response)["code"]) == (428, "version_missing")
    response = send(client, made, action, arguments, headers={"if-match": "seventeen"})
    assert (response.status_code, read(response)["errors"][0]["header"], rows()) == (400, "If-Match", before)
    key = uuid4()
    answers = [
        send(client, made, action, arguments, headers={"if-match": "*"}, key=key) for _time in range(2)
    ]
    assert [(each.status_code, read(each)["replayed"]) for each in answers] == [(200, False), (200, True)]


# Where GET gives the ETag of what a command edits.
READ = {
    "edit_tournament": "tournaments/{event}",
    "edit_entry": "entries/{entry}",
    "set_registration": "tournaments/{event}/registration",
    "set_screen": "tournaments/{event}/screens",
    "set_stage_settings": "stages/{stage}",
    "name_roles": "tables/{table}",
}


def test_every_command_that_edits_needs_a_version() -> None:
    of_season = {"set_season"}  # tests/extras/season
    assert {write.action for write in commands() if write.edits} == READ.keys() | of_season


@pytest.mark.parametrize("action", READ)
def test_second_change_of_what_both_read_is_refused(client: Client, action: str) -> None:
    made, _action, arguments = CASES[action]()
    headers = {"authorization": f"Bearer {token_for(made.user)}"}
    names = {**arguments, "event": made.tournament.uid}
    tag = client.get(f"/api/v1/{READ[action].format(**names)}", headers=headers)["ETag"]
    made.act(actions.tick, item="backup")  # something else
    first = send(client, made, action, arguments, headers={"if-match": tag})
    assert first.status_code == 200
    before = rows()
    second = send(client, made, action, arguments, headers={"if-match": tag})
    assert (second.status_code, read(second)["code"], rows()) == (412, "version_changed", before)
    assert send(client, made, action, arguments, headers={"if-match": first["ETag"]}).status_code == 200


def test_which_tags_match(client: Client) -> None:
    made = running_match(players=2)
    body = {"entry": made.uids[0], "club": "Noppa"}
    tag = ask(client, f"entries/{made.uids[0]}")["ETag"]
    for said, status in [
        (f"W/{tag}", 412),
        (f'"banana", W/{tag}', 412),
        (f'"{rows() + 1}.organiser"', 412),
        (f"*, {tag}", 400),
        (", ".join([tag] * 30), 400),
        (f'"1.everybody", "banana" , {tag}', 200),
        (tag, 412),
    ]:
        assert send(client, made, "edit_entry", body, headers={"if-match": said}).status_code == status, said


def test_a_tag_that_cannot_match_says_why(client: Client) -> None:
    made = running_match(players=2)
    asked = {"entry": made.entries[0].uid, "club": "Other"}
    missing = send(client, made, "edit_entry", asked, method="PATCH", headers={"if-match": ""})
    assert (missing.status_code, missing.json()["code"]) == (428, "version_missing")
    assert "ETag that GET answered" in missing.json()["title"]
    weak = send(client, made, "edit_entry", asked, method="PATCH", headers={"if-match": 'W/"1"'})
    assert (weak.status_code, weak.json()["detail"]) == (
        412,
        "A weak ETag never matches. Send it without W/.",
    )
    nothing = {"entry": made.entries[0].uid}
    empty = send(client, made, "edit_entry", nothing, method="PATCH", headers={"if-match": "*"})
    assert empty.json()["errors"][0]["message"] == "Name at least one member to change."


def test_a_version_is_honoured_where_none_is_needed(client: Client) -> None:
    made = running_match(players=2)
    tag = ask(client, f"stages/{made.stage.uid}")["ETag"]
    recorded_round(made)
    before = rows()
    finish = {"stage": made.stage.uid}
    response = send(client, made, "freeze_standings", finish, headers={"if-match": tag})
    assert (response.status_code, read(response)["code"], rows()) == (412, "version_changed", before)
    assert send(client, made, "freeze_standings", finish).status_code == 200


def test_the_document_says_which_commands_read_a_version() -> None:
    operations = {
        each["operationId"]: each for path in document()["paths"].values() for each in path.values()
    }
    for write in commands():
        operation = operations[write.operation]
        headers = {
            each["name"]: each.get("required") for each in operation["parameters"] if each["in"] == "header"
        }
        assert ("If-Match" in headers) == ("412" in operation["responses"]) == (write.action not in NEW_EVENT)
        assert bool(headers.get("If-Match")) == ("428" in operation["responses"])


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
    other = f'"{made.play(play).version}.organiser.ffffffffff-{program_digest()[:12]}"'
    response = send(
        client, made, "void_play", {"play": play, "reason": "misread"}, headers={"if-match": other}
    )
    assert (response.status_code, read(response)["code"]) == (412, "version_changed")
