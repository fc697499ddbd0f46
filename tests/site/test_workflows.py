"""The workflows call targets of the Makefile and nothing else, and linters find nothing in them."""

from __future__ import annotations

import re
import subprocess
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import yaml
from release_notes import release_notes
from shared_folders import ROOT
from system_needs import SITE

WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
TARGETS = set(re.findall(r"^([a-z][a-z-]*):", MAKEFILE, re.MULTILINE))
TRIVIAL = re.compile(r"(python -m )?pip install [\w .='\"\[\]-]+|apt-get (update|install) [\w -]+")
"""Steps that need no target."""


def matrix_values(job: dict[str, Any]) -> list[dict[str, str]]:
    """Each combination of a job's matrix."""
    matrix = dict(job.get("strategy", {}).get("matrix", {}))
    included = matrix.pop("include", None)
    if included is not None:
        return [{f"matrix.{name}": str(value) for name, value in one.items()} for one in included]
    return [
        {f"matrix.{name}": str(value) for name, value in zip(matrix, one, strict=True)}
        for one in product(*matrix.values())
    ]


def run_steps(text: str) -> list[str]:
    """Every command of a workflow's steps, with the values of the matrix put in."""
    found = []
    for job in yaml.safe_load(text)["jobs"].values():
        for step in job["steps"]:
            for values in matrix_values(job) if "run" in step else ():
                line = step["run"].strip()
                for name, value in values.items():
                    line = line.replace("${{ " + name + " }}", value)
                found.append(re.sub(r"\$\{\{ github\.ref_name \}\}", "v1.2.3", line))
    return found


def wrong_steps(steps: list[str]) -> list[str]:
    """Those that are neither a call of targets that exist, with settings, nor trivial."""
    wrong = []
    for line in steps:
        program, *words = line.split()
        targets = [word for word in words if "=" not in word]
        if not (program == "make" and targets and set(targets) <= TARGETS) and not TRIVIAL.fullmatch(line):
            wrong.append(line)
    return wrong


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_every_step_is_a_target_of_make(path: Path) -> None:
    steps = run_steps(path.read_text(encoding="utf-8"))
    assert steps and wrong_steps(steps) == []


def test_a_wrong_step_is_found() -> None:
    steps = ["make test", "make test-sample SAMPLE=1/8", "make no-such", "pytest tests", "make", "make check; rm -r x"]
    assert wrong_steps(steps) == steps[2:]


def test_each_night_all_eighths_run_and_every_environment_that_ci_makes() -> None:
    steps = run_steps((ROOT / ".github/workflows/nightly.yml").read_text(encoding="utf-8"))
    assert [step for step in steps if "SAMPLE" in step] == [f"make test-sample SAMPLE={part}/8" for part in range(8)]
    (made,) = re.findall(r"^ENVIRONMENTS=\((.*)\)$", (ROOT / ".ci/run").read_text(encoding="utf-8"), re.MULTILINE)
    assert {f"make {name}" for name in made.split()} <= set(steps)


def test_the_sample_is_a_variable_of_make() -> None:
    for given, said in (((), (ROOT / ".ci/sample").read_text().strip()), (("SAMPLE=5/8",), "5/8")):
        command = ("make", "-n", "-o", f"{ROOT}/.venv/.dev", "test-sample", *given)
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        assert f'--sample "{said}"' in done.stdout


def test_permissions_are_no_more_than_reading_where_a_job_does_not_say_more() -> None:
    for path in WORKFLOWS:
        assert yaml.safe_load(path.read_text(encoding="utf-8"))["permissions"] == {"contents": "read"}


@pytest.mark.needs("actionlint")
@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_actionlint_finds_nothing(workflow: Path) -> None:
    done = _lint(workflow)
    assert done.returncode == 0, done.stdout


@pytest.mark.needs("actionlint")
def test_actionlint_finds_what_is_wrong(tmp_path: Path) -> None:
    broken = tmp_path / "broken.yml"
    broken.write_text(WORKFLOWS[0].read_text().replace("runs-on:", "runs-on-a:"))
    assert "unexpected key" in _lint(broken).stdout


def _lint(workflow: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([SITE / "node", SITE / "actionlint", workflow], capture_output=True, text=True, check=False)


@pytest.mark.needs("check-jsonschema")
@pytest.mark.parametrize(
    ("schema", "files"),
    [
        ("github-workflows", ".github/workflows/*.yml"),
        ("dependabot", ".github/dependabot.yml"),
        ("github-issue-forms", ".github/ISSUE_TEMPLATE/[!c]*.yml"),
        ("github-issue-config", ".github/ISSUE_TEMPLATE/config.yml"),
        ("citation-file-format", "CITATION.cff"),
    ],
)
def test_the_files_have_the_form_that_is_wanted(schema: str, files: str) -> None:
    found = sorted(map(str, ROOT.glob(files)))
    command = [SITE / "check-jsonschema", "--builtin-schema", f"vendor.{schema}", *found]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found and done.returncode == 0, done.stdout + done.stderr


def test_the_notes_of_a_release_are_its_section() -> None:
    changes = "# Changelog\n\n## [1.1.0] - {}\n\n### Added\n\n- A lamp.\n\n## [1.0.0] - 2026-01-01\n\n- All.\n"
    assert release_notes(changes.format("2026-02-02"), "1.1.0", "v1.1.0") == "### Added\n\n- A lamp.\n"
    assert release_notes(changes, "1.0.0", "v1.0.0") == "- All.\n"
    for text, version, tag, said in (
        (changes.format("unreleased"), "1.1.0", "v1.1.0", "is unreleased"),
        (changes, "1.2.0", "v1.2.0", "no section on 1.2.0"),
        (changes, "1.0.0", "v1.1.0", "not of version 1.0.0"),
    ):
        with pytest.raises(ValueError, match=said):
            release_notes(text, version, tag)
