"""Archives and practice."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.practising import practised


@pytest.mark.django_db
def test_newcomer_takes_no_archive_and_brings_none(client: Client, settings: Any) -> None:
    settings.TRY = True
    practice = practised()
    client.force_login(practice.newcomer)
    own = reverse("organise-archive", args=[practice.match.slug])
    found = {client.get(address).status_code for address in ("/en/organise/import-archive/", own)}
    assert found == {403}
