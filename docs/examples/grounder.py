"""A grounder of one's own, written from docs/grounders.md: it points at the element that shares most words."""

from omnipilot.bench import run
from omnipilot.envs import Elements, Modality, Observation
from omnipilot.grounders import Abstention, Grounder, Grounding


class SharedWords(Grounder):
    needs = frozenset({Modality.ELEMENTS})

    def ground(self, observation: Observation, target: str) -> Grounding | Abstention:
        wanted = set(str(target).casefold().replace('"', "").split())
        elements = observation.elements if isinstance(observation.elements, Elements) else ()
        shared = [(len(wanted & {*one.name.casefold().split(), one.role}), one) for one in elements]
        most = max((number for number, _ in shared), default=0)
        best = [one for number, one in shared if number == most > 0]
        if len(best) != 1:
            return Abstention("ambiguous" if best else "not_found", f"{len(best)} elements share words with {target}")
        return Grounding(best[0].box.center, best[0].box)


if __name__ == "__main__":
    for grounder in ("elements", SharedWords):
        name = getattr(grounder, "__name__", grounder)
        print(run(suite="toy", planner="gold", grounder=grounder, jobs=0, out=f"runs/grounder-{name}"))
