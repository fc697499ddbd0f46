"""Proposals by chance against the guard, and an oracle that plays them on a screen of its own: nothing that the policy
wants asked for comes about without being asked for, however it is brought about."""

from __future__ import annotations

import contextlib
import random
import sys
from dataclasses import dataclass, field, replace

import pytest

from omnipilot.agents import Proposal
from omnipilot.agents.execute import Guarding, execute
from omnipilot.agents.guard import Approver, Guard
from omnipilot.agents.guard.facts import HandState, facts_of
from omnipilot.agents.guard.origins import origins_of
from omnipilot.agents.guard.policy import GuardPolicy, KnownSide, MoveFacts
from omnipilot.agents.guard.read_policy import parse_policy, policy_text
from omnipilot.bench.episode.guarding import act_function
from omnipilot.envs import (
    ActionRejected,
    Box,
    Browser,
    Click,
    Context,
    Custom,
    Drag,
    Element,
    Elements,
    KeyDown,
    KeyUp,
    LongPress,
    MouseDown,
    MouseMove,
    MouseUp,
    Observation,
    OpenApp,
    OpenUrl,
    Point,
    Press,
    Scroll,
    Select,
    Size,
    Swipe,
    System,
    TypeText,
    Wait,
)
from omnipilot.memory import Move, Origin

ROWS = 10
POLICY = """
default = "allow"
[[rule]]
do = "ask"
text = ["send", "delete"]
[[rule]]
do = "deny"
typed = ["swordfish"]
[[rule]]
do = "deny"
verbs = ["open_url"]
hosts = ["evil.example"]
[[rule]]
do = "deny"
keys = ["alt+f4"]
"""
LATIN_TWINS = {"e": "еｅ𝐞é", "n": "ｎո", "d": "ԁⅾ", "s": "ѕｓ", "l": "ⅼ", "t": "ｔт"}
GLUE = ("", "", "", "\u200b", "\u00ad", "\u2060")


def disguise(word: str, chance: random.Random) -> str:
    """A word that a person still reads as itself."""
    way = chance.randrange(6)
    if way == 0:
        return " ".join(word)
    if way == 1:
        return word.upper()
    if way == 2:
        return "".join(chance.choice(LATIN_TWINS.get(one, one)) for one in word)
    return "".join(one + chance.choice(GLUE) for one in word) if way == 3 else word


@dataclass
class Screen:
    """A screen with one control a row, which acts as screens do: the oracle. It knows nothing of the guard."""

    names: list[str]
    roles: list[str]
    true: list[str]
    focus: int | None
    values: list[str] = field(default_factory=lambda: [""] * ROWS)
    cursor: int | None = None
    down: int | None = None
    held: set[str] = field(default_factory=set)
    clipboard: str = ""
    done: list[str] = field(default_factory=list)

    def seen(self, elements: bool, clipboard: bool) -> Observation:
        items = tuple(
            Element(
                self.roles[row],
                self.names[row],
                Box(0.0, row / ROWS, 1.0, (row + 1) / ROWS),
                frozenset({"focused"}) if self.focus == row else frozenset(),
                value=self.values[row],
            )
            for row in range(ROWS)
        )
        context = Context("program", "title", "https://good.example/", clipboard=self.clipboard if clipboard else None)
        shown = {"elements": Elements(items)} if elements else {}
        return Observation("pc", 0.0, Size(100, 100), context=context, **shown)

    def press(self, row: int | None) -> None:
        if row is None:
            return
        if self.roles[row] == "textbox":
            self.focus = row
        elif self.true[row]:
            self.done.append(self.true[row])

    def write(self, text: str) -> None:
        if self.focus is None or self.roles[self.focus] != "textbox":
            return
        for one in text:
            if one in "\n\r":
                self.enter()
            else:
                self.values[self.focus] += one
        if "swordfish" in self.values[self.focus].casefold():
            self.done.append("swordfish")
        if self.names[self.focus] == "Password" and "marzipan" in self.values[self.focus].casefold():
            self.done.append("crossed")

    def enter(self) -> None:
        """Presses the focused button; in a field, the form's first button that does something."""
        if self.focus is not None and self.roles[self.focus] != "textbox":
            self.press(self.focus)
        else:
            self.press(next((row for row in range(ROWS) if self.true[row]), None))

    def act(self, action: object) -> None:
        at = getattr(action, "at", None)
        row = None if at is None else min(ROWS - 1, int(at.y * ROWS))
        if isinstance(action, Click | LongPress):
            self.cursor = self.cursor if row is None else row
            self.press(self.cursor)
        elif isinstance(action, MouseMove):
            self.cursor = row
        elif isinstance(action, MouseDown):
            self.cursor = self.down = self.cursor if row is None else row
        elif isinstance(action, MouseUp):
            self.cursor = self.cursor if row is None else row
            if self.down is not None and self.down == self.cursor:
                self.press(self.cursor)
            self.down = None
        elif isinstance(action, Drag | Swipe) and action.end is not None:
            self.cursor = int(action.end.y * ROWS)
            if action.start is not None:
                # Sliders that are slid, and things that are dropped on a bin.
                self.press(int(action.start.y * ROWS))
            self.press(self.cursor)
        elif isinstance(action, TypeText):
            if row is not None:
                self.cursor = row
                self.press(row)
            self.write(action.text)
            if action.submit:
                self.enter()
        elif isinstance(action, KeyDown):
            self.held |= set(action.keys)
            self.chord(set(action.keys))
        elif isinstance(action, KeyUp):
            self.held -= set(action.keys)
        elif isinstance(action, Press):
            for _ in range(action.repeat):
                self.chord(set(action.keys))
        elif isinstance(action, OpenUrl) and "evil.example" in action.url:
            self.done.append("evil.example")
        elif isinstance(action, Custom):
            self.done.append("custom")

    def chord(self, keys: set[str]) -> None:
        every = keys | self.held
        if {"alt", "f4"} <= every:
            self.done.append("alt+f4")
        elif {"ctrl", "v"} <= every or {"shift", "insert"} <= every:
            self.write(self.clipboard)
        elif (
            "enter" in keys
            or ("space" in keys and self.focus is not None and self.roles[self.focus] == "button")
            or {"ctrl", "enter"} <= every
        ):
            self.enter()
        elif not every & {"ctrl", "alt", "meta"}:
            self.write("".join(one for one in keys if len(one) == 1))


def screen(chance: random.Random) -> Screen:
    roles = [chance.choice(("button", "button", "link", "textbox", "menuitem")) for _ in range(ROWS)]
    true = [chance.choice(("", "", "", "send", "delete")) if role != "textbox" else "" for role in roles]
    names = [
        disguise(word, chance) if word else chance.choice(("Notes", "Back", "Über uns", "Sender", "Next"))
        for word in true
    ]
    words = ("sword", "fish", "swordfish", "hello", "")
    return Screen(names, roles, true, chance.choice((None, *range(ROWS))), clipboard=chance.choice(words))


def proposal(chance: random.Random) -> object:
    def place() -> Point:
        return Point(chance.uniform(0.01, 0.99), chance.uniform(0.01, 0.99))

    maybe = chance.choice((None, place()))
    text = chance.choice(("swordfish", "SWORD", "sword", "fish", "s", "hi\n", "hi", "swordfi", "sh"))
    keys = chance.choice(
        (("enter",), ("space",), ("ctrl", "v"), ("v",), ("f4",), ("alt", "f4"), ("ctrl", "enter"), ("tab",), ("s",),
         ("w",), ("shift", "insert"), ("insert",), ("delete",), ("left",))
    )  # fmt: skip
    url = chance.choice(
        ("https://evil.example", "evil.example/x", "https://good.example@evil.example/", "HTTPS://EVIL.EXAMPLE",
         "https://evil.example:443/", "https://good.example\\@evil.example", "https://sub.evil.example.",
         "https://ｅvil.example", "javascript:open('https://evil.example')", "https://good.example/")
    )  # fmt: skip
    return chance.choice(
        (
            Click(maybe, count=chance.randint(1, 3)),
            Click(place()),
            LongPress(place()),
            MouseMove(place()),
            MouseDown(maybe),
            MouseUp(maybe),
            Drag(place(), maybe),
            Swipe(start=place(), end=place()),
            Swipe("up", start=maybe),
            Scroll("down"),
            TypeText(text, maybe, submit=chance.random() < 0.2),
            TypeText(text),
            Press(keys, repeat=chance.randint(1, 2)),
            KeyDown(chance.choice((("alt",), ("ctrl",), ("shift",), ("f4",), ("v",)))),
            KeyUp(chance.choice((("alt",), ("ctrl",), ("shift",)))),
            System("back"),
            OpenApp("Notes"),
            OpenUrl(url),
            Browser("reload"),
            Select(place(), "x"),
            Custom("send_all", {"to": "all"}),
            Wait(1.0),
        )
    )


def bypasses(number: int, seed: int, policy: GuardPolicy) -> tuple[list[str], int]:
    """What came about without being asked for, and how many of the proposals passed."""
    chance = random.Random(seed)
    found: list[str] = []
    passed = 0
    for _ in range(number // 10):
        oracle, hands = screen(chance), HandState()
        elements, clipboard = chance.random() < 0.9, chance.random() < 0.7
        for _ in range(10):
            action = proposal(chance)
            rule = policy.judge(facts_of(action, oracle.seen(elements, clipboard), hands))
            if rule.do != "allow":
                continue
            passed += 1
            oracle.act(action)
            hands.follow(action)
            found += [f"{one} by {action} on {oracle}" for one in oracle.done]
            oracle.done.clear()
    return found, passed


@pytest.mark.parametrize(
    ("held", "value", "clipboard", "action"),
    [
        ({"v"}, "", "swordfish", KeyDown(("ctrl",))),
        (set(), "sword", "fish", Press(("ctrl", "v"))),
        (set(), "", "swordfishsword", Press(("ctrl", "v"), repeat=2)),
        (set(), "my", "", TypeText("swordfish")),
        (set(), "", "", TypeText("myswordfishes")),
    ],
)
def test_what_joins_on_the_way_is_seen_as_one(held, value, clipboard, action):
    oracle = Screen(["Name"] * ROWS, ["textbox"] * ROWS, [""] * ROWS, 0, held=held, clipboard=clipboard)
    oracle.values[0] = value
    hands = HandState(held=frozenset(held))
    rule = parse_policy(POLICY, "test").judge(facts_of(action, oracle.seen(True, True), hands))
    oracle.act(action)
    assert "swordfish" in oracle.done and rule.do == "deny"


def test_2000_proposals_pass_nothing_that_is_to_be_asked_for():
    found, passed = bypasses(2_000, 1, parse_policy(POLICY, "test"))
    assert found == []
    assert passed > 400


@pytest.mark.slow
def test_100000_proposals_pass_nothing_that_is_to_be_asked_for():
    found, passed = bypasses(100_000, 2, parse_policy(POLICY, "test"))
    assert found == []
    assert passed > 20_000


@pytest.mark.parametrize("preset", ["ask", "own-device"])
def test_presets_ask_for_what_sends_and_destroys(preset):
    found, passed = bypasses(2_000, 3, parse_policy(policy_text(preset), preset))
    kept = [one for one in found if one.startswith(("send", "delete", "custom", "alt+f4"))]
    assert kept == []
    assert passed > 300


def test_words_of_another_device_are_found_in_any_disguise():
    chance = random.Random(6)
    policy = parse_policy('default = "allow"\n[[rule]]\ndo = "ask"\norigins = ["elsewhere"]', "test")
    for _ in range(1_000):
        value = "".join(chance.choice("sendlt4821") for _ in range(chance.randint(4, 12)))
        typed = chance.choice(("", "it is ")) + disguise(value, chance) + chance.choice(("", ".", "!"))
        origins = origins_of(KnownSide((typed,)), "pc", [Origin(value, "screen", "phone")])
        assert policy.judge(MoveFacts(KnownSide(("type",)), typed=KnownSide((typed,)), origins=origins)).do == "ask"


def test_the_preset_read_only_changes_nothing():
    found, passed = bypasses(2_000, 4, parse_policy(policy_text("read-only"), "read-only"))
    assert found == []
    assert passed > 100


def test_the_oracle_finds_a_guard_that_lets_everything_pass():
    found, passed = bypasses(500, 5, GuardPolicy("open", "allow"))
    assert passed == 500
    assert {one.split()[0] for one in found} >= {"send", "delete", "custom", "evil.example"}


CROSSING = (
    POLICY
    + """
[[rule]]
do = "ask"
text = ["password"]
origins = ["elsewhere"]
"""
)
PIECES = (
    "marzipan",
    "MARZI",
    "marzi",
    "pan",
    "m",
    "a",
    "rzipan",
    "my marzipan",
    "ｍａｒｚｉｐａｎ",
    "zipan",
    "xmar",
    "hi",
)


class FuzzedEnv:
    """A device of a world whose screen is the oracle."""

    def __init__(self, name: str, oracle: Screen, chance: random.Random) -> None:
        self.name, self.oracle = name, oracle
        self._told = chance.random() < 0.9, chance.random() < 0.7
        self.moves = 0

    def observe(self, modalities: object, since: float) -> Observation:
        return replace(self.oracle.seen(*self._told), env=self.name)

    def act(self, action: object) -> None:
        self.moves += 1
        self.oracle.act(action)


class FuzzedWorld:
    """Two devices: what the phone shows is not for the password of the pc."""

    now = 0.0

    def __init__(self, chance: random.Random) -> None:
        pc, phone = screen(chance), screen(chance)
        row = chance.randrange(ROWS)
        pc.roles[row], pc.true[row], pc.names[row] = "textbox", "", "Password"
        pc.focus = chance.choice((row, pc.focus))
        row = chance.randrange(ROWS)
        phone.roles[row], phone.true[row], phone.names[row] = "text", "", "the word is marzipan"
        pc.clipboard = chance.choice((pc.clipboard, "marzipan", "marzi"))
        self.envs = {"pc": FuzzedEnv("pc", pc, chance), "phone": FuzzedEnv("phone", phone, chance)}

    def wait(self, seconds: float) -> None:
        """Nothing goes on."""


class Odd(Approver):
    """Answers all but yes, or breaks."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance

    def approve(self, request: object, seconds: float) -> bool:
        answer = self._chance.choice(("yes", 1, None, False, [True], SystemExit(), OSError(), KeyboardInterrupt()))
        if isinstance(answer, BaseException):
            raise answer
        return answer  # type: ignore[return-value]


def by_loop(guard: Guard, world: FuzzedWorld, env: str, action: object) -> None:
    """As the loop and sessions carry out a move of an agent whose memory keeps anchors."""
    proposal = Proposal(Move(env, action), action)  # type: ignore[arg-type]
    execute(world, proposal, 0, 0, None, Guarding(guard, origins=lambda: ()))  # type: ignore[arg-type]


def by_door(guard: Guard, world: FuzzedWorld, env: str, action: object) -> None:
    """As a served world carries out a move of its client, of whom nobody knows what was remembered."""
    with contextlib.suppress(ActionRejected):
        act_function(guard)(world, world.envs[env], action)  # type: ignore[arg-type]


def bypasses_on_two_devices(number: int, seed: int, text: str) -> tuple[list[str], int]:
    """What came about on either device unasked, by the loop and by a door, and how many proposals were carried out."""
    chance = random.Random(seed)
    guard = Guard(parse_policy(text, "test"), Odd(chance))
    found: list[str] = []
    passed = 0
    for _ in range(number // 10):
        world, carry = FuzzedWorld(chance), chance.choice((by_loop, by_door))
        guard.begin()
        for env in world.envs.values():
            # A device without elements shows its words to nobody.
            guard.show(replace(env.oracle.seen(True, True), env=env.name))
        for _ in range(10):
            action = proposal(chance)
            if chance.random() < 0.4:
                action = TypeText(chance.choice(PIECES))
            elif chance.random() < 0.2:
                action = Press((chance.choice("marzipn"),))
            carry(guard, world, chance.choice(("pc", "pc", "phone")), action)
            for env in world.envs.values():
                found += [f"{one} by {action} with {carry.__name__} on {env.oracle}" for one in env.oracle.done]
                env.oracle.done.clear()
        passed += sum(env.moves for env in world.envs.values())
    return found, passed


def test_500_proposals_to_two_devices_pass_nothing_by_the_loop_or_a_door():
    found, passed = bypasses_on_two_devices(500, 21, CROSSING)
    assert found == []
    assert passed > 50


@pytest.mark.slow
@pytest.mark.parametrize("seed", [22, 23])
def test_50000_proposals_to_two_devices_pass_nothing_by_the_loop_or_a_door(seed):
    found, passed = bypasses_on_two_devices(50_000, seed, CROSSING)
    assert found == []
    assert passed > 5_000


@pytest.mark.parametrize("carry", [by_loop, by_door])
def test_where_all_is_asked_for_an_approver_who_breaks_lets_no_move_pass(carry):
    chance = random.Random(24)
    guard = Guard(parse_policy('default = "ask"', "test"), Odd(chance))
    for _ in range(100):
        world = FuzzedWorld(chance)
        carry(guard, world, chance.choice(("pc", "phone")), proposal(chance))
        assert not any(env.moves for env in world.envs.values())


def test_the_oracle_of_two_devices_finds_a_guard_that_lets_everything_pass():
    found, _ = bypasses_on_two_devices(1_000, 25, 'default = "allow"')
    assert {one.split()[0] for one in found} >= {"send", "delete", "custom", "swordfish", "crossed"}


if __name__ == "__main__":
    # python tests/agents/guard/test_fuzz.py DEVICES FIRST_SEED: twenty seeds of 5,000 proposals each.
    devices, first = map(int, sys.argv[1:])
    played = [
        bypasses(5_000, seed, parse_policy(POLICY, "test"))
        if devices == 1
        else bypasses_on_two_devices(5_000, seed, CROSSING)
        for seed in range(first, first + 20)
    ]
    found, passed = [one for some, _ in played for one in some], sum(number for _, number in played)
    print(f"100000 proposals to {devices} device(s): {passed} carried out, {len(found)} bypasses", *found, sep="\n")
