"""`app_process`: the programs that clients push and start: uiautomator2's server, and yadb's keyboard."""

from __future__ import annotations

from omnipilot.envs.sim.adb.process import Command, RunningCommand

U2_MAIN = "com.wetest.uia2.Main"
YADB_MAIN = "com.ysbing.yadb.Main"


async def _app_process(call: RunningCommand) -> int:
    if U2_MAIN in call.args:
        await call.say("[server] INFO: [UiAutomator2Server] Starting Server")
        # The server answers anyhow; this stream stays open as long as its client wants.
        await call.pause(7 * 24 * 3600.0)
        return 0
    if YADB_MAIN in call.args:
        return await _yadb(call, call.args[call.args.index(YADB_MAIN) + 1 :])
    await call.complain("Error: could not find the class; this phone runs no programs of others")
    return 1


async def _yadb(call: RunningCommand, args: list[str]) -> int:
    if args[:1] == ["-keyboard"] and len(args) > 1:
        call.phone.touch.text(args[1].replace("~~", "\n")[:10_000])
        return 0
    if args[:1] == ["-screenshot"]:
        path = args[1] if len(args) > 1 else "/data/local/tmp/yadb_screenshot.png"
        call.phone.files.write(call.shell.path(path), call.phone.picture().png(), call.phone.unix())
        await call.say(path)
        return 0
    if args[:1] == ["-touch"] and len(args) >= 3 and all(arg.isdecimal() and len(arg) < 6 for arg in args[1:4]):
        x, y = float(args[1]), float(args[2])
        seconds = float(args[3]) / 1000 if len(args) > 3 else 0.0
        await call.pause(min(seconds, 60.0))
        call.phone.touch.stroke([(x, y)], seconds)
        return 0
    await call.complain("usage: -keyboard TEXT | -screenshot [FILE] | -touch X Y [MS]")
    return 1


COMMANDS: dict[str, Command] = {"app_process": _app_process, "app_process64": _app_process}
