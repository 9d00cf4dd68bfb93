"""Requests that go to the IP address that was permitted: a name may lead elsewhere when it is asked for again."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable

import httpx2

from toolcast.load.web import Refused


class Pinned(httpx2.BaseTransport):
    """A transport that asks a permit for the IP address of each request, and connects to no other.

    Every host has a pool of its own: two names with one address must not share a TLS session.
    """

    def __init__(self, permit: Callable[[str], str | None]) -> None:
        self._permit = permit
        self._pools: dict[str, httpx2.HTTPTransport] = {}

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """The answer to a request; raises Refused."""
        host = request.url.host
        address = self._permit(str(request.url))
        if host not in self._pools:
            self._pools[host] = httpx2.HTTPTransport()
        if address is not None:
            request = httpx2.Request(
                request.method,
                request.url.copy_with(host=address),
                headers=request.headers,
                extensions={**request.extensions, "sni_hostname": host},
            )
        return self._pools[host].handle_request(request)

    def close(self) -> None:
        """Close the connections."""
        for pool in self._pools.values():
            pool.close()


def public_address(host: str, port: int) -> str:
    """An IP address of a host, all of whose addresses are public ones; raises Refused.

    IANA's registries of special-purpose addresses say what is public, as ``ipaddress`` knows them.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Refused(f"the host {host} is not known") from None
    addresses = [str(entry[4][0]).partition("%")[0] for entry in found]
    if not addresses or not all(_is_public(address) for address in addresses):
        raise Refused(f"{host} is an address inside of a private network")
    return addresses[0]


def _is_public(text: str) -> bool:
    address = ipaddress.ip_address(text)
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if inner is not None:
            return _is_public(str(inner))
        # Translation prefixes (RFC 6052, RFC 8215) may lead to any IPv4 address.
        if any(address in network for network in _TRANSLATED):
            return _is_public(str(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)))
    return address.is_global and not address.is_multicast


_TRANSLATED = (ipaddress.IPv6Network("64:ff9b::/96"), ipaddress.IPv6Network("64:ff9b:1::/48"))
