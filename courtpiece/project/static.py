"""Static files under ASGI."""

from django.http import HttpRequest, HttpResponse
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile


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
