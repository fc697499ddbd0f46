"""`omnipilot view`: the runs of a folder, and the page of each, served to one person on this machine."""

from __future__ import annotations

import getpass
import hashlib
import os
import re
import tempfile
import threading
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

from omnipilot.bench.journal.control import RunCommand, send_command
from omnipilot.bench.journal.events import JournalError
from omnipilot.bench.journal.journal import FILE, MEDIA
from omnipilot.bench.journal.lock import is_locked
from omnipilot.bench.live.follower import RunFollower
from omnipilot.bench.live.glance import RunGlance
from omnipilot.bench.local_page import PageContent, PersonalPage
from omnipilot.bench.report.page import safe_json, served_page
from omnipilot.envs import ConfigError
from omnipilot.envs.types import read_file

DEPTH = 3
"""Folders below the one that is shown in which runs are looked for."""
MOST = 2_000
"""Runs that are listed."""
_RUN = re.compile(r"run/([0-9a-f]{12})/(.*)", re.DOTALL)
_MEDIA = re.compile(r"[0-9a-f]{2}/[0-9a-f]{64}\.(png|jpg|wav|json)")
_KINDS = {"png": "image/png", "jpg": "image/jpeg", "wav": "audio/wav", "json": "application/json"}
_STATIC = {
    "runs.js": ("omnipilot.bench.live", "text/javascript; charset=utf-8"),
    "live.js": ("omnipilot.bench.live", "text/javascript; charset=utf-8"),
    "lasting.js": ("omnipilot.bench.live", "text/javascript; charset=utf-8"),
    "live.css": ("omnipilot.bench.live", "text/css; charset=utf-8"),
    "dom.js": ("omnipilot.bench.viewer", "text/javascript; charset=utf-8"),
    "viewer.css": ("omnipilot.bench.viewer", "text/css; charset=utf-8"),
}


class LivePage(PersonalPage):
    """The runs of a folder. Use it as a context manager, or call `close`.

    Nothing is written into runs but what the person enters: commands for those that are going on.

    Args:
        folder: a run's directory, or a folder with some below it; runs that begin later are shown, too.
        port: 0 for a free one.

    Raises:
        ConfigError: there is no such folder.
    """

    def __init__(self, folder: Path, port: int = 0) -> None:
        if not folder.is_dir():
            raise ConfigError(f"{folder} is no folder; name a run's directory, or a folder of runs")
        self.folder = folder.resolve()
        # A request that is being answered when the page closes may still write into it.
        self._scratch = tempfile.TemporaryDirectory(prefix="omnipilot-view-", ignore_cleanup_errors=True)
        self._paths: dict[str, Path] = {}
        self._glances: dict[str, RunGlance] = {}
        self._followers: dict[str, RunFollower] = {}
        self._looking = threading.Lock()
        self._find()
        try:
            super().__init__(port)
        except BaseException:
            self._scratch.cleanup()
            raise

    def close(self) -> None:
        """Stop serving. May be called twice."""
        super().close()
        self._scratch.cleanup()

    @property
    def opened(self) -> str:
        """Where to begin: the page of the run if there is but one, or else the list."""
        return f"{self.url}run/{next(iter(self._paths))}/" if len(self._paths) == 1 else self.url

    def content(self, path: str) -> PageContent | None:
        """The list of runs, a run's page, and what they ask for.

        Raises:
            ConfigError: the run's record cannot be read, or the request makes no sense.
        """
        path, _, query = path.partition("?")
        if path == "":
            return PageContent(files("omnipilot.bench.live").joinpath("static/runs.html").read_bytes())
        if path == "runs":
            return _json({"folder": str(self.folder), "runs": self._listed()})
        if path in _STATIC:
            package, kind = _STATIC[path]
            return PageContent(files(package).joinpath(f"static/{path}").read_bytes(), kind)
        if (found := _RUN.fullmatch(path)) is None:
            return None
        follower = self._follower(found[1])
        if follower is None:
            return None
        return self._of_run(follower, found[2], query)

    def take(self, path: str, values: Any) -> object:
        """Write a command for a run.

        Raises:
            ConfigError: it makes no sense, or no run is going on that could take it.
        """
        found = _RUN.fullmatch(path)
        run = self._paths.get(found[1]) if found is not None and found[2] == "commands" else None
        if run is None:
            raise ConfigError("there is no such run")
        if not isinstance(values, dict) or not values.keys() <= {"action", "key", "limit", "value"}:
            raise ConfigError("a command has an action, a key, a limit and a value")
        key, limit = values.get("key", ""), values.get("limit", "")
        command = RunCommand.of(values.get("action", ""), _user(), key, limit, values.get("value"))
        if command.action != "requeue" and not is_locked(run):
            raise ConfigError("the run is not going on; start it again with the command that began it")
        try:
            send_command(run, command)
        except OSError as error:
            raise ConfigError(f"{run} cannot be written: {error.strerror or error}") from None
        return {"command": command.id}

    def _of_run(self, follower: RunFollower, path: str, query: str) -> PageContent | None:
        try:
            if path == "":
                page = served_page(follower.index(), "../../live.css", ("../../lasting.js", "../../live.js"))
                return PageContent(page.encode("utf-8", "surrogatepass"))
            if path == "new":
                name, _, since = query.partition("=")
                if name != "since" or not since.isdecimal():
                    raise ConfigError("say since which version")
                return _json(follower.changes(int(since)))
            if path.startswith("report/"):
                script = follower.script(path.removeprefix("report/"))
                return None if script is None else PageContent(script, "text/javascript; charset=utf-8")
            if path.startswith(f"{MEDIA}/"):
                return _media(follower.run, path.removeprefix(f"{MEDIA}/"))
        except JournalError as error:
            raise ConfigError(str(error)) from None
        return None

    def _follower(self, name: str) -> RunFollower | None:
        with self._looking:
            if name not in self._paths:
                self._find()
            if name not in self._paths:
                return None
            if name not in self._followers:
                scratch = Path(self._scratch.name) / name
                scratch.mkdir()
                self._followers[name] = RunFollower(self._paths[name], scratch)
            return self._followers[name]

    def _listed(self) -> list[dict[str, Any]]:
        with self._looking:
            self._find()
            return [{"id": name, "name": self._name(path), **self._glance(name)} for name, path in self._paths.items()]

    def _glance(self, name: str) -> dict[str, Any]:
        if name not in self._glances:
            self._glances[name] = RunGlance(self._paths[name])
        return self._glances[name].told()

    def _name(self, run: Path) -> str:
        return run.relative_to(self.folder).as_posix() if run != self.folder else run.name

    def _find(self) -> None:
        """Look for runs; one that is gone is no longer listed."""
        found = sorted(_runs(self.folder, DEPTH))[:MOST]
        self._paths = {hashlib.sha256(os.fsencode(self._name(path))).hexdigest()[:12]: path for path in found}


def _runs(folder: Path, depth: int) -> Iterator[Path]:
    """Run directories in a folder and below; not within a run, and not behind links."""
    if (folder / FILE).is_file():
        yield folder
        return
    if depth < 0:
        return
    try:
        inside = [Path(entry.path) for entry in os.scandir(folder) if entry.is_dir(follow_symlinks=False)]
    except OSError:
        return
    for one in inside:
        yield from _runs(one, depth - 1)


def _media(run: Path, name: str) -> PageContent | None:
    """A capture of a run, which lies in its own folder of media and is named as one."""
    found = _MEDIA.fullmatch(name)
    home = (run / MEDIA).resolve()
    path = home / name
    if found is None or not path.resolve().is_relative_to(home):
        return None
    try:
        return PageContent(read_file(path), _KINDS[found[1]])
    except OSError:
        return None


def _json(value: object) -> PageContent:
    """JSON without the keys that are in use on this machine."""
    return PageContent(safe_json(value).encode(), "application/json")


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        # A user id without a name, as in some containers.
        return "somebody"
