"""Addresses of the help."""

from django.urls import path

from tournament.extras.help import views

urlpatterns = [
    path("help/", views.index, name="help"),
    path("help/client.py", views.client, name="help-client"),
    path("help/<slug:topic>/", views.help_page, name="help-page"),
]
