"""The README, and the tour and the page on installing behind it, tell the truth: every command in them is run, and the
table is the one that is printed.

The runs are of `make test-all`; that its commands are understood is found out in tests/docs/test_commands.py.
Nothing is written into the checkout: what works on it works on a copy.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from chat_behaviours import Answer, Behaviour
from chat_server import ChatServer, Request
from page_commands import command_lines
from pointing_runs import pointing
from shared_folders import ROOT, copy_checkout
from shell_commands import shell

from omnipilot.grounders.families import get

README, INSTALL, TOUR = (
    (ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "docs/install.md", "docs/tour.md")
)
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", README + INSTALL + TOUR, re.DOTALL)
COMMANDS = [line for kind, block in BLOCKS if kind == "sh" for line in command_lines(block)]
OMNIPILOT = [command for command in COMMANDS if command.startswith("omnipilot ")]


CONSOLE = [command_lines(block) for kind, block in BLOCKS if kind == "console"]
"""Commands with a wheel (tests/end_to_end/test_wheel.py runs it), that need a model that decides
(tests/end_to_end/test_llm.py runs such), that take long (they make a pool: tests/docs/test_synthesis.py makes a smaller
one), and that need a model that points."""
(DEMO, WHEEL, WITH_EXTRAS, _, _, SERVED) = CONSOLE


def make(target: str, ready: str) -> str:
    """A call of make for this interpreter's environment, in which `ready` says that all is installed."""
    environment = shlex.quote(sys.prefix)
    return f"make {target} VENV={environment} -o {environment}/{ready}"


def block(kind: str) -> str:
    (found,) = [text for k, text in BLOCKS if k == kind]
    return found


def test_every_command_is_one_that_these_tests_run() -> None:
    others = [command for command in COMMANDS if command not in OMNIPILOT]
    assert others == ["make demo", "make test", "pip install -e '.[web,ocr,figures]'"]
    assert len(OMNIPILOT) >= 8


def places(text: str) -> str:
    """The table without the number of places of miniwob, which depends on the Chromium and its fonts."""
    return re.sub(r"1[012]/1[012] \(100\.0 %\)", "all", text)


def test_the_table_of_extras_has_those_that_there_are() -> None:
    listed = re.findall(
        r"^\| `([a-z]+)`[^|]*\| ", INSTALL.partition("| extra | brings |")[2].partition("\n\n")[0], re.M
    )
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert sorted(listed) == sorted(set(declared) - {"all", "dev"})


@pytest.mark.slow
@pytest.mark.web
@pytest.mark.timeout(900)
def test_make_demo_prints_the_table_that_the_readme_shows(chromium_path: str, tmp_path: Path) -> None:
    shutil.copy2(ROOT / "Makefile", tmp_path)
    done = shell(make("demo", ".demo"), tmp_path)
    table = next(text for kind, text in BLOCKS if kind == "text")
    assert places(table.strip()) in places(done.stdout), done.stdout
    assert (tmp_path / "runs/demo/report.html").exists()


@pytest.mark.slow
def test_make_test_runs_the_tests(tmp_path: Path) -> None:
    copy_checkout(tmp_path, "Makefile", "tests")
    done = shell(f"{make('test', '.dev')} PYTEST='-q tests/envs/test_thinking_time.py'", tmp_path)
    assert re.search(r"\d+ passed", done.stdout)


@pytest.mark.slow
def test_the_install_line_installs(tmp_path: Path) -> None:
    shell(f"{shlex.quote(sys.executable)} -m venv --system-site-packages {tmp_path}/venv", tmp_path)
    install = next(command for command in COMMANDS if command.startswith("pip install"))
    (tmp_path / "source").mkdir()
    shell(f"{tmp_path}/venv/bin/python -m {install}", copy_checkout(tmp_path / "source"))
    shell(f"{tmp_path}/venv/bin/omnipilot list planners", tmp_path)


@pytest.mark.slow
@pytest.mark.web
@pytest.mark.timeout(1800)
def test_the_omnipilot_commands_run_in_their_order(tmp_path: Path, chromium_path: str) -> None:
    (tmp_path / "my.toml").write_text(next(text for kind, text in BLOCKS if kind == "toml" and "my.toml" in text))
    (concluded,) = [text for kind, text in BLOCKS if kind == "text" and "condition  " in text]
    for command in OMNIPILOT:
        done = shell(command, tmp_path)
        if command.startswith("omnipilot ablate"):
            assert concluded.strip() in done.stdout, done.stdout
    assert (tmp_path / "runs/x/report.html").exists()


def test_the_python_examples_run(tmp_path: Path) -> None:
    first, played, session = (text for kind, text in BLOCKS if kind == "python")
    assert len([line for line in first.splitlines() if line]) <= 5
    for code, said in (
        (first, "done 0.0"),
        (played, "done"),
        (session + "print(info['result'], reward)", "done 0.0"),
    ):
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
        )
        assert done.returncode == 0, done.stderr
        assert said in done.stdout


def test_the_wheel_is_of_this_version() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert all(f"dist/omnipilot-{version}-" in line for line in (*DEMO, *WHEEL, *WITH_EXTRAS))
    assert WHEEL[:1] == DEMO, "the first command that a reader meets is the one that is tried"


def test_no_more_than_two_screens_stand_before_the_table() -> None:
    before, table = README.partition("```text\n")[::2]
    assert len(before.splitlines()) <= 2 * 40
    assert table.startswith("Of 24 episodes of duet, solved: ")


def test_the_picture_is_small_and_moves() -> None:
    from PIL import Image

    (name,) = re.findall(r"!\[[^\]]*\]\((.*?)\)", README)
    assert (ROOT / name).stat().st_size <= 300_000
    with Image.open(ROOT / name) as picture:
        assert picture.n_frames >= 6


@pytest.mark.exhibit("duet")
def test_the_picture_is_the_one_that_is_made() -> None:
    from io import BytesIO

    import numpy as np
    from episode_film import film
    from PIL import Image

    kept, made = Image.open(ROOT / "docs/pictures/episode.gif"), Image.open(BytesIO(film()))
    assert kept.n_frames == made.n_frames
    for frame in range(kept.n_frames):
        kept.seek(frame), made.seek(frame)
        pixels = [np.asarray(one.convert("RGB"), np.int16) for one in (kept, made)]
        assert np.abs(pixels[0] - pixels[1]).mean() < 1.0, (
            "run: python docs/figures/episode_film.py docs/pictures/episode.gif"
        )


def test_the_files_it_points_to_are_there() -> None:
    for folder, text in ((ROOT, README), (ROOT / "docs", INSTALL), (ROOT / "docs", TOUR)):
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
            assert (folder / target).exists(), target


@pytest.mark.slow
@pytest.mark.web
def test_the_commands_with_a_served_model_run(tmp_path: Path, chromium_path: str) -> None:
    """Against a server that speaks the protocol and points where the probe asks it to, in the model's own syntax."""
    assert [command.split()[1] for command in SERVED] == ["calibrate", "ground", "run"]
    short = {"calibrate": "", "ground": " --limit 4 -o suite.web=false", "run": " --tasks send-message --turns 2"}
    probed = pointing(get("uground-v1"))

    def answer(request: Request) -> Behaviour:
        # It knows the probe's targets and nothing else.
        try:
            return probed(request)
        except StopIteration:
            return Answer("(500, 500)")

    with ChatServer(answer) as server:
        for command in SERVED:
            kind = command.split()[1]
            option = f" -o {'' if kind == 'calibrate' else 'grounder.'}url={server.url}"
            shell(command + option + short[kind], tmp_path)
    assert (tmp_path / "runs/uground/table.txt").exists() and (tmp_path / "runs/rules-uground/report.html").exists()
