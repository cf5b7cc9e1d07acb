"""Addresses of the help."""

from django.urls import path

from tournament.views import help as views

urlpatterns = [
    path("help/", views.index, name="help"),
    path("help/client.py", views.client, name="help-client"),
    path("help/<slug:topic>/", views.help_page, name="help-page"),
]
