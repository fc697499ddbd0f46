"""Parts that are made of other parts: `cascade` of elements and ocr, `zoom` of a model."""

from __future__ import annotations

from typing import Any

from omnipilot.agents.assembly.part_names import join_list
from omnipilot.agents.assembly.spec import PartSpec
from omnipilot.envs import ConfigError

OF = "of"
"""The option that names the parts of a part."""
EXAMPLES = {"planner": "rules", "grounder": "elements", "memory": "window,episodic"}
"""What a part of a kind may be made of, for messages."""


def how_it_combines(factory: Any) -> str:
    """ "one" or "many" for a factory of a part that is made of others, "" for one of its own.

    A class says so by its attribute `combines`, see `AgentPart`; a function may have such an attribute, too.
    """
    said = getattr(factory, "combines", "")
    return said if isinstance(said, str) else ""


def check_inner(kind: str, part: PartSpec, combines: str) -> None:
    """Check that a part is made of as many parts as its factory takes.

    Args:
        kind: of the part, for messages. combines: of its factory: "one", "many", or "" for none.

    Raises:
        ConfigError: there is none, there are several for a part that combines one, or any for one that combines none;
            or they are still a text.
    """
    what = f"{kind} {part.name!r}"
    if not combines:
        if part.inner:
            raise ConfigError(f"{what} is made of no other {kind}; leave out its inner parts")
        return
    if OF in part.options:
        raise ConfigError(
            f"{what}: the parts that it is made of are records, PartSpec(NAME, OPTIONS, inner=(…)), and no option "
            f"`of`; parse_part reads {part.options[OF]!r} as it is written on the command line"
        )
    if not part.inner:
        refuse_without_inner(kind, part.name, combines)
    if combines == "one" and len(part.inner) != 1:
        names = join_list(one.name for one in part.inner)
        told = f"for several, write of=cascade and cascade.of={names}" if kind == "grounder" else "name one"
        raise ConfigError(f"{what} combines one {kind}; {told}")


def refuse_without_inner(kind: str, name: str, combines: str) -> None:
    """Say that a part needs others that it is made of.

    Raises:
        ConfigError: always.
    """
    plural = f"{kind[:-1]}ies" if kind.endswith("y") else f"{kind}s"
    wanted = f"{plural} it asks" if combines == "many" else f"{kind} it asks"
    example = "elements,ocr" if (kind, combines) == ("grounder", "many") else EXAMPLES.get(kind, "NAME")
    raise ConfigError(
        f"{kind} {name!r} needs the option `of`, the {wanted}: write {name}:{example}, or -o {kind}.of={example}"
    )
