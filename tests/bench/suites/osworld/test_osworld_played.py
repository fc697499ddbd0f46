"""OSWorld's tasks that need no file of the web, played for real on a private desktop that is served as its machine.

A person's demonstration by script, by the protocol's own screen, elements, mouse and keyboard; judged by OSWorld's
code: 1.0 with the demonstration, 0.0 without. The tasks and the judges are those of `osworld_source`.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator

import pytest
from osworld_demonstrations import DEMONSTRATIONS, HOME_FILES, PROGRAMS_OF, SHORT, Person
from osworld_source import PYTHON, osworld_checkout

from omnipilot.bench.suites.osworld import OSWorldSuite
from omnipilot.bench.suites.osworld.serving.desktop import ServedDesktop
from omnipilot.bench.suites.osworld.serving.server import DesktopServer
from omnipilot.bench.suites.osworld.world import OSWorldTaskWorld
from omnipilot.bench.tasks.judges import Case
from omnipilot.envs import Done, Size, Thinking
from omnipilot.envs.desktop import DesktopWorld

pytestmark = [pytest.mark.outside("osworld"), pytest.mark.desktop, pytest.mark.slow, pytest.mark.timeout(600)]
EVERY = bool(os.environ.get("OMNIPILOT_OUTSIDE_ALL"))
"""All demonstrations, which takes a quarter of an hour; otherwise twelve."""
PLAYED = [
    pytest.param(name, marks=pytest.mark.needs(*(PROGRAMS_OF.get(name) or PROGRAMS_OF[name.partition("/")[0]])))
    for name in (DEMONSTRATIONS if EVERY else SHORT)
]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[OSWorldSuite, OSWorldTaskWorld]]:
    home = tmp_path_factory.mktemp("home")
    for name, text in HOME_FILES.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text)
    served = ServedDesktop(lambda: DesktopWorld(size=Size(1920, 1080), home=home))
    server = DesktopServer(served)
    place = server.url.removeprefix("http://")
    post = f"import urllib.request as u; u.urlopen(u.Request('{server.url}/reset', method='POST'))"
    reset = shlex.join((sys.executable, "-c", post))
    checkout = osworld_checkout(tmp_path_factory.mktemp("checkout"))
    suite = OSWorldSuite(str(checkout), server=place, python=PYTHON, reset=reset)
    world = suite.world(Thinking())
    yield suite, world
    world.close()
    server.close()
    served.close()


@pytest.mark.parametrize("shown", [True, False], ids=["demonstrated", "untouched"])
@pytest.mark.parametrize("name", PLAYED)
def test_a_demonstration_is_judged_1_and_nothing_0(
    played: tuple[OSWorldSuite, OSWorldTaskWorld], name: str, shown: bool
) -> None:
    suite, world = played
    task = suite.instantiate(next(one.id for one in suite.tasks() if one.id.startswith(name)), 0)
    task.setup(world)
    if shown:
        DEMONSTRATIONS[name](Person(world.desktop))
    world.hear(Done())
    verdict = task.graph.nodes[0](Case(world))
    assert verdict.progress == float(shown), verdict.reason
