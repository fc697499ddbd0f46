"""Checks of what a screen shows, what is in front, and what is on the clipboard."""

from __future__ import annotations

from omnipilot.bench.judges.evidence import DeviceEvidence
from omnipilot.bench.judges.kinds import judge
from omnipilot.bench.judges.matching import matches


@judge()
def check_text_exists_via_control(evidence: DeviceEvidence, text: str, exact: bool = False) -> tuple[bool, str]:
    """A control on the screen has this text as its name or value."""
    texts = [words for one in evidence.elements() for words in (one.name, one.value) if words]
    return _has_text(texts, text, exact)


@judge()
def check_text_exists_via_ocr(evidence: DeviceEvidence, text: str, exact: bool = False) -> tuple[bool, str]:
    """This text can be read on the screenshot; with `exact`, it is a whole line of it."""
    return _has_text(evidence.read_lines(), text, exact)


@judge()
def check_text_exists(evidence: DeviceEvidence, text: str, exact: bool = False) -> tuple[bool, str]:
    """This text is on the screen: a control has it, or it can be read on the screenshot."""
    result = check_text_exists_via_control.examine(evidence, text, exact)
    assert isinstance(result, tuple)
    return (True, result[1]) if result[0] else _has_text(evidence.read_lines(), text, exact)


@judge()
def check_text_under_cursor(evidence: DeviceEvidence, text: str, exact: bool = False) -> tuple[bool, str]:
    """What was last pointed at has this text, as the screen is now."""
    shown = evidence.text_under_cursor()
    return matches(text, shown, exact), f"under the cursor: {shown!r}"


@judge()
def check_app_in_front(evidence: DeviceEvidence, app: str, title: str = "") -> tuple[bool, str]:
    """This application is in front; with `title`, its window's title contains that."""
    context = evidence.context()
    holds = matches(app, context.app) and (not title or matches(title, context.title))
    return holds, f"in front: {context.app!r}, {context.title!r}"


@judge()
def check_clipboard(evidence: DeviceEvidence, text: str, exact: bool = False) -> tuple[bool, str]:
    """The clipboard holds this text."""
    held = evidence.clipboard()
    return matches(text, held, exact), f"clipboard: {held!r}"


def _has_text(texts: list[str], text: str, exact: bool) -> tuple[bool, str]:
    hits = [one for one in texts if matches(text, one, exact)]
    # A text may run over several lines.
    whole = not exact and matches(text, " ".join(texts))
    return bool(hits) or whole, f"{hits[0]!r}" if hits else f"{len(texts)} texts on the screen, {text!r} not among them"
