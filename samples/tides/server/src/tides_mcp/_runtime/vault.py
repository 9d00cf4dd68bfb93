"""The vault: where the tokens of a login are kept, in the system's keyring or else in a file of the user's."""

from __future__ import annotations

import importlib
import json
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol, cast


class Vault(Protocol):
    """Keeps one secret text for each scheme of a server."""

    @property
    def place(self) -> str:
        """Where it is, in words."""
        ...

    def get(self, scheme: str) -> str:
        """What is kept for a scheme; empty when nothing is."""
        ...

    def put(self, scheme: str, secret: str) -> None:
        """Keep a secret; the empty text removes it."""
        ...


def vault(server: str) -> Vault:
    """The vault of a server: the keyring where the package ``keyring`` is installed and finds one, else a file."""
    try:
        keyring: Any = importlib.import_module("keyring")
        nothing: Any = importlib.import_module("keyring.backends.fail")
    except ImportError:
        return FileVault(server)
    return FileVault(server) if isinstance(keyring.get_keyring(), nothing.Keyring) else _KeyringVault(server, keyring)


class Keeper:
    """What the vault of a server keeps for one scheme; it is opened when somebody asks."""

    def __init__(self, server: str, scheme: str) -> None:
        self._server = server
        self._scheme = scheme
        self._vault: Vault | None = None
        self._known: str | None = None

    def refresh_token(self) -> str:
        """The refresh token of the last login; empty when there is none."""
        if self._known is None:
            self._known = self._opened().get(self._scheme)
        return self._known

    def renew(self, refresh_token: str) -> None:
        """Keep another refresh token; the empty one forgets the login."""
        if refresh_token != self._known:
            self._opened().put(self._scheme, refresh_token)
            self._known = refresh_token

    @property
    def place(self) -> str:
        """Where it is kept, in words."""
        return self._opened().place

    def _opened(self) -> Vault:
        if self._vault is None:
            self._vault = vault(self._server)
        return self._vault


class FileVault:
    """A file that its owner alone can read."""

    def __init__(self, server: str, folder: Path | None = None) -> None:
        base = os.environ.get("XDG_STATE_HOME") or (os.environ.get("LOCALAPPDATA") if os.name == "nt" else None)
        state = Path(base) if base else Path.home() / ".local" / "state"
        self._path = (folder or state / f"{server}-mcp") / "tokens.json"

    @property
    def place(self) -> str:
        """The path of the file."""
        return str(self._path)

    def get(self, scheme: str) -> str:
        """What is kept for a scheme; empty when nothing is."""
        return str(self._read().get(scheme) or "")

    def put(self, scheme: str, secret: str) -> None:
        """Keep a secret; the empty text removes it."""
        kept = {name: value for name, value in self._read().items() if name != scheme}
        if secret:
            kept[scheme] = secret
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, beside = tempfile.mkstemp(dir=self._path.parent)  # made for its owner alone
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(kept, file)
            Path(beside).replace(self._path)
        except BaseException:
            with suppress(OSError):
                Path(beside).unlink()
            raise

    def _read(self) -> dict[str, Any]:
        try:
            value: object = json.loads(self._path.read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


class _KeyringVault:
    """The keyring of the system."""

    def __init__(self, server: str, keyring: Any) -> None:
        self._service = f"{server}-mcp"
        self._keyring = keyring

    @property
    def place(self) -> str:
        """The name of the keyring."""
        return f"the keyring ({self._keyring.get_keyring().name})"

    def get(self, scheme: str) -> str:
        return self._keyring.get_password(self._service, scheme) or ""

    def put(self, scheme: str, secret: str) -> None:
        if secret:
            self._keyring.set_password(self._service, scheme, secret)
        else:
            with suppress(self._keyring.errors.PasswordDeleteError):
                self._keyring.delete_password(self._service, scheme)
