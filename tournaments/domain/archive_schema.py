"""The JSON Schema of an archive: docs/archive.schema.json, and what the site answers."""

from functools import cache
from typing import Final

from scoring.domain.typed_json import JsonObject, schema_of
from tournaments.domain.archived import FORMAT, Archive

NAME: Final = f"urn:courtpiece:archive:{FORMAT}"


@cache
def archive_schema() -> JsonObject:
    """Return the schema."""
    return schema_of(Archive, title="An archive of a tournament of Court Piece", name=NAME)
