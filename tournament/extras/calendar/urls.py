"""Addresses of the calendar and the feed."""

from django.urls import path

from tournament.extras.calendar import views

urlpatterns = [
    path("t/<slug:slug>/programme.ics", views.calendar, name="calendar"),
    path("t/<slug:slug>/programme/subscribe/", views.subscribe, name="calendar-subscribe"),
    path("t/<slug:slug>/results.atom", views.feed, name="feed"),
]
