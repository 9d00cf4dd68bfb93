"""An API on loopback that does to its callers whatever APIs have ever done; the first part of the path says what."""

from __future__ import annotations

import contextlib
import gzip
import json
import socket
import socketserver
import struct
import threading
import time
from collections.abc import Callable, Generator
from typing import Final

_JSON: Final = "Content-Type: application/json\r\n"
_MEBIBYTE: Final = b'"' + b"x" * (1024 * 1024 - 3) + b'",'
_BOMB: Final = gzip.compress(b"[" + b"1," * 50_000_000 + b"1]", 1)
_ROWS: Final = json.dumps([{"id": row, "name": "n" * 80} for row in range(80_000)]).encode()


def _head(status: str, headers: str = _JSON, length: int | None = None) -> bytes:
    told = "" if length is None else f"Content-Length: {length}\r\n"
    return f"HTTP/1.1 {status}\r\n{headers}{told}Connection: close\r\n\r\n".encode()


def _whole(status: str, body: bytes, headers: str = _JSON) -> Callable[[socket.socket], None]:
    return lambda caller: caller.sendall(_head(status, headers, len(body)) + body)


def _hangs(caller: socket.socket) -> None:
    caller.recv(1)  # until the caller goes


def _drips(caller: socket.socket) -> None:
    caller.sendall(_head("200 OK") + b"[")
    while True:
        caller.sendall(b"1,")
        time.sleep(0.05)


def _resets(caller: socket.socket) -> None:
    caller.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    caller.close()


def _resets_in_the_middle(caller: socket.socket) -> None:
    caller.sendall(_head("200 OK", length=1000) + b'{"id": ')
    _resets(caller)


def _floods(caller: socket.socket) -> None:
    caller.sendall(_head("200 OK", length=100 * len(_MEBIBYTE) + 3) + b"[")
    for _ in range(100):
        caller.sendall(_MEBIBYTE)
    caller.sendall(b"1]")


def _endless_header(caller: socket.socket) -> None:
    caller.sendall(b"HTTP/1.1 200 OK\r\n")
    while True:
        caller.sendall(b"X-More: " + b"x" * 1000 + b"\r\n")


FAULTS: Final[dict[str, Callable[[socket.socket], None]]] = {
    "hangs": _hangs,
    "drips": _drips,
    "resets": _resets,
    "resets in the middle": _resets_in_the_middle,
    "sends 100 MB": _floods,
    "sends 100 MB, packed": _whole("200 OK", _BOMB, f"{_JSON}Content-Encoding: gzip\r\n"),
    "sends 9 MB of rows": _whole("200 OK", _ROWS),
    "says that it sends more than it does": lambda caller: caller.sendall(_head("200 OK", length=1000) + b'{"id": 1}'),
    "says that it sends less than it does": lambda caller: caller.sendall(_head("200 OK", length=5) + b'{"id": 1}'),
    "sends headers without end": _endless_header,
    "answers 429 with Retry-After: 0": _whole("429 Too Many Requests", b"{}", f"{_JSON}Retry-After: 0\r\n"),
    "answers 429 with Retry-After: 3600": _whole("429 Too Many Requests", b"{}", f"{_JSON}Retry-After: 3600\r\n"),
    "answers 503 with Retry-After: 0": _whole("503 Service Unavailable", b"", "Retry-After: 0\r\n"),
    "answers 503 with Retry-After: 3600": _whole("503 Service Unavailable", b"", "Retry-After: 3600\r\n"),
    "redirects in circles": _whole("302 Found", b"", "Location: ?\r\n"),
    "sends an object where a list was said": _whole("200 OK", b'{"id": {"deep": [1]}}'),
    "sends HTML as JSON": _whole("200 OK", b"<html>It works!</html>"),
    "nests 100,000 lists": _whole("200 OK", b"[" * 100_000 + b"]" * 100_000),
    "speaks another protocol": lambda caller: caller.sendall(b"SSH-2.0-OpenSSH_9.2\r\n"),
}


def path(fault: str) -> str:
    """The first part of the path by which a fault is asked for."""
    return "".join(sign if sign.isalnum() else "-" for sign in fault)


_BY_PATH: Final = {path(fault): answer for fault, answer in FAULTS.items()}


class _Caller(socketserver.BaseRequestHandler):
    def handle(self) -> None:
        with contextlib.suppress(OSError):
            asked = b""
            while b"\r\n\r\n" not in asked and (part := self.request.recv(65536)):
                asked += part
            if asked:
                target = asked.split(b" ", 2)[1].decode().strip("/").replace("?", "/")
                _BY_PATH[target.partition("/")[0]](self.request)


@contextlib.contextmanager
def serving() -> Generator[str]:
    """The API while the block runs: its URL."""
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), _Caller) as server:
        server.daemon_threads = True
        server.block_on_close = False  # some of what it does has no end
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()
