"""Credentials: which alternative is taken, where it goes, and that nothing shows it."""

from __future__ import annotations

from typing import Any

import pytest
from runtime.credentials import Credentials, Proof
from runtime.errors import CallError, SettingsError
from runtime.operation import Operation
from runtime.security import ApiKey, Basic, MutualTls, Scheme, Token

from .conftest import CREDENTIALS, SCHEMES, SECRETS

HEADER = ApiKey("H", "header", "X-Key")
QUERY = ApiKey("Q", "query", "key")
COOKIE = ApiKey("C", "cookie", "sid")
BEARER = Token("T")
BASIC = Basic("U", "P")
ALL: dict[str, Scheme] = {"h": HEADER, "q": QUERY, "c": COOKIE, "t": BEARER, "b": BASIC, "m": MutualTls("M")}


def proof(security: tuple[tuple[str, ...], ...], **environ: str) -> Proof:
    operation: Operation[Any, Any] = Operation(name="get", method="GET", path="/", security=security)
    return Credentials.read(ALL, environ).proof(operation)


def test_places() -> None:
    found = proof((("h", "q", "c"),), H="one", Q="two", C="three")
    assert found == Proof((("X-Key", "one"),), (("key", "two"),), (("sid", "three"),))
    assert proof((("t",),), T="abc").headers == (("Authorization", "Bearer abc"),)
    assert proof((("b",),), U="Aladdin", P="open sesame").headers == (
        ("Authorization", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
    )


@pytest.mark.parametrize(
    ("security", "environ", "expected"),
    [
        ((("h",), ("t",)), {"H": "1", "T": "2"}, Proof((("X-Key", "1"),))),
        ((("h",), ("t",)), {"T": "2"}, Proof((("Authorization", "Bearer 2"),))),
        ((("h", "q"), ("t",)), {"H": "1", "T": "2"}, Proof((("Authorization", "Bearer 2"),))),
        (((), ("t",)), {"T": "2"}, Proof((("Authorization", "Bearer 2"),))),
        (((), ("t",)), {}, Proof()),
        ((("t",), ()), {}, Proof()),
        ((), {"T": "2"}, Proof()),
        ((("m",), ("h",)), {"M": "a certificate", "H": "1"}, Proof()),
        ((("m", "h"), ("t",)), {"M": "a certificate", "H": "1"}, Proof((("X-Key", "1"),))),
        ((("m", "h"), ("t",)), {"H": "1", "T": "2"}, Proof((("Authorization", "Bearer 2"),))),
        ((("unheard-of",), ("t",)), {"T": "2"}, Proof((("Authorization", "Bearer 2"),))),
    ],
)
def test_the_first_alternative_with_a_credential(
    security: tuple[tuple[str, ...], ...], environ: dict[str, str], expected: Proof
) -> None:
    assert proof(security, **environ) == expected


@pytest.mark.parametrize("environ", [{}, {"H": "1"}, {"H": ""}, {"U": "u"}, {"P": "p"}])
def test_without_a_credential_the_variables_are_named(environ: dict[str, str]) -> None:
    with pytest.raises(CallError) as caught:
        proof((("h", "q"), ("b",)), **environ)
    assert "H and Q, or U and P" in str(caught.value)
    assert "nothing was sent" in str(caught.value)


def test_without_a_certificate_its_variable_is_named() -> None:
    with pytest.raises(CallError, match="M and H, or T"):
        proof((("m", "h"), ("t",)), H="1")


def test_a_certificate_is_not_given_for_one_call() -> None:
    with pytest.raises(CallError, match="nothing was sent"):
        Credentials.read(ALL, {}).given({"M": "a certificate"})


def test_an_empty_password_must_be_said() -> None:
    assert proof((("b",),), U="sk_live", P="").headers == (("Authorization", "Basic c2tfbGl2ZTo="),)


def test_a_scheme_that_cannot_be_sent_is_named() -> None:
    with pytest.raises(CallError, match="'mtls'"):
        proof((("mtls",),))


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("H", "a\r\nb"),
        ("H", "ä"),
        ("C", "a; b=c"),
        ("C", "a b"),
        ("T", "a\x00"),
        ("U", "a:b"),
        ("P", "a\x7f"),
        ("Q", "\n"),
    ],
)
def test_a_value_that_its_place_cannot_hold(variable: str, value: str) -> None:
    with pytest.raises(SettingsError) as caught:
        Credentials.read(ALL, {variable: value})
    assert str(caught.value).startswith(variable)
    assert value not in str(caught.value)


def test_nothing_shows_a_secret() -> None:
    credentials = Credentials.read(SCHEMES, CREDENTIALS)
    security = (("key", "login"),)
    operation: Operation[Any, Any] = Operation(name="get", method="GET", path="/", security=security)
    shown = repr(credentials) + repr(credentials.proof(operation)) + credentials.redact(" ".join(SECRETS))
    assert not any(secret in shown for secret in SECRETS)
