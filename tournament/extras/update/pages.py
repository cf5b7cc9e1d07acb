"""Word of a newer Lastcard."""

from django.template import Context

from tournament.extras.update.jobs import newer


def on_board(context: Context) -> dict[str, object] | None:
    """The newer version, for staff."""
    found = newer() if context["user"].is_staff else None
    return {"newer": found} if found else None
