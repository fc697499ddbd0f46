"""Typing mistakes are answered with what was meant, in a line or two; nowhere is there a traceback."""

from __future__ import annotations

import random
import shlex
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import typer.main
from chat_server import ChatServer
from command_line import omnipilot

from omnipilot.bench.cli.app import app
from omnipilot.bench.run.config import PARTS
from omnipilot.bench.run.parts import registry_of

RUN = "run --suite toy --planner noop --out new"
QWEN = "Qwen/Qwen2.5-VL-7B-Instruct"
HOSTED = f"{RUN} --planner hosted_vllm/{QWEN}"
POINTING = f"{RUN} --grounder vllm:uground-v1-7b"
FILES = {
    "syntax.toml": "suite = toy\n",
    "type.toml": 'suite = "toy"\ninstances = "two"\n',
    "list.toml": 'suite = "toy"\ntasks = 3\n',
    "key.toml": 'suite = "toy"\nplaner = "noop"\n',
    "limit.toml": 'suite = "toy"\n[limits]\nturn = 3\n',
    "table.toml": 'suite = "toy"\nlimits = 3\n',
    "notes.txt": "no run\n",
}

MISTAKES: tuple[tuple[str, tuple[str, ...]], ...] = (
    # Commands and options
    ("rnu --suite toy", ("no command 'rnu'", "did you mean run?")),
    ("raport runs/a", ("did you mean report?",)),
    ("nothing-of-the-kind", ("`omnipilot --help` lists what there is",)),
    ("env chekc http://localhost:1", ("env has no command 'chekc'", "did you mean check?")),
    ("desktop upp", ("desktop has no command 'upp'", "did you mean up?")),
    ("--verson", ("no option --verson", "did you mean --version?")),
    ("run --suit toy", ("run has no option --suit", "did you mean --suite or --submit?")),
    ("run --suit=toy", ("did you mean --suite or --submit?",)),
    ("run --planer noop", ("did you mean --planner?",)),
    ("sweep --plannr noop", ("did you mean --planner?",)),
    ("report runs/a --formt csv", ("did you mean --format?",)),
    ("compare runs/a runs/b --levle 0.9", ("did you mean --level?",)),
    ("run --xyzzy 3", ("no option --xyzzy", "`omnipilot run --help` lists what there is")),
    # Arguments that are missing, too many, or swapped
    ("report", ("report needs RUN",)),
    ("compare", ("compare needs A",)),
    ("plan", ("plan needs --difference",)),
    ("score", ("score needs BENCHMARK",)),
    ("report runs/a --by", ("--by needs a value",)),
    ("compare runs/a --turns", ("--turns needs a value",)),
    ("run toy", ("did you mean --suite toy?",)),
    ("run noop", ("did you mean --planner noop?",)),
    ("run elements", ("did you mean --grounder elements?",)),
    ("run study.toml", ("did you mean --config study.toml?",)),
    ("run --task open the door", ("'the door'", "in quotes")),
    ("compare runs/a runs/b runs/a", ("it takes A, B",)),
    ("doctor now", ("'now' is more than it takes",)),
    ("ground runs/a", ("'runs/a' is more than it takes",)),
    ("show save-code runs/a", ("no run in save-code",)),
    # Values of the wrong kind
    (f"{RUN} --trials two", ("--trials takes a whole number, not 'two'",)),
    (f"{RUN} --instances 1.5", ("--instances takes a whole number, not '1.5'",)),
    (f"{RUN} --budget lots", ("--budget takes a number, not 'lots'",)),
    ("run --suite toy --out new --jobs -1", ("jobs must be 0", "not -1")),
    (f"{RUN} --instances 0", ("instances must be at least 1, not 0",)),
    (f"{RUN} --turns -3", ("limit turns must be 0 (no limit) or more, not -3",)),
    (f"{RUN} --where level", ("KEY=VALUE", "not 'level'")),
    ("compare runs/a runs/b --level 95", ("level", "95")),
    ("compare runs/a runs/b --turns some", ("a number of turns", "not 'some'")),
    ("compare runs/a runs/b --figure x.gif", ("name one that ends in .svg, .pdf, .png",)),
    ("report runs/a --out page.pdf", ("page.pdf.html",)),
    # Names
    ("run --suite tyo --out new", ("no suite 'tyo'", "did you mean toy")),
    (f"{RUN} --planner orcale", ("did you mean oracle",)),
    (f"{RUN} --grounder element", ("did you mean elements",)),
    (f"{RUN} --memory windwo", ("did you mean window",)),
    (f"{RUN} --tasks save-cod", ("has one, 'save-code'",)),
    (f"{RUN} --modalities screenshto", ("did you mean screenshot?",)),
    (f"{RUN} --preset nothing-of-the-kind", ("no preset 'nothing-of-the-kind'",)),
    ("report runs/a --format latx", ("did you mean latex?",)),
    ("report runs/a --columns solvd", ("did you mean solved",)),
    ("report runs/a --variant reelase", ("choose paper or release",)),
    ("report runs/a --by devcie", ("did you mean device", "of 1 tasks have each: ")),
    ("export runs/a --to exel", ("There are: csv, parquet",)),
    ("list things", ("cannot list 'things'", "planners")),
    # Options of parts
    (f"{RUN} -o planner.url", ("lacks its value: write -o planner.url=VALUE",)),
    (f"{RUN} -o planner=x", ("lacks the option's name: write -o planner.KEY=VALUE",)),
    (f"{RUN} -o plannr.url=x", ("did you mean planner.url?",)),
    (f"{RUN} -o url=x", ("PART.KEY=VALUE",)),
    (f"{RUN} --planner oracle -o planner.url=x", ("planner 'oracle'", "no option 'url'")),
    (f"{RUN} -o grounder.turns=4", ("grounder 'elements'", "no option 'turns'")),
    (f"{RUN} -o memory.turn=4", ("did you mean turns",)),
    (f"{RUN} -o memory.turns=four", ("option turns must be of type int, not 'four'",)),
    # Files and directories
    ("report nowhere", ("no run in nowhere",)),
    ("report empty", ("no run in empty",)),
    ("report notes.txt", ("notes.txt",)),
    ("compare runs/a nowhere", ("no run in nowhere",)),
    ("compare runs/a", ("runs/a is one run",)),
    ("show nowhere save-code", ("no run in nowhere",)),
    ("show runs/a save-cod", ("did you mean save-code",)),
    ("memory nowhere.mp4", ("no run, film or sound nowhere.mp4",)),
    ("run --config nowhere.toml", ("cannot read nowhere.toml",)),
    ("run --config syntax.toml", ("syntax.toml is not valid TOML",)),
    ("run --config type.toml", ("setting instances must be a whole number, not 'two'",)),
    ("run --config list.toml", ("setting tasks must be a list of names", "not 3")),
    ("run --config key.toml", ("no setting 'planer'", "did you mean planner")),
    ("run --config limit.toml", ("no limit 'turn'", "did you mean turns")),
    ("run --config table.toml", ("setting limits must be a table of turns",)),
    # Models and their servers
    (f"{RUN} --planner gpt-4o", ("did you mean the model openai/gpt-4o?",)),
    (f"{RUN} --planner claude-sonnet-4-5", ("did you mean the model anthropic/claude-sonnet-4-5?",)),
    (f"{RUN} --planner {QWEN}", (f"hosted_vllm/{QWEN} with --planner-url",)),
    (f"{RUN} --planner {QWEN} -o planner.url=http://localhost:8000/v1", (f"did you mean hosted_vllm/{QWEN}",)),
    (f"{RUN} --planner {QWEN} --planner-url http://localhost:8000/v1", ("on the server at http://localhost:8000/v1",)),
    (f"{RUN} --planner vllm/{QWEN}", (f"write hosted_vllm/{QWEN}",)),
    (f"{RUN} --grounder {QWEN}", (f"vllm:{QWEN}, with -o grounder.url=",)),
    (f"{HOSTED}", ("needs the URL of its server", "--planner-url")),
    (f"{RUN} --planner noop --planner-url http://localhost:8000/v1", ("'noop' calls none",)),
    (f"{HOSTED} --planner-url localhost:8000/v1", ("did you mean the URL http://localhost:8000/v1?",)),
    (f"{HOSTED} --planner-url htp://localhost:8000/v1", ("did you mean the URL http://localhost:8000/v1?",)),
    (f"{HOSTED} --planner-url http:/localhost:8000/v1", ("did you mean the URL http://localhost:8000/v1?",)),
    (f"{HOSTED} --planner-url http://localhost:80000/v1", ("port", "1 to 65535")),
    (f"{HOSTED} --planner-url http://:8000/v1", ("names no host",)),
    (f"{HOSTED} --planner-url http://localhost:8000/v1/chat/completions", ("base URL; write http://localhost:8000/v1",)),
    (f"{HOSTED} --planner-url {{dead}}/v1", ("at {dead}/v1 (connection refused)", "omnipilot serve Qwen")),
    (f"{HOSTED} --planner-url {{alive}}", ("has its models under /v1; did you mean --planner-url {alive}/v1?",)),
    (f"{POINTING} -o grounder.url={{dead}}/v1", ("no server answers", "serve uground-v1-7b", "-o grounder.url")),
    (f"{POINTING} -o grounder.url=localhost:8000", ("did you mean the URL http://localhost:8000?",)),
    ("serve uground-v9", ("no family lists the model 'uground-v9'", "the closest are osunlp/UGround")),
)  # fmt: skip


@dataclass(frozen=True)
class Place:
    """A folder to be in, and the addresses of a server and of none."""

    folder: Path
    dead: str
    alive: str


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("mistyped")
    for planner, name in (("oracle", "a"), ("noop", "b")):
        done = omnipilot("run", "--suite", "toy", "--planner", planner, "--out", str(folder / "runs" / name))
        assert done.returncode == 0, done.stderr
    (folder / "empty").mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    with socket.socket() as taken, ChatServer() as server:
        # Bound, and nobody listens.
        taken.bind(("127.0.0.1", 0))
        yield Place(folder, f"http://127.0.0.1:{taken.getsockname()[1]}", server.url.removesuffix("/v1"))


@pytest.mark.exhibit("crab")
def test_a_benchmark_behind_its_predictions_is_told(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place.folder)
    told = omnipilot("score", "runs/a", "crab")
    assert told.returncode == 2 and "did you mean `omnipilot score crab runs/a`?" in told.stderr


@pytest.mark.parametrize(("line", "parts"), MISTAKES, ids=[line for line, _ in MISTAKES])
def test_a_mistake_is_answered_with_what_was_meant(
    line: str, parts: tuple[str, ...], place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(place.folder)
    where = {"{dead}": place.dead, "{alive}": place.alive}
    for sign, url in where.items():
        line = line.replace(sign, url)
        parts = tuple(part.replace(sign, url) for part in parts)
    told = omnipilot(*shlex.split(line))
    assert told.returncode == 2, told.stderr + told.stdout
    assert "Traceback" not in told.stderr + told.stdout
    answer = told.stderr[told.stderr.rindex("omnipilot: ") :]
    assert len(answer.splitlines()) <= 3, answer
    for part in parts:
        assert part in answer, answer
    assert not (place.folder / "new").exists()


def test_there_are_many_mistakes() -> None:
    assert len(MISTAKES) == len({line for line, _ in MISTAKES}) >= 60


def test_a_server_that_is_there_is_not_complained_about(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place.folder)
    arguments = ("--planner", "hosted_vllm/scripted", "--planner-url", f"{place.alive}/v1", "--turns", "1")
    told = omnipilot("run", "--suite", "toy", *arguments, "--out", "served")
    assert "no server answers" not in told.stderr and "under /v1" not in told.stderr
    assert (place.folder / "served" / "journal.jsonl").exists()


def slips_of(name: str) -> list[str]:
    """A name with one letter left out, or two neighbours exchanged."""
    left_out = [name[:i] + name[i + 1 :] for i in range(len(name))]
    exchanged = [name[:i] + name[i + 1] + name[i] + name[i + 2 :] for i in range(len(name) - 1)]
    return sorted({*left_out, *exchanged} - {name})


def options_of(command: str) -> list[str]:
    made = typer.main.get_command(app).get_command(None, command)  # type: ignore[attr-defined]
    options = [one for one in made.params if one.param_type_name == "option"]
    return [name for one in options for name in (*one.opts, *one.secondary_opts) if name.startswith("--")]


OF_COMMANDS = ("run", "compare", "sweep", "ablate", "grid", "report", "show", "export", "plan", "ground", "score")
LEAST = 0.95
SOME = 25
"""Slips of each command that are tried."""


@pytest.mark.parametrize("command", OF_COMMANDS)
def test_slips_in_options_lead_to_the_right_ones(command: str) -> None:
    known = options_of(command)
    slips = [(f"--{slip}", name) for name in known for slip in slips_of(name.removeprefix("--")) if len(slip) > 2]
    tried = random.Random(0).sample([one for one in slips if one[0] not in known], min(SOME, len(slips)))
    right = 0
    for slip, name in tried:
        told = omnipilot(command, slip)
        assert told.returncode == 2 and "Traceback" not in told.stderr, (slip, told.stderr)
        meant = told.stderr.partition("did you mean ")[2].strip("?\n").split(" or ")
        right += name in meant
    assert len(tried) >= 20 or len(tried) == len(slips)
    assert right >= LEAST * len(tried), (right, len(tried))


@pytest.mark.parametrize("what", ["planner", "grounder", "memory", "critic", "gate", "suite"])
def test_slips_in_names_of_parts_lead_to_the_right_ones(what: str, tmp_path: Path) -> None:
    from omnipilot.bench.registry import SUITES

    known = (SUITES if what == "suite" else registry_of(what)).names()
    slips = [(slip, name) for name in known for slip in slips_of(name) if len(slip) > 2 and slip not in known]
    tried = random.Random(0).sample(slips, min(SOME, len(slips)))
    right = 0
    for slip, name in tried:
        suite = () if what == "suite" else ("--suite", "toy")
        planner = () if what == "planner" else ("--planner", "noop")
        told = omnipilot("run", *suite, *planner, f"--{what}={slip}", "--out", str(tmp_path / "x"))
        assert told.returncode == 2 and "Traceback" not in told.stderr, (slip, told.stderr)
        right += name in told.stderr.partition("did you mean ")[2].partition("?")[0].split(" or ")
    assert right >= LEAST * len(tried), (right, len(tried))


def test_slips_in_parts_of_options_lead_to_the_right_ones(tmp_path: Path) -> None:
    slips = [(slip, name) for name in PARTS for slip in slips_of(name) if slip not in PARTS]
    tried = random.Random(0).sample(slips, 40)
    right = 0
    for slip, name in tried:
        told = omnipilot("run", "--suite", "toy", "-o", f"{slip}.key=1", "--out", str(tmp_path / "x"))
        assert told.returncode == 2 and "Traceback" not in told.stderr, (slip, told.stderr)
        right += f"{name}.key" in told.stderr.partition("did you mean ")[2]
    assert right >= LEAST * len(tried), (right, len(tried))


def test_slips_in_commands_lead_to_the_right_ones() -> None:
    known = list(typer.main.get_command(app).list_commands(None))  # type: ignore[attr-defined,arg-type]
    slips = [(slip, name) for name in known for slip in slips_of(name) if len(slip) > 2 and slip not in known]
    tried = random.Random(0).sample(slips, 60)
    right = 0
    for slip, name in tried:
        told = omnipilot(slip)
        assert told.returncode == 2 and "Traceback" not in told.stderr, (slip, told.stderr)
        right += name in told.stderr.partition("did you mean ")[2].strip("?\n").split(" or ")
    assert right >= LEAST * len(tried), (right, len(tried))
