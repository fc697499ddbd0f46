"""The endpoints of OSWorld's server, over a desktop of ours. It asks for no password, as the original does not."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.parser import BytesParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from omnipilot.bench.suites.osworld.serving.desktop import ServedDesktop
from omnipilot.envs import ActionRejected, ConfigError, EnvLost
from omnipilot.envs.desktop import XWindow
from omnipilot.envs.remote import is_loopback

LARGEST_BODY = 256 << 20
OPENING = 60.0
"""Seconds in which a file's window has to be there."""
WALLPAPER = ("org.gnome.desktop.background", "picture-uri")
"""Where the setting is kept; a desktop without GNOME remembers it and shows none."""
SETTLING = 20.0
"""Seconds in which a window that is to be activated has to be there."""


@dataclass(frozen=True, slots=True)
class _Reply:
    body: bytes
    kind: str = "application/json"
    status: int = 200


class DesktopServer:
    """Serves a desktop until it is closed.

    Args:
        host, port: where to listen; port 0 takes a free one.

    Raises:
        ConfigError: it cannot listen there.
    """

    def __init__(self, desktop: ServedDesktop, host: str = "127.0.0.1", port: int = 0) -> None:
        self.desktop = desktop
        answers = Endpoints(desktop)
        local = is_loopback(host)

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: Any) -> None:
                """Say nothing."""

            def do_GET(self) -> None:
                self._answer("GET")

            def do_HEAD(self) -> None:
                self._answer("GET")

            def do_POST(self) -> None:
                self._answer("POST")

            def _answer(self, method: str) -> None:
                asked = urlsplit(f"//{self.headers.get('Host', '')}").hostname or ""
                length = int(self.headers.get("Content-Length") or 0)
                if local and asked and not is_loopback(asked):
                    # A page in somebody's browser must not reach it under a name of its own.
                    self.close_connection = True
                    self._send(_Reply(b"unknown host", "text/plain", 403))
                    return
                if length > LARGEST_BODY:
                    self.close_connection = True
                    self._send(_Reply(b"too large", "text/plain", 413))
                    return
                body = self.rfile.read(length)
                self._send(answers.answer(method, self.path, body, self.headers.get("Content-Type", "")))

            def _send(self, reply: _Reply) -> None:
                self.send_response(reply.status)
                self.send_header("Content-Type", reply.kind)
                self.send_header("Content-Length", str(len(reply.body)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(reply.body)

        try:
            self._server = ThreadingHTTPServer((host, port), Handler)
        except OSError as error:
            raise ConfigError(f"{host}:{port} cannot be listened on: {error}; name another with --port") from None
        self._server.daemon_threads = True
        self.port = int(self._server.server_address[1])
        self.url = f"http://{host}:{self.port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop listening; the desktop goes on. May be called twice."""
        self._server.shutdown()
        self._thread.join(5)
        self._server.server_close()


class Endpoints:
    """What each endpoint answers."""

    def __init__(self, desktop: ServedDesktop) -> None:
        self._desktop = desktop
        self._routes: Mapping[tuple[str, str], Callable[[Any], Any]] = {
            ("GET", "/screenshot"): lambda _: _Reply(desktop.screenshot(), "image/png"),
            ("GET", "/accessibility"): lambda _: {"AT": desktop.tree()},
            ("GET", "/terminal"): lambda _: {"output": desktop.terminal(), "status": "success"},
            ("GET", "/platform"): lambda _: "Linux",
            ("GET", "/cursor_position"): lambda _: desktop.hand("position", [], {}),
            ("POST", "/screen_size"): lambda _: dict(zip(("width", "height"), desktop.size(), strict=True)),
            ("POST", "/window_size"): self._window_size,
            ("POST", "/desktop_path"): lambda _: {"desktop_path": f"{desktop.home}/Desktop"},
            ("POST", "/list_directory"): self._list_directory,
            ("POST", "/file"): self._file,
            ("POST", "/execute"): self._execute,
            ("POST", "/setup/execute"): self._execute,
            ("POST", "/setup/execute_with_verification"): self._execute,
            ("POST", "/execute_with_verification"): self._execute,
            ("POST", "/run_python"): self._run_python,
            ("POST", "/run_bash_script"): self._run_script,
            ("POST", "/setup/launch"): self._launch,
            ("POST", "/setup/open_file"): self._open_file,
            ("POST", "/setup/activate_window"): self._activate,
            ("POST", "/setup/close_window"): self._close,
            ("POST", "/setup/upload"): self._upload,
            ("POST", "/wallpaper"): self._wallpaper,
            ("POST", "/setup/change_wallpaper"): self._change_wallpaper,
            ("POST", "/reset"): self._reset,
        }

    def answer(self, method: str, path: str, body: bytes, kind: str) -> _Reply:
        """The reply to a request."""
        route = self._routes.get((method, path.partition("?")[0]))
        if route is None:
            return _Reply(b"not found", "text/plain", 404)
        try:
            found = route(_read(body, kind))
        except FileNotFoundError:
            return _failed("File not found", 404)
        except (ActionRejected, ConfigError, EnvLost, TimeoutError) as error:
            return _failed(str(error), 500)
        except (KeyError, ValueError, TypeError, IndexError, AttributeError) as error:
            return _failed(f"{type(error).__name__}: {error}", 400)
        if isinstance(found, _Reply):
            return found
        if isinstance(found, str):
            return _Reply(found.encode(), "text/html; charset=utf-8")
        return _Reply(json.dumps(found).encode())

    def _execute(self, asked: Any) -> dict[str, Any]:
        code, output, errors = self._desktop.run(asked["command"], bool(asked.get("shell", False)))
        return {"status": "success", "output": output, "error": errors, "returncode": code}

    def _run_python(self, asked: Any) -> dict[str, Any]:
        code, output, errors = self._desktop.run(["python", "-c", asked["code"]], False)
        told = "success" if code == 0 else "error"
        return {"status": told, "message": output, "output": output, "error": errors, "return_code": code}

    def _run_script(self, asked: Any) -> dict[str, Any]:
        folder = asked.get("working_dir") or "~"
        self._desktop.write_file("~/.cache/osworld-script", asked["script"].encode())
        command = f"cd {folder if folder == '~' else json.dumps(folder)} && bash ~/.cache/osworld-script"
        code, output, errors = self._desktop.run(command, True, float(asked.get("timeout") or 30))
        told = "success" if code == 0 else "error"
        return {"status": told, "output": output + errors, "error": "", "returncode": code}

    def _launch(self, asked: Any) -> str:
        command, shell = asked["command"], bool(asked.get("shell", False))
        self._desktop.launch(command, shell)
        return f"{command if isinstance(command, str) else ' '.join(command)} launched successfully"

    def _open_file(self, asked: Any) -> str:
        path = str(asked["path"])
        if self._desktop.run(["test", "-e", path], False)[0]:  # no file: a program
            self._desktop.launch([path], False)
        else:
            self._desktop.launch(["xdg-open", path], False)
        name = path.rpartition("/")[2]
        window = self._wait_for((name, name.rpartition(".")[0] or name), OPENING)
        if window is None:
            raise ActionRejected(f"Failed to find window for {name} within {OPENING:g} seconds.")
        self._desktop.activate(window)
        return "File opened and window activated successfully"

    def _activate(self, asked: Any) -> str | _Reply:
        window = self._wait_for((asked["window_name"],), SETTLING, asked)
        if window is None:
            return _Reply(b"Window not found", "text/plain", 404)
        self._desktop.activate(window)
        return "Window activated successfully"

    def _close(self, asked: Any) -> str | _Reply:
        window = self._find((asked["window_name"],), asked)
        if window is None:
            return _Reply(b"Window not found", "text/plain", 404)
        self._desktop.close_window(window)
        return "Window closed successfully."

    def _window_size(self, asked: Any) -> Any:
        wanted = asked["app_class_name"].casefold()
        for one in reversed(self._desktop.windows()):
            if wanted in (one.program.casefold(), one.instance.casefold()):
                left, top, right, bottom = one.inner
                return {"width": right - left, "height": bottom - top}
        return _Reply(json.dumps({"error": "window not found"}).encode(), status=404)

    def _list_directory(self, asked: Any) -> dict[str, Any]:
        # OSWorld's getters read one nested object: {"type", "name", "children"}.
        script = (
            "import json,os,sys\n"
            "def look(p):\n"
            "  t={'type':'directory' if os.path.isdir(p) else 'file','name':os.path.basename(p)}\n"
            "  if os.path.isdir(p): t['children']=[look(os.path.join(p,e)) for e in os.listdir(p)]\n"
            "  return t\n"
            "print(json.dumps(look(sys.argv[1].rstrip('/'))))"
        )
        code, output, errors = self._desktop.run(["python3", "-c", script, str(asked["path"])], False)
        if code:
            raise ActionRejected(errors[-500:])
        return {"directory_tree": json.loads(output)}

    def _file(self, asked: Any) -> _Reply:
        return _Reply(self._desktop.read_file(str(asked["file_path"])), "application/octet-stream")

    def _upload(self, asked: Any) -> str:
        self._desktop.write_file(_text(asked["file_path"]), asked["file_data"])
        return "File Uploaded"

    def _wallpaper(self, _: Any) -> _Reply:
        code, output, errors = self._desktop.run(["gsettings", "get", *WALLPAPER], False)
        path = output.strip().strip("'").removeprefix("file://")
        if code or not path:
            raise ActionRejected(errors.strip() or "no wallpaper is set")
        return _Reply(self._desktop.read_file(path), "application/octet-stream")

    def _change_wallpaper(self, asked: Any) -> str:
        code, _, errors = self._desktop.run(["gsettings", "set", *WALLPAPER, f"file://{asked['path']}"], False)
        if code:
            raise ActionRejected(errors.strip())
        return "Wallpaper changed successfully"

    def _reset(self, _: Any) -> dict[str, str]:
        self._desktop.reset()
        return {"status": "success"}

    def _wait_for(self, names: tuple[str, ...], seconds: float, how: Any = None) -> XWindow | None:
        until = time.monotonic() + seconds
        while (found := self._find(names, how)) is None and time.monotonic() < until:
            threading.Event().wait(0.3)
        return found

    def _find(self, names: tuple[str, ...], how: Any = None) -> XWindow | None:
        how = how or {}
        for one in reversed(self._desktop.windows()):
            if one.popup:
                continue
            told = f"{one.instance}.{one.program}" if how.get("by_class") else one.title
            if any(told == name if how.get("strict") else name in told for name in names):
                return one
        return None


def _failed(why: str, status: int) -> _Reply:
    return _Reply(json.dumps({"status": "error", "message": why, "error": why}).encode(), status=status)


def _text(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _read(body: bytes, kind: str) -> Any:
    """The body of a request: JSON, a form, or a form of several parts with files as bytes."""
    if kind.startswith("multipart/form-data"):
        message = BytesParser().parsebytes(b"Content-Type: " + kind.encode("latin-1") + b"\r\n\r\n" + body)
        found: dict[str, Any] = {}
        for part in message.walk():
            name = re.search(r'name="([^"]*)"', str(part.get("Content-Disposition", "")))
            if name:
                found[name[1]] = part.get_payload(decode=True)
        return found
    if kind.startswith("application/x-www-form-urlencoded"):
        return {name: values[0] for name, values in parse_qs(body.decode("utf-8", "replace")).items()}
    return json.loads(body) if body.strip() else {}
