"""Access tokens. The OpenAPI document as HTML, since the CSP allows no third-party viewer."""

import json
import sys
from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _, override
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods, require_safe

from tournament.actions.people.roles import LONGEST_NAME
from tournament.extras.programs.actions import SCOPES, make_token, revoke_token
from tournament.forms.fields import add_faults, offer
from tournament.models import ApiToken, Tournament, User
from tournament.permissions import is_limited
from tournament.results import Fault, Refused, grouped, uuid_or_none
from tournament.views import OK, UNPROCESSABLE, signed_in_form, site_page, user_of, with_account
from tournament.words.faults import FAULTS, fault_text


class TokenForm(forms.Form):
    """A token's program, scope, tournament and expiry."""

    name = forms.CharField(
        label=_("Which program is it for?"),
        max_length=LONGEST_NAME,
        help_text=_("A name you will recognise, such as “scoreboard in the hall”."),
    )
    scope = forms.ChoiceField(
        label=_("Permissions"),
        choices=[
            (ApiToken.Scope.READ, _("read")),
            (ApiToken.Scope.ENTER, _("read and enter results")),
            (ApiToken.Scope.ORGANISE, _("everything that I can do")),
        ],
        initial=ApiToken.Scope.READ,
        help_text=_(
            "Players’ personal data (names, birth dates, contact details) can be read only with "
            "“everything that I can do”. In the API the three are called read, enter and organise."
        ),
    )
    tournament = forms.ChoiceField(label=_("Where"), required=False)
    valid = forms.ChoiceField(
        label=_("Valid"),
        choices=[
            ("1", _("for a day")),
            ("7", _("for a week")),
            ("31", _("for a month")),
            ("366", _("for a year")),
        ],
        initial="7",
    )

    def __init__(self, user: User, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        rows = Tournament.objects.visible().filter(memberships__user=user).distinct()
        offer(self, "tournament", [("", _("everywhere")), *((str(row.uid), row.name) for row in rows)])


@with_account
@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_variables("secret")
def tokens(request: HttpRequest) -> HttpResponse:
    """List the tokens; POST creates one and shows its secret once."""
    user = user_of(request)
    if request.method != "POST":
        return _page(request, TokenForm(user))
    form = TokenForm(user, request.POST)
    if not form.is_valid():
        return _page(request, form, status=UNPROCESSABLE)
    try:
        row, secret = make_token(
            user,
            name=form.cleaned_data["name"],
            scope=form.cleaned_data["scope"],
            tournament=uuid_or_none(form.cleaned_data["tournament"]),
            expires_at=timezone.now() + timedelta(days=int(form.cleaned_data["valid"])),
            token=uuid_or_none(request.POST.get("token", "")),
        )
    except Refused as refused:
        add_faults(form, refused.faults)
        return _page(request, form, status=UNPROCESSABLE)
    return _page(request, TokenForm(user), made=row, secret=secret)


@signed_in_form
def revoke(request: HttpRequest, access: UUID) -> HttpResponse:
    if request.method == "POST":
        try:
            revoke_token(user_of(request), access)
        except Refused:
            raise Http404 from None
    return redirect("organise-tokens")


@sensitive_variables("secret")
def _page(
    request: HttpRequest,
    form: TokenForm,
    *,
    made: ApiToken | None = None,
    secret: str = "",
    status: int = OK,
) -> HttpResponse:
    now = timezone.now()
    rows = ApiToken.objects.filter(user=user_of(request)).select_related("tournament")
    return site_page(
        request,
        "programs/tokens.html",
        status=status,
        section="tokens",
        form=form,
        token=uuid4(),
        made=made,
        secret=secret,
        limited=is_limited(user_of(request)),
        rows=[
            (
                row,
                row.revoked_at is None and row.expires_at > now,
                ApiToken.Scope(reach).label if reach else "",
            )
            for row in rows
            for reach in [next((scope for scope in reversed(SCOPES) if scope in row.scopes), "")]
        ],
    )


def problem_of_error(request: HttpRequest) -> HttpResponse | None:
    """Error 500 of the API; None elsewhere."""
    from tournament.extras.programs.api.problems import ADDRESSES, answer, broken

    return answer(broken(sys.exception(), request)) if request.path.startswith(ADDRESSES) else None


# ---- The document ----


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    """Every operation with parameters, responses and examples."""
    from tournament.extras.programs.api.problems import KINDS
    from tournament.extras.programs.api.schema import document

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
