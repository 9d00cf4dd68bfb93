"""The files that a package is deployed with, read by the programs that they are for, where those are installed."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import yaml

from . import schemas
from .conftest import CONFIGURATION, Make, program

DEPLOYMENTS = {
    "Dockerfile": {"Dockerfile", ".dockerignore"},
    "compose.yaml": {"compose.yaml", "deploy/nginx.conf"},
    "deploy/kubernetes.yaml": {"deploy/kubernetes.yaml"},
    "manifest.json": {"manifest.json", ".mcpbignore"},
    "server.json": {"server.json"},
}
SECRETS = {"LIGHT_HOUSE_KEY", "LIGHT_HOUSE_KEEPER_USERNAME", "LIGHT_HOUSE_KEEPER_PASSWORD"}


def there(package: Path) -> set[str]:
    """Which of them a package has."""
    return {path for paths in DEPLOYMENTS.values() for path in paths if (package / path).is_file()}


def cluster(package: Path) -> dict[str, Any]:
    """The manifests for a cluster by kind."""
    text = (package / "deploy/kubernetes.yaml").read_text("utf-8")
    return {one["kind"]: one for one in yaml.safe_load_all(text)}


def test_each_can_be_switched_off_with_what_belongs_to_it(make: Make, package: Path) -> None:
    assert there(package) == {path for paths in DEPLOYMENTS.values() for path in paths}
    chosen = "\n".join(f'"{path}" = false' for path in DEPLOYMENTS)
    bare = make(f"{CONFIGURATION}\n[files]\n{chosen}\n")
    assert there(bare) == set()
    assert not (bare / "deploy").exists()
    readme = (bare / "README.md").read_text("utf-8")
    assert "Deploy it" not in readme and "deployed" not in readme
    image = make(f'{CONFIGURATION}\n[files]\n"compose.yaml" = false\n"manifest.json" = false\n')
    assert there(image) == {"Dockerfile", ".dockerignore", "deploy/kubernetes.yaml", "server.json"}
    foreign = make(f"{CONFIGURATION}\n[files]\nDockerfile = false\n")
    assert "build" not in yaml.safe_load((foreign / "compose.yaml").read_text("utf-8"))["services"]["server"]


def test_a_package_without_a_name_in_the_registry_is_not_told_to_it(make: Make) -> None:
    unnamed = make('name = "light"\n')
    assert there(unnamed) == {path for paths in DEPLOYMENTS.values() for path in paths} - {"server.json"}
    assert "mcp-publisher" not in (unnamed / "README.md").read_text("utf-8")
    assert "LABEL" not in (unnamed / "Dockerfile").read_text("utf-8")


def test_they_are_the_owner_s_to_edit(package: Path, make: Make) -> None:
    """What an owner adds stays when the package is brought up to date."""
    import toolcast

    mine = make(CONFIGURATION)
    path = mine / "manifest.json"
    path.write_text(path.read_text("utf-8").replace('"license"', '"privacy_policies": [],\n  "license"'), "utf-8")
    settings = mine / "toolcast.toml"
    settings.write_text(settings.read_text("utf-8").replace("1.2.3", "1.3.0"), "utf-8")
    assert toolcast.generate(None, mine).applied
    manifest = json.loads(path.read_text("utf-8"))
    assert (manifest["version"], manifest["privacy_policies"]) == ("1.3.0", [])


def test_the_registry_s_file_is_as_its_schema_says(package: Path) -> None:
    server = json.loads((package / "server.json").read_text("utf-8"))
    jsonschema_rs.validator_for(schemas.SERVER).validate(server)
    assert server["name"] == "io.github.light/houses"
    (entry,) = server["packages"]
    assert (entry["identifier"], entry["version"]) == ("light_house-mcp", "1.2.3")
    variables = {one["name"]: one for one in entry["environmentVariables"]}
    assert {name for name, one in variables.items() if one["isSecret"]} == SECRETS
    assert variables.keys() - SECRETS == {"LIGHT_HOUSE_BASE_URL", "LIGHT_HOUSE_SERVER_COAST"}
    assert variables["LIGHT_HOUSE_SERVER_COAST"]["placeholder"] == "north"
    # PyPI is believed because the README names the server.
    assert f"<!-- mcp-name: {server['name']} -->" in (package / "README.md").read_text("utf-8")


def test_long_texts_are_cut_for_the_registry(tmp_path: Path) -> None:
    from toolcast import pipeline
    from toolcast.diagnostics import Report

    title = "A very long title of an API, " * 8
    (tmp_path / "long.json").write_text(
        json.dumps({"openapi": "3.1.0", "info": {"title": title, "version": "1"}, "paths": {}}), "utf-8"
    )
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "toolcast.toml").write_text(CONFIGURATION, "utf-8")
    assert pipeline.generate(str(tmp_path / "long.json"), tmp_path / "package", report=Report()).applied
    server = json.loads((tmp_path / "package" / "server.json").read_text("utf-8"))
    jsonschema_rs.validator_for(schemas.SERVER).validate(server)
    assert title.startswith(server["title"]) and len(server["title"]) > 80


def test_the_bundle_s_manifest_is_as_its_schema_says(package: Path) -> None:
    manifest = json.loads((package / "manifest.json").read_text("utf-8"))
    jsonschema_rs.validator_for(schemas.MANIFEST).validate(manifest)
    assert (package / manifest["server"]["entry_point"]).is_file()
    assert [tool["name"] for tool in manifest["tools"]] == ["list_towers", "demolish_tower"]
    asked = manifest["user_config"]
    assert {key.upper() for key, one in asked.items() if one["sensitive"]} == SECRETS
    # Each is asked for once, and what is not given becomes the empty text, which counts as unset.
    given = manifest["server"]["mcp_config"]["env"]
    assert given == {key.upper(): f"${{user_config.{key}}}" for key in asked}
    assert {one["default"] for one in asked.values()} == {""}


def test_the_bundle_can_be_packed(package: Path, tmp_path: Path) -> None:
    mcpb = program("mcpb")
    bundle = tmp_path / "houses.mcpb"
    done = subprocess.run([mcpb, "pack", str(package), str(bundle)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    import zipfile

    with zipfile.ZipFile(bundle) as archive:
        names = archive.namelist()
    assert {name.partition("/")[0] for name in names} == {"manifest.json", "pyproject.toml", "README.md", "src"}


def test_the_cluster_s_manifests_are_as_the_schemas_of_its_api_say(package: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import kubernetes_validate as published

        version = published.latest_version()
        found = cluster(package)
        for manifest in found.values():
            published.validate(manifest, version, strict=True)
        with pytest.raises(published.ValidationError):
            published.validate({**found["Service"], "spec": {"port": 80}}, version, strict=True)
    assert found.keys() == {"Deployment", "Service", "HorizontalPodAutoscaler", "PodDisruptionBudget"}


def test_the_cluster_s_manifests_belong_together(package: Path) -> None:
    found = cluster(package)
    names = {manifest["metadata"]["name"] for manifest in found.values()}
    assert names == {"light-house-mcp"}  # a DNS label, as RFC 1123 has them
    labels = {"app.kubernetes.io/name": "light-house-mcp"}
    deployment = found["Deployment"]["spec"]
    assert deployment["selector"]["matchLabels"] == deployment["template"]["metadata"]["labels"] == labels
    assert found["Service"]["spec"]["selector"] == labels
    assert "replicas" not in deployment  # of which the autoscaler decides
    (container,) = deployment["template"]["spec"]["containers"]
    assert {container[probe]["httpGet"]["path"] for probe in ("startupProbe", "livenessProbe")} == {"/healthz"}
    assert container["readinessProbe"]["httpGet"]["path"] == "/readyz"
    variables = {one["name"]: one for one in container["env"]}
    assert variables["LIGHT_HOUSE_ALLOWED_HOSTS"]["value"] == found["Service"]["metadata"]["name"]
    secrets = {name: one["valueFrom"]["secretKeyRef"] for name, one in variables.items() if "valueFrom" in one}
    assert secrets.keys() == {*SECRETS, "LIGHT_HOUSE_STATE_KEYS"}  # by reference only
    assert {name for name, one in secrets.items() if not one.get("optional")} == {"LIGHT_HOUSE_STATE_KEYS"}


def test_the_replicas_of_compose_share_a_key_and_hold_no_secret(package: Path) -> None:
    services = yaml.safe_load((package / "compose.yaml").read_text("utf-8"))["services"]
    assert services["server"]["deploy"]["replicas"] > 1
    assert services["server"]["environment"]["LIGHT_HOUSE_STATE_KEYS"].startswith("${LIGHT_HOUSE_STATE_KEYS:?")
    assert "ports" not in services["server"]
    assert not any(secret in (package / "compose.yaml").read_text("utf-8") for secret in SECRETS)
    (mounted,) = services["proxy"]["volumes"]
    assert (package / mounted.split(":")[0]).is_file()


def test_compose_reads_its_file(package: Path, tmp_path: Path) -> None:
    command = [program("docker-compose")]
    shutil.copytree(package, tmp_path / "package")
    (tmp_path / "package" / ".env").write_text("LIGHT_HOUSE_KEY=x\n", "utf-8")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COMPOSE")}

    def read() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*command, "config"],
            cwd=tmp_path / "package",
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    refused = read()
    assert refused.returncode != 0 and "the replicas need one key" in refused.stderr
    environment["LIGHT_HOUSE_STATE_KEYS"] = "k" * 32
    taken = read()
    assert taken.returncode == 0, taken.stderr
    assert yaml.safe_load(taken.stdout)["services"]["server"]["environment"]["LIGHT_HOUSE_KEY"] == "x"


def test_nginx_reads_its_configuration(package: Path, tmp_path: Path) -> None:
    nginx = program("nginx")
    text = (package / "deploy/nginx.conf").read_text("utf-8").replace("/tmp/nginx.pid", str(tmp_path / "pid"))
    (tmp_path / "nginx.conf").write_text(text, "utf-8")
    done = subprocess.run(
        [nginx, "-t", "-q", "-e", "stderr", "-c", str(tmp_path / "nginx.conf")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def steps(package: Path) -> Iterator[tuple[str, str]]:
    """The instructions of the Dockerfile with what they say."""
    text = (package / "Dockerfile").read_text("utf-8")
    for line in text.replace("\\\n", " ").splitlines():
        if line and not line.startswith("#"):
            instruction, _, said = line.partition(" ")
            yield instruction, said.strip()


def test_the_image_takes_nothing_but_what_it_needs_and_runs_as_nobody(package: Path) -> None:
    found = list(steps(package))
    copied = [said for instruction, said in found if instruction == "COPY" and not said.startswith("--from")]
    sources = {source for said in copied for source in said.split()[:-1]}
    lines = (package / ".dockerignore").read_text("utf-8").splitlines()
    assert "*" in lines
    assert {line[1:] for line in lines if line.startswith("!")} == sources
    assert [said for instruction, said in found if instruction == "USER"] == ["10001:10001"]
    instructions = [instruction for instruction, _ in found]
    assert instructions.index("USER") > max(at for at, one in enumerate(instructions) if one in ("COPY", "RUN"))
    assert all(re.fullmatch(r"python:\$\{PYTHON\}-slim(?: AS build)?", s) for i, s in found if i == "FROM")


def test_the_steps_of_the_dockerfile_give_a_server_that_is_healthy(package: Path, tmp_path: Path) -> None:
    """Replayed in a clean folder; what pip would fetch is taken from where these tests run."""
    build, image = tmp_path / "build", tmp_path / "server"
    offline = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path.endswith("site-packages")),
        "PIP_NO_INDEX": "1",
        "PIP_NO_BUILD_ISOLATION": "0",  # which is how pip wants to hear that there shall be none
    }
    variables = {"PATH": os.environ["PATH"], "PYTHONPATH": offline["PYTHONPATH"]}
    health: list[str] = []
    command: list[str] = []
    for instruction, said in steps(package):
        match instruction, said:
            case "WORKDIR", _:
                build.mkdir()
            case "COPY", _ if not said.startswith("--from"):
                *sources, target = said.split()
                for source in sources:
                    path = package / source
                    if path.is_dir():
                        shutil.copytree(path, build / target)
                    else:
                        shutil.copy(path, build / target)
            case "RUN", _:
                step = said.replace("/server", str(image)).replace("python -m venv", f"{sys.executable} -m venv", 1)
                done = subprocess.run(step, shell=True, cwd=build, env=offline, capture_output=True, text=True)
                assert done.returncode == 0, done.stdout + done.stderr
            case "ENV", _:
                for name, value in _pairs(said):
                    variables[name] = value.replace("$PATH", variables["PATH"]).replace("/server", str(image))
            case "HEALTHCHECK", _:
                health = json.loads(said.partition("CMD ")[2])
            case "ENTRYPOINT" | "CMD", _:
                command += json.loads(said)
            case _:
                assert instruction in ("ARG", "FROM", "COPY", "LABEL", "USER", "EXPOSE"), instruction
    assert variables["LIGHT_HOUSE_HOST"] == "0.0.0.0"
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    variables |= {"LIGHT_HOUSE_PORT": str(port), "LIGHT_HOUSE_HOST": "127.0.0.1"}
    started = str(image / "bin" / "light_house-mcp")
    assert shutil.which(command[0], path=variables["PATH"]) == started
    server = subprocess.Popen([started, *command[1:]], env=variables, stderr=subprocess.PIPE, text=True)
    try:
        assert server.stderr is not None and "serving on" in server.stderr.readline()
        end = time.monotonic() + 20
        while (checked := _checked(health, image, variables)).returncode and time.monotonic() < end:
            time.sleep(0.1)
        assert checked.returncode == 0, checked.stderr
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=5) as answer:
            assert answer.read() == b"ok"
        server.terminate()
        assert server.wait(10) in (0, -signal.SIGTERM)
        assert _checked(health, image, variables).returncode == 1
    finally:
        server.kill()
        server.wait()
        if server.stderr is not None:
            server.stderr.close()


def _pairs(said: str) -> list[tuple[str, str]]:
    return [(name, quoted or plain) for name, quoted, plain in re.findall(r'(\w+)=(?:"([^"]*)"|(\S+))', said)]


def _checked(command: list[str], image: Path, variables: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """What the health check of the image says."""
    return subprocess.run(
        [str(image / "bin" / command[0]), *command[1:]], env=variables, capture_output=True, text=True, check=False
    )
