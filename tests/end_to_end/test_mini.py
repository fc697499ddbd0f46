"""The small planner beside what others make of the same weights: transformers, a real vLLM, and its own training."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterator
from math import log
from pathlib import Path

import pytest
from adb_server import free_port
from other_python import PATIENCE, run
from speed_vllm import ENVIRONMENT, STARTED_WITHIN

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench.journal.load_runs import load_run
from omnipilot.bench.registry import load_suite
from omnipilot.bench.run.runner import run as play
from omnipilot.bench.spec import RunSpec
from omnipilot.grounders.served import Server
from omnipilot.memory import Message
from omnipilot.memory.models.model_options import ModelOptions
from omnipilot.planners.mini.launch import MiniLaunch
from omnipilot.planners.mini.model_folder import MINI
from omnipilot.planners.mini.network import MiniNetwork

pytestmark = [pytest.mark.vllm, pytest.mark.timeout(3 * PATIENCE)]

ROOT = Path(__file__).resolve().parents[2]
STEPS_FILE = ROOT / "tests" / "planners" / "mini" / "steps.jsonl"
STEPS = [json.loads(line) for line in STEPS_FILE.read_text(encoding="utf-8").splitlines()]
AGREE = 0.995
UNTRAINED = log(1280)
"""The loss of a network that holds each of the 1,280 words for equally likely."""
TRANSFORMERS = """
import json, sys, torch
from transformers import AutoModelForCausalLM, AutoTokenizer
folder, steps = sys.argv[1:]
words = AutoTokenizer.from_pretrained(folder)
model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
said = []
for prompt, _ in (json.loads(line) for line in open(steps, encoding="utf-8")):
    told = words.apply_chat_template([{"role": "user", "content": prompt}], tokenize=False)
    asked = words(told, return_tensors="pt", add_special_tokens=False)["input_ids"]
    found = model.generate(asked, max_new_tokens=48, do_sample=False, eos_token_id=words.eos_token_id)
    said.append(words.decode(found[0, asked.shape[1]:], skip_special_tokens=True))
print(json.dumps(said))
"""
TRAIN = """
import json, sys
from pathlib import Path
from omnipilot.bench.training.run import PlannerOrder, train_planner
from omnipilot.bench.training.trainer import Schedule
folder, steps = Path(sys.argv[1]), int(sys.argv[2])
order = PlannerOrder(folder, Schedule(minutes=0, steps=steps, every=600.0), instances=4, samples=Path(sys.argv[3]))
train_planner(order, lambda line: None)
"""


def share(ours: list[str], theirs: list[str]) -> float:
    assert len(ours) == len(theirs)
    return sum(one == other for one, other in zip(ours, theirs, strict=True)) / len(ours)


@pytest.mark.parametrize("weights", ["mini", "mini-pool"])
def test_transformers_says_the_same(vllm_program: Path, weights: str) -> None:
    network = MiniNetwork(MINI.folder(weights))
    said = run(vllm_program.with_name("python"), TRANSFORMERS, str(MINI.folder(weights)), str(STEPS_FILE))
    assert share([network.reply(prompt)[0] for prompt, _ in STEPS], json.loads(said.splitlines()[-1])) >= AGREE


@pytest.fixture(scope="module", params=["mini", "mini-pool"])
def served(vllm_program: Path, request: pytest.FixtureRequest) -> Iterator[MiniLaunch]:
    name = request.param
    wanted = MiniLaunch(str(vllm_program), "127.0.0.1", free_port(), name, ("--enforce-eager",), weights=name)
    with Server(wanted.argv(), wanted.url, ENVIRONMENT) as server:
        server.wait(STARTED_WITHIN)
        yield wanted


def test_a_real_vllm_says_the_same(served: MiniLaunch) -> None:
    network = MiniNetwork(MINI.folder(served.weights))
    replies = [network.reply(prompt)[0] for prompt, _ in STEPS]
    model = ModelOptions(
        f"hosted_vllm/{served.name}", served.url, parameters={"temperature": 0.0, "max_tokens": 48}
    ).connect()
    said = [model.complete([Message("user", (prompt,))]).text.strip() for prompt, _ in STEPS]
    assert share(replies, said) >= AGREE


def test_a_real_vllm_solves_episodes(served: MiniLaunch, tmp_path: Path) -> None:
    asked = {"url": served.url, "folder": served.weights, "served_name": served.name}
    agent = AgentSpec(planner=PartSpec("mini", asked), readers=PartSpec("gold", {"what": "transcript"}))
    suite = PartSpec("duet")
    tasks = ("send-message", "write-document")
    play(RunSpec(agent, suite, load_suite(suite).version, tasks, instances=2), tmp_path / "run")
    episodes = load_run(tmp_path / "run").episodes
    assert len(episodes) == 4 and all(one.success for one in episodes)


def test_training_lowers_the_loss(vllm_program: Path, tmp_path: Path) -> None:
    """Steps, not minutes: processors differ tenfold in what they do of a training within a minute."""
    python = vllm_program.with_name("python")
    run(python, TRAIN, str(tmp_path / "a"), "40", str(tmp_path / "samples"))
    told = [json.loads(line) for line in (tmp_path / "a" / "log.jsonl").read_text().splitlines()]
    assert told[-1]["loss"] < UNTRAINED / 2
    assert (tmp_path / "a" / "training.svg").exists() and MiniNetwork(tmp_path / "a" / "model")


def test_the_same_seed_gives_the_same_weights(vllm_program: Path, tmp_path: Path) -> None:
    python = vllm_program.with_name("python")
    for name in "ab":
        run(python, TRAIN, str(tmp_path / name), "6", str(tmp_path / "samples"))
    first, second = ((tmp_path / name / "model" / "model.safetensors").read_bytes() for name in "ab")
    assert first == second


@pytest.mark.skipif(platform.machine() not in {"x86_64", "AMD64"}, reason="the variable is of oneDNN on x86")
def test_a_processor_that_emulates_bfloat16_trains_in_float32(vllm_program: Path) -> None:
    code = (
        "import os\n"
        "os.environ['ONEDNN_MAX_CPU_ISA'] = 'AVX2'\n"
        "import torch\n"
        "from omnipilot.bench.training.precision import bfloat16_is_faster\n"
        "torch.set_num_threads(1)\n"
        "print(bfloat16_is_faster(torch.device('cpu')))"
    )
    assert run(vllm_program.with_name("python"), code).strip() == "False"
