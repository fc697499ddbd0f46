"""`omnipilot doctor`: what is installed, what is missing, and how to get it."""

from __future__ import annotations

import importlib.util
import platform
import sys
from dataclasses import dataclass
from importlib import metadata


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked for. `cure` says how to get it; empty where it is there."""

    name: str
    found: str
    needed_for: str
    cure: str = ""

    @property
    def ok(self) -> bool:
        """Whether it is there."""
        return not self.cure


PACKAGES = (
    ("numpy", "numpy", "", "pixels and sound"),
    ("PIL", "pillow", "", "pictures"),
    ("pydantic", "pydantic", "", "actions as JSON"),
    ("playwright", "playwright", "web", "browsers, the suite miniwob"),
    ("miniwob", "miniwob", "web", "the suite miniwob"),
    ("av", "av", "video", "video as MP4"),
    ("rapidocr", "rapidocr", "ocr", "reading text on pictures, the grounder ocr"),
    ("urllib3", "urllib3", "vllm", "models behind a server, the grounder vllm"),
    ("litellm", "litellm", "llm", "LLMs, hosted or your own: planners and critics that ask a model"),
    ("datasets", "datasets", "hub", "benchmarks as parquet files, or from the Hugging Face hub"),
    ("torch", "torch", "local", "models in process, the grounder local"),
    ("transformers", "transformers", "local", "models in process, the grounder local"),
)


def examine() -> list[Finding]:
    """Look for everything that omnipilot can use."""
    findings = [
        Finding(
            "python", platform.python_version(), "everything", "" if sys.version_info >= (3, 11) else "3.11 or later"
        ),
        Finding("omnipilot", metadata.version("omnipilot"), "everything"),
    ]
    for module, package, extra, use in PACKAGES:
        if importlib.util.find_spec(module) is None:
            what = f"'omnipilot[{extra}]'" if extra else package
            findings.append(Finding(package, "missing", use, f"pip install {what}"))
        else:
            findings.append(Finding(package, metadata.version(package), use))
    findings.append(_chromium())
    return findings


def _chromium() -> Finding:
    from omnipilot.envs import ConfigError
    from omnipilot.envs.web import find_chromium

    use = "browsers, the suite miniwob"
    try:
        return Finding("chromium", str(find_chromium()), use)
    except ConfigError as error:
        return Finding("chromium", "missing", use, str(error))


def render(findings: list[Finding]) -> str:
    """For a terminal: one line each, cures below what is missing."""
    width = max(len(finding.name) for finding in findings)
    lines = []
    for finding in findings:
        mark = "✓" if finding.ok else "✗"
        lines.append(f"{mark} {finding.name.ljust(width)}  {finding.found}  ({finding.needed_for})")
        if not finding.ok:
            lines.append(f"  {' ' * width}  → {finding.cure}")
    return "\n".join(lines)
