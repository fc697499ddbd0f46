"""Every command of every document is understood, and whatever it names is there: gone through dry, in this process.

That they do what the documents say is for tests that run them (`make test-all`).
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import export_pools
import pytest
from page_commands import BadCommand, Page, blocks, check_options, commands, inline
from put_plugin import forget_plugins
from shared_folders import ROOT

from omnipilot.bench.registry import SUITES

TEXTS = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md")))
}
PAGES = [name for name, text in TEXTS.items() if commands(text)]


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, miniature: Callable[[str], Path]) -> Page:
    """A page whose commands are run in an empty folder."""
    monkeypatch.chdir(tmp_path)
    for name in ("OPENAI", "ANTHROPIC", "GEMINI", "OPENROUTER"):
        monkeypatch.setenv(f"{name}_API_KEY", "no-key")
    # Nor is it the page's fault if programs or devices are missing on this machine.
    for name in SUITES.names():
        monkeypatch.setattr(SUITES.load(name), "lacking", lambda *_: ())
    return Page(miniature)


def write_files(name: str, folder: Path) -> None:
    """What a document tells its reader to write: settings that its commands name, and tasks of one's own."""
    for file in re.findall(r"[\w-]+\.toml", " ".join(commands(TEXTS[name]))):
        settings = [text for text in blocks(TEXTS[name], "toml") if text.startswith(f"# {file}")]
        (folder / file).write_text((settings or blocks(TEXTS[name], "toml"))[0], encoding="utf-8")
    if name == "docs/devices/worlds.md":
        shutil.copytree(ROOT / "docs/devices/together", folder / "docs/devices/together")
    if name in ("docs/tour.md", "docs/benchmarks.md"):
        export_pools.write(folder / "pool")  # which its commands make
    if name == "docs/train.md":
        export_pools.write(folder / "training-pool")  # which its commands make
    for text in blocks(TEXTS[name], "python"):
        if module := re.match(r"# (\w+\.py)\n", text):
            (folder / module[1]).write_text(text, encoding="utf-8")
    if name == "docs/duet.md":
        (folder / "my_tasks.py").write_text(blocks(TEXTS[name], "python")[0], encoding="utf-8")


@pytest.fixture
def sample(plugin: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The sample package, installed in this process."""
    monkeypatch.syspath_prepend(str(plugin))
    forget_plugins()
    yield
    monkeypatch.undo()
    forget_plugins()


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_every_command_of_a_document_is_understood(
    name: str, page: Page, request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    if name == "docs/extending.md":
        request.getfixturevalue("sample")
    if name == "docs/devices/worlds.md":
        monkeypatch.syspath_prepend(str(ROOT / "docs/devices/together"))
    write_files(name, tmp_path)
    before = sorted(path.name for path in tmp_path.iterdir())
    for line in commands(TEXTS[name]):
        page.check(line)
    # Nothing was run: no directory that a command names was made.
    made = {path.name for path in tmp_path.iterdir()} - set(before)
    assert made <= {"mini", "__pycache__"}, made


@pytest.mark.parametrize("name", [name for name in PAGES if name.count("/") == 1])
def test_pages_whose_films_are_read_say_what_reads_them(name: str) -> None:
    """`rules` refuses to play the embedded world where what reads text in films is not installed."""
    lines = [line for line in commands(TEXTS[name]) if re.search(r"--planner rules(?!:)", line)]
    filmed = [line for line in lines if re.search(r"--suite (duet|pool)", line) and "planner.ocr=false" not in line]
    assert not filmed or re.search(r"planner\.ocr=false`|extra `ocr`|extras `web`, `ocr`", TEXTS[name]), filmed


@pytest.mark.parametrize("name", TEXTS)
def test_commands_in_running_text_have_the_options_that_are_named(name: str) -> None:
    for line in inline(TEXTS[name]):
        check_options(line)


def test_there_is_much_to_go_through() -> None:
    assert len(PAGES) >= 7
    assert sum(len(commands(text)) for text in TEXTS.values()) > 80
    assert sum(len(inline(text)) for text in TEXTS.values()) > 25


RUN = "omnipilot run --suite duet --planner rules --tasks send-message"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (f"{RUN} --instence 2", "No such option"),
        (f"{RUN} --instances two", "valid integer"),
        ("omnipilot walk --suite duet", "no command 'walk'"),
        ("omnipilot run --suite duett --planner rules", "did you mean duet"),
        ("omnipilot run --suite duet --planner ruels", "did you mean rules"),
        ("omnipilot run --suite duet --grounder element", "did you mean elements"),
        ("omnipilot run --suite duet --memory windows", "did you mean window"),
        ("omnipilot run --suite duet --agent by-funktion", "did you mean by-function"),
        ("omnipilot run --suite duet --critic rule", "did you mean rules"),
        ("omnipilot run --suite duet --planner rules --tasks send-massage", "send-message"),
        ("omnipilot run --suite duet --planner rules --where levle=AV-critical", "level"),
        ("omnipilot run --preset nothing-of-the-kind --suite duet", "no preset"),
        (f"{RUN} --modalities screenshots", "screenshot"),
        (f"{RUN} -o memory.turn=4", "did you mean turns"),
        (f"{RUN} -o suite.splitt=test", "did you mean split"),
        (f"{RUN} --config mine.toml", "mine.toml is not there"),
        (f"{RUN} --thinking frozn", "frozen"),
        (f"{RUN} --jobs -1", "0 (run in this process) or more"),
        ("omnipilot run --suite omnigui --data mini/omnigui --planner oracle", "mini/omnigui is not there"),
        ("omnipilot sweep --suite duet --planner rules --planner nop", "did you mean noop"),
        ("omnipilot ablate --suite duet --planner rules --conditions no-vidio", "no-video"),
        ("omnipilot compare runs/a runs/b", "runs/a is not there"),
        ("omnipilot report runs/a", "runs/a is not there"),
        ("omnipilot list sweets", "cannot list 'sweets'"),
        ("omnipilot list tasks --suite duett", "did you mean duet"),
        ("omnipilot score screenspott .", "did you mean screenspot"),
        ("omnipilot score screenspot . --variant relase", "unknown variant 'relase'"),
        ("omnipilot score screenspot . -o split=test", "no option 'split'"),
        ("omnipilot score screenspot predictions.json", "predictions.json is not there"),
        ("omnipilot miniature mini screenspott", "did you mean screenspot"),
        ("omnipilot ground --suite pointin", "did you mean pointing"),
        ("omnipilot ground --grounder element", "did you mean elements"),
        ("omnipilot ground -o suite.webb=false", "did you mean web"),
        ("omnipilot ground --styles plain", "--styles takes"),
        ("omnipilot serve uground-v9", "uground"),
        ("omnipilot calibrate vlm -o model=uground-v1-7b", "did you mean vllm"),
        ("omnipilot calibrate vllm -o modell=uground-v1-7b", "did you mean model"),
        ("omnipilot plan --differenz 10", "No such option"),
        ("make demos", "no demos"),
        ("adb -s emulator-5554 shel ls", "no shel"),
        ("pip install -e '.[webb]'", "no webb"),
        ("python -m omnipilot.bench.nothing", "no omnipilot.bench.nothing"),
        ("omni run", "no omni"),
    ],
)
def test_a_wrong_command_is_told(line: str, said: str, page: Page) -> None:
    with pytest.raises(BadCommand, match=re.escape(said)):
        page.check(line)


def test_a_wrong_option_in_running_text_is_told() -> None:
    check_options("omnipilot run --calibrate")
    with pytest.raises(BadCommand, match="takes no --calibrated"):
        check_options("omnipilot run --calibrated")


def test_what_an_earlier_command_writes_is_there_for_a_later_one(page: Page) -> None:
    page.check(f"{RUN} --out runs/a")
    with pytest.raises(BadCommand, match="runs/b is not there"):
        page.check("omnipilot compare runs/a runs/b")
    page.check(f"{RUN} --trials 2 --out runs/b")
    page.check("omnipilot compare runs/a runs/b")
