"""Addresses of what can be printed."""

from django.urls import path

from tournament.extras.printing.views import prints, seat_lists, standings, table_sheets

OF_EVENT, OF_STAGE = "organise/t/<slug:slug>/print/", "organise/stage/<uuid:stage>/"

urlpatterns = [
    path(OF_EVENT, prints.prints, name="organise-print"),
    path(f"{OF_EVENT}results/", standings.results, name="organise-print-results"),
    path(f"{OF_EVENT}certificates/", standings.certificates, name="organise-certificates"),
    path(f"{OF_STAGE}seats/print/", seat_lists.seats_print, name="organise-seats-print"),
    path(f"{OF_STAGE}print/seats/", seat_lists.seat_list, name="organise-seat-list"),
    path(f"{OF_STAGE}print/sheets/", table_sheets.table_sheets, name="organise-table-sheets"),
]
