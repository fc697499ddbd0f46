"""Evaluators as data: a JSON object that says which checks must hold, read into a `JudgeGraph` and never run.

    {
        "ordered": true,
        "checks": [
            {"check": "check_app_in_front", "args": {"app": "Notes"}, "say": "Notes was not opened"},
            {
                "all": [
                    {"check": "check_state", "args": {
                        "path": "account.documents[new, name={note}].text", "op": "contains", "value": "{text}"}},
                    {"check": "check_untouched", "args": {"path": "account.documents"}}
                ],
                "say": "the note was not written, or another one was touched"
            },
            {"not": {"check": "check_text_exists", "args": {"text": "Unsaved"}}}
        ]
    }

Each entry of `checks` becomes a node of the graph, that is, a sub-goal that stays reached. `ordered`: each waits for
the one before it, so that the completion of the graph is the share of the satisfied prefix; otherwise it is the share
of those that held. What has to hold at one moment stands in one entry, in an `all`. An entry is one of

    {"check": NAME, "args": {…}}    a kind of judge, see `omnipilot list judges`
    {"all": [ENTRY, …]}             all hold; with "ordered": true, its progress is the satisfied prefix
    {"any": [ENTRY, …]}             one of them holds
    {"not": ENTRY}                  it does not hold
    {"each": [ENTRY, …]}            at the top only: several nodes, reached in any order; what follows waits for all

and may have `say` (why it failed), `name` (of its node), `env` (the device that it is about; inner entries inherit it)
and, at the top, `when`: "lasting" for one that is judged again when all else is reached, and is open again if it holds
no more; "end" for one that is judged only when the episode has ended.

Arguments may have holes, `{note}`, which `values` fill in. A value that is a function without parameters is asked each
time when it is judged. Checks of what was done count from when the evaluator's first check became active.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Literal, get_args

from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.judges.evidence import DeviceEvidence
from omnipilot.bench.judges.holes import fill, fill_path, holes_in
from omnipilot.bench.judges.kinds import JudgeKind, as_verdict, load_judge
from omnipilot.bench.judges.state_path import StatePath
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Case, Judge, JudgedWhen, Verdict
from omnipilot.envs import ConfigError

_FORMS = ("check", "all", "any", "not", "each")
_EXTRAS = ("say", "name", "env", "when")
DEEPEST = 20
"""Entries within entries; JSON of a model could be nested without end."""


@dataclass(frozen=True, slots=True)
class CheckEntry:
    """One entry of an evaluator, read.

    Attributes:
        form: "check", "all", "any", "not" or "each". inner: its entries, if it is not a check.
        kind, args, read: of a check: its kind, its arguments as written, and as the kind takes them; `read` is None
            where a value is known only when it is judged.
        ordered: of `all`, whether its progress is that of the prefix.
    """

    form: Literal["check", "all", "any", "not", "each"]
    env: str = ""
    say: str = ""
    name: str = ""
    when: JudgedWhen = "step"
    ordered: bool = False
    inner: tuple[CheckEntry, ...] = ()
    kind: JudgeKind | None = None
    args: Mapping[str, Any] = field(default_factory=dict)
    values: Mapping[str, Any] = field(default_factory=dict)
    read: Mapping[str, Any] | None = None

    def judge(self, case: Case) -> Verdict:
        """Whether it holds, its progress, and why not."""
        if self.form == "check":
            assert self.kind is not None
            read = self.read if self.read is not None else read_arguments(self.kind, self.args, self.values)
            verdict = as_verdict(self.kind.examine(DeviceEvidence(case, self.env), **read))
        elif self.form == "not":
            inner = self.inner[0].judge(case)
            verdict = Verdict(float(not inner.reached), inner.reason)
        elif self.form == "any":
            verdicts = [one.judge(case) for one in self.inner]
            best = max(verdicts, key=lambda one: one.progress)
            verdict = Verdict(best.progress, best.reason if best.reached else _join(one.reason for one in verdicts))
        else:
            verdict = judge_all([(one.label, one.judge(case)) for one in self.inner], self.ordered)
        if verdict.reached or not self.say:
            return verdict
        return Verdict(verdict.progress, f"{self.say} ({verdict.reason})" if verdict.reason else self.say)

    @property
    def label(self) -> str:
        """A few words for it: its name, or what it checks."""
        if self.name:
            return self.name
        if self.kind is None:
            return f"{self.form} of {' | '.join(one.label for one in self.inner)}"[:80]
        first = next(iter(self.args.values()), "")
        return f"{self.kind.name.removeprefix('check_').replace('_', ' ')} {first}".strip()[:80]

    @property
    def reads_controls(self) -> bool:
        """As in `Judge`."""
        return any(one.reads_controls for one in self.inner) or (self.kind is not None and self.kind.reads_controls)


def judge_all(verdicts: Sequence[tuple[str, Verdict]], ordered: bool) -> Verdict:
    """One verdict on several checks: progress is the share of them that held, or of the satisfied prefix.

    Args:
        verdicts: each with a few words for its check.
        ordered: whether the prefix counts; the reason says which was counted.
    """
    failed = [number for number, (_, verdict) in enumerate(verdicts) if not verdict.reached]
    if not failed:
        return Verdict(1.0, _join(verdict.reason for _, verdict in verdicts))
    held = failed[0] if ordered else len(verdicts) - len(failed)
    label, first = verdicts[failed[0]]
    count = f"{held} of {len(verdicts)} checks held{', in order' if ordered else ''}"
    return Verdict(held / len(verdicts), f"{first.reason or label}; {count}")


def read_evaluator(
    data: Any, values: Mapping[str, Any] | None = None, env: str = "", own: Iterable[JudgeKind] = ()
) -> JudgeGraph:
    """The graph of an evaluator. Nothing of the data is run or imported.

    Args:
        data: as `json.loads` gives it; see the module.
        values: for the holes, by name.
        env: the device of checks that name none.
        own: kinds of judges besides those of `omnipilot list judges`; a name of theirs comes first.

    Raises:
        ConfigError: an unknown check, argument or hole, with the nearest ones; an argument of another type; or another
            form. The message begins with the place in the data.
    """
    entries, ordered = read_entries(data, values, env, own)
    group = object()
    stages: list[list[Judge]] = []
    names: set[str] = set()
    for entry in entries:
        stage = []
        for one in entry.inner if entry.form == "each" else (entry,):
            label, number = one.label, 2
            while label in names:
                label, number = f"{one.label} ({number})", number + 1
            names.add(label)
            stage.append(Judge(label, one.judge, one.when, one.env, group, one.reads_controls))
        stages.append(stage)
    nodes = tuple(node for stage in stages for node in stage)
    if not ordered:
        return JudgeGraph(nodes)
    return JudgeGraph(nodes, tuple((a.name, b.name) for one, next in pairwise(stages) for a in one for b in next))


def evaluate(
    data: Any,
    case: Case,
    values: Mapping[str, Any] | None = None,
    env: str = "",
    own: Iterable[JudgeKind] = (),
) -> Verdict:
    """Judge a whole case at once, as OmniBench's functions do at the end of a trajectory: success, the message of the
    first check that fails, and progress, the share of the satisfied prefix if ordered, else of the checks that held.

    Args, Raises: as in `read_evaluator`.
    """
    entries, ordered = read_entries(data, values, env, own)
    return judge_all([(entry.label, entry.judge(case)) for entry in entries], ordered)


def read_entries(
    data: Any, values: Mapping[str, Any] | None = None, env: str = "", own: Iterable[JudgeKind] = ()
) -> tuple[tuple[CheckEntry, ...], bool]:
    """The entries of an evaluator, and whether they are ordered; as in `read_evaluator`."""
    if not isinstance(data, Mapping):
        raise ConfigError(f"an evaluator is an object with 'checks', not {data!r:.60}")
    _known_keys("evaluator", data, ("ordered", "checks", "env"))
    checks, ordered = data.get("checks"), data.get("ordered", False)
    if not isinstance(checks, (list, tuple)) or not checks:
        raise ConfigError("evaluator: 'checks' must be a list of at least one check")
    if not isinstance(ordered, bool):
        raise ConfigError(f"evaluator: 'ordered' must be true or false, not {ordered!r:.60}")
    reader = _Reader(dict(values or {}), {kind.name: kind for kind in own})
    device = str(data.get("env", "") or env)
    try:
        return tuple(reader.read(one, f"checks[{number}]", device) for number, one in enumerate(checks)), ordered
    except RecursionError:
        raise ConfigError("evaluator: an argument is nested too deeply; write it flatter") from None


@dataclass(frozen=True, slots=True)
class _Reader:
    values: Mapping[str, Any]
    own: Mapping[str, JudgeKind]

    def read(self, entry: Any, at: str, env: str, depth: int = 0) -> CheckEntry:
        if not isinstance(entry, Mapping):
            raise ConfigError(f"{at} must be an object with one of {', '.join(_FORMS)}, not {entry!r:.60}")
        forms = [form for form in _FORMS if form in entry]
        if len(forms) != 1:
            said = f"both {' and '.join(forms)}" if forms else f"none in {', '.join(map(str, entry)) or 'it'}"
            raise ConfigError(f"{at} must have exactly one of {', '.join(_FORMS)}; there is {said}")
        if depth and "each" in entry:
            raise ConfigError(f"{at}: 'each' stands at the top only; here, write 'all'")
        if depth > DEEPEST:
            raise ConfigError(f"{at}: more than {DEEPEST} entries within one another; write it flatter")
        form = forms[0]
        allowed = {"check": ("args",), "all": ("ordered",)}.get(form, ())
        _known_keys(at, entry, (form, *allowed, *_EXTRAS))
        for key in ("say", "name", "env"):
            if not isinstance(entry.get(key, ""), str):
                raise ConfigError(f"{at}.{key} must be a text, not {entry[key]!r:.60}")
        when = entry.get("when", "step")
        if when not in get_args(JudgedWhen) or (depth and "when" in entry):
            raise ConfigError(f'{at}.when must be "step", "lasting" or "end", and stands at the top only')
        extras: dict[str, Any] = {"env": entry.get("env") or env, "name": entry.get("name", ""), "when": when}
        try:
            extras["say"] = str(fill(entry.get("say", ""), self.values))
            if form == "check":
                return self._check(entry, extras)
        except ConfigError as error:
            raise ConfigError(f"{at}: {error}") from error
        inner = [entry["not"]] if form == "not" else entry[form]
        if not isinstance(inner, (list, tuple)) or not inner:
            raise ConfigError(f"{at}.{form} must be a list of at least one entry")
        ordered = entry.get("ordered", False)
        if not isinstance(ordered, bool):
            raise ConfigError(f"{at}.ordered must be true or false, not {ordered!r:.60}")
        read = tuple(
            self.read(one, f"{at}.{form}{'' if form == 'not' else f'[{number}]'}", extras["env"], depth + 1)
            for number, one in enumerate(inner)
        )
        return CheckEntry(form, ordered=ordered, inner=read, **extras)  # type: ignore[arg-type]

    def _check(self, entry: Mapping[str, Any], extras: Mapping[str, Any]) -> CheckEntry:
        name, args = entry["check"], entry.get("args", {})
        if not isinstance(name, str) or not isinstance(args, Mapping):
            raise ConfigError("'check' must be a name, and 'args' an object")
        kind = self.own.get(name) or load_judge(name)
        known = {hole for one in args.values() for hole in holes_in(one)}
        if unknown := sorted(known - set(self.values)):
            raise ConfigError(f"{describe_unknown('value for the hole', unknown[0], self.values)}")
        later = any(callable(self.values[hole]) for hole in known)
        if later and (strangers := [one for one in args if one not in kind.parameters]):
            raise ConfigError(f"{kind.name}: {describe_unknown('argument', strangers[0], kind.parameters)}")
        read = None if later else read_arguments(kind, args, self.values)
        return CheckEntry("check", kind=kind, args=dict(args), values=self.values, read=read, **extras)


def read_arguments(kind: JudgeKind, args: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """A check's arguments as its kind takes them, holes filled in.

    Raises:
        ConfigError: as in `JudgeKind.read`.
    """
    filled = {}
    for name, argument in args.items():
        is_path = name in kind.parameters and kind.parameters[name][0] is StatePath and isinstance(argument, str)
        filled[name] = fill_path(argument, values) if is_path else fill(argument, values)
    return kind.read(filled)


def _known_keys(at: str, entry: Mapping[str, Any], known: Sequence[str]) -> None:
    for key in entry:
        if key not in known:
            raise ConfigError(f"{at}: {describe_unknown('key', str(key), known)}")


def _join(reasons: Iterable[str]) -> str:
    return "; ".join(dict.fromkeys(reason for reason in reasons if reason))[:600]
