"""The link to an event's webhooks."""

from django.template import Context


def on_board(context: Context) -> dict[str, object]:
    """How many webhooks of the event fail."""
    return {"failing": context["tournament"].webhooks.filter(failing_since__isnull=False).count()}
