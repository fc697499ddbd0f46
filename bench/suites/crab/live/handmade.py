"""CRAB's handmade tasks, which are code: read from `handmade_tasks.py` of the data, which is parsed and never run.

    def evaluator_1():
        result = nx.DiGraph()
        a = check_current_window_process("gnome-terminal-server")
        b = ~is_process_open("vim")
        result.add_edges_from([(a, b)])
        return result

    Task(id="…", description="…", evaluator=evaluator_1())

Each call of an evaluator becomes a sub-task with one judge; what these judges are is ours.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from omnipilot.bench.scoring.data.records import Bad
from omnipilot.bench.suites.crab.adjacency import Adjacency
from omnipilot.bench.suites.crab.data import CrabTask, Use
from omnipilot.bench.suites.crab.live.judges import ENCYCLOPEDIA
from omnipilot.bench.suites.crab.live.subtasks import Chosen, LiveSubTask

FILE = "handmade_tasks.py"
MESSAGE = "com.google.android.apps.messaging:id/compose_message_text"


def _check(platform: str, name: str, kind: str, parameters: tuple[str, ...] = (), **fixed: str) -> LiveSubTask:
    judge: Chosen = (kind, {**{parameter: f"{{{parameter}}}" for parameter in parameters}, **fixed})
    types = dict.fromkeys(parameters, "text")
    return LiveSubTask(f"handmade:{name}", platform, "", name, types, "", (judge,))  # type: ignore[arg-type]


CHECKS = (
    _check("android", "check_current_package_name", "front_activity", ("activity",)),
    _check("android", "check_message_text_box_contain", "node_mentions", ("text",), id=MESSAGE),
    _check("android", "check_message_text_box_empty", "node_is", id=MESSAGE, text="Text message"),
    _check("android", "check_note_content", "untitled_note_has", ("text",)),
    _check(
        "android",
        "check_google_tasks_name",
        "node_has_text",
        ("text",),
        id="com.google.android.apps.tasks:id/task_name",
    ),
    _check("android", "check_alarm_contains", "node_is", ("text",), id="com.google.android.deskclock:id/digital_clock"),
    _check("android", "check_calendar_in_today", "day_shown"),
    _check("android", "check_node_exist", "node_shown", ("query",)),
    _check("android", "check_keep_notes_content", "open_note_is", ("text",)),
    _check("android", "check_keep_notes_contain_fd", "note_tells_usage"),
    _check("android", "check_tap_text", "tapped_last", ("text",)),
    _check("ubuntu", "check_text_list_in_current_window_name", "front_title_has_all", ("texts",)),
    _check("ubuntu", "check_new_jpg_files_in_dir", "new_picture", ("folder",)),
    _check("ubuntu", "check_contain_input_text_and_get_df_result", "usage_asked", ("text",)),
    _check("ubuntu", "check_blluet_point_match_calendar", "boxes_match_day", ("path",)),
    _check("ubuntu", "check_current_window_process", "check_front_process", ("name",)),
    _check("ubuntu", "check_text_in_current_window_name", "check_front_title", ("text",)),
    _check("ubuntu", "check_contain_input_text", "typed", ("text",)),
    _check("ubuntu", "check_submit", "submitted", ("text",)),
    _check("ubuntu", "is_process_open", "check_process_runs", ("name",)),
    _check("ubuntu", "~is_process_open", "check_process_ended", ("name",)),
    _check("ubuntu", "check_file_exist", "check_file_exists", ("file_path",)),
    _check("ubuntu", "check_file_content", "check_file_contains", ("path", "text")),
    _check("ubuntu", "check_directory_exists", "check_folder_exists", ("path",)),
    _check("ubuntu", "verify_files_copied", "files_copied", ("source", "target", "extension")),
    _check("ubuntu", "is_image_2_brighter", "brighter", ("before", "after")),
    _check("ubuntu", "verify_background", "check_wallpaper", ("path",)),
    _check("ubuntu", "verify_combined_image", "check_pictures_beside", ("first", "second", "path", "side")),
    _check("ubuntu", "download_and_verify_file", "check_downloaded", ("url", "path")),
    _check("ubuntu", "download_from_clipboard_and_verify_file", "downloaded_from_clipboard", ("path",)),
    _check("ubuntu", "is_img_url_in_clipboard", "clipboard_has_image_address"),
    _check("ubuntu", "verify_country_data_in_ods", "sheet_has_country", ("country", "path"), encyclopedia=ENCYCLOPEDIA),
    _check(
        "ubuntu",
        "check_color_scheme",
        "check_setting",
        ("text",),
        schema="org.gnome.desktop.interface",
        key="color-scheme",
    ),
)
"""Evaluators of CRAB's by name, each as a sub-task that takes its arguments in their order."""
HANDMADE: Mapping[str, LiveSubTask] = {one.id: one for one in CHECKS}


def read_handmade(text: str, file: str = FILE) -> Iterator[CrabTask | Bad]:
    """The tasks of the file, in its order; a `Bad` for one that is written otherwise than the others.

    Args:
        text: of the file. file: its name, for messages.
    """
    try:
        module = ast.parse(text)
    except (SyntaxError, ValueError) as error:
        yield Bad(file, FILE, "", f"it is no Python: {error}")
        return
    constants = {
        target.id: node.value.value
        for node in module.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    functions = {node.name: node for node in module.body if isinstance(node, ast.FunctionDef)}
    for call in ast.walk(module):
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "Task"):
            continue
        given = {word.arg: word.value for word in call.keywords}
        id = str(getattr(given.get("id"), "value", f"line {call.lineno}"))
        try:
            words = _value(given["description"], constants)
            nodes, edges = _graph(given["evaluator"], functions, constants)
            uses = tuple(_use(node, names) for node, names in nodes)
            yield CrabTask(f"handmade/{file}", id, words, uses, Adjacency(tuple(range(len(uses))), edges))
        except (KeyError, ValueError, TypeError, IndexError) as error:
            yield Bad(file, id, "evaluator", f"it is written in a way that is not known here: {error}")


def _graph(
    made: ast.expr, functions: Mapping[str, ast.FunctionDef], constants: Mapping[str, Any]
) -> tuple[list[tuple[ast.expr, Mapping[str, Any]]], tuple[tuple[int, int], ...]]:
    """The calls of evaluators, each with the names that it may use, and the edges between them."""
    if not isinstance(made, ast.Call):
        raise ValueError(ast.unparse(made))
    if isinstance(made.func, ast.Attribute) and made.func.attr == "path_graph" and isinstance(made.args[0], ast.List):
        calls = made.args[0].elts
        return [(one, constants) for one in calls], tuple((at, at + 1) for at in range(len(calls) - 1))
    if not isinstance(made.func, ast.Name):
        raise ValueError(ast.unparse(made))
    known = dict(constants)
    numbers: dict[str, int] = {}
    nodes: list[tuple[ast.expr, Mapping[str, Any]]] = []
    edges: list[tuple[int, int]] = []
    for line in functions[made.func.id].body:
        if isinstance(line, ast.Assign) and isinstance(line.targets[0], ast.Name):
            name = line.targets[0].id
            if isinstance(line.value, ast.Constant):
                known[name] = line.value.value
            elif name != "result":
                numbers[name] = len(nodes)
                nodes.append((line.value, known))
        elif (
            isinstance(line, ast.Expr) and isinstance(line.value, ast.Call) and isinstance(line.value.args[0], ast.List)
        ):
            for pair in line.value.args[0].elts:
                before, after = (ast.unparse(one) for one in pair.elts)  # type: ignore[attr-defined]
                edges.append((numbers[before], numbers[after]))
    return nodes, tuple(edges)


def _use(node: ast.expr, names: Mapping[str, Any]) -> Use:
    ended = "~" if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert) else ""
    call = node.operand if isinstance(node, ast.UnaryOp) else node
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name)):
        raise ValueError(ast.unparse(node))
    id = f"handmade:{ended}{call.func.id}"
    given = [_value(one, names) for one in (*call.args, *(word.value for word in call.keywords))]
    known = HANDMADE.get(id)
    parameters = tuple(known.attributes) if known is not None else tuple(map(str, range(len(given))))
    return Use(id, dict(zip(parameters, given, strict=True)))


def _value(node: ast.expr, names: Mapping[str, Any]) -> Any:
    """A text: written out, by its name, or joined of such; those of a list are lines of one."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name) and node.id in names:
        return names[node.id]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _value(node.left, names) + _value(node.right, names)
    if isinstance(node, ast.List):
        return "\n".join(_value(one, names) for one in node.elts)
    raise ValueError(ast.unparse(node))
