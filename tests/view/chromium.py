"""A headless Chromium that tests drive over a pipe (Chrome DevTools Protocol)."""

from __future__ import annotations

import base64
import itertools
import json
import os
import select
import shutil
import subprocess
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Any

BINARY = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
_FLAGS = (
    "--headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run --disable-extensions "
    "--disable-background-networking --disable-component-update --disable-sync --hide-scrollbars "
    "--remote-debugging-pipe"
).split()
_PATIENCE = 30  # seconds


class Chromium:
    """One page of a browser; ``console`` holds what it complained of, ``requests`` what it wanted to load."""

    def __init__(self) -> None:
        assert BINARY is not None
        self.console: list[str] = []
        self.requests: list[str] = []
        self._profile = tempfile.TemporaryDirectory(prefix="chromium-", ignore_cleanup_errors=True)
        theirs, ours = os.pipe()
        back, answers = os.pipe()
        # The protocol speaks on the file descriptors 3 and 4.
        shell = f'exec "$0" "$@" 3<&{theirs} 4>&{answers}'
        self._process = subprocess.Popen(
            ["/bin/bash", "-c", shell, BINARY, *_FLAGS, f"--user-data-dir={self._profile.name}", "about:blank"],
            pass_fds=(theirs, answers),
            stderr=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        os.close(theirs)
        os.close(answers)
        self._input, self._output = os.fdopen(ours, "wb", buffering=0), os.fdopen(back, "rb", buffering=0)
        self._rest = b""
        self._numbers = itertools.count(1)
        self._session: str | None = None
        self._loaded = False
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")

    def __enter__(self) -> Chromium:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._session = None
        try:
            self.send("Browser.close")
            self._process.wait(10)
        except (OSError, EOFError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        self._input.close()
        self._output.close()
        self._profile.cleanup()

    def send(self, method: str, **parameters: Any) -> Any:
        """The result of a command of the protocol."""
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        self._input.write(json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == number:
                assert "error" not in answer, answer["error"]
                return answer["result"]

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._output], [], [], _PATIENCE)
            part = self._output.read(1 << 20) if ready else b""
            if not part:
                raise EOFError("the browser has gone, or says nothing")
            self._rest += part
        line, _, self._rest = self._rest.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        parameters = message.get("params", {})
        match message.get("method"):
            case "Page.loadEventFired":
                self._loaded = True
            case "Log.entryAdded":
                self.console.append(parameters["entry"]["text"])
            case "Runtime.exceptionThrown":
                self.console.append(str(parameters["exceptionDetails"]))
            case "Runtime.consoleAPICalled":
                self.console.append(str(parameters["args"]))
            case "Network.requestWillBeSent":
                self.requests.append(parameters["request"]["url"])
            case _:
                pass
        return message

    def open(self, path: Path, anchor: str = "") -> None:
        """Load a file, until it says that it is loaded."""
        for url in ("about:blank", path.resolve().as_uri() + anchor):  # else another anchor would load nothing
            self._loaded = False
            self.send("Page.navigate", url=url)
            while not self._loaded:
                self._next()

    def screen(self, width: int, height: int, *, dark: bool = False) -> None:
        """Set the size of the screen, and what the person prefers."""
        self.send(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500
        )
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.send("Emulation.setEmulatedMedia", features=scheme)

    def run(self, script: str) -> Any:
        """The value of a script, or of the promise that it gives."""
        done = self.send("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in done, done
        return done["result"].get("value")

    def press(self, key: str, code: int) -> None:
        """Press and release a key."""
        text = {"Enter": "\r", "Space": " "}.get(key)
        for kind in ("keyDown", "keyUp"):
            extra = {"text": text} if text and kind == "keyDown" else {}
            name = " " if key == "Space" else key
            self.send("Input.dispatchKeyEvent", type=kind, key=name, code=key, windowsVirtualKeyCode=code, **extra)

    def type(self, text: str) -> None:
        """Type a text where the focus is."""
        self.send("Input.insertText", text=text)

    def settle(self) -> None:
        """Wait until what was asked for is on the screen."""
        self.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))")

    def picture(self, path: Path, *, whole: bool = False) -> None:
        """Write what the screen shows, or the whole page, as PNG."""
        data = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        path.write_bytes(base64.b64decode(data))
