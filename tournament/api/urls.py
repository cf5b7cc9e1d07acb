"""Addresses of the JSON interface."""

from django.urls import path

from tournament.api.score import ScoreView

urlpatterns = [
    path("score", ScoreView.as_view(), name="api-score"),
]
