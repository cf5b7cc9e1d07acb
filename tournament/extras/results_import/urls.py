"""Addresses of the results import."""

from django.urls import path

from tournament.extras.results_import import views

urlpatterns = [
    path("organise/t/<slug:slug>/results-import/", views.results_import, name="organise-results-import"),
    path("organise/t/<slug:slug>/results-template.xlsx", views.template, name="organise-results-template"),
]
