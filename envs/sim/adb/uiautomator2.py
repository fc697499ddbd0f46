"""uiautomator2's server: JSON-RPC over HTTP on the phone's port 9008.

It answers the calls of the Python package uiautomator2 (its version 3) as the server that it pushes would.
"""

from __future__ import annotations

import asyncio
import base64
import io
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from omnipilot.envs.sim.adb import properties
from omnipilot.envs.sim.adb.hierarchy import HierarchyNode, find_all, screen_tree, to_xml
from omnipilot.envs.sim.adb.keycodes import NAMED
from omnipilot.envs.sim.adb.packages import front_package
from omnipilot.envs.sim.adb.phone import ServedPhone
from omnipilot.envs.sim.adb.streams import Lines, Readable, Writable
from omnipilot.envs.types.errors import EnvLost

PORT = 9008
MOST_BODY = 1024 * 1024
MOST_HEADERS = 100
STEP_SECONDS = 0.005
"""Seconds of one step of a swipe."""
POLL = 0.1
LONGEST = 60.0
SCROLLS = 50
"""Swipes after which `scrollTo` gives up."""
KEYS = {
    "center": "DPAD_CENTER",
    "left": "DPAD_LEFT",
    "right": "DPAD_RIGHT",
    "up": "DPAD_UP",
    "down": "DPAD_DOWN",
    "delete": "DEL",
    "recent": "APP_SWITCH",
}
ORIENTATIONS = {"natural": 0, "n": 0, "left": 1, "l": 1, "upsidedown": 2, "u": 2, "right": 3, "r": 3}


class RpcError(Exception):
    """A call that fails; `code` is JSON-RPC's."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code


async def serve_http(stream: Any, phone: ServedPhone) -> None:
    """Answer the requests of one connection until it closes, or one makes no sense."""
    await answer_requests(stream, stream, phone)


async def answer_requests(source: Readable, out: Writable, phone: ServedPhone) -> None:
    """See `serve_http`."""
    reader = Lines(source)
    server = Uiautomator2(phone)
    while True:
        request = (await reader.line(8192)).decode("latin-1").split()
        if len(request) < 3 or not request[2].startswith("HTTP/"):
            return
        headers: dict[str, str] = {}
        while line := (await reader.line(8192)).decode("latin-1").strip():
            name, _, value = line.partition(":")
            headers[name.strip().lower()] = value.strip()
            if len(headers) > MOST_HEADERS:
                return
        length = headers.get("content-length", "0")
        if not length.isdecimal() or len(length) > 9 or int(length) > MOST_BODY:
            await out.write(_response(413, b"too large"))
            return
        body = await reader.exactly(int(length))
        status, kind, answer = await server.answer(request[0], request[1], body)
        await out.write(_response(status, answer, kind))
        if headers.get("connection", "").lower() == "close":
            return


def _response(status: int, body: bytes, kind: str = "text/plain") -> bytes:
    reason = {200: "OK", 404: "Not Found", 413: "Payload Too Large"}.get(status, "Bad Request")
    head = f"HTTP/1.1 {status} {reason}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


class Uiautomator2:
    """The server's methods, on one phone."""

    def __init__(self, phone: ServedPhone) -> None:
        self._phone = phone
        self._methods: Mapping[str, Callable[..., Any]] = {
            name.removeprefix("call_"): getattr(self, name) for name in dir(self) if name.startswith("call_")
        }

    async def answer(self, verb: str, path: str, body: bytes) -> tuple[int, str, bytes]:
        """Status, content type and body of the answer to one request."""
        if path == "/ping":
            return 200, "text/plain", b"pong"
        if verb != "POST" or not path.startswith("/jsonrpc/"):
            return 404, "text/plain", b"not found"
        try:
            request = json.loads(body)
            method, params = request["method"], request.get("params") or []
            if not isinstance(method, str) or not isinstance(params, list):
                raise ValueError
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return 200, "application/json", json.dumps(_failure(None, -32600, "Invalid Request")).encode()
        id = request.get("id")
        call = self._methods.get(method)
        if call is None:
            reply = _failure(id, -32601, f"Method not found: {method[:200]}")
        else:
            try:
                result = call(*params)
                if isinstance(result, Awaitable):
                    result = await result
                reply = {"jsonrpc": "2.0", "id": id, "result": result}
            except RpcError as error:
                reply = _failure(id, error.code, str(error))
            except EnvLost:
                raise
            except (TypeError, ValueError, AttributeError, KeyError, IndexError, OverflowError) as error:
                reply = _failure(id, -32602, f"Invalid params: {error}")
        return 200, "application/json", json.dumps(reply).encode()

    # The device.

    def call_deviceInfo(self) -> dict[str, Any]:
        """What the phone is."""
        display = self._phone.display
        size, dots = display.size, display.dots
        return {
            "currentPackageName": front_package(self._phone).name,
            "displayWidth": size.width,
            "displayHeight": size.height,
            "displayRotation": display.rotation,
            "productName": properties.PRODUCT,
            "displaySizeDpX": round(size.width * 160 / dots),
            "displaySizeDpY": round(size.height * 160 / dots),
            "sdkInt": properties.SDK,
            "naturalOrientation": display.rotation == 0,
            "screenOn": self._phone.screen_on,
        }

    def call_takeScreenshot(self, scale: float = 1.0, quality: int = 80) -> str:
        """The screenshot as JPEG in base64."""
        from PIL import Image as pil

        picture = self._phone.picture()
        shown = pil.fromarray(picture.array())
        share = min(max(float(scale), 0.05), 1.0)
        if share < 1:
            shown = shown.resize((max(1, round(shown.width * share)), max(1, round(shown.height * share))))
        file = io.BytesIO()
        shown.save(file, "JPEG", quality=min(max(int(quality), 1), 95))
        return base64.b64encode(file.getvalue()).decode()

    def call_dumpWindowHierarchy(self, compressed: bool = False, deepest: int = 50, active: bool = False) -> str:  # noqa: ARG002
        """The elements as XML."""
        return to_xml(screen_tree(self._phone), self._phone.display.rotation, bool(compressed), int(deepest))

    def call_wakeUp(self) -> bool:
        """Turn the screen on."""
        self._phone.screen_on = True
        return True

    def call_sleep(self) -> bool:
        """Turn the screen off."""
        self._phone.screen_on = False
        return True

    def call_isScreenOn(self) -> bool:
        """Whether the screen is on."""
        return self._phone.screen_on

    def call_setOrientation(self, name: str) -> bool:
        """Turn the screen and lock it."""
        if name not in ORIENTATIONS:
            raise RpcError(-32602, f"unknown orientation {name[:50]}")
        self._phone.turn(ORIENTATIONS[name])
        return True

    def call_freezeRotation(self, frozen: bool = True) -> bool:
        """Lock the rotation, or follow how the phone lies."""
        self._phone.turn(self._phone.display.rotation if frozen else None)
        return True

    def call_openNotification(self) -> bool:
        """This phone has no notification shade."""
        return False

    call_openQuickSettings = call_openNotification

    def call_getLastToast(self) -> str | None:
        """This phone shows no toasts."""
        return None

    def call_clearLastToast(self) -> bool:
        """Nothing to clear."""
        return True

    def call_getLastTraversedText(self) -> str | None:
        """Nothing is traversed."""
        return None

    call_clearLastTraversedText = call_clearLastToast

    def call_makeToast(self, text: str, milliseconds: int) -> bool:  # noqa: ARG002
        """This phone shows no toasts."""
        return False

    # Touches and keys.

    async def call_click(self, x: float, y: float, milliseconds: float = 0) -> bool:
        """Tap, or hold for some milliseconds."""
        x, y = float(x), float(y)
        if not milliseconds:
            self._phone.touch.tap(x, y)
            return True
        await self._stroke([(x, y)], float(milliseconds) / 1000)
        return True

    async def _stroke(self, path: list[tuple[float, float]], seconds: float, hold: bool = False) -> None:
        seconds = min(max(seconds, 0.0), LONGEST)
        await asyncio.sleep(seconds / self._phone.rate)
        self._phone.touch.stroke(path, seconds, hold)

    async def call_swipe(self, x1: float, y1: float, x2: float, y2: float, steps: int = 55) -> bool:
        """Swipe in steps of 5 ms."""
        path = [(float(x1), float(y1)), (float(x2), float(y2))]
        await self._stroke(path, int(steps) * STEP_SECONDS)
        return True

    async def call_swipePoints(self, numbers: list[float], steps: int = 55) -> bool:
        """Swipe through points, given as x, y in turn."""
        path = [(float(x), float(y)) for x, y in zip(numbers[:2000:2], numbers[1:2000:2], strict=False)]
        await self._stroke(path, int(steps) * STEP_SECONDS * max(1, len(path) - 1))
        return True

    async def call_drag(self, x1: float, y1: float, x2: float, y2: float, steps: int = 100) -> bool:
        """Drag in steps of 5 ms."""
        path = [(float(x1), float(y1)), (float(x2), float(y2))]
        await self._stroke(path, int(steps) * STEP_SECONDS, hold=True)
        return True

    def call_injectInputEvent(self, kind: int, x: float, y: float, meta: int = 0) -> bool:  # noqa: ARG002
        """One event of a finger."""
        name = {0: "down", 1: "up", 2: "move", 3: "cancel"}.get(kind)
        if name is None:
            return False
        self._phone.touch.event(name, float(x), float(y))
        return True

    def call_pressKey(self, name: str) -> bool:
        """Press a key by uiautomator2's name."""
        code = NAMED.get(KEYS.get(name, name).upper())
        if code is None:
            return False
        self._phone.touch.keys([code])
        return True

    def call_pressKeyCode(self, code: int, meta: int = 0) -> bool:
        """Press a key by its code; `meta` has bit 1 for shift and bit 0x1000 for ctrl."""
        held = [NAMED["SHIFT_LEFT"]] * bool(int(meta or 0) & 1) + [NAMED["CTRL_LEFT"]] * bool(int(meta or 0) & 0x1000)
        self._phone.touch.keys([*held, int(code)])
        return True

    # The clipboard and what has the focus.

    def call_setClipboard(self, label: str | None, text: str) -> None:  # noqa: ARG002
        """Put text on the clipboard."""
        text = str(text)[:100_000]
        self._phone.apply(lambda state: state.on("phone", clipboard=text))

    def call_getClipboard(self) -> str | None:
        """The clipboard's text."""
        return self._phone.now_state().phone.clipboard or None

    def call_pasteClipboard(self) -> bool:
        """Paste into what has the focus."""
        self._phone.touch.keys([NAMED["PASTE"]])
        return True

    def call_clearInputText(self) -> bool:
        """Empty the field that has the focus."""
        self._phone.touch.clear()
        return True

    # Objects.

    def _all(self, selector: Mapping[str, Any]) -> list[HierarchyNode]:
        return find_all(screen_tree(self._phone), selector)

    def _one(self, selector: Mapping[str, Any]) -> HierarchyNode:
        found = self._all(selector)
        if not found:
            raise RpcError(-32001, f"androidx.test.uiautomator.UiObjectNotFoundException: {_told(selector)}")
        return found[0]

    def call_exist(self, selector: dict[str, Any]) -> bool:
        """Whether something fits."""
        return bool(self._all(selector))

    def call_count(self, selector: dict[str, Any]) -> int:
        """How many fit."""
        return len(self._all(selector))

    async def call_waitForExists(self, selector: dict[str, Any], milliseconds: float) -> bool:
        """Wait until something fits."""
        return await self._wait(lambda: bool(self._all(selector)), milliseconds)

    async def call_waitUntilGone(self, selector: dict[str, Any], milliseconds: float) -> bool:
        """Wait until nothing fits."""
        return await self._wait(lambda: not self._all(selector), milliseconds)

    async def _wait(self, holds: Callable[[], bool], milliseconds: float) -> bool:
        end = self._phone.now + min(max(float(milliseconds) / 1000, 0.0), LONGEST)
        while not holds():
            if self._phone.now >= end:
                return False
            await asyncio.sleep(POLL / self._phone.rate)
        return True

    def call_objInfo(self, selector: dict[str, Any]) -> dict[str, Any]:
        """What fits first."""
        return self._one(selector).info()

    def call_objInfoOfAllInstances(self, selector: dict[str, Any]) -> list[dict[str, Any]]:
        """All that fit."""
        return [node.info() for node in self._all(selector)]

    def call_getText(self, selector: dict[str, Any]) -> str:
        """The text of what fits first."""
        return self._one(selector).text

    def call_setText(self, selector: dict[str, Any], text: str) -> bool:
        """Replace the text of a field."""
        node = self._one(selector)
        if node.kind != "android.widget.EditText":
            return False
        if not node.focused:
            self._phone.touch.tap(*_center(node))
        self._phone.touch.clear()
        self._phone.touch.text(str(text)[:10_000])
        return True

    def call_clearTextField(self, selector: dict[str, Any]) -> bool:
        """Empty a field."""
        return self.call_setText(selector, "")

    def call_objClick(self, selector: dict[str, Any]) -> bool:
        """Tap the middle of what fits first."""
        self._phone.touch.tap(*_center(self._one(selector)))
        return True

    async def call_dragTo(self, selector: dict[str, Any], *where: Any) -> bool:
        """Drag what fits first to a place or to another object."""
        start = _center(self._one(selector))
        if isinstance(where[0], dict):
            end, steps = _center(self._one(where[0])), where[1]
        else:
            end, steps = (float(where[0]), float(where[1])), where[2]
        await self._stroke([start, end], int(steps) * STEP_SECONDS, hold=True)
        return True

    def call_pinchIn(self, selector: dict[str, Any], percent: int, steps: int) -> bool:  # noqa: ARG002
        """Two fingers: nothing of this phone zooms."""
        self._one(selector)
        return False

    call_pinchOut = call_pinchIn

    def call_gesture(self, selector: dict[str, Any], *points: Any) -> bool:  # noqa: ARG002
        """Two fingers: nothing of this phone zooms."""
        self._one(selector)
        return False

    # Scrolling.

    def _scrolled(self, selector: Mapping[str, Any], share: float) -> bool:
        """Scroll what fits by a share of its height, down if positive; whether anything moved."""
        found = [node for node in self._all(selector) if node.scrollable] or self._all({"scrollable": True})
        if not found:
            raise RpcError(-32001, f"androidx.test.uiautomator.UiObjectNotFoundException: {_told(selector)}")
        left, top, right, bottom = found[0].bounds
        x, middle, reach = (left + right) / 2, (top + bottom) / 2, (bottom - top) * share / 2
        before = self._phone.state().phone.scrolls
        self._phone.touch.slide(x, middle + reach, middle - reach)
        return self._phone.state().phone.scrolls != before

    def call_scrollForward(self, selector: dict[str, Any], vertical: bool = True, steps: int = 55) -> bool:  # noqa: ARG002
        """One page down."""
        return bool(vertical) and self._scrolled(selector, 0.8)

    def call_scrollBackward(self, selector: dict[str, Any], vertical: bool = True, steps: int = 55) -> bool:  # noqa: ARG002
        """One page up."""
        return bool(vertical) and self._scrolled(selector, -0.8)

    call_flingForward, call_flingBackward = call_scrollForward, call_scrollBackward

    def call_scrollToEnd(self, selector: dict[str, Any], vertical: bool = True, *swipes: int) -> bool:
        """To the end; `swipes` are how many at most, and their steps."""
        return any(not self.call_scrollForward(selector, vertical) for _ in range(_most(swipes)))

    def call_scrollToBeginning(self, selector: dict[str, Any], vertical: bool = True, *swipes: int) -> bool:
        """To the start; `swipes` are how many at most, and their steps."""
        return any(not self.call_scrollBackward(selector, vertical) for _ in range(_most(swipes)))

    call_flingToEnd, call_flingToBeginning = call_scrollToEnd, call_scrollToBeginning

    def call_scrollTo(self, selector: dict[str, Any], wanted: dict[str, Any], vertical: bool = True) -> bool:
        """From the start down until something fits."""
        if self._all(wanted):
            return True
        self.call_scrollToBeginning(selector, vertical)
        for _ in range(SCROLLS):
            if self._all(wanted):
                return True
            if not self.call_scrollForward(selector, vertical):
                return False
        return False


def _most(swipes: tuple[int, ...]) -> int:
    return min(int(swipes[0]) if swipes else SCROLLS, 1000)


def _center(node: HierarchyNode) -> tuple[float, float]:
    left, top, right, bottom = node.bounds
    return float((left + right) // 2), float((top + bottom) // 2)


def _told(selector: Mapping[str, Any]) -> str:
    hidden = ("mask", "childOrSibling", "childOrSiblingSelector")
    return "UiSelector[" + ", ".join(f"{k}={v}" for k, v in selector.items() if k not in hidden)[:500] + "]"


def _failure(id: Any, code: int, text: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": text, "data": text}}
