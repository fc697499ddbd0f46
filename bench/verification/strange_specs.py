"""What of a stranger's specification must not be followed: code that it names, files, hosts, commands and people."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from omnipilot.agents import PartSpec
from omnipilot.bench.journal.events import Event, TurnTaken
from omnipilot.bench.registry import SUITES
from omnipilot.bench.spec import RunSpec
from omnipilot.envs import ConfigError

_NAME = re.compile(r"[\w+. -]{0,80}")
_REACHES = re.compile(r"[/\\~$]|\.\.|:")
"""Marks of a path, of an address, or of "module:attribute", in an option's text."""
_OUTWARD = frozenset({"data", "world", "reviews", "pool", "python", "folder", "command", "file", "url", "base_url"})
"""Options that name what lies outside of the package, whatever their text is."""
MOST_THOUGHT = 600.0
"""Seconds that a world is let run on for one decision, as an agent may wait: sound and film are made of each."""


def refuse_objects(spec: object) -> None:
    """Refuse a specification, as JSON, that names code: only installed parts are made of a stranger's words.

    Raises:
        ConfigError: it does.
    """
    agent = spec.get("agent") if isinstance(spec, Mapping) else None
    names = [part["name"] for part in _parts(spec)] + ([agent.get("system", "")] if isinstance(agent, Mapping) else [])
    for name in names:
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise ConfigError(
                f"the specification has a part {name!r:.100}: what is named by its module would run code that a bundle "
                "names; give it a name in a plug-in"
            )


def why_not_played(spec: RunSpec, events: Sequence[Event]) -> str:
    """Why the episodes of a stranger's run are not played here; "" if they are.

    Args:
        events: of its journal.
    """
    suite = spec.suite
    if suite.name not in SUITES.names():
        return f"suite {suite.name!r} is not installed here"
    if not getattr(SUITES.load(suite.name), "embedded", False):
        return f"the worlds of suite {suite.name!r} are not in this process, or not the same each time"
    if reaching := sorted(reaching_options(suite)):
        return f"its suite takes what lies outside of the bundle ({', '.join(reaching)}), which is not followed"
    if spec.user is not None and spec.user.name not in ("rules", "none"):
        return f"questions were answered by {spec.user.name!r}, who is not asked again"
    if spec.speech is not None and spec.speech.name != "recordings":
        return f"instructions were spoken by {spec.speech.name!r}, which is not started"
    thought = [spec.thinking.seconds, *(event.seconds for event in events if isinstance(event, TurnTaken))]
    if spec.thinking.mode != "frozen" and not all(0 <= seconds <= MOST_THOUGHT for seconds in thought):
        return f"its worlds ran on while a decision took longer than {MOST_THOUGHT:g} s, for which memory may not do"
    return ""


def reaching_options(part: PartSpec) -> Iterator[str]:
    """The options of a part, and of those that it is made of, that name files, hosts, programs or code."""
    for one in part.walk():
        for name, value in one.options.items():
            if value in (None, "", False):
                continue
            if name in _OUTWARD or any(_REACHES.search(text) for text in _texts(value)):
                yield name


def _parts(value: object) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, Mapping):
        if "name" in value and "options" in value:
            yield value
        for one in value.values():
            yield from _parts(one)
    elif isinstance(value, list):
        for one in value:
            yield from _parts(one)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, one in value.items():
            yield from _texts(name)
            yield from _texts(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _texts(one)
