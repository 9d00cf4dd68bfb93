"""An API that answers every request with the same JSON, by asyncio alone; it prints its URL."""

from __future__ import annotations

import asyncio

_BODY = b'{"id":7,"field_0":"a field","owner":{"id":1,"note":"somebody"}}'
_ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(_BODY), _BODY)


async def answered(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer on one connection until it ends."""
    try:
        while True:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(_ANSWER)
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


async def main() -> None:
    """Serve on a free port."""
    server = await asyncio.start_server(answered, "127.0.0.1", 0)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    await server.serve_forever()


asyncio.run(main())
