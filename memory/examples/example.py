"""An example: what was done for an earlier task, as a planner is told it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from omnipilot.memory.quoting import own_lines, plain, quote


@dataclass(frozen=True, slots=True)
class ExampleElement:
    """An element of the screen that an example was solved on.

    Attributes:
        role, name: as the elements of screens have them. x, y: its middle, in pixels of its screenshot.
    """

    role: str
    name: str
    x: int
    y: int

    def describe(self) -> str:
        """In words, as `text "Save" at (12, 40)`."""
        return f"{plain(self.role)} {quote(self.name)} at ({self.x}, {self.y})"


@dataclass(frozen=True, slots=True)
class Example:
    """One earlier episode, as its agent saw it, or one solved task of a training split.

    Attributes:
        task: its id. templates: what must not be shared with a task that it is given for.
        instruction: what was asked. solved: whether every sub-goal was reached.
        steps: what was proposed, in words, each with its outcome where it did not succeed; with `script`, its lines.
        run: the name of the run or of the split that it is from. key: the episode in it.
        demonstration: whether a part that knows the solution took part.
        elements: what of its screen the steps need, the most needed first.
        script: whether the steps are the lines of a script, which means nothing with a line left out.
    """

    task: str
    templates: frozenset[str]
    instruction: str
    solved: bool
    steps: tuple[str, ...]
    run: str
    key: str
    demonstration: bool = False
    elements: tuple[ExampleElement, ...] = ()
    script: bool = False

    def describe(self, characters: int) -> str:
        """In words, in at most so many characters; "" where not even the task fits, or not the whole of a script.

        Of an episode later steps are left out first, of a script's screen later elements.
        """
        if self.script:
            return self._describe_script(characters)
        what = "a demonstration" if self.demonstration else "solved" if self.solved else "not solved"
        text = f"Earlier task ({what}): {quote(self.instruction)}"
        if len(text) > characters:
            return ""
        for number, step in enumerate(self.steps, 1):
            left = len(self.steps) - number + 1
            more = f"\n… and {left} more" if left else ""
            line = f"\n{number}. {step}"
            if len(text) + len(line) + (len(more) if left > 1 else 0) > characters:
                return text + more if len(text) + len(more) <= characters else text
            text += line
        return text

    def _describe_script(self, characters: int) -> str:
        asked = f"Example: {quote(self.instruction)}"
        script = own_lines("\n".join(["Its script:", *self.steps]))
        left = characters - len(asked) - len(script) - 1
        if left < 0:
            return ""
        shown = ["On its screen:"]
        for element in self.elements:
            line = element.describe()
            if len("\n".join([*shown, line])) + 1 > left:
                break
            shown.append(line)
        return "\n".join([asked, *(shown if len(shown) > 1 else ()), script])

    def line(self) -> str:
        """What it says, without where it is from, as one line of JSON."""
        said = {**asdict(self), "templates": sorted(self.templates)}
        return json.dumps({name: value for name, value in said.items() if name not in ("run", "key")}, sort_keys=True)
