"""What `dumpsys` says, in Android's forms, as pure functions of the phone's state.

Only what clients read is here; the forms are those of Android 14.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping

from omnipilot.envs.sim.adb.packages import BUILT_IN, HOME, PACKAGES, Package, app_of, front_package, process_of
from omnipilot.envs.sim.adb.phone import ServedPhone
from omnipilot.envs.sim.adb.properties import SDK

SERVICES = (
    "accessibility",
    "activity",
    "alarm",
    "audio",
    "battery",
    "clipboard",
    "connectivity",
    "content",
    "display",
    "input",
    "input_method",
    "media_session",
    "notification",
    "package",
    "power",
    "settings",
    "statusbar",
    "SurfaceFlinger",
    "telephony.registry",
    "user",
    "wifi",
    "window",
)


def handle(text: str) -> str:
    """A number such as Android gives its records, always the same for one text."""
    return hashlib.sha256(text.encode()).hexdigest()[:7]


def uid_of(package: str) -> int:
    """The user number of a package."""
    app = app_of(package)
    return PACKAGES[app].uid if app else HOME.uid if package == HOME.name else 1000


def apk_path(package: str) -> str:
    """Where a package's file would be."""
    app = app_of(package)
    system = (PACKAGES[app].system if app else package == HOME.name) or (package in BUILT_IN)
    return f"/system/app/{package}/base.apk" if system else f"/data/app/{package}-1/base.apk"


def running(phone: ServedPhone) -> list[Package]:
    """Packages of the running apps, the one in front first, with the home screen."""
    device = phone.state().phone
    apps = [PACKAGES[window.app] for window in reversed(device.windows) if window.app in PACKAGES]
    return [HOME, *apps] if device.front is None else [*apps, HOME]


def _record(package: Package) -> str:
    return f"ActivityRecord{{{handle(package.name)} u0 {package.component} t{package.uid % 100 + 1}}}"


def window(phone: ServedPhone) -> str:
    """Focus, sizes and rotation."""
    front, display = front_package(phone), phone.display
    size, panel = display.size, display.panel
    lines = ["WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)", "  Display: mDisplayId=0 (organized)"]
    init = f"init={panel.width}x{panel.height} {display.panel_dots}dpi"
    base = f" base={display.override.width}x{display.override.height} {display.dots}dpi" if display.override else ""
    lines.append(f"    {init}{base} cur={size.width}x{size.height} app={size.width}x{size.height}")
    lines.append(f"    mCurrentRotation=ROTATION_{display.rotation * 90}")
    lines.append(f"    mRotation={display.rotation} mUserRotation=ROTATION_{display.rotation * 90}")
    lines.append("WINDOW MANAGER WINDOWS (dumpsys window windows)")
    for number, package in enumerate(running(phone)):
        shown = f"Window{{{handle(package.name)} u0 {package.component_in_full}}}"
        lines += [
            f"  Window #{number} {shown}:",
            f"    mDisplayId=0 mSession=Session{{{handle('session')}}} package={package.name}",
        ]
        lines.append(f"    isOnScreen={'true' if package is front else 'false'}")
    focus = f"Window{{{handle(front.name)} u0 {front.component_in_full}}}" if phone.screen_on else "null"
    lines += [f"  mCurrentFocus={focus}", f"  mFocusedApp={_record(front)}"]
    lines += [
        f"  mCurrentRotation=ROTATION_{display.rotation * 90}",
        "  mDreamingLockscreen=false mShowingLockscreen=false",
    ]
    return "\n".join(lines)


def activity(phone: ServedPhone, part: str = "") -> str:
    """The running activities; `part` is activities, top, recents, services or empty."""
    if part == "top":
        return _top(phone)
    if part == "services":
        return "ACTIVITY MANAGER SERVICES (dumpsys activity services)\n  (nothing)"
    if part == "recents":
        return _recents(phone)
    packages = running(phone)
    lines = ["ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)", "Display #0 (activities from top to bottom):"]
    for package in packages:
        number = package.uid % 100 + 1
        lines += [
            f"  * Task{{{handle('task ' + package.name)} #{number} type={'home' if package is HOME else 'standard'} "
            f"A={package.uid}:{package.name} U=0 visible={'true' if package is packages[0] else 'false'}}}",
            f"    * Hist  #0: {_record(package)}",
            f"      packageName={package.name} processName={package.name}",
        ]
    resumed = _record(packages[0])
    lines += ["", f"  mResumedActivity: {resumed}", f"  ResumedActivity: {resumed}", f"  topResumedActivity={resumed}"]
    lines.append(f"  mFocusedApp={resumed}")
    return "\n".join(lines)


def _top(phone: ServedPhone) -> str:
    lines = []
    # Android lists the one in front last.
    for package in reversed(running(phone)):
        pid = process_of(package)
        lines += [f"TASK {package.name} id={package.uid % 100 + 1} userId=0"]
        lines += [
            f"  ACTIVITY {package.component} {handle(package.name)} pid={pid}",
            f"    Local Activity {handle('a')} State:",
        ]
    return "\n".join(lines)


def _recents(phone: ServedPhone) -> str:
    lines = ["ACTIVITY MANAGER RECENT TASKS (dumpsys activity recents)"]
    for number, package in enumerate(one for one in running(phone) if one is not HOME):
        told = f"#{package.uid % 100 + 1} type=standard A={package.uid}:{package.name}"
        name = f"Task{{{handle('task ' + package.name)} {told}}}"
        lines += [f"  * Recent #{number}: {name}", f"    baseIntent=Intent {{ cmp={package.component} }}"]
        lines.append(f"    realActivity={{{package.component}}}")
    return "\n".join(lines)


def stacks(phone: ServedPhone) -> str:
    """As `am stack list` prints them."""
    display = phone.display
    lines = []
    for place, package in enumerate(running(phone)):
        number = package.uid % 100 + 1
        bounds = f"bounds=[0,0][{display.size.width},{display.size.height}]"
        lines += [
            f"RootTask id={number} {bounds} displayId=0 userId=0",
            f"  taskId={number}: {package.component_in_full} {bounds} userId=0 "
            f"visible={'true' if place == 0 else 'false'} topActivity=ComponentInfo{{{package.component_in_full}}}",
        ]
    return "\n".join(lines)


def display(phone: ServedPhone) -> str:
    """Sizes and rotation of the display."""
    shown = phone.display
    size, panel = shown.size, shown.panel
    return "\n".join(
        [
            "DISPLAY MANAGER (dumpsys display)",
            f"  mGlobalDisplayState={'ON' if phone.screen_on else 'OFF'}",
            f"  mDefaultViewport=DisplayViewport{{type=INTERNAL, valid=true, isActive=true, displayId=0, "
            f"orientation={shown.rotation}, logicalFrame=Rect(0, 0 - {size.width}, {size.height}), "
            f"physicalFrame=Rect(0, 0 - {size.width}, {size.height}), deviceWidth={panel.width}, "
            f"deviceHeight={panel.height}}}",
            f'  mBaseDisplayInfo=DisplayInfo{{"Built-in Screen", displayId 0, real {panel.width} x {panel.height}, '
            f"density {shown.dots}}}",
        ]
    )


def inputs(phone: ServedPhone) -> str:
    """The touch screen's rotation and frames."""
    shown = phone.display
    size = shown.size
    frame = f"[0, 0, {size.width}, {size.height}]"
    return "\n".join(
        [
            "INPUT MANAGER (dumpsys input)",
            "  Event Hub State:",
            "    Devices:",
            "      1: virtual_touchscreen",
            f"        Viewport INTERNAL: displayId=0, orientation={shown.rotation}, logicalFrame={frame}, "
            f"physicalFrame={frame}, deviceSize=[{size.width}, {size.height}]",
            f"        SurfaceOrientation: {shown.rotation}",
            f"        InputDeviceOrientation: Rotation{shown.rotation * 90}",
        ]
    )


def power(phone: ServedPhone) -> str:
    """Whether the screen is on."""
    on = phone.screen_on
    told = "true" if on else "false"
    return (
        f"POWER MANAGER (dumpsys power)\n  mWakefulness={'Awake' if on else 'Asleep'}\n  mIsPowered=true\n"
        f"  mHoldingWakeLockSuspendBlocker=false\n  mHoldingDisplaySuspendBlocker={told}\n"
        f"Display Power: state={'ON' if on else 'OFF'}"
    )


def battery(phone: ServedPhone) -> str:  # noqa: ARG001
    """A battery that is charged from USB."""
    facts = {
        "AC powered": "false",
        "USB powered": "true",
        "Wireless powered": "false",
        "Max charging current": "500000",
        "status": "2",
        "health": "2",
        "present": "true",
        "level": "87",
        "scale": "100",
        "voltage": "4200",
        "temperature": "253",
        "technology": "Li-ion",
    }
    return "Current Battery Service state:\n" + "\n".join(f"  {name}: {value}" for name, value in facts.items())


def package(phone: ServedPhone, name: str) -> str:  # noqa: ARG001
    """One package, as adbutils and AndroidWorld read it."""
    app = app_of(name)
    if not app and name not in (HOME.name, *BUILT_IN):
        return f"Unable to find package: {name}"
    one = PACKAGES[app] if app else HOME
    flags = "[ SYSTEM HAS_CODE ALLOW_BACKUP ]" if name in BUILT_IN or one.system else "[ HAS_CODE ALLOW_BACKUP ]"
    lines = []
    if app or name == HOME.name:
        lines += ["Activity Resolver Table:", "  Non-Data Actions:", "      android.intent.action.MAIN:"]
        lines += [f"        {handle(name)} {one.component} filter {handle('filter ' + name)}"]
        kind = "LAUNCHER" if app else "HOME"
        lines += [
            '          Action: "android.intent.action.MAIN"',
            f'          Category: "android.intent.category.{kind}"',
        ]
    lines += [
        "Packages:",
        f"  Package [{name}] ({handle(name)}):",
        f"    userId={uid_of(name)}",
        f"    codePath={apk_path(name).rpartition('/')[0]}",
        f"    versionCode=1 minSdk=24 targetSdk={SDK}",
        "    versionName=1.0",
        f"    signatures=PackageSignatures{{{handle('key')} version:2, signatures:[{handle('sig')}]}}",
        f"    pkgFlags={flags}",
        "    firstInstallTime=2026-03-02 00:00:00",
        "    lastUpdateTime=2026-03-02 00:00:00",
        "    runtime permissions:",
    ]
    return "\n".join(lines)


def input_method(phone: ServedPhone) -> str:
    """The keyboard in use, and whether it shows (this phone draws none)."""
    return (
        "Input Method Manager Service state:\n"
        f"  mCurMethodId={phone.keyboard}\n  mInputShown={'true' if phone.state().phone.focus else 'false'}"
    )


def audio(phone: ServedPhone) -> str:
    """Volumes, and what plays."""
    settings, player = phone.state().account.phone_settings, phone.state().account.player
    lines = ["- STREAM_MUSIC:", f"   streamVolume:{round(settings.media * 15 / 100)}", "- STREAM_RING:"]
    lines += [f"   streamVolume:{round(settings.ring * 7 / 100)}", "- STREAM_ALARM:"]
    lines += [f"   streamVolume:{round(settings.alarm * 7 / 100)}"]
    lines.append(f"  players: {'1 started' if player.since is not None else 'none'}")
    return "\n".join(lines)


def wifi(phone: ServedPhone) -> str:
    """Whether Wi-Fi is on, and its network."""
    settings = phone.state().account.phone_settings
    network = phone.state().account.find("networks", settings.network) if settings.wifi else None
    return f"Wi-Fi is {'enabled' if settings.wifi else 'disabled'}\n" + (
        f'mWifiInfo SSID: "{network.name}", Supplicant state: COMPLETED'
        if network
        else "mWifiInfo SSID: <unknown ssid>"
    )


def notification(phone: ServedPhone) -> str:
    """The banner on the screen, if there is one."""
    notice = phone.state().phone.notice
    lines = ["Current Notification Manager state:", "  Notification List:"]
    if notice is not None and notice.app in PACKAGES:
        name = PACKAGES[notice.app].name
        lines += [f"    NotificationRecord(0x{handle(name)}: pkg={name} user=UserHandle{{0}} id=1)"]
        lines += [f"      android.title=String ({notice.title})", f"      android.text=String ({notice.text})"]
    return "\n".join(lines)


def displays(phone: ServedPhone) -> str:  # noqa: ARG001
    """The one display, as `dumpsys SurfaceFlinger --display-id` lists it."""
    return 'Display 4619827259835644672 (HWC display 0): port=0 pnpId=OMN displayName="Built-in Screen"'


_DUMPS: Mapping[str, Callable[[ServedPhone], str]] = {
    "SurfaceFlinger": displays,
    "window": window,
    "display": display,
    "input": inputs,
    "power": power,
    "battery": battery,
    "input_method": input_method,
    "audio": audio,
    "wifi": wifi,
    "notification": notification,
}


def dump(phone: ServedPhone, args: list[str]) -> str | None:
    """What `dumpsys ARGS` says; None if there is no such service."""
    service, rest = args[0], [arg for arg in args[1:] if not arg.startswith("-")]
    if service == "activity":
        return activity(phone, rest[0] if rest else "")
    if service == "package":
        return package(phone, rest[0]) if rest else "\n".join(package(phone, one.name) for one in PACKAGES.values())
    if service in _DUMPS:
        return _DUMPS[service](phone)
    return "" if service in SERVICES else None
