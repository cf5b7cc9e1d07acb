"""A person's data as a file, and what is taken away with their name: the same for themselves and for an organiser."""

from django.http import HttpResponse, JsonResponse

from tournament.files.workbook.cache import take_away_all
from tournament.models import Entry, Tournament
from tournament.queries.personal_data import data_of
from tournament.server.snapshot import snapshot


def data_file(entry: Entry, *, all_results: bool) -> HttpResponse:
    """Everything that is kept about them, as a file."""
    with snapshot():
        found = data_of(entry.player, all_results=all_results)
    answer = JsonResponse(found, json_dumps_params={"ensure_ascii": False, "indent": 1})
    answer["Content-Disposition"] = f'attachment; filename="player-{entry.start_number}.json"'
    return answer


def take_away_workbooks(entry: Entry) -> None:
    """Take away the workbooks that were written with the name, of each event that the player is in."""
    for uid in Tournament.objects.filter(entries__player=entry.player).values_list("uid", flat=True):
        take_away_all(uid)
