"""A planner of one's own, written from docs/agents.md: it saves as a note what it is told to write."""

import re

from omnipilot.bench import run, task
from omnipilot.envs import Done, Modality, OpenApp, TypeText
from omnipilot.memory import Move
from omnipilot.planners import Brief, Decision, Planner, Request


@task('Write "Buy milk" into Notes, and save it.', world={"phone": "toy"})
def write_note(case):
    return case.state["phone"].note == "Buy milk"


class Writer(Planner):
    reads = frozenset({Modality.ELEMENTS})

    def begin(self, brief: Brief) -> None:
        self.words = re.search(r'"(.*?)"', brief.instruction)[1]

    def plan(self, request: Request) -> Decision:
        steps = (OpenApp("Notes"), TypeText(self.words, "the Note field", submit=True), Done())
        return Decision((Move("phone", steps[request.turn]),), thought=f"Write {self.words}.")


if __name__ == "__main__":
    print(run(suite=__file__, planner=Writer, jobs=0, out="runs/planner"))
