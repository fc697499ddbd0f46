"""What `omnipilot list suites` prints: each benchmark, the data it needs, and how to get it."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from omnipilot.agents import PartSpec
from omnipilot.agents.assembly.registry import unknown
from omnipilot.bench.registry import POINTING, SUITES
from omnipilot.bench.scoring.benchmark import BENCHMARKS, Benchmark
from omnipilot.envs import ConfigError, MissingExtra

Way: TypeAlias = Literal["run", "ground", "score"]


@dataclass(frozen=True, slots=True)
class About:
    """What a benchmark evaluates, the data or programs it needs, and how to get them; "" if there are none."""

    what: str
    needs: str = ""
    get: str = ""


ABOUT: Mapping[str, About] = {
    "duet": About("live tasks on a phone and a desktop that share an account, with sound and video; embedded"),
    "duet-memory": About(
        "32 live tasks whose needed fact has left every screen 10, 100 or 1,000 turns ago, for memories; embedded"
    ),
    "pointing": About("over 1,000 targets on embedded screens and, with a Chromium, web pages; made from a seed"),
    "miniwob": About(
        "MiniWoB++: 130 live web pages", "the package miniwob and a Chromium", "pip install 'omnipilot[web]'"
    ),
    "workshop": About(
        "40 live tasks on real programs, web pages and a phone over adb, judged by their state",
        "the programs of make system-desktop and the extras desktop, android and web",
    ),
    "free": About("an instruction of your own in a world of your own, not judged", "--world FILE and --task TEXT"),
    "crab": About(
        "CRAB v0: live tasks composed of sub-tasks, across devices",
        "its folder of task JSON files; sub-tasks other than the embedded world's are named with -o suite.subtasks=…",
        "git clone https://github.com/camel-ai/crab; the folder crab-benchmark-v0/dataset",
    ),
    "omnibench": About(
        "OmniBench: live tasks as graphs of subtasks; coverage, consistency, capabilities",
        "its task and subtask JSON files; evaluators are named with -o suite.evaluators=…",
        "the authors have not published the data; any data in its format will do",
    ),
    "mmbench-l1": About(
        "MMBench-GUI L1: questions about a screen, six platforms, three difficulties",
        "L1_annotations.json and offline_images/",
        "hf://OpenGVLab/MMBench-GUI, its MMBench-GUI-OfflineImages.zip unpacked",
    ),
    "mmbench-l2": About(
        "MMBench-GUI L2: pointing by basic and advanced instructions, six platforms",
        "L2_annotations.json and offline_images/",
        "hf://OpenGVLab/MMBench-GUI, its MMBench-GUI-OfflineImages.zip unpacked",
    ),
    "mmbench-l3": About("MMBench-GUI L3: SR and EQA of tasks within one application, from results or any run"),
    "mmbench-l4": About("MMBench-GUI L4: SR and EQA of tasks across applications, from results or any run"),
    "omniact": About(
        "OmniACT: scripts of mouse and keys for a screenshot, desktop and web",
        "train.json, val.json or test.json, and the folders they name",
        "hf://Writer/omniact",
    ),
    "omniact-os-atlas": About(
        "OmniACT as OS-Atlas scores it: Type, Grounding, step SR",
        "the data of omniact, or omniact_test.jsonl of OS-Atlas",
        "hf://Writer/omniact; or rows as in eval/data of https://github.com/OS-Copilot/OS-Atlas",
    ),
    "omnigui": About(
        "OmniGUI: recorded phone episodes with video and sound, step by step, teacher-forced",
        "merged_sorted.json and benchmark/ with its media; films need the extra video",
        "hf://OmniGUI/OmniGUI",
    ),
    "screenspot": About(
        "ScreenSpot v1: pointing on mobile, desktop, web",
        "screenspot_{mobile,desktop,web}.json and screenspot_imgs/, or parquet files",
        "see https://github.com/njucckevin/SeeClick; or hf://rootsautomation/ScreenSpot",
    ),
    "screenspot-v2": About(
        "ScreenSpot v2: the same with corrected annotations",
        "screenspot_{mobile,desktop,web}_v2.json and screenspotv2_image/",
        "hf://OS-Copilot/ScreenSpot-v2, its screenspotv2_image.zip unpacked",
    ),
    "screenspot-pro": About(
        "ScreenSpot-Pro: small targets on screens of professional software",
        "annotations/*.json and images/",
        "hf://likaixin/ScreenSpot-Pro",
    ),
    "osworld-g": About(
        "OSWorld-G: boxes, polygons and refusals, by five abilities",
        "OSWorld-G.json, classification_result.json and images/",
        "git clone https://github.com/xlang-ai/OSWorld-G",
    ),
    "android-control": About(
        "AndroidControl: recorded phone episodes, teacher-forced; Type, Grounding, step SR as OS-Atlas scores them",
        "android_control-*-of-00020, splits.json, test_subsplits.json; or rows (JSON, parquet) with pictures",
        "gs://gresearch/android_control, 50 GB",
    ),
    "gui-odyssey": About(
        "GUI-Odyssey as OS-Atlas scores it",
        "gui_odyssey_test.jsonl",
        "rows as in eval/data of https://github.com/OS-Copilot/OS-Atlas",
    ),
    "guiact-web": About(
        "GUIAct-Web as OS-Atlas scores it",
        "gui_act_web_test.jsonl",
        "rows as in eval/data of https://github.com/OS-Copilot/OS-Atlas",
    ),
}


def ways(name: str) -> tuple[Way, ...]:
    """The commands that a benchmark of this name works with."""
    known = (("run", SUITES), ("ground", POINTING), ("score", BENCHMARKS))
    return tuple(way for way, registry in known if name in registry.names())  # type: ignore[misc]


def names() -> tuple[str, ...]:
    """All benchmarks: ours in the order of the catalogue, then those of plug-ins."""
    others = {name for registry in (SUITES, POINTING, BENCHMARKS) for name in registry.names()} - set(ABOUT)
    return (*ABOUT, *sorted(others))


def catalogue(only: str = "") -> Iterator[str]:
    """The lines of the list; if one benchmark is named, only that one, with the format of its predictions.

    Raises:
        ConfigError: there is no such benchmark.
    """
    if only and only not in names():
        raise ConfigError(unknown("benchmark", only, names()))
    for name in (only,) if only else names():
        where = next(r.where(name) for r in (SUITES, POINTING, BENCHMARKS) if name in r.names())
        made_by = "" if where == "omnipilot" else f"  [{where}]"
        yield f"{name.ljust(17)}{', '.join(ways(name))}{made_by}"
        try:
            yield from _told(name, bool(only))
        except (ConfigError, MissingExtra) as error:
            # One broken package must not hide the others.
            yield from _wrapped("", str(error))
    yield ""
    yield "run     omnipilot run --suite NAME --data DATA"
    yield "ground  omnipilot ground --suite NAME --data DATA"
    yield "score   omnipilot score NAME PREDICTIONS --data DATA"
    yield "DATA is a folder or hf://OWNER/NAME. To try a benchmark without its data: omnipilot miniature DIR."
    if not only:
        yield "For the format of predictions: omnipilot list suites --suite NAME."


def _told(name: str, full: bool) -> Iterator[str]:
    """The lines about a benchmark; for one of a plug-in, the first line of its docstring."""
    about = ABOUT.get(name) or About(_first_line(name))
    yield from _wrapped("", about.what)
    if about.needs:
        yield from _wrapped("needs: ", about.needs)
    if about.get:
        yield from _wrapped("get:   ", about.get)
    if "score" in ways(name):
        rules: Benchmark = BENCHMARKS.make(PartSpec(name))
        yield from _wrapped("variants: ", ", ".join((f"{rules.variants[0]} (default)", *rules.variants[1:])))
        if full:
            yield from _wrapped("predictions: ", rules.format)


def _first_line(name: str) -> str:
    found = next(registry.load(name) for registry in (SUITES, POINTING, BENCHMARKS) if name in registry.names())
    return (inspect.getdoc(found) or "").partition("\n")[0]


def _wrapped(title: str, text: str) -> list[str]:
    return textwrap.wrap(text, 100, initial_indent=f"    {title}", subsequent_indent=" " * (4 + len(title)))
