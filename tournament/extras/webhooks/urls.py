"""Addresses of an event's webhooks."""

from django.urls import path

from tournament.views.organiser.programs import webhooks

urlpatterns = [
    path("organise/t/<slug:slug>/webhooks/", webhooks.webhooks, name="organise-webhooks"),
    path("organise/webhook/<uuid:webhook>/", webhooks.webhook, name="organise-webhook"),
    path("organise/webhook/<uuid:webhook>/try/", webhooks.try_out, name="organise-webhook-try"),
    path("organise/webhook/<uuid:webhook>/remove/", webhooks.remove, name="organise-webhook-remove"),
    path("organise/delivery/<uuid:delivery>/again/", webhooks.again, name="organise-delivery-again"),
]
