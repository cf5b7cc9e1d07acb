"""Addresses of what can be printed."""

from django.urls import path

from tournament.extras.printing import views

OF_EVENT, OF_STAGE = "organise/t/<slug:slug>/print/", "organise/stage/<uuid:stage>/"

urlpatterns = [
    path(OF_EVENT, views.prints, name="organise-print"),
    path(f"{OF_EVENT}results/", views.results, name="organise-print-results"),
    path(f"{OF_EVENT}certificates/", views.certificates, name="organise-certificates"),
    path(f"{OF_STAGE}seats/print/", views.seats_print, name="organise-seats-print"),
    path(f"{OF_STAGE}print/seats/", views.seat_list, name="organise-seat-list"),
    path(f"{OF_STAGE}print/sheets/", views.table_sheets, name="organise-table-sheets"),
]
