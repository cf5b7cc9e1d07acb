"""The database itself refuses impossible rows of the ledger, whoever writes them."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from tests.models.conftest import again
from tests.support.factories import Event
from tournament.models import (
    LedgerRow,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both]


NEVER: dict[str, Callable[[Event], Any]] = {
    "two ledger rows of one sequence": again(LedgerRow, "command"),
    "two ledger rows of one command": again(LedgerRow, "sequence"),
}


@pytest.mark.parametrize("what", NEVER)
def test_what_must_never_be_is_refused(made: Event, what: str) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        NEVER[what](made)
