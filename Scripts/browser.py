"""A headless Chromium that checks of pages drive by its debugging protocol, as someone at a desk would.

SPDX-License-Identifier: Apache-2.0
"""
import base64
import ctypes
import json
import math
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time

PROGRAMS = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]

# The longest wait for anything: it only ends a check that hangs.
LIMIT = float(os.environ.get("AURICLE_PAGE_LIMIT", "600"))

KEYS = {
    "Enter": (13, "\r"), "Escape": (27, ""), " ": (32, " "), "Tab": (9, ""), "Delete": (46, ""), "Backspace": (8, ""), "ArrowLeft": (37, ""),
    "+": (187, "+"), "-": (189, "-"), "[": (219, "["), "]": (221, "]"), "ArrowUp": (38, ""), "ArrowRight": (39, ""), "ArrowDown": (40, ""), "Home": (36, ""), "End": (35, ""), "PageUp": (33, ""), "PageDown": (34, ""),
}
ALT, CONTROL, SHIFT = 1, 2, 8

# What inotify reports.
MOVED_HERE, CREATED = 0x80, 0x100


class Fault(Exception):
    """Something of the page is not as it should be."""


def program():
    """Returns the browser of this machine, or None."""
    return next((found for found in map(shutil.which, PROGRAMS) if found), None)


def appears(path, process):
    """Waits until a program makes a file, by the system's news of its folder; returns at once when the program ends."""
    system = ctypes.CDLL(None, use_errno=True)
    news = system.inotify_init1(os.O_CLOEXEC)
    ends = os.pidfd_open(process.pid)
    try:
        if system.inotify_add_watch(news, os.fsencode(path.parent), CREATED | MOVED_HERE) < 0:
            raise Fault(f"{path.parent} cannot be watched: {os.strerror(ctypes.get_errno())}")
        while not path.exists():
            found = select.select([news, ends], [], [], LIMIT)[0]
            if not found:
                raise Fault(f"{path}: not there within {LIMIT:g} s")
            if ends in found:
                return
            os.read(news, 4096)
    finally:
        os.close(news)
        os.close(ends)


class Browser:
    """A browser that is driven through a pipe; its tabs are `Tab`."""

    def __init__(self, path):
        self.profile = tempfile.mkdtemp(prefix="auricle-browser-")
        to_read, self.to = os.pipe()
        self.of, of_write = os.pipe()

        def pass_on():
            # The browser reads from 3 and writes to 4.
            first, second = os.dup(to_read), os.dup(of_write)
            os.dup2(first, 3)
            os.dup2(second, 4)

        self.process = subprocess.Popen(
            [path, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run", "--disable-dev-shm-usage",
             "--autoplay-policy=no-user-gesture-required", "--user-data-dir=" + self.profile],
            preexec_fn=pass_on, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        os.close(to_read)
        os.close(of_write)
        self.rest, self.number, self.events = b"", 0, []

    def message(self):
        end = time.monotonic() + LIMIT
        while b"\0" not in self.rest:
            if not select.select([self.of], [], [], max(0, end - time.monotonic()))[0]:
                raise Fault(f"the browser has said nothing for {LIMIT:g} s")
            piece = os.read(self.of, 1 << 20)
            if not piece:
                raise Fault("the browser ended")
            self.rest += piece
        line, self.rest = self.rest.split(b"\0", 1)
        return json.loads(line)

    def call(self, method, session=None, **values):
        self.number += 1
        number = self.number
        command = {"id": number, "method": method, "params": values}
        if session:
            command["sessionId"] = session
        os.write(self.to, json.dumps(command).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == number:
                if "error" in answer:
                    raise Fault(f"{method}: {answer['error'].get('message')}")
                return answer["result"]
            self.events.append(answer)

    def tab(self, width=1400, height=900, scheme="light"):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        return Tab(self, target, session, width, height, scheme)

    def end(self):
        try:
            self.call("Browser.close")
        except (OSError, Fault):
            pass
        if self.process.poll() is None:
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
        os.close(self.to)
        os.close(self.of)
        shutil.rmtree(self.profile, ignore_errors=True)


class Tab:
    """A tab of a size, light or dark. Places are named by selectors of CSS, `script=` and an expression, or `text=` and a part of what a button says."""

    def __init__(self, browser, target, session, width, height, scheme):
        self.browser, self.target, self.session, self.width, self.height = browser, target, session, width, height
        for domain in ["Page", "Runtime", "Log", "Network", "Accessibility"]:
            self.call(domain + ".enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def call(self, method, **values):
        return self.browser.call(method, session=self.session, **values)

    def open(self, url):
        self.browser.events = [one for one in self.browser.events if one.get("method") != "Page.loadEventFired"]
        self.call("Page.navigate", url=url)
        end = time.monotonic() + LIMIT
        while not any(one.get("method") == "Page.loadEventFired" and one.get("sessionId") == self.session for one in self.browser.events):
            if time.monotonic() > end:
                raise Fault(f"{url} is not loaded within {LIMIT:g} s")
            self.browser.events.append(self.browser.message())

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)

    def value(self, script):
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise Fault(f"{details.get('exception', {}).get('description') or details.get('text')} in: {script[:200]}")
        return result["result"].get("value")

    def until(self, script, what):
        """Waits until an expression of the page is true, and returns it: it is asked for with each frame that the page draws."""
        condition = f"""(async () => {{
          const end = performance.now() + {LIMIT * 1000};
          for (;;) {{
            let found = null;
            try {{ found = await ({script}); }} catch (error) {{ if (performance.now() > end) throw error; }}
            if (found) return found instanceof Object && found.nodeType ? true : found;
            if (performance.now() > end) return null;
            await new Promise((done) => requestAnimationFrame(done));
          }}
        }})()"""
        found = self.value(condition)
        if not found:
            raise Fault(f"{what}: not within {LIMIT:g} s")
        return found

    def find(self, place):
        """Returns the expression of an element: that of a selector or a script, or of the button or link with a text, which is seen."""
        if place.startswith("script="):
            return place[7:]
        if place.startswith("text="):
            text = json.dumps(place[5:])
            return (f"[...document.querySelectorAll('dialog[open] button, dialog[open] a, button, a, summary, [role=option]')]"
                    f".find((node) => node.checkVisibility() && (node.textContent.trim() === {text} || node.getAttribute('aria-label') === {text} || node.textContent.trim().startsWith({text}))"
                    f" && (!document.querySelector('dialog[open]') || node.closest('dialog')))")
        return f"document.querySelector({json.dumps(place)})"

    def box(self, place):
        """Waits for an element that can be used where it is, and returns its middle and size."""
        return self.until(f"""(async () => {{
          const node = {self.find(place)};
          if (!node || node.disabled || !node.checkVisibility()) return null;
          node.scrollIntoView({{ block: 'center', inline: 'center', behavior: 'instant' }});
          const one = node.getBoundingClientRect();
          await new Promise((done) => requestAnimationFrame(done));
          const two = node.getBoundingClientRect();
          if (!two.width || one.x !== two.x || one.y !== two.y) return null;
          const hit = document.elementFromPoint(two.x + two.width / 2, two.y + two.height / 2);
          if (!node.contains(hit)) return null;
          return {{ x: two.x + two.width / 2, y: two.y + two.height / 2, width: two.width, height: two.height, left: two.x, top: two.y }};
        }})()""", f"'{place}' can be used")

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, place):
        at = self.box(place)
        self.mouse("mouseMoved", at["x"], at["y"])
        self.mouse("mousePressed", at["x"], at["y"], button="left", buttons=1, clickCount=1)
        self.mouse("mouseReleased", at["x"], at["y"], button="left", clickCount=1)

    def touch(self, kind, *points):
        self.call("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y} for x, y in points])

    def drag(self, start, end, steps=12, release=True, to=None, isTouch=False):
        """Drags from a place to another; `to` is an expression of where the end is by then, for what scrolls on the way."""
        if isTouch:
            press, move, drop = (lambda at: self.touch("touchStart", at)), (lambda at: self.touch("touchMove", at)), (lambda at: self.touch("touchEnd"))
        else:
            self.mouse("mouseMoved", *start)
            press = lambda at: self.mouse("mousePressed", *at, button="left", buttons=1, clickCount=1)
            move = lambda at: self.mouse("mouseMoved", *at, button="left", buttons=1)
            drop = lambda at: self.mouse("mouseReleased", *at, button="left", clickCount=1)
        press(start)
        for step in range(1, steps + 1):
            part = step / steps
            move((start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part))
        if to:
            # The row rolls while the pointer is at its edge: it is followed until it rests.
            for _ in range(60):
                place = tuple(self.value(to))
                if math.hypot(place[0] - end[0], place[1] - end[1]) < 2:
                    break
                end = place
                move(end)
        if release:
            drop(end)

    def key(self, name, modifiers=0):
        self.press(name, modifiers)
        self.release(name, modifiers)

    def press(self, name, modifiers=0):
        text = "" if modifiers & (ALT | CONTROL) else KEYS[name][1] if name in KEYS else name
        self.call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", **({"text": text} if text else {}), **self.code(name, modifiers))

    def release(self, name, modifiers=0):
        self.call("Input.dispatchKeyEvent", type="keyUp", **self.code(name, modifiers))

    @staticmethod
    def code(name, modifiers):
        code = KEYS[name][0] if name in KEYS else ord(name.upper())
        return {"key": name, "windowsVirtualKeyCode": code, "modifiers": modifiers, "code": name if name in KEYS and name != " " else f"Key{name.upper()}"}

    def type(self, place, text, isEnter=True):
        """Replaces what a field says."""
        self.click(place)
        self.value(f"{self.find(place)}.select?.()")
        self.call("Input.insertText", text=text)
        if isEnter:
            self.key("Enter")

    def choose(self, place, value):
        """Chooses a value of a list, as its keys would."""
        self.until(f"{self.find(place)}?.checkVisibility()", f"'{place}' is there")
        self.value(f"""(() => {{ const list = {self.find(place)}; list.value = {json.dumps(value)};
          if (list.value !== {json.dumps(value)}) throw new Error('no such choice: ' + [...list.options].map((one) => one.value));
          list.dispatchEvent(new Event('input', {{ bubbles: true }})); list.dispatchEvent(new Event('change', {{ bubbles: true }})); }})()""")

    def picture(self, path):
        pathlib.Path(path).parent.mkdir(parents=True, exist_ok=True)
        self.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        data = self.call("Page.captureScreenshot", format="png")["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))

    def complaints(self):
        """Returns what the console of the page complained of since it was last asked, without refusals that pages expect."""
        found, rest = [], []
        for one in self.browser.events:
            if one.get("sessionId") != self.session:
                rest.append(one)
                continue
            method, values = one.get("method"), one.get("params", {})
            if method == "Runtime.exceptionThrown":
                details = values["exceptionDetails"]
                found.append(details.get("exception", {}).get("description") or details.get("text"))
            elif method == "Log.entryAdded" and values["entry"]["level"] == "error" and values["entry"].get("source") != "network":
                found.append(values["entry"]["text"])
            elif method == "Runtime.consoleAPICalled" and values["type"] in ("error", "assert"):
                found.append(" ".join(str(part.get("value", part.get("description"))) for part in values["args"]))
        self.browser.events = rest
        return found
