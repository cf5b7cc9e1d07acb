"""Addresses of the pages that everybody may see."""

from django.urls import path

from tournament.views.public import pages
from tournament.views.public.friends.views import friends
from tournament.views.public.invite import invite

urlpatterns = [
    path("", pages.tournaments, name="tournaments"),
    path("score/", friends, name="friends"),
    path("t/<slug:slug>/", pages.tournament, name="tournament"),
    path("t/<slug:slug>/stage/<uuid:stage>/", pages.stage, name="stage"),
    # The address in a code has no language: /i/... is led on to /en/i/... by the phone's own (LocaleMiddleware).
    path("i/<str:token>/", invite, name="invite"),
    path("t/<slug:slug>/player/<uuid:entry>/", pages.entry, name="entry"),
]
