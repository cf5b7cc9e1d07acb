"""Addresses of the referee's desk; every one that takes a POST can be opened too, so that reloading and signing in
again lead somewhere."""

from django.urls import path

from tournament.views.desk import elsewhere, game, hands, match, mine, people, plays, sending, tables, taps

urlpatterns = [
    path("", mine.desk, name="desk"),
    path("send/", sending.send, name="desk-send"),
    path("outbox/", sending.outbox, name="desk-outbox"),
    path("table/<uuid:table>/", tables.table, name="table"),
    path("table/<uuid:table>/record/", tables.record, name="table-record"),
    path("table/<uuid:table>/start/", game.start, name="table-start"),
    path("table/<uuid:table>/roles/", game.roles, name="table-roles"),
    path("table/<uuid:table>/stop/", match.stop, name="table-stop"),
    path("table/<uuid:table>/go-on/", match.stop, {"go_on": True}, name="table-go-on"),
    path("table/<uuid:table>/history/", plays.history, name="table-history"),
    path("table/<uuid:table>/players/", people.people, name="table-players"),
    path(
        "table/<uuid:table>/players/<uuid:entry>/remove/",
        people.player,
        {"what": "remove"},
        name="player-remove",
    ),
    path(
        "table/<uuid:table>/players/<uuid:entry>/leave/",
        people.player,
        {"what": "leave"},
        name="player-leave",
    ),
    path(
        "table/<uuid:table>/players/<uuid:entry>/readmit/",
        people.player,
        {"what": "readmit"},
        name="player-readmit",
    ),
    path("play/<uuid:play>/", plays.play, name="play"),
    path("play/<uuid:play>/correct/", tables.correct, name="play-correct"),
    path("play/<uuid:play>/back/", plays.revert, name="play-revert"),
    path("play/<uuid:play>/elsewhere/", elsewhere.elsewhere, name="play-elsewhere"),
    path("play/<uuid:play>/void/", plays.void, name="play-void"),
    path("play/<uuid:play>/start-time/", game.start_time, name="play-start-time"),
    path("play/<uuid:play>/out/", taps.out, name="play-out"),
    path("play/<uuid:play>/take-back/", taps.take_back, name="play-take-back"),
    path("play/<uuid:play>/give-up/", taps.give_up, name="play-give-up"),
    path("play/<uuid:play>/eject/", taps.eject, name="play-eject"),
    path("play/<uuid:play>/join/", taps.join, name="play-join"),
    path("play/<uuid:play>/end/", hands.end, name="play-end"),
]
