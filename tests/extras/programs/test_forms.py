"""The form of a new access token."""

from datetime import timedelta

import pytest
from django.test import Client

from tests.support.factories import event
from tournament.extras.programs.views import TokenForm
from tournament.models import ApiToken, Tournament

pytestmark = pytest.mark.django_db


def test_token_is_for_an_event_of_ones_own_or_for_everywhere() -> None:
    mine, others = event(), event()
    away = event(user=mine.user)
    Tournament.objects.filter(pk=away.tournament.pk).update(put_away=True, rehearsal=True)
    typed = {"name": "Board", "scope": "read", "valid": "7"}
    for where in (str(mine.tournament.uid), ""):
        form = TokenForm(mine.user, {**typed, "tournament": where})
        assert form.is_valid()
        assert form.cleaned_data["tournament"] == where
    for made in (others, away):
        assert list(TokenForm(mine.user, {**typed, "tournament": str(made.tournament.uid)}).errors) == [
            "tournament"
        ]


def test_token_ends_after_its_days(client: Client) -> None:
    client.force_login(event().user)
    client.post("/en/organise/tokens/", {"name": "Board", "scope": "organise", "valid": "31"})
    row = ApiToken.objects.get()
    assert timedelta(days=30, hours=23) < row.expires_at - row.made_at <= timedelta(days=31)
    assert list(TokenForm(event().user, {"name": "Board", "scope": "all", "valid": "5"}).errors) == [
        "scope",
        "valid",
    ]
