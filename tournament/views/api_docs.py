"""The OpenAPI document as plain HTML: the CSP allows no third-party viewer."""

import json
from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import override
from django.views.decorators.http import require_safe

from tournament.results import Fault, grouped
from tournament.words.faults import FAULTS, fault_text


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    """Every operation with parameters, responses and examples."""
    from tournament.api.problems import KINDS  # late: the API loads at its first request (tournament/urls.py)
    from tournament.api.schema import document

    made = document()
    with override("en"):
        codes = [(code, fault_text(Fault(code))) for code in sorted(FAULTS)]
    groups = grouped(
        (path.removeprefix("/api/v1/").partition("/")[0], _operation(made, path, method, operation))
        for path, operations in made["paths"].items()
        for method, operation in operations.items()
    )
    return render(
        request,
        "api/docs.html",
        {
            "introduction": [_text(each) for each in made["info"]["description"].strip().split("\n\n")],
            "groups": sorted(groups.items()),
            "problems": [(code, status, title) for code, (status, title) in KINDS.items()],
            "codes": codes,
        },
    )


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
        "parameters": [
            {
                "name": each["name"],
                "where": each["in"],
                "type": _type(each.get("schema", {})),
                "text": _text(each.get("description", "")),
            }
            for each in operation.get("parameters", [])
        ],
        "sent": _example(sent),
        "answered": _example(answered),
        "fields": list(_fields(made, answered.get("schema", {}))),
        "takes": list(_fields(made, sent.get("schema", {}))),
        "statuses": sorted(operation["responses"]),
    }


def _fields(made: Mapping[str, Any], shape: Mapping[str, Any]) -> Any:
    """Members of an object, or of a paginated list's rows."""
    shape = _resolved(made, shape)
    properties = shape.get("properties", {})
    if "results" in properties and "count" in properties:
        properties = _resolved(made, properties["results"].get("items", {})).get("properties", {})
    for name, member in properties.items():
        real = _resolved(made, member)
        yield name, _type(real), _text(member.get("description") or real.get("description", ""))


def _text(said: str) -> SafeString:
    return format_html_join(
        "",
        "{}",
        ((format_html("<code>{}</code>", p) if n % 2 else p,) for n, p in enumerate(said.split("`"))),
    )


def _resolved(made: Mapping[str, Any], shape: Mapping[str, Any]) -> Mapping[str, Any]:
    for name in ("oneOf", "anyOf", "allOf"):
        if shape.get(name):
            return _resolved(
                made, {**shape[name][0], **{k: v for k, v in shape.items() if k == "description"}}
            )
    if "$ref" in shape:
        return _resolved(made, made["components"]["schemas"][shape["$ref"].rpartition("/")[2]])
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
