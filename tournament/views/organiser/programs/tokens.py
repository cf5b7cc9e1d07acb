"""The user's API tokens: list, create, revoke."""

from uuid import UUID, uuid4

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods

from tournament.actions.people.invites import SCOPES, make_token, revoke_token
from tournament.forms.fields import add_faults
from tournament.forms.sign_in import TokenForm
from tournament.models import ApiToken
from tournament.permissions import is_limited
from tournament.results import Refused, uuid_or_none
from tournament.views import OK, UNPROCESSABLE, signed_in_form, site_page, user_of, with_account


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
            tournament=form.where(),
            expires_at=form.until(),
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
        "organiser/tokens.html",
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
