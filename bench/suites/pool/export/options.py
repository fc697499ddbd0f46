"""What is exported of a pool, and how."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """What is exported, and how.

    Attributes:
        sample: so many tasks, drawn at random; 0 for all. orders: topological orders of each that are played.
        cap: most orders that a task of OmniBench lists.
        family: syntax of targets (sft) or answers (grounding); "" for the format's own choice.
        intent: tell the intent. history: earlier turns that a sample shows with their screens.
        levels: only tasks with a subtask of one of these; empty for all.
        runs: run directories, for pairs. cost: c in reward = solved - c * steps / limit, 0 to 1.
        licence: that the card states. seed: of drawn tasks and orders.
    """

    sample: int = 0
    orders: int = 2
    cap: int = 100
    family: str = ""
    intent: bool = False
    history: int = 2
    levels: tuple[str, ...] = ()
    runs: tuple[Path, ...] = ()
    cost: float = 0.5
    licence: str = "apache-2.0"
    seed: int = 0

    def command(self, pool: Path, to: str) -> str:
        """The command that exports a pool so, without options that have their default value."""
        said = [f"omnipilot synth export {pool.name} --format {to} --out DIR"]
        for spec in fields(self):
            value = getattr(self, spec.name)
            if value == spec.default:
                continue
            if spec.name == "runs":
                said += [f"--runs {run.name}" for run in value]
            elif isinstance(value, bool):
                said.append(f"--{spec.name}")
            else:
                said.append(f"--{spec.name} {','.join(value) if isinstance(value, tuple) else value}")
        return " ".join(said)
