"""What `omnipilot show-prompt` does: print the first prompt of each role of an agent."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from inspect import signature
from typing import Any

import typer

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.agents.assembly import GROUNDERS, MEMORIES, PLANNERS
from omnipilot.agents.assembly.build import AGENTS, VERB_SETS
from omnipilot.agents.assembly.teams import head_and_hire
from omnipilot.bench.episode.introduction import introduce
from omnipilot.bench.registry import load_suite
from omnipilot.bench.run.config import set_options, spec_from
from omnipilot.bench.settings import RunSettings
from omnipilot.envs import ConfigError, Thinking
from omnipilot.envs.installed_plugins import installed_plugins
from omnipilot.memory import Message
from omnipilot.memory import Role as MemoryRole
from omnipilot.planners import Brief, Decision, Planner, Request, Thinker, Thought


class BriefedRole(Planner, Thinker):
    """A planner or thinker of an agent with the name of its role and what it was told in the brief."""

    def __init__(self, name: str, inner: Any) -> None:
        self.name = name
        self.inner = inner
        self.brief = Brief("", {})

    def begin(self, brief: Brief) -> None:
        """Keep the brief, and pass it on."""
        self.brief = brief
        try:
            self.inner.begin(brief)
        except ConfigError:
            # A planner that takes its answers from the runner needs more than there is here; it has no prompt either.
            if self.inner.preview(Request(brief, 0, {})) is not None:
                raise

    def plan(self, request: Request) -> Decision:
        """As the planner does."""
        decision: Decision = self.inner.plan(request)
        return decision

    def think(self, request: Request) -> Thought:
        """As the thinker does."""
        thought: Thought = self.inner.think(request)
        return thought


def show_prompt_command(planner: str, agent: str, suite: str | None, options: Sequence[str]) -> None:
    """Print system prompt, tools and hash of each role; no model is called, and no key is needed."""
    suite = suite or installed_plugins().default("suite") or "toy"
    asked = spec_from(set_options(RunSettings(planner=planner, agent=agent, suite=suite), options)).agent
    for role in roles_of(replace(asked, planner=_of_any_model(asked.planner)), first_brief(suite)):
        typer.echo(render_role(role))


def _of_any_model(planner: PartSpec) -> PartSpec:
    """The planner without a model, if it needs one and none is named."""
    asks = "model" in signature(PLANNERS.load(planner.name)).parameters
    return PartSpec(planner.name, {"model": "", **planner.options}, planner.inner) if asks else planner


def first_brief(name: str) -> Brief:
    """The brief of an agent for the first task of a suite."""
    suite = load_suite(PartSpec(name))
    task = suite.instantiate(suite.tasks()[0].id, 0)
    world = suite.world(Thinking())
    try:
        instruction = task.setup(world)
        return Brief(instruction, {name: introduce(env) for name, env in world.envs.items()})
    finally:
        world.close()


def roles_of(spec: AgentSpec, brief: Brief) -> list[BriefedRole]:
    """The deciding roles of an agent system, each with the brief that it gets in a task with this brief.

    Raises:
        ConfigError, MissingExtra: as in `build`.
    """
    system, planner = AGENTS.load(spec.system), PLANNERS.make(spec.planner)
    if spec.verbs is not None:
        brief = replace(brief, envs=VERB_SETS.make(spec.verbs).offer(brief.envs))
    if not getattr(system, "team", False):
        alone = BriefedRole("planner", planner)
        alone.begin(brief)
        return [alone]
    thinker, hire = head_and_hire(spec, planner, PLANNERS, system.head_prompt)
    found = [BriefedRole("main agent", thinker)]

    def hired(job: str, control: frozenset[str]) -> BriefedRole:
        found.append(BriefedRole(job.replace("_", " "), hire(job, control)))
        return found[-1]

    grounder = GROUNDERS.make(PartSpec("elements"))
    memory = MEMORIES.make(spec.memory)
    roles = {"planner_role": MemoryRole("planner"), "grounder_role": MemoryRole("grounder")}
    team = system(thinker=found[0], hire=hired, grounder=grounder, memory=memory, **roles)
    team.begin(brief)
    return found


def render_role(role: BriefedRole) -> str:
    """A role's prompt as text: head line, system prompt, first message, tools or schema.

    Raises:
        ConfigError: the role asks no model.
    """
    words = "" if role.name in ("planner", "main agent") else "(what the main agent says)"
    shown = role.inner.preview(Request(role.brief, 0, {}, message=words))
    if shown is None:
        raise ConfigError(
            f"the {role.name}, {type(role.inner).__name__}, calls no model, so it has no prompt; "
            "try function-calling or json"
        )
    messages, asked = shown
    where = f" of {', '.join(role.brief.envs)}" if role.name == "device agent" else ""
    lines = [f"=== {role.name}{where} ({type(role.inner).__name__}) ==="]
    lines += [f"{name}: {digest}" for name, digest in role.inner.identity().items()]
    if parameters := getattr(role.inner, "sent_parameters", None) or {}:
        sent = {**parameters, **{name: asked[name] for name in ("tool_choice",) if name in asked}}
        if asked.get("tools"):
            sent.setdefault("tool_choice", "required")
        lines.append(f"parameters: {', '.join(f'{name} {value}' for name, value in sent.items())}")
    lines += [f"\n--- {message.role} ---\n{_text(message)}" for message in messages]
    tools = asked.get("tools", ())
    if tools:
        lines.append(f"\n--- {len(tools)} tools ---")
        lines += [f"{tool.name}: {tool.description}\n  {_json(tool.parameters)}" for tool in tools]
    if schema := asked.get("schema"):
        lines.append(f"\n--- schema of the reply ---\n{_json(schema)}")
    return "\n".join(lines) + "\n"


def _text(message: Message) -> str:
    return "\n".join(part if isinstance(part, str) else f"({part!r})" for part in message.parts)


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": "))
