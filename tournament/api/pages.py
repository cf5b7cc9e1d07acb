"""The interface in a browser: its document as a page to read, and every answer as a page with links to go on by.

Both are plain HTML: the pages' strict policy lets nobody's script in, so no viewer of others' is used.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe
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


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    """The OpenAPI document as a page: every address with its parameters, answers and examples."""
    from tournament.api.problems import KINDS
    from tournament.api.schema import document

    made = document()
    context = {
        "introduction": [_text(each) for each in made["info"]["description"].strip().split("\n\n")],
        "groups": _groups(made),
        "problems": [(code, kind.status, kind.title) for code, kind in KINDS.items()],
    }
    return render(request, "api/docs.html", context)


def _groups(made: Mapping[str, Any]) -> list[tuple[str, list[dict[str, Any]]]]:
    groups: dict[str, list[dict[str, Any]]] = {}
    for path, operations in made["paths"].items():
        for method, operation in operations.items():
            group = path.removeprefix("/api/v1/").partition("/")[0]
            groups.setdefault(group, []).append(_operation(made, path, method, operation))
    return sorted(groups.items())


def _operation(
    made: Mapping[str, Any], path: str, method: str, operation: Mapping[str, Any]
) -> dict[str, Any]:
    good = next(each for status, each in operation["responses"].items() if status.startswith("2"))
    answered: Mapping[str, Any] = next(iter(good.get("content", {}).values()), {})
    sent: Mapping[str, Any] = next(iter(operation.get("requestBody", {}).get("content", {}).values()), {})
    return {
        "id": operation["operationId"],
        "method": method.upper(),
        "path": path,
        "summary": operation.get("summary", ""),
        "text": _text(operation.get("description", "")),
        "parameters": [_parameter(each) for each in operation.get("parameters", [])],
        "signed_in": {} not in operation.get("security", [{}]),
        "sent": _example(sent),
        "answered": _example(answered),
        "fields": list(_fields(made, answered.get("schema", {}))),
        "takes": list(_fields(made, sent.get("schema", {}))),
        "statuses": sorted(operation["responses"]),
    }


def _parameter(parameter: Mapping[str, Any]) -> dict[str, Any]:
    shape = parameter.get("schema", {})
    return {
        "name": parameter["name"],
        "where": parameter["in"],
        "type": _type(shape),
        "text": _text(parameter.get("description", "")),
    }


def _fields(made: Mapping[str, Any], shape: Mapping[str, Any]) -> Any:
    """The members of an object, of a page those of its rows."""
    shape = _resolved(made, shape)
    properties = shape.get("properties", {})
    if "results" in properties and "count" in properties:
        properties = _resolved(made, properties["results"].get("items", {})).get("properties", {})
    for name, member in properties.items():
        real = _resolved(made, member)
        yield name, _type(real), _text(member.get("description") or real.get("description", ""))


def _text(said: str) -> SafeString:
    """A text of the document, in which backticks mark code."""
    pieces = enumerate(said.split("`"))
    return format_html_join(
        "", "{}", ((format_html("<code>{}</code>", p) if n % 2 else p,) for n, p in pieces)
    )


def _resolved(made: Mapping[str, Any], shape: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a reference stands for."""
    for name in ("oneOf", "anyOf", "allOf"):
        if shape.get(name):
            return _resolved(
                made, {**shape[name][0], **{k: v for k, v in shape.items() if k == "description"}}
            )
    if "$ref" in shape:
        found = made["components"]["schemas"][shape["$ref"].rpartition("/")[2]]
        return _resolved(made, found)
    return shape


def _type(shape: Mapping[str, Any]) -> str:
    if shape.get("enum"):
        return " | ".join("null" if each is None else str(each) or '""' for each in shape["enum"])
    kinds = shape.get("type", "object")
    kind = " | ".join(kinds) if isinstance(kinds, list) else str(kinds)
    return f"{kind} ({shape['format']})" if shape.get("format") else kind


def _example(media: Mapping[str, Any]) -> str:
    example = media.get("example")
    return json.dumps(example, indent=2, ensure_ascii=False) if example is not None else ""
