"""A memory of one's own, written from docs/memory.md: it recalls what the agent thought last."""

from collections.abc import Collection

from omnipilot.bench import run
from omnipilot.memory import Budget, Memory, Recalled, Role, Turn, check_memory, estimate_tokens


class LastThought(Memory):
    def __init__(self) -> None:
        self.last: Recalled | None = None

    def clear(self) -> None:
        self.last = None

    def record(self, turn: Turn) -> None:
        time = max((seen.time for seen in turn.observations.values()), default=0.0)
        self.last = Recalled(turn.thought, "thought", "", time, turn.index) if turn.thought else None

    def recall(self, query: str, budget: Budget, role: Role, envs: Collection[str]) -> tuple[Recalled, ...]:
        if self.last is None:
            return ()
        words = str(self.last.part)
        fits = budget.tokens is None or estimate_tokens(words) <= budget.tokens
        return (self.last,) if budget.texts >= 1 and len(words) <= budget.characters and fits else ()


if __name__ == "__main__":
    check_memory(LastThought)
    print(run(suite="toy", planner="oracle", memory=LastThought, jobs=0, out="runs/memory"))
