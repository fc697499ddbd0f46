"""Facts about a run for the report's first page, and where its media are."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.agents.assembly.build import gold_parts
from omnipilot.agents.assembly.honesty import SAID
from omnipilot.agents.assembly.parts import written_part
from omnipilot.bench.journal.events import Event, Interrupted, PersonActed, Repaired, RunStarted, Unreadable
from omnipilot.bench.journal.journal import MEDIA
from omnipilot.bench.report.family_evidence import families_used, prompt_words
from omnipilot.bench.report.method_notes import interference
from omnipilot.bench.run.parts import registry_of
from omnipilot.bench.spec import DATA, WHEREABOUTS
from omnipilot.bench.tasks.review import REVIEWS
from omnipilot.bench.tasks.variation import VARY
from omnipilot.memory.store.media_store import why_not_kept

LONGEST_OPTION = 60
"""Characters of an option's value in a label."""


def about_run(run: Path, events: Iterable[Event], home: Path) -> dict[str, Any]:
    """Facts about a run, and the address of its media relative to the page."""
    starts = [event for event in events if isinstance(event, RunStarted)]
    spec: Mapping[str, Any] = starts[-1].spec if starts else {}
    agent = spec.get("agent", {})
    forked = spec.get("forked")
    name = run.resolve().name
    place = unquote(_address(run, home)).rstrip("/")
    facts = [["directory", f"{name}, the folder of this page" if place == "." else place]]
    facts += [[key, value] for key, value in _facts(spec)]
    if starts:
        facts.append(["identity", starts[-1].identity[:16]])
        facts += [[str(key), _said(value)] for key, value in starts[-1].provenance.items() if value]
    if len(starts) > 1:
        facts.append(["started", f"{len(starts)} times"])
    if stops := sum(isinstance(event, Interrupted) for event in events):
        facts.append(["interrupted by the user", f"{stops} times" if stops > 1 else "once"])
    if words := interference(event for event in events if isinstance(event, PersonActed)):
        facts.append(["persons", words])
    if torn := sum(isinstance(event, Repaired) for event in events):
        facts.append(["incomplete last lines", str(torn)])
    if lost := [event for event in events if isinstance(event, Unreadable)]:
        facts.append(["unreadable lines", "; ".join(map(str, lost[:3])) + (f"; {len(lost)} in all" * (len(lost) > 3))])
    granted = {"agent": agent.get("modalities"), "planner": agent.get("planner_modalities")}
    return {
        "name": name,
        "folder": str(run),
        "label": [
            _name(spec.get("suite")),
            str(agent.get("system", "")),
            *(_name(agent.get(part), part) for part in ("planner", "grounder")),
        ],
        "media": _address(run / MEDIA, home),
        "notKept": why_not_kept(run / MEDIA),
        "forked": {name: forked[name] for name in ("key", "turn")} if forked else None,
        "granted": {role: names for role, names in granted.items() if names is not None},
        "facts": facts,
    }


def _facts(spec: Mapping[str, Any]) -> list[tuple[str, str]]:
    agent = spec.get("agent", {})
    facts = [
        ("suite", f"{_name(spec.get('suite'))} {spec.get('suite_version', '')}".strip()),
        *((part, _name(agent.get(part), part)) for part in ("planner", "grounder", "memory")),
        ("bound", _gold(agent)),
        ("honest", SAID.get(str(agent.get("honest", "")), "")),
        ("model family", _families(agent.get("grounder"))),
        ("prompt", _prompt(agent)),
        ("agent", str(agent.get("system", ""))),
        ("modalities", ", ".join(agent.get("modalities", ()))),
        ("tasks varied by", _part(spec.get("suite")).options.get(VARY, "")),
        ("stand-in for sound and video", spec.get("stand_in", "")),
        ("instruction", spec.get("instruction", "")),
        ("machine", _said(spec.get("conditions", {}))),
    ]
    for role in ("planner", "grounder"):
        if (names := agent.get(f"{role}_modalities")) is not None:
            facts.append((f"{role} modalities", ", ".join(names) or "none"))
    if spec:
        seeds = (_plural(spec.get("instances", 1), "instance"), _plural(spec.get("trials", 1), "trial"))
        thinking, limits = spec.get("thinking", {}), spec.get("limits", {})
        held = " ".join(str(value) for value in (thinking.get("mode"), thinking.get("seconds")) if value)
        facts += [("seeds", " × ".join(seeds)), ("thinking", held)]
        facts.append(
            (
                "limits",
                ", ".join(
                    f"{value} {key}" if value else f"any number of {key}"
                    for key, value in limits.items()
                    if value is not None
                ),
            )
        )
        facts.append(("retries of invalid actions", str(spec.get("retries", ""))))
    return [(key, value) for key, value in facts if value]


def _families(grounder: Mapping[str, Any] | None) -> str:
    used = families_used(_part(grounder))
    return ", ".join(f"{family.name} (evidence: {family.evidence})" for family in used)


def _prompt(agent: Mapping[str, Any]) -> str:
    """Whose words native planners and pointing models are asked in; "" if there is none of these."""
    return prompt_words(_part(agent.get("planner")), _part(agent.get("grounder")))


def _part(told: Any) -> PartSpec:
    """A part of a recorded specification; one without a name where there is none."""
    return PartSpec.from_json({"name": "", "options": {}, **told}) if isinstance(told, Mapping) else PartSpec("")


def _said(value: Any) -> str:
    """A value of the provenance as text; a table as "name value, …"."""
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_said(item)}" for name, item in value.items())
    return ", ".join(map(_said, value)) if isinstance(value, list | tuple) else str(value)


def _plural(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def _name(part: Any, what: str = "suite") -> str:
    if not isinstance(part, Mapping):
        return ""
    name, rest = written_part(_part(part), registry_of(what))
    options = ", ".join(
        f"{key}={_brief(value)}"
        for key, value in rest.items()
        if key not in WHEREABOUTS and key not in (DATA, REVIEWS, VARY)
    )
    return f"{name}({options})" if options else name


def _brief(value: Any) -> str:
    """The value of an option in a few words: of a world that is given as a table, the names of its devices."""
    if isinstance(value, Mapping) and isinstance(devices := value.get("devices"), Mapping):
        return " + ".join(map(str, devices))
    text = str(value)
    return text if len(text) <= LONGEST_OPTION else f"{text[:LONGEST_OPTION].rstrip()}…"


def _gold(agent: Mapping[str, Any]) -> str:
    """What to tell of parts that know the solution or the true screen; "" if there is none."""
    roles = ("planner", "grounder", "memory", "readers", "critic", "stop", "tool_agent")
    parts: dict[str, Any] = {role: _part(part) for role in roles if isinstance(part := agent.get(role), Mapping)}
    told = gold_parts(AgentSpec(**({"planner": PartSpec(""), "grounder": PartSpec("")} | parts)))
    known = "which know the solution or the true screen: not the result of an agent"
    return f"by {' and '.join(told)}, {known}" if told else ""


def tell_apart(about: Sequence[dict[str, Any]], names: Sequence[str] = ()) -> None:
    """Set each run's label: from `names`, else the parts in which the runs differ, else the directory's name."""
    if names:
        for run, name in zip(about, names, strict=True):
            run["label"] = name
        return
    labels = [run["label"] for run in about]
    telling = [i for i, parts in enumerate(zip(*labels, strict=True)) if len(about) == 1 or len(set(parts)) > 1]
    texts = [" · ".join(label[i] for i in telling if label[i]) for label in labels]
    for run, text in zip(about, texts, strict=True):
        if not text:
            run["label"] = run["name"]
        else:
            run["label"] = text if texts.count(text) == 1 else f"{run['name']} · {text}"


def _address(folder: Path, home: Path) -> str:
    """A folder as seen from a page in `home`, as the start of a URL."""
    try:
        return quote(Path(os.path.relpath(folder.resolve(), home.resolve())).as_posix()) + "/"
    except ValueError:
        # Another drive: there is no relative path.
        return folder.resolve().as_uri() + "/"
