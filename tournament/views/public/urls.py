"""Addresses of the public pages."""

from django.urls import path, register_converter
from django.urls.converters import StringConverter

from tournament.views import personal_data
from tournament.views.organiser import checklist
from tournament.views.public import (
    app,
    at_table,
    invite,
    own_entry,
    own_entry as registration,
    pages,
    pages as face,
    practice,
    rules,
)


class ShortCode(StringConverter):
    """A typed short code of a table."""

    regex = "[tT][ 0-9A-Za-z-]{6,16}"


register_converter(ShortCode, "short")

urlpatterns = [
    path("", pages.tournaments, name="tournaments"),
    path("manifest.webmanifest", app.manifest, name="manifest"),
    path("no-network/", app.no_network, name="no-network"),
    path("try/", practice.practice, name="practice"),
    path("try/end/", practice.end, name="practice-end"),
    path("rules/", rules.index, name="rules-index"),
    path("rules/<slug:ruleset>/", rules.rules, name="rules"),
    path("rules/<slug:ruleset>/<slug:sheet>/", rules.rules, name="rules"),
    path("t/<slug:slug>/", pages.tournament, name="tournament"),
    path("t/<slug:slug>/logo-<slug:digest>.webp", face.logo, name="event-logo"),
    path("t/<slug:slug>/colour-<slug:colour>.css", face.colour, name="event-colour"),
    path("t/<slug:slug>/programme/", pages.programme, name="programme"),
    path("t/<slug:slug>/ledger/", pages.ledger, name="ledger"),
    path("t/<slug:slug>/clock/", pages.clock, name="clock"),
    path("t/<slug:slug>/players/", pages.players, name="players"),
    path("t/<slug:slug>/clubs/", pages.clubs, name="clubs"),
    path("t/<slug:slug>/said/", pages.said, name="said"),
    path("t/<slug:slug>/bracket/", pages.bracket, name="bracket"),
    path("t/<slug:slug>/stage/<uuid:stage>/", pages.stage, name="stage"),
    path("t/<slug:slug>/stage/<uuid:stage>/<int:page>/", pages.stage, name="stage-page"),
    path("t/<slug:slug>/stage/<uuid:stage>/draw.json", pages.draw_record, name="stage-draw"),
    path("t/<slug:slug>/stage/<uuid:stage>/podium.svg", pages.podium, name="stage-podium"),
    path("t/<slug:slug>/screen/", pages.screens, name="screens"),
    path("t/<slug:slug>/screen/way/", pages.way, name="screen-way"),
    path("t/<slug:slug>/screen/<uuid:screen>/", pages.screen, name="screen"),
    # LocaleMiddleware redirects /i/... to /en/i/...
    path("i/<str:token>/", invite.invite, name="invite"),
    path("sit/<str:token>/", at_table.sit, name="sit"),
    path("at/<str:token>/", at_table.table, name="at-table"),
    path("at/<str:token>/propose/", at_table.propose, name="at-table-propose"),
    path("at/<str:token>/clock/", at_table.clock, name="at-table-clock"),
    path("at/<str:token>/<slug:what>/", at_table.move, name="at-table-move"),
    # Short codes: /t7kq2mxw, "T7KQ 2MXW".
    path("<short:code>/", at_table.short, name="short-table"),
    path("code/", at_table.typed_code, name="code"),
    path("ask/<str:token>/", at_table.ask, name="ask"),
    path("hello/<str:token>/", checklist.phone_check, name="hello"),
    path("t/<slug:slug>/join/", registration.join, name="join"),
    path("p/<str:token>/", own_entry.own, name="own"),
    path("p/<str:token>/leave/", own_entry.leave, name="own-leave"),
    path("p/<str:token>/data/", own_entry.data, name="own-data"),
    path("p/<str:token>/data.json", personal_data.own_file, name="own-file"),
    path("p/<str:token>/erase/", personal_data.erase_own, name="own-erase"),
    path("p/<str:token>/<slug:what>/", own_entry.move, name="own-move"),
    path("t/<slug:slug>/player/<uuid:entry>/", pages.entry, name="entry"),
]
