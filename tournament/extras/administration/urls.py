"""Addresses of the admin, which loads at its first request."""

from tournament.server.django_private import LazyNamespace

urlpatterns = [LazyNamespace("admin/", "tournament.extras.administration.admin.urls", "admin")]
