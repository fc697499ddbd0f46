"""What a served desktop can be asked for: its screen and tree, calls of pyautogui, commands, files, windows."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import shlex
import socketserver
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from omnipilot.bench.suites.osworld.serving import ports, pyautogui_module
from omnipilot.bench.suites.osworld.serving.hands import Hands
from omnipilot.bench.suites.osworld.serving.python_lines import NotRead, read_calls
from omnipilot.bench.suites.osworld.serving.tree_xml import name_there, tree_of_elements, tree_of_programs
from omnipilot.envs import (
    Absent,
    ActionRejected,
    Capability,
    ConfigError,
    Elements,
    Env,
    Image,
    Modality,
    World,
)
from omnipilot.envs.desktop import DesktopEnv, DesktopWorld, XWindow

T = TypeVar("T")
COMMAND_SECONDS = 120.0
"""For a command, as in OSWorld's server."""
LARGEST_LINE = 4 << 20
FORWARDED = (9222, 8080)
"""Ports in a private desktop that judges ask: Chromium's for debugging, and VLC's."""
TOOLS = ".local/share/osworld"
"""Where the programs lie that commands of OSWorld's tasks call, in the home of a private desktop."""
PROGRAMS = {
    "python": '#!/bin/sh\nexec python3 "$@"\n',
    "google-chrome": '#!/bin/sh\nexec chromium --user-data-dir="$HOME/.config/google-chrome" --no-first-run '
    '--no-default-browser-check --password-store=basic --disable-gpu --force-renderer-accessibility "$@"\n',
    # Tasks end Chrome by the name of its process, and Chromium's is another, whatever its file is called.
    "pkill": '#!/bin/sh\nfor one; do\n  shift\n  if [ "$one" = chrome ]; then one="chrom(e|ium)"; fi\n'
    '  set -- "$@" "$one"\ndone\nexec /usr/bin/pkill "$@"\n',
    "sudo": "#!/bin/sh\n# Everything belongs to the one user there is; a password on standard input is not read.\n"
    'while [ "${1#-}" != "$1" ]; do shift; done\nexec "$@"\n',
}
"""Stand-ins for programs of OSWorld's machine, by their name; each calls what Debian has in its place."""


class ServedDesktop:
    """A desktop of a world of ours.

    One thread touches the world. Commands run in the sandbox of a private desktop; a world without one carries out
    lines of pyautogui alone, which are read and not run.

    Args:
        make: makes the world. name: of its environment; "" for the only one, or the one that is a desktop.

    Raises:
        ConfigError: there is no such environment.
    """

    def __init__(self, make: Callable[[], World], name: str = "") -> None:
        self._thread = ThreadPoolExecutor(1, "served-desktop")
        self._line: _Line | None = None
        self._relays: dict[int, ports.PortRelay] = {}
        try:
            self.world = self._do(make)
            self._do(self._first_reset)
            desktops = [one for one in self.world.envs.values() if one.platform == "desktop"]
            chosen = self.world.envs.get(name) if name else next(iter(desktops), None)
            if chosen is None:
                raise ConfigError(f"the world has no desktop; it has {', '.join(self.world.envs)}")
            self._env: Env = chosen
            self._name = chosen.name
            self._furnish()
        except BaseException:
            self.close()
            raise

    @property
    def is_private(self) -> bool:
        """Whether it is a private desktop, which runs commands."""
        return isinstance(self.world, DesktopWorld)

    @property
    def home(self) -> str:
        """The home folder, as its programs see it."""
        return str(self.world.desktop.home.seen_as) if isinstance(self.world, DesktopWorld) else "/home/user"

    def reach(self, port: int) -> int:
        """The port of this machine by which a port of the desktop's own loopback interface is reached.

        Args:
            port: one of `FORWARDED`; where a world has no network of its own, it is answered as it is.
        """
        if not isinstance(self.world, DesktopWorld) or port not in FORWARDED:
            return port
        if port not in self._relays:
            world = self.world
            self._relays[port] = ports.PortRelay.to_file(lambda: world.desktop.address.runtime / f"port-{port}")
        return self._relays[port].port

    def reset(self) -> None:
        """Back to how it was when it was made."""
        self._do(lambda: self.world.reset(0))
        self._env = self.world.envs[self._name]
        self._furnish()

    def screenshot(self) -> bytes:
        """The screen as a PNG, with the pointer where the device shows it."""
        seen = self._do(lambda: self._env.observe({Modality.SCREENSHOT}, self.world.now)).screenshot
        if not isinstance(seen, Image):
            raise ActionRejected(f"the screen cannot be seen: {seen}")
        return seen.png()

    def size(self) -> tuple[int, int]:
        """Width and height of the screen in pixels."""
        return self._env.size.width, self._env.size.height

    def tree(self) -> str:
        """The accessibility tree as XML."""
        env = self._env
        if isinstance(env, DesktopEnv):
            return tree_of_programs(self._do(env.programs))
        seen = self._do(lambda: env.observe({Modality.ELEMENTS}, self.world.now)).elements
        if isinstance(seen, Absent):
            raise ActionRejected(f"the elements cannot be seen: {seen}")
        assert isinstance(seen, Elements)
        return tree_of_elements(seen, env.size, env.name)

    def terminal(self) -> str:
        """The text of the terminal in front, "" without one."""
        env = self._env
        if not isinstance(env, DesktopEnv):
            return ""
        found = [""]
        for program in self._do(env.programs):
            pending = list(program.windows)
            while pending:
                node = pending.pop()
                pending += node.children
                if node.role == "terminal":
                    found.append(node.value.rstrip())
        return found[-1]

    def hand(self, name: str, given: Sequence[Any], named: dict[str, Any]) -> Any:
        """A call of pyautogui or pyperclip.

        Raises:
            ActionRejected: it cannot be done here.
        """
        if name == "sleep":
            return self._hands.do_sleep(*given)  # without holding up the others
        return self._do(lambda: self._hands.call(name, given, named))

    def run(self, command: str | Sequence[str], shell: bool, seconds: float = COMMAND_SECONDS) -> tuple[int, str, str]:
        """Run a command to its end: its exit code, standard output and standard error.

        Raises:
            ActionRejected: this world runs no commands, or not this one. TimeoutError: it took too long.
        """
        line = self._command_line(command, shell)
        if not self.is_private:
            words = list(command) if not isinstance(command, str) else shlex.split(command)
            if len(words) == 3 and words[0].startswith("python") and words[1] == "-c":
                self._lines(words[2])
                return 0, "", ""
            raise ActionRejected("this world runs no commands; serve a private desktop: --world desktop")
        kept = '"$d"'
        script = (
            f"d=$(mktemp -d) || exit; cd; ({line}) >{kept}/o 2>{kept}/e; c=$?; "
            f"base64 -w0 {kept}/o; echo; base64 -w0 {kept}/e; echo; echo $c; rm -rf {kept}"
        )
        said = self._shell(script, seconds).split("\n")
        if len(said) < 3:
            raise ActionRejected("the desktop did not say what became of the command")
        output, errors = (base64.b64decode(one).decode("utf-8", "replace") for one in said[:2])
        return int(said[2] or 1), output, errors

    def launch(self, command: str | Sequence[str], shell: bool) -> None:
        """Start a program and leave it running.

        Raises:
            ActionRejected: this world starts no programs, or has no such one.
        """
        if not isinstance(self.world, DesktopWorld):
            raise ActionRejected("this world starts no programs; serve a private desktop: --world desktop")
        line = self._command_line(command, shell)
        if not shell:
            first = (shlex.split(command) if isinstance(command, str) else list(command))[0]
            if self.run(["sh", "-c", f"command -v {shlex.quote(first)}"], False)[0]:
                raise ActionRejected(f"[Errno 2] No such file or directory: {first!r}")
        self.world.desktop.start(["sh", "-c", f"cd; exec {line}" if not shell else f"cd; {line}"], self._variables())

    def read_file(self, path: str) -> bytes:
        """A file's content.

        Raises:
            FileNotFoundError: there is none. ActionRejected: this world has no files.
        """
        if self.is_private:
            quoted = shlex.quote(self._expand(path))
            code, output, _ = self.run(f"base64 -w0 -- {quoted}", True)
            if code:
                raise FileNotFoundError(path)
            return base64.b64decode(output)
        if Capability.FILES in self._env.capabilities:
            return self._do(lambda: self._env.read_file(path))
        raise ActionRejected("this world has no files that can be read")

    def write_file(self, path: str, data: bytes) -> None:
        """Write a file, with the folders that it needs.

        Raises:
            ActionRejected: this world takes no files, or not there.
        """
        if not isinstance(self.world, DesktopWorld):
            raise ActionRejected("this world takes no files; serve a private desktop: --world desktop")
        kept = f"{TOOLS}/upload"
        self.world.desktop.home.write_file(kept, data)
        wanted = shlex.quote(self._expand(path))
        code, _, errors = self.run(f'mkdir -p "$(dirname {wanted})" && mv -f -- ~/{kept} {wanted}', True)
        if code:
            raise ActionRejected(errors.strip() or f"{path} cannot be written")

    def windows(self) -> list[XWindow]:
        """Its windows, the lowest first, with the titles of OSWorld's machine; none where the world tells of none."""
        if not isinstance(self._env, DesktopEnv):
            return []
        return [replace(one, title=name_there(one.title)) for one in self._do(self._env.windows)]

    def activate(self, window: XWindow) -> None:
        """Bring a window to the front."""
        assert isinstance(self._env, DesktopEnv)
        self._do(lambda: self._env.activate(window))  # type: ignore[attr-defined]

    def close_window(self, window: XWindow) -> None:
        """Ask a window to close."""
        assert isinstance(self._env, DesktopEnv)
        self._do(lambda: self._env.close_window(window))  # type: ignore[attr-defined]

    def close(self) -> None:
        """End the world. May be called twice."""
        for relay in self._relays.values():
            relay.close()
        if self._line is not None:
            self._line.close()
            self._line = None
        world = getattr(self, "world", None)
        if world is not None:
            with contextlib.suppress(Exception):
                self._do(world.close)
            del self.world
        self._thread.shutdown(wait=True)

    def _do(self, work: Callable[[], T]) -> T:
        return self._thread.submit(work).result()

    def _first_reset(self) -> None:
        self.world.reset(0)

    def _furnish(self) -> None:
        """Take up the environment as it is after a reset, and write the programs that tasks call."""
        copy: Callable[[str], None] | None = None
        paste: Callable[[], str] | None = None
        env = self._env
        if isinstance(env, DesktopEnv):

            def copy_to(text: str) -> None:
                env.clipboard = text

            copy, paste = copy_to, lambda: env.clipboard
        self._hands = Hands(env, copy, paste)
        if not isinstance(self.world, DesktopWorld):
            return
        desktop = self.world.desktop
        module = Path(pyautogui_module.__file__).read_bytes()
        files = {f"{TOOLS}/modules/{name}.py": module for name in ("pyautogui", "pyperclip")}
        files[f"{TOOLS}/ports.py"] = Path(ports.__file__).read_bytes()
        files |= {f"{TOOLS}/bin/{name}": text.encode() for name, text in PROGRAMS.items()}
        for path, data in files.items():
            desktop.home.write_file(path, data)
        self._shell(f"chmod 755 ~/{TOOLS}/bin/*", 20.0)
        runtime = str(desktop.address.runtime)
        desktop.start(["python3", f"{self.home}/{TOOLS}/ports.py", runtime, *map(str, FORWARDED)], {})
        if self._line is not None:
            self._line.close()
        self._line = _Line(desktop.address.runtime / "osworld-hands", desktop.isolation.uid, self)

    def _lines(self, code: str) -> None:
        try:
            calls = read_calls(code)
        except NotRead as error:
            raise ActionRejected(f"this world carries out lines of pyautogui alone: {error}") from None
        for call in calls:
            self.hand(call.name, call.given, call.named)

    def _shell(self, script: str, seconds: float) -> str:
        assert isinstance(self.world, DesktopWorld)
        settings = " ".join(f"{name}={shlex.quote(value)}" for name, value in self._variables().items())
        # Not in the world's thread: a command may call pyautogui, which is carried out there.
        return self.world.desktop.shell(f"export {settings}; {script}", seconds)

    def _variables(self) -> dict[str, str]:
        assert isinstance(self.world, DesktopWorld)
        tools = f"{self.home}/{TOOLS}"
        path = "/usr/local/bin:/usr/bin:/bin:/usr/games:/usr/sbin:/sbin"
        return {
            "PATH": f"{tools}/bin:{path}",
            "PYTHONPATH": f"{tools}/modules",
            "OSWORLD_HANDS": str(self.world.desktop.address.runtime / "osworld-hands"),
        }

    def _command_line(self, command: str | Sequence[str], shell: bool) -> str:
        if shell:
            # A list with a shell: its first word is the script, as `subprocess` has it.
            return command if isinstance(command, str) else str(command[0])
        words = shlex.split(command) if isinstance(command, str) else [str(one) for one in command]
        if not words:
            raise ActionRejected("no command is given")
        return shlex.join(self._expand(one) if one.startswith("~/") else one for one in words)

    def _expand(self, path: str) -> str:
        path = path.replace("$HOME", self.home)
        return f"{self.home}{path[1:]}" if path == "~" or path.startswith("~/") else path


class _Line:
    """A socket in the desktop's runtime folder, by which its Python reaches the hands.

    Args:
        uid: of the desktop's programs, who alone may connect.
    """

    def __init__(self, path: Path, uid: int, desktop: ServedDesktop) -> None:
        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                try:
                    asked = json.loads(self.rfile.readline(LARGEST_LINE))
                    answer = {"value": desktop.hand(str(asked["do"]), list(asked["given"]), dict(asked["named"]))}
                except Exception as error:  # whatever it is, the caller is to know
                    answer = {"error": f"{type(error).__name__}: {error}"}
                with contextlib.suppress(OSError):
                    self.wfile.write(json.dumps(answer).encode() + b"\n")

        class Server(socketserver.ThreadingUnixStreamServer):
            daemon_threads = True

            def handle_error(self, *_: Any) -> None:
                """A program of the desktop that hangs up is no news."""

        path.unlink(missing_ok=True)
        self._path = path
        self._server = Server(str(path), Handler)
        os.chmod(path, 0o600)
        if os.geteuid() == 0:
            os.chown(path, uid, uid)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join(5)
        self._server.server_close()
        with contextlib.suppress(OSError):
            self._path.unlink()
