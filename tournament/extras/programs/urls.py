"""Addresses of tokens, and of the API, which loads at its first request."""

from django.urls import path

from tournament.extras.programs import views
from tournament.server.django_private import LazyNamespace

handler500 = views.problem_of_error
without_language = [
    path("api/v1/docs", views.docs, name="api-docs"),
    LazyNamespace("api/v1/", "tournament.extras.programs.api.urls", "v1"),
]
urlpatterns = [
    path("organise/tokens/", views.tokens, name="organise-tokens"),
    path("organise/tokens/<uuid:access>/revoke/", views.revoke, name="organise-token-revoke"),
]
