"""Sub-tasks of `duet` in the browser's maps, on the desktop."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from omnipilot.bench.suites.duet.kit.desktop import page, site
from omnipilot.bench.suites.duet.kit.moves import fresh, on_desktop, strays
from omnipilot.bench.synthesis.compose import Piece, Resource, TaskSampler, Template
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Case, Judge, Verdict
from omnipilot.envs import Click, Intent, Ref, TypeText
from omnipilot.envs.sim.apps.sites import routes
from omnipilot.envs.sim.state.desktop_data import Place
from omnipilot.envs.sim.state.world_state import WorldState

MAPS = "maps.example"
KEY = "browser/maps"


def _seen(place: Place) -> Judge:
    return Judge("place opened", page(f"{MAPS}/{place.id}"))


def _shown(now: WorldState, place: Place) -> list[Intent]:
    return [*site(now, MAPS), Click(Ref(f"{KEY}/item/{place.id}"))]


def _searched(now: WorldState, place: Place) -> list[Intent]:
    return [*site(now, MAPS), TypeText(place.name, Ref(f"{KEY}/search")), Click(Ref(f"{KEY}/item/{place.id}"))]


def _address(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    place = draw.pick("places", state.account.places)
    return Piece(
        JudgeGraph((_seen(place),)),
        state,
        lambda now: on_desktop(*_shown(now, place)),
        {"place": place.name},
        Resource("text/address", place.address, f'the address of "{place.name}"'),
        lambda now: on_desktop(*_searched(now, place)),
    )


PLACE_ADDRESS = Template(
    "place-address",
    'on the desktop, open maps.example in Browser and look up the address of "{place}" on its page',
    "desktop",
    "browser",
    _address,
    output="text/address",
    lasts=False,
)


def _star(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    place = draw.pick("places", state.account.places)

    def saved(case: Case) -> Verdict:
        now = case.state.account.find("places", place.id)
        wrong = strays(case, "places", draw)
        return Verdict(float(now.saved and not wrong), f"saved: {now.saved}; touched besides: {wrong}")

    return Piece(
        JudgeGraph.chain([_seen(place), Judge("place saved", saved)]),
        state.own(state.account.put(replace(place, saved=False))),
        lambda now: on_desktop(*_shown(now, place), Click(Ref(f"{KEY}/save"))),
        {"place": place.name},
        Resource("text/place", place.name, "the name of that place"),
        lambda now: on_desktop(*_searched(now, place), Click(Ref(f"{KEY}/save"))),
    )


SAVE_PLACE = Template(
    "save-place",
    'on the desktop, open maps.example in Browser and save the place "{place}"',
    "desktop",
    "browser",
    _star,
    output="text/place",
)


def _ends(draw: TaskSampler, state: WorldState) -> tuple[Place, Place]:
    start = draw.pick("places", state.account.places)
    return start, draw.pick("places", [place for place in state.account.places if place.x != start.x])


def _directions(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    (start, end), mode = _ends(draw, state), draw.choice(routes.MODES)
    time = routes.minutes(start, end, mode)

    def asked(case: Case) -> bool:
        desktop = case.state.desktop
        ends = [
            field.text.strip().lower() if (field := desktop.fields.get(f"{KEY}/{k}")) else "" for k in ("from", "to")
        ]
        chosen = desktop.values.get(f"{KEY}/mode", "Walk")
        return ends == [start.name.lower(), end.name.lower()] and chosen == mode and page(f"{MAPS}/route")(case)

    ways = [Click(Ref(f"{KEY}/mode/{mode.lower()}"))]
    return Piece(
        JudgeGraph.chain([Judge("directions opened", page(f"{MAPS}/route")), Judge("way shown", asked)]),
        # A way of going that is chosen already would need no step.
        state.on("desktop", values=state.desktop.values.set(f"{KEY}/mode", "Bus" if mode == "Walk" else "Walk")),
        lambda now: on_desktop(
            *site(now, MAPS),
            Click(Ref(f"{KEY}/route")),
            TypeText(start.name, Ref(f"{KEY}/from"), clear=True),
            TypeText(end.name, Ref(f"{KEY}/to"), clear=True),
            *ways,
        ),
        {"start": start.name, "end": end.name, "mode": mode},
        Resource("text/number", str(time), f'the number of minutes from "{start.name}" to "{end.name}"'),
        lambda now: on_desktop(
            *_shown(now, end), Click(Ref(f"{KEY}/there")), TypeText(start.name, Ref(f"{KEY}/from"), clear=True), *ways
        ),
    )


DIRECTIONS = Template(
    "directions",
    "on the desktop, open maps.example in Browser and look up in its directions how many minutes the way from "
    '"{start}" to "{end}" takes, with "{mode}" chosen',
    "desktop",
    "browser",
    _directions,
    output="text/number",
    dimension="semantic understanding",
    lasts=False,
)


def _keep(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    start, end = _ends(draw, state)

    def kept(case: Case) -> Verdict:
        found = [(route.start, route.end, route.mode) for route in fresh(case, "routes")]
        return Verdict(float(found == [(start.id, end.id, "Walk")]), f"saved routes: {found}")

    return Piece(
        JudgeGraph.chain([Judge("directions opened", page(f"{MAPS}/route")), Judge("route saved", kept)]),
        state,
        lambda now: on_desktop(
            *site(now, MAPS),
            Click(Ref(f"{KEY}/route")),
            TypeText(start.name, Ref(f"{KEY}/from"), clear=True),
            TypeText(end.name, Ref(f"{KEY}/to"), clear=True),
            Click(Ref(f"{KEY}/keep")),
        ),
        {"start": start.name, "end": end.name},
    )


SAVE_ROUTE = Template(
    "save-route",
    'on the desktop, open maps.example in Browser and save the route from "{start}" to "{end}" on foot, with "Walk" '
    "chosen",
    "desktop",
    "browser",
    _keep,
)

TEMPLATES = (PLACE_ADDRESS, SAVE_PLACE, DIRECTIONS, SAVE_ROUTE)
