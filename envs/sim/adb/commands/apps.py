"""Apps: `am`, `pm`, `monkey`, and `cmd` for both."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace

from omnipilot.envs.sim.adb import dumpsys
from omnipilot.envs.sim.adb.keycodes import NAMED
from omnipilot.envs.sim.adb.packages import BUILT_IN, HOME, PACKAGES, Package, app_of
from omnipilot.envs.sim.adb.phone import ADB_KEYBOARDS
from omnipilot.envs.sim.adb.process import Command, RunningCommand
from omnipilot.envs.sim.apps.registry import APPS
from omnipilot.envs.sim.state.world_state import View, WorldState
from omnipilot.envs.sim.ui.navigation import arrive, both, forget
from omnipilot.envs.types.actions import OpenApp, System

SETTINGS_VIEWS: Mapping[str, str] = {
    "SETTINGS": "",
    **dict.fromkeys(("WIFI_SETTINGS", "WIRELESS_SETTINGS", "NETWORK_SETTINGS"), "wifi"),
    "SOUND_SETTINGS": "sound",
    "DISPLAY_SETTINGS": "display",
    "LOCALE_SETTINGS": "language",
    **dict.fromkeys(("NOTIFICATION_SETTINGS", "ALL_APPS_NOTIFICATION_SETTINGS"), "notifications"),
    "DEVICE_INFO_SETTINGS": "about",
}
"""Views of the settings by the action that asks for them, after `android.settings.`."""
CATEGORIES: Mapping[str, str] = {
    "APP_MESSAGING": "messages",
    "APP_CONTACTS": "contacts",
    "APP_CALENDAR": "calendar",
    "APP_MUSIC": "music",
    "APP_GALLERY": "gallery",
}
CLIP_LIMIT = 100_000
LAUNCHER_CATEGORY = "android.intent.category.LAUNCHER"
_MATCH = "priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=true"


@dataclass(slots=True)
class Intent:
    """What `am` is asked for."""

    action: str = ""
    data: str = ""
    component: str = ""
    package: str = ""
    categories: list[str] = field(default_factory=list)
    extras: dict[str, str] = field(default_factory=dict)
    stop: bool = False
    wait: bool = False

    def shown(self) -> str:
        """As `am` prints it."""
        parts = [f"act={self.action}" if self.action else ""]
        parts += [f"cat=[{','.join(self.categories)}]" if self.categories else ""]
        parts += [f"dat={self.data}" if self.data else "", f"pkg={self.package}" if self.package else ""]
        parts += [f"cmp={self.component}" if self.component else "", "(has extras)" if self.extras else ""]
        return f"Intent {{ {' '.join(part for part in parts if part)} }}"


_PAIRS = ("--es", "--ei", "--ez", "--el", "--ef", "--eu", "-e", "--esa", "--eia", "--ela", "--esn")
_VALUED = ("--user", "-f", "-t", "-i", "--display", "--windowingMode", "-P", "-R", "--receiver-permission")


def read_intent(args: list[str]) -> Intent:
    """Read the arguments of `am start` and `am broadcast`.

    Raises:
        ValueError: with Android's words.
    """
    intent, rest = Intent(), list(args)
    names = {"-a": "action", "-d": "data", "-n": "component", "-p": "package"}
    while rest:
        arg = rest.pop(0)
        if arg in _PAIRS and arg != "--esn":
            if len(rest) < 2:
                raise ValueError(f'java.lang.IllegalArgumentException: Argument expected after "{arg}"')
            name, value = rest.pop(0), rest.pop(0)
            intent.extras[name] = value
        elif arg in names or arg in ("-c", *_VALUED, "--esn"):
            if not rest:
                raise ValueError(f'java.lang.IllegalArgumentException: Argument expected after "{arg}"')
            value = rest.pop(0)
            if arg == "-c":
                intent.categories.append(value)
            elif arg in names:
                setattr(intent, names[arg], value)
        elif arg.startswith("-"):
            intent.stop, intent.wait = intent.stop or arg == "-S", intent.wait or arg == "-W"
        elif "/" in arg and ":" not in arg:
            intent.component = arg
        elif ":" in arg:
            intent.data = arg
        else:
            intent.package = arg
    return intent


def _stop(app: str) -> Callable[[WorldState], WorldState]:
    """End an app: its screens and drafts are gone."""

    def do(state: WorldState) -> WorldState:
        device = state.phone
        front = device.front is not None and device.front.app == app
        state = forget("phone", f"{app}/")(state)
        windows = tuple(window for window in device.windows if window.app != app)
        state = state.on("phone", windows=windows)
        return state.on("phone", home=True, focus="", popup=None) if front else state

    return do


def _show(app: str, *views: View) -> Callable[[WorldState], WorldState]:
    return arrive("phone", app, View(next(iter(APPS[app].views))), *views)


def _find_component(component: str) -> tuple[str, Package] | None:
    """The app and package of a component, whose activity may be short or in full."""
    package, _, activity = component.partition("/")
    for app, one in (*PACKAGES.items(), ("", HOME)):
        if one.name == package and activity in (one.activity, one.name + one.activity):
            return app, one
    return None


def _find_target(intent: Intent) -> tuple[str, tuple[View, ...]] | None:
    """The app ("" for the home screen) and the views that an intent without a component asks for."""
    last = intent.action.removeprefix("android.settings.")
    if intent.action.startswith("android.settings.") and last in SETTINGS_VIEWS:
        view = SETTINGS_VIEWS[last]
        return "settings", (View(view),) if view else ()
    kinds = [category.rpartition(".")[2] for category in intent.categories]
    if "HOME" in kinds:
        return "", ()
    for kind in kinds:
        if kind in CATEGORIES:
            return CATEGORIES[kind], ()
    actions = {
        "android.intent.action.DIAL": "phone",
        "android.intent.action.SHOW_ALARMS": "clock",
        "android.intent.action.SET_ALARM": "clock",
    }
    if intent.action in actions:
        return actions[intent.action], ()
    if intent.action in ("android.intent.action.SENDTO", "android.intent.action.VIEW") and intent.data.startswith(
        ("sms:", "smsto:")
    ):
        return "messages", ()
    if intent.package:
        app = app_of(intent.package)
        return (app, ()) if app else None
    return None


async def _start(call: RunningCommand, args: list[str]) -> int:
    intent = read_intent(args)
    await call.say(f"Starting: {intent.shown()}")
    views: tuple[View, ...] = ()
    if intent.component:
        found = _find_component(intent.component)
        if found is None:
            await call.complain(
                f"Error type 3\nError: Activity class {{{intent.component}}} does not exist.",
            )
            return 1
        app = found[0]
    else:
        target = _find_target(intent)
        if target is None:
            await call.complain(f"Error: Activity not started, unable to resolve {intent.shown()}")
            return 1
        app, views = target
    front = call.phone.now_state().phone.front
    again = front is not None and front.app == app and not intent.stop
    if intent.stop and app:
        call.phone.apply(_stop(app))
    open_app(call, app)
    if views:
        call.phone.apply(_show(app, *views))
    if again and not views:
        await call.complain(
            "Warning: Activity not started, intent has been delivered to currently running top-most instance."
        )
    if intent.wait:
        package = PACKAGES[app] if app else HOME
        await call.say(
            "Status: ok\nLaunchState: "
            f"{'HOT' if again else 'COLD'}\nActivity: {package.component}\nTotalTime: 120\nWaitTime: 130\nComplete"
        )
    return 0


def open_app(call: RunningCommand, app: str) -> str:
    """Bring an app to the front, or the home screen for ""; returns why nothing happens, or ""."""
    return call.phone.do(OpenApp(app) if app else System("home"))


async def _force_stop(call: RunningCommand, args: list[str]) -> int:
    names = [arg for arg in args if not arg.startswith("-") and not arg.isdecimal() and arg not in ("all", "current")]
    for name in names:
        app = app_of(name)
        if app:
            call.phone.apply(_stop(app))
    return 0


async def _broadcast(call: RunningCommand, args: list[str]) -> int:
    intent = read_intent(args)
    await call.say(f"Broadcasting: {intent.shown()}")
    code, data = _received(call, intent)
    await call.say(f"Broadcast completed: result={code}" + (f', data="{data}"' if data is not None else ""))
    return 0


def _received(call: RunningCommand, intent: Intent) -> tuple[int, str | None]:
    """What the receivers of a broadcast answer: -1 is OK, 0 nobody listens."""
    phone, touch, extras = call.phone, call.phone.touch, intent.extras
    action = intent.action
    if action in ("clipper.get", "clipper.set"):
        if action == "clipper.set":
            phone.apply(lambda state: state.on("phone", clipboard=extras.get("text", "")[:CLIP_LIMIT]))
            return -1, "Text is copied into clipboard."
        text = phone.now_state().phone.clipboard
        return (-1, text) if text else (0, None)
    if phone.keyboard not in ADB_KEYBOARDS:
        return 0, None
    if action in ("ADB_INPUT_TEXT", "ADB_INPUT_B64", "ADB_KEYBOARD_INPUT_TEXT"):
        text = extras.get("msg", extras.get("text", ""))
        if action != "ADB_INPUT_TEXT":
            try:
                text = base64.b64decode(text, validate=True).decode()
            except (binascii.Error, ValueError):
                return 0, None
        touch.text(text[:10_000])
        return (-1, "success") if action == "ADB_KEYBOARD_INPUT_TEXT" else (0, None)
    if action in ("ADB_CLEAR_TEXT", "ADB_KEYBOARD_CLEAR_TEXT"):
        touch.clear()
        return -1 if action == "ADB_KEYBOARD_CLEAR_TEXT" else 0, None
    if action == "ADB_INPUT_CODE":
        code = extras.get("code", "")
        if code.isdecimal() and len(code) < 4:
            touch.keys([int(code)])
        return 0, None
    if action in ("ADB_EDITOR_CODE", "ADB_KEYBOARD_EDITOR_CODE", "ADB_KEYBOARD_SMART_ENTER"):
        touch.keys([NAMED["ENTER"]])
        return -1 if "KEYBOARD" in action else 0, None
    if action == "ADB_KEYBOARD_GET_CLIPBOARD":
        return -1, base64.b64encode(phone.now_state().phone.clipboard.encode()).decode()
    return (-1, None) if action == "ADB_KEYBOARD_HIDE" else (0, None)


async def _am(call: RunningCommand) -> int:
    verb, args = (call.args[0], call.args[1:]) if call.args else ("", [])
    try:
        if verb in ("start", "start-activity"):
            return await _start(call, args)
        if verb in ("force-stop", "kill"):
            return await _force_stop(call, args)
        if verb == "broadcast":
            return await _broadcast(call, args)
    except ValueError as problem:
        await call.complain(f"Exception occurred while executing '{verb}':\n{problem}")
        return 255
    if verb in ("stack", "task") and args[:1] == ["list"]:
        await call.say(dumpsys.stacks(call.phone))
        return 0
    if verb == "get-current-user":
        await call.say("0")
        return 0
    if verb in ("kill-all", "wait-for-broadcast-idle", "clear-debug-app"):
        return 0
    if verb in ("startservice", "start-service", "start-foreground-service", "stopservice", "stop-service"):
        await call.say("Error: Not found; no service started.")
        return 255
    if verb == "instrument":
        await call.say(
            "INSTRUMENTATION_STATUS: Error=Unable to find instrumentation info\nINSTRUMENTATION_STATUS_CODE: -1"
        )
        return 1
    await call.complain(f"Unknown command: {verb}" if verb else "Activity manager (activity) commands: start, …")
    return 255


def _listed(args: list[str]) -> list[str]:
    """Packages that `pm list packages` shows."""
    packages = [(one.name, one.system) for one in (HOME, *PACKAGES.values())] + [(name, True) for name in BUILT_IN]
    third = "com.android.adbkeyboard", "com.github.uiautomator", "com.github.uiautomator.test", "ca.zgrs.clipper"
    packages = [(name, system and name not in third) for name, system in packages]
    rest = [arg for arg in args if not arg.startswith("-") and not arg.isdecimal()]
    if "-3" in args:
        packages = [one for one in packages if not one[1]]
    if "-s" in args:
        packages = [one for one in packages if one[1]]
    if "-d" in args:
        packages = []
    lines = []
    for name, _ in sorted(packages):
        if any(text not in name for text in rest):
            continue
        path = f"{dumpsys.apk_path(name)}=" if "-f" in args else ""
        lines.append(f"package:{path}{name}" + (f" uid:{dumpsys.uid_of(name)}" if "-U" in args else ""))
        lines[-1] += " versionCode:1" if "--show-versioncode" in args else ""
    return lines


def _exists(name: str) -> bool:
    return name in BUILT_IN or name == HOME.name or bool(app_of(name))


async def _pm_list(call: RunningCommand, args: list[str]) -> int:
    kind = args[0] if args else ""
    if kind in ("packages", "package"):
        await call.say("\n".join(_listed(args[1:])))
    elif kind == "features":
        features = ("android.hardware.audio.output", "android.hardware.touchscreen", "android.hardware.wifi")
        await call.say("\n".join(f"feature:{name}" for name in features))
    elif kind == "libraries":
        await call.say("library:android.test.base\nlibrary:org.apache.http.legacy")
    elif kind == "users":
        await call.say("Users:\n\tUserInfo{0:Owner:c13} running")
    elif kind in ("instrumentation", "permissions", "permission-groups"):
        return 0
    else:
        await call.complain(f"Error: unknown list type '{kind}'")
        return 255
    return 0


async def _pm_path(call: RunningCommand, args: list[str]) -> int:
    names = [arg for arg in args if not arg.startswith("-") and not arg.isdecimal()]
    if not names or not _exists(names[-1]):
        return 1
    await call.say(f"package:{dumpsys.apk_path(names[-1])}")
    return 0


async def _pm_clear(call: RunningCommand, args: list[str]) -> int:
    app = app_of(args[-1]) if args else ""
    if not app and not (args and _exists(args[-1])):
        await call.say("Failed")
        return 1
    if app:
        # The account's data is shared with other devices, and stays; screens and drafts are gone.
        call.phone.apply(both(_stop(app), forget("phone", f"{app}/")))
    await call.say("Success")
    return 0


async def _pm_install(call: RunningCommand, args: list[str]) -> int:
    size = args[args.index("-S") + 1] if "-S" in args[:-1] else ""
    if size.isdecimal() and len(size) < 12:
        left = int(size)
        while left > 0 and (data := await call.stdin.read(min(left, 65536))):
            left -= len(data)
    await call.say("Failure [INSTALL_FAILED_CPU_ABI_INCOMPATIBLE: this phone is simulated, and runs its own apps only]")
    return 1


async def _pm_uninstall(call: RunningCommand, args: list[str]) -> int:
    name = args[-1] if args else ""
    await call.say(f"Failure [{'DELETE_FAILED_INTERNAL_ERROR' if _exists(name) else 'DELETE_FAILED_UNKNOWN_PACKAGE'}]")
    return 1


async def _pm_resolve(call: RunningCommand, args: list[str]) -> int:
    found = _resolved(read_intent([arg for arg in args if arg not in ("--brief", "--components")]))
    if not found:
        await call.say("No activity found")
        return 1
    await call.say(f"{_MATCH}\n{found[0].component}")
    return 0


def _resolved(intent: Intent) -> list[Package]:
    """The package that an intent starts; none if nothing takes it."""
    target = _find_target(intent)
    if intent.component:
        found = _find_component(intent.component)
        target = (found[0], ()) if found is not None else None
    return [] if target is None else [PACKAGES[target[0]] if target[0] else HOME]


def _info(package: Package) -> str:
    """An activity as it is listed without `--brief`."""
    activity = package.component_in_full.partition("/")[2]
    return f"ActivityInfo:\n      name={activity}\n      packageName={package.name}\n      enabled=true exported=true"


async def _pm_query(call: RunningCommand, args: list[str]) -> int:
    """All activities for an intent; of those with an icon, one for each app."""
    intent = read_intent([arg for arg in args if arg not in ("--brief", "--components")])
    if intent.component or LAUNCHER_CATEGORY not in intent.categories:
        found = _resolved(intent)
    else:
        found = [one for one in PACKAGES.values() if intent.package in ("", one.name)]
    if not found:
        await call.say("No activities found")
        return 0
    brief = "--brief" in args or "--components" in args
    listed = "\n".join(
        f"  Activity #{number}:\n    {_MATCH}\n    " + (package.component if brief else _info(package))
        for number, package in enumerate(sorted(found, key=lambda one: one.name))
    )
    await call.say(f"{len(found)} activities found:\n{listed}")
    return 0


async def _quiet(call: RunningCommand, args: list[str]) -> int:  # noqa: ARG001
    return 0


_PM: Mapping[str, Callable[[RunningCommand, list[str]], Awaitable[int]]] = {
    "list": _pm_list,
    "path": _pm_path,
    "clear": _pm_clear,
    "install": _pm_install,
    "uninstall": _pm_uninstall,
    "resolve-activity": _pm_resolve,
    "grant": _quiet,
    "revoke": _quiet,
    "query-activities": _pm_query,
    "install-streaming": _pm_install,
    "disable-user": _quiet,
    "enable": _quiet,
}


async def _pm(call: RunningCommand) -> int:
    run = _PM.get(call.args[0]) if call.args else None
    if run is None:
        await call.complain(
            f"Unknown command: {call.args[0]}" if call.args else "Package manager (package) commands: …"
        )
        return 255
    try:
        return await run(call, call.args[1:])
    except ValueError as problem:
        await call.complain(str(problem))
        return 255


async def _monkey(call: RunningCommand) -> int:
    args = call.args
    names = [args[at + 1] for at, arg in enumerate(args[:-1]) if arg == "-p"]
    count = args[-1] if args and re.fullmatch(r"\d{1,6}", args[-1]) else ""
    if not count:
        await call.complain("usage: monkey [-p ALLOWED_PACKAGE [-p ALLOWED_PACKAGE] ...] [-c CATEGORY] COUNT")
        return 1
    apps = [app_of(name) for name in names if app_of(name)]
    if HOME.name in names and not apps:
        open_app(call, "")
    elif not apps:
        await call.complain("** No activities found to run, monkey aborted.")
        return 252
    else:
        open_app(call, apps[0])
    await call.say(
        f"Events injected: {count}\n## Network stats: elapsed time=10ms (0ms mobile, 0ms wifi, 10ms not connected)"
    )
    return 0


async def _cmd(call: RunningCommand) -> int:
    """`cmd SERVICE …`: the commands of this phone under the name of their service."""
    given = call.args[1:] if call.args[:1] == ["-w"] else call.args
    service, args = (given[0], given[1:]) if given else ("", [])
    if service in ("-l", ""):
        await call.say("Currently running services:\n" + "\n".join(f"  {name}" for name in dumpsys.SERVICES))
        return 0
    names = {"package": "pm", "activity": "am", "window": "wm", "settings": "settings", "input_method": "ime"}
    names |= {"input": "input", "statusbar": "service", "uimode": "uimode", "notification": "", "overlay": ""}
    name = names.get(service)
    run = call.shell.commands.get(name) if name else None
    if service == "clipboard":
        return await _clipboard(call, args)
    if service == "bluetooth_manager" or (service == "phone" and args[:1] == ["data"]):
        return await call.shell.commands["svc"](
            replace(call, args=["data", *args[1:]] if service == "phone" else ["bluetooth", *args])
        )
    if service in ("statusbar", "notification", "overlay", "appops", "jobscheduler", "battery", "wifi", "connectivity"):
        return await _service_command(call, service, args)
    if run is None:
        await call.complain(f"cmd: Can't find service: {service}")
        return 20
    return await run(replace(call, name=name or service, args=list(args)))


async def _service_command(call: RunningCommand, service: str, args: list[str]) -> int:
    if service == "wifi" and args[:1] == ["status"]:
        on = call.phone.now_state().account.phone_settings.wifi
        await call.say(f"Wifi is {'enabled' if on else 'disabled'}")
    if service == "wifi" and args[:1] == ["set-wifi-enabled"]:
        return await call.shell.commands["svc"](
            replace(call, args=["wifi", "enable" if args[1:2] == ["enabled"] else "disable"])
        )
    if service == "connectivity" and args[:1] == ["airplane-mode"]:
        on = call.phone.now_state().account.phone_settings.airplane
        if args[1:]:
            run = call.shell.commands["settings"]
            return await run(
                replace(call, args=["put", "global", "airplane_mode_on", "1" if args[1] == "enable" else "0"])
            )
        await call.say("enabled" if on else "disabled")
    return 0


async def _clipboard(call: RunningCommand, args: list[str]) -> int:
    if args[:1] == ["set-primary-clip"] or args[:1] == ["set"]:
        text = args[-1][:CLIP_LIMIT]
        call.phone.apply(lambda state: state.on("phone", clipboard=text))
        return 0
    await call.say(call.phone.now_state().phone.clipboard)
    return 0


COMMANDS: dict[str, Command] = {"am": _am, "pm": _pm, "monkey": _monkey, "cmd": _cmd}
