"""Addresses of archives and of copied pages."""

from django.urls import path

from tournament.extras.archive import views

OF_EVENT = "organise/t/<slug:slug>/archive/"

urlpatterns = [
    path("organise/import-archive/", views.import_archive, name="organise-import-archive"),
    path(OF_EVENT, views.archive, name="organise-archive"),
    path(f"{OF_EVENT}event.zip", views.archive_file, name="organise-archive-file"),
    path(f"{OF_EVENT}pages.zip", views.static_copy, name="organise-static-copy"),
]
