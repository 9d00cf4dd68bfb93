"""``toolcast serve``: a document's server, at once."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Annotated

import typer

from toolcast import pipeline
from toolcast.cli.app import app, examples
from toolcast.cli.generate import Document, Overlays, RemoteRefs, Settings, Tree
from toolcast.cli.screen import ERR, failures
from toolcast.diagnostics import Report
from toolcast.view import terminal


@app.command(epilog=examples("toolcast serve openapi.yaml", "PETSTORE_API_KEY=key toolcast serve api.json --http"))
def serve(
    document: Document,
    name: Annotated[str, typer.Option("--name", "-n", help="The base of all names; without it, from the title.")] = "",
    overlays: Overlays = None,
    settings: Settings = None,
    tree: Tree = None,
    allow_remote_refs: RemoteRefs = False,
    mock: Annotated[bool, typer.Option("--mock", help="Invent the answers; nothing reaches the API.")] = False,
    http: Annotated[bool, typer.Option("--http", help="Serve streamable HTTP instead of stdio.")] = False,
    host: Annotated[str, typer.Option(help="The address to listen on, with --http.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port to listen on, with --http.")] = 8000,
) -> None:
    """Serve a document's tools, without making a package of it: nothing but the protocol goes to stdout."""
    if document == "-":
        raise typer.BadParameter("Standard input belongs to the protocol: name a file or a URL", param_hint="DOCUMENT")
    report = Report()
    reach = pipeline.Reach(tree=tree, allow_remote_refs=allow_remote_refs)
    with failures(report):
        served = pipeline.servable(
            document, name=name, overlays=overlays or (), settings=settings, reach=reach, report=report
        )
    terminal.diagnostics(ERR, report.of("error") + report.of("warning")[:3], report.lines, all_=True)
    command = [sys.executable, "-m", served.module]
    command += ["--mock"] if mock else []
    if http:
        command += ["--http", "--host", host, "--port", str(port)]
    environment = {**os.environ, "PYTHONPATH": str(served.source)}
    if os.name == "posix":  # the server takes this process over, with its streams and its signals
        os.execve(sys.executable, command, environment)  # noqa: S606
    raise typer.Exit(subprocess.run(command, env=environment, check=False).returncode)  # noqa: S603
