"""Messages are signed so that their receiver can know them."""

from datetime import UTC, datetime
from typing import Any

import pytest

from tests.extras.webhooks.telling import NOW, hooked, signature, told
from tests.support.factories import recorded_round, running_match
from tournament.extras.webhooks.actions.deliveries import take_due
from tournament.extras.webhooks.live import headers_of
from tournament.models import Delivery

pytestmark = pytest.mark.both

database = pytest.mark.django_db


@database
def test_a_message_is_signed_so_that_its_receiver_can_know_it() -> None:
    made = running_match()
    hooked(made)
    recorded_round(made)
    told()
    (taken,) = take_due(NOW, 1)
    secret = taken.webhook.secret
    headers = headers_of(taken.uid, NOW, taken.body.encode(), secret)
    assert headers == {
        "webhook-id": str(Delivery.objects.get().uid),
        "webhook-timestamp": "1778349600",
        "webhook-signature": f"v1,{signature(secret, f'{taken.uid}.1778349600.{taken.body}')}",
    }
    assert (len(secret), secret[:6]) == (50, "whsec_")


def test_the_schemes_own_example_has_its_signature() -> None:
    """The vector of the reference libraries, whose id is no uuid."""
    at = datetime.fromtimestamp(1614265330, UTC)
    identity: Any = "msg_p5jXN8AQM9LWM0D4loKWxJek"
    headers = headers_of(identity, at, b'{"test": 2432232314}', "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    assert headers["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
