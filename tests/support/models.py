"""The models of the program that have a table of their own."""

from typing import Any

from django.apps import apps


def stored_models() -> list[Any]:
    """Give every model of ours but proxies, which show rows of another model and hold nothing of their own."""
    models = apps.get_app_config("tournament").get_models()
    return [model for model in models if not model._meta.proxy]
