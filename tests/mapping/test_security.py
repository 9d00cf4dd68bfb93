from __future__ import annotations

from typing import Any

import pytest

from toolcast.model.catalog import Credential

from .documents import Mapped, mapped, properties

KEY = {"type": "apiKey", "in": "header", "name": "X-Key"}
BEARER = {"type": "http", "scheme": "bearer"}
BASIC = {"type": "http", "scheme": "basic"}
OAUTH: Any = {"type": "oauth2", "flows": {}}


def secured(schemes: dict[str, Any], **more: Any) -> Mapped:
    """One operation that needs every scheme, each alone."""
    operation: dict[str, Any] = {"security": [{name: []} for name in schemes]}
    return mapped({"/x": {"get": operation}}, components={"securitySchemes": schemes}, **more)


def credentials(schemes: dict[str, Any], **more: Any) -> dict[str, Credential]:
    return {credential.scheme: credential for credential in secured(schemes, **more).catalog.credentials}


@pytest.mark.parametrize(
    ("scheme", "kind", "variables", "prefix"),
    [
        (KEY, "apiKey", ("API_THE_KEY",), ""),
        (BEARER, "token", ("API_THE_KEY",), "Bearer"),
        ({"type": "http", "scheme": "Token"}, "token", ("API_THE_KEY",), "Token"),
        (BASIC, "basic", ("API_THE_KEY_USERNAME", "API_THE_KEY_PASSWORD"), ""),
        ({"type": "mutualTLS"}, "mutualTLS", ("API_CLIENT_CERTIFICATE",), ""),
        (OAUTH, "oauth", ("API_THE_KEY_TOKEN",), "Bearer"),
        (
            {"type": "openIdConnect", "openIdConnectUrl": "https://x"},
            "oauth",
            tuple(f"API_THE_KEY_{name}" for name in ("TOKEN", "CLIENT_ID", "CLIENT_SECRET", "REFRESH_TOKEN")),
            "Bearer",
        ),
    ],
)
def test_a_credential(scheme: Any, kind: str, variables: tuple[str, ...], prefix: str) -> None:
    found = credentials({"theKey": scheme})["theKey"]
    assert (found.kind, found.variables, found.prefix) == (kind, variables, prefix)


def test_schemes_that_nothing_asks_for_have_none() -> None:
    assert mapped({"/x": {"get": {}}}, components={"securitySchemes": {"key": KEY}}).catalog.credentials == ()


def variables(schemes: dict[str, Any]) -> list[str]:
    return [name for one in credentials(schemes).values() for name in one.variables]


@pytest.mark.parametrize(
    "schemes",
    [
        {"a-b": KEY, "a_b": {**KEY, "name": "Other"}},
        {"login": BASIC, "login_username": KEY},
        {"login": OAUTH, "loginToken": KEY},
        {"key": KEY, "keyFile": {**KEY, "name": "Other"}},
        {"base-url": KEY, "headers": {**KEY, "name": "H"}, "timeout": BEARER, "headersFile": {**KEY, "name": "F"}},
        {"serverRegion": KEY},
        {"🎉": KEY, "🎈": {**KEY, "name": "Other"}},
    ],
)
def test_each_variable_belongs_to_one(schemes: dict[str, Any]) -> None:
    found = variables(schemes)
    with_files = [*found, *(f"{name}_FILE" for name in found)]
    assert len({*with_files}) == len(with_files)
    assert not {"API_BASE_URL", "API_HEADERS", "API_TIMEOUT", "API_HEADERS_FILE"} & {*found}
    assert not any(name.startswith("API_SERVER_") for name in found)


def test_schemes_that_mean_the_same_share_a_variable() -> None:
    assert variables({"a": KEY, "b": dict(KEY)}) == ["API_A", "API_A"]


def test_the_lock_keeps_variables() -> None:
    first = secured({"z": {**KEY, "name": "Z"}, "a-b": KEY})
    second = secured({"a_b": {**KEY, "name": "N"}, "a-b": KEY, "z": {**KEY, "name": "Z"}}, lock=first.lock)
    assert second.lock.variables["a-b"] == first.lock.variables["a-b"] == "A_B"
    assert second.lock.variables["a_b"] == "A_B_2"


# --- parameters that are credentials


def with_parameter(parameter: dict[str, Any], security: Any, schemes: dict[str, Any]) -> Mapped:
    operation: dict[str, Any] = {"parameters": [parameter]}
    if security is not None:
        operation["security"] = security
    return mapped({"/x": {"get": operation}}, components={"securitySchemes": schemes})


NEEDED: list[tuple[Any, ...]] = [
    ([{"key": []}], True, (("key",),)),
    (None, True, (("key",),)),
    (None, False, (("key",), ())),
    ([{"login": []}], True, (("login", "key"),)),
]


@pytest.mark.parametrize("name", ["X-Key", "x-key"])
@pytest.mark.parametrize(
    ("security", "required", "expected"),
    NEEDED,
)
def test_a_parameter_that_is_a_scheme_is_that_credential(
    name: str, security: Any, required: bool, expected: Any
) -> None:
    parameter = {"name": name, "in": "header", "required": required, "schema": {"type": "string"}}
    made = with_parameter(parameter, security, {"key": KEY, "login": BASIC}).tools["GET /x"]
    assert properties(made) == {} and made.security == expected


def test_a_secret_that_no_scheme_declares_becomes_one_and_is_said() -> None:
    parameter = {"name": "api_key", "in": "query", "required": True, "schema": {"type": "string"}}
    found = with_parameter(parameter, None, {})
    made = found.tools["GET /x"]
    assert properties(made) == {} and made.security == (("api_key",),)
    assert found.catalog.credentials[0].location == "query"
    assert "TC223" in found.codes


@pytest.mark.parametrize("name", ["page_token", "key", "X-Request-Id", "password", "nextToken"])
def test_other_parameters_stay_arguments(name: str) -> None:
    parameter = {"name": name, "in": "query", "schema": {"type": "string"}}
    assert [*properties(with_parameter(parameter, None, {}).tools["GET /x"])] == [name]


# --- servers


def test_servers_have_the_variables_of_their_url() -> None:
    server = {"url": "https://{region}.example.com", "variables": {"region": {"default": "eu", "enum": ["eu", "us"]}}}
    (found,) = mapped({"/x": {"get": {}}}, servers=[server]).catalog.servers
    (variable,) = found.variables
    assert (variable.environment, variable.default, variable.enum) == ("API_SERVER_REGION", "eu", ("eu", "us"))


def test_servers_of_an_operation_are_its_own() -> None:
    paths = {"/x": {"get": {"servers": [{"url": "https://a"}]}, "servers": [{"url": "https://b"}], "post": {}}}
    found = mapped(paths).tools
    assert found["GET /x"].servers[0].url == "https://a"
    assert found["POST /x"].servers[0].url == "https://b"


def test_what_gets_a_token_has_variables_and_scopes_are_gathered() -> None:
    flows: dict[str, Any] = {
        "clientCredentials": {"tokenUrl": "https://a.example/token", "scopes": {"read": "r", "write": "w", "x": "x"}},
        "password": {"tokenUrl": "https://a.example/token", "scopes": {}},
        "x-flow": {},
    }
    found = mapped(
        {
            "/x": {"get": {"security": [{"login": ["write"]}]}, "post": {"security": [{"login": ["read"]}, {}]}},
            "/y": {"get": {"security": []}},
        },
        components={"securitySchemes": {"login": {"type": "oauth2", "flows": flows}}},
        security=[{"login": ["x"]}],
    )
    [credential] = found.catalog.credentials
    assert [variable.removeprefix("API_LOGIN_") for variable in credential.variables] == [
        "TOKEN",
        "CLIENT_ID",
        "CLIENT_SECRET",
        "USERNAME",
        "PASSWORD",
        "REFRESH_TOKEN",
    ]
    assert [flow.kind for flow in credential.flows] == ["clientCredentials", "password"]
    assert credential.scopes == ("read", "write"), "what the operations ask for, not what there is"
