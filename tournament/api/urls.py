"""Addresses of the JSON API, under /api/v1/: everything that the pages show and do, for other programs. None ends
with a slash.

| question | where |
| --- | --- |
| who is the viewer, and what may they see and do? | `auth` |
| what do all addresses share, and what does a browser show? | `base` |
| what does an error look like? | `problems` |
| when is a reader's answer still current? | `versions` |
| what is in an answer? | `shapes`, as the schema documents it, and `reading`, which builds it |
| what does each address answer? | `reads`, `staff` for those who run an event, `tours` across events; `urls` |
| what can be done, at which address? | `writes`; `writing` carries it out, `bodies` say what it holds |
| how are lists filtered and paginated? | `filters` |
| what else is in the OpenAPI document? | `schema`, with `examples` |
"""

from django.urls import path, re_path

from tournament.api import docs, hall_clock, past_results, reads, staff, tours
from tournament.api.base import UnknownAddress
from tournament.api.schema import SchemaView
from tournament.api.score import ScoreView
from tournament.api.writing import with_writes

app_name = "v1"

READS = [
    path("docs", docs.docs, name="docs"),
    path("me", reads.MeView.as_view(), name="me"),
    path("schema", SchemaView.as_view(), name="schema"),
    path("score", ScoreView.as_view(), name="score"),
    path("tournaments", reads.TournamentsView.as_view(), name="tournaments"),
    path("tournaments/<uuid:tournament>", reads.tournament.as_view(), name="tournament"),
    path("tournaments/<uuid:tournament>/entries", reads.entries.as_view(), name="entries"),
    path(
        "tournaments/<uuid:tournament>/past-results",
        past_results.past_results.as_view(),
        name="past-results",
    ),
    path("tournaments/<uuid:tournament>/stages", reads.stages.as_view(), name="stages"),
    path("tournaments/<uuid:tournament>/programme", reads.programme.as_view(), name="programme"),
    path("tournaments/<uuid:tournament>/clock", hall_clock.clock.as_view(), name="clock"),
    path("tournaments/<uuid:tournament>/incidents", reads.incidents.as_view(), name="incidents"),
    path("tournaments/<uuid:tournament>/ledger", reads.ledger.as_view(), name="ledger"),
    path("tournaments/<uuid:tournament>/calls", staff.CallsView.as_view(), name="calls"),
    path("tournaments/<uuid:tournament>/proposals", staff.ProposalsView.as_view(), name="proposals"),
    path("tournaments/<uuid:tournament>/screens", staff.ScreensView.as_view(), name="screens"),
    path("tournaments/<uuid:tournament>/announcements", staff.announcements.as_view(), name="announcements"),
    path("tournaments/<uuid:tournament>/roles", staff.RolesView.as_view(), name="roles"),
    path("tournaments/<uuid:tournament>/invites", staff.InvitesView.as_view(), name="invites"),
    path("tournaments/<uuid:tournament>/apart", staff.ApartView.as_view(), name="apart"),
    path("tournaments/<uuid:tournament>/checklist", staff.ChecklistView.as_view(), name="checklist"),
    path("tournaments/<uuid:tournament>/registration", staff.registration.as_view(), name="registration"),
    path("organisers/<uuid:organiser>/tour", tours.TourView.as_view(), name="tour"),
    path("organisers/<uuid:organiser>/season", tours.SeasonView.as_view(), name="season"),
    path("organisers/<uuid:organiser>/ratings", tours.RatingsView.as_view(), name="ratings"),
    path("organisers/<uuid:organiser>/appearances", tours.AppearancesView.as_view(), name="appearances"),
    path("entries/<uuid:entry>", reads.EntryView.as_view(), name="entry"),
    path("stages/<uuid:stage>", reads.stage.as_view(), name="stage"),
    path("stages/<uuid:stage>/tables", reads.tables.as_view(), name="tables"),
    path("stages/<uuid:stage>/plays", reads.PlaysView.as_view(), name="plays"),
    path("stages/<uuid:stage>/standings", reads.standings.as_view(), name="standings"),
    path("stages/<uuid:stage>/sheets", reads.sheets.as_view(), name="sheets"),
    path("tables/<uuid:table>", reads.table.as_view(), name="table"),
    path("plays/<uuid:play>", reads.PlayView.as_view(), name="play"),
    path("incidents/<uuid:incident>", reads.IncidentView.as_view(), name="incident"),
]

urlpatterns = [*with_writes(READS), re_path("", UnknownAddress.as_view())]
