"""Addresses of the calendar and the feed."""

from django.urls import path

from tournament.extras.calendar import views

urlpatterns = [
    path("t/<slug:slug>/programme.ics", views.calendar, name="calendar"),
    path("t/<slug:slug>/programme/subscribe/", views.subscribe, name="calendar-subscribe"),
    path("t/<slug:slug>/results.atom", views.feed, name="feed"),
]
# In the API: the address's name, what it leads to.
LINKS = {
    "calendar": ("calendar", "The programme, to subscribe to (iCalendar)."),
    "feed": ("feed", "Results as they come (Atom)."),
}
