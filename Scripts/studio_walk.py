"""A studio of folders of its own, and a walk through its page: what all jobs of check-studio and draw-studio use.

SPDX-License-Identifier: Apache-2.0
"""
import array
import json
import math
import os
import pathlib
import re
import select
import shutil
import signal
import socket
import struct
import subprocess
import wave

import browser
from browser import Fault

ROOT = pathlib.Path(__file__).resolve().parent.parent
HOSTILE = "<img src=x onerror=window.harmed=1> & 'take'.wav"


class Studio:
    """A studio with folders of its own."""

    def __init__(self, program, folder):
        self.program, self.folder, self.process, self.port = program, pathlib.Path(folder), None, 0
        self.talks = self.folder / "talks"
        self.environment = {**os.environ, "LV2_PATH": str(self.folder / "lv2"), **{f"{name}_PATH": str(self.folder / "none") for name in ["LADSPA", "CLAP", "VST3"]},
                            "AURICLE_STUDIO_PAGE": str(ROOT / "Sources/Host/StudioServer/Page"),
                            "AURICLE_SEQUENCER": "off",
                            "AURICLE_DEVICE": f"file:{self.folder}/live.wav,in={self.folder}/live-in.wav,clock=real"}
        for name in ["CONFIG", "CACHE", "STATE", "RUNTIME", "DATA"]:
            place = self.folder / name.lower()
            place.mkdir(mode=0o700)
            self.environment[f"XDG_{name}_{'HOME' if name != 'RUNTIME' else 'DIR'}"] = str(place)

    def prepare(self):
        """Makes sounds to work with, one with a hostile name, one that is damaged; and a plug-in that crashes."""
        self.talks.mkdir()
        (self.talks / "chains").mkdir()
        tone(self.talks / "voice.wav", 6)
        tone(self.talks / HOSTILE, 2)
        tone(self.talks / "long.wav", 1, rate=8000, times=100)
        tone(self.folder / "live-in.wav", 1, times=300)
        batch = self.talks / "batch"
        batch.mkdir()
        for number in range(5):
            tone(batch / f"talk {number}.wav", 1)
        (batch / "broken.wav").write_bytes(b"RIFF\x10\0\0\0WAVEfmt ")
        add_title(self.talks / HOSTILE, "<script>window.harmed=1</script>")
        for name in ["fuse", "panel"]:
            source = ROOT / f"Tests/Fixtures/StudioLV2/{name}.lv2"
            bundle = self.folder / "lv2" / f"{name}.lv2"
            shutil.copytree(source, bundle)
            subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", str(bundle / "plugin.so"), str(source / "plugin.c"), "-lm"], check=True)

    def links(self, name, count):
        """Makes a folder of so many files of a second, which are one on disk."""
        folder = self.talks / name
        folder.mkdir(parents=True)
        tone(folder / "talk 00000.wav", 1, rate=8000)
        for number in range(1, count):
            os.link(folder / "talk 00000.wav", folder / f"talk {number:05}.wav")

    def many_units(self, count):
        """Makes a bundle that describes so many units."""
        bundle = self.folder / "lv2" / "many.lv2"
        shutil.copytree(ROOT / "Tests/Fixtures/StudioLV2/fuse.lv2", bundle)
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", str(bundle / "plugin.so"), str(bundle / "plugin.c")], check=True)
        for name in ["manifest.ttl", "plugin.ttl"]:
            text = (bundle / name).read_text()
            head, body = text[:text.index("<urn:")], text[text.index("<urn:"):]
            more = "".join(body.replace("test:fuse", f"test:many:{number}").replace("Fuse <img src=x onerror=window.harmed=1>", f"Many {number}") for number in range(count))
            (bundle / name).write_text(head + more)

    def begin(self, *words):
        """Starts a program that goes on, with what it says in the log."""
        with open(self.folder / "others.log", "a") as log:
            return subprocess.Popen([self.program, *words], env=self.environment, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)

    @staticmethod
    def finish(process):
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def run(self, *words, check=True):
        result = subprocess.run([self.program, *words], env=self.environment, cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=browser.LIMIT)
        if check and result.returncode:
            raise Fault(f"auricle {' '.join(words)}: {result.stderr}")
        return result

    def start(self, *options):
        self.log = open(self.folder / "studio.log", "a")
        self.process = subprocess.Popen([self.program, "studio", str(self.talks), "--port", str(self.port), *options], env=self.environment, cwd=self.folder,
                                        stdout=subprocess.PIPE, stderr=self.log, text=True, start_new_session=True)
        if not select.select([self.process.stdout], [], [], browser.LIMIT)[0]:
            raise Fault("the studio prints no address")
        self.url = self.process.stdout.readline().strip()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/\?token=([0-9a-f]{32})", self.url)
        if not found:
            raise Fault(f"the first line is no address: {self.url!r} {(self.folder / 'studio.log').read_text()[-400:]}")
        self.url, self.port, self.token = found.group(0), int(found.group(1)), found.group(2)

    def worked(self, isWithWorkers=False):
        """Returns for how many seconds the studio itself has worked, or with the processes that it has."""
        found = [self.process.pid]
        for process in found if isWithWorkers else []:
            for children in pathlib.Path(f"/proc/{process}/task").glob("*/children"):
                found += map(int, children.read_text().split())
        lines = [pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split() for process in found]
        return sum(int(fields[11]) + int(fields[12]) for fields in lines) / os.sysconf("SC_CLK_TCK")

    def end(self, hard=False):
        if self.process and self.process.poll() is None:
            if hard:
                self.process.kill()
                self.process.wait()
            else:
                self.finish(self.process)
        self.process.stdout.close()
        self.log.close()


def tone(path, seconds, rate=44100, times=1):
    """Writes something like a voice: a vowel that comes and goes, as 16-bit stereo, so many times over."""
    samples = array.array("h")
    for frame in range(int(seconds * rate)):
        time = frame / rate
        envelope = 0.5 * abs(math.sin(1.7 * time)) ** 2
        value = envelope * sum(math.sin(2 * math.pi * 140 * part * time) / part for part in (1, 2, 3, 5, 8))
        samples.extend([int(9000 * value), int(7000 * value)])
    with wave.open(str(path), "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(samples.tobytes() * times)


def add_title(path, title):
    """Adds a title to a WAVE file."""
    text = title.encode() + b"\0" * (2 - len(title) % 2)
    data = path.read_bytes() + b"LIST" + (12 + len(text)).to_bytes(4, "little") + b"INFOINAM" + len(text).to_bytes(4, "little") + text
    path.write_bytes(data[:4] + (len(data) - 8).to_bytes(4, "little") + data[8:])


class Controller:
    """A controller with knobs on the network: the other side of a session of `auricle midi network`, which is a MIDI source."""

    HEAD = struct.Struct(">III")

    def __init__(self, studio, name):
        self.studio, self.sequence, self.identity = studio, 0, 0x4B4E4F42
        self.process = subprocess.Popen([studio.program, "midi", "network", "--name", name, "--port", "0"], env=studio.environment,
                                        cwd=studio.folder, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True)
        line = self.process.stderr.readline()
        found = re.search(r"ports (\d+) and", line)
        if not found:
            raise Fault(f"there is no session: {line}")
        self.sockets = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2)]
        for offset, own in enumerate(self.sockets):
            own.settimeout(browser.LIMIT)
            own.connect(("127.0.0.1", int(found.group(1)) + offset))
            own.send(b"\xff\xffIN" + self.HEAD.pack(2, self.identity, self.identity) + name.encode() + b"\0")
            if own.recv(2048)[:4] != b"\xff\xffOK":
                raise Fault("the session refuses an invitation")

    def move(self, number, value):
        """Moves a controller of the first channel."""
        self.sequence += 1
        self.sockets[1].send(struct.pack(">BBHII", 0x80, 97, self.sequence, self.sequence, self.identity) + bytes([3, 0xB0, number, value]))

    def end(self):
        for own in self.sockets:
            own.close()
        self.studio.finish(self.process)
        self.process.stderr.close()


class Walk:
    """A walk through the page at one size."""

    def __init__(self, studio, path, width, height, scheme, axe, pictures):
        self.studio, self.width, self.scheme, self.axe, self.pictures = studio, width, scheme, axe, pictures
        self.where = f"{width} px, {scheme}"
        self.browser = browser.Browser(path)
        self.tab = self.new_tab(height)
        self.faults = []

    def new_tab(self, height):
        """Opens a tab whose scripts know as `page` where the modules of the page are: the address changes with them."""
        tab = self.browser.tab(self.width, height, self.scheme)
        tab.call("Page.addScriptToEvaluateOnNewDocument", source="""Object.defineProperty(window, 'page', {
          get: () => document.querySelector('script[type=module]').src.replace(/[^/]+$/, '') });""")
        return tab

    def expect(self, truth, text):
        if not truth:
            self.faults.append(f"{self.where}: {text}")

    def open(self, hash="#/find"):
        self.tab.open("about:blank")
        self.tab.open(self.studio.url + hash)
        self.ready()

    def ready(self, tab=None):
        (tab or self.tab).until("document.getElementById('link').dataset.state === 'here' && document.querySelector('#main .view')", "the page is connected")

    def view(self, name):
        self.tab.click(f"#views a[href^='#/{name}']")
        self.tab.until(f"document.querySelector('.view.{name}')", f"the view {name} is shown")

    def settle(self, side="sound.chains[0]"):
        """Waits until a side has its newest sound, and returns its state."""
        return self.tab.until(f"""(async () => {{ const {{ sound }} = await import(page + 'sound.js'); const {{ knownChain }} = await import(page + 'chains.js');
          const side = {side}; const own = sound.tracks.get(side); if (!own || own.state === 'working' || own.state === 'waiting') return null;
          const chain = knownChain(side); if (own.state === 'done' && chain && own.revision !== chain.document.revision) return null; return own.state; }})()""", f"the side {side} is rendered")

    def worked(self):
        """Returns for how many seconds the page has worked."""
        return next(one["value"] for one in self.tab.call("Performance.getMetrics")["metrics"] if one["name"] == "TaskDuration")

    def shown(self, url):
        """Opens a page with a list of units. Returns when the first are seen, and what that takes of the processor in page and studio: ms."""
        tab = self.tab
        tab.open("about:blank")
        tab.call("Performance.enable", timeDomain="threadTicks")
        script = tab.call("Page.addScriptToEvaluateOnNewDocument", source="""new MutationObserver((_, own) => {
          if (!document.querySelector('.unit-list .row')) return;
          own.disconnect(); requestAnimationFrame(() => setTimeout(() => { window.shownAt = performance.now(); }));
        }).observe(document, { childList: true, subtree: true });""")["identifier"]
        served, worked = self.studio.worked(), self.worked()
        tab.open(url)
        shown = tab.until("window.shownAt", "units are listed")
        served, worked = self.studio.worked() - served, self.worked() - worked
        tab.call("Page.removeScriptToEvaluateOnNewDocument", identifier=script)
        tab.call("Performance.disable")
        return shown, 1000 * worked, 1000 * served

    def judge(self, name):
        """Looks for what sticks out, complaints of the console, and what axe-core finds."""
        tab = self.tab
        if self.pictures:
            tab.picture(f"{self.pictures}/{name}-{self.width}-{self.scheme}.png")
        # A screen that is touched shows more than its width where something sticks out: that width is no measure.
        wide = tab.value(f"""[...document.querySelectorAll('body *')].filter((node) => node.checkVisibility() && node.getBoundingClientRect().right > {self.width} + 1
          && node.getBoundingClientRect().width > 1 && !node.closest('chain-row, .scroll, pre, wave-view, wave-line, iframe')).slice(0, 3).map((node) => node.outerHTML.slice(0, 120))""")
        self.expect(not wide, f"{name}: something sticks out: {wide}")
        self.expect(not tab.value("window.harmed"), f"{name}: a name was run as code")
        for text in tab.complaints():
            self.expect(False, f"{name}: the console says: {text[:300]}")
        if self.axe:
            tab.value(f"window.axe ? 0 : (() => {{ {self.axe}\n; window.axe = window.axe ?? axe; return 0; }})()")
            found = tab.value("""axe.run(document, { resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })
              .then(({ violations }) => violations.map((own) => `${own.id} (${own.nodes.length}): ${own.nodes[0].html.slice(0, 160)} ${own.nodes[0].failureSummary?.slice(0, 300)}`))""")
            for text in found:
                self.expect(False, f"{name}: axe: {text}")
        nodes = tab.call("Accessibility.getFullAXTree")["nodes"]
        nameless = [node["role"]["value"] for node in nodes if not node.get("ignored") and node.get("role", {}).get("value") in
                    ("button", "link", "textbox", "slider", "switch", "checkbox", "combobox", "searchbox") and not node.get("name", {}).get("value", "").strip()]
        self.expect(not nameless, f"{name}: controls without a name: {nameless[:5]}")

    def pick(self, name):
        """Chooses a file of the studio's folder in the dialog that is open."""
        self.tab.click("dialog[open] .trail button")
        self.tab.click(f".file-row[data-ref={json.dumps('0/' + name)}]")
        self.tab.click("dialog[open] [data-name=confirm]")


def tab_chain(check, body):
    """Makes a chain as the page does, without its dialogs, and returns its id."""
    if not check.tab.value("location.href.startsWith('http')") or not check.tab.value("document.getElementById('link')?.dataset.state === 'here'"):
        check.open("#/find")
    return check.tab.value(f"import(page + 'chains.js').then(async ({{ makeChain }}) => (await makeChain({json.dumps(body)})).id)")
