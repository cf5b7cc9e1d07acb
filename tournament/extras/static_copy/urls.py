"""Address of the copy."""

from django.urls import path

from tournament.extras.static_copy import views

urlpatterns = [
    path("organise/t/<slug:slug>/archive/pages.zip", views.static_copy, name="organise-static-copy"),
]
