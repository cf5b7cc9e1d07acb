"""The first account, made by its link."""

from django.contrib.auth import login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from tournament.actions.people.first_account import make_first_account
from tournament.forms.sign_in import FirstAccountForm
from tournament.queries.first_account import is_first_account_token, somebody_can_sign_in
from tournament.views import OK, UNPROCESSABLE, by_link, site_page


@by_link
@require_http_methods(["GET", "HEAD", "POST"])
def first_account(request: HttpRequest, token: str) -> HttpResponse:
    """Make the account and sign in; redirect to the sign-in if one exists."""
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
