"""Address of the copy."""

from django.urls import path

from tournament.server.first_use import on_first_use

with on_first_use():
    from tournament.extras.static_copy import views

urlpatterns = [
    path("organise/t/<slug:slug>/archive/pages.zip", views.static_copy, name="organise-static-copy"),
]
