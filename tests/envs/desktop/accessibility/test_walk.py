"""Walking trees of made-up programs: what is asked, and what is not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from omnipilot.envs.desktop.accessibility.roles import EDITABLE, ENABLED, MANAGES, SHOWING, VISIBLE
from omnipilot.envs.desktop.accessibility.walk import REGISTRY, Walker

NAME = ":1.7"


class FakeBus:
    """A bus with one program. `tree`: path → (role, name, states, place, children, text); what is asked is kept."""

    def __init__(self, tree: dict[str, tuple[Any, ...]], toolkit: str = "gtk", version: str = "3.24") -> None:
        self.tree, self.toolkit, self.version = tree, toolkit, version
        self.asked: list[tuple[str, str, Any]] = []
        self.silent: set[str] = set()
        self._waiting: list[Callable[[], None]] = []
        self._left: set[str] = set()

    def ask(
        self, to: str, path: str, interface: str, method: str, then: Any, signature: str = "", body: Any = ()
    ) -> None:
        self.asked.append((path, method, body))
        if to in self.silent:
            self._left.add(to)
        else:
            self._waiting.append(lambda: then(self._answer(to, path, method, body)))

    def run(self, until: float, done: Any = None) -> None:
        while self._waiting:
            self._waiting.pop(0)()

    def waiting_for(self) -> set[str]:
        return self._left

    def forget(self) -> None:
        self._left = set()

    def _answer(self, to: str, path: str, method: str, body: Any) -> tuple[Any, ...] | None:
        if to == REGISTRY:
            return ([(NAME, "/root")],)
        if method == "GetConnectionUnixProcessID":
            return (42,)
        if path == "/root":
            values = {"Name": "It", "ToolkitName": self.toolkit, "Version": self.version}
            return ([(NAME, "/top")],) if method == "GetChildren" else (("s", values[body[1]]),)
        if method == "GetChildAtIndex":
            return ((NAME, f"/cell{body[0]}"),)
        if method == "GetAccessibleAtPoint":
            return ((NAME, "/cell10" if body[1] < 100 else "/cell20"),)
        if method == "GetIndexInParent":
            return (int(path[5:]),)
        role, name, states, place, children, text = self.tree[path]
        if method == "GetText":
            return (text[body[0] : body[1]],)
        bits = sum(1 << state for state in states)
        answers = {
            "GetState": ([bits & 0xFFFFFFFF, bits >> 32],),
            "GetRoleName": (role,),
            "GetExtents": (place,),
            "GetChildren": ([(NAME, child) for child in children],),
        }
        if method == "Get":
            properties: dict[str, Any] = {"Name": name, "CharacterCount": len(text), "ChildCount": 10**6}
            return (("s", properties[body[1]]),) if body[1] in properties else None
        return answers.get(method)

    def methods(self, path: str) -> set[str]:
        return {body[1] if method == "Get" else method for asked, method, body in self.asked if asked == path}


SHOWN = (SHOWING, VISIBLE, ENABLED)
PLACE = (0, 0, 100, 100)


def test_only_what_is_showing_is_asked_about():
    bus = FakeBus(
        {
            "/top": ("frame", "It", SHOWN, PLACE, ["/a", "/b"], ""),
            "/a": ("push button", " Save  as... ", SHOWN, PLACE, [], ""),
            "/b": ("menu", "Hidden", (VISIBLE,), PLACE, ["/c"], ""),
        }
    )
    (program,) = Walker(bus).walk(0.0, 0)  # type: ignore[arg-type]
    assert (program.name, program.pid, program.toolkit, program.complete) == ("It", 42, "gtk", True)
    top = program.windows[0]
    assert [child.name for child in top.children if child.role] == ["Save as..."]
    assert bus.methods("/b") == {"GetState"}
    assert top.children[0].id == "1.7/a"


def test_passwords_are_never_read():
    secret = "xyzzy-secret"
    bus = FakeBus(
        {
            "/top": ("dialog", "Log in", SHOWN, PLACE, ["/user", "/password"], ""),
            "/user": ("text", "Name", (*SHOWN, EDITABLE), PLACE, [], "ann"),
            "/password": ("password text", "Password", (*SHOWN, EDITABLE), PLACE, [], secret),
        }
    )
    (program,) = Walker(bus).walk(0.0, 0, every=True)  # type: ignore[arg-type]
    user, password = program.windows[0].children
    assert user.value == "ann" and password.name == "Password" and password.value == ""
    assert not bus.methods("/password") & {"GetText", "CharacterCount", "CurrentValue"}


def test_a_sheet_of_millions_of_cells_is_read_where_it_is_in_view():
    cells = {f"/cell{n}": ("table cell", f"cell {n}", SHOWN, PLACE, [], "") for n in range(30)}
    bus = FakeBus({"/top": ("table", "Sheet", (*SHOWN, MANAGES), (0, 50, 400, 300), [], ""), **cells})
    (program,) = Walker(bus).walk(0.0, 0)  # type: ignore[arg-type]
    assert [cell.name for cell in program.windows[0].children] == [f"cell {n}" for n in range(10, 21)]
    assert "GetChildren" not in bus.methods("/top")


def test_roles_are_remembered_and_a_silent_program_is_incomplete():
    bus = FakeBus({"/top": ("frame", "It", SHOWN, PLACE, [], "")})
    walker = Walker(bus)  # type: ignore[arg-type]
    walker.walk(0.0, 0)
    bus.asked.clear()
    assert walker.walk(0.0, 0)[0].windows[0].role == "frame"
    assert "GetRoleName" not in bus.methods("/top")
    bus.silent.add(NAME)
    (program,) = walker.walk(0.0, 0)
    assert (program.name, program.complete, program.windows) == ("It", False, [])


def test_a_cap_ends_the_walk():
    tree: dict[str, tuple[Any, ...]] = {
        "/top": ("frame", "It", SHOWN, PLACE, [f"/cell{n}" for n in range(30)], ""),
        **{f"/cell{n}": ("push button", f"{n}", SHOWN, PLACE, [], "") for n in range(30)},
    }
    walker = Walker(FakeBus(tree))  # type: ignore[arg-type]
    (program,) = walker.walk(0.0, 10)
    assert walker.full
    assert len([child for child in program.windows[0].children if child.role]) == 9
    assert walker.walk(0.0, 0) and not walker.full
