"""Sub-tasks of `duet` in the phone's Settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from omnipilot.bench.suites.duet.kit.moves import front, on_phone
from omnipilot.bench.suites.duet.kit.phone import tap
from omnipilot.bench.synthesis.compose import Piece, Resource, TaskSampler, Template
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Case, Judge, Verdict
from omnipilot.envs import LongPress, OpenApp, Ref, TypeText, Wait
from omnipilot.envs.sim.apps.phone.settings import ALARM_SOUNDS, RINGTONES
from omnipilot.envs.sim.state.world_state import WorldState
from omnipilot.envs.sim.words.phone import LANGUAGES

APPS = ("messages", "calendar", "tasks", "music", "gallery")


def _set(draw: TaskSampler, name: str, *known: str, **wanted: Any) -> Judge:
    """Judge that these settings have these values, and that none outside the task's sub-tasks changed.

    Args:
        known: settings that change along with them.
    """
    draw.claim("settings", *wanted, *known)

    def ask(case: Case) -> Verdict:
        before, now = (state.account.phone_settings for state in (case.start, case.state))
        fields = type(now).__dataclass_fields__
        wrong = [
            field
            for field in fields
            if getattr(now, field) != getattr(before, field) and field not in draw.claimed("settings")
        ]
        hit = all(getattr(now, field) == value for field, value in wanted.items())
        found = {field: getattr(now, field) for field in wanted}
        return Verdict(float(hit and not wrong), f"{found}, wanted: {wanted}; others changed: {wrong}")

    return Judge(name, ask)


def _page(view: str) -> Judge:
    return Judge(f"{view} page opened", front("phone", "settings", view))


def _open(now: WorldState, view: str) -> list[Any]:
    """Moves to a page of Settings from wherever the phone is."""
    window = now.phone.window("settings")
    shown = window is not None and window.view.name == view
    return [OpenApp("Settings")] if shown else [OpenApp("Settings"), tap(f"settings/main/{view}")]


def _join(draw: TaskSampler, given: Mapping[str, str], state: WorldState) -> Piece:
    locked = [network for network in state.account.networks if network.password and not network.known]
    network = replace(draw.pick("networks", locked), password=given["password"])
    joining = Judge("password asked", front("phone", "settings", "join", network.id))
    return Piece(
        JudgeGraph.chain([joining, _set(draw, "network joined", network=network.id)]),
        state.own(state.account.put(network)),
        lambda now: on_phone(
            *_open(now, "wifi"),
            tap(f"settings/wifi/{network.id}"),
            TypeText(given["password"], Ref("settings/join/password")),
            tap("settings/join/connect"),
            Wait(2.0),
        ),
        {"network": network.name},
        alternative=lambda now: on_phone(
            *_open(now, "wifi"),
            tap(f"settings/wifi/{network.id}"),
            TypeText(given["password"], Ref("settings/join/password"), submit=True),
        ),
    )


JOIN_NETWORK = Template(
    "join-phone-network",
    'on the phone, open Wi-Fi in Settings, choose the network "{network}", type {password} as its password and press '
    '"Connect"',
    "phone",
    "settings",
    _join,
    {"password": "text/code"},
    alone=lambda draw, _: {"password": f"{draw.choice(('cedar', 'lilac', 'amber'))}-{draw.randrange(1000, 10_000)}"},
)


def _forget(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    current = state.account.phone_settings.network
    network = draw.pick("networks", [one for one in state.account.networks if one.known and one.id != current])

    def forgotten(case: Case) -> Verdict:
        known = [one.id for one in case.start.account.networks if one.known and one.id not in draw.claimed("networks")]
        lost = [id for id in known if not case.state.account.find("networks", id).known]
        now = case.state.account.find("networks", network.id)
        return Verdict(float(not now.known and not lost), f"{now}; others forgotten: {lost}")

    return Piece(
        JudgeGraph.chain([_page("wifi"), Judge("network forgotten", forgotten)]),
        state,
        lambda now: on_phone(
            *_open(now, "wifi"),
            LongPress(Ref(f"settings/wifi/{network.id}")),
            tap(f"settings/wifi/{network.id}/forget"),
            tap("settings/wifi/forget/yes"),
        ),
        {"network": network.name},
    )


FORGET_NETWORK = Template(
    "forget-network",
    'on the phone, open Wi-Fi in Settings and forget the saved network "{network}"',
    "phone",
    "settings",
    _forget,
)


def _tone(field: str, options: tuple[str, ...]) -> Any:
    slug = field.replace("_", "-")

    def make(draw: TaskSampler, given: Mapping[str, str], state: WorldState) -> Piece:
        tune = given["tune"]
        return Piece(
            JudgeGraph.chain([_page("sound"), _set(draw, f"{slug} chosen", **{field: tune})]),
            state,
            lambda now: on_phone(
                *_open(now, "sound"), tap(f"settings/sound/{slug}"), tap(f"settings/sound/{slug}/{tune}")
            ),
        )

    def alone(draw: TaskSampler, _: WorldState) -> dict[str, str | Resource]:
        tune = draw.choice(options[1:])
        return {"tune": Resource("tune", tune, f'"{tune.capitalize()}"')}

    return make, alone


_RINGTONE, _ALARM = _tone("ringtone", RINGTONES), _tone("alarm_sound", ALARM_SOUNDS)
SET_RINGTONE = Template(
    "set-ringtone",
    "on the phone, open Sound in Settings and choose {tune} as the ringtone",
    "phone",
    "settings",
    _RINGTONE[0],
    {"tune": "tune/ringtone"},
    alone=_RINGTONE[1],
)
SET_ALARM_SOUND = Template(
    "set-alarm-sound",
    "on the phone, open Sound in Settings and choose {tune} as the alarm sound",
    "phone",
    "settings",
    _ALARM[0],
    {"tune": "tune/alarm"},
    alone=_ALARM[1],
)


def _switch(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    name, field = draw.choice((("Bluetooth", "bluetooth"), ("Do not disturb", "quiet")))
    return Piece(
        JudgeGraph((_set(draw, "switched on", **{field: True}),)),
        state,
        lambda _: on_phone(OpenApp("Settings"), tap(f"settings/main/{field}")),
        {"name": name},
    )


SWITCH_ON = Template("switch-on", 'on the phone, switch "{name}" on in Settings', "phone", "settings", _switch)


def _silence(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    app = draw.choice(APPS)
    return Piece(
        JudgeGraph.chain([_page("notifications"), _set(draw, "app silenced", muted=(app,))]),
        state,
        lambda now: on_phone(*_open(now, "notifications"), tap(f"settings/notifications/{app}")),
        {"app": app.capitalize()},
    )


SILENCE_APP = Template(
    "silence-app",
    'on the phone, open Notifications in Settings and switch those of "{app}" off',
    "phone",
    "settings",
    _silence,
)


def _language(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    index = draw.choice([n for n, name in enumerate(LANGUAGES) if name != "English"])
    return Piece(
        JudgeGraph.chain([_page("language"), _set(draw, "language changed", language=LANGUAGES[index])]),
        state,
        lambda now: on_phone(
            *_open(now, "language"), tap(f"settings/language/{index}"), tap("settings/language/change/yes")
        ),
        {"language": LANGUAGES[index]},
    )


SET_LANGUAGE = Template(
    "set-language",
    'on the phone, open Language in Settings and change to "{language}"',
    "phone",
    "settings",
    _language,
)

TEMPLATES = (JOIN_NETWORK, FORGET_NETWORK, SET_RINGTONE, SET_ALARM_SOUND, SWITCH_ON, SILENCE_APP, SET_LANGUAGE)
