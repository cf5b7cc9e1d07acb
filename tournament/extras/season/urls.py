"""Addresses of tours and seasons."""

from django.urls import path

from tournament.extras.season import tour_views, views

TOUR = "o/<uuid:organiser>/"
SEASON = f"{TOUR}seasons/<uuid:season>/"
OF_EVENT = "organise/t/<slug:slug>/seasons/"

urlpatterns = [
    path(TOUR, tour_views.tour, name="tour"),
    path(f"{TOUR}ratings/", tour_views.rating_list, name="tour-ratings"),
    path(f"{TOUR}ratings/<int:page>/", tour_views.rating_list, name="tour-ratings-page"),
    path(f"{TOUR}season/<int:year>/", tour_views.season, name="tour-season"),
    path(f"{TOUR}season/<int:year>/<int:page>/", tour_views.season, name="tour-season-page"),
    path(f"{TOUR}player/<uuid:player>/", tour_views.player, name="tour-player"),
    path(SEASON, views.season, {"template": "season/season.html"}, name="season"),
    path(f"{SEASON}print/", views.season, {"template": "season/print.html"}, name="season-print"),
    path(f"{SEASON}season.xlsx", views.workbook, name="season-workbook"),
    path(f"{SEASON}next/", views.next_evening, name="season-next"),
    path(OF_EVENT, views.seasons, name="organise-seasons"),
    path(f"{OF_EVENT}<uuid:season>/", views.change, name="organise-season"),
    path(f"{OF_EVENT}<uuid:season>/evening/", views.put_in, name="organise-season-evening"),
    path(f"{OF_EVENT}<uuid:season>/remove/", views.remove, name="organise-season-remove"),
]
