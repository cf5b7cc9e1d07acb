"""Base of all API views; responses as HTML with links, lists as CSV."""

import csv
import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from io import StringIO
from typing import IO, Any
from urllib.parse import urljoin

from django.conf import settings
from django.db.models import QuerySet
from django.http import HttpResponse
from django.urls import reverse
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.html import format_html, format_html_join
from django.utils.http import parse_etags
from django.utils.translation import get_language, gettext as _
from django_filters.rest_framework import FilterSet
from rest_framework import exceptions, negotiation, renderers, serializers, views
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.actions.kernel import ANY_VERSION
from tournament.extras.programs.api import auth, filters, problems
from tournament.models import LedgerRow, Tournament
from tournament.server.environment import program_digest

MOST_BYTES = 1_000_000  # bytes

# Members that hold a uid, with its URL name.
NAMED = {name: name for name in ("tournament", "stage", "table", "play", "entry", "incident")} | {
    "player": "entry"
}
_UID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_LINE = re.compile(rf'(\s*"(?P<name>\w+)": ")(?:(?P<uid>{_UID})|(?P<address>https?://[^"{{]+))"(,?)')


class PageRenderer(renderers.TemplateHTMLRenderer):
    """Responses as HTML in browsers."""

    template_name = "api/answer.html"
    exception_template_names = [template_name]

    def get_template_context(self, data: Any, renderer_context: Mapping[str, Any]) -> dict[str, Any]:
        view, request, response = (renderer_context[name] for name in ("view", "request", "response"))
        plain = renderers.JSONRenderer().render(data, "application/json; indent=2").decode()
        return {
            "method": request.method,
            "path": request.get_full_path(),
            "status": response.status_code,
            "reason": response.reason_phrase,
            "headers": [
                (name, response.headers[name])
                for name in ("Allow", "Content-Language", "ETag", "Retry-After")
                if name in response.headers
            ],
            "lines": format_html_join("\n", "{}", ((_linked(line, view),) for line in plain.splitlines())),
            "parts": [(part, f"{request.path}/{part}") for part in view.parts],
        }


class CsvRenderer(renderers.BaseRenderer):
    """Lists as CSV, nested values as JSON; problems stay JSON. The Link header has the next page."""

    media_type = "text/csv"
    format = "csv"
    charset = "utf-8"

    def render(
        self,
        data: Any,
        _accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> str:
        response = (renderer_context or {})["response"]
        plain: str = renderers.JSONRenderer().render(data).decode()
        if not plain or response.exception:
            return plain
        answer = json.loads(plain)
        rows = answer.get("results", answer.get("standings", [answer]))
        if answer.get("next"):
            response["Link"] = f'<{answer["next"]}>; rel="next"'
        text = StringIO(newline="")
        writer = csv.DictWriter(text, list(dict.fromkeys(name for row in rows for name in row)))
        writer.writeheader()
        writer.writerows({name: _csv_cell(value) for name, value in row.items()} for row in rows)
        return text.getvalue()


def _csv_cell(value: Any) -> str:
    from tournament.files.workbook.writer import csv_text  # imports XlsxWriter

    if isinstance(value, str):
        return csv_text(value)
    return "" if value is None else json.dumps(value, ensure_ascii=False)


def _linked(line: str, view: Any) -> str:
    """A line of JSON, with a link at a uid or an address of this site."""
    if not (found := _LINE.fullmatch(line)):
        return line
    # `uid` refers to the serializer's object.
    own = getattr(view, "serializer_class", ApiView).__name__.removesuffix("Serializer").lower()
    name = NAMED.get(own if found["name"] == "uid" else found["name"])
    address = found["address"] or (reverse(f"v1:{name}", args=[found["uid"]]) if name else "")
    complete = view.request.build_absolute_uri
    if not (address and complete(address).startswith(complete("/"))):
        return line
    return format_html('{}<a href="{}">{}</a>"{}', found[1], address, found["uid"] or address, found[5])


def whole(stream: IO[Any]) -> bytes:
    """Return the request body. Raises Failed above MOST_BYTES."""
    body: bytes = stream.read(MOST_BYTES + 1)
    if len(body) > MOST_BYTES:
        raise problems.Failed("too_large")
    return body


class Formats(negotiation.DefaultContentNegotiation):
    """`?format=` decides alone, else the header Accept."""

    def select_renderer(self, request: Request, renderers: Any, format_suffix: str | None = None) -> Any:
        """Raises ValidationError for a format that the address does not have."""
        asked, by_name = request.query_params.get("format"), {each.format: each for each in renderers}
        if not asked:
            return super().select_renderer(request, renderers, format_suffix)
        if asked not in by_name:
            raise exceptions.ValidationError(
                {
                    "format": exceptions.ErrorDetail(
                        _("This address has these formats: %(names)s.") % {"names": ", ".join(by_name)},
                        "invalid_choice",
                    )
                }
            )
        return by_name[asked], by_name[asked].media_type


class ApiView(views.APIView):
    """Base view: identifies the viewer, renders problems, prevents shared caching. Sign-in required unless `urls` opens
    it.

    GET accepts only parameters of `query_class` and `filterset_class`. `parts`: sub-URLs for the HTML page.
    """

    parts: tuple[str, ...] = ()
    query_class: type[serializers.Serializer[Any]] = serializers.Serializer
    filterset_class: type[FilterSet] = FilterSet
    throttles: Sequence[Any] = ()

    renderer_classes = [renderers.JSONRenderer, PageRenderer]
    content_negotiation_class = Formats

    @property
    def viewer(self) -> auth.Viewer:
        return auth.Viewer.of(self.request)

    def initial(self, request: Request, *arguments: Any, **named: Any) -> None:
        """Raises Failed over plain HTTP, where a redirect would let tokens go on in the clear; ValidationError for
        wrong parameters of GET."""
        if settings.SECURE_SSL_REDIRECT and not request.is_secure():
            raise problems.Failed("forbidden", detail=f"https://{request.get_host()}{request.path}")
        super().initial(request, *arguments, **named)
        if request.method in {"GET", "HEAD"} and hasattr(self, "get"):
            takes = {"format", *self.query_class().fields, *self.filterset_class.base_filters}
            filters.refuse_unreadable(request, sorted(takes))

    @cached_property
    def query(self) -> dict[str, Any]:
        """Parameters of GET. Raises ValidationError for wrong ones, so first find what may be hidden."""
        read = self.query_class(data=self.request.query_params)
        read.is_valid(raise_exception=True)
        return dict(read.validated_data)

    def options(self, request: Any, *_arguments: Any, **_named: Any) -> Response:
        return Response(
            {
                "methods": self.allowed_methods,
                "schema": request.build_absolute_uri(reverse("v1:schema")),
            }
        )

    def get_throttles(self) -> Any:
        self.throttles = super().get_throttles()
        return self.throttles

    def finalize_response(self, request: Request, response: Any, *arguments: Any, **named: Any) -> Any:
        finished = super().finalize_response(request, response, *arguments, **named)
        if (
            isinstance(finished, Response)
            and finished.exception
            and finished.accepted_renderer.format in {"json", "csv"}
        ):
            finished.content_type = problems.CONTENT_TYPE
        finished.headers.setdefault("Cache-Control", "private, no-cache")
        patch_vary_headers(finished, ["Accept", "Accept-Language", "Authorization", "Cookie"])
        for name, value in (each for throttle in self.throttles for each in throttle.headers().items()):
            finished.headers[name] = value
        return finished


class UnknownAddress(ApiView):
    """Answers 404 for unknown URLs, suggesting the likely one; `index`: addresses by last part."""

    index: Mapping[str, str] = {}

    def initial(self, request: Request, *arguments: Any, **named: Any) -> None:
        super().initial(request, *arguments, **named)
        path = request.path.rstrip("/")
        meant = (
            f"{reverse('v1:tournaments')}?slug={named['slug']}"
            if "slug" in named
            else urljoin(reverse("v1:index"), self.index.get(path.rpartition("/")[2], path))
        )
        hint = {"detail": _("Did you mean {address}?").format(address=meant)}
        raise exceptions.NotFound(hint if meant != request.path else None)


# ---- Conditional requests ----

DIGITS, PROGRAM_DIGITS = 10, 12
MOST_ETAGS = 20  # in If-Match
_VERSION = re.compile(r'"(\d{1,18})(?:\.[a-z-]+[a-z0-9-]*(?:\.([0-9a-f]{10})-[0-9a-z.-]*)?)?"')


def tag_of(version: int, sees: str, history: str) -> str:
    """ETag of a response at `version` for a reader who `sees` this much."""
    return f"{version}.{sees}.{history}-{program_digest()[:PROGRAM_DIGITS]}"


def tag_of_events(events: QuerySet[Tournament], sees: str) -> str:
    """ETag of a response about all these events."""
    ledgers = list(events.order_by("pk").values_list("pk", "version", "ledger_head"))
    return tag_of(sum(version for _pk, version, _head in ledgers), sees, history_of(ledgers))


def history_at(tournament: Tournament, version: int) -> str:
    """Digest of the tournament's history up to `version`, with its key: archives may repeat a ledger."""
    head = tournament.ledger_head
    if version != tournament.version:
        rows = LedgerRow.objects.filter(tournament=tournament, sequence=version)
        head = rows.values_list("digest", flat=True).first() or ""
    return history_of((tournament.pk, head))


def history_of(*said: object) -> str:
    """Short digest of the values."""
    return sha256(repr(said).encode()).hexdigest()[:DIGITS]


def versioned(request: Request, tag: str, answer: Callable[[], Any]) -> HttpResponse | Response:
    """Response with ETag (none for ""), or 304; call in the version's `snapshot()`. Raises Failed by If-Match."""
    if not tag:
        return Response(answer())
    form = getattr(request.accepted_renderer, "format", "json")
    tag = f'"{tag}"' if form == "json" else f'"{tag}.{form}-{get_language()}"'
    have = get_conditional_response(request._request, etag=tag)
    if have is not None and have.status_code == problems.KINDS["version_changed"][0]:
        raise problems.Failed("version_changed")
    response = have or Response(answer())
    response["ETag"] = tag
    return response


def expected_version(request: Request, history: Callable[[int], str], *, needed: bool) -> int | None:
    """Version in If-Match: newest of several, ANY_VERSION for `*`, None without header. `history`: of a version.

    Raises Failed if it is `needed` and missing, malformed, or can match no version.
    """
    said = request.headers.get("If-Match", "").strip()
    if needed and not said:
        raise problems.Failed("version_missing")
    if said in {"", "*"}:
        return ANY_VERSION if said else None
    tags = parse_etags(said)
    if not said.count(",") < len(tags) <= MOST_ETAGS:
        raise problems.header_fault("If-Match", _("Send an ETag as you got it, with its quotation marks."))
    named = [(int(tag[1]), tag[2]) for tag in map(_VERSION.fullmatch, tags) if tag]
    known = [version for version, told in named if not told or told == history(version)]
    if not known:
        raise problems.Failed(
            "version_changed",
            detail=said.startswith("W/") and _("A weak ETag never matches. Send it without W/."),
        )
    return max(known)
