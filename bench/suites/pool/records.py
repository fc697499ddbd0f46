"""What the files of a pool hold: one record a line, each with the stage that made it.

Names of files are those of `PoolFolder`. Records are plain data: nothing in them is ever run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

Verb: TypeAlias = Literal[
    "open_app", "click", "double_click", "menu", "option", "type", "drag", "key", "scroll", "wait", "back"
]


@dataclass(frozen=True, slots=True)
class Operation:
    """One thing done on a screen; parameters are holes such as `{note}`.

    Attributes:
        env: the device.
        control: path of the control's id, whose segments that are ids of items are holes; the title, for `open_app`.
        text: typed text, an entry of a menu, an option, a key, a direction; may hold a hole.
        to: the control that something is dragged to.
        seconds: for `wait`.
        submit: whether Enter is pressed after typing.
    """

    verb: Verb
    env: str
    control: str = ""
    text: str = ""
    to: str = ""
    seconds: float = 0.0
    submit: bool = False


@dataclass(frozen=True, slots=True)
class SituationRecord:
    """An abstract screen.

    Attributes:
        id: digest of all the rest. page: digest of what the screen is, whatever is typed or chosen in it.
        env, app, view: where. title: a heading for people.
        controls: generalised ids and roles, sorted, as "role id"; enabled: the ids of those that are.
        drafts: fields whose text differs from what is saved. chosen: kinds of things chosen, held, or on the clipboard.
        playing: what plays or rings.
    """

    id: str
    page: str
    env: str
    app: str
    view: str
    title: str = ""
    controls: tuple[str, ...] = ()
    enabled: tuple[str, ...] = ()
    drafts: tuple[str, ...] = ()
    chosen: tuple[str, ...] = ()
    playing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Edge:
    """An operation that was tried.

    Attributes:
        before, after: ids of situations. operations: more than one for a macro, in order.
        bindings: what stood in each hole. effect: see `signature` of the world, sorted, without bookkeeping.
        seconds: of the world's clock.
        macro: "fill", "choose" or "confirm"; "" for a single operation.
        via: the edge that led to the very state in which it was tried; "" at the start. Following it back gives a path
            that was played exactly so. app: that was started, as "device/app"; instance: of the content at the start.
        total: effect of the whole path since the start. Both are without bookkeeping; noise: what was left out of
            `effect`.
    """

    id: str
    before: str
    after: str
    operations: tuple[Operation, ...]
    bindings: Mapping[str, str] = field(default_factory=dict)
    effect: tuple[str, ...] = ()
    seconds: float = 0.0
    macro: str = ""
    via: str = ""
    app: str = ""
    instance: int = 0
    total: tuple[str, ...] = ()
    noise: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reveal:
    """A fact that some screen, sound or film tells, proved by exchange (OmniBench's outputs).

    Attributes:
        situation: where. source: the attribute of the state that it comes from, as "kind.field".
        type: of the resource, a path from general to special. channel: "screen", "sound", "speech" or "motion".
        level: "AV-critical" where it is told by sound or motion alone, "AV-supportive" where a screen tells it too,
            "AV-present" otherwise.
        path: ids of the edges that lead there from the start.
    """

    situation: str
    source: str
    type: str
    channel: str
    level: str
    path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SubtaskRecord:
    """A subtask: OmniBench's seven fields (C.1), and what this project needs besides.

    Attributes:
        id: unique in the pool. instruction_template: one clause in the imperative, with `{holes}`.
        application: its title. env: the device. OS: OmniBench's name of the platform.
        available_parameters: sets of values of the holes that are no resources; at least one.
        inputs: hole → resource type, for those that a task may join. input_resources, output_resources: the types.
        effect: what it changes, sorted. reveals: "kind.field" of what can be learnt by doing it.
        path: its operations, with holes. alternatives: other paths to the same effect.
        preconditions: what must hold and no other subtask brings about; the content that `make` puts in.
        level, dimension: OmniGUI's. category: of the application (OmniBench, table 11).
        evidence: ids of edges. made_by: "search", "model NAME", or "hand:duet" for a hand-written template of that id.
        holes: hole of the path → what stands there: "item KIND" of the account, "text TYPE", "option", "place", or
            "of HOLE.FIELD" for a text that an item of another hole decides, "in HOLE.FIELD" for a word of such a text.
        constants: entry of the effect → the value that it always leaves, where that is part of what the subtask is.
        ignored: entries that are no effect: bookkeeping, and what hangs on the time.
        source: what the output is: an entry of the effect, "{hole}" for its item, "kind.field" of a reading, "".
        channel: of a reading: "screen", "sound", "speech" or "motion".
        plants: type of the fact that the content is made to hold, where the field that tells it holds a whole text or
            a sound; "" where the field's own value is the fact.
        computed: whether a reading tells no value, but a number that a command works out from the field: its lines.
    """

    id: str
    instruction_template: str
    application: str
    env: str
    OS: str = ""
    available_parameters: tuple[Mapping[str, Any], ...] = ({},)
    inputs: Mapping[str, str] = field(default_factory=dict)
    input_resources: tuple[str, ...] = ()
    output_resources: tuple[str, ...] = ()
    effect: tuple[str, ...] = ()
    reveals: tuple[str, ...] = ()
    path: tuple[Operation, ...] = ()
    alternatives: tuple[tuple[Operation, ...], ...] = ()
    preconditions: tuple[str, ...] = ()
    level: str = "AV-present"
    dimension: str = "localisation"
    category: str = ""
    evidence: tuple[str, ...] = ()
    made_by: str = "search"
    holes: Mapping[str, str] = field(default_factory=dict)
    constants: Mapping[str, Any] = field(default_factory=dict)
    ignored: tuple[str, ...] = ()
    source: str = ""
    channel: str = "screen"
    plants: str = ""
    computed: bool = False

    @property
    def is_looked_for(self) -> bool:
        """Whether it is to find the item that tells a fact, which the instruction names."""
        return "{fact}" in self.instruction_template


@dataclass(frozen=True, slots=True)
class CandidateRecord:
    """What came of something that might have been a subtask.

    Attributes:
        key: the app, what it does, and the kinds of its holes. made_by: "search" or "model NAME".
        subtasks: ids of what it became. reason: why it became none.
        kind: "effect", "reading", or "mark" for a line that only says that a part of the work is done.
    """

    key: str
    made_by: str = "search"
    subtasks: tuple[str, ...] = ()
    reason: str = ""
    kind: str = "effect"


@dataclass(frozen=True, slots=True)
class Evaluator:
    """How a subtask is judged, as data: `evaluator` is what the reader of checks takes (`{"ordered": …, "checks": …}`).

    Attributes:
        made_by: "difference", "model NAME" or "hand:duet". barrier: whether it was made without a look at the
            trajectory that it judges.
    """

    subtask: str
    evaluator: Mapping[str, Any]
    made_by: str = "difference"
    barrier: bool = True


@dataclass(frozen=True, slots=True)
class TrajectoryAction:
    """An action as OmniBench writes it (C.2).

    Attributes:
        function: `click_input`, `wheel_mouse_input`, `keyboard_input`, or a verb of ours that it has no name for.
        rect: x, y, width and height in pixels of the screenshot before it.
        move: the same as a move of this project, as JSON.
    """

    function: str
    args: Mapping[str, Any]
    rect: tuple[int, int, int, int] | None
    description: str
    thought: str
    control_text: str
    env: str = ""
    move: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Trajectory:
    """A demonstration of a subtask or a task; `observations` are names of pictures in the media store, one more than
    there are actions."""

    trajectory_id: str
    instruction: str
    observations: tuple[str, ...]
    actions: tuple[TrajectoryAction, ...]
    subtask_id: str = ""
    task_id: str = ""
    instance: int = 0
    made_by: str = "search"


@dataclass(frozen=True, slots=True)
class VerdictRecord:
    """What one round of mutual verification found.

    Attributes:
        failed: what was wrong, in words. changed: "trajectory", "evaluator", "both" or "".
        wrongly_accepted: names of the wrong trajectories that the evaluator took for right.
        strict: whether it refused the harder ones too.
    """

    subtask: str
    round: int
    accepted: bool
    failed: str = ""
    changed: str = ""
    wrongly_accepted: tuple[str, ...] = ()
    strict: bool = False


@dataclass(frozen=True, slots=True)
class Join:
    """An input of a node that takes another node's output; nodes are numbered from 0 in reading order."""

    node: int
    input: str
    source: int


@dataclass(frozen=True, slots=True)
class GraphRecord:
    """A task graph over subtasks.

    Attributes:
        id: unique in the pool. subtasks: ids, in reading order; every join's source stands before its node.
        joins: what takes what. edges: pairs (before, after) of numbers of nodes, one for each pair that is joined.
        figures: dependency, instruction, hierarchy, branch, knowledge; over subtasks (OmniBench §3.1).
        capabilities: those of table 12. key: equal for graphs that are the same up to numbering.
        seed: of its content. intent: a frame's name, or a sentence of a model; "" where none was sought.
        scenario, network: OmniBench A.5. draw: which of the contents that instance 0 may have, from 0, it was played
            with and solved; None where it was not played, and a content is chosen by playing when it is needed.
    """

    id: str
    subtasks: tuple[str, ...]
    joins: tuple[Join, ...] = ()
    edges: tuple[tuple[int, int], ...] = ()
    figures: Mapping[str, int] = field(default_factory=dict)
    capabilities: tuple[str, ...] = ()
    key: str = ""
    seed: int = 0
    intent: str = ""
    scenario: str = ""
    network: bool = False
    draw: int | None = None


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two subtasks that do not go together, as playing graphs has shown.

    Attributes:
        first, second: ids. how: "beside", if neither may stand beside the other without a path between them; "behind",
            if the second may not stand behind the first on a path; "fork", if both may not stand behind one and the
            same subtask, because each changes what they take from it; "alone", if it fails by itself and is used
            nowhere; "late", if it fails when it is begun some minutes later, because a call or an alarm does not wait:
            nothing may stand beside it; "join", if the second cannot take what the first yields.
        reason: what went wrong.
    """

    first: str
    second: str
    how: Literal["beside", "behind", "fork", "alone", "late", "join"]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class MatchedSet:
    """Graphs to be compared with one another.

    Attributes:
        kind: "chain and graph", or "dose" for a series in which one figure alone changes.
        graphs: ids. roles: of each: "chain" or "graph"; the figure that changes and its value, as "edges=4".
        shared: which share of the subtasks chain and graph have in common.
    """

    id: str
    kind: Literal["chain and graph", "dose"]
    graphs: tuple[str, ...]
    roles: tuple[str, ...]
    shared: float = 0.0


KEPT = "kept"
"""`checked` of a task whose graph was read back from its words."""


@dataclass(frozen=True, slots=True)
class TaskRecord:
    """A task in words (OmniBench C.4 in the main): one instance of a graph.

    Attributes:
        intent: a sentence with the purpose, "" where there is none. instruction: what an agent is told.
        low, high: every clause; and what is to be achieved, without steps. orders: wordings in other orders.
        instance: of the graph's content. checked: whether the validator read the graph back from the words; "" where
            it has not looked yet, else "kept" or what was wrong.
        frame: the name of the intent's frame. made_by: who wrote the instruction, "rule" or "model NAME".
        wording: which of the two forms the instruction has. same_edges: whether the reader found the edges too, not
            only their closure. tries: how often the instruction was written anew because of what the reader found.
    """

    id: str
    graph: str
    instruction: str
    intent: str = ""
    low: str = ""
    high: str = ""
    orders: tuple[str, ...] = ()
    instance: int = 0
    checked: str = ""
    frame: str = ""
    made_by: str = "rule"
    wording: Literal["low", "high"] = "low"
    same_edges: bool = False
    tries: int = 0

    @property
    def is_kept(self) -> bool:
        """Whether a reader got the graph back from the words."""
        return self.checked == KEPT

    @property
    def is_dropped(self) -> bool:
        """Whether a reader did not; such a task is none of the suite."""
        return self.checked not in ("", KEPT)


@dataclass(frozen=True, slots=True)
class Rating:
    """What one person said of one task."""

    task: str
    rater: str
    accepted: bool
    reasons: tuple[str, ...] = ()
    seconds: float = 0.0
