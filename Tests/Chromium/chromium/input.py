"""Mouse and keyboard, as a person uses them."""

import pathlib
import time

POINT = (pathlib.Path(__file__).with_name("selectors.js")).read_text().rstrip().rstrip(";")

KEYS = {
    "Enter": (13, "\r"), "Tab": (9, ""), "Escape": (27, ""), "Backspace": (8, ""), "Delete": (46, ""), " ": (32, " "),
    "ArrowLeft": (37, ""), "ArrowUp": (38, ""), "ArrowRight": (39, ""), "ArrowDown": (40, ""),
    "PageUp": (33, ""), "PageDown": (34, ""), "End": (35, ""), "Home": (36, ""),
}  # fmt: skip
MODIFIERS = {"Alt": 1, "Control": 2, "Meta": 4, "Shift": 8}


class Input:
    """What a page takes from mouse and keyboard; a part of Page."""

    def click(self, selector, timeout=5):
        """Clicks the middle of the element, as soon as it is there, stands still, and nothing covers it."""
        self.hold(selector, timeout)
        self.let_go()

    def hold(self, selector, timeout=5):
        """The first half of a click."""
        self.move_to(selector, timeout)
        self._mouse("mousePressed", *self._pointer, button="left", clickCount=1)

    def let_go(self):
        self._mouse("mouseReleased", *self._pointer, button="left", clickCount=1)

    def move_to(self, selector, timeout=5):
        self._pointer = self._settled_point(selector, timeout)
        self._mouse("mouseMoved", *self._pointer)

    def wheel(self, down=100, right=0):
        """Turns the wheel where the pointer is: move it there first."""
        self._mouse("mouseWheel", *self._pointer, deltaX=right, deltaY=down)

    def press(self, *keys):
        """Presses keys one after the other: `press("Tab", "Shift+Tab", "a")`."""
        for key in keys:
            *held, name = key.split("+") if len(key) > 1 else [key]
            code, text = KEYS[name] if name in KEYS else (ord(name.upper()), name)
            event = {
                "key": name,
                "code": name if name in KEYS and name != " " else "Space" if name == " " else f"Key{name.upper()}",
                "windowsVirtualKeyCode": code,
                "modifiers": sum(MODIFIERS[modifier] for modifier in held),
            }
            down = {"type": "keyDown", "text": text} if text and not held else {"type": "rawKeyDown"}
            self.call("Input.dispatchKeyEvent", **event, **down)
            self.call("Input.dispatchKeyEvent", **event, type="keyUp")

    def write(self, text):
        """Writes into what has the focus."""
        self.call("Input.insertText", text=text)

    def _settled_point(self, selector, timeout):
        deadline = time.monotonic() + timeout
        before = None
        while True:
            point = self.evaluate(POINT, selector)
            if "problem" not in point and point == before:
                return point["x"], point["y"]
            if time.monotonic() > deadline:
                raise TimeoutError(f"{selector} {point.get('problem', 'does not stand still')}")
            before = point
            time.sleep(0.02)

    def _mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)
