"""Settings: what the environment may say, and how a mistake in it is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from runtime.errors import CallError, SettingsError
from runtime.operation import Operation, ServerUrl, ServerVariable
from runtime.settings import Settings

from .conftest import KEY, api_at

LIST = Operation[dict[str, object], object]
OWN = "https://own.example/v2"


def operation(*servers: ServerUrl) -> LIST:
    built: LIST = Operation(name="list_pets", method="GET", path="/pets", servers=servers)
    return built


def read(url: str = "https://api.example/v1", **environ: str) -> Settings:
    return Settings.read(api_at(url), environ)


def test_defaults() -> None:
    settings = read()
    assert (settings.manners.timeout, settings.max_response_bytes, settings.authenticate) == (
        30.0,
        10 * 1024 * 1024,
        True,
    )
    assert settings.base_url(operation()) == "https://api.example/v1"


def test_empty_variables_count_as_unset() -> None:
    settings = read(PETSTORE_BASE_URL="", PETSTORE_TIMEOUT=" ", PETSTORE_HEADERS="", PETSTORE_AUTH="")
    assert settings == read()


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({}, OWN),
        ({"PETSTORE_BASE_URL": "http://localhost:1"}, OWN),
        ({"PETSTORE_BASE_URL": "http://localhost:1", "PETSTORE_BASE_URL_ALL": "1"}, "http://localhost:1"),
    ],
)
def test_an_operations_own_server(environ: dict[str, str], expected: str) -> None:
    assert read(**environ).base_url(operation(ServerUrl(OWN))) == expected


@pytest.mark.parametrize("url", ["", "/v1", "api.example/v1", "ftp://api.example", "https://{region}.example"])
def test_a_server_that_is_no_address_needs_the_variable(url: str) -> None:
    with pytest.raises(CallError, match="PETSTORE_BASE_URL"):
        read(url).base_url(operation())
    assert read(url, PETSTORE_BASE_URL="https://x.example").base_url(operation()) == "https://x.example"


def test_server_variables() -> None:
    variable = ServerVariable("region", "eu", "PETSTORE_SERVER_REGION", enum=("eu", "us"))
    server = ServerUrl(
        "https://{region}.example/{stage}", (variable, ServerVariable("stage", "v1", "PETSTORE_STAGE_2"))
    )
    api = api_at("", servers=(server,))
    assert Settings.read(api, {}).base_url(operation()) == "https://eu.example/v1"
    chosen = {"PETSTORE_SERVER_REGION": "us", "PETSTORE_STAGE_2": "beta"}
    assert Settings.read(api, chosen).base_url(operation()) == "https://us.example/beta"
    with pytest.raises(SettingsError, match="PETSTORE_SERVER_REGION must be one of eu, us"):
        Settings.read(api, {"PETSTORE_SERVER_REGION": "mars"})
    with pytest.raises(SettingsError, match="PETSTORE_STAGE_2"):
        Settings.read(api, {"PETSTORE_STAGE_2": "x@evil.example/"})
    with pytest.raises(CallError, match="PETSTORE_SERVER_REGION"):
        Settings.read(api_at(OWN), {"PETSTORE_SERVER_REGION": "mars"}).base_url(operation(server))


def test_a_default_outside_of_its_enum_is_the_documents_business() -> None:
    variable = ServerVariable("region", "asia", "PETSTORE_SERVER_REGION", enum=("eu",))
    settings = Settings.read(api_at("", servers=(ServerUrl("https://{region}.example", (variable,)),)), {})
    assert settings.base_url(operation()) == "https://asia.example"


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("PETSTORE_BASE_URL", "localhost:8000/Zaphod"),
        ("PETSTORE_BASE_URL", "https://user:Zaphod@api.example"),
        ("PETSTORE_BASE_URL", "https://api.example/?key=Zaphod"),
        ("PETSTORE_BASE_URL", "http://[Zaphod"),
        ("PETSTORE_BASE_URL_ALL", "Zaphod"),
        ("PETSTORE_AUTH", "Zaphod"),
        ("PETSTORE_TIMEOUT", "Zaphod"),
        ("PETSTORE_TIMEOUT", "-1"),
        ("PETSTORE_TIMEOUT", "inf"),
        ("PETSTORE_MAX_RESPONSE_BYTES", "0"),
        ("PETSTORE_MAX_RESULT_BYTES", "-1"),
        ("PETSTORE_MAX_RESULT_BYTES", "9999"),
        ("PETSTORE_HEADERS", "Zaphod"),
        ("PETSTORE_HEADERS", '["Zaphod"]'),
        ("PETSTORE_HEADERS", '{"X-A": 1}'),
        ("PETSTORE_HEADERS", '{"X-A": "Zaphod\\r\\nX-B: 1"}'),
        ("PETSTORE_HEADERS", '{"X Zaphod": "a"}'),
        ("PETSTORE_HEADERS", '{"Host": "Zaphod"}'),
        ("PETSTORE_API_KEY", "Zaphod\n"),
        ("PETSTORE_API_KEY_FILE", "/nowhere/Zaphod"),
    ],
)
def test_a_bad_value_is_named_and_not_shown(variable: str, value: str) -> None:
    with pytest.raises(SettingsError) as caught:
        read(**{variable: value})
    assert variable in str(caught.value)
    assert "Zaphod" not in str(caught.value)


@pytest.mark.parametrize(("given", "room"), [("", 860_000), ("0", 860_000), ("9e9", 860_000), ("50000", 50_000)])
def test_the_room_for_a_result(given: str, room: int) -> None:
    assert read(PETSTORE_MAX_RESULT_BYTES=given).max_result_bytes == room


def test_a_credential_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "key"
    path.write_text(f"{KEY}\n")
    settings = read(PETSTORE_API_KEY_FILE=str(path))
    assert settings.credentials.values["PETSTORE_API_KEY"] == KEY
    with pytest.raises(SettingsError, match="both"):
        read(PETSTORE_API_KEY_FILE=str(path), PETSTORE_API_KEY="x")
    path.write_bytes(b"\xff")
    with pytest.raises(SettingsError, match="PETSTORE_API_KEY_FILE"):
        read(PETSTORE_API_KEY_FILE=str(path))


def test_headers_from_a_file_of_several_lines(tmp_path: Path) -> None:
    path = tmp_path / "headers"
    path.write_text('{\n  "X-Tenant": "acme"\n}\n')
    assert read(PETSTORE_HEADERS_FILE=str(path)).headers == (("X-Tenant", "acme"),)


def test_secrets_do_not_show() -> None:
    settings = read(PETSTORE_API_KEY=KEY, PETSTORE_HEADERS='{"Authorization": "Bearer fixed-header-secret"}')
    assert KEY not in repr(settings)
    assert "fixed-header-secret" not in repr(settings)
    assert settings.redact(f"a {KEY} b fixed-header-secret c") == "a [redacted] b [redacted] c"
