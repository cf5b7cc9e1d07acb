"""Messages to other programs about an event."""

from django.apps import AppConfig
from django.conf import settings


class WebhooksConfig(AppConfig):
    """Addresses, a link on the board, actions, rows of the API, and the sender."""

    name = "tournament.extras.webhooks"
    addresses = ["tournament.extras.webhooks.urls"]
    buttons = [("board-access", "webhooks/_board.html", "tournament.extras.webhooks.queries.on_board")]
    actions = ["tournament.extras.webhooks.actions"]
    api = ["tournament.extras.webhooks.api"]
    jobs = ["tournament.extras.webhooks.jobs.Sender"] if settings.WEBHOOKS else []
