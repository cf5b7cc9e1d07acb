"""Addresses. The language is a part of the path, so that a page's bytes are the same for everybody."""

from django.conf.urls.i18n import i18n_patterns
from django.contrib import admin
from django.contrib.auth.views import LogoutView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.templatetags.static import static
from django.urls import URLPattern, URLResolver, include, path
from django.urls.resolvers import RoutePattern
from django.views.decorators.cache import never_cache

from tournament.views import redirects
from tournament.views.first_account import first_account
from tournament.views.public import app
from tournament.views.public.workbook import workbook, workbook_kept, workbook_status
from tournament.views.sign_in import Password, SignIn, to_sign_in


class Later(URLResolver):
    """The addresses of a namespace, which are loaded when the first of them is asked for or named."""

    def _populate(self) -> None:
        """Collect no names for those above: a name is looked up in its namespace."""


def favicon(request: HttpRequest) -> HttpResponse:
    """Browsers ask for it where a page (the admin's) names no icon."""
    del request  # the same for everybody
    return redirect(static("lastcard/favicon.svg"), permanent=True)


def styleguide(request: HttpRequest) -> HttpResponse:
    """Every component, for who builds pages; loaded when somebody looks."""
    from tournament.views.styleguide import styleguide as page

    return page(request)


handler400 = "tournament.api.problems.page_of_bad_request"
handler404 = "tournament.views.public.practice.not_found"
handler500 = "tournament.api.problems.page_of_error"

urlpatterns: list[URLPattern | URLResolver] = [
    path("favicon.ico", favicon),
    path("sw.js", app.service_worker),
    path("j/<slug:slug>/", redirects.join, name="short-join"),
    path("p/<str:token>/", redirects.own, name="short-own"),
    path("b/<uuid:entry>/", redirects.badge, name="short-badge"),
    Later(RoutePattern("api/v1/"), "tournament.api.urls", app_name="v1", namespace="v1"),
    *i18n_patterns(
        path("", include("tournament.views.public.urls")),
        path("desk/", include("tournament.views.desk.urls")),
        path("sign-in/", SignIn.as_view(), name="sign-in"),
        path("password/", never_cache(Password.as_view()), name="password"),
        path("first/<str:token>/", first_account, name="first-account"),
        path("sign-out/", LogoutView.as_view(), name="sign-out"),
        path("organise/", include("tournament.views.organiser.urls")),
        path("styleguide/", styleguide, name="styleguide"),
        path("admin/login/", to_sign_in),
        path("admin/", admin.site.urls),
        path("t/<slug:slug>/results.xlsx", workbook, name="workbook"),
        path("t/<slug:slug>/results/<int:version>/", workbook_status, name="workbook-status"),
        path("t/<slug:slug>/results/<int:version>.xlsx", workbook_kept, name="workbook-kept"),
    ),
]
