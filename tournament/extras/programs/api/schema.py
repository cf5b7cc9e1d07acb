"""OpenAPI document, at `GET /api/v1/schema`; tests validate all responses."""

from collections.abc import Mapping
from threading import Condition
from typing import Any, cast

from cachetools import Cache, cached
from django.urls import include, path
from django.utils import translation
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework import permissions

from tournament import __version__
from tournament.extras.programs.actions import SCOPES
from tournament.extras.programs.api import auth, base, problems, texts, writes, writing
from tournament.extras.programs.api.examples import examples
from tournament.server.extras import with_extras

Json = dict[str, Any]

INTRODUCTION = """\
UNO events: what is played, by whom, and the standings. The help (/help/api/) says how to begin.

Everything is named by its uid; a tournament is an event. Without a token, a program sees what is public. A token, \
created at /organise/tokens/ and sent as `Authorization: Bearer lc_…`, lets it do what its user may, within the \
token's scopes. Every error is a problem of RFC 9457. Lists are paginated (`limit`, `cursor`). Answers have an ETag: a \
program that sends it as If-None-Match gets no body while nothing has changed.
"""

LISTS = {f"{one}s": one for one in ("tournament", "stage", "table", "play", "incident")} | {
    "entries": "entry"
}
FORMAT = OpenApiParameter("format", enum=["json", "csv"], description="Decides before the header Accept.")
READS = ("400", "401", "404", "406", "429", "500", "503")
WRITES = (*READS, "403", "409", "413", "415", "422")


class Schema(AutoSchema):
    """Operation ids: last URL part (`tournaments_read`) or action."""

    VERBS: Mapping[str, str] = {
        "GET": "read",
        "POST": "send",
        "PUT": "put",
        "PATCH": "change",
        "DELETE": "delete",
    }

    @property
    def write(self) -> writes.Write | None:
        return cast(writes.Write | None, getattr(self.view, "commands", {}).get(self.method))

    @property
    def place(self) -> str:
        return str(self.path).removeprefix("/api/v1/").rpartition("/")[2].strip("{}").replace("-", "_")

    @property
    def about(self) -> tuple[str, str]:
        """Summary and description."""
        if self.write:
            return self.write.summary, with_extras("TEXTS", texts.WRITES)[self.write.action]
        return with_extras("READ_TEXTS", texts.READS)[self.place]

    def get_operation_id(self) -> str:
        return self.write.operation if self.write else f"{self.place}_{self.VERBS[self.method]}"

    def get_summary(self) -> str:
        return self.about[0]

    def get_description(self) -> str:  # type: ignore[override]  # as drf-spectacular's own
        edits = self.write and self.write.edits and self.method == "PUT"
        return self.about[1] + (texts.AS_ANSWERED if edits and hasattr(self.view, "serializer_class") else "")

    def get_override_parameters(self) -> Any:
        if self.write:
            seen = OpenApiParameter(
                "If-Match",
                OpenApiTypes.STR,
                OpenApiParameter.HEADER,
                required=self.write.needs_version,
                description="An ETag of what this changes, as the sender saw it, or `*`. 412 if it has changed since.",
            )
            return [writing.KEY_HEADER, *([] if self.write.action in writes.NEW_EVENT else [seen])]
        query = getattr(self.view, "query_class", None) if self.method == "GET" else None
        in_csv = self.method == "GET" and base.CsvRenderer in self.view.renderer_classes
        return [*([query] if query and query().fields else []), *([FORMAT] if in_csv else [])]

    def get_serializer_name(self, serializer: Any, direction: Any) -> str:
        if isinstance(serializer, writing.CommandSerializer):
            return "".join(word.capitalize() for word in serializer.context["write"].action.split("_"))
        return super().get_serializer_name(serializer, direction)

    def get_request_serializer(self) -> Any:
        if self.write:
            return writing.body_of(self.write) if self.write.operation in writes.example_bodies() else None
        return super().get_request_serializer()

    def get_response_serializers(self) -> Any:
        if self.write:
            return {
                self.write.status: OpenApiResponse(
                    writing.ReceiptSerializer, description="Done, now or before."
                )
            }
        return super().get_response_serializers()

    def get_auth(self) -> list[Json]:
        """Security schemes with token scope; {} if public."""
        needed = [
            each for each in self.view.get_permissions() if isinstance(each, permissions.IsAuthenticated)
        ]
        if not needed:
            return [{"token": []}, {"session": []}, {}]
        scope = (
            auth.scope_of(self.write.action) if self.write else getattr(needed[0], "scope", auth.Scope.READ)
        )
        return [{"token": [str(scope)]}, {"session": []}]


def finished(result: Json, **_more: Any) -> Json:
    """Postprocessing hook that adds problems, ETags, security, examples."""
    if not result["paths"]:
        return result
    result["info"] |= {"description": INTRODUCTION, "x-program": f"Lastcard {__version__}"}
    schemas = result["components"]["schemas"]
    for body in (name for name in schemas if name.endswith("Request")):
        schemas[body]["additionalProperties"] = False
    schemas["Problem"] = PROBLEM
    result["webhooks"] = with_extras("MESSAGES", {})
    for method, operation in (each for operations in result["paths"].values() for each in operations.items()):
        responses = operation["responses"]
        scopes = operation["security"][0]["token"]
        if scopes:
            operation["description"] += f" Tokens need the scope `{scopes[0]}`."
        needed = [
            each.get("required") for each in operation.get("parameters", ()) if each["name"] == "If-Match"
        ]
        statuses = {
            *(READS if method == "get" else WRITES),
            *(["403"] if scopes else []),
            *(["412"] if method == "get" or needed else []),
            *(["428"] if any(needed) else []),
        }
        if method == "get":
            responses["304"] = {"description": "Nothing has changed since this ETag."}
        responses |= {status: _problem(status) for status in sorted(statuses - responses.keys())}
        _describe(operation, method)
    _with_links(result["paths"])
    return result


def _with_links(paths: Mapping[str, Mapping[str, Json]]) -> None:
    """Link what was made, a list's first row, and a thing, to what can be read of it."""
    made, first = "$response.body#/made", "$response.body#/results/0/uid"
    links = [
        (each.operation, f"{each.shows}_read", each.shows, made) for each in writes.commands() if each.shows
    ]
    links += [(f"{many}_read", f"{one}_read", one, first) for many, one in LISTS.items()]
    links += [
        (f"{one}_read", operations["get"]["operationId"], one, f"$request.path.{one}")
        for address, operations in paths.items()
        for one in LISTS.values()
        if "get" in operations and address.count("{") == 1 and f"/{{{one}}}/" in address
    ]
    operations = {each["operationId"]: each for of in paths.values() for each in of.values()}
    for name, read, parameter, value in links:
        response = next(each for status, each in operations[name]["responses"].items() if status < "3")
        response.setdefault("links", {})[read] = {"operationId": read, "parameters": {parameter: value}}


def _describe(operation: Json, method: str) -> None:
    status, good = next(each for each in operation["responses"].items() if each[0].startswith("2"))
    parameters = {each["name"] for each in operation.get("parameters", ())}
    sends = {
        "ETag": method == "get" or "If-Match" in parameters,
        "Link": "format" in parameters,
        "Location": status == "201"
        and any(each.shows for each in writes.commands() if each.operation == operation["operationId"]),
    }
    good["headers"] = {name: header for name, header in HEADERS.items() if sends.get(name, True)}
    sent, answered = examples().get(operation["operationId"], (None, None))
    if sent is not None:
        operation["requestBody"]["content"]["application/json"]["example"] = sent
    if answered is not None:
        good["content"]["application/json"]["example"] = answered
    if sends["Link"]:
        good["content"]["text/csv"] = {"schema": _TEXT}


def _problem(status: str) -> Json:
    again = {"Retry-After": {"description": "Seconds.", "schema": {"type": "integer"}}}
    headers = {"429": again, "503": again, "401": {"WWW-Authenticate": {"schema": {"type": "string"}}}}
    return {
        "description": next(str(title) for code, title in problems.KINDS.values() if str(code) == status),
        "content": {problems.CONTENT_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
        **({"headers": headers[status]} if status in headers else {}),
    }


_TEXT = {"type": "string"}
HEADERS: Mapping[str, Json] = {
    "ETag": {"description": "The version of what is answered or was written.", "schema": _TEXT},
    "Link": {"description": 'As CSV: the next page, `<address>; rel="next"`.', "schema": _TEXT},
    "Location": {"description": "The address of what was created.", "schema": _TEXT},
    "RateLimit-Limit": {"description": "Requests a minute.", "schema": {"type": "integer"}},
    "RateLimit-Remaining": {"description": "How many of them are left.", "schema": {"type": "integer"}},
    "RateLimit-Reset": {
        "description": "Seconds until the oldest of them no longer counts.",
        "schema": {"type": "integer"},
    },
}
_SIDE = {
    "type": "object",
    "description": "One version of the play, by whom and when; `at` is null if it was not stored.",
    "properties": {
        "play": {"type": "object"},
        "by": _TEXT,
        "at": {"type": ["string", "null"], "format": "date-time"},
    },
}
PROBLEM: Json = {
    "type": "object",
    "description": "A problem of RFC 9457.",
    "required": ["type", "title", "status", "code"],
    "properties": {
        "type": {"type": "string", "format": "uri-reference"},
        "title": {"type": "string", "description": "In the language of the request."},
        "status": {"type": "integer"},
        "detail": _TEXT,
        "instance": {
            "type": "string",
            "format": "uri",
            "description": "For an internal error: the log has more under this address.",
        },
        "request_id": {
            "type": "string",
            "description": "For an internal error: the same as the header X-Request-ID, which every answer has.",
        },
        "code": {"type": "string", "enum": list(problems.KINDS)},
        "required_scope": {
            "type": "string",
            "enum": [*SCOPES],
            "description": "For a token without the scope that is needed.",
        },
        "tournament": {
            "type": "string",
            "format": "uuid",
            "description": "For a token that is limited to one event (403, 404): that event.",
        },
        "scopes": {
            "type": "array",
            "items": {"type": "string", "enum": [*SCOPES]},
            "description": "For such a token: what it allows there.",
        },
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["code", "path", "message", "parameters"],
                "properties": {
                    "code": _TEXT,
                    "path": {"type": "string", "description": "A JSON Pointer into the body."},
                    "header": {"type": "string", "description": "The header that is at fault."},
                    "message": {"type": "string", "description": "In the language of the request."},
                    "parameters": {"type": "object"},
                },
            },
        },
        "current": _SIDE,
        "offered": _SIDE,
    },
}


@cached(Cache(1), condition=Condition())  # drf-spectacular is not thread-safe
def document() -> Json:
    """OpenAPI document in English."""
    with translation.override("en"):
        generator = SchemaGenerator(  # type: ignore[no-untyped-call]
            patterns=[path("api/v1/", include("tournament.extras.programs.api.urls", namespace="v1"))],
            api_version="v1",
        )
        return dict(generator.get_schema(request=None, public=True))  # type: ignore[no-untyped-call]
