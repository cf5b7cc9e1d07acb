"""The page where players register: what it says, what it asks, and where it leads."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.support.arriving import opened, registered
from tests.support.factories import Event, event, running_match
from tests.views.organiser.conftest import Browser, Forms
from tournament import actions
from tournament.forms.registration import starter_texts
from tournament.links import token_for
from tournament.live.pages import store
from tournament.models import Entry, LedgerRow, Player

pytestmark = pytest.mark.django_db

SOUND = {"public_name": "Aino", "terms": "on"}


def address(made: Event, language: str = "en") -> str:
    return f"/{language}/t/{made.tournament.slug}/join/"


def text(client: Client, made: Event, status: int = 200) -> str:
    answer = client.get(address(made))
    assert answer.status_code == status
    return str(answer.content.decode())


def send(made: Event, **typed: Any) -> Any:
    return Browser().send(address(made), "", **typed)


def test_page_says_what_is_public_and_what_one_agrees_to(client: Client) -> None:
    made = event("tite-2022", name="UNO night", place="Tampere")
    opened(made, **starter_texts(made.tournament), contact_person="Outi, 040 123")
    said = text(client, made)
    for words in (
        "UNO night",
        "Tampere",
        "Your nickname, club or group, table and results",
        "Your real name, birth date, contact details and answers",
        "The referees may remove a player who disturbs the event.",
        "ask before we touch or photograph",
        "Outi, 040 123",
        "I have read this and agree to it",
    ):
        assert words in said
    assert 'name="robots" content="noindex"' in said
    assert "no-store" in client.get(address(made))["Cache-Control"]
    assert store.last(address(made)) is None


@pytest.mark.parametrize("opened_now", [False, True])
def test_event_page_says_its_terms_and_whom_to_turn_to_whether_registration_is_open(
    client: Client, opened_now: bool
) -> None:
    made = event("tite-2022")
    texts = {"terms": "No phones.", "safer_space": "Ask before you touch.", "contact_person": "Outi, 040 123"}
    made.act(actions.set_registration, opened=opened_now, **texts)
    said = str(client.get(f"/en/t/{made.tournament.slug}/").content.decode())
    assert [words for words in texts.values() if words not in said] == []


def test_page_without_terms_says_what_the_sheet_leaves_to_whom(client: Client) -> None:
    said = {ruleset: text(client, opened(event(ruleset))) for ruleset in ("kpgut-2016", "mattel-108")}
    referees, vote = "The referees decide what the rules leave open", "Players settle disputes by vote"
    assert [(referees in page, vote in page) for page in said.values()] == [(False, True), (True, False)]


def test_event_page_says_what_one_agrees_to_though_nobody_set_registration_up(client: Client) -> None:
    made = running_match(players=2, ruleset="tite-2022", kind="final")
    said = str(client.get(f"/en/t/{made.tournament.slug}/").content.decode())
    terms = said[said.index('id="terms"') :]
    assert "Everyone who takes part agrees to this, however they were registered." in terms
    assert "may remove a player who disturbs the event" in terms
    assert "TREY’s equality plan" in terms
    assert "Contact person" not in terms


def test_own_page_leads_to_the_terms_of_the_event(client: Client) -> None:
    made = event(players=1)
    entry = made.entries[0]
    own = client.get(f"/en/p/{token_for('player', entry.uid, entry.link_number)}/")
    assert f'href="/en/t/{made.tournament.slug}/#terms"' in own.content.decode()


@pytest.mark.parametrize("listed", [True, False])
def test_page_says_that_a_listed_event_counts_for_the_tour(client: Client, listed: bool) -> None:
    made = event("tite-2022", listed=listed)
    opened(made, **starter_texts(made.tournament))
    assert ("seasons, ratings and hall of champions" in text(client, made)) == listed


def test_who_registers_comes_to_their_own_page_with_its_address_to_keep() -> None:
    made = opened()
    answer = send(made, **SOUND, club="Noppa", real_name="Aino M", birth_date="1990-02-03", contact="040")
    entry = Entry.objects.select_related("player").get()
    token = token_for("player", entry.uid)
    assert (answer.status_code, answer["Location"]) == (303, f"/en/p/{token}/?new=1")
    assert (entry.public_name, entry.club, entry.player.name) == ("Aino", "Noppa", "Aino M")
    kept = Client().get(answer["Location"]).content.decode()
    assert f"http://testserver/p/{token}/" in kept
    assert "<svg" in kept


def test_the_same_form_twice_leads_to_the_same_page_also_with_another_name() -> None:
    made = opened()
    browser = Browser()
    form = Forms(browser.get(address(made)).content.decode()).forms[0]["data"]
    answers = [
        browser.post(address(made), form | SOUND | {"public_name": name})
        for name in ("Aino", "Aino", "Eeva", "")
    ]
    assert {answer["Location"] for answer in answers} == {answers[0]["Location"]}
    assert Entry.objects.get().public_name == "Aino"


@pytest.mark.parametrize(
    ("typed", "field", "words"),
    [
        ({"public_name": ""}, "public_name", "This field is required."),
        ({"public_name": "Taken"}, "public_name", "Taken is taken in this event."),
        ({"terms": ""}, "terms", "Tick this to take part."),
        ({"birth_date": "2015-05-05"}, "guardian", "need a guardian’s consent"),
        ({"minor": "on"}, "guardian", "need a guardian’s consent"),
        ({"birth_date": "31.2.1990"}, "birth_date", "Enter a valid date."),
        ({"birth_date": "2090-01-01"}, "birth_date", "That cannot be a player’s birth date."),
        ({"contact": "x" * 300}, "contact", "at most 200"),
    ],
)
def test_what_is_wrong_is_said_at_its_field_and_nothing_typed_is_lost(
    typed: dict[str, str], field: str, words: str
) -> None:
    made = opened()
    registered(made, "Taken")
    before = LedgerRow.objects.count(), Player.objects.count()
    filled = {"club": "Noppa", "real_name": "Aino Mäkelä", "contact": "040"}
    answer = send(made, **{**SOUND, **filled, **typed})
    assert answer.status_code == 422
    said = answer.content.decode()
    assert f'id="id_{field}_error"' in said
    assert words in said
    typed_again = Forms(said).forms[0]["data"]
    for name, value in {**SOUND, **filled, **typed}.items():
        assert typed_again.get(name, "") == value or not value
    assert (LedgerRow.objects.count(), Player.objects.count()) == before


def test_closed_registration_says_whom_to_ask(client: Client) -> None:
    made = event()
    assert "Registration is closed" in text(client, made)
    assert "<form" not in text(client, made).split("<main", 1)[1]
    opened(made, contact_person="Outi, 040", closes_at=timezone.now() - timedelta(minutes=1))
    assert "Ask Outi, 040 if a place is still free." in text(client, made)


def test_registration_that_closes_while_somebody_types_loses_nothing() -> None:
    made = opened()
    browser = Browser()
    form = Forms(browser.get(address(made)).content.decode()).forms[0]["data"]
    made.act(actions.set_registration, opened=False)
    answer = browser.post(address(made), form | SOUND | {"club": "Noppa"})
    assert answer.status_code == 422
    assert "Registration is closed" in answer.content.decode()
    assert Forms(answer.content.decode()).forms[0]["data"]["club"] == "Noppa"


def test_page_says_how_many_places_are_left_and_that_one_waits(client: Client) -> None:
    made = opened(most=2)
    assert "2 places left" in text(client, made)
    registered(made, "A")
    assert "1 place left" in text(client, made)
    registered(made, "B")
    assert "You will be on the waiting list" in text(client, made)
    made.act(actions.set_registration, opened=True, approval=True)
    assert "An organiser must accept each player." in text(client, made)


def test_addresses_without_a_language_lead_on_in_the_phones_own_else_in_the_events(client: Client) -> None:
    made = opened(event(language="sv"))
    slug = made.tournament.slug
    for asked, language in (("fi", "fi"), ("en-GB,sv;q=0.5", "en"), ("de,*;q=0.5", "sv"), ("", "sv")):
        answer = client.get(f"/j/{slug}/", headers={"accept-language": asked})
        assert (answer.status_code, answer["Location"]) == (302, address(made, language))
        answer = client.get(f"/t/{slug}/players/?x=1", headers={"accept-language": asked})
        assert (answer.status_code, answer["Location"]) == (302, f"/{language}/t/{slug}/players/?x=1")
    for typed in (f"/j/{slug}", f"/t/{slug}"):
        assert client.get(typed, follow=True).redirect_chain[-1][0].startswith("/sv/")
    assert client.get(f"/t/{slug}/nowhere/").status_code == 404
    assert client.get("/t/nowhere/")["Location"] == "/en/t/nowhere/"
    assert client.get("/j/nowhere/")["Location"] == "/en/t/nowhere/join/"


def test_a_screens_address_without_a_language_is_in_the_events_for_whoever_asks(client: Client) -> None:
    made = event(language="fi")
    asked = f"/t/{made.tournament.slug}/screen/"
    answer = client.get(asked, headers={"accept-language": "en"})
    assert (answer.status_code, answer["Location"]) == (302, f"/fi{asked}")


def test_the_events_page_leads_to_the_form_while_players_can_register(client: Client) -> None:
    made = event()
    page = f"/en/t/{made.tournament.slug}/"
    seen = []
    for step in (None, True, False):
        if step is not None:
            made.act(actions.set_registration, opened=step)
        listed = "Registration is open" in client.get("/en/").content.decode()
        seen.append((address(made) in client.get(page).content.decode(), listed))
    assert seen == [(False, False), (True, True), (False, False)]


def test_who_asks_or_waits_is_on_no_public_page(client: Client) -> None:
    made = opened(most=1, approval=True)
    names = ["Asks", "Waits", "Cancels"]
    for name in names:
        registered(made, name)
    for path in (f"/en/t/{made.tournament.slug}/",):
        shown = client.get(path).content.decode()
        assert not any(name in shown for name in names)
    for uid in Entry.objects.values_list("uid", flat=True):
        assert client.get(f"/en/t/{made.tournament.slug}/player/{uid}/").status_code == 404


def test_put_away_and_unknown_events_have_no_form(client: Client) -> None:
    assert client.get("/en/t/nothing/join/").status_code == 404
    made = opened(event(rehearsal=True, listed=False))
    made.act(actions.put_away)
    made.tournament.refresh_from_db()
    assert client.get(address(made)).status_code == 404


@pytest.mark.parametrize("typed", ["\x00", "\u202e", "<b>x</b>", "%s", "{{ x }}", "x" * 5000, "🃏"])
@pytest.mark.sweep
def test_hostile_texts_are_answered(typed: str) -> None:
    made = opened()
    fields = ("public_name", "club", "real_name", "birth_date", "contact", "minor", "guardian", "command")
    for name in fields:
        answer = send(made, **{**SOUND, name: typed})
        assert answer.status_code in {303, 422}
        assert "<b>x" not in answer.content.decode()


def test_page_asks_the_database_as_often_for_many_players_as_for_few(client: Client) -> None:
    made = opened(most=50)
    asked = []
    for count in (1, 5):
        for number in range(count):
            registered(made, f"Player {count} {number}")
        with CaptureQueriesContext(connection) as queries:
            text(client, made)
        asked.append(len(queries))
    assert asked[0] == asked[1] <= 4


def test_a_telephone_number_in_a_public_field_is_asked_about() -> None:
    made = opened()
    typed = {**SOUND, "public_name": "0401234567", "club": "a@b.fi"}
    asked = send(made, **typed).content.decode()
    assert Entry.objects.count() == 0
    for words in ("Everyone will see “0401234567”.", "Everyone will see “a@b.fi”."):
        assert words in asked
    assert 'type="checkbox" name="public_name_is_right"' in asked
    assert 'type="hidden" name="public_name_is_right"' in send(made, public_name="").content.decode()
    assert send(made, **typed, public_name_is_right="on").status_code == 303
    assert Entry.objects.get().public_name == "0401234567"
