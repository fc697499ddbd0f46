"""What a part uses when it happens to be installed is asked for: no run gets other results in silence without it."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from command_line import omnipilot
from hide_packages import OCR, hidden, surroundings
from put_plugin import forget_plugins, put_plugin

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench import RunSpec
from omnipilot.bench.cli.commands.doctor import EXTRAS
from omnipilot.bench.journal.provenance import LIBRARIES, provenance
from omnipilot.bench.journal.run_directory import prepare
from omnipilot.bench.run.config import resolve_settings, spec_from
from omnipilot.bench.run.runner import complete
from omnipilot.bench.settings import RunSettings
from omnipilot.bench.suites.duet.commands import run_demo
from omnipilot.envs.desktop.private.sandbox import why_no_bubblewrap
from omnipilot.envs.web import find_chromium

CURE = "'rapidocr' is not installed; run: pip install 'omnipilot[ocr]'; or do without: -o planner.ocr=false"
LACKS = "planner rules (ocr=false) reads no letters and numbers in films"
RUN = ("run", "--suite", "duet", "--planner", "rules", "--tasks", "send-message")
WITHOUT = ("-o", "planner.ocr=false")


def one_line(text: str) -> str:
    """A message as one line, however it was wrapped."""
    return " ".join(text.split())


def cut_after_first_episode(folder: Path) -> None:
    """Leave a run as if it had been killed when its first episode was over."""
    lines = (folder / "journal.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    first = next(number for number, line in enumerate(lines) if "episode_ended" in line)
    (folder / "journal.jsonl").write_text("".join(lines[: first + 1]), encoding="utf-8")


@pytest.mark.parametrize("dry", [(), ("--dry-run",)], ids=["run", "dry"])
def test_without_ocr_rules_is_refused_with_the_cure(dry: tuple[str, ...], tmp_path: Path) -> None:
    with hidden(*OCR):
        done = omnipilot(*RUN, *dry, "--out", str(tmp_path / "x"))
    assert done.returncode == 2 and CURE in one_line(done.stderr)
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize(
    "command",
    [
        ("sweep", "--suite", "duet", "--tasks", "send-message", "--planner", "noop", "--planner", "rules"),
        ("ablate", "--suite", "duet", "--tasks", "send-message", "--planner", "rules"),
        ("grid", "--suite", "duet", "--tasks", "send-message", "--planner", "noop", "--planner", "rules"),
        (
            "run",
            "--suite",
            "duet",
            "--tasks",
            "send-message",
            "--planner",
            "noop",
            "--agent",
            "by-environment",
            "--tool-agent",
            "rules",
        ),
    ],
    ids=["sweep", "ablate", "grid", "tool agent"],
)
def test_every_command_that_plays_refuses_it(command: tuple[str, ...], tmp_path: Path) -> None:
    with hidden(*OCR):
        done = omnipilot(*command, "--dry-run", "--out", str(tmp_path / "x"))
    assert done.returncode == 2 and CURE in one_line(done.stderr), done.stderr


@pytest.mark.parametrize(
    "asked",
    [
        ("--suite", "duet", "--tasks", "send-message", "--planner", "noop"),
        ("--suite", "duet", "--tasks", "send-message", "--planner-modalities", "screenshot,elements,audio"),
        ("--suite", "duet", "--tasks", "send-message", "--planner", "blind:rules"),
        pytest.param(("--suite", "miniwob", "--tasks", "click-button"), marks=pytest.mark.web),
    ],
    ids=["noop", "no film granted", "blind", "a suite without films"],
)
def test_where_no_film_is_read_nothing_is_asked_for(asked: tuple[str, ...], tmp_path: Path) -> None:
    with hidden(*OCR):
        done = omnipilot("run", *asked, "--dry-run", "--out", str(tmp_path / "x"))
    assert done.returncode == 0 and LACKS not in done.stdout, done.stderr


def test_a_run_is_resumed_under_its_own_condition_alone(tmp_path: Path) -> None:
    command = (*RUN, "--instances", "2", "--out", str(tmp_path / "x"))
    assert omnipilot(*command).returncode == 0
    cut_after_first_episode(tmp_path / "x")
    kept = (tmp_path / "x" / "journal.jsonl").read_bytes()

    with hidden(*OCR):
        same, other = omnipilot(*command), omnipilot(*command, *WITHOUT)
    assert same.returncode == 2 and CURE in one_line(same.stderr)
    assert other.returncode == 2
    assert "agent.planner.options.ocr: not given there, false asked for" in one_line(other.stderr)
    assert (tmp_path / "x" / "journal.jsonl").read_bytes() == kept

    done = omnipilot(*command)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "x" / "journal.jsonl").read_text(encoding="utf-8").count("episode_ended") == 2


def test_what_a_run_does_without_is_told(tmp_path: Path) -> None:
    a, b = str(tmp_path / "a"), str(tmp_path / "b")
    assert omnipilot(*RUN, "--out", a).returncode == 0
    with hidden(*OCR):
        dry, alone = (omnipilot(*RUN, *WITHOUT, *more, "--out", b) for more in (("--dry-run",), ()))
        again = omnipilot(*RUN, "--out", b)
    assert dry.returncode == 0 and LACKS in dry.stdout
    assert alone.returncode == 0 and f"rules: {LACKS}" in one_line(alone.stdout)
    assert again.returncode == 2 and CURE in one_line(again.stderr)
    assert json.loads((tmp_path / "b" / "spec.json").read_text())["spec"]["agent"]["planner"]["options"] == {
        "ocr": False
    }

    begun = omnipilot(*RUN, "--out", b)
    assert begun.returncode == 2 and "ocr: false there, not given asked for" in one_line(begun.stderr)
    compared = omnipilot("compare", a, b, "--resamples", "100")
    assert "differs: agent.planner.options.ocr: true in a, false in b" in one_line(compared.stdout)
    assert LACKS in one_line(omnipilot("report", a, b, "--out", str(tmp_path / "r.html")).stdout)


@pytest.mark.slow
def test_the_demo_says_what_a_core_installation_lacks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_demo, "TASKS", ("send-message",))
    with hidden(*OCR, "playwright"):
        done = omnipilot("demo", "--out", str(tmp_path), "--jobs", "0")
    assert done.returncode == 0, done.stderr
    told = one_line(done.stderr)
    assert "rules without text in films, where it fails then: rapidocr is not installed; run: pip install" in told
    assert "without miniwob: playwright is not installed" in told
    assert LACKS in one_line(done.stdout)


@pytest.mark.slow
def test_in_processes_of_their_own_the_number_is_one_that_was_asked_for(tmp_path: Path) -> None:
    def run_without(*more: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "omnipilot.bench.cli.app", *RUN[:-1], "ball-to-message", "--jobs", "1"]
        return subprocess.run(
            [*command, "--out", str(tmp_path / "x"), *more],
            env=surroundings(*OCR),
            capture_output=True,
            text=True,
            timeout=240,
        )

    refused, done = run_without(), run_without(*WITHOUT)
    assert refused.returncode == 2 and CURE in one_line(refused.stderr)
    assert done.returncode == 0 and "0/1" in done.stdout and LACKS in one_line(done.stdout), done.stderr


def test_other_versions_are_told_by_compare_and_by_the_report_of_a_run_that_was_continued(tmp_path: Path) -> None:
    noop = ("run", "--suite", "duet", "--planner", "noop", "--tasks", "send-message")
    a, b = tmp_path / "a", tmp_path / "b"
    for folder in (a, b):
        assert omnipilot(*noop, "--instances", "2", "--out", str(folder)).returncode == 0
    assert "versions" not in omnipilot("compare", str(a), str(b), "--resamples", "100").stdout
    cut_after_first_episode(b)
    journal = b / "journal.jsonl"
    here = f'"rapidocr":"{version("rapidocr")}"'
    assert here in journal.read_text(encoding="utf-8")
    journal.write_text(journal.read_text(encoding="utf-8").replace(here, '"rapidocr":"3.0.0"'), encoding="utf-8")

    before = omnipilot("compare", str(a), str(b), "--resamples", "100")
    assert f"differs: versions, in a and in b: rapidocr {version('rapidocr')} and 3.0.0" in one_line(before.stdout)
    done = omnipilot(*noop, "--instances", "2", "--out", str(b))
    assert done.returncode == 0
    told = f"not all made with the same versions: rapidocr 3.0.0, then {version('rapidocr')}"
    assert told in one_line(done.stdout), done.stdout
    told_not = omnipilot("report", str(a), "--out", str(tmp_path / "r.html")).stdout
    assert "not all made with" not in told_not


def test_every_library_of_an_extra_is_in_the_provenance() -> None:
    # vLLM is a server's, and matplotlib draws what has been measured.
    libraries = {package for extra in EXTRAS for package in extra.packages} - {"vllm", "matplotlib"}
    assert libraries <= set(LIBRARIES)


def test_packages_that_add_parts_are_in_the_provenance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    put_plugin(tmp_path, "example-parts", 'planners={"example": "example_parts:Planner"}')
    assert provenance()["plugins"]["example-parts"] == "1"
    forget_plugins()


@pytest.fixture
def no_adb_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """No phone is looked for, also where an adb server runs."""
    monkeypatch.delenv("ADB_SERVER_SOCKET", raising=False)
    monkeypatch.setenv("ANDROID_ADB_SERVER_ADDRESS", "127.0.0.1")
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", "1")


def phone_command(tmp_path: Path, *more: str) -> tuple[str, ...]:
    """A dry run on a phone, which is not looked for."""
    (tmp_path / "world.toml").write_text('[devices.phone]\nkind = "android"\nserial = "none"\n')
    world = ("--world", str(tmp_path / "world.toml"), "--task", "Open the settings")
    return ("run", *world, "--planner", "noop", "--dry-run", "--out", str(tmp_path / "run"), *more)


def put_on_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str = "") -> None:
    """A PATH on which there is this program alone, or none."""
    folder = tmp_path / f"path-{program}"
    folder.mkdir()
    if program:
        (folder / program).write_text("#!/bin/sh\n")
        (folder / program).chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))


@pytest.mark.usefixtures("no_adb_server")
def test_whether_a_phone_can_be_heard_from_here_is_part_of_the_identity(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_on_path(tmp_path, monkeypatch, "scrcpy")
    told = omnipilot(*phone_command(tmp_path))
    assert told.returncode == 0 and "on this machine: phone.scrcpy installed" in told.stdout, told.stderr
    flags = RunSettings(world=str(tmp_path / "world.toml"), task="Open the settings", planner="noop")
    begun = complete(spec_from(resolve_settings(None, flags))).spec
    (tmp_path / "run").mkdir()
    prepare(tmp_path / "run", begun, ())
    (tmp_path / "run" / "journal.jsonl").touch()
    assert omnipilot(*phone_command(tmp_path)).returncode == 0

    put_on_path(tmp_path, monkeypatch)
    refused, deaf = omnipilot(*phone_command(tmp_path)), omnipilot(*phone_command(tmp_path, "-o", "world.sound=scrcpy"))
    assert refused.returncode == 2
    assert 'conditions.phone.scrcpy: "installed" there, "not installed" asked for' in one_line(refused.stderr)
    assert "`omnipilot doctor` says what is missing" in one_line(refused.stderr)
    assert deaf.returncode == 2 and "sound is to come from scrcpy, which is not installed" in one_line(deaf.stderr)
    unheard = omnipilot(*phone_command(tmp_path, "--modalities", "screenshot,elements", "--out", str(tmp_path / "y")))
    assert unheard.returncode == 0 and "on this machine" not in unheard.stdout


@pytest.mark.usefixtures("no_adb_server")
def test_without_pyav_a_phone_shows_no_film_in_silence(tmp_path: Path) -> None:
    with hidden("av"):
        refused = omnipilot(*phone_command(tmp_path))
        granted = omnipilot(*phone_command(tmp_path, "--modalities", "screenshot,elements,audio"))
    assert refused.returncode == 2 and granted.returncode == 0, granted.stderr
    told = "'av' is not installed; run: pip install 'omnipilot[video]'; or do without: grant no video"
    assert told in one_line(refused.stderr)


def test_a_desktop_that_cannot_be_shut_off_is_another_world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "world.toml").write_text('[devices.laptop]\nkind = "desktop"\n')
    world = ("--world", str(tmp_path / "world.toml"), "--task", "Open the editor")
    put_on_path(tmp_path, monkeypatch)
    why_no_bubblewrap.cache_clear()
    try:
        told = omnipilot("run", *world, "--planner", "noop", "--dry-run", "--out", str(tmp_path / "run"))
    finally:
        why_no_bubblewrap.cache_clear()
    assert "on this machine: laptop.isolation processes" in told.stdout, told.stderr


@pytest.mark.slow
def test_episodes_with_films_are_not_timed_without_pyav(tmp_path: Path) -> None:
    pytest.importorskip("av", reason="the extra omnipilot[video] is not installed")
    assert omnipilot("miniature", str(tmp_path / "mini"), "omnigui").returncode == 0
    command = ("run", "--suite", "omnigui", "--data", str(tmp_path / "mini" / "omnigui"), "--planner", "noop")
    asked = (*command, "--modalities", "screenshot,audio", "--dry-run", "--out", str(tmp_path / "x"))
    with hidden("av"):
        refused = omnipilot(*asked)
    assert refused.returncode == 2
    assert "'av' is not installed; run: pip install 'omnipilot[video]'" in one_line(refused.stderr)
    assert omnipilot(*asked).returncode == 0


@pytest.mark.parametrize("part", ["grounder", "memory", "readers"])
def test_the_precision_that_auto_means_on_this_machine_is_part_of_the_identity(
    part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("model.bin", "tokenizer.json"):
        (tmp_path / name).write_bytes(b"")
    agent = {
        "grounder": AgentSpec(planner=PartSpec("noop"), grounder=PartSpec("local", {"model": "osunlp/UGround-V1-2B"})),
        "memory": AgentSpec(
            planner=PartSpec("noop"), memory=PartSpec("episodic", {"transcriber": f"whisper/{tmp_path}"})
        ),
        "readers": AgentSpec(planner=PartSpec("noop"), readers=PartSpec("whisper", {"model": str(tmp_path)})),
    }[part]

    def identity(gpu: bool) -> str:
        torch = ModuleType("torch")
        torch.cuda = SimpleNamespace(is_available=lambda: gpu)
        monkeypatch.setitem(sys.modules, "torch", torch)
        monkeypatch.setitem(sys.modules, "transformers", ModuleType("transformers"))
        monkeypatch.setitem(sys.modules, "faster_whisper", ModuleType("faster_whisper"))
        ctranslate2 = ModuleType("ctranslate2")
        ctranslate2.get_cuda_device_count = lambda: int(gpu)
        monkeypatch.setitem(sys.modules, "ctranslate2", ctranslate2)
        return complete(RunSpec(agent, PartSpec("duet"), tasks=("send-message",))).spec.identity

    assert identity(gpu=True) == identity(gpu=True) != identity(gpu=False)


def test_pictures_that_are_described_in_words_ask_for_ocr_before_the_run(tmp_path: Path) -> None:
    model = ("--planner", "hosted_vllm/m", "--planner-url", "http://127.0.0.1:9/v1")
    asked = ("run", "--suite", "duet", "--tasks", "send-message", *model, "--dry-run", "--out", str(tmp_path / "x"))
    describe = ("-o", 'planner.degrade={image="describe"}')
    with hidden(*OCR):
        refused, shown = omnipilot(*asked, *describe), omnipilot(*asked)
    assert refused.returncode == 2 and "pip install 'omnipilot[ocr]'" in one_line(refused.stderr)
    assert shown.returncode == 0, shown.stderr


def test_a_changed_prompt_is_a_difference_that_compare_names(tmp_path: Path) -> None:
    noop = ("run", "--suite", "duet", "--planner", "noop", "--tasks", "send-message")
    a, b = tmp_path / "a", tmp_path / "b"
    for folder in (a, b):
        assert omnipilot(*noop, "--out", str(folder)).returncode == 0
    told = json.loads((b / "spec.json").read_text())
    told["spec"]["prompts"] = {"planner.prompt": "0" * 64}
    (b / "spec.json").write_text(json.dumps(told))
    compared = omnipilot("compare", str(a), str(b), "--resamples", "100")
    assert "differs: planner.prompt: another text in b than in a" in one_line(compared.stdout), compared.stderr


@pytest.mark.web
@pytest.mark.slow
def test_pages_in_another_chromium_are_told_by_compare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = find_chromium()
    other = tmp_path / "chromium"
    other.write_text(f'#!/bin/sh\n[ "$1" = --version ] && echo "Chromium 1.2.3" || exec {real} "$@"\n')
    other.chmod(0o755)
    command = ("run", "--suite", "miniwob", "--tasks", "click-button", "--planner", "noop")
    assert omnipilot(*command, "--out", str(tmp_path / "a")).returncode == 0
    monkeypatch.setenv("OMNIPILOT_CHROMIUM", str(other))
    assert omnipilot(*command, "--out", str(tmp_path / "b")).returncode == 0
    compared = omnipilot("compare", str(tmp_path / "a"), str(tmp_path / "b"), "--resamples", "100")
    told = one_line(compared.stdout)
    assert "differs: versions, in a and in b: Chromium " in told and " and 1.2.3" in told, told


@pytest.mark.slow
def test_the_demo_goes_on_without_whisper_where_its_extra_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_demo, "TASKS", ("send-message",))
    with hidden("faster_whisper", "playwright"):
        done = omnipilot("demo", "--out", str(tmp_path), "--jobs", "0", "--whisper", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert "without Whisper: 'faster_whisper' is not installed; run: pip install" in one_line(done.stderr)
    assert "whisper:" not in done.stdout
