"""Address of the table of friends."""

from django.urls import path

from tournament.extras.friends import views

urlpatterns = [path("score/", views.friends, name="friends")]
