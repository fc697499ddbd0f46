"""How many small faults in metrics, vocabulary and journal the tests notice.

    python tests/perf/mutation.py --sample 200 --seed 0 --out before.json
    python tests/perf/mutation.py --replay before.json --moved moved.json --out after.json

The first draws a sample of mutants (see `mutants.py`) and runs the tests against each; the second puts the same faults
into another checkout, where files may have moved: `moved.json` maps old paths to new ones. Both need
`pip install coverage`.

Everything happens in a copy of the checkout, which stands first on the path of the tests and of the processes that
they start. The tests which reach a mutated line are found by one run of each candidate file under coverage. Candidates
are the files that import a mutated module, the nearest `--files` of them for each module. Then each mutant is written
into the copy, and a child forked from a process that has numpy, pydantic, pytest and hypothesis loaded, but nothing of
omnipilot, runs those tests until one fails.

An interrupted command goes on where it was when it is given again. Outcomes: `killed` (a test failed), `timeout` (a
test did not end; counts as killed), `survived`, `unreached` (no candidate reaches the line in its own process; the
nearest files were run whole all the same, and none failed).
"""

from __future__ import annotations

import argparse
import ast
import collections
import hashlib
import importlib
import importlib.util
import json
import math
import os
import select
import shlex
import shutil
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from mutants import ROOMS, Mutant, draw, find_again

PRELOADED = ("numpy", "pydantic", "PIL.Image", "soundfile", "hypothesis", "typer.testing", "pytest_timeout", "coverage")
TESTS = "not web and not vllm and not gpu"
MAP_SECONDS = 30.0
"""Processor time, of processes that it starts too, which a test file may take under coverage; the rest is not used."""
WHOLE_SECONDS = 3.0
"""A test file that takes no longer is run whole, of others only the tests which reach the mutated line."""
BUDGET = 20.0
"""Seconds of tests to run against one mutant, by their times under coverage."""
FIRST = 4.0
"""Seconds of the nearest tests, of two files at most, which are tried before the others are collected."""
LIMIT = 60.0
"""Seconds after which a mutant's tests are taken to hang; more where the tests are known to take long."""
NOTED = ("key", "group", "file", "function", "line", "operator", "change")
"""What a result repeats of a mutant."""
FALLBACK = 3
"""Files that are run whole where no test reaches the line in its own process."""


class Tree:
    """A copy of a checkout in which files are mutated and put right again."""

    def __init__(self, source: Path, scratch: Path) -> None:
        self.source, self.scratch = source, scratch
        self.root = scratch / "omnipilot"
        shutil.rmtree(scratch, ignore_errors=True)
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=source,
            check=True,
            capture_output=True,
            text=True,
        )
        digest = hashlib.sha256()
        for name in sorted(name for name in listed.stdout.split("\0") if name and (source / name).is_file()):
            target = self.root / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source / name, target)
            if not name.startswith("tests/perf/"):
                digest.update(f"{name}\0".encode() + target.read_bytes())
        self.digest = digest.hexdigest()

    def mutate(self, one: Mutant) -> Callable[[], None]:
        """Put a fault into the copy; what comes back takes it out."""
        path = self.root / one.file
        original, stat = path.read_bytes(), path.stat()
        compiled = Path(importlib.util.cache_from_source(str(path)))
        kept = compiled.read_bytes() if compiled.exists() else None
        compiled.unlink(missing_ok=True)
        path.write_bytes(one.applied(original))

        def restore() -> None:
            path.write_bytes(original)
            os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
            if kept is not None:
                compiled.write_bytes(kept)

        return restore


class Watcher:
    """Notes what failed first, and keeps the tests that are to run."""

    def __init__(self, wanted: Mapping[str, Collection[str]] | None) -> None:
        self.wanted = wanted
        self.failed = ""
        self.ran = 0

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Drop the tests that are not wanted."""
        if self.wanted is not None:
            items[:] = [item for item in items if item.nodeid in self.wanted.get(item.nodeid.partition("::")[0], ())]

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A file that can no longer be imported."""
        if report.failed:
            self.failed = self.failed or report.nodeid or "collection"

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A test that failed, in its set-up too."""
        self.ran += report.when == "call"
        if report.failed:
            self.failed = self.failed or report.nodeid


class Mapper:
    """Notes time and outcome of each test, and tells coverage whose turn it is."""

    def __init__(self, recorder: Any) -> None:
        self.recorder = recorder
        self.names: list[str] = []
        self.seconds: list[float] = []
        self.passed: dict[str, bool] = {}
        self.cut = False

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """One test, with its fixtures."""
        self.recorder.switch_context(str(len(self.names)))
        self.names.append(item.nodeid)
        start = time.perf_counter()
        try:
            return (yield)
        finally:
            self.seconds.append(round(time.perf_counter() - start, 4))
            if sum(os.times()[:4]) > MAP_SECONDS:
                self.cut = True
                item.session.shouldstop = "enough"

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Whether a test passed; a skipped one cannot kill."""
        self.passed[report.nodeid] = self.passed.get(report.nodeid, True) and report.passed


def in_child(tree: Tree, job: Callable[[], dict[str, Any]], limit: float, may_write_bytecode: bool) -> dict[str, Any]:
    """What a job returns in a forked process of the copy, and its seconds; `crash` or `timeout` where it did not."""
    answer, log = tree.scratch / "answer.json", tree.scratch / "log.txt"
    answer.unlink(missing_ok=True)
    for leftover in (tree.root / ".hypothesis", tree.scratch / "temporary"):
        shutil.rmtree(leftover, ignore_errors=True)
    start = time.perf_counter()
    pid = os.fork()
    if pid == 0:
        try:
            os.setsid()
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            os.dup2(output, 1)
            os.dup2(output, 2)
            os.chdir(tree.root)
            os.environ["PYTHONPATH"] = str(tree.scratch)
            sys.path.insert(0, str(tree.scratch))
            if not may_write_bytecode:
                os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
            sys.dont_write_bytecode = not may_write_bytecode
            told = job()
            loaded = sys.modules.get("omnipilot.envs")
            if loaded is not None and not str(loaded.__file__).startswith(str(tree.root)):
                told = {"wrong": str(loaded.__file__)}
            answer.write_text(json.dumps(told))
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(0)
    handle, ended = os.pidfd_open(pid), False
    try:
        ended = bool(select.select([handle], [], [], limit)[0])
    finally:
        os.close(handle)
        try:
            os.killpg(pid, signal.SIGKILL)
        except ProcessLookupError:
            if not ended:
                os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    seconds = round(time.perf_counter() - start, 2)
    if not ended:
        return {"timeout": True, "seconds": seconds}
    told = json.loads(answer.read_text()) if answer.exists() else {"crash": True}
    if "wrong" in told:
        raise SystemExit(
            f"the tests load {told['wrong']}, not the copy; run this with the checkout's own .venv/bin/python"
        )
    return {**told, "seconds": seconds}


def arguments(tree: Tree, extra: Sequence[str]) -> list[str]:
    """What pytest is always given."""
    single = ["-n0"] if importlib.util.find_spec("xdist") is not None else []
    fixed = ["-q", "-p", "no:cacheprovider", f"--basetemp={tree.scratch / 'temporary'}", "--hypothesis-seed=0"]
    return [f"--rootdir={tree.root}", *fixed, *single, *extra]


def run_tests(
    tree: Tree, files: Sequence[str], wanted: Mapping[str, Collection[str]] | None, extra: Sequence[str], limit: float
) -> dict[str, Any]:
    """Run tests until one fails."""

    def job() -> dict[str, Any]:
        watcher = Watcher(wanted)
        code = int(pytest.main([*files, "-x", *arguments(tree, extra)], plugins=[watcher]))
        return {"code": code, "failed": watcher.failed, "ran": watcher.ran}

    return in_child(tree, job, limit, may_write_bytecode=False)


def map_file(tree: Tree, file: str, needed: Mapping[str, Collection[int]], extra: Sequence[str]) -> dict[str, Any]:
    """Which tests of a file pass, their seconds, and which of them reach the needed lines."""

    def job() -> dict[str, Any]:
        import coverage

        recorder = coverage.Coverage(
            data_file=None, config_file=False, include=[str(tree.root / one) for one in needed]
        )
        mapper = Mapper(recorder)
        recorder.start()
        pytest.main([file, *arguments(tree, extra)], plugins=[mapper])
        recorder.stop()
        data = recorder.get_data()
        reached = collections.defaultdict(list)
        for one, lines in needed.items():
            for line, contexts in data.contexts_by_lineno(str(tree.root / one)).items():
                if line in lines:
                    # What runs while a file is imported (context "") may matter to any of its tests.
                    reaching = range(len(mapper.names)) if "" in contexts else map(int, contexts)
                    reached[f"{one}:{line}"] = sorted(reaching)
        passed = [mapper.passed.get(name, False) for name in mapper.names]
        return {
            "tests": mapper.names,
            "times": mapper.seconds,
            "passed": passed,
            "reached": reached,
            "cut": mapper.cut,
        }

    told = in_child(tree, job, 10 * MAP_SECONDS, may_write_bytecode=True)
    return told if "tests" in told else {**told, "tests": [], "times": [], "passed": [], "reached": {}, "cut": True}


def imported(path: Path) -> set[str]:
    """Every name that an import anywhere in a file may mean."""
    names = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return names


class Candidates:
    """The test files that import modules, nearest first."""

    def __init__(self, root: Path) -> None:
        self.files: dict[str, str] = {}
        paths = {}
        for room in (*ROOMS, "tests"):
            for path in sorted((root / room).rglob("*.py")):
                name = path.relative_to(root).as_posix()
                dotted = name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
                if room == "tests" and path.stem.startswith("test_"):
                    self.files[dotted] = name
                    paths[dotted] = path
                else:
                    paths[path.stem if room == "tests" else f"omnipilot.{dotted}"] = path
        self._imports = {module: imported(path) & paths.keys() for module, path in paths.items()}

    def nearest(self, file: str) -> list[str]:
        """Test files that import a module in one or two steps; first those named like it."""
        module = "omnipilot." + file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        words = set(module.replace(".", "_").split("_")) - {"omnipilot", "metrics", *ROOMS}
        ranked = []
        for test, name in self.files.items():
            direct = self._imports[test]
            helpers = {other for one in direct if not one.startswith("omnipilot.") for other in self._imports[one]}
            if module in direct or module in helpers:
                steps = 1
            elif any(module in self._imports[one] for one in direct | helpers):
                steps = 2
            else:
                continue
            alike = len(words & set(name.removesuffix(".py").replace("/", "_").split("_")))
            ranked.append((steps, -alike, len(direct), name))
        return [name for *_, name in sorted(ranked)]


class Session:
    """One run of the command."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.extra = shlex.split(options.pytest)
        self.out: Path = options.out.resolve()
        source = Path(__file__).resolve().parents[2]
        moved = json.loads(options.moved.read_text()) if options.moved else {}
        self.tree = Tree(source, self.out.with_suffix(".tree"))
        self.gone: list[dict[str, Any]] = []
        if options.replay:
            earlier = json.loads(options.replay.read_text())["mutants"]
            self.sample, self.gone = find_again(earlier, self.tree.root, moved)
        else:
            self.sample = draw(self.tree.root, moved, options.sample, options.seed)
        if options.only:
            self.sample = [one for one in self.sample if any(word in f"{one.file}|{one.key}" for word in options.only)]
        commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=source, capture_output=True, text=True).stdout.strip()
        self.commit = commit
        self.identity = {
            "tree": self.tree.digest,
            "seed": None if options.replay else options.seed,
            "pytest": options.pytest,
            "files": options.files,
            "sample": hashlib.sha256("\n".join(one.key for one in self.sample).encode()).hexdigest(),
        }
        candidates = Candidates(self.tree.root)
        self.nearest = {one.file: candidates.nearest(one.file)[: options.files] for one in self.sample}
        self.needed: dict[str, set[int]] = collections.defaultdict(set)
        for one in self.sample:
            self.needed[one.file] |= set(range(one.lines[0], one.lines[1] + 1))
        self.map: dict[str, dict[str, Any]] = {}
        self.results: dict[str, dict[str, Any]] = {}
        if self.out.exists():
            earlier = json.loads(self.out.read_text())
            if {name: earlier.get(name) for name in self.identity} != self.identity:
                raise SystemExit(f"{self.out} is of another sample or checkout; choose another --out")
            self.results = {record["key"]: record for record in earlier["mutants"]}
        self.map_file = self.out.with_suffix(".map.json")
        if self.map_file.exists():
            told = json.loads(self.map_file.read_text())
            self.map = told["map"] if told["identity"] == self.identity else {}

    def run(self) -> None:
        """Try every mutant that has not been tried."""
        for name in PRELOADED:
            importlib.import_module(name)
        self.warm_up()
        for number, one in enumerate(self.sample, 1):
            if one.key in self.results:
                continue
            told = self.try_mutant(one)
            self.results[one.key] = {
                **{
                    name: getattr(one, name)
                    for name in ("key", "group", "file", "function", "line", "operator", "change")
                },
                **told,
            }
            self.save()
            print(
                f"{number}/{len(self.sample)} {told['outcome']} {told['seconds']:.1f}s "
                f"{one.file}:{one.line} {one.operator}: {one.change} {told['test']}",
                flush=True,
            )
        self.save()
        print(json.dumps(self.summary(), indent=2))

    def warm_up(self) -> None:
        """Compile what the tests import, where an earlier command has mapped the files."""
        if files := sorted(self.map):
            in_child(
                self.tree, lambda: {"code": int(pytest.main(["--co", "-q", *files]))}, 600, may_write_bytecode=True
            )

    def mapped(self, file: str) -> dict[str, Any]:
        """What is known of a test file; it is run once under coverage when it is first needed."""
        if file not in self.map:
            told = self.map[file] = map_file(self.tree, file, self.needed, self.extra)
            failed = sum(not passed for passed in told["passed"])
            print(
                f"map {len(self.map)} {file}: {len(told['tests'])} tests, {failed} that do not pass, "
                f"{told['seconds']:.1f}s{', cut' if told['cut'] else ''}",
                flush=True,
            )
            self.map_file.write_text(json.dumps({"identity": self.identity, "map": self.map}))
        return self.map[file]

    def parts(self, one: Mutant) -> Iterator[tuple[dict[str, list[str]], float]]:
        """The tests that reach a mutant, by file, and their seconds: first the nearest, then the others."""
        part: dict[str, list[str]] = {}
        left, spent, is_first = BUDGET, 0.0, True
        lines = range(one.lines[0], one.lines[1] + 1)
        for file in self.nearest[one.file]:
            told = self.mapped(file)
            reaching = {test for line in lines for test in told["reached"].get(f"{one.file}:{line}", ())}
            if not reaching:
                continue
            whole = sum(told["times"]) <= WHOLE_SECONDS
            for took, test in sorted(zip(told["times"], range(len(told["tests"])), strict=True)):
                if (whole or test in reaching) and told["passed"][test] and spent + took <= left:
                    spent += took
                    part.setdefault(file, []).append(told["tests"][test])
            if part and is_first and (spent >= FIRST or len(part) == 2):
                yield part, spent
                part, left, spent, is_first = {}, left - spent, 0.0, False
        if part:
            yield part, spent

    def passing(self, file: str) -> list[str]:
        """The tests of a file that pass without a mutant."""
        told = self.mapped(file)
        return [name for name, passed in zip(told["tests"], told["passed"], strict=True) if passed]

    def try_mutant(self, one: Mutant) -> dict[str, Any]:
        """Put one fault in, run the tests that may notice it, take it out."""
        parts = iter(self.parts(one))
        seconds, ran = 0.0, 0
        files: list[str] = []
        outcome = "survived"
        while True:
            part, expected = next(parts, ({}, 0.0))
            if not part and not files:
                part = {file: self.passing(file) for file in self.nearest[one.file][:FALLBACK]}
                expected = math.fsum(sum(self.mapped(file)["times"]) for file in part)
                outcome = "unreached"
            if not any(part.values()):
                return {"outcome": outcome, "seconds": round(seconds, 2), "test": "", "ran": ran, "files": files}
            files += part
            restore = self.tree.mutate(one)
            try:
                told = run_tests(self.tree, list(part), part, self.extra, max(LIMIT, 4 * expected))
            finally:
                restore()
            seconds += told["seconds"]
            ran += told.get("ran", 0)
            if "timeout" in told:
                return {"outcome": "timeout", "seconds": round(seconds, 2), "test": "", "ran": ran}
            if told.get("code") in (3, 4):
                log = (self.tree.scratch / "log.txt").read_text()[-2000:]
                raise SystemExit(f"pytest could not run ({told['code']}); mend --pytest:\n{log}")
            if "crash" in told or told["code"] not in (0, 5):
                test = told.get("failed") or "the process died"
                return {"outcome": "killed", "seconds": round(seconds, 2), "test": test, "ran": ran}

    def summary(self) -> dict[str, Any]:
        """Counts of outcomes, for all and by group."""
        groups: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
        for record in self.results.values():
            for group in ("all", record["group"]):
                groups[group][record["outcome"]] += 1
        return {
            group: {"killed": count["killed"] + count["timeout"], "total": count.total(), "outcomes": dict(count)}
            for group, count in groups.items()
        }

    def save(self) -> None:
        """Write the result so far."""
        order = [self.results[one.key] for one in self.sample if one.key in self.results]
        told = {
            "commit": self.commit,
            **self.identity,
            "asked": len(self.sample),
            "summary": self.summary(),
            "gone": self.gone,
            "do not pass": [
                name
                for file in self.map.values()
                for name, passed in zip(file["tests"], file["passed"], strict=True)
                if not passed
            ],
            "cut": sorted(file for file, found in self.map.items() if found["cut"]),
            "mutants": order,
        }
        beside = self.out.with_suffix(".part")
        beside.write_text(json.dumps(told, indent=1, ensure_ascii=False))
        beside.replace(self.out)


def main() -> None:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sample", type=int, default=200, help="how many mutants")
    parser.add_argument("--seed", type=int, default=0, help="of the sample")
    parser.add_argument("--out", type=Path, required=True, help="the result, JSON; others lie beside it")
    parser.add_argument("--replay", type=Path, help="an earlier result, whose mutants are tried here")
    parser.add_argument("--moved", type=Path, help="JSON that maps old paths to new ones")
    parser.add_argument("--only", action="append", help="mutants whose file or key contains this; may be repeated")
    parser.add_argument("--files", type=int, default=8, help="candidate test files for each mutated module")
    parser.add_argument("--pytest", default=f"-m '{TESTS}'", help="more arguments for pytest, such as the tier")
    os.nice(10)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    Session(parser.parse_args()).run()


if __name__ == "__main__":
    main()
