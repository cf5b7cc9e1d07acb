"""URLs, with the language in the path."""

from django.conf.urls.i18n import i18n_patterns
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.templatetags.static import static
from django.urls import URLPattern, URLResolver, include, path

from tournament.server.extras import modules
from tournament.views import redirects, sign_in, sign_in as first_account
from tournament.views.public import app, workbook


def favicon(request: HttpRequest) -> HttpResponse:
    """Redirect to the icon, for pages without one (admin)."""
    del request
    return redirect(static("lastcard/favicon.svg"), permanent=True)


handler400 = "tournament.views.errors.page_of_bad_request"
handler404 = "tournament.views.public.practice.not_found"
handler500 = "tournament.views.errors.page_of_error"

urlpatterns: list[URLPattern | URLResolver] = [
    path("favicon.ico", favicon),
    path("sw.js", app.service_worker),
    path("j/<slug:slug>/", redirects.join, name="short-join"),
    path("p/<str:token>/", redirects.own, name="short-own"),
    path("b/<uuid:entry>/", redirects.badge, name="short-badge"),
    *(row for module in modules("addresses") for row in getattr(module, "without_language", ())),
    *i18n_patterns(
        path("", include("tournament.views.public.urls")),
        path("desk/", include("tournament.views.desk.urls")),
        path("sign-in/", sign_in.sign_in, name="sign-in"),
        path("password/", sign_in.password, name="password"),
        path("first/<str:token>/", first_account.first_account, name="first-account"),
        path("sign-out/", sign_in.sign_out, name="sign-out"),
        path("organise/", include("tournament.views.organiser.urls")),
        path("t/<slug:slug>/results.xlsx", workbook.results, name="workbook"),
        *(path("", include(module)) for module in modules("addresses")),
    ),
]
