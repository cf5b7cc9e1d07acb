"""Addresses of the organiser's pages, below /organise/."""

from django.urls import path

from tournament.views.organiser import (
    board,
    checklist,
    copy,
    events,
    imports,
    invites,
    ledger,
    people,
    rehearsal,
    roles,
    seats,
    stages,
)

urlpatterns = [
    path("", events.mine, name="organise"),
    path("new/", events.new, name="organise-new"),
    path("t/<slug:slug>/", board.board, name="organise-board"),
    path("t/<slug:slug>/edit/", events.edit, name="organise-edit"),
    path("t/<slug:slug>/copy/", copy.copy, name="organise-copy"),
    path("t/<slug:slug>/rehearse/", copy.rehearse, name="organise-rehearse"),
    path("rehearsal/<uuid:tournament>/put-away/", rehearsal.put_away, name="organise-put-away"),
    path("rehearsal/<uuid:tournament>/bring-back/", rehearsal.bring_back, name="organise-bring-back"),
    path("t/<slug:slug>/players/", people.players, name="organise-players"),
    path("t/<slug:slug>/import/", imports.import_list, name="organise-import"),
    path("t/<slug:slug>/import/template.<slug:kind>", imports.template, name="organise-import-template"),
    path("t/<slug:slug>/check-in/", people.check_in, name="organise-check-in"),
    path("t/<slug:slug>/roles/", roles.roles, name="organise-roles"),
    path("t/<slug:slug>/ledger/", ledger.ledger, name="organise-ledger"),
    path("player/<uuid:entry>/", people.player, name="organise-player"),
    path("player/<uuid:entry>/<slug:what>/", people.move, name="organise-player-move"),
    path("t/<slug:slug>/checklist/", checklist.checklist, name="organise-checklist"),
    path("t/<slug:slug>/invites/", invites.invites, name="organise-invites"),
    path("invite/<uuid:invite>/", invites.invite, name="organise-invite"),
    path("invite/<uuid:invite>/revoke/", invites.revoke, name="organise-invite-revoke"),
    path("stage/<uuid:stage>/referees/", invites.post, name="organise-post-referees"),
    path("role/<uuid:membership>/revoke/", roles.revoke, name="organise-role-revoke"),
    path("stage/<uuid:stage>/", stages.stage, name="organise-stage"),
    path("stage/<uuid:stage>/start/", stages.start, name="organise-stage-start"),
    path("stage/<uuid:stage>/finish/", stages.finish, name="organise-stage-finish"),
    path("stage/<uuid:stage>/reopen/", stages.reopen, name="organise-stage-reopen"),
    path("stage/<uuid:stage>/fill/", stages.fill, name="organise-stage-fill"),
    path("stage/<uuid:stage>/seats/", seats.seats, name="organise-seats"),
]
