"""Whatever a request says of its characters, it is read as UTF-8."""

from typing import Any

import pytest

from courtpiece.project.charsets import OnlyUtf8, OnlyUtf8Wsgi

KEPT = {
    "text/plain; charset=hex": "text/plain",
    "text/plain;CHARSET=idna": "text/plain",
    'application/json; charset="utf-16"': "application/json",
    "multipart/form-data; charset=hex; boundary=x": "multipart/form-data; boundary=x",
    "multipart/form-data; boundary=x": "multipart/form-data; boundary=x",
    "text/plain; charset=hex; charset=idna": "text/plain",
    "": "",
}


@pytest.mark.asyncio
@pytest.mark.parametrize("stated", KEPT)
async def test_it_says_nothing_of_them_over_asgi(stated: str) -> None:
    seen: list[Any] = []

    async def site(scope: dict[str, Any], receive: Any, send: Any) -> None:
        seen.append(scope["headers"])

    headers = [(b"content-type", stated.encode()), (b"x-note", b"; charset=hex")]
    await OnlyUtf8(site)({"type": "http", "headers": headers}, None, None)

    assert seen == [[(b"content-type", KEPT[stated].encode()), (b"x-note", b"; charset=hex")]]


@pytest.mark.parametrize("stated", KEPT)
def test_it_says_nothing_of_them_over_wsgi(stated: str) -> None:
    seen: list[Any] = []

    def site(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        seen.append(environ["CONTENT_TYPE"])
        return []

    OnlyUtf8Wsgi(site)({"CONTENT_TYPE": stated}, None)

    assert seen == [KEPT[stated]]
