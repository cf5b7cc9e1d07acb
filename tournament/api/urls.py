"""Addresses of the JSON interface. None ends with a slash."""

from django.urls import path, re_path

from tournament.api.base import UnknownAddress
from tournament.api.score import ScoreView

app_name = "v1"

urlpatterns = [
    path("score", ScoreView.as_view(), name="score"),
    re_path("", UnknownAddress.as_view()),
]
