"""Archives of tournaments: out, in, and what they are made of."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from io import BytesIO
from tempfile import SpooledTemporaryFile
from typing import IO, Any, Final, cast

from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response

from courtpiece.accounts.api.base import ApiView
from courtpiece.accounts.api.documents import NOT_FOUND, PROBLEM_JSON, REFUSED_WRITE, problem
from courtpiece.accounts.api.files import IN_MEMORY, file_answer
from tournaments.domain.archive_schema import archive_schema
from tournaments.errors import ArchiveTooLarge
from tournaments.operations.archives import UPLOAD_BYTES, import_archive, write_archive

JSON: Final = "application/json"


class ArchiveParser(BaseParser):
    """An archive as it came: it is read by who verifies it."""

    media_type = JSON

    def parse(
        self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> dict[str, bytes]:
        """Return the file, as the value of the one key there is.

        :raises ArchiveTooLarge: if it is larger than is taken here.
        """
        content: bytes = stream.read(UPLOAD_BYTES + 1)
        if len(content) > UPLOAD_BYTES:
            message = _(
                "The archive has more than %(most)d MiB. `manage.py import_archive` takes larger ones."
            )
            raise ArchiveTooLarge(message % {"most": UPLOAD_BYTES // 1024 // 1024})
        return {"archive": content}


class Imported(serializers.Serializer[Any]):
    """A tournament that was taken in, and how much of it."""

    tournament = serializers.SlugField(source="slug")
    entries = serializers.IntegerField()
    scoresheets = serializers.IntegerField(source="matches")
    deals = serializers.IntegerField()
    revisions = serializers.IntegerField(help_text=gettext_lazy("What was ever written of the deals."))


class TournamentArchive(ApiView):
    """The archive of a tournament."""

    @extend_schema(
        operation_id="archive",
        summary="A tournament in one file",
        responses={
            (200, JSON): OpenApiTypes.OBJECT,
            **NOT_FOUND,
            (409, PROBLEM_JSON): problem("Cards are still kept from spectators; `detail` says until when."),
        },
    )
    def get(self, request: Request, slug: str) -> HttpResponseBase:
        """Give everything that may be read of a tournament, with the standings and what verifies them.

        Its form is at `archive.schema.json`. It can be sent to another site: `clubs/{slug}/archives`.
        """
        self.asked()
        file = cast(IO[bytes], SpooledTemporaryFile(IN_MEMORY))  # noqa: SIM115 - the answer closes it
        try:
            written = write_archive(slug=slug, actor=self.actor, file=file, now=timezone.now())
        except BaseException:
            file.close()
            raise
        name = f"{written.slug}-v{written.version}.archive.json"
        headers = {
            "ETag": f'"{written.sha256}"',
            "Content-Disposition": f'attachment; filename="{name}"',
            "Content-Length": str(written.size),
        }
        return file_answer(file, content_type=JSON, headers=headers)


class ClubArchives(ApiView):
    """Archives that are taken into a club."""

    parser_classes: Sequence[type[BaseParser]] = [ArchiveParser]

    @extend_schema(
        operation_id="import_archive",
        summary="Take a tournament in from an archive",
        request=OpenApiTypes.OBJECT,
        responses={201: Imported, **REFUSED_WRITE},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Verify an archive and take its tournament into the club. Needs the scope `tournaments:write`.

        Everything is taken or nothing. What is on the site already is answered 409, what does not agree with its own
        records 422, with `problems`.
        """
        self.asked()
        taken = import_archive(
            actor=self.actor,
            club=slug,
            file=BytesIO(cast(dict[str, bytes], request.data).get("archive", b"")),
            at=timezone.now(),
            most_bytes=UPLOAD_BYTES,
        )
        headers = {"Location": reverse("api-tournament", args=[taken.slug])}
        return Response(Imported(taken).data, status=HTTPStatus.CREATED, headers=headers)


class ArchiveSchema(ApiView):
    """The form of an archive."""

    @extend_schema(
        operation_id="archive_schema",
        summary="The JSON Schema of an archive",
        responses={(200, JSON): OpenApiTypes.OBJECT},
    )
    def get(self, request: Request) -> Response:
        """Give the schema that every archive of this site is by."""
        self.asked()
        return Response(archive_schema())
