"""Remembered columns of lists: no fact."""

from collections.abc import Mapping

from django.utils.translation import gettext_lazy as _

from tournament.actions.kernel import Work, action
from tournament.models import Organiser

__all__ = ["remember_columns"]

MOST_KEPT = 50  # sets of headings, oldest dropped


@action(least="organiser", says=_("chose the columns of a list"), undo="again")
def remember_columns(work: Work, *, headings: str, columns: Mapping[str, object]) -> None:
    """Remember which column is what. `headings` and the keys of `columns` are digests
    (tournament/files/lists/choosing.py)."""
    row = Organiser.objects.select_for_update().get(pk=work.tournament.organiser_id)
    others = [each for each in row.list_columns.get("sets", []) if each["headings"] != headings]
    row.list_columns = {"sets": [*others, {"headings": headings, "columns": dict(columns)}][-MOST_KEPT:]}
    row.save(update_fields=["list_columns"])
