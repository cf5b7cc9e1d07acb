"""Addresses of imports."""

from django.urls import path

from tournament.extras.imports.views import players, results

urlpatterns = [
    path("organise/t/<slug:slug>/players.xlsx", players.export_list, name="organise-players-file"),
    path("organise/t/<slug:slug>/import/", players.import_list, name="organise-import"),
    path("organise/t/<slug:slug>/past-results/", players.import_list, name="organise-past-results"),
    path(
        "organise/t/<slug:slug>/import/template.<slug:kind>",
        players.template,
        name="organise-import-template",
    ),
    path("organise/t/<slug:slug>/results-import/", results.results_import, name="organise-results-import"),
    path("organise/t/<slug:slug>/results-template.xlsx", results.template, name="organise-results-template"),
]
