"""The composition root: turns a specification into an agent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from omnipilot.agents.assembly.agent_parts import AgentParts
from omnipilot.agents.assembly.honesty import check_honest, check_perceived
from omnipilot.agents.assembly.registry import Registry
from omnipilot.agents.assembly.spec import AgentSpec, PartSpec
from omnipilot.agents.assembly.teams import (
    CHECKS,
    CRITICS,
    LOOPS,
    PERCEPTIONS,
    READERS,
    SKILLS,
    STOPS,
    TRACKERS,
    consulted_part,
    head_and_hire,
    lacking_modalities,
    narrow_role,
    wrap,
)
from omnipilot.agents.base import Agent
from omnipilot.agents.teams.base import GroundedAgent
from omnipilot.agents.verbs.base import VerbSet
from omnipilot.envs import ConfigError, Modality
from omnipilot.envs.types import ALL_MODALITIES
from omnipilot.grounders import Grounder
from omnipilot.grounders.base import reads
from omnipilot.memory import AgentPart, MediaStore, Memory, Role
from omnipilot.memory.gate import Gate
from omnipilot.memory.truth import Truth
from omnipilot.planners import Planner

PLANNERS = Registry(
    "planner",
    {
        "oracle": "omnipilot.planners.baselines.oracle:OraclePlanner",
        "gold": "omnipilot.planners.baselines.gold:GoldPlanner",
        "graded": "omnipilot.planners.baselines.graded:GradedPlanner",
        "lingering": "omnipilot.planners.baselines.lingering:LingeringPlanner",
        "gullible": "omnipilot.planners.gullible.planner:GulliblePlanner",
        "replay": "omnipilot.planners.baselines.replay:ReplayPlanner",
        "from-memory": "omnipilot.planners.baselines.from_memory:FromMemoryPlanner",
        "blind": "omnipilot.planners.baselines.blind:BlindPlanner",
        "random": "omnipilot.planners.baselines.random:RandomPlanner",
        "noop": "omnipilot.planners.baselines.noop:NoopPlanner",
        "person": "omnipilot.planners.baselines.person:PersonPlanner",
        "function-calling": "omnipilot.planners.chat.function_calling:FunctionCallingPlanner",
        "json": "omnipilot.planners.chat.json_planner:JsonPlanner",
        "native": "omnipilot.planners.native.planner:NativePlanner",
        "pyautogui": "omnipilot.planners.chat.pyautogui:ScriptPlanner",
        "omnigui": "omnipilot.planners.chat.omnigui:OmniGuiPlanner",
    },
    "planners",
    by_model="function-calling",
    gold=("oracle", "gold", "graded", "lingering", "gullible", "replay", "from-memory"),
    offers=Planner,
)
GROUNDERS = Registry(
    "grounder",
    {
        "elements": "omnipilot.grounders.elements:ElementsGrounder",
        "gold": "omnipilot.grounders.gold:GoldGrounder",
        "graded": "omnipilot.grounders.graded:GradedGrounder",
        "centre": "omnipilot.grounders.unseeing:CentreGrounder",
        "random-element": "omnipilot.grounders.unseeing:RandomElementGrounder",
        "ocr": "omnipilot.grounders.text:OcrGrounder",
        "detact": "omnipilot.grounders.sources.detact.grounder:DetactGrounder",
        "source": "omnipilot.grounders.sources.grounder:SourceGrounder",
        "marks": "omnipilot.grounders.marks.grounder:MarksGrounder",
        "cascade": "omnipilot.grounders.combine.cascade:CascadeGrounder",
        "zoom": "omnipilot.grounders.combine.zoom:ZoomGrounder",
        "vote": "omnipilot.grounders.combine.vote:VoteGrounder",
        "agree": "omnipilot.grounders.combine.agree:AgreeGrounder",
        "vllm": "omnipilot.grounders.served.grounder:VllmGrounder",
        "local": "omnipilot.grounders.local.grounder:LocalGrounder",
    },
    "grounders",
    gold=("gold", "graded"),
    asks="vllm",
    offers=Grounder,
)
MEMORIES = Registry(
    "memory",
    {
        "none": "omnipilot.memory.no_memory:NoMemory",
        "window": "omnipilot.memory.window:WindowMemory",
        "keyframes": "omnipilot.memory.episodic.policies:KeyframesMemory",
        "episodic": "omnipilot.memory.episodic.memory:EpisodicMemory",
        "summary": "omnipilot.memory.episodic.summary:SummaryMemory",
        "composed": "omnipilot.memory.episodic.composed:ComposedMemory",
        "gold": "omnipilot.memory.gold:GoldMemory",
    },
    "memories",
    joined="composed",
    asks="summary",
    gold=("gold",),
    offers=Memory,
)
GATES = Registry(
    "gate",
    {
        "energy": "omnipilot.memory.gate.energy:EnergyGate",
        "events": "omnipilot.memory.gate.events:EventsGate",
        "model": "omnipilot.agents.gate.model:ModelGate",
    },
    "gates",
    by_model="model",
    offers=Gate,
)
VERB_SETS = Registry(
    "verbs",
    {
        "translate": "omnipilot.agents.verbs.sets:TranslatedVerbs",
        "without": "omnipilot.agents.verbs.sets:WithoutVerbs",
        "macros": "omnipilot.agents.verbs.macros:MacroVerbs",
        "composed": "omnipilot.agents.verbs.composed:ComposedVerbs",
    },
    "verbs",
    joined="composed",
    offers=VerbSet,
)
AGENTS = Registry(
    "agent",
    {
        "single": "omnipilot.agents.teams.single:SingleAgent",
        "by-function": "omnipilot.agents.teams.by_function:ByFunctionAgent",
        "by-environment": "omnipilot.agents.teams.by_environment:ByEnvironmentAgent",
    },
    "agents",
    offers=Agent,
)
"""An agent's factory takes planner, grounder, memory, planner_role and grounder_role by name; that of a `Team` takes
thinker and hire in place of planner."""


def build(spec: AgentSpec, truth: Truth | None = None, store: MediaStore | None = None) -> Agent:
    """Make a new agent from its specification. Agents of two calls share nothing.

    Args:
        truth: for gold and graded parts; None where nothing is known, and then these refuse to work.
        store: where a memory keeps captures; None for a store of its own.

    Raises:
        ConfigError: an unknown name, an unknown option, or an option of the wrong type; the message says what
            there is.
        MissingExtra: a part needs an optional dependency that is not installed.
    """
    check_agent(spec)
    made = {role: registry.make(part, truth) for role, part, registry in parts_by_themselves(spec)}
    return assemble(AgentParts(spec, **made), store)


def parts_by_themselves(spec: AgentSpec) -> Iterator[tuple[str, PartSpec, Registry]]:
    """The parts that an agent consults and that are made without it: the field of `AgentParts`, the part, and where it
    is found by name."""
    given: tuple[tuple[str, PartSpec | None, Registry], ...] = (
        ("planner", spec.planner, PLANNERS),
        ("grounder", spec.grounder, GROUNDERS),
        ("memory", spec.memory, MEMORIES),
        ("readers", spec.readers, READERS),
        ("gate", spec.gate, GATES),
        ("verbs", spec.verbs, VERB_SETS),
        ("perception", spec.perception, PERCEPTIONS),
        ("critic", spec.critic and consulted_part(spec.critic, "critic"), CRITICS),
        ("progress", spec.progress and consulted_part(spec.progress, "progress"), TRACKERS),
        ("stop", spec.stop, STOPS),
    )
    for role, part, registry in given:
        if part is not None:
            yield role, part, registry


def parts_around(spec: AgentSpec) -> Iterator[tuple[PartSpec, Registry]]:
    """The agent system and the wrappers, which are made around others, and where each is found by name."""
    yield PartSpec(spec.system), AGENTS
    for part, registry in ((spec.loops, LOOPS), (spec.skills, SKILLS), (spec.checks, CHECKS)):
        if part is not None:
            yield part, registry


def assemble(parts: AgentParts, store: MediaStore | None = None) -> Agent:
    """An agent of these parts, in its wrappers.

    Args:
        store: as in `build`.

    Raises:
        ConfigError, MissingExtra: as in `build`, for the agent system, loops, skills and checks.
    """
    spec = parts.spec
    check_agent(spec)
    _refuse_onlookers(spec)
    _check_perception(parts)
    granted, grounder_role = _roles(spec)
    planner_role = narrow_role(granted, parts.planner)
    grounder_role = narrow_role(grounder_role, parts.grounder)
    if store is not None:
        parts.memory.take_store(store)
    system = AGENTS.load(spec.system)
    given: dict[str, Any] = {"planner": parts.planner}
    if getattr(system, "team", False):
        thinker, hire = head_and_hire(spec, parts.planner, PLANNERS, system.head_prompt)
        given = {"thinker": thinker, "hire": hire}
    given |= {"grounder": parts.grounder, "memory": parts.memory}
    given |= {"planner_role": planner_role, "grounder_role": grounder_role}
    AGENTS.check_factory(spec.system, system, tuple(given))
    agent: Agent = system(**given)
    AGENTS.check_part(spec.system, agent)
    if isinstance(agent, GroundedAgent):
        agent.granted = granted.modalities
    if parts.gate is not None:
        agent.take_gate(parts.gate)
    if parts.verbs is not None:
        agent.take_verbs(parts.verbs)
    return wrap(agent, parts, granted, grounder_role)


def gold_parts(spec: AgentSpec) -> tuple[str, ...]:
    """The parts of an agent that take their answers from the runner, inner parts included: "planner gold".

    Raises:
        ConfigError, MissingExtra: as in `build`.
    """
    around = (
        ("tool agent", spec.tool_agent, PLANNERS),
        ("loops", spec.loops, LOOPS),
        ("skills", spec.skills, SKILLS),
        ("checks", spec.checks, CHECKS),
    )
    given = [*parts_by_themselves(spec), *((role, part, known) for role, part, known in around if part is not None)]
    names = [f"{role} {name}" for role, part, known in given for name in known.gold_names(part)]
    return tuple(dict.fromkeys(names))


def check_agent(spec: AgentSpec) -> None:
    """Refuse an agent that says that no part of it knows the truth, and has one that does.

    Raises:
        ConfigError: see `omnipilot.agents.assembly.honesty.check_honest`.
    """
    check_honest(spec, gold_parts(spec) if spec.honest else ())


def solution_player(spec: AgentSpec) -> str:
    """The planner of an agent that plays the solutions of tasks, by its name; "" if none does.

    Raises:
        ConfigError, MissingExtra: as in `build`.
    """
    return next(PLANNERS.gold_names(spec.planner), "")


def _refuse_onlookers(spec: AgentSpec) -> None:
    """Refuse a part of others that would be handed a gold part, from which it could read the truth."""
    if spec.tool_agent is not None and (name := next(PLANNERS.gold_names(spec.tool_agent), "")):
        raise ConfigError(
            f"the tool agent cannot be {name!r}: a worker is told what to do, and has no solution to play"
        )
    handed = (
        ("agent", PartSpec(spec.system), AGENTS),
        ("checks", spec.checks, CHECKS),
        ("loops", spec.loops, LOOPS),
        ("skills", spec.skills, SKILLS),
    )
    for role, part, known in handed:
        if part is not None and not known.is_ours(part.name) and (gold := gold_parts(spec)):
            raise ConfigError(
                f"{role} {part.name!r} is no part of omnipilot and would be handed the {' and the '.join(gold)}, which "
                f"knows the solution or the true screen; leave one of them out"
            )


def _check_perception(parts: AgentParts) -> None:
    """Refuse a source of elements that is shown no picture, or whose elements nobody would see."""
    if parts.spec.perception is None or parts.perception is None:
        return
    granted, name = parts.spec.modalities, parts.spec.perception.name
    check_perceived(parts.spec, frozenset(parts.perception.needs))
    if missing := frozenset(parts.perception.needs) - granted:
        raise ConfigError(
            f"perception {name!r} reads the {_list(missing)}, which --modalities withholds; {_cure(missing)}, and keep "
            "it from the planner with --planner-modalities elements"
        )
    if Modality.ELEMENTS not in granted:
        raise ConfigError(
            f"perception {name!r} finds elements, which --modalities withholds from all that would read them; add "
            "elements there: these then are what it finds, and no tree"
        )


def warnings(parts: AgentParts) -> list[str]:
    """Warnings about parts of an agent that cannot see what they read, each with its cure."""
    spec, decider, pointer = parts.spec, parts.planner, parts.grounder
    planner, grounder = _roles(spec)
    found = []
    lacking = frozenset(pointer.needs) - grounder.modalities
    if lacking and not decider.points:
        found.append(
            f"grounder {spec.grounder.name!r} cannot point without {_list(lacking)}, which "
            f"{_culprit(spec, 'grounder', lacking)} withholds: it will find no described place; {_cure(lacking)}"
        )
    shared = planner.modalities & grounder.modalities
    if pointer.annotates and not shared & reads(pointer):
        found.append(
            f"grounder {spec.grounder.name!r} numbers what it sees for the planner, but planner and grounder share no "
            f"modality of {_list(reads(pointer))}: the planner is shown no marks; grant both of them one"
        )
    if untaken := (decider.untaken or frozenset()) & planner.modalities:
        found.append(
            f"planner {spec.planner.name!r} is shown no {_list(untaken)}: its provider takes none, or its options "
            "allow none; choose another (hosted_vllm/MODEL for a server of your own), say with its option "
            "degrade what it gets instead, or grant it none with --planner-modalities"
        )
    # A model looks at whatever it is shown: to withhold some of it is a setting, not an oversight.
    unread = (decider.reads or frozenset()) - planner.modalities
    if unread and decider.untaken is None:
        found.append(
            f"planner {spec.planner.name!r} reads {_list(unread)}, which {_culprit(spec, 'planner', unread)} "
            f"withholds: it decides without; {_cure(unread)}, unless that is what you want to measure"
        )
    # What readers tell is kept by memories with a timeline, whatever the planner reads.
    memory = MEMORIES.load(spec.memory.name)
    kept = getattr(memory, "keeps_timeline", False)
    if spec.readers is not None and not (decider.takes_notes or kept):
        found.append(
            f"planner {spec.planner.name!r} reads no notes, so what readers {spec.readers.name!r} tells it changes "
            "nothing; choose a planner over a chat model, or leave --readers out"
        )
    if spec.checks is not None and not decider.takes_notes:
        found.append(
            f"planner {spec.planner.name!r} reads no notes, so what --checks tells it changes nothing; choose a "
            "planner over a chat model, or leave --checks out"
        )
    if spec.checks is not None and not planner.modalities & {Modality.ELEMENTS, Modality.CONTEXT, Modality.SCREENSHOT}:
        found.append("checks cannot tell anything without elements, context or screenshot, which they are not granted")
    if spec.stop is not None and spec.stop.name == "confidence" and not decider.takes_notes:
        found.append(
            f"planner {spec.planner.name!r} states no confidence, so --stop confidence never ends an episode; choose a "
            "planner over a chat model, or ask a model: --stop PROVIDER/MODEL"
        )
    for role, name, missing in lacking_modalities(parts):
        found.append(f"{role} {name!r} cannot tell anything without {_list(missing)}, which it is not granted")
    return found


def prompts(agent: Agent, parts: AgentParts) -> dict[str, str]:
    """Hashes of the prompts of an agent's models, which can change a run's numbers and are in no option.

    Args:
        agent: made of these parts.
    """
    told: dict[str, AgentPart] = {"agent": agent, "planner": parts.planner, "grounder": parts.grounder}
    told["memory"] = parts.memory
    if parts.gate is not None:
        told["gate"] = parts.gate
    if parts.verbs is not None:
        told["verbs"] = parts.verbs
    if parts.perception is not None:
        told["perception"] = parts.perception
    return {f"{role}.{name}": digest for role, part in told.items() for name, digest in part.identity().items()}


def check_packages(
    parts: AgentParts, worker: Planner | None = None, shown: frozenset[Modality] = ALL_MODALITIES
) -> None:
    """Check that everything is installed that the parts of an agent use of what they are shown.

    Args:
        worker: one that its tool agent makes; None for an agent without one.
        shown: the modalities that there are in the worlds.

    Raises:
        MissingExtra: something is not.
    """
    planner, grounder = _roles(parts.spec)
    asked: list[tuple[AgentPart | None, Role]] = [
        (parts.planner, planner),
        (parts.grounder, grounder),
        (parts.memory, planner),
        (worker, planner),
        (parts.perception, Role("perception", parts.spec.modalities)),
    ]
    for part, role in asked:
        if part is not None:
            part.check_packages(narrow_role(role, part).modalities & shown)


def does_without(spec: AgentSpec) -> tuple[str, ...]:
    """What parts of an agent were told to do without, in words: "planner rules (ocr=false) reads no …"."""
    roles = (
        ("planner", spec.planner, PLANNERS),
        ("tool agent", spec.tool_agent, PLANNERS),
        ("grounder", spec.grounder, GROUNDERS),
        ("memory", spec.memory, MEMORIES),
        ("perception", spec.perception, PERCEPTIONS),
    )
    return tuple(
        f"{role} {one.name} ({option}=false) {words}"
        for role, part, known in roles
        if part is not None
        for one in part.walk()
        if known.is_ours(one.name) and any(value is False for value in one.options.values())
        for option, words in getattr(known.load(one.name), "optional", {}).items()
        if one.options.get(option) is False
    )


def _roles(spec: AgentSpec) -> tuple[Role, Role]:
    granted = [spec.modalities if own is None else own for own in (spec.planner_modalities, spec.grounder_modalities)]
    return Role("planner", granted[0]), Role("grounder", granted[1])


def _culprit(spec: AgentSpec, role: str, lacking: frozenset[Modality]) -> str:
    return "--modalities" if lacking - spec.modalities else f"--{role}-modalities"


def _list(modalities: frozenset[Modality]) -> str:
    return ", ".join(sorted(modalities))


def _cure(lacking: frozenset[Modality]) -> str:
    return f"add {','.join(sorted(lacking))} there"
