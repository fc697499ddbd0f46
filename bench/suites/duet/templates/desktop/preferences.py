"""Sub-tasks of `duet` in Settings, on the desktop."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from omnipilot.bench.suites.duet.kit.moves import front, on_desktop, strays
from omnipilot.bench.synthesis.compose import Piece, TaskSampler, Template
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Case, Judge, Verdict
from omnipilot.envs import Click, Intent, OpenApp, Ref, Select, TypeText
from omnipilot.envs.sim.apps.desktop.settings import OUTPUTS
from omnipilot.envs.sim.state.world_state import WorldState
from omnipilot.envs.sim.words.desktop import LANGUAGES, ZONES

TITLES = {"editor": "Editor", "files": "Files", "sheets": "Spreadsheet", "player": "Video Player", "updates": "Updates"}


def _section(name: str) -> list[Intent]:
    return [OpenApp("Settings"), Click(Ref(f"prefs/nav/{name}"))]


def _opened(name: str) -> Judge:
    return Judge("section opened", front("desktop", "prefs", name))


def _changed(case: Case, draw: TaskSampler) -> list[str]:
    """Settings that differ from the start although no sub-task of the task involves them."""
    before, now = case.start.account.desktop_settings, case.state.account.desktop_settings
    names = set(before.__dataclass_fields__) - draw.claimed("desktop settings")
    return sorted(name for name in names if getattr(before, name) != getattr(now, name))


def _set(
    draw: TaskSampler, section: str, name: str, value: object, moves: list[Intent], state: WorldState, done: str
) -> Piece:
    draw.claim("desktop settings", name)

    def ask(case: Case) -> Verdict:
        now, wrong = getattr(case.state.account.desktop_settings, name), _changed(case, draw)
        return Verdict(float(now == value and not wrong), f"{name}: {now!r}; changed besides: {wrong}")

    graph = JudgeGraph.chain([_opened(section), Judge(done, ask)])
    return Piece(graph, state, lambda _: on_desktop(*_section(section), *moves), {"value": str(value)})


def _output(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    name = draw.choice([one for one in OUTPUTS if one != state.account.desktop_settings.output])
    return _set(draw, "sound", "output", name, [Select(Ref("prefs/sound/output"), name)], state, "output chosen")


CHOOSE_OUTPUT = Template(
    "choose-output",
    'on the desktop, open "Sound" in Settings and choose "{value}" as the output',
    "desktop",
    "prefs",
    _output,
)


def _zone(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    zone = draw.choice([one for one in ZONES if one != state.account.desktop_settings.zone])
    row = Click(Ref(f"prefs/time/{zone.lower().replace(' ', '-')}"))
    piece = _set(draw, "time", "zone", zone, [row], state, "time zone chosen")
    search = TypeText(zone, Ref("prefs/time/search"), clear=True)
    return replace(piece, alternative=lambda _: on_desktop(*_section("time"), search, row))


CHOOSE_ZONE = Template(
    "choose-zone",
    'on the desktop, open "Date and time" in Settings and choose the time zone of "{value}"',
    "desktop",
    "prefs",
    _zone,
)


def _language(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    name = draw.choice([one for one in LANGUAGES if one != state.account.desktop_settings.language])
    moves = [Click(Ref(f"prefs/language/{LANGUAGES.index(name)}")), Click(Ref("prefs/language/change/yes"))]
    return _set(draw, "language", "language", name, [*moves], state, "language changed")


CHOOSE_LANGUAGE = Template(
    "choose-language",
    'on the desktop, open "Language" in Settings and change to "{value}"',
    "desktop",
    "prefs",
    _language,
)


def _mute(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    name = draw.choice(sorted(TITLES))
    muted = (*state.account.desktop_settings.muted, name)
    moves: list[Intent] = [Click(Ref(f"prefs/notifications/{name}"))]
    piece = _set(draw, "notifications", "muted", muted, moves, state, "app silenced")
    return replace(piece, words={"app": TITLES[name]})


MUTE_APP = Template(
    "mute-app",
    'on the desktop, open "Notifications" in Settings and turn them off for "{app}"',
    "desktop",
    "prefs",
    _mute,
)


def _join(draw: TaskSampler, given: Mapping[str, str], state: WorldState) -> Piece:
    locked = [network for network in state.account.networks if network.password and not network.known]
    network = replace(draw.pick("networks", locked), password=given["password"])
    draw.claim("desktop settings", "network")

    def joined(case: Case) -> Verdict:
        now, wrong = case.state.account.desktop_settings.network, _changed(case, draw) + strays(case, "networks", draw)
        return Verdict(float(now == network.id and not wrong), f"network: {now}; changed besides: {wrong}")

    row = Click(Ref(f"prefs/network/{network.id}"))
    word = TypeText(given["password"], Ref("prefs/network/password"))
    return Piece(
        JudgeGraph.chain([_opened("network"), Judge("network joined", joined)]),
        state.own(state.account.put(network)),
        lambda _: on_desktop(*_section("network"), row, word, Click(Ref("prefs/network/join"))),
        {"network": network.name},
        alternative=lambda _: on_desktop(*_section("network"), row, replace(word, submit=True)),
    )


JOIN_NETWORK = Template(
    "join-network",
    'on the desktop, open "Network" in Settings and join "{network}" with {password} as the password',
    "desktop",
    "prefs",
    _join,
    {"password": "text"},
    alone=lambda draw, _: {"password": f"otter-{draw.randrange(1000, 10_000)}"},
)

TEMPLATES = (CHOOSE_OUTPUT, CHOOSE_ZONE, CHOOSE_LANGUAGE, MUTE_APP, JOIN_NETWORK)
