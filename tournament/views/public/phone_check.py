"""A phone at the venue says hello: the organiser sees on the checklist that it gets through."""

from uuid import uuid4

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from tournament.actions import Command, say_hello
from tournament.actions.people.guests import own_link_user
from tournament.links import holds, uid_in
from tournament.models import Tournament
from tournament.results.faults import Refused
from tournament.results.typed import uuid_or_none
from tournament.views._access import by_link, device_of


@by_link
@require_http_methods(["GET", "HEAD", "POST"])
def hello(request: HttpRequest, token: str) -> HttpResponse:
    """A page with one button, which js/watch/phone_check.js presses; POST says hello. Where another phone said it just
    before, this one gets through all the same."""
    uid = uid_in(token)
    tournament = Tournament.objects.visible().filter(uid=uid).first() if uid else None
    if tournament is None or not holds(token, "hello", tournament.uid):
        raise Http404
    said = request.method == "POST"
    if said:
        command = uuid_or_none(request.POST.get("command", "")) or uuid4()
        try:
            say_hello(Command(command, own_link_user(), device_of(request)), tournament.uid, token=token)
        except Refused as refused:
            said = all(fault.code == "ticked_already" for fault in refused.faults)
    context = {"tournament": tournament, "said": said, "command": uuid4()}
    return render(request, "public/hello.html", context)
