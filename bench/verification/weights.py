"""Whether the weights that a run states of its parts are those that are installed here."""

from __future__ import annotations

from dataclasses import dataclass

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.agents.assembly.examine import examine
from omnipilot.bench.spec import RunSpec
from omnipilot.bench.verification.pack import stated_weights
from omnipilot.bench.verification.strange_specs import reaching_options


@dataclass(frozen=True, slots=True)
class ComparedWeights:
    """What came of comparing weights.

    Attributes:
        equal: how many are those that are installed here. differences: those that are not. notes: what was not
            compared, and why.
    """

    equal: int = 0
    differences: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def compare_weights(spec: RunSpec) -> ComparedWeights:
    """Compare what a specification states with what the same parts state that are made here.

    Parts are made of a stranger's words only if these name no file, host or program.
    """
    stated = stated_weights(spec)
    reaching = sorted({name for part in _agent_parts(spec.agent) for name in reaching_options(part)})
    if reaching:
        why = f"an option names what is outside of the bundle ({', '.join(reaching)})"
        return ComparedWeights(notes=(f"weights were not compared: {why}, which is not followed",) * bool(stated))
    found = examine(spec.agent)
    if found.parts is None or found.mistakes:
        why = "; ".join(str(error) for error in found.mistakes[:1])
        told = f"weights were not compared, as the agent cannot be made here: {why}"
        return ComparedWeights(notes=(told,) * bool(stated))
    here = {name: told for name, told in found.prompts.items() if name in stated or "weights" in name.split(".")}
    differences = [
        f"{name}: the run states {stated.get(name, 'no hash')}, and here it is {here.get(name, 'not there')}"
        for name in dict.fromkeys((*stated, *here))
        if stated.get(name) != here.get(name)
    ]
    others = {
        name
        for name in {*spec.prompts, *found.prompts} - {*stated, *here}
        if not name.startswith("user.") and spec.prompts.get(name) != found.prompts.get(name)
    }
    notes = [f"{name}: its prompt, or what it chose by the machine, is another here" for name in sorted(others)]
    return ComparedWeights(len(here) - len(differences), tuple(differences), tuple(notes))


def _agent_parts(spec: AgentSpec) -> list[PartSpec]:
    fields = (getattr(spec, name) for name in AgentSpec.__dataclass_fields__)
    return [one for one in fields if isinstance(one, PartSpec)]
