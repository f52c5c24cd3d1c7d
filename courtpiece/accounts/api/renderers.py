"""What the API writes beside JSON."""

from typing import Any

from rest_framework.renderers import BaseRenderer


class FileRenderer(BaseRenderer):
    """A text that is ready, in UTF-8."""

    charset = "utf-8"

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None
    ) -> bytes:
        """Return the bytes of the text."""
        return str(data).encode()


class BytesRenderer(BaseRenderer):
    """A file that is ready."""

    charset = None
    render_style = "binary"

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None
    ) -> bytes:
        """Return the bytes."""
        return bytes(data)
