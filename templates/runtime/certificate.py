"""The certificate by which this server shows an API who it is (mutual TLS, RFC 8446 section 4.4.2)."""

from __future__ import annotations

import os
import re
import ssl
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from .credentials import read_secret
from .errors import SettingsError

_ELSEWHERE = "external"
_KEY = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?-----END [A-Z ]*PRIVATE KEY-----", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Certificate:
    """A chain of certificates and its private key, as PEM."""

    chain: str
    key: str = field(repr=False)

    @classmethod
    def read(cls, prefix: str, environ: Mapping[str, str]) -> Certificate | None:
        """What ``PREFIX_CLIENT_CERTIFICATE`` and ``PREFIX_CLIENT_KEY`` hold; the first may have both.

        None without one, and for ``external``: another program, such as a service mesh's proxy, shows its own. Raises
        ``SettingsError`` when they cannot be used.
        """
        variable = f"{prefix}_CLIENT_CERTIFICATE"
        chain, key = read_secret(environ, variable), read_secret(environ, f"{prefix}_CLIENT_KEY")
        if not chain or chain.strip() == _ELSEWHERE:
            if key:
                raise SettingsError(f"{prefix}_CLIENT_KEY is set, and {variable} is not")
            return None
        found = cls(chain, key or "")
        try:
            found.shown_in(ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT))
        except (ssl.SSLError, ValueError):
            raise SettingsError(
                f"{variable} and {prefix}_CLIENT_KEY are no certificate with its key, as PEM without a passphrase"
            ) from None
        return found

    @property
    def secret(self) -> str:
        """The private key, wherever it stands."""
        return "\n".join(_KEY.findall(f"{self.chain}\n{self.key}"))

    def shown_in(self, context: ssl.SSLContext) -> ssl.SSLContext:
        """The context, which shows the certificate to who asks; raises ``ssl.SSLError`` and ``ValueError``."""
        # The standard library reads files only; nobody else may read this one, and it is gone at once.
        handle, name = tempfile.mkstemp(suffix=".pem")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(f"{self.chain}\n{self.key}\n")
            context.load_cert_chain(name, password=_refuse)
        finally:
            Path(name).unlink()
        return context


def _refuse() -> str:
    """Without this the library would ask at the terminal for a passphrase."""
    raise ValueError
