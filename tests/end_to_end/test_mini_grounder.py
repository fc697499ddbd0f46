"""The small grounder: its training, and what transformers and a real vLLM make of what it writes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from other_python import run
from speed_vllm import ENVIRONMENT, STARTED_WITHIN

from omnipilot.bench.suites.pointing.sim_screens import LOOKS, sim_shots
from omnipilot.bench.training.grounder.screens import FAMILY, write_screens
from omnipilot.grounders import Grounding, VllmGrounder
from omnipilot.grounders.served import Server
from omnipilot.grounders.served.command import launch
from omnipilot.grounders.served.server import free_port

pytestmark = pytest.mark.vllm

STEPS = 40
SAME, SAME_WITHIN = 0.9, 0.02
"""The share of points that are the same in both, which calculate with other precisions, and within what they are."""
SHIPPED = Path(__file__).resolve().parents[2] / "grounders" / "mini" / "weights"
TRAIN = """
import sys
from pathlib import Path
from omnipilot.bench.training.grounder.run import GrounderOrder, train_grounder
from omnipilot.bench.training.trainer import Schedule
order = GrounderOrder(Path(sys.argv[1]), Schedule(steps=int(sys.argv[2]), tokens=2000, every=5.0), instances=2)
train_grounder(order, lambda line: None)
"""
SIDE_BY_SIDE = """
import sys
from pathlib import Path
import torch
from omnipilot.bench.training.grounder.learner import GrounderLearner, make_lesson
from omnipilot.bench.training.grounder.screens import FAMILY, read_screens
from omnipilot.envs import Image
from omnipilot.grounders.local.inputs import tensors
from omnipilot.grounders.local.loading import Source, load
torch.set_num_threads(1)
loaded = load(Source(sys.argv[1], device="cpu"))
screens = read_screens([Path(sys.argv[2])])
some = [screens[0], screens[-1]]
lessons = [make_lesson(loaded, picture, screen) for picture, screen in some]
with torch.no_grad():
    together = GrounderLearner(loaded).answers(lessons).scores
    at, worst = 0, 0.0
    for (picture, screen), lesson in zip(some, lessons):
        texts = [text for text, _ in screen.asked]
        assert len(texts) == len(lesson.questions)
        for text, question in zip(texts[:6], lesson.questions):
            ids = torch.tensor([[*lesson.opening, *question.tokens]])
            shown = Image.encoded(picture.read_bytes())
            alone = tensors(loaded, [FAMILY.messages(shown, text)], {})
            alone |= {"input_ids": ids, "attention_mask": torch.ones_like(ids)}
            alone["mm_token_type_ids"] = (ids == loaded.model.config.image_token_id).long()
            scores = loaded.model(**alone).logits[0]
            for number, (place, _, _) in enumerate(question.learnt):
                difference = scores[len(lesson.opening) + place - 1] - together[at + number]
                worst = max(worst, float(difference.abs().max()))
            at += len(question.learnt)
        at += sum(len(question.learnt) for question in lesson.questions[6:])
print(worst)
"""
LOCAL = """
import json, sys
from omnipilot.bench.suites.pointing.sim_screens import LOOKS, sim_shots
from omnipilot.grounders import LocalGrounder
grounder = LocalGrounder(sys.argv[1])
shot = next(sim_shots(0, LOOKS[:1]))
found = [grounder.ground(shot.observation, target.basic) for target in shot.targets]
print(json.dumps([[one.point.x, one.point.y] if hasattr(one, "point") else None for one in found]))
"""


@pytest.fixture(scope="module")
def trained(vllm_program: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which a grounder was trained for some steps, on two small instances."""
    folder = tmp_path_factory.mktemp("grounder")
    write_screens(folder / "screens", [100, 101], LOOKS[:1])
    run(vllm_program.with_name("python"), TRAIN, str(folder), str(STEPS))
    return folder


def test_training_lowers_the_loss_and_draws_it(trained: Path) -> None:
    log = [json.loads(line) for line in (trained / "log.jsonl").read_text().splitlines()]
    assert log[-1]["step"] == STEPS and log[-1]["loss"] < 1.0
    assert "pointed right" in (trained / "training.svg").read_text()


def test_the_same_seed_gives_the_same_weights(vllm_program: Path, trained: Path, tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / name).mkdir()
        (tmp_path / name / "screens").symlink_to(trained / "screens")
        run(vllm_program.with_name("python"), TRAIN, str(tmp_path / name), "3")
    first, second = ((tmp_path / name / FAMILY.name / "model.safetensors").read_bytes() for name in "ab")
    assert first == second


def test_questions_side_by_side_are_answered_as_alone(vllm_program: Path, trained: Path) -> None:
    told = run(
        vllm_program.with_name("python"), SIDE_BY_SIDE, str(trained / FAMILY.name), str(trained / "screens/00101.jsonl")
    )
    assert float(told.splitlines()[-1]) < 1e-3


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shipped weights, in a folder by whose name their family is found."""
    folder = tmp_path_factory.mktemp("shipped") / FAMILY.name
    folder.symlink_to(SHIPPED)
    return folder


@pytest.fixture(scope="module")
def url(vllm_program: Path, shipped: Path) -> Iterator[str]:
    settings = {"port": free_port(), "served_name": FAMILY.name, "program": str(vllm_program)}
    wanted = launch(str(shipped), extra=("--enforce-eager",), **settings)
    with Server(wanted.argv(), wanted.url, ENVIRONMENT) as server:
        server.wait(STARTED_WITHIN)
        yield wanted.url


def test_a_real_vllm_and_transformers_point_at_the_same_places(vllm_program: Path, url: str, shipped: Path) -> None:
    told = json.loads(run(vllm_program.with_name("python"), LOCAL, str(shipped)).splitlines()[-1])
    grounder = VllmGrounder(FAMILY.name, url)
    shot = next(sim_shots(0, LOOKS[:1]))
    same = []
    for target, place in zip(shot.targets, told, strict=True):
        found = grounder.ground(shot.observation, target.basic)
        if place is None or not isinstance(found, Grounding):
            same.append(place is None and not isinstance(found, Grounding))
        else:
            same.append(max(abs(found.point.x - place[0]), abs(found.point.y - place[1])) <= SAME_WITHIN)
    grounder.close()
    assert len(same) > 5 and sum(same) >= SAME * len(same)
