"""What stands in for commands that need a network, a daemon or another machine: it checks how it is called.

The name that it is called by says which command it stands for. Nothing is downloaded, and nothing leaves the machine.
"""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import NoReturn

import yaml

ROOT = Path(__file__).parents[2]
BIN = Path(os.environ.get("PAGES_BIN", ""))


def need(holds: object, message: str) -> None:
    """End with a message when something does not hold."""
    if not holds:
        raise SystemExit(f"{Path(sys.argv[0]).name} {' '.join(sys.argv[1:])}: {message}")


def command(folder: Path, name: str, module: str, source: Path) -> None:
    """Put the command of a package into the folder of commands."""
    path = folder / name
    path.write_text(f'#!/bin/sh\nPYTHONPATH="{source}" exec "{sys.executable}" -m {module} "$@"\n', "utf-8")
    path.chmod(0o755)


def python(*words: str) -> NoReturn:
    """Python, and the sample's shop on a free port."""
    port = ["--port", os.environ["BOOKSHOP_SERVER_PORT"]] if words[0] == "upstream.py" else []
    os.execv(sys.executable, [sys.executable, *words, *port])


def uvx(*words: str) -> None:
    """``uvx toolcast …``: the distribution has a command of its own name."""
    if words[0] == "toolcast":
        project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
        need(words[0] == project["name"] and words[0] in project["scripts"], "there is no such command")
        os.execv(BIN / "toolcast", list(words))
    need((BIN / words[0]).exists(), "there is no such command")
    os.execv(BIN / words[0], list(words))


def pipx(*words: str) -> None:
    """``pipx run toolcast …``, ``pipx install toolcast``."""
    need(words[0] in ("run", "install"), "only run and install")
    if words[0] == "run":
        uvx(*words[1:])
    else:
        need(words[1:] == ("toolcast",), "only toolcast is published")


def pip(*words: str) -> None:
    """``pip install``, of toolcast, or of a package in a folder: its command is there afterwards."""
    need(words[0] == "install" and len(words) == 2, "only install, of one thing")
    if words[1] == "toolcast":
        return
    folder, _, extra = words[1].removesuffix("]").partition("[")
    need(folder.startswith(("./", "../", ".", "/")), "pip takes this for a name, not for a folder")
    project = tomllib.loads((Path(folder) / "pyproject.toml").read_text("utf-8"))["project"]
    need(not extra or extra in project["optional-dependencies"], f"there is no extra {extra}")
    for name, entry in project["scripts"].items():
        command(BIN, name, entry.partition(".")[0].partition(":")[0], Path(folder).resolve() / "src")


def docker(*words: str) -> None:
    """``docker build``, ``docker run`` and ``docker compose up``, over the files that they read."""
    if words[0] == "compose":
        compose = yaml.safe_load(Path("compose.yaml").read_text("utf-8"))
        need("PETSTORE_STATE_KEYS" in Path(".env").read_text("utf-8"), "compose.yaml asks for PETSTORE_STATE_KEYS")
        need(compose["services"], "no services")
    elif words[0] == "build":
        need(words[1] == "-t" and Path(words[-1], "Dockerfile").is_file(), "no Dockerfile")
        (BIN / f"image-{words[2]}").touch()
    else:
        need(words[0] == "run", "only build, run and compose")
        need((BIN / f"image-{words[-1]}").exists(), "no such image has been built")
        given = dict(itertools.pairwise(words))
        need(Path(given["--env-file"]).is_file(), "no such file")
        need((BIN / given.get("--entrypoint", "petstore-mcp")).exists(), "no such command in the image")
        exposed = f"EXPOSE {given['-p'].rpartition(':')[2]}" if "-p" in given else ""
        need(exposed in Path("Dockerfile").read_text("utf-8"), "the image serves another port")


def kubectl(*words: str) -> None:
    """``kubectl create secret generic`` and ``kubectl apply``: the secret is the one that the pods ask for."""
    manifest = Path("deploy/kubernetes.yaml").read_text("utf-8")
    if words[0] == "apply":
        need(words[1:] == ("-f", "deploy/kubernetes.yaml") and list(yaml.safe_load_all(manifest)), "no manifest")
        return
    need(words[:3] == ("create", "secret", "generic"), "only create secret generic, and apply")
    need(f'name: "{words[3]}"' in manifest, "no pod asks for that secret")
    for word in words[4:]:
        key = word.removeprefix("--from-literal=").partition("=")[0]
        need(f"key: {key}" in manifest, f"no pod asks for {key}")


def npx(*words: str) -> None:
    """``npx @anthropic-ai/mcpb pack FOLDER FILE``: there is a manifest."""
    need(words[:2] == ("@anthropic-ai/mcpb", "pack"), "not known")
    need(json.loads(Path(words[2], "manifest.json").read_text("utf-8"))["manifest_version"], "no manifest")


def make(*words: str) -> None:
    """A target of this repository's Makefile, which is not carried out."""
    subprocess.run(["/usr/bin/make", "-n", *words], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


def openssl(*words: str) -> None:
    """``openssl rand -hex 32``, the same each time."""
    need(words == ("rand", "-hex", "32"), "only rand -hex 32")
    print("0123456789abcdef" * 4)  # noqa: T201


def gh(*words: str) -> None:
    """``gh pr create`` with a text that is there."""
    need(words[:2] == ("pr", "create"), "only pr create")
    body = Path(words[words.index("--body-file") + 1])
    need(body.read_text("utf-8").strip(), "the text is empty")


def opentelemetry_instrument(*words: str) -> None:
    """Starts the command that is instrumented."""
    os.execv(BIN / words[0], list(words))


COMMANDS = {
    "python": python,
    "uvx": uvx,
    "pipx": pipx,
    "pip": pip,
    "docker": docker,
    "kubectl": kubectl,
    "npx": npx,
    "make": make,
    "openssl": openssl,
    "gh": gh,
    "opentelemetry-instrument": opentelemetry_instrument,
}

if __name__ == "__main__":
    COMMANDS[sys.argv[1]](*sys.argv[2:])
