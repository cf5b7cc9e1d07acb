"""Every answer of the interface as a page in a browser, with links to go on by."""

import re
from collections.abc import Mapping
from typing import Any

from django.shortcuts import render
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from rest_framework.renderers import BaseRenderer, JSONRenderer

# Members that name something by its uid, and the address that gives it.
NAMED = {name: name for name in ("tournament", "stage", "table", "play", "entry", "incident")} | {
    "player": "entry"
}
_LINE = re.compile(r'(?P<before>\s*"(?P<name>\w+)": ")(?P<uid>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"')
_NEXT = re.compile(r'(?P<before>\s*"(?:next|previous)": ")(?P<address>[^"]+)"')


class PageRenderer(BaseRenderer):
    """An answer as a page, for whoever opens its address in a browser."""

    media_type = "text/html"
    format = "html"
    charset = "utf-8"

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> str:
        """The page of this answer."""
        del accepted_media_type
        asked = renderer_context or {}
        view, request, response = asked["view"], asked["request"], asked["response"]
        plain = JSONRenderer().render(data, "application/json; indent=2").decode() if data is not None else ""
        found = {
            "method": request.method,
            "path": request.get_full_path(),
            "status": response.status_code,
            "reason": response.reason_phrase,
            "headers": sorted((name, value) for name, value in response.headers.items() if name in SHOWN),
            "lines": format_html_join("\n", "{}", ((_linked(line, view),) for line in plain.splitlines())),
            "parts": [(part, f"{request.path}/{part}") for part in view.parts],
        }
        return render(request._request, "api/answer.html", found).content.decode()


SHOWN = {"ETag", "Allow", "Content-Language", "Retry-After"}


def _linked(line: str, view: Any) -> SafeString | str:
    """The line of an answer with the uid in it as a link to what it names."""
    found = _LINE.fullmatch(line.rstrip(","))
    if found:
        # A row's own uid names what the address lists.
        name = view.names if found["name"] == "uid" else found["name"]
        address = reverse(f"v1:{NAMED[name]}", args=[found["uid"]]) if name in NAMED else ""
        return _with_link(found["before"], address, found["uid"], line) if address else line
    found = _NEXT.fullmatch(line.rstrip(","))
    return _with_link(found["before"], found["address"], found["address"], line) if found else line


def _with_link(before: str, address: str, text: str, line: str) -> SafeString:
    end = "," if line.endswith(",") else ""
    return format_html('{}<a href="{}">{}</a>"{}', before, address, text, end)
