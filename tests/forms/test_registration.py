"""Registration forms: an organiser's starting values, and a player's own details."""

from datetime import date

import pytest

from tests.support.arriving import opened
from tests.support.factories import event, running_match
from tournament.forms.registration import JoinForm, OwnDataForm, RegistrationForm, starter_texts
from tournament.models import Registration

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("language", ["en", "fi", "sv"])
def test_starter_texts_fit_and_say_that_referees_may_remove(language: str) -> None:
    made = event("tite-2022", language=language)
    texts = starter_texts(made.tournament)
    opened(made, **texts)
    if language == "en":
        assert "The referees may remove a player who disturbs the event." in texts["terms"]


@pytest.mark.parametrize("language", ["en", "fi", "sv"])
def test_starter_texts_of_a_sheet_with_votes_and_warnings_leave_neither_to_the_referees(
    language: str,
) -> None:
    terms = {
        ruleset: starter_texts(event(ruleset, language=language).tournament)["terms"].splitlines()
        for ruleset in ("kpgut-2016", "mattel-108")
    }
    assert [kpgut == mattel for kpgut, mattel in zip(*terms.values(), strict=True)] == [False, False, True]
    if language == "en":
        first, second, _last = terms["kpgut-2016"]
        assert "Players settle disputes by a vote." in first
        assert "Nobody is ejected without a warning." in second
        assert "referees" not in first + second


@pytest.mark.parametrize(
    ("language", "plan"),
    [
        ("en", "TREY’s equality plan"),
        ("fi", "TREYn yhdenvertaisuussuunnitelmaa"),
        ("sv", "TREY:s likabehandlingsplan"),
    ],
)
def test_starter_texts_of_tite_name_the_equality_plan_that_its_events_follow(
    language: str, plan: str
) -> None:
    assert plan in starter_texts(event("tite-2022", language=language).tournament)["safer_space"]
    assert "TREY" not in starter_texts(event("mattel-108", language=language).tournament)["safer_space"]


def test_nobody_set_it_up_yet_and_the_form_begins_with_texts() -> None:
    made = event()
    begun = RegistrationForm.of(Registration(tournament=made.tournament), made.user)
    assert begun.is_valid()
    assert begun.changed_data == ["terms", "safer_space", "contact_person"]
    opened(made, terms="Ours")
    row = Registration.objects.get()
    assert RegistrationForm.of(row, made.user)["terms"].value() == "Ours"


def test_own_name_stays_once_play_has_begun() -> None:
    made = running_match(players=2)
    entry = made.entries[0]
    form = OwnDataForm((), entry, {"public_name": "Another", "club": "Noppa", "birth_date": "5.6.1987"})
    assert form.is_valid()
    assert (form.cleaned_data["public_name"], form.cleaned_data["club"]) == (entry.public_name, "Noppa")
    assert form.cleaned_data["birth_date"] == date(1987, 6, 5)
    planned = OwnDataForm((), event(players=1).entries[0], {"public_name": "Another"})
    assert planned.is_valid()
    assert planned.cleaned_data["public_name"] == "Another"


def test_who_registers_agrees_to_the_terms() -> None:
    assert list(JoinForm((), {"public_name": "Aino"}).errors) == ["terms"]
    assert list(JoinForm.base_fields)[:5] == list(OwnDataForm.base_fields)[:5]
