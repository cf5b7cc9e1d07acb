"""Sign-in. A signed cookie (device name, account digests) gives known devices their own limit of wrong tries."""

import logging
from typing import Any

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.views import LoginView, LogoutView, PasswordChangeView
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse, reverse_lazy
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from tournament.actions.people.sign_in import make_first_account, mark_of, name_of, own_place
from tournament.forms.sign_in import FirstAccountForm, PasswordForm, SignInForm
from tournament.live.proved import KNOWN_SALT, known_in, make_known
from tournament.models import Membership
from tournament.queries.installation import is_first_account_token, somebody_can_sign_in
from tournament.server.rate_limits import place_of
from tournament.views import (
    OK,
    PRACTISED_COOKIE,
    TOO_MANY,
    UNPROCESSABLE,
    by_link,
    has_practised,
    site_page,
    user_of,
)

logger = logging.getLogger(__name__)

MOST_KNOWN = 8  # accounts per device


class SignIn(LoginView):
    """Name and password; 429 with seconds after too many wrong tries."""

    template_name = "sign_in.html"
    authentication_form = SignInForm

    def get_form(self, form_class: Any = None) -> Any:
        form: Any = super().get_form(form_class)
        form.place, form.busy = self._place, _is_busy(self.request)
        return form

    def get_context_data(self, **context: Any) -> dict[str, Any]:
        """Add `practised`: a newcomer's practice ended here."""
        return super().get_context_data(**context, practised=has_practised(self.request))

    def get_default_redirect_url(self) -> str:
        """The desk; for pure organisers their events."""
        user = user_of(self.request)
        roles = set(Membership.objects.filter(user=user).values_list("role", flat=True))
        runs = Membership.Role.ORGANISER in roles or (user.is_superuser and not roles)
        return reverse("organise" if runs and roles <= {Membership.Role.ORGANISER} else "desk")

    def form_valid(self, form: Any) -> HttpResponse:
        """Sign in, rotate the session key, remember the device."""
        answer = super().form_valid(form)
        self.request.session.cycle_key()
        logger.info("signed in: %s", user_of(self.request).uid)
        if PRACTISED_COOKIE in self.request.COOKIES:
            answer.delete_cookie(PRACTISED_COOKIE, samesite="Lax")
        account, accounts = _account(form.cleaned_data["username"]), known_in(self.request.COOKIES)[1]
        accounts = [account, *(each for each in accounts if each != account)][:MOST_KNOWN]
        make_known(self.request, answer, accounts)
        return answer

    def form_invalid(self, form: Any) -> HttpResponse:
        answer = super().form_invalid(form)
        name = self.request.POST.get("username", "")
        tried = "too early a" if form.wait else "wrong"
        logger.info("%s sign-in: %s", tried, mark_of(name, self._place(name)))
        return _waiting(answer, form.wait)

    def _place(self, name: str) -> str:
        device, accounts = known_in(self.request.COOKIES)
        if device and _account(name) in accounts:
            return own_place("device", device)
        return place_of(self.request.META.get("REMOTE_ADDR", ""))


class Password(PasswordChangeView):
    """Change the password and end the account's other sessions; 429 after wrong tries (unattended phones)."""

    template_name = "password.html"
    form_class = PasswordForm
    success_url = reverse_lazy("desk")

    def get_form(self, form_class: Any = None) -> Any:
        form: Any = super().get_form(form_class)
        form.place = own_place("session", self.request.session.session_key or "")
        form.busy = _is_busy(self.request)
        return form

    def form_invalid(self, form: Any) -> HttpResponse:
        return _waiting(super().form_invalid(form), form.wait)

    def form_valid(self, form: Any) -> HttpResponse:
        """Store the new password and confirm."""
        answer = super().form_valid(form)
        messages.success(self.request, gettext("Your password has been changed."))
        logger.info("password changed by %s", user_of(self.request).uid)
        return answer


def _is_busy(request: HttpRequest) -> bool:
    return "busy" in request.META.get("asgi.scope", {})


def _waiting(answer: HttpResponse, seconds: int) -> HttpResponse:
    if seconds:
        answer.status_code = TOO_MANY
        answer["Retry-After"] = str(seconds)
    return answer


def _account(name: str) -> str:
    return salted_hmac(KNOWN_SALT, name_of(name), algorithm="sha256").hexdigest()[:22]


sign_in = SignIn.as_view()
password = never_cache(Password.as_view())
sign_out = LogoutView.as_view()


# ---- The first account, made by its link ----


@by_link
@require_http_methods(["GET", "HEAD", "POST"])
def first_account(request: HttpRequest, token: str) -> HttpResponse:
    """Make the account and sign in; if one exists, redirect to the sign-in."""
    if not is_first_account_token(token):
        raise Http404
    if somebody_can_sign_in():
        return redirect("sign-in")
    form = FirstAccountForm(request.POST or None)
    if not form.is_valid():
        return site_page(
            request, "first_account.html", form=form, status=UNPROCESSABLE if request.POST else OK
        )
    user = make_first_account(username=form.cleaned_data["username"], password=form.cleaned_data["password1"])
    if user is None:
        return redirect("sign-in")
    login(request, user)
    return redirect("organise")
