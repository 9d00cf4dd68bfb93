"""The other files of a document, each read once, when a reference first leads to it."""

from __future__ import annotations

import hashlib
import os
import posixpath
import time
from urllib.parse import SplitResult, urlsplit, urlunsplit
from urllib.request import url2pathname

from toolcast.diagnostics import Diagnostic, Failure, Report
from toolcast.load import reading
from toolcast.load.identity import foreign
from toolcast.load.reach import Reach
from toolcast.load.source import MAX_BYTES, read, without_credentials
from toolcast.load.text import decode
from toolcast.load.web import Refused, Web
from toolcast.model.json import Json
from toolcast.model.urls import origin

MAX_FILES = 2_000
_PROSE = (".md", ".txt")  # descriptions that stand in files of their own
_PATIENCE = 20  # times the limit of one answer: for all of them


class Neighbours:
    """Reads files by their URIs and keeps them by their names: relative to the entry's folder, or their URL."""

    def __init__(self, reach: Reach, web: Web, report: Report, *, address: str, timeout: float) -> None:
        self.reach = reach
        self.files: dict[str, Json] = {}
        self.texts: dict[str, str] = {}
        self.bases: dict[str, str] = {"": reach.base}  # where each file was found
        self._web = web
        self._report = report
        self._address = address
        self._names: dict[str, str] = {reach.base: ""} if reach.base else {}  # by URI
        self._failures: dict[str, Failure] = {}
        self._digests: dict[str, bytes] = {}
        self._bytes = 0
        self._end = time.monotonic() + _PATIENCE * timeout

    def known(self, uri: str) -> str | None:
        """The name of a file that was read, "" for the entry."""
        return self._names.get(uri)

    def named(self, uri: str) -> str:
        """What a file is called, whether or not it can be read."""
        try:
            parts = urlsplit(uri)
            if parts.scheme != "file" or self.reach.folder is None:
                return without_credentials(uri)
            name = os.path.relpath(url2pathname(parts.path), os.path.abspath(self.reach.folder))  # noqa: PTH100
        except ValueError:  # no URI, or on Windows another drive
            return uri
        return name.replace(os.sep, "/").replace("%", "%25").replace("#", "%23")

    def get(self, uri: str) -> str:
        """The name of the file at a URI, read now if it was not yet; raises Failure TC120 to TC123."""
        if uri in self._names:
            return self._names[uri]
        if uri in self._failures:
            raise self._failures[uri]
        try:
            parts = _split(uri)
            self._names[uri] = name = self._read(uri, parts)
        except Failure as failure:
            self._failures[uri] = failure
            raise
        except Refused as refusal:
            advice = "Copy the file beside the document, or allow it if you trust the document."
            self._failures[uri] = failure = _failure("TC121", f"may not be read: {refusal}", advice)
            raise failure from None
        return name

    def digest(self, root: bytes) -> str:
        """The SHA-256 of the canonical JSON of the entry and of all files that were read."""
        total = hashlib.sha256(root)
        for name, part in sorted((self._relative(name), part) for name, part in self._digests.items()):
            total.update(b"\0" + name.encode("utf-8", "surrogatepass") + b"\0" + part)
        return total.hexdigest()

    def _relative(self, name: str) -> str:
        """A name that is the same wherever the whole document is."""
        here, there = urlsplit(self.reach.base), urlsplit(name)
        if here.scheme not in ("http", "https") or origin(here) != origin(there):
            return name
        return posixpath.relpath(there.path or "/", posixpath.dirname(here.path) or "/")

    def _read(self, uri: str, parts: SplitResult) -> str:
        name = self.named(uri)
        if name in self.files:
            return name  # under another spelling
        if len(self.files) >= MAX_FILES or self._bytes > MAX_BYTES:
            advice = "Bundle it into one file, or leave out what you do not need."
            raise _failure("TC123", f"is not read: there are more than {MAX_FILES:,} files or 64 MiB of them", advice)
        end = uri
        try:
            if parts.scheme == "file":
                path = self.reach.file(uri)
                if path.exists() and not path.is_file():
                    raise _failure("TC120", "is no file", "Name the file.")
                data = read(str(path)).data
            elif parts.scheme in ("http", "https"):
                if time.monotonic() > self._end:
                    raise _failure("TC123", "is not read: the files before it took too long", "Bundle the document.")
                self.reach.address(uri)  # says why not, before anything is asked of the network
                answer = self._web.fetch(self._with_credentials(uri))
                data, end = answer.data, answer.url or uri
            elif parts.scheme:
                raise Refused(f"addresses that begin with {parts.scheme}: cannot be read")
            else:
                raise Refused("the document came from standard input, so there is no place beside it")
        except Failure as failure:
            if failure.diagnostic.code.startswith("TC12"):
                raise
            found = failure.diagnostic
            fault = "does not exist" if found.code == "TC001" else f"cannot be used: {found.message}"
            raise _failure("TC120", fault, found.help) from None
        if self._names.get(end) is not None:
            return self._names[end]
        self._bytes += len(data)
        try:
            text = decode(data, name)
            foreign(text, name)
            value = text if name.endswith(_PROSE) else reading.value(text, name, self._report)
            canonical = reading.canonical(value, text, name)
        except Failure as failure:
            found = failure.diagnostic
            line = found.location.line if found.location is not None else None
            fault = f"cannot be used: {found.message}{f' in line {line}' if line is not None else ''}"
            raise _failure("TC122", fault, found.help) from None
        self.files[name], self.texts[name], self.bases[name] = value, text, end
        self._digests[name] = hashlib.sha256(canonical).digest()
        self._names[end] = name
        return name

    def _with_credentials(self, uri: str) -> str:
        """A URL with the name and password that the user gave for the document, if it has the document's origin."""
        given, parts = urlsplit(self._address), urlsplit(uri)
        user = given.netloc.rpartition("@")[0]
        if not user or origin(given) != origin(parts):
            return uri
        return urlunsplit(parts._replace(netloc=f"{user}@{parts.netloc}"))


def _split(uri: str) -> SplitResult:
    try:
        parts = urlsplit(uri)
        _ = parts.port  # which may be none
    except ValueError:
        raise _failure("TC120", "is no address of a file", "Check its spelling.") from None
    return parts


def _failure(code: str, fault: str, advice: str) -> Failure:
    """The failure of a file; the message is what is said of it, without its name, which depends on who asks."""
    return Failure(Diagnostic(code=code, severity="warning", message=fault, help=advice))
