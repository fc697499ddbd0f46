"""`python docs/figures/real_models_table.py`: runs real models, and writes docs/real-models.md from what they did.

`make real-table` calls it in the environment of real models. Each row is one `omnipilot run` and all figures are those
of `omnipilot table`; here are only the rows and their caps. What is finished in `--out` is not run again. A row ends
after its minutes; it is in its table once a later call has finished it. A row that asks a model records its answers in
a cassette, which goes into docs/real-models/; `--replay` plays all rows from there, without any model, and says whether
the page comes out the same.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import lzma
import os
import platform
import shlex
import signal
import subprocess
import sys
import tarfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer
from marked_part import write_part

from omnipilot.bench.suites.duet.commands.run_demo import TASKS as DEMO_TASKS
from omnipilot.envs import ConfigError

ROOT = Path(__file__).resolve().parents[2]
PAGE, README = ROOT / "docs" / "real-models.md", ROOT / "README.md"
KEPT = ROOT / "docs" / "real-models"
MEASURED = "measured.json"
WEIGHTS = "build/real-models"
"""Where `make real-models` unpacks weights, from the checkout's root, as options of rows name it."""
NOWHERE = "http://127.0.0.1:9/v1"
"""Address of a model whose answers are replayed: nothing listens there."""
EPISODES, TURNS = 24, 12
"""Most episodes of a language model, and most turns of each."""
AT_A_TIME = 2
"""Tasks by which a row of a language model grows, as long as there is time."""
MINUTES = 60.0
"""Most minutes of all rows together."""
REPLAYED_SECONDS = 600.0
"""Most seconds of a row that is replayed."""
MOST_BYTES = 5_000_000
"""Most bytes of all cassettes together."""
NO_SOUND = "screenshot,elements,video,context"
COLUMNS = {
    "decides": "sr,cr,turns,tokens-in,tokens-out,unread",
    "hears": "sr,cr,turns",
    "remembers": "sr,turns",
    "recalls": "sr,turns",
}
"""The figures of each table. Each is one more comparison by which Holm's correction divides, so they are few."""
_MINI = ("--suite", "duet", "--where", "hangs_on=sound,speech", "--planner", "mini")
_MEMORY = (
    "--suite",
    "duet-memory",
    "-o",
    "suite.split=all",
    "--planner",
    "from-memory",
    "--memory",
    "episodic",
    "-o",
    "memory.clips=0",
)


@dataclass(frozen=True, slots=True)
class Row:
    """One row: a run, and what it needs.

    Attributes:
        key: names its run and its cassette. label: names it in its table.
        table: the table that it is a row of; one of `COLUMNS`.
        arguments: of `omnipilot run`, without its tasks, its output, its cassette and the address of its server.
        tasks: that it plays; a served row plays as many of the first as its minutes allow. Empty for those that its
            arguments choose.
        minutes: most minutes of it.
        records: whether answers of a model are recorded.
        weights: the folders in `WEIGHTS` that it needs. served: the one of them that a server serves.
    """

    key: str
    label: str
    table: str
    arguments: tuple[str, ...]
    tasks: tuple[str, ...] = ()
    minutes: float = 5.0
    records: bool = False
    weights: tuple[str, ...] = ()
    served: str = ""

    def lacks(self, root: Path = ROOT) -> list[str]:
        """The weights that are not there, or whose terms nobody has accepted."""
        sys.path += [str(ROOT / "tests" / "fixtures")]
        from real_models import MODELS, is_accepted

        refused = {name for name, model in MODELS.items() if model.asked_for and not is_accepted(name)}
        return [name for name in self.weights if name in refused or not (root / WEIGHTS / name).is_dir()]

    def command(
        self, out: Path, url: str = "", cassette: Path | None = None, replay: bool = False, count: int | None = None
    ) -> list[str]:
        """Its `omnipilot run`, as arguments after `omnipilot`.

        Args:
            url: of the server of its model. cassette: folder of its answers; None for no recording.
            count: how many of its tasks, the first ones; None for all.
        """
        chosen = ["--tasks", ",".join(self.tasks[:count])] if self.tasks else []
        told = ["run", *self.arguments, *chosen, "--jobs", "1", "--out", str(out)]
        if self.served:
            told += ["--planner-url", url or NOWHERE]
        if self.records and cassette is not None:
            told += ["--cassette", str(cassette), *(["--replay"] if replay else [])]
        return told


def decision_tasks() -> list[str]:
    """Tasks that language models are given: those of the demo, then development tasks that need neither sound nor film,
    at most `EPISODES` of both."""
    from omnipilot.bench.suites.duet import Duet

    seen = [task.id for task in Duet().tasks() if task.tags["level"] == "AV-present"]
    return [*DEMO_TASKS, *(one for one in seen if one not in DEMO_TASKS)][:EPISODES]


def rows() -> list[Row]:
    """All rows, in the order in which they are run."""
    given, tasks = ("--suite", "duet", "--turns", str(TURNS)), tuple(decision_tasks())
    whisper = ("--readers", f"whisper:{WEIGHTS}/whisper-base", "-o", "readers.language=en")
    near, far = ("--where", "distance=10"), ("--where", "distance=100")
    tight = ("-o", "memory.tokens=400", "--readers", "gold")
    minilm = ("-o", f"memory.embeddings=sentence-transformers/{WEIGHTS}/minilm")

    def asks(name: str) -> tuple[str, ...]:
        told = (*given, "--planner", f"hosted_vllm/{name}", "--modalities", "elements,context", "--waive-cost")
        # Patient, for the server computes on the processor.
        patient = ("planner.max_tokens=120", "planner.timeout=900", "planner.attempt=600")
        return (*told, *(word for option in patient for word in ("-o", option)))

    return [
        Row("noop", "`noop`", "decides", (*given, "--planner", "noop"), tasks),
        Row("random", "`random`", "decides", (*given, "--planner", "random"), tasks),
        Row("mini", "`mini`, told nothing that sounds", "decides", (*given, "--planner", "mini"), tasks),
        Row(
            "smollm2",
            "SmolLM2 135M",
            "decides",
            asks("smollm2-135m"),
            tasks,
            25.0,
            True,
            ("smollm2-135m",),
            "smollm2-135m",
        ),
        Row(
            "gemma3", "Gemma 3 270M", "decides", asks("gemma3-270m"), tasks, 25.0, True, ("gemma3-270m",), "gemma3-270m"
        ),
        Row("hears-nothing", "deaf", "hears", (*_MINI, "--modalities", NO_SOUND)),
        Row("hears-perception", "`perception`", "hears", (*_MINI, "--readers", "perception:transcript")),
        Row("hears-whisper", "Whisper base", "hears", (*_MINI, *whisper), (), 10.0, True, ("whisper-base",)),
        Row("hears-gold", "true transcripts", "hears", (*_MINI, "--readers", "gold:transcript")),
        Row("remembers-nothing", "deaf", "remembers", (*_MEMORY, *near, "--modalities", NO_SOUND)),
        Row(
            "remembers-perception", "`perception`", "remembers", (*_MEMORY, *near, "--readers", "perception:transcript")
        ),
        Row(
            "remembers-whisper",
            "Whisper base",
            "remembers",
            (*_MEMORY, *near, *whisper),
            (),
            10.0,
            True,
            ("whisper-base",),
        ),
        Row("remembers-gold", "true transcripts", "remembers", (*_MEMORY, *near, "--readers", "gold:transcript")),
        Row("words", "by words", "recalls", (*_MEMORY, *far, *tight)),
        Row(
            "meaning",
            "by words and MiniLM",
            "recalls",
            (*_MEMORY, *far, *tight, *minilm),
            (),
            10.0,
            True,
            ("minilm",),
        ),
    ]


def grow_row(row: Row, out: Path, url: str, seconds: float) -> dict[str, Any]:
    """Play as many tasks of a served row as its seconds allow, some more in each run; what they took together.

    So a slow machine has fewer episodes of it, and all that it has are whole.

    Raises:
        ConfigError: as `run_row`.
    """
    took: dict[str, Any] = {"seconds": 0.0, "megabytes": 0, "finished": False, "tasks": 0}
    spec = out / row.key / "spec.json"  # of an earlier call: a run never shrinks
    begun = len(json.loads(spec.read_text(encoding="utf-8"))["spec"]["tasks"]) if spec.is_file() else AT_A_TIME
    for count in range(begun, len(row.tasks) + AT_A_TIME, AT_A_TIME):
        left, latest = seconds - took["seconds"], took["seconds"] / max(1, took["tasks"]) * AT_A_TIME
        if took["tasks"] and left < 1.5 * latest:
            break
        more = run_row(row, out, url, False, left, min(count, len(row.tasks)))
        took["seconds"] = round(took["seconds"] + more["seconds"], 1)
        took["megabytes"] = max(took["megabytes"], more["megabytes"])
        took["finished"] = more["finished"]
        if not more["finished"]:
            break
        took["tasks"] = min(count, len(row.tasks))
    return took


def run_row(row: Row, out: Path, url: str, replay: bool, seconds: float, count: int | None = None) -> dict[str, Any]:
    """Play a row, or what is missing of it; what it took.

    Args:
        seconds: after which it is interrupted; a later call goes on with it.
        count: how many of its tasks; None for all.

    Raises:
        ConfigError: its command failed.
    """
    cassette = out / "cassettes" / row.key
    command = [
        sys.executable,
        "-m",
        "omnipilot.bench.cli.app",
        *row.command(out / row.key, url, cassette, replay, count),
    ]
    log = out / f"{row.key}.log"
    began = time.monotonic()
    with log.open("a", encoding="utf-8") as file:
        process = subprocess.Popen(command, cwd=ROOT, stdout=file, stderr=file, start_new_session=True)
        try:
            status, memory = _wait(process, seconds)
        except KeyboardInterrupt:
            os.killpg(process.pid, signal.SIGINT)
            raise
    took = time.monotonic() - began
    if status not in (0, 130, -signal.SIGINT, -signal.SIGKILL):
        last = "\n".join(log.read_text(encoding="utf-8").strip().splitlines()[-5:])
        raise ConfigError(f"the row {row.key!r} failed; {log} ends in:\n{last}")
    return {"seconds": round(took, 1), "megabytes": round(memory / 1024), "finished": status == 0}


def _wait(process: subprocess.Popen[bytes], seconds: float) -> tuple[int, int]:
    """Exit status of a process that is interrupted after some seconds, and the kilobytes of the largest of its tree."""
    end, interrupted = time.monotonic() + seconds, False
    while True:
        found, status, usage = os.wait4(process.pid, os.WNOHANG)
        if found:
            process.returncode = os.waitstatus_to_exitcode(status)
            return process.returncode, usage.ru_maxrss
        if not interrupted and time.monotonic() > end:
            interrupted = True
            os.killpg(process.pid, signal.SIGINT)
        if time.monotonic() > end + 60:
            os.killpg(process.pid, signal.SIGKILL)
        time.sleep(0.2)


@contextmanager
def model_server(name: str) -> Iterator[str]:
    """The URL of a vLLM server of a small language model, which ends with the block.

    Raises:
        ConfigError: it does not start.
    """
    sys.path += [str(ROOT / "tests" / folder) for folder in ("fixtures", "perf")]
    from small_models import small_server

    with small_server(name) as server:
        yield server.url


def table(name: str, out: Path, form: str, reference: str = "") -> str:
    """One table of the finished rows of `out`, as `omnipilot table` makes it.

    Args:
        form: markdown or csv. reference: key of the row that the others are compared with.
    """
    measured = read_measured(KEPT)
    done = [row for row in rows() if row.table == name and measured.get(row.key, {}).get("finished")]
    chosen = [row for row in done if (out / row.key / "journal.jsonl").is_file()]
    if not chosen:
        return ""
    command = [sys.executable, "-m", "omnipilot.bench.cli.app", "table", "--columns", COLUMNS[name], "--format", form]
    command += [f"{row.label}={out / row.key}" for row in chosen]
    named = [row.label for row in chosen if row.key == reference]
    command += ["--reference", named[0]] if named else []
    made = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if made.returncode:
        raise ConfigError(f"the table {name!r} failed: {made.stderr.strip()}")
    return made.stdout.strip()


REFERENCES = {"decides": "random", "hears": "hears-nothing", "remembers": "remembers-nothing", "recalls": "words"}
"""The row of each table that the others are compared with."""


def figures(name: str, out: Path) -> dict[str, dict[str, Mapping[str, str]]]:
    """The lines of a table as CSV: by key of the row, then by figure."""
    keys = {row.label: row.key for row in rows() if row.table == name}
    found: dict[str, dict[str, Mapping[str, str]]] = {}
    for line in csv.DictReader(io.StringIO(table(name, out, "csv", REFERENCES[name]))):
        found.setdefault(keys[line["row"]], {})[line["figure"]] = line
    return found


def conclusion(out: Path) -> str:
    """What the tables say, in sentences, from their numbers."""
    labels = {row.key: row.label for row in rows()}
    said = []
    for name, told in figures_of_all(out).items():
        parts: list[str] = []
        for key, line in told.items():
            rate = line["SR"]
            if key == REFERENCES[name]:
                parts.insert(0, f"{labels[key]} solves {solved(rate)}, and is what the others are compared with")
                continue
            p = rate["p_holm"]
            parts.append(
                f"{labels[key]} {solved(rate)}{f' (differs, p {float(p):.2g})' if p and float(p) < 0.05 else ''}"
            )
        if parts:
            said.append(f"- **{ABOUT[name]}**: {'; '.join(parts)}.")
    return "\n".join([*said, "", "Where no difference is named, none can be told (p ≥ 0.05 after Holm's correction)."])


ABOUT = {
    "decides": "Deciding, told the screen in words",
    "hears": "Hearing, in tasks of `duet` that hang on sound, decided by `mini`",
    "remembers": "Remembering 10 turns of `duet-memory`, decided by `from-memory`",
    "recalls": "Recalling from 100 turns of it in 400 tokens",
}
"""What each table is about."""


def measures(kept: Path) -> str:
    """What each row took when it was recorded, its cassette, and its command."""
    measured = read_measured(kept)
    tasks = ",".join(decision_tasks())
    lines = ["| row | seconds | largest process | server | cassette | command |", "|---|--:|--:|--:|---|---|"]
    for row in rows():
        if (took := measured.get(row.key)) is None:
            continue
        server = f"{took['server_megabytes']:,} MB" if took.get("server_megabytes") else "—"
        if not took["finished"]:
            continue
        command = shlex.join(["omnipilot", "run", *row.arguments]) + (" --tasks $TASKS" if row.tasks else "")
        seconds = f"{took['seconds']:,.0f}"
        tape = cassette_link(row, kept, "real-models")
        lines.append(f"| {row.label} | {seconds} | {took['megabytes']:,} MB | {server} | {tape} | `{command}` |")
    if machine := measured.get("machine"):
        lines += ["", f"Measured on {machine}."]
    return "\n".join(["```sh", f"TASKS={tasks}", "```", "", *lines])


def cassette_link(row: Row, kept: Path, folder: str) -> str:
    """A link to the cassette of a row with its size; "—" for a row that asks no model."""
    archive = kept / f"{row.key}.tar.xz"
    if not archive.is_file():
        return "—"
    return f"[{archive.stat().st_size / 1000:,.0f} kB]({folder}/{archive.name})"


def readme_table(out: Path, kept: Path) -> str:
    """The rows of real models for README.md, each below the row that its table compares with."""
    lines = ["| what | with | solved | SR % | cassette |", "|---|---|--:|--:|---|"]
    for name, told in figures_of_all(out).items():
        for row in (row for row in rows() if row.key in told):
            if row.records or row.key == REFERENCES[name]:
                rate = told[row.key]["SR"]
                tape = cassette_link(row, kept, "docs/real-models")
                low, high = (float(rate[end]) for end in ("low", "high"))
                cells = (
                    ABOUT[name],
                    row.label,
                    solved(rate),
                    f"{float(rate['estimate']):.1f} [{low:.1f}, {high:.1f}]",
                    tape,
                )
                lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def figures_of_all(out: Path) -> dict[str, dict[str, dict[str, Mapping[str, str]]]]:
    """`figures` of each table."""
    return {name: figures(name, out) for name in COLUMNS}


def solved(rate: Mapping[str, str]) -> str:
    """How many of how many episodes were solved, from the line of a success rate: "3/19"."""
    return f"{round(float(rate['estimate']) / 100 * int(rate['n']))}/{rate['n']}"


def read_measured(kept: Path) -> dict[str, Any]:
    """What rows took when they were recorded, by key; empty where nothing was recorded."""
    path = kept / MEASURED
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return found


def head() -> str:
    """The caps, for the head of the page."""
    return (
        f"At most {EPISODES} episodes of {TURNS} turns a language model, at most {MINUTES:.0f} minutes of two cores "
        "for all rows; one instance and one trial of each task. A language model that is slow is given fewer tasks: n "
        "below its table says how many."
    )


def write_pages(page: Path, readme: Path, out: Path, kept: Path) -> None:
    """Write what rows did into the marked parts of the page, and of README.md."""
    write_part(readme, "<!-- real models -->", "<!-- end of real models -->", readme_table(out, kept))
    for name, text in {
        "conclusion": conclusion(out),
        "caps": head(),
        **{name: table(name, out, "markdown", REFERENCES[name]) for name in COLUMNS},
        "measured": measures(kept),
    }.items():
        write_part(page, f"<!-- {name} -->", f"<!-- end of {name} -->", text)


def pack(folder: Path, archive: Path) -> None:
    """Write the files of a cassette into one archive; the same files give the same bytes."""
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for file in sorted(folder.glob("*.json")):
            told = tarfile.TarInfo(file.name)
            told.size = file.stat().st_size
            tar.addfile(told, io.BytesIO(file.read_bytes()))
    archive.parent.mkdir(parents=True, exist_ok=True)
    archive.write_bytes(lzma.compress(content.getvalue(), preset=9))


def unpack(archive: Path, folder: Path) -> None:
    """Write the files of an archive into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with tarfile.open(archive, mode="r:xz") as tar:
        for told in tar.getmembers():
            content = tar.extractfile(told)
            if content is not None:
                (folder / Path(told.name).name).write_bytes(content.read())


def record(out: Path, chosen: Sequence[Row], minutes: float) -> None:
    """Play rows with their models, and keep their cassettes and what they took."""
    measured = read_measured(KEPT)
    end = time.monotonic() + minutes * 60
    for row in chosen:
        if lacking := row.lacks():
            typer.echo(f"{row.key}: left out, without {', '.join(lacking)} (make real-models)", err=True)
            continue
        left = min(row.minutes * 60, end - time.monotonic())
        if left <= 0:
            typer.echo(f"{row.key}: left out, the {minutes:.0f} minutes are over; call again to go on", err=True)
            continue
        begun = (out / row.key / "journal.jsonl").exists()
        if row.served:
            with model_server(row.served) as url:
                took = grow_row(row, out, url, left)
                took["server_megabytes"] = _server_megabytes()
        else:
            took = run_row(row, out, "", False, left)
        measured[row.key] = _add_up(measured.get(row.key) if begun else None, took)
        if row.records:
            pack(out / "cassettes" / row.key, KEPT / f"{row.key}.tar.xz")
        measured["machine"] = f"{os.cpu_count()} cores of {platform.machine()}, Python {platform.python_version()}"
        KEPT.mkdir(exist_ok=True)
        (KEPT / MEASURED).write_text(json.dumps(measured, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        typer.echo(f"{row.key}: {took['seconds']:.0f} s, {took['megabytes']} MB", err=True)
    size = sum(file.stat().st_size for file in KEPT.glob("*.tar.xz"))
    if size > MOST_BYTES:
        raise ConfigError(f"the cassettes are {size:,} bytes, and {MOST_BYTES:,} may be committed; leave rows out")


def _add_up(before: dict[str, Any] | None, took: dict[str, Any]) -> dict[str, Any]:
    """What a row took in all its calls: one that only finds that all is there counts for nothing."""
    if before is None:
        return took
    if before["finished"] and before.get("tasks") == took.get("tasks"):
        return before
    sizes = {name: max(before.get(name, 0), took[name]) for name in took if name.endswith("megabytes")}
    return {**took, **sizes, "seconds": round(before["seconds"] + took["seconds"], 1)}


def _server_megabytes() -> int:
    """Megabytes of the largest process that is a descendant of this one."""
    found = 0
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            told = dict(line.split(":", 1) for line in status.read_text().splitlines() if ":" in line)
        except OSError:
            continue
        if _descends(told.get("PPid", "0").strip()) and "VmHWM" in told:
            found = max(found, int(told["VmHWM"].split()[0]))
    return round(found / 1024)


def _descends(pid: str) -> bool:
    while pid not in ("0", "1", ""):
        if int(pid) == os.getpid():
            return True
        try:
            text = Path(f"/proc/{pid}/stat").read_text()
        except OSError:
            return False
        pid = text.rpartition(")")[2].split()[1]
    return False


def replay(out: Path, chosen: Sequence[Row]) -> None:
    """Play rows from their cassettes."""
    out.mkdir(parents=True, exist_ok=True)
    for row in chosen:
        archive = KEPT / f"{row.key}.tar.xz"
        if row.records:
            if not archive.is_file():
                continue  # not recorded: the page has no such row
            unpack(archive, out / "cassettes" / row.key)
        took = run_row(row, out, "", True, REPLAYED_SECONDS, read_measured(KEPT).get(row.key, {}).get("tasks"))
        typer.echo(f"{row.key}: {took['seconds']:.0f} s", err=True)


def main(arguments: Sequence[str]) -> int:
    """Record or replay rows, and write or compare the page; 1 where a replayed page differs."""
    # Where a shell started this in the background, Ctrl-C is ignored, and rows would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    known = [row.key for row in rows()]
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, default=None, help="folder of the runs; what is finished in it stays")
    parser.add_argument("--replay", action="store_true", help="play from the cassettes, and compare with the page")
    parser.add_argument("--rows", default=",".join(known), help="only these, between commas")
    parser.add_argument("--minutes", type=float, default=MINUTES, help="most minutes of all rows together")
    given = parser.parse_args(arguments)
    chosen = [row for row in rows() if row.key in given.rows.split(",")]
    if strangers := sorted(set(given.rows.split(",")) - set(known)):
        parser.error(f"there is no row {strangers[0]!r}; there are {', '.join(known)}")
    try:
        if given.replay:
            out = (given.out or ROOT / "build" / "real-replay").resolve()
            replay(out, chosen)
            if len(chosen) < len(known):
                typer.echo("the rows were played; the page is compared where all are")
                return 0
            return compare(out)
        out = (given.out or ROOT / "build" / "real-table").resolve()
        out.mkdir(parents=True, exist_ok=True)
        record(out, chosen, given.minutes)
        write_pages(PAGE, README, out, KEPT)
    except ConfigError as error:
        typer.echo(f"error: {error}", err=True)
        return 1
    return 0


def compare(out: Path) -> int:
    """Write the pages from replayed rows beside them, and compare them with those that are committed."""
    again = {original: out / original.name for original in (PAGE, README)}
    for original, copy in again.items():
        copy.write_bytes(original.read_bytes())
    write_pages(again[PAGE], again[README], out, KEPT)
    for original, copy in again.items():
        if copy.read_bytes() != original.read_bytes():
            typer.echo(f"{copy} differs from {original}", err=True)
            return 1
    typer.echo(f"{PAGE} comes out the same")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
