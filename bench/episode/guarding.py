"""From a run's settings to its guard, and from its specification to the guard of an episode."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

from omnipilot.agents import PartSpec, Proposal
from omnipilot.agents.execute import Guarding, execute
from omnipilot.agents.guard import (
    Approver,
    Guard,
    SecretValues,
    parse_policy,
    policy_digest,
    policy_text,
    read_secrets,
)
from omnipilot.agents.guard.approvers import at_terminal
from omnipilot.bench.registry import APPROVERS
from omnipilot.bench.spec import GuardSpec
from omnipilot.envs import Action, ActionRejected, ConfigError, Env, World
from omnipilot.memory import Move

NO_POLICY = "none"
DEFAULT_POLICY = "ask"
"""The preset on real devices where no policy is named."""
_ELSEWHERE = re.compile(r"emulator-\d+|.+:\d+")
"""Serial numbers of emulators and of phones at an address, which are not plugged in."""


def guard_spec(policy: str | None, approver: PartSpec | None, secrets: str | None, suite: PartSpec) -> GuardSpec | None:
    """What a run's agent may do; None for everything.

    Args:
        policy, approver, secrets: the settings. suite: with the devices that the run is on.

    Raises:
        ConfigError: the policy or the secrets cannot be read, or settings contradict each other.
    """
    name = policy or (DEFAULT_POLICY if next(real_devices(suite), None) else NO_POLICY)
    names = read_secrets(secrets).names if secrets else ()
    if name == NO_POLICY:
        if approver is not None:
            raise ConfigError("--approver requires a policy that asks: --policy ask, or a file")
        return GuardSpec(NO_POLICY, secrets=secrets or "", names=names) if secrets else None
    text = policy_text(name)
    parse_policy(text, name)
    return GuardSpec(name, policy_digest(text), text, approver, secrets or "", names)


def make_guard(spec: GuardSpec | None) -> Guard | None:
    """The guard of a run's episodes; None for none.

    Without an approver the person at the terminal is asked, if there is one.

    Raises:
        ConfigError: the approver cannot be made or asked, or the secrets are other ones than when the run began.
    """
    if spec is None:
        return None
    secrets = read_secrets(spec.secrets) if spec.secrets else SecretValues()
    if secrets.names != spec.names:
        raise ConfigError(
            f"the run began with the secrets {', '.join(spec.names)}, and {spec.secrets} has {', '.join(secrets.names)}"
        )
    policy = parse_policy(spec.text, spec.name) if spec.text else None
    approver: Approver | None = None
    if spec.approver is not None:
        approver = cast(Approver, APPROVERS.make(spec.approver))
        approver.check()
    elif policy is not None and at_terminal():
        approver = cast(Approver, APPROVERS.make(PartSpec("terminal")))
    if approver is not None:
        approver.open()
    return Guard(policy, approver, secrets)


def act_function(guard: Guard | None) -> Callable[[World, Env, Action], None]:
    """What carries out the actions of whoever is no agent of this package, such as a client of a served world, as the
    loop carries out moves. It raises `ActionRejected` where an action was not carried out.

    Args:
        guard: rules on each action first; None to carry out all. Its budget is for as long as this is used, whatever
            is begun anew meanwhile.
    """
    guarding = None if guard is None else Guarding(guard)

    def act(world: World, env: Env, action: Action) -> None:
        outcome = execute(world, Proposal(Move(env.name, action), action), 0, 0, None, guarding).outcome
        if outcome.refused:
            raise ActionRejected(outcome.message)

    return act


def check_approver(spec: GuardSpec | None, jobs: int) -> None:
    """Refuse an approver who cannot be asked from here; nobody is asked.

    Args:
        jobs: worker processes of the run; 0 where its episodes are played in this one.

    Raises:
        ConfigError: with the cure.
    """
    if spec is None or spec.approver is None:
        return
    approver = cast(Approver, APPROVERS.make(spec.approver))
    approver.check()
    if approver.own_process and jobs:
        raise ConfigError(f"--approver {spec.approver.name} is asked in the process that you started; add --jobs 0")


def guard_note(spec: GuardSpec | None, suite: PartSpec, jobs: int) -> str:
    """What the first line of a run on real devices, or under a policy, says; "" for nothing."""
    real = ", ".join(real_devices(suite))
    if spec is None or not spec.text:
        return f"no policy guards what the agent does on {real}" if real else ""
    if spec.approver is not None:
        asks = f"it asks {spec.approver.name}"
    elif jobs == 0 and at_terminal():
        asks = "it asks you, here"
    else:
        asks = "nobody is asked, so what it wants approved is refused (--approver terminal --jobs 0 asks you)"
    on = f" on {real}" if real else ""
    return f"policy {spec.name} ({spec.digest[:12]}) guards what the agent does{on}; {asks}"


def real_devices(suite: PartSpec) -> Iterator[str]:
    """The devices of a world file that are somebody's own, by name and kind: phones over USB, and what pyautogui
    moves. Devices of the kind `desktop` are always private."""
    world = suite.options.get("world")
    devices = world.get("devices") if isinstance(world, Mapping) else None
    # What is no world is refused where the world is made.
    for name, one in devices.items() if isinstance(devices, Mapping) else ():
        if isinstance(one, Mapping) and _is_real(one):
            yield f"{name} ({one['kind']})"


def _is_real(device: Mapping[str, Any]) -> bool:
    kind = device.get("kind")
    if kind == "android":
        serial = str(device.get("serial") or "")
        return _ELSEWHERE.fullmatch(serial) is None
    return kind == "pyautogui"
