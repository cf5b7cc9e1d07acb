"""Addresses of the pages that everybody may see."""

from django.urls import path

from tournament.views.public import pages
from tournament.views.public.friends.views import friends

urlpatterns = [
    path("", pages.tournaments, name="tournaments"),
    path("score/", friends, name="friends"),
    path("t/<slug:slug>/", pages.tournament, name="tournament"),
    path("t/<slug:slug>/stage/<uuid:stage>/", pages.stage, name="stage"),
    path("t/<slug:slug>/player/<uuid:entry>/", pages.entry, name="entry"),
]
