"""An installation: its first account, and the rulesets that its events name."""

import pytest

from tests.support.factories import UserFactory, event
from tournament.models import Tournament
from tournament.queries.installation import (
    NAMED,
    events_have_their_rules,
    first_account_token,
    is_first_account_token,
    somebody_can_sign_in,
)

pytestmark = pytest.mark.django_db


def test_only_an_active_account_with_a_password_can_sign_in() -> None:
    user = UserFactory()
    user.set_unusable_password()
    user.save()
    assert not somebody_can_sign_in()
    user.set_password("correct horse")
    user.save()
    assert somebody_can_sign_in()
    user.is_active = False
    user.save()
    assert not somebody_can_sign_in()


def test_no_other_token_leads_to_the_first_account() -> None:
    assert is_first_account_token(first_account_token())
    assert not is_first_account_token(first_account_token()[:-1])


def test_events_are_found_whose_ruleset_is_missing_or_another_revision() -> None:
    rows = [event(players=2).tournament for _ in range(NAMED + 3)]
    assert events_have_their_rules(["default"]) == []
    Tournament.objects.filter(pk=rows[0].pk).update(ruleset_revision="1999")
    Tournament.objects.filter(pk__in=[row.pk for row in rows[1:]]).update(ruleset="gone-1999")
    changed, missing = (str(each.msg) for each in events_have_their_rules(["default"]))
    assert "revision 1999, which was changed since" in changed
    assert "and 2 more: played by gone-1999" in missing
    assert missing.endswith("which is not here.")


def test_rulesets_are_not_read_without_a_database() -> None:
    assert events_have_their_rules() == []
