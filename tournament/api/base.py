"""What every address of the interface does alike."""

from typing import Any

from django.http import Http404
from django.utils.cache import patch_vary_headers
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tournament.api.auth import PageAuthentication, TokenAuthentication, Viewer
from tournament.api.pages import PageRenderer
from tournament.api.problems import CONTENT_TYPE, answer_to
from tournament.server.rate_limits import ApiThrottle


class ApiView(APIView):
    """An address: knows who asks, answers errors as problems, keeps answers out of shared caches.

    For its page in a browser: what the `uid` in its answer `names`, and the `parts` that go on from it.
    """

    names: str = ""
    parts: tuple[str, ...] = ()

    authentication_classes = [TokenAuthentication, PageAuthentication]
    throttle_classes = [ApiThrottle]
    renderer_classes = [JSONRenderer, PageRenderer]
    http_method_names = ["get", "head", "post", "put", "patch", "delete"]

    @property
    def viewer(self) -> Viewer:
        """Who asks."""
        return Viewer.of(self.request)

    def get_exception_handler(self) -> Any:
        """Errors are problems."""
        return answer_to

    def finalize_response(self, request: Request, response: Any, *arguments: Any, **named: Any) -> Any:
        """Say what the answer is, and that it is this reader's own."""
        finished = super().finalize_response(request, response, *arguments, **named)
        if (
            isinstance(finished, Response)
            and finished.exception
            and finished.accepted_renderer.format == "json"
        ):
            finished.content_type = CONTENT_TYPE
        finished.headers.setdefault("Cache-Control", "private, no-cache")
        patch_vary_headers(finished, ["Accept", "Accept-Language", "Authorization", "Cookie"])
        return finished


class UnknownAddress(ApiView):
    """Whatever address there is not."""

    def initial(self, request: Request, *arguments: Any, **named: Any) -> None:
        """Not found, whatever was asked."""
        super().initial(request, *arguments, **named)
        raise Http404
