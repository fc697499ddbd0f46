"""What `omnipilot env` does: serve a world over HTTP, check one that is served, make a token."""

from __future__ import annotations

import contextlib
import os
import time
import traceback
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from omnipilot.agents import PartSpec, parse_part
from omnipilot.agents.assembly.part_names import is_object, split_value
from omnipilot.bench.cli.commands.interrupts import serve_until_told
from omnipilot.bench.episode.guarding import act_function, guard_note, guard_spec, make_guard, real_devices
from omnipilot.bench.registry import APPROVERS, load_suite
from omnipilot.bench.run.config import part_of, set_options
from omnipilot.bench.session.offer import Offer
from omnipilot.bench.settings import RunSettings
from omnipilot.bench.spec import GuardSpec
from omnipilot.envs import Absent, Capability, ConfigError, Modality, World
from omnipilot.envs.composite import kinds, open_world, read_world, with_options
from omnipilot.envs.composite.device_options import check_options, typed_options
from omnipilot.envs.installed_plugins import broken_note, choose_declared, installed_plugins, load_declared
from omnipilot.envs.remote import EnvServer, RemoteWorld, is_loopback
from omnipilot.envs.remote.server import LOOPBACK
from omnipilot.envs.remote.tokens import (
    JUDGES_VARIABLE,
    SERVED,
    TOKEN_VARIABLE,
    find_token,
    new_token,
    token_for_now,
    write_token,
)
from omnipilot.envs.schema.validation_messages import nearest
from omnipilot.memory.secrets.scrub import scrub_error


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """Where a world is served, and who may use it.

    Attributes:
        host, port: where to listen; port 0 takes a free one. names: further names by which clients address this
            machine.
        token_file: with the token that clients send; None for that of the environment, or a new one.
        allow_judges: whether judges may read files, elements and state, and run commands. judges_token_file: with their
            token; None as for `token_file`.
        certificate, key: PEM files, to serve HTTPS; None for HTTP.
    """

    host: str = LOOPBACK
    port: int = 0
    names: Sequence[str] = ()
    token_file: Path | None = None
    allow_judges: bool = False
    judges_token_file: Path | None = None
    certificate: Path | None = None
    key: Path | None = None


@dataclass(frozen=True, slots=True)
class DoorOptions:
    """What a door serves.

    Attributes:
        door: its name in the plug-ins. suite: of the tasks; None for that of the default world, where that is served.
        score, fork: as in `Offer`.
    """

    door: str
    suite: str | None = None
    score: bool = False
    fork: bool = False


def door_command(
    world: str | None,
    options: Sequence[str],
    how: ServeOptions,
    what: DoorOptions,
    policy: str | None = None,
    approver: str | None = None,
) -> None:
    """Serve worlds and tasks to clients of another kind, until told to end.

    Args:
        world: as for `world_factory`; None for the default one. options: of the world and the suite, each written
            world.KEY=VALUE or suite.KEY=VALUE.
        policy, approver: what clients may do, and who is asked, as of a run.

    Raises:
        ConfigError: there is no such door, suite or world. MissingExtra: a package is not installed.
    """
    plugins = installed_plugins()
    declared = plugins.declared("doors")
    found = choose_declared("door", what.door, declared)
    if found is None:
        known = sorted({one.name for one in declared})
        raise ConfigError(f"there is no door {what.door!r}{broken_note()}; {nearest(what.door, known)}")
    usual = plugins.default("world")
    of_worlds = [one for one in options if not one.startswith("suite.")]
    of_suites = [one for one in options if one.startswith("suite.")]
    suite = what.suite or (plugins.default("suite") if world in (None, usual) and not of_worlds else "")
    if of_suites and not suite:
        raise ConfigError("options of a suite are given, and none is served; name it with --suite")
    part = part_of(set_options(RunSettings(suite=suite), of_suites), "suite") if suite else None
    # Without a world that is named, a suite brings its own.
    named = world or ("" if what.suite else usual)
    offer = Offer(
        None if part is None else load_suite(part),
        world_factory(named, of_worlds) if named else None,
        how.host,
        how.port,
        find_token(how.token_file, TOKEN_VARIABLE) or new_token(),
        what.score,
        what.fork,
        guard_of(policy, approver, named, of_worlds, part),
        lambda line: typer.echo(line, err=True),
    )
    with contextlib.suppress(KeyboardInterrupt):
        load_declared("door", found)(offer)


def serve_command(
    world: str | None,
    options: Sequence[str],
    how: ServeOptions,
    policy: str | None = None,
    approver: str | None = None,
) -> None:
    """Serve a world until told to end.

    Where no token is given, a new one is written to a file, whose path is shown; it is removed at the end.

    Args:
        world: as for `world_factory`; None for the default one. options: of the world, each written world.KEY=VALUE.
        policy, approver: what clients may do, and who is asked, as of a run.
    """
    world = world or installed_plugins().default("world")
    if not world:
        raise ConfigError("no world given; name one with --world (`omnipilot list envs` shows all)")
    make = world_factory(world, options)
    guard = make_guard(guard_of(policy, approver, world, options))
    given = find_token(how.token_file, TOKEN_VARIABLE)
    judges_given = find_token(how.judges_token_file, JUDGES_VARIABLE) if how.allow_judges else ""
    token, judges_token = given or new_token(), judges_given or (new_token() if how.allow_judges else "")
    with ExitStack() as stack:
        server = stack.enter_context(
            EnvServer(
                make,
                token,
                judges_token,
                how.host,
                how.port,
                how.allow_judges,
                how.names,
                str(how.certificate or ""),
                str(how.key or ""),
                log=_log,
                act=act_function(guard),
            )
        )
        if guard is not None:
            stack.callback(guard.close)
        shown, judges_shown = _where(how.token_file, TOKEN_VARIABLE), _where(how.judges_token_file, JUDGES_VARIABLE)
        if not given:
            path = _token_path(server)
            stack.enter_context(token_for_now(path, token))
            shown = f"in {path}"
        if how.allow_judges and not judges_given:
            path = _token_path(server, "-judges")
            stack.enter_context(token_for_now(path, judges_token))
            judges_shown = f"in {path}"
        typer.echo(f"{world} is served at {server.url}")
        typer.echo(f"token: {shown}")
        if not is_loopback(how.host) and how.certificate is None:
            typer.echo("note: what is sent can be read on the way, the token too; see --certificate", err=True)
        if how.allow_judges:
            typer.echo(f"judges' token: {judges_shown}; whoever has it can run commands in this world")
        serve_until_told("end it with Ctrl-C", server.wait)


def guard_of(
    policy: str | None, approver: str | None, world: str, options: Sequence[str], suite: PartSpec | None = None
) -> GuardSpec | None:
    """What clients may do; says it where there is a policy.

    Args:
        world: as for `world_factory`, with its options; "" for none. suite: of the tasks.
    """
    served = PartSpec("world", {"world": _world_table(world, options) if world else {}})
    if suite is not None and next(real_devices(served), None) is None:
        served = suite
    asked = None if approver is None else parse_part(approver, APPROVERS)
    found = guard_spec(policy, asked, None, served)
    if note := guard_note(found, served, 0):
        typer.echo(note, err=True)
    return found


def _world_of(name: str, options: Sequence[str]) -> tuple[str, dict[str, Any]]:
    """What the name of a world stands for, a kind of device or a file, and its options.

    Raises:
        ConfigError: there is no such kind.
    """
    given = dict(part_of(set_options(RunSettings(world=name), options), "world").options)
    if name.endswith(".toml"):
        return name, given
    kind, value = split_value(name) or (name, "")
    if kind == "android" and value:
        given["serial"] = value
    elif value:
        kind = name  # a class of the user's own: module:class
    if kind not in kinds.names() and not is_object(kind):
        known = ", ".join(kinds.names())
        raise ConfigError(f"there is no world {name!r}; choose {known}, android:SERIAL, or a file such as world.toml")
    return kind, given


def _world_table(name: str, options: Sequence[str]) -> dict[str, Any]:
    """The devices of a world as a world file has them, with their options."""
    kind, given = _world_of(name, options)
    if kind.endswith(".toml"):
        return with_options(read_world(Path(kind).expanduser()), given)
    return {"devices": {kind: {**given, "kind": kind}}}


def world_factory(name: str, options: Sequence[str]) -> Callable[[], World]:
    """What makes the world of a name: the embedded one, a kind of device, or that of a TOML file.

    Args:
        options: each written world.KEY=VALUE.

    Raises:
        ConfigError: there is no such world, or it takes no such option.
    """
    kind, given = _world_of(name, options)
    if kind.endswith(".toml"):
        table = _world_table(name, options)
        return lambda: open_world(table)
    factory = kinds.load(kind)
    check_options(kind, factory, given)
    return lambda: factory(**typed_options(factory, given))


def check_command(
    url: str, token_file: Path | None, judges_token_file: Path | None, authority: Path | None, out: Path | None
) -> None:
    """Connect, and print what is offered and how long an observation takes."""
    token, judges = (
        find_token(file, name) for file, name in ((token_file, TOKEN_VARIABLE), (judges_token_file, JUDGES_VARIABLE))
    )
    world = RemoteWorld(url, token, judges, authority_file=str(authority or ""))
    try:
        for line in _findings(world, out):
            typer.echo(line)
    finally:
        world.close()


def _findings(world: RemoteWorld, out: Path | None) -> Iterable[str]:
    server = world.server
    yield f"{world.url}: omnipilot {server['version']}, {server['uptime']:.0f} s old"
    yield "clock: simulated" if world.offset is None else f"clock: running, {world.offset.text()}"
    if Capability.STATE in world.capabilities:
        yield "judges: the state of the world can be read"
    for env in world.envs.values():
        yield f"\n{env.name}: {env.platform}, {env.size}"
        yield f"  verbs: {', '.join(sorted({*env.verbs, *env.custom} - {'custom'}))}"
        if judged := [one.value for one in Capability if one in env.capabilities]:
            yield f"  judges: {', '.join(judged)}"
        for modality in Modality:
            began = time.perf_counter()
            look = env.observe({modality}, max(0.0, world.now - 1.0))
            took = (time.perf_counter() - began) * 1e3
            seen: Any = getattr(look, modality.value)
            told = f"{seen.reason} {seen.detail}".strip() if isinstance(seen, Absent) else f"{took:.1f} ms"
            yield f"  {modality.value}: {told}"
            if out is not None and modality is Modality.SCREENSHOT and not isinstance(seen, Absent):
                out.mkdir(parents=True, exist_ok=True)
                path = out / f"{_plain(env.name)}.png"
                path.write_bytes(seen.png())
                yield f"  wrote {path}"


def token_command(file: Path) -> None:
    """Write a new token to a file."""
    write_token(file)
    typer.echo(f"wrote a token to {file}")


def _where(file: Path | None, variable: str) -> str:
    """What to say of where a token is that was given."""
    return f"in {file}" if file else f"in the environment variable {variable}"


def _token_path(server: EnvServer, whose: str = "") -> Path:
    """Where the token of a server is that was given none."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    at = "" if server.host == LOOPBACK else f"{_plain(server.host)}-"
    return home / "omnipilot" / "tokens" / f"{SERVED}{at}{server.port}{whose}"


def _plain(name: str) -> str:
    """A device's name as that of a file: it comes from another machine."""
    return "".join(char if char.isalnum() or char in "-_" else "_" for char in name)[:60] or "device"


def _log(error: BaseException) -> None:
    typer.echo(scrub_error("".join(traceback.format_exception(error))), err=True, nl=False)
