"""Addresses of the referee's desk; every one that takes a POST can be opened too, so that reloading and signing in
again lead somewhere."""

from django.urls import path

from tournament.server.first_use import on_first_use

with on_first_use():
    from tournament.views.desk import (
        at_table,
        attendance,
        calls,
        hall_clock,
        incidents,
        move_play,
        my_tables,
        plays,
        second_look,
        tables,
        typing,
    )
    from tournament.views.entry import games, hand_over, outbox, rounds, taps

urlpatterns = [
    path("", my_tables.desk, name="desk"),
    path("send/", outbox.send, name="desk-send"),
    path("outbox/", outbox.outbox, name="desk-outbox"),
    path("hand-over/", hand_over.hand_over, name="desk-hand-over"),
    path("accept/", second_look.queue, name="desk-accept"),
    path("proposal/<uuid:proposal>/accept/", second_look.accept_proposal, name="proposal-accept"),
    path("proposal/<uuid:proposal>/decline/", second_look.decline_proposal, name="proposal-decline"),
    path("play/<uuid:play>/accept/", second_look.accept, name="play-accept"),
    path("play/<uuid:play>/contest/", second_look.contest, name="play-contest"),
    path("play/<uuid:play>/second-look/", second_look.ask, name="play-second-look"),
    path("table/<uuid:table>/code/", at_table.code, name="table-code"),
    path("table/<uuid:table>/code/renew/", at_table.renew, name="table-code-renew"),
    path("table/<uuid:table>/asks/", at_table.asks, name="table-asks"),
    path("table/<uuid:table>/", tables.table, name="table"),
    path("table/<uuid:table>/record/", tables.record, name="table-record"),
    path("table/<uuid:table>/start/", games.start, name="table-start"),
    path("table/<uuid:table>/roles/", games.roles, name="table-roles"),
    path("table/<uuid:table>/target/", rounds.target, name="table-target"),
    path("table/<uuid:table>/stop/", rounds.stop, name="table-stop"),
    path("table/<uuid:table>/go-on/", rounds.stop, {"go_on": True}, name="table-go-on"),
    path("table/<uuid:table>/incidents/", incidents.incidents, name="table-incidents"),
    path("table/<uuid:table>/incidents/<slug:what>/", incidents.incident, name="table-incident"),
    path("table/<uuid:table>/minutes/", hall_clock.minutes, name="table-minutes"),
    path("table/<uuid:table>/call/", calls.call, name="table-call"),
    path("call/<uuid:call>/take-back/", calls.take_back, name="call-take-back"),
    path("call/<uuid:call>/answer/", calls.answer, name="call-answer"),
    path("incident/<uuid:incident>/withdraw/", incidents.withdraw, name="incident-withdraw"),
    path("t/<slug:slug>/rulings/", incidents.rulings, name="rulings"),
    path("table/<uuid:table>/typing/", typing.typing, name="table-typing"),
    path("table/<uuid:table>/accept/", second_look.accept_all, name="table-accept"),
    path("table/<uuid:table>/leave-out/", plays.leave_out, name="table-leave-out"),
    path("table/<uuid:table>/undo/<int:row>/", plays.undo, name="table-undo"),
    path("table/<uuid:table>/history/", plays.history, name="table-history"),
    path("table/<uuid:table>/players/", attendance.people, name="table-players"),
    path(
        "table/<uuid:table>/players/<uuid:entry>/remove/",
        attendance.player,
        {"what": "remove"},
        name="player-remove",
    ),
    path(
        "table/<uuid:table>/players/<uuid:entry>/leave/",
        attendance.player,
        {"what": "leave"},
        name="player-leave",
    ),
    path(
        "table/<uuid:table>/players/<uuid:entry>/readmit/",
        attendance.player,
        {"what": "readmit"},
        name="player-readmit",
    ),
    path("play/<uuid:play>/", plays.play, name="play"),
    path("play/<uuid:play>/correct/", tables.correct, name="play-correct"),
    path("play/<uuid:play>/back/", plays.revert, name="play-revert"),
    path("play/<uuid:play>/elsewhere/", move_play.elsewhere, name="play-elsewhere"),
    path("play/<uuid:play>/void/", plays.void, name="play-void"),
    path("play/<uuid:play>/start-time/", taps.start_time, name="play-start-time"),
    path("play/<uuid:play>/out/", taps.out, name="play-out"),
    path("play/<uuid:play>/take-back/", taps.take_back, name="play-take-back"),
    path("play/<uuid:play>/give-up/", taps.give_up, name="play-give-up"),
    path("play/<uuid:play>/eject/", taps.eject, name="play-eject"),
    path("play/<uuid:play>/join/", taps.join, name="play-join"),
    path("play/<uuid:play>/end/", games.end, name="play-end"),
]
