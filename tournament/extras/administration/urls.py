"""Addresses of the admin, which loads at its first request."""

from django.urls import path

from tournament.extras.administration.views import to_sign_in
from tournament.server.django_private import LazyNamespace

urlpatterns = [
    path("admin/login/", to_sign_in),
    LazyNamespace("admin/", "tournament.extras.administration.admin.urls", "admin"),
]
