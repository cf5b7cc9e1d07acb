"""Addresses of an event's webhooks."""

from django.urls import path

from tournament.extras.webhooks import views

urlpatterns = [
    path("organise/t/<slug:slug>/webhooks/", views.webhooks, name="organise-webhooks"),
    path("organise/webhook/<uuid:webhook>/", views.webhook, name="organise-webhook"),
    path("organise/webhook/<uuid:webhook>/try/", views.try_out, name="organise-webhook-try"),
    path("organise/webhook/<uuid:webhook>/remove/", views.remove, name="organise-webhook-remove"),
    path("organise/delivery/<uuid:delivery>/again/", views.again, name="organise-delivery-again"),
]
