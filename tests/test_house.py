"""The laws of the house: what may import what, where files may lie, what is never written.

A law is a function of a source tree that lists its breaches. Each is held against the real tree, and against a small
tree in which it is broken, so that a law that has gone blind fails too. What ruff checks (relative imports, rooms
imported by their bare names, evaluated text, loaded pickles) is no law here: only that ruff is told to check it.
"""

from __future__ import annotations

import ast
import functools
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from exhibits import is_exhibit
from shared_folders import ROOT, copy_checkout, made_once

FLOORS = {"envs": 0, "memory": 1, "planners": 2, "grounders": 2, "agents": 3, "bench": 4}
SHAPELESS = re.compile(r"(^|_)(core|utils?|common|helpers?|misc)(_|$)")
VOCABULARY = {
    *(f"envs/types/{name}.py" for name in ("geometry", "keys", "fields", "actions", "media", "observation", "custom")),
    *(
        "envs/types/errors.py",
        "envs/types/frames.py",
        "memory/messages.py",
        "memory/trajectory.py",
        "agents/assembly/spec.py",
    ),
}
HEAVY = ("numpy", "PIL", "pydantic", "cv2", "av", "torch", "litellm", "playwright", "miniwob", "rich", "scipy")
PYDANTIC = {
    "envs/schema/pydantic_models.py": "JSON of models becomes vocabulary",
    "agents/guard/read_policy.py": "TOML files become policies",
    "bench/run/read_settings.py": "TOML files become the settings of a run",
    "envs/composite/device_options.py": "what a world file says of devices becomes their options",
    "bench/journal/events_schema.py": "the classes of events become a JSON Schema",
    "bench/suites/pool/pool_folder.py": "lines of a pool become records",
}
"""The doors at which pydantic checks what comes in, and what describes them."""
CROWD = 25
CROWDED: dict[str, str] = {
    "bench/cli": "one module for each command, by its name",
    "bench/cli/commands": "one module for each command, by its name",
}
"""Folders of more modules, and why they are no two packages."""
WAYS_IN = {
    "bench/cli/app.py": "the command `omnipilot`",
    "bench/doors/inspect_tasks.py": "found by Inspect, by its entry point",
    "bench/suites/browsergym/agentlab_agent.py": "imported by experiments with AgentLab; docs/outside.md shows it",
    "bench/suites/duet/prove.py": "`python -m`, for whoever writes tasks",
    "bench/journal/events_schema.py": "`python -m`, prints the JSON Schema of the journal",
    "bench/suites/duet/single_subtasks.py": "named by `--add`, to try one sub-task alone",
    "envs/desktop/private/keeper.py": "run as a script beside each desktop",
    "grounders/served/guard.py": "run as a script beside each server",
}
"""Modules that are started, not imported."""
MAKING = frozenset({"make_dataclass", "new_class", "create_model", "prepare_class"})
"""Functions that make a class. At the doors, pydantic makes those that JSON is read by; no object of ours is of one."""
OF_CLASSES = frozenset({"__class__", "__bases__", "__dataclass_fields__", "__instancecheck__", "__subclasshook__"})
"""What says which class an object is of, and what the class is made of."""
UNUSED = {
    "PopupArrives": "what a task of one's own may let happen; docs/duet.md shows it",
    "NoticeArrives": "the same",
    "dialog_answer": "how a judge asks what was chosen in such a dialog",
    "from_networkx": "graphs of one's own, made with networkx; docs/synthesis.md names it",
    "write_icons": "makes a pack of icons for DetACT of the world's own; docs/omniact.md shows it",
    "OmnipilotArgs": "our agents for an experiment with AgentLab; docs/outside.md shows it",
    "make_debug_agent": "what `cube test` asks a cube's module `debug` for",
    "OmnipilotAgent": "runs in AndroidWorld's own loop; docs/outside.md shows it",
    "ImageFrame": "a chunk of a stream that a caller makes of pictures",
}
"""Functions and classes that nothing in the package names, and for whom they are there."""
FOUND_BY_LISTING = ("bench/suites/duet/templates/", "bench/suites/duet/recipes/")
"""Packages whose modules are found by listing the folder."""
SLEEPS = {
    "envs/sim/live.py": (1, "lets real time pass for as long as the agent asked"),
    "envs/desktop/world.py": (1, "lets time pass on the desktop for as long as the agent asked"),
    "envs/desktop/x11/connection.py": (1, "holds keys and moves the pointer for as long as programs need to notice"),
    "envs/desktop/pyautogui/world.py": (1, "lets time pass on the desktop for as long as the agent asked"),
    "envs/desktop/pyautogui/child.py": (2, "gives a program time to fetch what is pasted"),
    "envs/desktop/pyautogui/env.py": (1, "looks at the screen again until it is still"),
    "envs/web/chromium.py": (1, "looks again whether a driver has cleared its folders away"),
    "envs/web/env.py": (1, "lets time pass on the page for as long as the agent asked"),
    "envs/web/input.py": (2, "holds a button or keys for as long as the agent asked"),
}
"""Files that may sleep a given time: how often it is written there, and why."""
PICKLING = {"pickle", "cPickle", "dill", "cloudpickle", "shelve", "marshal"}
PART_NAMES = "agents/assembly/part_names.py"
"""The module that takes the names of parts apart."""
PARTS = {"PartSpec", "AgentSpec", "Registry", "RunSettings", "RunSpec"}
"""What a module imports that has to do with parts; a module that imports a registry has, too."""
HOLD_REGISTRIES = ("omnipilot.bench.registry", "omnipilot.agents.assembly")
SCRIPTS = {
    "envs/sim/render/fonts/make_atlas.py": "draws the atlas that lies beside it, by hand; no part of the package",
    "envs/speech/make_speech.py": "records the words that lie beside it, by hand; no part of the package",
}
"""Files beside the data they made, which are no modules."""


CONTRACTS = {
    *("envs/base.py", "memory/base.py", "memory/gate/base.py", "planners/base.py", "grounders/base.py"),
    *("agents/base.py", "agents/verbs/base.py", "bench/tasks/task.py", "memory/agent_part.py"),
    "grounders/sources/base.py",
}
"""What a part, a suite, or a task has to be."""
PASSED = {
    *("memory/messages.py", "memory/trajectory.py", "memory/truth.py", "memory/expectations.py", "agents/limits.py"),
    *("bench/tasks/graph.py", "bench/tasks/judges.py", "bench/tasks/review.py", "bench/tasks/user_facts.py"),
    "bench/finding.py",
    "memory/examples/example.py",
}
"""Modules of the records that contracts pass; those of `envs/types` are such, too."""
CONTRACTS_IMPORT = {
    ("memory/base.py", "memory/episodic/events.py"): "a memory may be told events of other parts",
    ("agents/base.py", "memory/episodic/events.py"): "an agent may tell events for the journal",
    ("grounders/base.py", "grounders/families/family.py"): "a grounder may say of which family its model is",
    ("memory/base.py", "memory/store/media_store.py"): "a memory may be given the store of the run",
}
"""What contracts import beside contracts and passed records, and why."""
MAKES_LAZY = {"omnipilot.envs.lazy", "omnipilot.envs.lazy_exports", "omnipilot.envs.lazy.lazy_exports"}
"""What the `__init__` of a package imports, to load its names on first use."""
MODULE_NAME = r"omnipilot(?:\.\w+)+(?::\w+)?"
VERBS = {"embed", "seed", "speed", "feed", "need", "read", "proceed", "exceed"}
IRREGULAR = (
    *("told", "found", "said", "seen", "heard", "written", "given", "shown", "taken", "known", "kept", "held"),
    *("left", "sent", "drawn", "bound", "built", "meant", "lost", "spoken", "chosen", "done", "gone", "laid"),
    *("made", "begun", "bought", "brought", "caught", "felt", "grown", "hidden", "paid", "sold", "thrown", "worn"),
)


class Source(NamedTuple):
    """A module's syntax tree, and those of its nodes that a law looks at, wherever they stand."""

    tree: ast.Module
    imports: list[ast.Import | ast.ImportFrom]
    calls: list[ast.Call]
    texts: list[ast.Constant]


def sources(root: Path) -> Iterator[tuple[str, Source]]:
    """Every module of the rooms, by its path from the root."""
    for folder in FLOORS:
        for path in sorted((root / folder).rglob("*.py")):
            yield path.relative_to(root).as_posix(), read_source(path.read_text(encoding="utf-8"))


@functools.cache
def read_source(text: str) -> Source:
    """Each text is parsed and walked once, for all laws."""
    source = Source(ast.parse(text), [], [], [])
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            source.imports.append(node)
        elif isinstance(node, ast.Call):
            source.calls.append(node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            source.texts.append(node)
    return source


def imported(node: ast.AST) -> list[str]:
    """Full names that an import statement may bring in: `from a import b` may be the module `a.b`."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and not node.level:
        return [f"{node.module}.{alias.name}" for alias in node.names]
    return []


def loaded(tree: ast.AST) -> Iterator[ast.stmt]:
    """The statements that run when a module is imported: not those in functions, nor what only type checkers read."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            continue
        if isinstance(node, ast.stmt):
            yield node
        yield from loaded(node)


def contracts(root: Path) -> dict[str, dict[str, str]]:
    """What each package offers: the module of each name, by the package's full name."""
    found: dict[str, dict[str, str]] = {}
    for path, source in sources(root):
        if path.endswith("/__init__.py"):
            package = "omnipilot." + path.removesuffix("/__init__.py").replace("/", ".")
            blocks = [node for node in source.tree.body if isinstance(node, ast.If)]
            lines = [line for block in blocks for line in block.body if isinstance(line, ast.ImportFrom)]
            found[package] = {alias.name: str(line.module) for line in lines for alias in line.names}
    return found


def imports_go_down(root: Path) -> list[str]:
    """Law 1, between rooms. Late imports count, and so do modules named in text (`"omnipilot.agents.limits:make"`)."""
    found = []
    for path, source in sources(root):
        room = path.split("/")[0]
        named = [(node.lineno, name) for node in source.imports for name in imported(node)]
        for node in source.texts:
            if re.fullmatch(r"omnipilot\.\w+[.:][\w.:]+", str(node.value)):
                named.append((node.lineno, str(node.value).replace(":", ".")))
        for line, name in named:
            if name.startswith("omnipilot."):
                other = name.split(".")[1]
                if other != room and FLOORS.get(other, -1) >= FLOORS[room]:
                    found.append(f"{path}:{line}: {room} imports {other}")
    return found


def packages_form_no_circle(root: Path) -> list[str]:
    """Law 1, between the packages of a room, and of a package. Late imports count, what only type checkers read not."""
    modules = {path.removesuffix(".py").removesuffix("/__init__") for path, _ in sources(root)}
    packages = {path.removesuffix("/__init__.py") for path, _ in sources(root) if path.endswith("/__init__.py")}
    offered = contracts(root)
    needs: dict[str, set[str]] = {}
    for path, source in sources(root):
        if path.endswith("/__init__.py"):
            continue
        checked = {id(node) for block in source.tree.body if isinstance(block, ast.If) for node in ast.walk(block)}
        for node in source.imports:
            if id(node) in checked:
                continue
            for name in imported(node):
                whole, _, last = name.rpartition(".")
                name = f"{offered.get(whole, {}).get(last, whole)}.{last}"
                parts = name.split(".")[1:]
                # The module itself, or the one that the name stands in.
                other = next((at for n in (0, 1) if (at := "/".join(parts[: len(parts) - n])) in modules), "")
                for depth in range(1, min(path.count("/"), other.count("/") + (other in packages)) + 1):
                    here, there = path.split("/")[: depth + 1], other.split("/")[: depth + 1]
                    ours, theirs = "/".join(here), "/".join(there)
                    if here[:-1] == there[:-1] and ours != theirs and {ours, theirs} <= packages:
                        needs.setdefault(ours, set()).add(theirs)

    def reaches(start: str, end: str) -> bool:
        seen, due = set[str](), [start]
        while due:
            for other in needs.get(due.pop(), ()):
                if other == end:
                    return True
                if other not in seen:
                    seen.add(other)
                    due.append(other)
        return False

    return [
        f"{ours}: imports {theirs}, which comes back to it"
        for ours in sorted(needs)
        for theirs in sorted(needs[ours])
        if reaches(theirs, ours)
    ]


def find_module(name: str, modules: Collection[str], offered: dict[str, dict[str, str]]) -> str:
    """The path of the module that an imported name is defined in, or that it is; "" for a package, or none of ours."""
    whole, _, last = name.rpartition(".")
    while whole != (defined := offered.get(whole, {}).get(last, whole)):
        whole = defined
    parts = f"{whole}.{last}".split(".")[1:]
    paths = ("/".join(parts[: len(parts) - n]) + ".py" for n in (0, 1))
    return next((path for path in paths if path in modules), "")


def the_engine_names_no_exhibit(root: Path) -> list[str]:
    """Law 1. The engine imports no exhibit, at the top or late, and names no module of one in text."""
    found = []
    for path, source in sources(root):
        if is_exhibit(path):
            continue
        named = [(node.lineno, name) for node in source.imports for name in imported(node)]
        for node in source.texts:
            named += [(node.lineno, name.replace(":", ".")) for name in re.findall(MODULE_NAME, str(node.value))]
        for line, name in named:
            if name.startswith("omnipilot.") and is_exhibit("/".join(name.split(".")[1:])):
                found.append(f"{path}:{line}: names {name}; the engine stands without it")
    return found


def exhibits_take_what_is_offered(root: Path) -> list[str]:
    """Law 2. What an exhibit imports from the engine is a name that a package offers, without exception."""
    offered = contracts(root)
    all_offered = {(module, name) for names in offered.values() for name, module in names.items()}
    found = []
    for path, source in sources(root):
        for node in source.imports if is_exhibit(path) else ():
            whole = str(node.module) if isinstance(node, ast.ImportFrom) else ""
            if not whole.startswith("omnipilot.") or is_exhibit(whole.removeprefix("omnipilot.").replace(".", "/")):
                continue
            for alias in node.names:
                taken = f"{whole.removeprefix('omnipilot.')}.{alias.name}"
                is_offered = alias.name in offered.get(whole, {}) or (whole, alias.name) in all_offered
                if not is_offered:
                    found.append(f"{path}:{node.lineno}: takes {taken}, which no package offers")
    return found


def contracts_import_no_implementation(root: Path) -> list[str]:
    """Law 6. A contract imports contracts and the records that they pass, also where only types are checked."""
    modules = {path for path, _ in sources(root)}
    offered = contracts(root)
    found = []
    for path, source in sources(root):
        for node in source.imports if path in CONTRACTS else ():
            for name in imported(node):
                other = find_module(name, modules, offered)
                passed = other in CONTRACTS | PASSED or other.startswith("envs/types/")
                if other and not passed and (path, other) not in CONTRACTS_IMPORT:
                    found.append(f"{path}:{node.lineno}: a contract imports {other}, an implementation")
    return found


def modules_form_no_circle(root: Path) -> list[str]:
    """Law 1. Late imports count; what only type checkers read does not: nobody has to load it to run the module."""
    modules = {path for path, _ in sources(root)}
    offered = contracts(root)
    needs: dict[str, set[str]] = {}
    for path, source in sources(root):
        blocks = [node for node in ast.walk(source.tree) if isinstance(node, ast.If)]
        typing = [block for block in blocks if ast.unparse(block.test).endswith("TYPE_CHECKING")]
        checked = {id(node) for block in typing for node in ast.walk(block)}
        names = [name for node in source.imports if id(node) not in checked for name in imported(node)]
        needs[path] = {other for name in names if (other := find_module(name, modules, offered))} - {path}

    def way(start: str) -> list[str]:
        """The shortest way from a module back to itself."""
        ways, seen = [[start]], set[str]()
        for here in ways:
            for other in sorted(needs.get(here[-1], ())):
                if other == start:
                    return [*here, other]
                if other not in seen:
                    seen.add(other)
                    ways.append([*here, other])
        return []

    circles = [found for path in sorted(needs) if (found := way(path))]
    return [f"{circle[0]}: imports itself by way of {', '.join(circle[1:-1])}" for circle in circles]


def a_class_name_means_one_thing(root: Path) -> list[str]:
    """Names. Each public class has a name of its own."""
    places: dict[str, list[str]] = {}
    for path, source in sources(root):
        for node in source.tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(path)
    return [
        f"{name}: {len(paths)} classes have this name ({', '.join(paths)}); say in each what it is of"
        for name, paths in sorted(places.items())
        if len(paths) > 1
    ]


def functions_are_verbs_or_nouns(root: Path) -> list[str]:
    """Names. No public function is a bare participle."""
    return [
        f"{path}:{node.lineno}: {node.name}: a participle; name the function by what it does, or by what it returns"
        for path, source in sources(root)
        for node in source.tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if is_participle(node.name)
    ]


def is_participle(name: str) -> bool:
    """Whether a name is one word that is the past participle of a verb; verbs and nouns of the same form are none."""
    return name not in VERBS and bool(re.fullmatch(r"(un|re)?([a-z]+ed|" + "|".join(IRREGULAR) + ")", name))


def contracts_are_used(root: Path) -> list[str]:
    """Law 2. From another room a name is imported from the room, or from the first package, that offers it."""
    found, offered = [], contracts(root)
    for path, source in sources(root):
        for node in source.imports:
            if not isinstance(node, ast.ImportFrom) or not str(node.module).startswith("omnipilot."):
                continue
            parts = str(node.module).split(".")
            if parts[1] == path.split("/")[0]:
                continue
            for alias in node.names:
                for depth in range(2, len(parts)):
                    package = ".".join(parts[:depth])
                    if offered.get(package, {}).get(alias.name) == node.module:
                        found.append(f"{path}:{node.lineno}: import {alias.name} from {package}")
                        break
    return found


def packages_load_nothing(root: Path) -> list[str]:
    """Law 2. Importing a package imports none of its modules: an `__init__` holds a docstring and its contract."""
    found = []
    for path, source in sources(root):
        if not path.endswith("/__init__.py"):
            continue
        for node in loaded(source.tree):
            if any(n.startswith("omnipilot.") and n not in MAKES_LAZY for n in imported(node)):
                found.append(f"{path}:{node.lineno}: imports a module; offer its names under TYPE_CHECKING")
        if path.count("/") > 0 and not ast.get_docstring(source.tree):
            found.append(f"{path}:1: says nothing about what the package holds")
    return found


def folders_are_not_crowded(root: Path) -> list[str]:
    """Law 3. More than 25 modules in one folder need a reason."""
    count: dict[str, int] = {}
    for path, _ in sources(root):
        folder = path.rpartition("/")[0]
        count[folder] = count.get(folder, 0) + (not path.endswith("/__init__.py"))
    return [
        f"{folder}: {number} modules, at most {CROWD}; find the package that is missing, or give the reason in CROWDED"
        for folder, number in sorted(count.items())
        if number > CROWD and folder not in CROWDED
    ]


def everything_is_read(root: Path) -> list[str]:
    """Law 7. Nothing in the wheel is only for us: each module is imported, named in text, or a way in."""
    offered = {module for names in contracts(root).values() for module in names.values()}
    read = set(offered)
    names_in_text: set[str] = set()
    for _, source in sources(root):
        for node in source.imports:
            for name in imported(node):
                read |= {name, name.rpartition(".")[0]}
        for text in source.texts:
            names_in_text |= set(re.findall(r"\w+", str(text.value)))
    found = []
    for path, _ in sources(root):
        module = "omnipilot." + path.removesuffix(".py").replace("/", ".")
        if path.endswith("/__init__.py") or path in SCRIPTS or path in WAYS_IN:
            continue
        if (
            module not in read
            and module.rpartition(".")[2] not in names_in_text
            and not path.startswith(FOUND_BY_LISTING)
        ):
            found.append(f"{path}: nobody imports it; tools for ourselves belong to tests/perf or docs/figures")
    return found


def everything_defined_is_used(root: Path) -> list[str]:
    """Law 7. A function or class of a module is offered, decorated, or named outside of itself; or nobody needs it.

    Words in texts count as names, so that what is found is certain, though not all that is unused is found.
    """
    named = {name for names in contracts(root).values() for name in names}
    defined: list[tuple[str, ast.FunctionDef | ast.ClassDef]] = []
    for path, source in sources(root):
        for statement in source.tree.body:
            own = {statement.name} if isinstance(statement, ast.FunctionDef | ast.ClassDef) else set()
            if isinstance(statement, ast.FunctionDef | ast.ClassDef) and path not in SCRIPTS:
                kept = [ast.unparse(one).split("(")[0] for one in statement.decorator_list]
                if set(kept) <= {"dataclass", "functools.cache", "contextmanager", "runtime_checkable"}:
                    defined.append((path, statement))
            for node in ast.walk(statement):
                if isinstance(node, ast.Name):
                    named |= {node.id} - own
                elif isinstance(node, ast.Attribute):
                    named |= {node.attr} - own
                elif isinstance(node, ast.ImportFrom):
                    named |= {alias.name for alias in node.names}
                elif isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 100:
                    named |= set(re.findall(r"\w+", node.value)) - own
    return [
        f"{path}:{one.lineno}: nothing names {one.name}; delete it, or say in UNUSED for whom it is there"
        for path, one in defined
        if one.name not in named and one.name not in UNUSED
    ]


def nothing_is_shapeless(root: Path) -> list[str]:
    """Law 2. A shared type lives in the lowest room that uses it."""
    inside = [path for room in FLOORS for path in (root / room).rglob("*") if "__pycache__" not in path.parts]
    beside = [path for path in root.iterdir() if path.is_dir()]
    named = {path.relative_to(root).as_posix() for path in inside + beside if SHAPELESS.search(path.stem)}
    return [f"{path}: says nothing about what it holds" for path in sorted(named)]


def folders_are_packages(root: Path) -> list[str]:
    """Law 3. Every folder of a room that holds modules is a package, so that setup.py finds it."""
    modules = {path.relative_to(root) for room in FLOORS for path in (root / room).rglob("*.py")}
    tree = {path.parent.as_posix() for path in modules if path.as_posix() not in SCRIPTS}
    found = [f"{folder}: has no __init__.py" for folder in sorted(tree) if not (root / folder / "__init__.py").exists()]
    found += [f"{room}/py.typed: is missing" for room in FLOORS if not (root / room / "py.typed").exists()]
    links = {path.name for path in (root / "src/omnipilot").iterdir() if path.is_dir() and path.name != "__pycache__"}
    return found + [f"src/omnipilot: needs a link to each room, and nothing else: {sorted(links ^ set(FLOORS))}"] * (
        links != set(FLOORS)
    )


def build_wheel(folder: Path, prepare: Callable[[Path], None] = lambda folder: None) -> None:
    """Build the wheel of a copy of the tree, changed before by `prepare`, into `wheel` in that folder."""
    prepare(copy_checkout(folder))
    build = "import setuptools.build_meta as backend; backend.build_wheel('wheel')"
    done = subprocess.run(
        [sys.executable, "-c", build], cwd=folder, capture_output=True, text=True, timeout=200, check=False
    )
    assert not done.returncode, f"the wheel cannot be built: {done.stderr[-1500:]}"


def write_links_as_text(folder: Path) -> None:
    """What a checkout without symbolic links has in their place."""
    for room in FLOORS:
        link = folder / "src/omnipilot" / room
        target = link.readlink()
        link.unlink()
        link.write_text(target.as_posix())


def files_of(root: Path) -> set[str]:
    """Every file of the rooms, and those of the root package, which lie beside the links to the rooms."""
    files = [path for room in FLOORS for path in (root / room).rglob("*") if path.is_file()]
    here = {path.relative_to(root).as_posix() for path in files if "__pycache__" not in path.parts}
    return here | {path.name for path in (root / "src/omnipilot").iterdir() if path.is_file()}


def the_wheel_is_the_tree(kept: set[str], wheel: Path) -> list[str]:
    """Law 3. Every file of the package is in the wheel, and nothing else."""
    with zipfile.ZipFile(wheel) as file:
        packed = {name.removeprefix("omnipilot/") for name in file.namelist() if ".dist-info/" not in name}
    return [f"{path}: is not in the wheel" for path in sorted(kept - packed - set(SCRIPTS))] + [
        f"{path}: is in the wheel but not in the tree" for path in sorted(packed - kept)
    ]


def the_vocabulary_is_light(root: Path) -> list[str]:
    """Law 5. What an `__init__`, the `base` of a room or a vocabulary module loads in the end is standard library."""
    trees = {path: source.tree for path, source in sources(root)}
    offered = contracts(root)
    due = [path for path in trees if path.endswith("/__init__.py") or path in VOCABULARY]
    due += [path for path in trees if path.count("/") == 1 and path.endswith("/base.py")]
    reached = dict.fromkeys(due, "")
    found = []
    while due:
        path = due.pop()
        for node in loaded(trees[path]):
            for name in imported(node):
                if name.startswith("omnipilot."):
                    whole, _, last = name.rpartition(".")
                    parts = f"{offered.get(whole, {}).get(last, whole)}.{last}".split(".")[1:]
                    files = ["/".join(parts[:depth]) + ".py" for depth in range(1, len(parts) + 1)]
                    for file in (file for file in files if file in trees and file not in reached):
                        reached[file] = path
                        due.append(file)
                elif name.split(".")[0] not in sys.stdlib_module_names:
                    through = f" (loaded by {reached[path]})" if reached[path] else ""
                    found.append(f"{path}:{node.lineno}: imports {name.split('.')[0]} at the top{through}")
    return found


def pydantic_is_at_the_doors(root: Path) -> list[str]:
    """Law 5, and design §2: what comes in from outside is checked in few places."""
    return [
        f"{path}:{node.lineno}: imports pydantic"
        for path, source in sources(root)
        for node in source.imports
        if path not in PYDANTIC and any(name.split(".")[0] == "pydantic" for name in imported(node))
    ]


def nothing_forbidden_is_written(root: Path) -> list[str]:
    """No modules that pickle, no compiled text, no fixed sleeps."""
    found = []
    for path, source in sources(root):
        for node in source.imports:
            modules = {name.split(".")[0] for name in imported(node)} & PICKLING
            told = [f"imports {name}" for name in sorted(modules)]
            if "time.sleep" in imported(node):
                told.append("write time.sleep, so that it is seen")
            found += [f"{path}:{node.lineno}: {problem}" for problem in told]
        slept = 0
        for call in source.calls:
            called = ast.unparse(call.func)
            if called == "compile":
                found.append(f"{path}:{call.lineno}: calls {called}")
            if called == "time.sleep" or called.endswith(".wait_for_timeout"):
                slept += 1
                if slept > SLEEPS.get(path, (0, ""))[0]:
                    found.append(f"{path}:{call.lineno}: sleeps a fixed time")
            if any(word.arg == "allow_pickle" and ast.unparse(word.value) != "False" for word in call.keywords):
                found.append(f"{path}:{call.lineno}: loads pickles")
    return found


def possessive_quantifiers_stand_after_one_character(root: Path) -> list[str]:
    """Python before 3.11.5 loses matches of groups that a possessive quantifier or `(?>` holds (cpython issue 106052).

    Where a pattern is put together from parts, a part in braces counts as a group.
    """
    quantifier = r"(?:[*+?]|\{\d*,?\d*\})\+"
    found = []
    for path, source in sources(root):
        parts = {
            id(value) for node in ast.walk(source.tree) if isinstance(node, ast.JoinedStr) for value in node.values
        }
        for node in source.texts:
            if re.search(rf"(?<!\\)\){quantifier}|(?<!\\)\(\?>", str(node.value)) or (
                id(node) in parts and re.match(quantifier, str(node.value))
            ):
                found.append(f"{path}:{node.lineno}: a possessive group; leave out its last +, and time a long text")
    return found


def no_literal_is_unpacked_in_place(root: Path) -> list[str]:
    """`(*(A, B), *(C, D))` says what `(A, B, C, D)` says; groups that mean something have names of their own."""
    found = []
    for path, source in sources(root):
        for node in ast.walk(source.tree):
            if isinstance(node, ast.Starred):
                values: list[ast.expr] = [node.value]
            elif isinstance(node, ast.Dict):
                values = [value for key, value in zip(node.keys, node.values, strict=True) if key is None]
            else:
                continue
            found += [
                f"{path}:{value.lineno}: unpacks what is written there; write its elements"
                for value in values
                if isinstance(value, ast.Tuple | ast.List | ast.Set | ast.Dict)
            ]
    return found


def no_class_is_made_at_run_time(root: Path) -> list[str]:
    """What an object is stands in the source: no class is made, changed or pretended while the program runs."""
    found = []
    for path, source in sources(root):
        for node in ast.walk(source.tree):
            if isinstance(node, ast.Call):
                called = ast.unparse(node.func).rpartition(".")[2]
                at_a_door = called == "create_model" and path in PYDANTIC
                if (called in MAKING and not at_a_door) or (ast.unparse(node.func) == "type" and len(node.args) > 1):
                    found.append(f"{path}:{node.lineno}: makes a class by {called}()")
                if called in ("setattr", "__setattr__") and any(_is_of_classes(arg) for arg in node.args):
                    found.append(f"{path}:{node.lineno}: changes a class by {called}()")
            elif isinstance(node, ast.Attribute) and node.attr in OF_CLASSES and isinstance(node.ctx, ast.Store):
                found.append(f"{path}:{node.lineno}: assigns {node.attr}")
            elif isinstance(node, ast.ClassDef):
                said = [one for one in node.body if isinstance(one, ast.FunctionDef | ast.Assign | ast.AnnAssign)]
                names = {name: one.lineno for one in said for name in _names_of(one)}
                found += [f"{path}:{line}: pretends {name}" for name, line in names.items() if name in OF_CLASSES]
    return [f"{told}; write the class, and delegate to what differs (see Capability)" for told in found]


def _is_of_classes(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value in OF_CLASSES


def _names_of(node: ast.FunctionDef | ast.Assign | ast.AnnAssign) -> Iterator[str]:
    """The names that a statement in the body of a class gives a value."""
    if isinstance(node, ast.FunctionDef):
        yield node.name
    else:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        yield from (target.id for target in targets if isinstance(target, ast.Name))


def part_names_are_split_in_one_place(root: Path) -> list[str]:
    """Whoever has parts reads their records: no module that imports these splits a text at `:`, `/` or `+`, or asks
    whether it contains one, nor splits what is called `of` at a comma."""
    found = []
    for path, source in sources(root):
        names = {name for node in source.imports for name in imported(node)}
        last = {name.rpartition(".")[2] for name in names}
        registries = [name for name in names if name.startswith(HOLD_REGISTRIES) and name.rpartition(".")[2].isupper()]
        if path == PART_NAMES or not (last & PARTS or registries):
            continue
        for node in ast.walk(source.tree):
            if separator := _split_at(node):
                found.append(f"{path}:{node.lineno}: splits a text at {separator!r}; use {PART_NAMES}")
    return found


def _split_at(node: ast.AST) -> str:
    """The separator at which a name of a part might be taken apart; "" if it is not."""
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In | ast.NotIn):
        asked = node.left.value if isinstance(node.left, ast.Constant) else ""
        return asked if asked in (":", "/", "+") else ""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
        return ""
    first = node.args[0].value if isinstance(node.args[0], ast.Constant) else ""
    if node.func.attr not in ("split", "rsplit", "partition", "rpartition") or not isinstance(first, str):
        return ""
    called = ast.unparse(node.func.value).rpartition(".")[2]
    return first if first in (":", "/", "+") or (first == "," and called == "of") else ""


Law = Callable[[Path], list[str]]


def no_comprehension_hides_a_global(root: Path) -> list[str]:
    """A comprehension's variable has no name that its function takes from the module.

    Some releases of CPython 3.12 (3.12.1, 3.12.3) take the module's for a local then, and raise `UnboundLocalError`.
    """
    found = []
    kinds = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)

    def bound(comprehension: ast.AST) -> set[str]:
        targets = [generator.target for generator in getattr(comprehension, "generators", ())]
        return {node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)}

    for path, source in sources(root):
        top = {name for node in source.tree.body for name in defined(node)}
        for function in ast.walk(source.tree):
            if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            comprehensions = [node for node in ast.walk(function) if isinstance(node, kinds)]
            for name in sorted(top & {name for one in comprehensions for name in bound(one)}):
                inside = {id(node) for one in comprehensions if name in bound(one) for node in ast.walk(one)}
                for node in ast.walk(function):
                    if isinstance(node, ast.Name) and node.id == name and id(node) not in inside:
                        found.append(
                            f"{path}:{node.lineno}: a comprehension of this function calls its variable {name}, too"
                        )
                        break
    return found


def defined(node: ast.stmt) -> set[str]:
    """The names that a statement of a module defines or imports."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {(alias.asname or alias.name).split(".")[0] for alias in node.names}
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return {name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)}


LAWS: list[Law] = [
    no_comprehension_hides_a_global,
    imports_go_down,
    packages_form_no_circle,
    contracts_are_used,
    packages_load_nothing,
    folders_are_not_crowded,
    everything_is_read,
    everything_defined_is_used,
    nothing_is_shapeless,
    folders_are_packages,
    the_vocabulary_is_light,
    pydantic_is_at_the_doors,
    nothing_forbidden_is_written,
    the_engine_names_no_exhibit,
    exhibits_take_what_is_offered,
    contracts_import_no_implementation,
    modules_form_no_circle,
    a_class_name_means_one_thing,
    functions_are_verbs_or_nouns,
    possessive_quantifiers_stand_after_one_character,
    no_literal_is_unpacked_in_place,
    no_class_is_made_at_run_time,
    part_names_are_split_in_one_place,
]


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_the_house_keeps(law: Law) -> None:
    assert law(ROOT) == []


def test_what_contracts_are_allowed_they_still_import() -> None:
    modules, offered = {path for path, _ in sources(ROOT)}, contracts(ROOT)
    for path, other in CONTRACTS_IMPORT:
        names = [
            name for node in read_source((ROOT / path).read_text(encoding="utf-8")).imports for name in imported(node)
        ]
        assert other in {find_module(name, modules, offered) for name in names}, f"{path} no longer imports {other}"


def test_every_exception_is_still_one() -> None:
    for path in [*SLEEPS, *SCRIPTS]:
        assert (ROOT / path).exists(), f"{path} is excused but not there"
    for path, (times, _) in SLEEPS.items():
        written = len(re.findall(r"time\.sleep\(|\.wait_for_timeout\(", (ROOT / path).read_text(encoding="utf-8")))
        assert written == times, f"{path} sleeps {written} times, {times} are excused"


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this tree; built once."""
    (found,) = (made_once(tmp_path_factory, "wheel", build_wheel) / "wheel").glob("*.whl")
    return found


def test_the_wheel_is_the_tree(wheel: Path) -> None:
    assert the_wheel_is_the_tree(files_of(ROOT), wheel) == []


def test_a_file_that_the_wheel_forgets_or_makes_up_is_told(wheel: Path) -> None:
    files = files_of(ROOT) - {"envs/base.py"} | {"envs/sim/tune.wav", "agents/deep/a.py"}
    assert the_wheel_is_the_tree(files, wheel) == [
        "agents/deep/a.py: is not in the wheel",
        "envs/sim/tune.wav: is not in the wheel",
        "envs/base.py: is in the wheel but not in the tree",
    ]


RUFF = {
    "from . import base": "TID252",
    **{f"import {room}.base": "TID251" for room in FLOORS},
    **{f"from {room} import base": "TID251" for room in FLOORS},
    "def f(x):\n    return eval(x)": "S307",
    "import builtins\nbuiltins.eval('x')": "S307",
    "exec('x')": "S102",
    "import builtins\nbuiltins.exec('x')": "S102",
    "import pickle\npickle.load(f)": "S301",
    "from pickle import loads\nloads(f)": "S301",
}
"""What ruff has to find, as it is set up here."""


def test_ruff_checks_what_is_left_to_it(tmp_path: Path) -> None:
    for number, text in enumerate(RUFF):
        (tmp_path / f"text_{number}.py").write_text(f"{text}\n")
    command = [sys.executable, "-m", "ruff", "check", "--no-cache", "--output-format=concise"]
    done = subprocess.run(
        [*command, f"--config={ROOT}/pyproject.toml", "."], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    for number, (text, code) in enumerate(RUFF.items()):
        lines = [line for line in done.stdout.splitlines() if line.startswith(f"text_{number}.py:")]
        assert any(f" {code} " in line for line in lines), f"{text}\n{done.stdout}{done.stderr}"


def test_nobody_tells_ruff_to_look_away() -> None:
    excused = [
        f"{path.relative_to(ROOT)}: {line}"
        for room in FLOORS
        for path in (ROOT / room).rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(r"noqa(?!:)|noqa:.*\b(TID25[12]|S102|S30[17])\b", line)
    ]
    assert excused == []
    config = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["ruff"]["lint"]
    ignored = [*config["ignore"], *(code for codes in config["per-file-ignores"].values() for code in codes)]
    assert not {"TID251", "TID252", "TID", "S102", "S301", "S307", "S"} & set(ignored)


@pytest.mark.parametrize(("option", "told"), [("--help", "Usage"), ("--version", "omnipilot ")])
def test_help_loads_nothing_heavy(option: str, told: str) -> None:
    script = (
        f"import sys; sys.argv = ['omnipilot', '{option}']\n"
        "from omnipilot.bench.cli.app import main\n"
        "try: main()\n"
        "except SystemExit as end: assert not end.code, end.code\n"
        f"print('loaded:', *sorted(set({HEAVY!r}) & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert told in done.stdout
    assert done.stdout.splitlines()[-1].strip() == "loaded:"


# Each law, the files that break it, and what it must say.
BREACHES: list[tuple[Law, dict[str, str], str]] = [
    (
        no_comprehension_hides_a_global,
        {"envs/a.py": "def number(x): ...\n\ndef f(x):\n    return [number for number in x] or [number(y) for y in x]"},
        "envs/a.py:4: a comprehension of this function calls its variable number, too",
    ),
    (
        part_names_are_split_in_one_place,
        {"bench/a.py": 'from omnipilot.agents import PartSpec\n\nname, _, value = text.partition(":")'},
        "bench/a.py:3: splits a text at ':'",
    ),
    (
        part_names_are_split_in_one_place,
        {"agents/a.py": 'from omnipilot.agents.assembly.build import PLANNERS\n\nmodel = "/" in PLANNERS.names()[0]'},
        "agents/a.py:3: splits a text at '/'",
    ),
    (
        part_names_are_split_in_one_place,
        {"bench/a.py": 'from omnipilot.bench.registry import SUITES\n\ninner = options.of.split(",")'},
        "bench/a.py:3: splits a text at ','",
    ),
    (imports_go_down, {"envs/a.py": "from omnipilot.memory.base import Memory"}, "envs/a.py:1: envs imports memory"),
    (
        imports_go_down,
        {"memory/a.py": "def f():\n    import omnipilot.planners.base"},
        "memory/a.py:2: memory imports planners",
    ),
    (imports_go_down, {"planners/a.py": "from omnipilot import grounders"}, "planners imports grounders"),
    (imports_go_down, {"grounders/a.py": "from omnipilot.planners import base"}, "grounders imports planners"),
    (imports_go_down, {"agents/a.py": 'import_module("omnipilot.bench.run.runner")'}, "agents imports bench"),
    (imports_go_down, {"envs/sim/a.py": 'WHERE = "omnipilot.agents.assembly.build:make"'}, "envs imports agents"),
    (
        packages_form_no_circle,
        {
            "envs/a/__init__.py": '"""A."""',
            "envs/a/m.py": "from omnipilot.envs.b.m import x",
            "envs/b/__init__.py": '"""B."""',
            "envs/b/m.py": "def f():\n    from omnipilot.envs.a.m import y",
        },
        "envs/a: imports envs/b, which comes back to it",
    ),
    (
        packages_form_no_circle,
        {
            "envs/a/__init__.py": '"""A."""\nif TYPE_CHECKING:\n    from omnipilot.envs.a.m import X as X',
            "envs/a/m.py": "import omnipilot.envs.sim.m",
            "envs/sim/m.py": "from omnipilot.envs.a import X",
        },
        "envs/sim: imports envs/a, which comes back to it",
    ),
    (
        contracts_are_used,
        {
            "envs/__init__.py": '"""E."""\nif TYPE_CHECKING:\n    from omnipilot.envs.base import Env as Env',
            "memory/a.py": "from omnipilot.envs.base import Env",
        },
        "memory/a.py:1: import Env from omnipilot.envs",
    ),
    (
        packages_load_nothing,
        {"memory/__init__.py": '"""M."""\nfrom omnipilot.memory.base import Memory'},
        "memory/__init__.py:2: imports a module",
    ),
    (packages_load_nothing, {"envs/sim/__init__.py": ""}, "envs/sim/__init__.py:1: says nothing"),
    (folders_are_not_crowded, {f"memory/m{number}.py": "" for number in range(26)}, "memory: 26 modules, at most 25"),
    (everything_is_read, {"envs/alone.py": ""}, "envs/alone.py: nobody imports it"),
    (
        everything_defined_is_used,
        {"envs/alone.py": "@dataclass\nclass Alone:\n    x: int\n\n    def again(self):\n        return Alone(1)"},
        "envs/alone.py:2: nothing names Alone",
    ),
    (
        everything_defined_is_used,
        {"envs/a.py": "def again(n):\n    return again(n)"},
        "envs/a.py:1: nothing names again",
    ),
    (nothing_is_shapeless, {"envs/utils.py": ""}, "envs/utils.py"),
    (nothing_is_shapeless, {"bench/suites/web_helpers.py": ""}, "bench/suites/web_helpers.py"),
    (nothing_is_shapeless, {"common/a.py": ""}, "common"),
    (folders_are_packages, {"grounders/vision/a.py": ""}, "grounders/vision: has no __init__.py"),
    (
        folders_are_packages,
        {"src/omnipilot/helpers/a.py": ""},
        "needs a link to each room, and nothing else: ['helpers']",
    ),
    (folders_are_packages, {"memory/py.typed": "gone"}, "memory/py.typed: is missing"),
    (the_vocabulary_is_light, {"envs/__init__.py": "import numpy as np"}, "envs/__init__.py:1: imports numpy"),
    (
        the_vocabulary_is_light,
        {"planners/base.py": "try:\n    import litellm\nexcept ImportError: pass"},
        "imports litellm",
    ),
    (
        the_vocabulary_is_light,
        {"envs/types/media.py": "class A:\n    from PIL import Image"},
        "envs/types/media.py:2: imports PIL",
    ),
    (
        the_vocabulary_is_light,
        {
            "memory/base.py": "from omnipilot.envs.schema.pydantic_models import read",
            "envs/schema/pydantic_models.py": "import pydantic",
        },
        "envs/schema/pydantic_models.py:1: imports pydantic at the top (loaded by memory/base.py)",
    ),
    (
        the_vocabulary_is_light,
        {
            "envs/__init__.py": '"""E."""\nif TYPE_CHECKING:\n    from omnipilot.envs.heavy import Env as Env',
            "envs/heavy.py": "import numpy",
            "memory/base.py": "from omnipilot.envs import Env",
        },
        "envs/heavy.py:1: imports numpy at the top (loaded by memory/base.py)",
    ),
    (
        pydantic_is_at_the_doors,
        {"bench/tasks/task.py": "def f():\n    from pydantic import BaseModel"},
        "bench/tasks/task.py:2",
    ),
    (nothing_forbidden_is_written, {"bench/a.py": "import pickle"}, "imports pickle"),
    (nothing_forbidden_is_written, {"bench/a.py": "def f(x):\n    return compile(x)"}, "bench/a.py:2: calls compile"),
    (nothing_forbidden_is_written, {"envs/a.py": "import time\ntime.sleep(1)"}, "envs/a.py:2: sleeps"),
    (nothing_forbidden_is_written, {"envs/a.py": "from time import sleep"}, "write time.sleep"),
    (nothing_forbidden_is_written, {"envs/web/env.py": "time.sleep(1)\ntime.sleep(1)"}, "envs/web/env.py:2: sleeps"),
    (nothing_forbidden_is_written, {"envs/a.py": "page.wait_for_timeout(500)"}, "sleeps"),
    (nothing_forbidden_is_written, {"envs/a.py": "np.load(f, allow_pickle=True)"}, "loads pickles"),
    (
        the_engine_names_no_exhibit,
        {"bench/a.py": "def f():\n    from omnipilot.planners import rules"},
        "bench/a.py:2: names omnipilot.planners.rules",
    ),
    (
        the_engine_names_no_exhibit,
        {"envs/a.py": 'KIND = "omnipilot.envs.sim.world:SimWorld"'},
        "envs/a.py:1: names omnipilot.envs.sim.world.SimWorld",
    ),
    (
        the_engine_names_no_exhibit,
        {"envs/a.py": "def f(x):\n    return f'run python -m omnipilot.bench.training.run {x}'"},
        "envs/a.py:2: names omnipilot.bench.training.run",
    ),
    (
        exhibits_take_what_is_offered,
        {"envs/sim/a.py": "from omnipilot.envs.fine import f"},
        "envs/sim/a.py:1: takes envs.fine.f, which no package offers",
    ),
    (
        contracts_import_no_implementation,
        {
            "memory/base.py": "if TYPE_CHECKING:\n    from omnipilot.memory.deep import Deep",
            "memory/deep.py": "class Deep: ...",
        },
        "memory/base.py:2: a contract imports memory/deep.py",
    ),
    (
        modules_form_no_circle,
        {
            "envs/__init__.py": '"""E."""\nif TYPE_CHECKING:\n    from omnipilot.envs.two import two as two',
            "envs/one.py": "def one():\n    from omnipilot.envs import two",
            "envs/two.py": "from omnipilot.envs.one import one",
        },
        "envs/one.py: imports itself by way of envs/two.py",
    ),
    (
        a_class_name_means_one_thing,
        {"envs/a.py": "class Wheel: ...", "bench/a.py": "class Wheel: ..."},
        "Wheel: 2 classes have this name (envs/a.py, bench/a.py)",
    ),
    (functions_are_verbs_or_nouns, {"envs/a.py": "def stirred(): ..."}, "envs/a.py:1: stirred: a participle"),
    (functions_are_verbs_or_nouns, {"envs/a.py": "async def unwritten(): ..."}, "envs/a.py:1: unwritten"),
    (possessive_quantifiers_stand_after_one_character, {"envs/a.py": "A = r'x(?:ab?)*+'"}, "envs/a.py:1: a possessive"),
    (possessive_quantifiers_stand_after_one_character, {"envs/a.py": "A = rf'{x}(a){{1,2}}+'"}, "envs/a.py:1"),
    (possessive_quantifiers_stand_after_one_character, {"envs/a.py": "A = rf'{x}?+'"}, "envs/a.py:1"),
    (possessive_quantifiers_stand_after_one_character, {"envs/a.py": "A = '(?>ab?)c'"}, "envs/a.py:1"),
    (no_literal_is_unpacked_in_place, {"envs/a.py": "A = (\n    *('a', 'b'),\n    'c',\n)"}, "envs/a.py:2: unpacks"),
    (no_literal_is_unpacked_in_place, {"envs/a.py": "f(*[1, 2])"}, "envs/a.py:1"),
    (no_literal_is_unpacked_in_place, {"envs/a.py": "A = {**{'a': 1}, 'b': 2}"}, "envs/a.py:1"),
    (
        no_class_is_made_at_run_time,
        {"envs/a.py": "def wrap(bases):\n    return type('Wrapped', bases, {})"},
        "envs/a.py:2: makes a class by type()",
    ),
    (
        no_class_is_made_at_run_time,
        {"envs/a.py": "import dataclasses\nA = dataclasses.make_dataclass('A', ['b'])"},
        "envs/a.py:2: makes a class by make_dataclass()",
    ),
    (
        no_class_is_made_at_run_time,
        {"envs/a.py": "class A:\n    def __init__(self, b):\n        self.__class__ = b"},
        "envs/a.py:3: assigns __class__",
    ),
    (
        no_class_is_made_at_run_time,
        {"envs/a.py": "object.__setattr__(a, '__class__', b)"},
        "envs/a.py:1: changes a class by __setattr__()",
    ),
    (
        no_class_is_made_at_run_time,
        {"envs/a.py": "class A:\n    @property\n    def __class__(self):\n        return int"},
        "envs/a.py:3: pretends __class__",
    ),
    (
        no_class_is_made_at_run_time,
        {"envs/a.py": "class A:\n    __dataclass_fields__ = {}"},
        "envs/a.py:2: pretends __dataclass_fields__",
    ),
]
FINE = {
    "envs/fine.py": (
        "import re\nA = re.compile('x')\ndef f(page):\n    import numpy\n    return page.eval('1'), numpy, type(page)"
    ),
    "envs/fine_pattern.py": "from omnipilot.envs.fine import f\nA = rf'x*+[(]+\\)++{f}'\nB = (*A, *['x'] * 2)",
    "envs/base.py": "if TYPE_CHECKING:\n    import numpy",
    "agents/fine.py": "from omnipilot.planners.base import a\nfrom omnipilot.grounders import b\nG = 'omnipilot.suite'",
    "bench/cli/__init__.py": '"""The command line."""',
    "bench/cli/app.py": "from omnipilot.agents.fine import G\nfrom omnipilot.envs import base, fine, fine_pattern",
}


@pytest.fixture
def small_house(tmp_path: Path) -> Path:
    """A tree in which every law is kept."""
    for package in (*FLOORS, "envs/sim"):
        (tmp_path / package).mkdir(parents=True, exist_ok=True)
        (tmp_path / package / "__init__.py").write_text('"""What is in it."""\n')
    (tmp_path / "src/omnipilot").mkdir(parents=True)
    shutil.copy(ROOT / "src/omnipilot/__init__.py", tmp_path / "src/omnipilot/__init__.py")
    for room in FLOORS:
        (tmp_path / room / "py.typed").touch()
        (tmp_path / "src/omnipilot" / room).symlink_to(f"../../{room}", target_is_directory=True)
    (tmp_path / "pyproject.toml").write_text(
        "[project]\nname = 'omnipilot'\nversion = '0'\n[tool.setuptools]\ninclude-package-data = false\n"
        "[tool.setuptools.package-data]\n'*' = ['py.typed']\n"
    )
    shutil.copy(ROOT / "setup.py", tmp_path / "setup.py")
    write(tmp_path, FINE)
    return tmp_path


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if text == "gone":
            path.unlink()
        else:
            path.write_text(text)


@pytest.mark.parametrize(("law", "files", "told"), BREACHES, ids=lambda part: getattr(part, "__name__", None))
def test_a_broken_law_is_told(law: Law, files: dict[str, str], told: str, small_house: Path) -> None:
    assert law(small_house) == []
    write(small_house, files)
    breaches = law(small_house)
    assert any(told in breach for breach in breaches), breaches


def test_a_checkout_without_links_makes_the_same_wheel(tmp_path: Path) -> None:
    """As on Windows, where git writes the target of a link into a text file unless it may make links."""
    build_wheel(tmp_path, write_links_as_text)
    (wheel,) = (tmp_path / "wheel").glob("*.whl")
    assert the_wheel_is_the_tree(files_of(ROOT), wheel) == []


def test_every_law_is_broken_once() -> None:
    assert {law for law, _, _ in BREACHES} == set(LAWS)
