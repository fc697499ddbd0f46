"""Every mistake of a run is told at once, by its dry run and before its first episode, and nothing is written."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import omnipilot

from omnipilot.bench.suites.duet import Duet

HUB = "a model of the Hugging Face hub on a server of your own is hosted_vllm/"
NO_KEY = "openai/gpt-4o needs a key: set OPENAI_API_KEY, or name its variable in key_env"
KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY")


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in KEYS:
        monkeypatch.delenv(name, raising=False)


def refused(line: str, *more: str) -> list[str]:
    """The mistakes that a command lists, each without its number."""
    done = omnipilot(*line.split(), *more)
    assert done.returncode == 2, done.stdout + done.stderr
    said = done.stderr.rpartition("omnipilot: ")[2]
    head, *listed = said.rstrip().split("\n  ")
    if not listed:
        return [head]
    assert head == f"{len(listed)} mistakes stand in the way:"
    return [one.partition(". ")[2] for one in listed]


@pytest.mark.parametrize("dry", [True, False])
def test_a_run_lists_all_its_mistakes_and_writes_nothing(tmp_path: Path, dry: bool) -> None:
    line = "run --suite duet --planner gpt-4o --grounder osunlp/UGround-V1-7B --critic Qwen/Qwen2.5-VL-7B-Instruct"
    line += " --gate claude-sonnet-4-5 --memory summary:openai/gpt-4o --where level=none-such --out runs/x"
    told = refused(line, *["--dry-run"] * dry)
    begins = (
        "there is no planner 'gpt-4o'; did you mean the model openai/gpt-4o?",
        "there is no grounder 'osunlp/UGround-V1-7B'. There are: elements, gold",
        f"there is no provider 'Qwen' for the model 'Qwen/Qwen2.5-VL-7B-Instruct'; {HUB}Qwen/Qwen2.5",
        "there is no gate 'claude-sonnet-4-5'; did you mean the model anthropic/claude-sonnet-4-5?",
        "there is no level 'none-such'",
        NO_KEY,
    )
    assert len(told) == len(begins) and all(any(one.startswith(words) for one in told) for words in begins), told
    assert list(tmp_path.iterdir()) == []


def test_a_world_that_cannot_be_made_is_told_with_the_planner(tmp_path: Path) -> None:
    (tmp_path / "world.toml").write_text(
        '[devices.far]\nkind = "remote"\nurl = "http://127.0.0.1:9"\nwait = 0.0\n', "utf-8"
    )
    told = refused("run --world world.toml --planner native -o planner.model=UI-TARS-1.5-7B --dry-run --task", "do it")
    for words in (
        "'UI-TARS-1.5-7B' names no model: it lacks its provider",
        "device 'far': no server answers at http://127.0.0.1:9",
    ):
        assert sum(one.startswith(words) for one in told) == 1, told


def test_programs_that_are_not_there_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("OMNIPILOT_CHROMIUM", "/nonexistent")
    (tmp_path / "world.toml").write_text('[devices.a]\nkind = "browser"\n[devices.b]\nkind = "phone-over-adb"\n')
    told = refused("run --world world.toml --planner noop --dry-run --task", "do it")
    assert [one.partition(",")[0] for one in told] == [
        "device 'a': $OMNIPILOT_CHROMIUM is '/nonexistent'",
        "device 'b': adb is not installed; run as root: apt install adb",
    ]


def test_missing_data_and_a_missing_key_are_told_together() -> None:
    told = refused("run --suite crab --planner openai/gpt-4o --dry-run")
    assert len(told) == 2 and told[1] == NO_KEY
    assert "the folder of the data is missing" in told[0]


def test_a_dry_run_without_a_key_still_says_what_would_be_run() -> None:
    done = omnipilot(*"run --suite duet --planner openai/gpt-4o --tasks send-message --dry-run".split())
    assert done.returncode == 2 and "needs a key" in done.stderr
    assert done.stdout.startswith("1 episode: 1 task of suite duet") and "nothing was run" in done.stdout


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (
            "sweep --planner gpt-4o --planner openai/gpt-4o",
            ["cell 'gpt-4o': there is no", "cell 'openai/gpt-4o': o"],
        ),
        ("grid --planner rules --planner noop --grounder gpt-4o", ["all cells: there is no grounder 'gpt-4o'"]),
        (
            "ablate --planner gpt-4o --critic openai/gpt-4o",
            ["cell 'full set': there is no", "cell 'full set': o"],
        ),
    ],
)
def test_runs_of_a_table_tell_the_mistakes_of_all_their_cells(tmp_path: Path, command: str, said: list[str]) -> None:
    name, *flags = command.split()
    told = refused(" ".join([name, "--suite duet --tasks send-message --out out", *flags]))
    for words in said:
        assert sum(one.startswith(words) for one in told) == 1, told
    assert list(tmp_path.iterdir()) == []


def test_a_pointing_run_lists_all_its_mistakes() -> None:
    told = refused("ground --suite screenspot --grounder cascade:elements,gpt-4o --styles none --limit 0 --dry-run")
    assert len(told) == 4 and told[0].startswith("--limit must") and told[1].startswith("--styles takes")
    assert any("there is no grounder 'gpt-4o'" in one for one in told)


def test_only_what_is_still_to_be_played_has_to_be_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    line = "run --suite duet --tasks send-message --planner noop --out".split()
    assert omnipilot(*line, "done").returncode == 0
    monkeypatch.setattr(Duet, "lacking", lambda suite, tasks: [f"{name} wants a horn" for name in tasks], raising=False)
    assert omnipilot(*line, "done").returncode == 0
    assert refused(" ".join([*line, "new"])) == ["send-message wants a horn"]
    assert [path.name for path in tmp_path.iterdir()] == ["done"]
