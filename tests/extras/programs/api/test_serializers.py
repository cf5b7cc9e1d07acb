"""The shapes of answers: everything is named by its uid."""

import json
from typing import Any

import pytest
from django.test import Client

from tests.extras.programs.api.asking import ask, every_address
from tests.extras.programs.api.championship import People, uids_of

pytestmark = pytest.mark.django_db


def test_no_answer_holds_a_database_key(client: Client, people: People) -> None:
    """Ids are uids: no member called id or pk anywhere."""

    def names(data: Any) -> set[str]:
        if isinstance(data, dict):
            return set(data) | {name for each in data.values() for name in names(each)}
        if isinstance(data, list):
            return {name for each in data for name in names(each)}
        return set()

    for address in every_address(uids_of(people.made)):
        response = ask(client, address, people.headers("organiser"))
        known = names(json.loads(response.content))
        assert not {name for name in known if name == "pk" or name.endswith("_id")}, address
        if "sheets" not in address and address != "schema":  # a sheet's players have ids: their entries' uids
            assert "id" not in known, address
