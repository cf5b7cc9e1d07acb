"""Lists are divided by `limit` and `offset`; `next` and `previous` are the addresses of the parts beside this one."""

from typing import Any

from rest_framework import serializers
from rest_framework.pagination import LimitOffsetPagination
from rest_framework.request import Request


class PageQuery(serializers.Serializer[Any]):
    """Which part of a list is asked for."""

    limit = serializers.IntegerField(min_value=1, max_value=500, default=100, help_text="How many at once.")
    offset = serializers.IntegerField(
        min_value=0, max_value=2**31 - 1, default=0, help_text="After how many."
    )


class Pages(LimitOffsetPagination):
    """The framework's own, but that it refuses what is no number of rows instead of passing over it."""

    def get_limit(self, request: Request) -> int:
        """How many at once; ValidationError for what `PageQuery` does not take."""
        return self._asked(request)["limit"]

    def get_offset(self, request: Request) -> int:
        """After how many."""
        return self._asked(request)["offset"]

    def _asked(self, request: Request) -> dict[str, int]:
        query = PageQuery(data=request.query_params)
        query.is_valid(raise_exception=True)
        asked: dict[str, int] = query.validated_data
        return asked

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """A page in the OpenAPI document."""
        address = {"type": ["string", "null"], "format": "uri"}
        return {
            "type": "object",
            "required": ["count", "next", "previous", "results"],
            "properties": {
                "count": {"type": "integer", "description": "How many there are in all pages."},
                "next": address,
                "previous": address,
                "results": schema,
            },
        }

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        """The two parameters, as `PageQuery` takes them."""
        del view
        return [
            {
                "name": name,
                "required": False,
                "in": "query",
                "description": str(field.help_text),
                "schema": {
                    "type": "integer",
                    "minimum": field.min_value,
                    "maximum": field.max_value,
                    "default": field.default,
                },
            }
            for name, field in PageQuery().fields.items()
            if isinstance(field, serializers.IntegerField)
        ]
