"""Addresses of seasons."""

from django.urls import path

from tournament.extras.season import views

SEASON = "o/<uuid:organiser>/seasons/<uuid:season>/"
OF_EVENT = "organise/t/<slug:slug>/seasons/"

urlpatterns = [
    path(SEASON, views.season, {"template": "season/season.html"}, name="season"),
    path(f"{SEASON}print/", views.season, {"template": "season/print.html"}, name="season-print"),
    path(f"{SEASON}season.xlsx", views.workbook, name="season-workbook"),
    path(f"{SEASON}next/", views.next_evening, name="season-next"),
    path(OF_EVENT, views.seasons, name="organise-seasons"),
    path(f"{OF_EVENT}<uuid:season>/", views.change, name="organise-season"),
    path(f"{OF_EVENT}<uuid:season>/evening/", views.put_in, name="organise-season-evening"),
    path(f"{OF_EVENT}<uuid:season>/remove/", views.remove, name="organise-season-remove"),
]
