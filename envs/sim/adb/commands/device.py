"""Settings, keyboards, radios, and what the system's services tell: `settings`, `ime`, `svc`, `dumpsys`, …."""

from __future__ import annotations

import re
from dataclasses import replace

from omnipilot.envs.sim.adb import device_settings, dumpsys
from omnipilot.envs.sim.adb.phone import ADB_KEYBOARDS, KEYBOARD
from omnipilot.envs.sim.adb.process import Command, RunningCommand

ALL_KEYBOARDS = (KEYBOARD, *ADB_KEYBOARDS)
ADDRESS = "192.168.1.23"
PACKAGES_OF_CONTENT = (
    "sms",
    "call_log",
    "contacts",
    "com.android.contacts",
    "settings",
    "media",
    "com.android.calendar",
)


async def _settings(call: RunningCommand) -> int:
    args = list(call.args)
    if args[:1] == ["--user"]:
        del args[:2]
    args = [arg for at, arg in enumerate(args) if arg != "--user" and (at == 0 or args[at - 1] != "--user")]
    verb, space = (args[0], args[1]) if len(args) > 1 else (args[0] if args else "", "")
    if verb not in ("get", "put", "list", "delete", "reset"):
        await call.complain("usage: settings [--user <USER_ID>] get|put|delete|list NAMESPACE [KEY [VALUE]]")
        return 255
    if space not in device_settings.NAMESPACES:
        await call.complain(f"Invalid namespace '{space}'")
        return 255
    known = device_settings.values(call.phone, space)
    if verb == "list":
        await call.say("\n".join(f"{name}={value}" for name, value in known.items()))
        return 0
    if verb == "reset":
        return 0
    if len(args) < (4 if verb == "put" else 3):
        await call.complain("Bad arguments")
        return 255
    name = args[2]
    if verb == "get":
        await call.say(known.get(name, "null"))
    elif verb == "delete":
        await call.say(f"Deleted {int(device_settings.delete(call.phone, space, name))} rows")
    else:
        try:
            device_settings.put(call.phone, space, name, args[3])
        except ValueError as problem:
            await call.complain(f"Invalid value: {args[3][:100]} ({problem})")
            return 255
    return 0


async def _ime(call: RunningCommand) -> int:
    verb, args = (call.args[0], call.args[1:]) if call.args else ("", [])
    phone = call.phone
    name = next((arg for arg in args if "/" in arg), "")
    if verb == "list":
        shown = [one for one in ALL_KEYBOARDS if "-a" in args or one in phone.keyboards]
        await call.say("\n".join(shown if "-s" in args else [f"{one}:\n  mId={one}" for one in shown]))
        return 0
    if verb == "reset":
        phone.keyboards, phone.keyboard = {KEYBOARD}, KEYBOARD
        await call.say(f"Reset current and enabled IMEs for user #0\n  Selected: {KEYBOARD}")
        return 0
    if verb not in ("enable", "set", "disable"):
        await call.complain(f"Unknown command: {verb}")
        return 255
    if name not in ALL_KEYBOARDS:
        verbed = "selected" if verb == "set" else f"{verb}d"
        await call.complain(f"Unknown input method {name or '(none)'} cannot be {verbed} for user #0")
        return 255
    if verb == "enable":
        already = name in phone.keyboards
        phone.keyboards.add(name)
        await call.say(f"Input method {name}: {'already enabled' if already else 'now enabled'} for user #0")
    elif verb == "disable":
        phone.keyboards.discard(name)
        phone.keyboard = KEYBOARD if phone.keyboard == name else phone.keyboard
        phone.keyboards.add(KEYBOARD)
        await call.say(f"Input method {name}: now disabled for user #0")
    elif name not in phone.keyboards:
        await call.complain(f"Unknown input method {name} cannot be selected for user #0")
        return 255
    else:
        phone.keyboard = name
        await call.say(f"Input method {name} selected for user #0")
    return 0


async def _svc(call: RunningCommand) -> int:
    what, verb = (call.args[0], call.args[1]) if len(call.args) > 1 else ("", "")
    if what == "wifi" and verb in ("enable", "disable"):
        call.phone.apply(device_settings.set_wifi(verb == "enable"))
    elif what == "bluetooth" and verb in ("enable", "disable"):
        device_settings.put(call.phone, "global", "bluetooth_on", str(int(verb == "enable")))
    elif what == "data" and verb in ("enable", "disable"):
        device_settings.put(call.phone, "global", "mobile_data", str(int(verb == "enable")))
    elif what == "power" and verb == "stayon":
        value = call.args[2] if len(call.args) > 2 else "true"
        device_settings.put(call.phone, "global", "stay_on_while_plugged_in", "0" if value == "false" else "7")
    elif what not in ("power", "usb", "nfc"):
        await call.complain("Available commands: data, wifi, bluetooth, power, usb, nfc")
        return 1
    return 0


async def _uimode(call: RunningCommand) -> int:
    """`cmd uimode night [yes|no]`: the dark theme."""
    if call.args[:1] != ["night"]:
        await call.complain("UiModeManager service (uimode) commands: night [yes|no|auto]")
        return 255
    if len(call.args) > 1:
        call.phone.apply(device_settings.set_theme("dark" if call.args[1] == "yes" else "light"))
    dark = call.phone.now_state().phone.look.theme == "dark"
    await call.say(f"Night mode: {'yes' if dark else 'no'}")
    return 0


async def _dumpsys(call: RunningCommand) -> int:
    args = list(call.args)
    while args and args[0] == "-t":
        del args[:2]
    if not args or args[0] == "-l":
        await call.say("Currently running services:\n" + "\n".join(f"  {name}" for name in dumpsys.SERVICES))
        return 0
    call.phone.tick()
    found = dumpsys.dump(call.phone, args)
    if found is None:
        await call.say(f"Can't find service: {args[0]}")
        return 0
    await call.say(found)
    return 0


async def _service(call: RunningCommand) -> int:
    verb, name = (call.args[0], call.args[1]) if len(call.args) > 1 else (call.args[0] if call.args else "", "")
    if verb == "check":
        await call.say(f"Service {name}: {'found' if name in dumpsys.SERVICES else 'not found'}")
    elif verb == "list":
        lines = [f"{number}\t{one}: []" for number, one in enumerate(dumpsys.SERVICES)]
        await call.say(f"Found {len(lines)} services:\n" + "\n".join(lines))
    elif verb == "call":
        await call.say("Result: Parcel(00000000    '....')")
    else:
        await call.complain("Usage: service [-h|-?] list|check|call")
        return 10
    return 0


async def _content(call: RunningCommand) -> int:
    """`content`: the phone's data is reached through its apps; providers are there and hold no rows."""
    args = call.args
    if not args or args[0] not in ("query", "insert", "update", "delete", "call", "read", "gettype"):
        await call.complain("usage: adb shell content [subcommand] [options]")
        return 1
    uri = args[args.index("--uri") + 1] if "--uri" in args[:-1] else ""
    match = re.fullmatch(r"content://([\w.]+)(/.*)?", uri)
    if match is None or match[1] not in PACKAGES_OF_CONTENT:
        await call.complain(f"Error while accessing provider:{match[1] if match else 'null'}\nCould not find provider")
        return 1
    if args[0] == "query":
        await call.say("No result found.")
    if args[0] == "insert" and match[1] == "settings":
        bound = dict(arg.split(":", 1) for at, arg in enumerate(args) if args[at - 1] == "--bind" and ":" in arg)
        name, value = (bound.get(key, "").partition(":")[2] for key in ("name", "value"))
        return await _settings(replace(call, args=["put", str(match[2] or "")[1:], name, value]))
    return 0


async def _logcat(call: RunningCommand) -> int:
    """The log has one line; without `-d` it waits for more."""
    if "-c" in call.args or "-g" in call.args:
        return 0
    await call.say(
        "--------- beginning of main\n"
        f"{call.phone.date():%m-%d %H:%M:%S}.000   412   412 I omnipilot: this phone keeps no log"
    )
    if not {"-d", "-t", "-T"} & set(call.args):
        await call.pause(24 * 3600.0)
    return 0


async def _ifconfig(call: RunningCommand) -> int:
    on = call.phone.now_state().account.phone_settings.wifi
    name = next((arg for arg in call.args if arg.startswith(("wlan", "eth", "lo"))), "wlan0")
    if name not in ("wlan0", "lo"):
        return await call.fail(f"ioctl 8913: No such device ({name})")
    address = f"          inet addr:{ADDRESS}  Bcast:192.168.1.255  Mask:255.255.255.0\n" if on else ""
    if name == "lo":
        address = "          inet addr:127.0.0.1  Mask:255.0.0.0\n"
    await call.say(
        f"{name:<10}Link encap:Ethernet  HWaddr 02:00:00:44:55:66\n{address}          UP BROADCAST MULTICAST  MTU:1500"
    )
    return 0


async def _ip(call: RunningCommand) -> int:
    on = call.phone.now_state().account.phone_settings.wifi
    if call.args[:1] == ["route"]:
        await call.say(f"192.168.1.0/24 dev wlan0 proto kernel scope link src {ADDRESS}" if on else "")
        return 0
    address = f"\n    inet {ADDRESS}/24 brd 192.168.1.255 scope global wlan0" if on else ""
    await call.say(f"3: wlan0: <BROADCAST,MULTICAST,UP> mtu 1500 qdisc mq state {'UP' if on else 'DOWN'}{address}")
    return 0


async def _locksettings(call: RunningCommand) -> int:
    """`locksettings`: this phone is never locked."""
    answers = {
        "get-disabled": "true",
        "verify": "Lock credential verified successfully",
        "clear": "Lock credential cleared",
    }
    verb = call.args[0] if call.args else ""
    if verb not in answers:
        await call.complain("lockSettings service commands: get-disabled, verify, clear")
        return 255
    await call.say(answers[verb])
    return 0


async def _quiet(call: RunningCommand) -> int:  # noqa: ARG001
    return 0


COMMANDS: dict[str, Command] = {
    "settings": _settings,
    "ime": _ime,
    "svc": _svc,
    "uimode": _uimode,
    "dumpsys": _dumpsys,
    "service": _service,
    "content": _content,
    "logcat": _logcat,
    "ifconfig": _ifconfig,
    "ip": _ip,
    "locksettings": _locksettings,
    "appops": _quiet,
    "setenforce": _quiet,
    "log": _quiet,
    "start": _quiet,
}
