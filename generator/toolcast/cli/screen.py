"""The screen: results on stdout, everything else on stderr, and failures as one readable line."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer
from rich.console import Console

from toolcast.diagnostics import Diagnostic, Failure, Report
from toolcast.view import terminal

if TYPE_CHECKING:
    from toolcast.pipeline import Progress

OUT = Console(highlight=False)
ERR = Console(stderr=True, highlight=False)


@contextmanager
def failures(report: Report) -> Generator[None]:
    """Turn a failure into what was found so far, the failure itself, and exit status 1: never a traceback."""
    try:
        yield
    except Failure as failure:
        terminal.gravest(ERR, report.of("warning"), report.lines)
        terminal.diagnostic(ERR, failure.diagnostic, report.lines)
        raise typer.Exit(1) from None
    except KeyboardInterrupt:
        ERR.print("Interrupted")
        raise typer.Exit(130) from None
    except BrokenPipeError:  # as in ``… | head``; nothing is left that could be flushed at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(0) from None
    except OSError as error:
        ERR.print(f"error: Cannot read or write {error.filename or 'the output'}: {error.strerror or error}")
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(1) from None
    except (typer.Exit, typer.BadParameter):
        raise
    except Exception as error:  # noqa: BLE001 - the last resort: a bug of ours is told as one
        if os.environ.get("TOOLCAST_DEBUG"):
            traceback.print_exc()
        bug = Diagnostic(
            code="TC900",
            severity="error",
            message=f"Toolcast made a mistake: {type(error).__name__}: {error}",
            help="Please report it, with the document if you can; TOOLCAST_DEBUG=1 shows where it happened.",
        )
        terminal.diagnostic(ERR, bug, None)
        raise typer.Exit(1) from None


@contextmanager
def progress() -> Generator[Progress]:
    """Say on stderr what is being done, while it lasts; nothing where that is no terminal.

    An empty stage clears the line, for a question, until the next.
    """
    if not sys.stderr.isatty():
        yield lambda stage: None
        return
    with ERR.status("starting") as status:

        def say(stage: str) -> None:
            if not stage:
                status.stop()
                return
            status.update(f"{stage} …")
            status.start()

        yield say
