"""The first organiser's account: the message while nobody can sign in, and that it comes before the first start."""

import pytest
from django.core.management import call_command
from django.db.migrations.recorder import MigrationRecorder

from tournament.management.commands import createsuperuser
from tournament.models import User

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.mark.parametrize("there", [True, False])
def test_an_account_makes_the_database_where_there_is_none(
    monkeypatch: pytest.MonkeyPatch, there: bool
) -> None:
    made: list[str] = []
    monkeypatch.setattr(MigrationRecorder, "has_table", lambda _recorder: there)
    monkeypatch.setattr(createsuperuser, "migrate", lambda: made.append("database"))
    call_command("createsuperuser", interactive=False, username="pirkko", verbosity=0)
    assert made == ([] if there else ["database"])
    assert User.objects.get(username="pirkko").is_superuser
