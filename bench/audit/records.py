"""What an audit leaves: a certificate for each task, and findings with the verbs that win."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from omnipilot.envs import ConfigError

Verb: TypeAlias = Mapping[str, Any]
"""A verb as a session takes it: its JSON, with the environment beside it."""

FORM = 1
"""Of the files; another form is not read."""


@dataclass(frozen=True, slots=True)
class AuditFinding:
    """A way to be judged successful without doing the task, or a judge that cannot tell.

    Attributes:
        kind: "null agent" (an agent that does nothing to the point), "shortcut" (a sequence without an effect of the
            demonstration), "start", "order", "blind" (the judges read nothing of what the demonstration changes),
            "answer" (the answer that is looked for stands in the instruction), "host" (a file or the clock of the
            machine decides), "door" (something written past the task's own way decides), "raises" (a judge raises where
            an agent can bring the world, which ends the episode).
        task, instance: where. by: which agent, search or rule found it.
        reason: in a sentence.
        verbs: that win, from the task's start; empty where nothing has to be done, or where a rule found it.
        lacking: effects of the demonstration that the sequence lacks.
    """

    kind: str
    task: str
    instance: int
    by: str
    reason: str
    verbs: tuple[Verb, ...] = ()
    lacking: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Certificate:
    """What was tried on one task, and what held.

    Attributes:
        suite: the part with its options. version: of the suite. text: SHA-256 of the instruction.
        seed, budget: of the search. seconds: of processor time that all of it took.
        agents: for each null agent, whether it was judged successful, and the share of sub-goals that it reached.
        search: sequences judged, states kept, legitimate solutions found, and what those did beyond the demonstration.
        reading: for each sub-goal, what its judge reads; "unread: …" where no rule could read it.
        doors: for each door, what it let an agent do.
        not_tried: what was left out, and why.
        findings: in the order in which they were found.
    """

    suite: str
    version: str
    task: str
    instance: int
    seed: int
    budget: Mapping[str, Any]
    text: str = ""
    seconds: float = 0.0
    agents: Mapping[str, Any] = field(default_factory=dict)
    search: Mapping[str, Any] = field(default_factory=dict)
    reading: Mapping[str, Any] = field(default_factory=dict)
    doors: Mapping[str, Any] = field(default_factory=dict)
    not_tried: tuple[str, ...] = ()
    findings: tuple[AuditFinding, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """As plain JSON values."""
        return {"form": FORM, **asdict(self)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Certificate:
        """The inverse of `to_json`.

        Raises:
            KeyError, TypeError: it is none.
        """
        values = {key: value for key, value in data.items() if key != "form"}
        findings = tuple(_finding(one) for one in values["findings"])
        return cls(**{**values, "not_tried": tuple(values["not_tried"]), "findings": findings})

    def is_same_audit(self, other: Certificate) -> bool:
        """Whether both are of the same task in the same version, with the same seed and budget."""
        names = ("suite", "version", "task", "instance", "seed", "budget")
        return all(getattr(self, name) == getattr(other, name) for name in names)


def _finding(data: Mapping[str, Any]) -> AuditFinding:
    return AuditFinding(**{**data, "verbs": tuple(data["verbs"]), "lacking": tuple(data["lacking"])})


def certificate_path(folder: Path, task: str, instance: int) -> Path:
    """Where the certificate of a task lies."""
    return folder / "certificates" / f"{_file_name(task)}-{instance}.json"


def finding_path(folder: Path, finding: AuditFinding, number: int) -> Path:
    """Where a finding lies."""
    return folder / "findings" / f"{_file_name(finding.task)}-{finding.instance}-{number}.json"


def write_certificate(folder: Path, certificate: Certificate) -> None:
    """Write a certificate and its findings; findings of an earlier audit of the task are removed."""
    path = certificate_path(folder, certificate.task, certificate.instance)
    _write(path, certificate.to_json())
    found = folder / "findings"
    stem = f"{_file_name(certificate.task)}-{certificate.instance}-"
    for old in found.glob("*.json") if found.is_dir() else ():
        if old.name.startswith(stem) and old.stem.removeprefix(stem).isdigit():
            old.unlink()
    for number, finding in enumerate(certificate.findings):
        data = {"form": FORM, "suite": certificate.suite, "version": certificate.version, **asdict(finding)}
        _write(finding_path(folder, finding, number), data)


def read_certificate(path: Path) -> Certificate | None:
    """A certificate; None where there is none, or one of another form."""
    try:
        data = json.loads(path.read_text("utf-8"))
        return Certificate.from_json(data) if data.get("form") == FORM else None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def read_finding(path: Path) -> tuple[str, AuditFinding]:
    """The suite of a finding, and the finding.

    Raises:
        ConfigError: the file is none.
    """
    try:
        data = json.loads(path.read_text("utf-8"))
        if data.pop("form") != FORM:
            raise ConfigError(f"{path} has another form; run `omnipilot audit` again")
        suite = data.pop("suite")
        data.pop("version")
        return suite, _finding(data)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ConfigError(f"{path} is no finding of `omnipilot audit` ({error}); they lie in OUT/findings") from None


def _file_name(task: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in task)


def _write(path: Path, data: Mapping[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(".new")
    beside.write_text(json.dumps(data, indent=1, ensure_ascii=False, default=str) + "\n", "utf-8")
    beside.replace(path)
