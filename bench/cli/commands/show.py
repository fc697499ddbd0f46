"""What `omnipilot show` does: print what models were sent in a turn and answered, what was read from its screens, and
which of its moves were programs of verbs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.cli.commands.show_steps import step_lines
from omnipilot.bench.journal.attempts import attempt_events
from omnipilot.bench.journal.calls import CallReader, RecordedCall, recorded_calls
from omnipilot.bench.journal.events import EpisodeStarted, ModelCalled, MoveGuarded, StepTaken, TurnTaken
from omnipilot.bench.journal.journal import FILE, MEDIA, read
from omnipilot.bench.journal.kept_media import not_kept_note
from omnipilot.bench.journal.pointing_directory import ANSWERS
from omnipilot.bench.journal.pointing_directory import SPEC as POINTED
from omnipilot.bench.journal.recorder import elements_from_text
from omnipilot.bench.pointing.call_log import CALLS, read_calls
from omnipilot.bench.pointing.evaluation import PointingAnswer
from omnipilot.bench.pointing.run import read_answers
from omnipilot.bench.report.action_words import action
from omnipilot.bench.report.page_media import perceived_kind
from omnipilot.bench.report.terminal_tables import render_table
from omnipilot.bench.tables import Table
from omnipilot.envs import ConfigError
from omnipilot.memory import MediaStore
from omnipilot.memory.secrets.scrub import scrub_error
from omnipilot.memory.store.index import media_path

CALL_COLUMNS = ("call", "role", "model", "tokens in", "tokens out", "cost $", "seconds", "reply")
NOT_KEPT = "what was sent and answered was not kept (--messages none); only what it cost was"


@dataclass(frozen=True, slots=True)
class WhichCalls:
    """Calls of models in a run.

    Attributes:
        task: or a target of a pointing run, where None is all. instance, trial: of the task.
        attempt: at the episode, from 1; None for the last that ended, or else the last.
        turn: from 1; None for all. role: whose calls; None for all.
    """

    task: str | None = None
    instance: int = 0
    trial: int = 0
    attempt: int | None = None
    turn: int | None = None
    role: str | None = None


def show_command(run: Path, which: WhichCalls, new: bool, as_json: bool) -> None:
    """Print the calls of a turn, or a table of all calls of an episode; of a pointing run, those of a target or of all.

    Unless a role is asked for, also what was read from the screens, and the moves that were programs of verbs.

    Args:
        new: leave out messages that an earlier call had sent.

    Raises:
        ConfigError: no such run, task, turn or role.
    """
    task, turn, role = which.task, which.turn, which.role
    if (run / POINTED).exists():
        if turn is not None:
            raise ConfigError("a pointing run has no turns; leave --turn out")
        _show_pointing(run, task, role, new, as_json)
        return
    if not (run / FILE).exists():
        raise ConfigError(f"there is no run in {run}; name a run directory, such as runs/NAME")
    if task is None:
        tasks = dict.fromkeys(event.task for event in read(run) if isinstance(event, EpisodeStarted))
        raise ConfigError(f"name one of the run's tasks: {', '.join(tasks)}")
    events = attempt_events(run, f"{task}#{which.instance}.{which.trial}", which.attempt)
    calls = recorded_calls(events)
    turns = {event.turn: event for event in events if isinstance(event, TurnTaken)}
    programs = program_words([event for event in events if isinstance(event, StepTaken)])
    for number, lines in guard_words([event for event in events if isinstance(event, MoveGuarded)]).items():
        programs[number] = [*programs.get(number, ()), *lines]
    told = sorted({*programs, *(turn for turn, taken in turns.items() if taken.perceived)})
    silent = not calls and not told
    if silent and (as_json or role is not None):
        raise ConfigError(
            f"no model call of {task} is recorded: its planner and its other parts decide in this process; without "
            "--json and --role, its steps are shown"
        )
    if turn is not None and turn - 1 not in {*turns, *(call.turn for call in calls)}:
        raise ConfigError(f"{task} has no turn {turn}; its turns are 1 to {max(turns, default=0) + 1}")
    if role is not None and role not in (roles := dict.fromkeys(call.role for call in calls)):
        raise ConfigError(describe_unknown("role", role, roles))
    if silent:
        typer.echo(scrub_error("\n".join(step_lines(events, turn))))
        return
    chosen = [call for call in calls if role in (None, call.role) and turn in (None, call.turn + 1)]
    reader = CallReader(MediaStore(run / MEDIA))
    if note := not_kept_note(run):
        typer.echo(note, err=True)
    if as_json:
        typer.echo(json.dumps([call_json(call, reader) for call in chosen], ensure_ascii=False, indent=1))
        return
    store = MediaStore(run / MEDIA)
    for number in told if role is None else ():
        if turn in (None, number + 1):
            for env, found in turns[number].perceived.items():
                typer.echo("\n".join(perceived_lines(number, env, found, store if turn else None)))
            for line in programs.get(number, ()):
                typer.echo(f"turn {number + 1}: {line}")
    if turn is None and chosen:
        typer.echo(f"\n{render_table(calls_table(chosen))}\n")
    elif turn is not None and not chosen:
        typer.echo(f"turn {turn} called no model{f' as {role}' if role else ''}")
    else:
        last = {call.role: call.number for call in chosen}
        offered: dict[str, int] = {}
        for call in chosen:
            decides = last[call.role] == call.number and call.role in ("planner", "main agent")
            read_as = move_words(turns[call.turn]) if decides and call.turn in turns else ""
            typer.echo(render_call(call, reader, read_as, new, offered.setdefault(call.tools, call.number)))


def _show_pointing(run: Path, target: str | None, role: str | None, new: bool, as_json: bool) -> None:
    """The calls for a target of a pointing run, or a table of all."""
    if not (run / CALLS).exists():
        raise ConfigError(f"no model call is recorded in {run}: the grounder asked no model, or the run is older")
    questions = {question: recorded_calls(events) for question, events in read_calls(run).items()}
    if target is not None and target not in (targets := dict.fromkeys(name for name, _ in questions)):
        raise ConfigError(describe_unknown("target", target, targets))
    if role is not None and role not in (roles := {call.role: None for calls in questions.values() for call in calls}):
        raise ConfigError(describe_unknown("role", role, roles))
    asked = [
        (name, style, call)
        for (name, style), calls in questions.items()
        for call in calls
        if target in (None, name) and role in (None, call.role)
    ]
    reader = CallReader(MediaStore(run / MEDIA))
    if as_json:
        found = [{"target": name, "style": style, **_call_json(call, reader)} for name, style, call in asked]
        typer.echo(json.dumps(found, ensure_ascii=False, indent=1))
    elif target is None:
        rows = [(name, style, *row) for name, style, call in asked for row in _rows(call)]
        columns = ("target", "style", *CALL_COLUMNS)
        typer.echo(f"\n{render_table(Table(columns, tuple(rows), labels=5, words=('reply',)))}\n")
    else:
        answers = {answer.key: answer for answer in read_answers(run / ANSWERS)}
        for name, style, call in asked:
            last = call.number == questions[name, style][-1].number
            read_as = answer_words(answers[name, style]) if last and (name, style) in answers else ""
            typer.echo(render_call(call, reader, read_as, new, where=f"{name}, {style}"))


def calls_table(calls: Sequence[RecordedCall]) -> Table:
    """One row for each attempt at a call."""
    rows = [(str(call.turn + 1), *row) for call in calls for row in _rows(call)]
    return Table(("turn", *CALL_COLUMNS), tuple(rows), labels=4, words=("reply",))


def _rows(call: RecordedCall) -> Iterator[tuple[str, ...]]:
    """The cells of `CALL_COLUMNS` for each attempt."""
    for one in call.attempts:
        usage = one.usage
        outcome = one.problem or (call.unread and f"could not be read: {call.unread}") or "read"
        cost = "?" if usage["cost"] is None else f"{usage['cost']:.4f}"
        figures = (f"{usage['tokens_in']:,}", f"{usage['tokens_out']:,}", cost, f"{usage['seconds']:.2f}")
        number = f"{call.number + 1}{f'.{one.again + 1}' if len(call.attempts) > 1 else ''}"
        said = f"{outcome.splitlines()[0][:70]}{' (replayed)' if one.replayed else ''}"
        yield number, call.role, call.model, *figures, said


def call_json(call: RecordedCall, reader: CallReader) -> dict[str, Any]:
    """A call as plain JSON values: the request as it was sent, and each attempt with its raw answer."""
    return {"turn": call.turn + 1, **_call_json(call, reader)}


def _call_json(call: RecordedCall, reader: CallReader) -> dict[str, Any]:
    return {
        "call": call.number + 1,
        "role": call.role,
        "model": call.model,
        "request": reader.body(call) if call.whole else None,
        "attempts": reader.attempts(call),
        "unread": call.unread,
    }


def render_call(
    call: RecordedCall,
    reader: CallReader,
    read_as: str = "",
    new: bool = False,
    offered: int | None = None,
    where: str = "",
) -> str:
    """A call as text: head line, options, messages part by part, tools, and each attempt with its answer.

    Args:
        read_as: what was made of the answer, in words. new: leave out what the call before had sent.
        offered: number of a call that was shown with the same tools, so that they are not listed again.
        where: what the call belongs to, instead of its turn.
    """
    lines = [f"=== {where or f'turn {call.turn + 1}'}, call {call.number + 1}: {call.role} asks {call.model} ==="]
    if not call.whole:
        lines.append(NOT_KEPT)
    else:
        body = reader.body(call)
        lines += _options(call.options)
        first = call.kept if new else 0
        if first:
            lines.append(f"\n({first} message{'s' * (first > 1)} as in call {call.after + 1})")
        for message in body.get("messages", ())[first:]:
            lines += _message(message)
        for name in call.given:
            lines += _given(name, body[name])
        tools = body.get("tools", ())
        if tools and offered not in (None, call.number):
            lines.append(f"\n--- {len(tools)} tools, as in call {(offered or 0) + 1} ---")
        elif tools:
            lines.append(f"\n--- {len(tools)} tools (in full with --json) ---")
            lines += [f"{one['function']['name']}: {_first(one['function'].get('description', ''))}" for one in tools]
        if call.schema:
            lines.append(f"\n--- schema of the reply ---\n{json.dumps(body['response_format'], ensure_ascii=False)}")
    for one in call.attempts:
        lines += _attempt(call, one, reader)
    if call.unread:
        lines.append(f"\n--- could not be read ---\n{call.unread}")
    elif read_as:
        lines.append(f"\n--- read as ---\n{read_as}")
    return "\n".join(lines) + "\n"


def perceived_lines(turn: int, env: str, found: Mapping[str, Any], store: MediaStore | None = None) -> list[str]:
    """What was read from a screen in place of its tree: a line about it, and one for each element.

    Args:
        turn: from 0. found: as `TurnTaken.perceived` holds it. store: has the elements; None to leave them out.
    """
    seconds, usage = found["seconds"], found["usage"]
    told = [f"turn {turn + 1}: {found['elements']['count']} elements were read from the screenshot of {env}"]
    told += [f"{name} {value:.2f} s" for name, value in seconds.items()]
    if usage["calls"]:
        many = "1 call of a model" if usage["calls"] == 1 else f"{usage['calls']} calls of models"
        told.append(f"{many}, {usage['tokens_in'] + usage['tokens_out']:,} tokens")
    lines = [", ".join(told)]
    if store is not None:
        for one in elements_from_text(store.get_json(found["elements"]["digest"])):
            sure = "" if one.confidence is None else f", {one.confidence:.2f} sure"
            x, y = one.box.center.x, one.box.center.y
            lines.append(f"  {perceived_kind(one.role):6}  {one.name!r} at ({x:.3f}, {y:.3f}){sure}")
    return lines


def program_words(steps: Sequence[StepTaken]) -> dict[int, list[str]]:
    """By turn, from 0, what stands for a move of the planner that is a program of verbs: a line for each."""
    programs: dict[int, list[list[StepTaken]]] = {}
    for step in steps:
        if step.program:
            of_turn = programs.setdefault(step.turn, [])
            if step.program["part"] == 0 or not of_turn:
                of_turn.append([])
            of_turn[-1].append(step)
    return {turn: [_program_line(parts) for parts in of_turn] for turn, of_turn in programs.items()}


def guard_words(rulings: Sequence[MoveGuarded]) -> dict[int, list[str]]:
    """What a guard refused, and what it had approved, in words by turn; nothing of what it allowed by itself."""
    found: dict[int, list[str]] = {}
    for one in rulings:
        if one.said != "allow" or not one.passed:
            became = f"approved in {one.asked_seconds:.1f} s" if one.passed else f"refused: {one.why}"
            found.setdefault(one.turn, []).append(f"guard, step {one.step + 1}, rule {one.rule!r}: {became}")
    return found


def _program_line(parts: Sequence[StepTaken]) -> str:
    asked = parts[0].program
    done = "; ".join(f"{action(part.proposed)} ({part.result})" for part in parts)
    many = f"{len(parts)} steps" if len(parts) > 1 else "1 step"
    return f"{asked['env'] or parts[0].env}: the planner's move {action(asked['asked'])} took {many}: {done}"


def move_words(decided: TurnTaken) -> str:
    """The moves of a decision, one a line."""
    moves = [f"{move.get('env') or 'the world'}: {action(move.get('intent'))}" for move in decided.moves]
    return "\n".join(moves) or "no move"


def answer_words(answer: PointingAnswer) -> str:
    """An answer of a pointing run, and whether it was right."""
    verdict = "a hit" if answer.hit else "a miss"
    if answer.point is None:
        return f"no point ({answer.reason}): {verdict}"
    x, y = answer.point.x * answer.width, answer.point.y * answer.height
    return f"the point {x:.0f}, {y:.0f} of {answer.width}×{answer.height} pixels: {verdict}"


def _options(options: Mapping[str, Any]) -> list[str]:
    return [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in options.items()]


def _message(message: Mapping[str, Any]) -> list[str]:
    """A message, part by part, in its order."""
    role = message.get("role", "?")
    answered = message.get("tool_call_id")
    lines = [f"\n--- {role}{f' (answers {answered})' if answered else ''} ---"]
    if "missing" in message:
        return [*lines, f"({message['missing']})"]
    content = message.get("content")
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else content or ()
    lines += [text for part in parts if (text := _part(part))]
    for call in message.get("tool_calls") or ():
        lines.append(f"calls {call['function']['name']}({call['function']['arguments']}) as {call['id']}")
    return lines


def _given(name: str, value: Any) -> list[str]:
    """What a request without messages is about: texts, numbered, or a capture."""
    if isinstance(value, list):
        texts = [f"{number}. {text}" for number, text in enumerate(value, 1)]
        return [f"\n--- {name}: {len(texts):,} text{'s' * (len(texts) != 1)} ---", *texts]
    said = value["missing"] if "missing" in value else capture_words(value)
    return [f"\n--- {name} ---", f"({said})"]


def _part(part: Mapping[str, Any]) -> str:
    if part.get("type") == "text":
        return str(part["text"])
    for value in part.values():
        if isinstance(value, Mapping):
            for reference in value.values():
                if isinstance(reference, Mapping) and "digest" in reference:
                    more = [f"{k} {v}" for k, v in value.items() if v is not reference]
                    return f"({', '.join((capture_words(reference), *more))})"
    return json.dumps(part, ensure_ascii=False)


def capture_words(reference: Mapping[str, Any]) -> str:
    """A capture of a request in words: its type, size or length, and its file in the run."""
    words = [str(reference["type"])]
    if "size" in reference:
        words.append("{}×{}".format(*reference["size"]))
    if "end" in reference:
        words.append(f"{reference['end'] - reference['start']:.2f} s")
    return f"{' '.join(words)}: {MEDIA}/{media_path(reference['digest'], reference['media'])}"


def _attempt(call: RecordedCall, one: ModelCalled, reader: CallReader) -> list[str]:
    usage = one.usage
    cost = "at an unknown price" if usage["cost"] is None else f"${usage['cost']:.6f}"
    figures = f"{usage['tokens_in']:,} tokens in, {usage['tokens_out']:,} out, {cost}, {usage['seconds']:.2f} s"
    which = f"attempt {one.again + 1}" if one.again or len(call.attempts) > 1 else "answer"
    lines = [f"\n--- {which}{' from the cassette' if one.replayed else ''}: {figures} ---"]
    if one.dropped:
        lines.append(f"(not sent: {', '.join(one.dropped)})")
    if one.problem:
        lines.append(f"failed: {one.problem}")
    if not call.whole:
        return lines
    reply = reader.reply(one)
    if reply.get("reasoning"):
        lines.append(f"reasoning: {reply['reasoning']}")
    if reply.get("text"):
        lines.append(reply["text"])
    lines += [f"calls {name}({arguments})" for name, arguments in reply.get("calls", ())]
    if reply.get("finish"):
        lines.append(f"finish: {reply['finish']}")
    raw = reader.raw(one)
    return [*lines, f"\nraw: {raw}"] if raw else lines


def _first(text: str) -> str:
    line, _, rest = text.partition("\n")
    return f"{line} …" if rest else line
