"""Static files under ASGI."""

from typing import Final

from django.http import HttpRequest, HttpResponse
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

IMPORTS: Final = (
    r"""(?m)^(?P<matched>(?P<what>(?:import|export) (?:\{[^}]*\}|\* as \w+)) from "(?P<url>\.\.?/[^"]+)";)"""
)
IMPORTED: Final = """%(what)s from "%(url)s";"""


class WholeFiles(WhiteNoiseMiddleware):  # type: ignore[misc]  # it ships no types
    """WhiteNoise that answers with whole files: they are small, and under ASGI a stream costs a thread."""

    @staticmethod
    def serve(static_file: StaticFile, request: HttpRequest) -> HttpResponse:
        """Return ``static_file`` as ``request`` wants it."""
        streamed = WhiteNoiseMiddleware.serve(static_file, request)
        response = HttpResponse(b"".join(streamed.streaming_content), status=streamed.status_code)
        del response["Content-Type"]
        for name, value in streamed.items():
            response[name] = value
        streamed.close()
        return response


class Fingerprinted(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # it ships no types
    """Files whose names change with what is in them, also where one of our scripts imports another.

    Django's own patterns stumble over "export" and "import" in comments, and over scripts that others wrote.
    """

    max_post_process_passes = 12
    """A name settles once those of the scripts that it imports have: the longest chain of ours is eight."""
    patterns = (*CompressedManifestStaticFilesStorage.patterns, ("js/*.js", ((IMPORTS, IMPORTED),)))
