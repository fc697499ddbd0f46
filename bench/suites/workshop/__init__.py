"""Our benchmark on real programs: a Debian desktop, web pages and a phone over adb, judged by their state.

How a task is written: a function `make(draw)` in a module of `templates/` returns a `TaskDraft`: the instruction, what
is in the home, on the site and on the phone at the start, which programs are open, the judges, and the steps of a
demonstration. It is listed in the module's `TEMPLATES`. All that differs between instances is drawn from `draw`.

1. Content comes from `kit/content.py` (names, texts, sheets, PDF files) and `kit/media.py` (speech, tones, films).
2. Judges come from `kit/checks.py`; each examines one thing that must be true and has a name that says it. Files,
   windows, players and streams are read from `case.state.desktop`, forms that were sent from `case.state.site`, the
   phone's apps from `case.state.phone`. No judge may hold at the start; one that guards what must stay as it was is
   made with `unchanged`, and is asked at the end.
3. Steps come from `kit/steps.py`. A step is what a person would call one step; leaving any one out must lose the task.
   Moves go by shortcut where there is one, otherwise by an element's name, for which it waits by itself. Any other
   wait is `until` a judge says that something is so: a window of that title, a file that is written. Never for a time
   that was long enough once.
4. What can only be heard, or seen in motion, is drawn from `draw.media`, and stands in the draft's `media` alone: the
   proofs play the demonstration of the same instance with other media, which must not be taken.
5. `python -m omnipilot.bench.suites.workshop.proofs TASK` plays the proofs and prints what fails.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.bench.suites.workshop.suite import Workshop as Workshop

__all__, __getattr__, __dir__ = lazy_exports(__name__)
