"""One task of `duet` as a strip of pictures: what the demonstration does, and the sub-goals that it reaches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from picture_board import NODE, Board
from sim_shots import photograph

from omnipilot.bench import JudgeGraph
from omnipilot.bench.suites.duet import Duet
from omnipilot.bench.suites.duet.kit.play import ground_move
from omnipilot.bench.suites.duet.proofs.rehearsal import Rehearsal
from omnipilot.envs import Box, Click, Image, OpenApp, Point, Press, Ref, Size, TypeText, Wait
from omnipilot.envs.sim import SimWorld
from omnipilot.memory import Move

TASK, INSTANCE = "stop-of-tram-to-event", 0
STEPS = (2, 5, 6, 8, 9, 10, 13)
"""Steps of the demonstration that are shown, by number from 1."""
CUT = Box(0.1, 0.02, 0.92, 0.88)
"""The part of the desktop that is shown: the windows."""
WIDE, TALL = Size(410, 269), Size(165, 366)
EDGE, GAP, HEAD = 20, 20, 30


@dataclass(frozen=True, slots=True)
class Panel:
    """One step: the screen on which it acts, where, and in words; while it waits, the screen half way through."""

    env: str
    picture: Image
    at: Point | None
    words: str


def strip() -> Board:
    """The desktop's steps in one row, the phone's in the next, and beside them the graph of the sub-goals."""
    task = Duet().instantiate(TASK, INSTANCE)
    trial = Rehearsal(task)
    assert task.solution is not None
    panels: dict[int, Panel] = {}
    reached: dict[str, int] = {}
    for number, move in enumerate(task.solution(trial.world), 1):
        if number in STEPS:
            panels[number] = _panel(trial, move)
        trial.play([move], ended=False)
        for name in {node.name for node in task.graph.nodes} - set(trial.missing) - set(reached):
            reached[name] = number
    return _drawn(trial.instruction, panels, task.graph, reached)


def _panel(trial: Rehearsal, move: Move) -> Panel:
    world, intent = trial.world, move.intent
    if isinstance(intent, Wait):
        stand = trial.stand()
        world.wait(intent.seconds / 2)
        picture = photograph(world, move.env)
        trial.back(stand)
        return Panel(move.env, picture, None, f"Wait {intent.seconds:g} s")
    words, at = describe_move(world, move)
    return Panel(move.env, photograph(world, move.env), at, words)


def describe_move(world: SimWorld, move: Move) -> tuple[str, Point | None]:
    """A move in words, and where on its device's screen it acts."""
    intent = move.intent
    if isinstance(intent, Wait):
        return f"Wait {intent.seconds:g} s", None
    if isinstance(intent, OpenApp):
        return f"Open {intent.app}", None
    if isinstance(intent, Press):
        return f"Press {' + '.join(intent.keys)}", None
    action, place = ground_move(world, move), getattr(intent, "at", None)
    element = world.envs[move.env].ui_tree().by_id(place.id) if isinstance(place, Ref) else None
    name = element.name if element is not None else ""
    words = f"Type “{intent.text}”" if isinstance(intent, TypeText) else f"Click “{name}”"
    return words, action.at if isinstance(action, Click | TypeText) and isinstance(action.at, Point) else None


def _drawn(told: str, panels: Mapping[int, Panel], graph: JudgeGraph, reached: Mapping[str, int]) -> Board:
    width = 2 * EDGE + 3 * WIDE.width + 2 * GAP
    board = Board(width, 844)
    board.text(EDGE, EDGE, TASK, 18, bold=True)
    top = board.words(EDGE, EDGE + 32, told, width - 2 * EDGE) + 16
    for env, size in (("desktop", WIDE), ("phone", TALL)):
        x = EDGE
        for number, panel in panels.items():
            if panel.env == env:
                _pin(board, x, top, number, panel, size)
                x += size.width + GAP
        top += HEAD + size.height + GAP
    _graph(board, graph, reached, x + GAP, top - GAP - TALL.height, width - EDGE - x - GAP)
    return board


def _pin(board: Board, x: int, y: int, number: int, panel: Panel, size: Size) -> None:
    part = CUT if panel.env == "desktop" else Box(0, 0, 1, 1)
    board.badge(x + 11, y + 10, str(number))
    board.text(x + 28, y, panel.words, width=size.width - 28)
    board.screen(x, y + HEAD, panel.picture.crop(part), size)
    if panel.at is not None:
        across, down = (
            (panel.at.x - part.left) / (part.right - part.left),
            (panel.at.y - part.top) / (part.bottom - part.top),
        )
        board.mark(x + round(across * size.width), y + HEAD + round(down * size.height))


def _graph(board: Board, graph: JudgeGraph, reached: Mapping[str, int], x: int, y: int, width: int) -> None:
    """The nodes in rows by how many must be reached before them."""
    depth: dict[str, int] = {}
    for name in graph.order():
        depth[name] = max((depth[before] + 1 for before, behind in graph.edges if behind == name), default=0)
    places = {}
    for level in range(max(depth.values()) + 1):
        names = [name for name in depth if depth[name] == level]
        step = width // len(names)
        for n, name in enumerate(names):
            places[name] = (x + n * step + (step - NODE.width) // 2, y + 30 + level * (NODE.height + 60))
    board.text(x + 12, y - HEAD, "The judged graph", bold=True)
    board.graph(places, graph.edges, {name: f"reached by step {reached[name]}" for name in places})
