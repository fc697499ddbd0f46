"""OSWorld's tasks that need no file of the web, played for real on a private desktop that is served as its machine.

A person's demonstration by script, by the protocol's own screen, elements, mouse and keyboard; judged by the code of a
checkout: 1.0 with the demonstration, 0.0 without. Needs the checkout and an interpreter with its packages, named by
OMNIPILOT_OSWORLD and OMNIPILOT_OSWORLD_PYTHON, and the programs of the tasks.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest
from osworld_demonstrations import DEMONSTRATIONS, HOME_FILES, PROGRAM_OF, Person

from omnipilot.bench.suites.osworld import OSWorldSuite
from omnipilot.bench.suites.osworld.serving.desktop import ServedDesktop
from omnipilot.bench.suites.osworld.serving.server import DesktopServer
from omnipilot.bench.suites.osworld.world import OSWorldTaskWorld
from omnipilot.bench.tasks.judges import Case
from omnipilot.envs import Done, Size, Thinking
from omnipilot.envs.desktop import DesktopWorld

CHECKOUT, PYTHON = os.environ.get("OMNIPILOT_OSWORLD", ""), os.environ.get("OMNIPILOT_OSWORLD_PYTHON", "")
pytestmark = [
    pytest.mark.desktop,
    pytest.mark.slow,
    pytest.mark.needs("a checkout of OSWorld"),
]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[OSWorldSuite, OSWorldTaskWorld]]:
    home = tmp_path_factory.mktemp("home")
    for name, text in HOME_FILES.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text)
    served = ServedDesktop(lambda: DesktopWorld(size=Size(1920, 1080), home=home))
    server = DesktopServer(served)
    place, reset = server.url.removeprefix("http://"), f"curl -sf -X POST {server.url}/reset"
    suite = OSWorldSuite(CHECKOUT, server=place, python=PYTHON, reset=reset)
    world = suite.world(Thinking())
    yield suite, world
    world.close()
    server.close()
    served.close()


@pytest.mark.parametrize("shown", [True, False], ids=["demonstrated", "untouched"])
@pytest.mark.parametrize("name", DEMONSTRATIONS)
def test_a_demonstration_is_judged_1_and_nothing_0(
    played: tuple[OSWorldSuite, OSWorldTaskWorld], name: str, shown: bool
) -> None:
    suite, world = played
    program = PROGRAM_OF[name.partition("/")[0]]
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    task = suite.instantiate(next(one.id for one in suite.tasks() if one.id.startswith(name)), 0)
    task.setup(world)
    if shown:
        DEMONSTRATIONS[name](Person(world.desktop))
    world.hear(Done())
    assert task.graph.nodes[0](Case(world)).progress == float(shown)
