"""OSWorld's getters that read a running Chromium, asked of one on a private desktop that is served as its machine.

The pages and tasks here were made for it, and are not OSWorld's: OSWorld's own are of the live web. A person types the
address of the right page, or of the wrong one; the judges reach the browser by the port for debugging that is taken out
of the desktop's own network.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from osworld_demonstrations import Person
from osworld_source import PYTHON, osworld_checkout

from omnipilot.bench.suites.osworld.serving.desktop import ServedDesktop
from omnipilot.bench.suites.osworld.serving.server import DesktopServer
from omnipilot.bench.suites.osworld.task_files import TaskFile
from omnipilot.bench.suites.osworld.world import JudgeSettings, MachinePlace, OSWorldTaskWorld
from omnipilot.envs import Done, Size, Thinking
from omnipilot.envs.desktop import DesktopWorld

pytestmark = [
    pytest.mark.outside("osworld"),
    pytest.mark.desktop,
    pytest.mark.needs("socat", "user namespaces"),
    pytest.mark.slow,
    pytest.mark.timeout(600),
]
SITE = "127.0.0.1:8000"


def tomorrow() -> str:
    return (datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=1)).strftime("%Y-%m-%d")


TOMORROW = tomorrow()
RIGHT = f"{SITE}/shirts/?brand=north&day={TOMORROW}"
WRONG = f"{SITE}/hats/?brand=south&day=2020-01-01"
PAGE = "<title>{0}</title><h1>{0}</h1><p class='cost'>{1}</p>"
START = [
    {"type": "launch", "parameters": {"command": ["google-chrome", "--remote-debugging-port=1337"]}},
    {"type": "launch", "parameters": {"command": ["socat", "tcp-listen:9222,fork", "tcp:localhost:1337"]}},
    {"type": "launch", "parameters": {"command": "cd ~/site && exec python3 -m http.server 8000", "shell": True}},
    {"type": "chrome_open_tabs", "parameters": {"urls_to_open": [f"http://{SITE}/"]}},
]
"""How OSWorld's tasks start its browser, and a site in the machine. The tab is opened by the judges' side."""


def rule(**rules: Any) -> dict[str, Any]:
    return {"type": "rule", "rules": rules}


def active(kind: str, **more: Any) -> dict[str, Any]:
    return {"type": kind, "goto_prefix": "http://", **more}


CASES: dict[str, dict[str, Any]] = {
    "open_tabs_info": {
        "func": "is_expected_tabs",
        "result": {"type": "open_tabs_info"},
        "expected": rule(type="url", urls=[f"http://{RIGHT}"]),
    },
    "active_tab_info": {
        "func": "is_expected_active_tab",
        "result": active("active_tab_info"),
        "expected": rule(type="url", url=f"http://{RIGHT}"),
    },
    "active_tab_html_parse": {
        "func": "check_direct_json_object",
        "result": active("active_tab_html_parse", category="class", class_singleObject={"cost": "price"}),
        "expected": rule(expected={"price": "5 crowns"}),
    },
    "active_tab_url_parse": {
        "func": "check_direct_json_object",
        "result": active("active_tab_url_parse", parse_keys=["brand"]),
        "expected": rule(expected={"brand": "north"}),
    },
    "rule_relativeTime": {
        "func": "check_direct_json_object",
        "result": active("active_tab_url_parse", parse_keys=["day"], replace={"day": "time"}),
        "expected": {
            "type": "rule_relativeTime",
            "rules": {
                "relativeTime": {"from": "tomorrow"},
                "timezone": "UTC",
                "expected": {"time": "{Year}-{Month0D}-{Day0D}"},
            },
        },
    },
    "url_dashPart": {
        "func": "check_direct_json_object",
        "result": active("url_dashPart", partIndex=3, needDeleteId=False, returnType="json", key="part"),
        "expected": rule(expected={"part": "shirts"}),
    },
    "url_path_parse": {
        "func": "check_direct_json_object",
        "result": active("url_path_parse", parse_keys=[]),
        "expected": rule(expected={"shirts": True, "mens_clothing": None, "short_sleeve": None}),
    },
    "page_info": {
        "func": "is_added_to_steam_cart",
        "result": {"type": "page_info", "url": f"http://{SITE}/cart/"},
        "expected": rule(items=["a shirt"]),
    },
    "info_from_website": {
        "func": "exact_match",
        "result": {
            "type": "info_from_website",
            "url": f"http://{SITE}/cart/",
            "infos": [{"action": "inner_text", "selector": "p"}],
        },
        "expected": rule(expected=["a shirt"]),
    },
    "pdf_from_url": {
        "func": "compare_pdfs",
        "result": {"type": "vm_file", "path": "/home/user/printed.pdf", "dest": "printed.pdf"},
        "expected": {"type": "pdf_from_url", "path": f"http://{SITE}/shirts/", "dest": "gold.pdf"},
    },
}
"""An evaluator for each kind."""


class Browser:
    """The browser's user, and the judges.

    Attributes:
        world: the machine. person: somebody at it. served: the desktop that is its machine.
    """

    def __init__(self, world: OSWorldTaskWorld, served: ServedDesktop) -> None:
        self.world, self.served = world, served
        self.person = Person(world.desktop)
        self._shown: bool | None = None
        for name, cost in (("shirts", "5 crowns"), ("hats", "7 crowns"), ("", "no price")):
            served.write_file(f"~/site/{name}/index.html", PAGE.format(name, cost).encode())
        self.set_up("start", {"func": "infeasible"}, START)

    def set_up(self, name: str, evaluator: dict[str, Any], config: list[dict[str, Any]]) -> None:
        content = {"id": f"made-{name}", "instruction": "Do it.", "config": config, "evaluator": evaluator}
        machine = self.world.machine
        machine.prepare()
        machine.set_up(TaskFile(f"made/{name}", "made", content, Path()), (1280, 800), "Ubuntu")

    def show(self, is_right: bool) -> None:
        """Go to a page, and put into the cart and print what belongs to it."""
        if self._shown == is_right:
            return
        self._shown = is_right
        self.served.write_file("~/site/cart/index.html", PAGE.format("cart", "a shirt" if is_right else "").encode())
        self.person.find("Address and search bar", "textbox")
        self.person.press("ctrl", "l")
        self.person.type(RIGHT if is_right else WRONG, submit=True)
        self.person.find("shirts" if is_right else "hats", "heading")
        self.served.run(["rm", "-f", f"{self.served.home}/printed.pdf"], False)
        if is_right:
            options = "--headless --no-sandbox --no-pdf-header-footer --user-data-dir=other --print-to-pdf=printed.pdf"
            line = f"chromium {options} http://{SITE}/shirts/"
            assert self.served.run(line, False)[0] == 0


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    served = ServedDesktop(lambda: DesktopWorld(size=Size(1280, 800)))
    server = DesktopServer(served)
    place = MachinePlace("127.0.0.1", (server.port, served.reach(9222), 9, served.reach(8080)))
    judge = JudgeSettings(osworld_checkout(tmp_path_factory.mktemp("checkout")), python=PYTHON)
    world = OSWorldTaskWorld(place, judge, Thinking(), dirty=True)
    try:
        world.reset(0)
        yield Browser(world, served)
    finally:
        world.close()
        server.close()
        served.close()


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("is_right", [True, False], ids=["right", "wrong"])  # the outer loop: a page is opened once
def test_right_is_1_and_wrong_is_0(browser: Browser, name: str, is_right: bool) -> None:
    if name == "rule_relativeTime" and tomorrow() != TOMORROW:
        pytest.skip("the page names the day after yesterday: midnight has passed since")
    browser.show(is_right)
    browser.set_up(name, CASES[name], [])
    browser.world.hear(Done())
    verdict = browser.world.evaluate()
    assert verdict.progress == float(is_right), verdict.reason
