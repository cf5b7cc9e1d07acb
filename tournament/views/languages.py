"""Which language a page is in: the address says it (`/fi/t/...`); one without, on a code or typed, is led on to one
that does. A visitor's is the one of ours that their browser asks for, else the event's; what hangs in a hall has the
event's.
"""

import re

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils.translation import get_supported_language_variant, override
from django.utils.translation.trans_real import parse_accept_lang_header

from tournament.models import Tournament

_OF_EVENT = re.compile(r"/t/(?P<slug>[-\w]+)(?:/(?P<screen>screen/?))?")


def language_for(request: HttpRequest, event: Tournament) -> str:
    """The first language of ours that the visitor's browser asks for, else the event's."""
    for code, _weight in parse_accept_lang_header(request.headers.get("Accept-Language", "")):
        try:
            return get_supported_language_variant(code)
        except LookupError:  # none of ours
            continue
    return event.language


class Languages(LocaleMiddleware):
    """Django's, which leads an address without a language on to the visitor's own, and knows events' languages."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if response.status_code == 404 and (found := _OF_EVENT.match(request.path_info)):
            event = Tournament.objects.visible().filter(slug=found["slug"]).first()
            if event is not None:
                with override(event.language if found["screen"] else language_for(request, event)):
                    return super().process_response(request, response)
        return super().process_response(request, response)
