"""A step before something official: what follows from it is said, and a person decides."""

from typing import Any
from uuid import uuid4

from django.http import HttpRequest, HttpResponse

from tournament.pages.desk.table import Scene
from tournament.views._answer import Attempt, page


def confirm_page(request: HttpRequest, scene: Scene, attempt: Attempt, **said: Any) -> HttpResponse:
    """Ask for it, with what stood in the way of an attempt. `said` are the `question`, what `follows`, the word of the
    `action`, and what else desk/confirm.html shows."""
    context = {
        **scene.context(),
        **attempt.context(scene.names),
        "cancel": scene.url,
        "reason": request.POST.get("reason", ""),
        "command": request.POST.get("command") or uuid4(),
        **said,
    }
    return page(request, "desk/confirm.html", context, scene.tournament, status=attempt.status)
