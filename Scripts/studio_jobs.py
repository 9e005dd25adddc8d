"""The jobs that the page of the studio is for, each from the first click to the file on disk.

SPDX-License-Identifier: Apache-2.0
"""
import array
import base64
import json
import pathlib
import re
import shutil
import tempfile

import browser
from browser import ALT, CONTROL
from studio_walk import Controller, Walk, tab_chain

# A chain of five light units that makes most sounds louder.
FIVE_UNITS = """auricle: 1
name: Louder
units:
  - unit: aufx:hpas:appl
    parameters: {cutoff frequency: 300 Hz}
  - unit: aufx:lshf:appl
  - unit: aufx:pmeq:appl
  - unit: aufx:lpas:appl
  - unit: aufx:dcmp:appl
    parameters: {threshold: -35 dB, overall gain: 6 dB}
"""


class Jobs(Walk):
    """What someone does with the studio who has a sound to work on."""

    def find(self):
        tab = self.tab
        self.open("#/find")
        tab.until("document.querySelectorAll('.unit-list .row').length > 5", "units are listed")
        tab.type("input[type=search]", "high-pass filter", isEnter=False)
        tab.until("[...document.querySelectorAll('.unit-list .row')].some((row) => row.textContent.includes('High-Pass Filter'))", "the search finds the filter")
        self.judge("find")
        unit = "aufx:hpas:appl"
        index = tab.until("[...document.querySelectorAll('.unit-list .row')].find((row) => row.textContent.includes('High-Pass Filter') && row.textContent.includes('Auricle'))?.dataset.index", "it is Auricle's")
        tab.click(f".unit-list .row[data-index='{index}'] .unit-name")
        tab.until("location.hash.includes('unit=')", "the unit is in the address")
        tab.until("document.querySelector('.detail .facts')", "its facts are shown")
        was = tab.value("document.querySelector('.detail .star').getAttribute('aria-pressed')")
        tab.click(".detail .star")
        tab.until(f"document.querySelector('.detail .star').getAttribute('aria-pressed') !== '{was}'", "the star changes")
        kept = (self.studio.folder / "config/auricle/studio.json")
        self.expect(kept.exists() and (unit in kept.read_text()) == (was == "false"), "the favourite is in the file")
        facts = tab.value("document.querySelector('.detail .facts').textContent")
        self.expect("Inputs" in facts and unit in facts, f"its buses and its identity are shown: {facts[:200]}")
        tab.click("text=Try it")
        self.pick("long.wav")
        tab.until("location.hash.includes('chain=')", "a chain is made of it")
        self.expect("long.wav" in tab.value("document.querySelector('.detail .try-note').textContent"), "the panel names the sound at hand")
        self.expect(self.settle() == "done", "the try is rendered")
        tab.until("import(page + 'sound.js').then(({ sound }) => sound.isPlaying && sound.frame > 2000)", "it plays")
        tab.key("b")
        tab.until("import(page + 'sound.js').then(({ sound }) => sound.side === 'before')", "B switches to before")
        tab.click("#deck .go")
        tab.until("import(page + 'sound.js').then(({ sound }) => !sound.isPlaying)", "it pauses")
        self.judge("find-unit")
        self.filters()

    def filters(self):
        """Narrows the list by kind, format and favourites; then goes through it by keys."""
        tab = self.tab
        tab.value("location.hash = '#/find'")
        tab.until("document.querySelector('.filter-panel [aria-label=Kind]')", "the kinds are listed")
        for title, key in [("Kind", "kind"), ("Format", "format")]:
            group = f".filter-panel [aria-label={title}]"
            tab.value(f"document.querySelector({json.dumps(group)}).closest('details').open = true")
            wanted = tab.value(f"document.querySelector({json.dumps(group + ' button .number')}).textContent")
            tab.click(f"{group} button")
            tab.until(f"document.querySelector('.view.find > .head [role=status]').textContent.startsWith({json.dumps(wanted + ' ')})", f"{wanted} units of the first {key} are listed")
            tab.value(f"location.hash = '#/find?{key}='")
            tab.until("!document.querySelector('.view.find > .head [role=status]').textContent.includes(' of ')", "all units are listed again")
        tab.value("location.hash = '#/find?unit=aufx:lpas:appl'")
        tab.until("document.querySelector('.detail h2')?.textContent === 'Low-Pass Filter' && document.querySelector('.detail .facts')", "another unit is shown")
        if tab.value("document.querySelector('.detail .star').getAttribute('aria-pressed')") == "false":
            tab.click(".detail .star")
        tab.until("document.querySelector('.detail .star')?.getAttribute('aria-pressed') === 'true'", "it is a favourite")
        tab.value("location.hash = '#/find?fav=1'")
        tab.until("[...document.querySelectorAll('.unit-list .row')].some((row) => row.textContent.includes('Low-Pass Filter'))", "favourites are listed")
        self.expect(tab.value("document.querySelectorAll('.unit-list .row').length") < 5, "favourites alone are listed")
        tab.value("document.querySelector('input[type=search]').focus()")
        tab.key("ArrowDown")
        tab.until("document.activeElement.matches('.unit-list .row')", "a key leads into the list")
        tab.key("Enter")
        tab.until("location.hash.includes('unit=')", "Enter opens the unit")

    def titles(self):
        return self.tab.value("[...document.querySelectorAll('chain-row > .lane > .stage-box > .stage-head .stage-title')].map((node) => node.textContent)")

    def document(self):
        return self.tab.value("import(page + 'app.js').then(async () => { const { knownChain } = await import(page + 'chains.js'); const { route } = await import(page + 'route.js'); return knownChain(route.chain).document; })")

    def quiet(self):
        """Waits until no change is under way, and the values of the stage at hand are those behind the last one."""
        self.tab.until("""import(page + 'chains.js').then(async ({ knownChain }) => { const { route } = await import(page + 'route.js'); const own = knownChain(route.chain);
          const facts = own?.facts.get(route.stage); return own && !own.isSending && !own.waiting.length && (!facts || facts.revision === own.document.revision); })""", "all changes are made and shown")

    def open_preset(self, name):
        tab = self.tab
        tab.until("document.querySelector('.chain-name, .below .empty')", "the view is drawn")
        old = tab.value("document.querySelector('chain-row')?.dataset.chain ?? null")
        tab.click("text=Open")
        tab.type("dialog[open] input[type=search]", name, isEnter=False)
        tab.until("document.querySelectorAll('dialog[open] .preset').length === 1", f"the preset {name} is found")
        tab.click("dialog[open] .preset")
        tab.until(f"document.querySelector('chain-row').dataset.chain !== {json.dumps(old)} && document.querySelectorAll('chain-row .stage-box').length > 0", "its boxes are shown")

    def add_unit(self, search, unit):
        tab = self.tab
        tab.click("chain-row > .lane > .gap:last-child .add")
        tab.type("dialog[open] input[type=search]", search, isEnter=False)
        tab.click(f"dialog[open] [data-unit={json.dumps(unit)}]")
        tab.until("document.querySelector('.parameters parameter-control')", "the controls of the unit are shown")

    def build(self):
        tab = self.tab
        self.open("#/build?file=0/voice.wav")
        self.open_preset("voice-de-rumble" if self.width < 500 else "podcast-voice")
        count = len(self.titles())
        self.judge("build-chain")
        self.add_unit("low-pass filter", "aufx:lpas:appl")
        tab.until(f"document.querySelectorAll('chain-row > .lane > .stage-box').length === {count + 1}", "the unit is in the row")
        slider = ".stage-panel parameter-control[data-key='cutoff frequency'] input[type=range]"
        field = ".stage-panel parameter-control[data-key='cutoff frequency'] input.value"
        before = tab.until(f"document.querySelector({json.dumps(field)})?.value", "the value is shown")
        tab.until("document.querySelector('plot-view path.curve')?.getAttribute('d').length > 50", "the response is drawn")
        curve = tab.value("document.querySelector('plot-view path.curve').getAttribute('d')")
        box = tab.box(slider)
        place = float(tab.value(f"document.querySelector({json.dumps(slider)}).value")) / 1000
        start = (box["left"] + 8 + (box["width"] - 16) * place, box["y"])
        tab.drag(start, (box["left"] + box["width"] * 0.45, box["y"]))
        tab.until(f"document.querySelector({json.dumps(field)}).value !== {json.dumps(before)}", "the slider moves the value")
        self.quiet()
        tab.until(f"document.querySelector('plot-view path.curve')?.getAttribute('d') !== {json.dumps(curve)}", "the response follows")
        moved = tab.value(f"document.querySelector({json.dumps(field)}).value")
        self.expect("Hz" in moved, f"a value has its unit: {moved}")
        self.expect(tab.value(f"document.querySelector({json.dumps(slider)}).getAttribute('aria-valuetext')") == moved, "readers of the screen get the same text")
        tab.type(field, "2.5 kHz")
        tab.until(f"/^2[.]?5/.test(document.querySelector({json.dumps(slider)}).getAttribute('aria-valuetext'))", "a value can be typed")
        tab.type(field, "2 potatoes")
        tab.until("document.querySelector('.stage-panel .field-fault:not([hidden])')", "a wrong value is refused beneath its field")
        tab.key("Escape")
        self.undo_and_redo(slider, moved)
        self.move_boxes()
        self.settings(slider)
        self.judge("build")
        self.save()

    def undo_and_redo(self, slider, moved):
        tab = self.tab
        text = f"document.querySelector({json.dumps(slider)})?.getAttribute('aria-valuetext')"
        tab.click("[data-tool=undo]")
        tab.until(f"{text} === {json.dumps(moved)}", "undo brings the value of before")
        tab.click("[data-tool=redo]")
        tab.until(f"/^2[.]?5/.test({text})", "redo brings it back")
        # An undo right behind a change that is on its way.
        tab.value(f"(() => {{ const one = document.querySelector({json.dumps(slider)}); one.value = 900; one.dispatchEvent(new Event('input', {{ bubbles: true }})); one.dispatchEvent(new Event('change', {{ bubbles: true }})); document.querySelector('[data-tool=undo]').click(); }})()")
        self.quiet()
        tab.until(f"/^2[.]?5/.test({text})", "an undo waits for the change before it")

    def move_boxes(self):
        tab = self.tab
        titles = self.titles()
        if len(titles) < 2:
            return
        last = "chain-row > .lane > .stage-box:nth-last-child(2) .stage-main"
        tab.value(f"document.querySelector('{last}').focus()")
        tab.key("ArrowLeft", ALT)
        wanted = titles[:-2] + [titles[-1], titles[-2]]
        tab.until(f"JSON.stringify([...document.querySelectorAll('chain-row > .lane > .stage-box > .stage-head .stage-title')].map((node) => node.textContent)) === {json.dumps(json.dumps(wanted, ensure_ascii=False, separators=(',', ':')))}", "keys move a box")
        self.expect(tab.value("document.activeElement.classList.contains('stage-main')"), "the box that was moved keeps the focus")
        if self.width < 500:
            return
        self.drag_box(f"chain-row > .lane > .stage-box:nth-child({2 * (len(titles) - 1)})", "chain-row > .lane > .gap")
        first = wanted[-2]
        tab.until(f"document.querySelector('chain-row > .lane > .stage-box > .stage-head .stage-title').textContent === {json.dumps(first)}", "a drag moves a box to the front")
        tab.key("z", CONTROL)
        tab.until(f"document.querySelector('chain-row > .lane > .stage-box > .stage-head .stage-title').textContent === {json.dumps(wanted[0])}", "one undo brings it back")

    def settings(self, slider):
        tab = self.tab
        stage = tab.value("document.querySelector('.stage-box[data-chosen=true]')?.dataset.stage ?? null")
        if not stage:
            tab.click("chain-row > .lane > .stage-box:nth-child(2) .stage-main")
            stage = tab.until("document.querySelector('.stage-box[data-chosen=true]')?.dataset.stage", "a box is chosen")
        tab.click("[data-tool=settingB]")
        tab.until("document.querySelector('[data-tool=settingB]').getAttribute('aria-pressed') === 'true'", "setting B is chosen")
        tab.click(f".stage-box[data-stage='{stage}'] > .stage-head [data-focus^=bypass]")
        tab.until(f"document.querySelector(\".stage-box[data-stage='{stage}']\").dataset.bypass === 'true'", "the stage is bypassed in B")
        tab.click("[data-tool=settingA]")
        tab.until(f"document.querySelector(\".stage-box[data-stage='{stage}']\").dataset.bypass === 'false'", "A is as it was")
        tab.click(f".stage-box[data-stage='{stage}'] > .stage-head .solo")
        tab.until(f"document.querySelector(\".stage-box[data-stage='{stage}'] .solo\").getAttribute('aria-pressed') === 'true'", "the stage is alone")
        tab.click(f".stage-box[data-stage='{stage}'] > .stage-head .solo")
        tab.until(f"document.querySelector(\".stage-box[data-stage='{stage}'] .solo\").getAttribute('aria-pressed') === 'false'", "and is not")
        mix = ".stage-panel parameter-control.mix input.value"
        self.quiet()
        name = tab.value("document.querySelector('.stage-panel .stage-name').value")
        tab.click(mix)
        tab.value(f"import(page + 'chains.js').then(async ({{ knownChain }}) => {{ const {{ route }} = await import(page + 'route.js'); await knownChain(route.chain).change([{{ op: 'stageField', stage: '{stage}', field: 'name', value: 'Kept' }}]); }})")
        self.quiet()
        self.expect(tab.value(f"document.querySelector('.stage-panel .stage-name').value === 'Kept' && document.activeElement.matches({json.dumps(mix)})"), "a field keeps the focus when its stage changes elsewhere")
        tab.click("[data-tool=undo]")
        tab.until(f"document.querySelector('.stage-panel .stage-name').value === {json.dumps(name)}", "the name is the one of before")
        tab.type(mix, "40 %", isEnter=False)
        for change in ["Kept", name]:
            tab.value(f"import(page + 'chains.js').then(async ({{ knownChain }}) => {{ const {{ route }} = await import(page + 'route.js'); await knownChain(route.chain).change([{{ op: 'stageField', stage: '{stage}', field: 'name', value: {json.dumps(change or None)} }}]); }})")
            self.quiet()
        self.expect(tab.value(f"document.querySelector({json.dumps(mix)}).value") == "40 %", "what is typed stays while its stage changes elsewhere, however often")
        tab.key("Enter")
        tab.until(f"document.querySelector(\".stage-box[data-stage='{stage}'] .stage-foot\").textContent.includes('mix 40 %')", "it is entered then")
        for typed, shown in [("50 %", "50 %"), ("25", "25 %")]:
            tab.type(mix, typed)
            tab.until(f"document.querySelector({json.dumps(mix)}).value === {json.dumps(shown)} && document.querySelector(\".stage-box[data-stage='{stage}'] .stage-foot\").textContent.includes({json.dumps('mix ' + shown)})", f"a mix of {shown} is typed")
        tab.type(mix, "half")
        tab.until("document.querySelector('.stage-panel parameter-control.mix .field-fault:not([hidden])')", "a word is no mix")
        tab.key("Escape")
        self.settle()
        tab.until("[...document.querySelectorAll('.stage-foot .peak')].some((node) => node.textContent.includes('dB'))", "levels behind the stages are shown")

    def save(self):
        tab = self.tab
        name = f"mine-{self.width}-{self.scheme}.yaml"
        path = self.studio.talks / name
        tab.click("[data-focus=save]")
        tab.type("dialog[open] input[aria-label='Name of the file']", name, isEnter=False)
        tab.click("dialog[open] [data-name=confirm]")
        tab.until("document.querySelector('.build .chip')?.textContent.trim().endsWith('.yaml')", "the chain is saved")
        self.expect(path.exists(), "the file is on disk")
        self.studio.run("preset", "check", str(path))
        first = path.read_text()
        tab.type(".chain-name", "Renamed")
        self.quiet()
        tab.until("document.querySelector('.build .chip')?.textContent.includes('changed')", "the page says that the chain is not the file's any more")
        tab.click("[data-focus=save]")
        tab.until("document.querySelector('dialog[open] .diff .added')", "the differences are shown before it is replaced")
        self.expect("Renamed" in tab.value("document.querySelector('.diff').textContent"), "the difference names what changed")
        tab.click("dialog[open] [data-name=replace]")
        tab.until("document.querySelector('.build .chip')?.textContent.trim().endsWith('.yaml')", "it is replaced")
        self.expect("Renamed" in path.read_text() and path.read_text() != first, "the file has the new name")
        text = path.read_text()
        old = tab.value("document.querySelector('chain-row').dataset.chain")
        tab.click("text=Open")
        tab.click("dialog[open] [data-name=file]")
        self.pick(name)
        tab.until(f"document.querySelector('chain-row').dataset.chain !== {json.dumps(old)} && document.querySelector('.chain-name')?.value === 'Renamed'", "it is opened again")
        again = tab.value("import(page + 'route.js').then(async ({ route }) => (await (await fetch(`/api/chains/${route.chain}/text`)).json()).yaml)")
        self.expect(again == text, "it is the same when it is opened again")

    def typed(self, key, text, shown):
        """Types a value of the unit that is chosen, and waits for what the page makes of it."""
        field = f".stage-panel parameter-control[data-key={json.dumps(key)}] input.value"
        self.tab.type(field, text)
        self.quiet()
        self.tab.until(f"document.querySelector({json.dumps(field)})?.value === {json.dumps(shown)}", f"{key} is {shown}")

    def controls(self):
        """A control for each kind of parameter, and its value in the file."""
        tab = self.tab
        made = tab_chain(self, {"units": [], "name": "Controls"})
        tab.value(f"location.hash = '#/build?chain={made}'")
        tab.until(f"document.querySelector('chain-row')?.dataset.chain === '{made}'", "the chain is shown")
        self.add_unit("panel of all kinds", tab.value("fetch('/api/units?search=Panel%20of%20all').then(async (answer) => (await answer.json()).units[0].unit)"))
        place = ".stage-panel parameter-control[data-key={}]"
        text = "document.querySelector(\"{}\")?.getAttribute('aria-valuetext')"
        corner, level = (place.format(name) + " input[type=range]" for name in ("Corner", "Level"))
        tab.value(f"(() => {{ const one = document.querySelector('{corner}'); one.value = 500; for (const name of ['input', 'change']) one.dispatchEvent(new Event(name, {{ bubbles: true }})); }})()")
        tab.until(f"/^63[0-9] Hz/.test({text.format(corner)})", "the middle of a logarithmic slider is the geometric mean")
        tab.value(f"document.querySelector('{corner}').focus()")
        tab.key("End")
        tab.until(f"/^20 kHz|^20000 Hz/.test({text.format(corner)})", "End goes to the highest value")
        tab.value(f"document.querySelector('{level}').focus()")
        tab.key("Home")
        tab.until(f"{text.format(level)} === '-60 dB'", "Home goes to the lowest value")
        self.typed("Level", "-6 dB", "-6 dB")
        tab.click(place.format("Mute") + " input.switch")
        tab.until(f"document.querySelector('{place.format('Mute')}').classList.contains('is-set')", "a switch is set")
        names = tab.value(f"[...document.querySelector('{place.format('Shape')} select').options].map((one) => one.text)")
        self.expect(names == ["Round", "Square", "Sharp & <b>bright</b>"], f"a list has the names of its values: {names}")
        tab.choose(place.format("Shape") + " select", "2")
        tab.until(f"document.querySelector('{place.format('Shape')}').classList.contains('is-set')", "a value of a list is set")
        tab.click(".stage-panel parameter-control[data-kind=path] button.path")
        self.pick("voice.wav")
        tab.until("document.querySelector('.stage-panel parameter-control[data-kind=path] button.path')?.textContent === 'voice.wav'", "a file is chosen")
        self.quiet()
        self.judge("controls")
        yaml = tab.value(f"fetch('/api/chains/{made}/text').then(async (answer) => (await answer.json()).yaml)")
        for part in ["Level: -6 dB", "Mute: ", "Sharp & <b>bright</b>", "voice.wav"]:
            self.expect(part in yaml, f"the text has {part}: {yaml}")
        tab.click(place.format("Level") + " .icon-button")
        tab.until(f"{text.format(level)} === '0 dB'", "one value is reset")
        tab.click(".stage-panel [data-focus=reset]")
        tab.until("!document.querySelector('.stage-panel parameter-control.is-set')", "all values are reset")
        tab.click(".parameter-group > summary")
        tab.until("document.querySelector('.parameter-group').open === false", "a group is folded")
        tab.click("chain-row .stage-main")
        tab.until("document.querySelector('.chain-panel')", "the chain as a whole is shown")
        tab.click("chain-row .stage-main")
        tab.until("document.querySelector('.parameter-group')?.open === false", "a group stays folded")
        tab.click(".parameter-group > summary")

    def branches(self):
        """Branches and a side chain, boxes dragged and moved by keys into them; then all of it undone and done again."""
        tab = self.tab
        made = tab_chain(self, {"units": ["aufx:hpas:appl", "aufx:dely:appl", "aufx:dcmp:appl"], "name": "Branches"})
        tab.value(f"location.hash = '#/build?chain={made}'")
        tab.until("document.querySelectorAll('chain-row .stage-box').length === 3", "the chain is shown")
        first = self.shape()
        tab.click("chain-row > .lane > .gap:nth-child(3) .add")
        tab.click("dialog[open] [data-name=parallel]")
        tab.until("document.querySelectorAll('.branch').length === 2", "two branches are made")
        box = lambda name: f".stage-box[data-stage='{next(one['id'] for one in self.all_entries() if name in (one.get('title') or ''))}']"
        delay = box("Delay")
        tab.value(f"document.querySelector(\"{delay} .stage-main\").focus()")
        tab.key("ArrowDown", ALT)
        tab.until(f"document.querySelector(\".branch:nth-child(1) {delay}\")", "a key moves a box into the first branch")
        self.quiet()
        filter = box("High-Pass")
        self.drag_box(filter, ".branch:nth-child(2) .gap")
        tab.until(f"document.querySelector(\".branch:nth-child(2) {filter}\")", "a box is dragged into the second branch")
        tab.click(".branch-head button")
        tab.type(".branch-settings:nth-child(2) parameter-control[data-key=gain] input.value", "-6")
        self.quiet()
        tab.type(".branch-settings:nth-child(2) parameter-control[data-key=pan] input.value", "50")
        self.quiet()
        tab.type(".branch-settings:nth-child(1) input[type=text]", "Echo")
        self.quiet()
        tab.click(f"{box('Dynamics')} .stage-main")
        tab.until("document.querySelector('.sidechain select')", "the side chain of a compressor is shown")
        tab.choose(".sidechain select", "stage:" + next(one["id"] for one in self.all_entries() if "High-Pass" in (one.get("title") or "")))
        tab.until(f"document.querySelector(\"{box('Dynamics')} .stage-foot .chip\")", "the box says that it has a side chain")
        self.quiet()
        self.judge("branches")
        last = self.shape()
        yaml = tab.value(f"fetch('/api/chains/{made}/text').then(async (answer) => (await answer.json()).yaml)")
        path = self.studio.folder / "branches.yaml"
        path.write_text(yaml)
        self.studio.run("preset", "check", str(path))
        for part in ["parallel:", "gain: -6", "pan: 0.5", "name: Echo", "sidechain"]:
            self.expect(part in yaml, f"the text has {part}: {yaml}")
        for name, goal in [("undo", first), ("redo", last)]:
            for _ in range(40):
                if tab.value(f"document.querySelector('[data-tool={name}]').disabled"):
                    break
                tab.click(f"[data-tool={name}]")
                self.quiet()
            self.expect(self.shape() == goal, f"{name} of everything: {self.shape()} instead of {goal}")
        # What the compressor listens to is removed: the fault is at its box, and goes with an undo.
        tab.click(f"{filter} .stage-main")
        tab.click(".stage-panel [data-focus=remove]")
        tab.until(f"document.querySelector(\"{box('Dynamics')}[data-state=fault] .box-fault\")", "the check's sentence is at its box")
        self.judge("branches-fault")
        tab.click("[data-tool=undo]")
        tab.until("!document.querySelector('.stage-box[data-state=fault]')", "the fault is gone")

    def all_entries(self):
        def walk(entries):
            for entry in entries:
                yield entry
                for branch in entry.get("branches") or []:
                    yield from walk(branch["entries"])
        return list(walk(self.document()["entries"]))

    def shape(self):
        """Returns what the chain at hand is, without its ids."""
        def strip(value):
            if isinstance(value, dict):
                return {key: strip(own) for key, own in value.items() if key != "id"}
            return [strip(own) for own in value] if isinstance(value, list) else value
        return strip(self.document()["entries"])

    def drag_box(self, box, place):
        """Drags a box to a gap: by the pointer, or at the width of a telephone with a finger."""
        tab = self.tab
        tab.box(f"{box} .grip")
        tab.value(f"document.querySelector('chain-row').scrollLeft = 0; document.querySelector({json.dumps(box)}).scrollIntoView({{ block: 'center', inline: 'start', behavior: 'instant' }})")
        start = tab.value(f"(() => {{ const box = document.querySelector({json.dumps(box + ' .grip')}).getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()")
        end = f"(() => {{ const box = document.querySelector({json.dumps(place)}).getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
        tab.drag(tuple(start), tuple(tab.value(end)), to=end, isTouch=self.width < 500)

    def hear(self):
        tab = self.tab
        self.open("#/hear")
        yaml = self.studio.talks / "chains/louder.yaml"
        yaml.write_text(FIVE_UNITS)
        made = tab_chain(self, {"file": "0/chains/louder.yaml"})
        tab.value(f"location.hash = '#/hear?chain={made}'")
        tab.until("document.querySelector('.view.hear')", "the view Hear is shown")
        tab.click("text=Choose a sound")
        self.pick("voice.wav")
        self.expect(self.settle() == "done", "the file is rendered")
        self.same_samples(yaml)
        tab.until("document.querySelectorAll('.sound-lane').length === 2 && document.querySelector('.sound-lane:nth-child(2) header .number').textContent.includes('LUFS')", "loudness is shown")
        gains = tab.value("import(page + 'sound.js').then(({ factors }) => factors())")
        self.expect(any(abs(value - 1) < 1e-9 for value in gains.values()) and max(gains.values()) <= 1 and min(gains.values()) < 0.999, f"both sides are made equally loud: {gains}")
        self.judge("hear")
        box = tab.box(".sound-lane[data-side=before] wave-view")
        tab.drag((box["left"] + box["width"] * 0.25, box["y"]), (box["left"] + box["width"] * 0.5, box["y"]))
        loop = tab.until("import(page + 'sound.js').then(({ sound }) => sound.loop)", "dragging chooses a loop")
        self.expect(abs(loop["from"] - 1.5) < 0.1 and abs(loop["to"] - 3) < 0.1, f"the loop is where it was dragged: {loop}")
        self.expect(self.settle() == "done", "the loop is rendered")
        tab.click("#deck .go")
        tab.until("import(page + 'sound.js').then(({ sound }) => sound.isPlaying && sound.frame > 1000)", "the loop plays")
        tab.click(".sound-lane[data-side=before] .lane-choose")
        tab.until("document.querySelector('.sound-lane[data-side=before]').classList.contains('heard')", "before plays")
        tab.value("document.querySelector('.sound-lane:nth-child(2) .lane-choose').focus()")
        tab.key("Enter")
        tab.until("document.querySelector('.sound-lane:nth-child(2)').classList.contains('heard')", "after plays")
        self.drag_is_heard()
        self.change_is_heard()
        tab.click("#deck .go")
        tab.click("text=Spectrogram")
        tab.until("[...document.querySelectorAll('.sound-lane img')].every((image) => image.complete && image.naturalWidth > 0)", "spectrograms are shown")
        self.judge("hear-loop")
        self.written(yaml)

    def seamless(self):
        """Renders what the page plays while sides are switched, samples replaced, and while it pauses: none of it clicks."""
        self.open("#/hear")
        found = self.tab.value("""(async () => {
          const rate = 44100; const off = new OfflineAudioContext(1, rate, rate); await off.audioWorklet.addModule(page + 'player-worklet.js');
          const node = new AudioWorkletNode(off, 'studio-player', { numberOfInputs: 0, outputChannelCount: [1] }); node.connect(off.destination);
          const tone = (gain) => [Float32Array.from({ length: 2 * rate }, (_, frame) => gain * Math.sin(2 * Math.PI * 97 * frame / rate))];
          // The player answers a command to play or pause with its position, after all earlier messages. Its own reports come by another way.
          const tell = (last, block, ...messages) => new Promise((done) => {
            node.port.onmessage = ({ data }) => { if (data.frame === 128 * block) done(); };
            for (const one of [...messages, { kind: last }]) node.port.postMessage(one);
          });
          await tell('play', 0, { kind: 'put', name: 'one', channels: tone(0.5) }, { kind: 'put', name: 'two', channels: tone(-0.5) },
            { kind: 'region', start: 0, end: 2 * rate, isLoop: true }, { kind: 'mix', gains: { one: 1 } });
          // At 0.2 s and so on, in blocks of 128 frames; slices come faster than they fade, and no pause moves the place.
          const slice = (from, gain) => ({ kind: 'put', name: 'two', from, channels: [tone(gain)[0].slice(from)] });
          const steps = [[70, 70, 'play', { kind: 'mix', gains: { two: 1 } }], [139, 139, 'play', { kind: 'put', name: 'two', channels: tone(0.4) }],
            [173, 173, 'play', slice(22100, -0.4)], [175, 175, 'play', slice(22100, 0.3), slice(25100, 0.3)], [177, 177, 'play', slice(22100, -0.4)], [242, 242, 'pause'], [277, 242, 'play']];
          for (const [block, place, last, ...messages] of steps) off.suspend((block - 0.5) * 128 / rate).then(() => tell(last, place, ...messages)).then(() => off.resume());
          const [samples] = [(await off.startRendering()).getChannelData(0)];
          let most = 0; const levels = [];
          for (let frame = 1; frame < rate; frame += 1) most = Math.max(most, Math.abs(samples[frame] - samples[frame - 1]));
          for (const [from, to] of [[0.1, 0.2], [0.25, 0.4], [0.45, 0.5], [0.75, 0.8], [0.9, 1]]) levels.push(Math.max(...samples.slice(from * rate, to * rate).map(Math.abs)));
          return { most, levels };
        })()""")
        self.expect(found["most"] < 0.02, f"no step is a click: {found['most']:.4f}")
        mixed = self.tab.value("""(async () => {
          const off = new OfflineAudioContext(2, 4410, 44100); await off.audioWorklet.addModule(page + 'player-worklet.js');
          const node = new AudioWorkletNode(off, 'studio-player', { numberOfInputs: 0, outputChannelCount: [2] }); node.connect(off.destination);
          const messages = [{ kind: 'speakers', parts: [[[0, 0.5], [2, 0.25]], [[1, 0.5], [2, 0.25]]] }, { kind: 'put', name: 'one', channels: [0.1, 0.2, 0.4].map((value) => new Float32Array(4410).fill(value)) },
            { kind: 'region', start: 0, end: 4410, isLoop: true }, { kind: 'mix', gains: { one: 1 } }, { kind: 'play' }];
          await new Promise((done) => { node.port.onmessage = done; for (const one of messages) node.port.postMessage(one); });
          const made = await off.startRendering(); return [0, 1].map((channel) => made.getChannelData(channel)[4000]);
        })()""")
        self.expect(all(abs(one - wanted) < 1e-6 for one, wanted in zip(mixed, [0.15, 0.2])), f"a centre channel is heard on both sides: {mixed}")
        self.expect(all(abs(one - wanted) < 0.02 for one, wanted in zip(found["levels"], [0.5, 0.5, 0.4, 0, 0.4])), f"each side has its level: {found['levels']}")

    def compare(self):
        """Three chains side by side on a file that is longer than a minute; the loop, equal loudness and the place by keys."""
        tab = self.tab
        text = "auricle: 1\nname: Version {0}\nunits:\n  - unit: aufx:dcmp:appl\n    parameters: {{overall gain: {0} dB}}\n"
        made = [tab_chain(self, {"text": text.format(number)}) for number in (1, 2, 3)]
        tab.value(f"location.hash = '#/hear?chain={made[0]}&file=0/long.wav'")
        tab.until("import(page + 'sound.js').then(({ sound }) => sound.loop?.to === 20)", "a long file begins with a loop")
        tab.click("text=Whole file")
        self.expect(self.settle() == "done", "all of the file is rendered")
        frames = tab.value("import(page + 'sound.js').then(({ sound }) => [...sound.tracks.values()].map((own) => own.channels[0].length))")
        self.expect(frames[0] == 100 * 8000 and frames[1] >= frames[0], f"all frames of a long file are here: {frames}")
        for other in made[1:]:
            tab.choose("[data-focus=compare]", other)
            tab.until(f"location.hash.includes('{other}')", "another chain is compared")
        for index in range(3):
            self.expect(self.settle(f"sound.chains[{index}]") == "done", f"chain {index + 1} is rendered")
        tab.until("document.querySelectorAll('.sound-lane').length === 4 && [...document.querySelectorAll('.sound-lane header .number')].every((node) => node.textContent.includes('LUFS'))", "four lanes with their loudness are shown")
        self.expect(tab.value("document.querySelector('[data-focus=compare]').disabled"), "three chains are the most")
        equal = tab.value("import(page + 'sound.js').then(({ factors }) => Object.values(factors()))")
        tab.value("document.activeElement?.blur?.()")
        tab.key("e")
        tab.until("import(page + 'sound.js').then(({ factors, sound }) => !sound.isEqual && Object.values(factors()).every((factor) => factor === 1))", "E turns equal loudness off")
        tab.key("e")
        again = tab.value("import(page + 'sound.js').then(({ factors }) => Object.values(factors()))")
        self.expect(equal == again and min(equal) < 0.99, f"E turns it on again: {equal} {again}")
        tab.value("document.querySelector('wave-line').focus()")
        tab.key("Home")
        for _ in range(3):
            tab.key("ArrowRight")
        tab.key("[")
        tab.until("import(page + 'sound.js').then(({ sound }) => sound.loop?.from === 3)", "[ begins the loop")
        for index in range(3):
            self.settle(f"sound.chains[{index}]")
        for _ in range(2):
            tab.key("ArrowRight")
        tab.key("]")
        tab.until("import(page + 'sound.js').then(({ sound }) => sound.loop?.to === 5)", "] ends it")
        for index in range(3):
            self.expect(self.settle(f"sound.chains[{index}]") == "done", f"the loop of chain {index + 1} is rendered")
        self.judge("compare")
        tab.value("location.hash = location.hash.replace('loop=3-5', 'loop=7-9')")
        tab.until("import(page + 'sound.js').then(({ sound }) => sound.loop?.from === 7 && sound.loop.to === 9)", "another loop in the address is followed")

    def same_samples(self, yaml):
        """Compares what the page plays with what `process` writes."""
        tab = self.tab
        encoded = tab.value("""import(page + 'sound.js').then(({ sound }) => { const own = sound.tracks.get(sound.chains[0]); return own.channels.map((channel) => {
          const bytes = new Uint8Array(channel.buffer, channel.byteOffset, channel.byteLength); let text = '';
          for (let at = 0; at < bytes.length; at += 32768) text += String.fromCharCode(...bytes.subarray(at, at + 32768)); return btoa(text); }); })""")
        path = self.studio.folder / f"written-{self.width}-{self.scheme}.wav"
        self.studio.run("process", "--preset", str(yaml), "--container", "wav", "--encoding", "float32", "--output-file", str(path), "--overwrite", str(self.studio.talks / "voice.wav"))
        data = path.read_bytes()
        at = data.index(b"data")
        samples = array.array("f", data[at + 8: at + 8 + int.from_bytes(data[at + 4: at + 8], "little") // 4 * 4])
        for channel, text in enumerate(encoded):
            own = array.array("f", base64.b64decode(text))
            self.expect(own == samples[channel::len(encoded)], f"channel {channel} of what is heard is what `process` writes ({len(own)} and {len(samples) // len(encoded)} frames)")

    def change_is_heard(self):
        """Changes a stage while the loop plays, and waits for the first samples of each change."""
        for name, change in [("value", "{ op: 'set', parameter: 'overall gain', value: -6 }"), ("mix", "{ op: 'stageField', field: 'mix', value: 0.5 }"),
                             ("bypass", "{ op: 'stageField', field: 'bypass', value: true }"), ("solo", "{ op: 'solo' }")]:
            milliseconds = self.tab.value(f"""(async () => {{
              const {{ sound }} = await import(page + 'sound.js'); const {{ knownChain }} = await import(page + 'chains.js'); const {{ on }} = await import(page + 'server.js');
              const chain = knownChain(sound.chains[0]); const {{ entries, revision }} = chain.document; const began = performance.now();
              const heard = new Promise((done) => {{ const stop = on('rendered', () => {{
                if (sound.tracks.get(chain.id).revision > revision) {{ stop(); done(performance.now() - began); }} }}); }});
              await chain.change([{{ ...{change}, stage: entries.at(-1).id }}]);
              return heard; }})()""")
            print(f"{self.where}: another {name} is heard after {milliseconds:.0f} ms")
            self.expect(self.settle() == "done", f"the loop is rendered with another {name}")

    def dragged(self):
        """Moves a value of the last stage with each frame of the page, while the loop plays.

        Returns how often it is heard meanwhile, after how long (`middle`, `most`; ms), and how loud the side is played beside the file."""
        return self.tab.value("""(async () => {
          const { sound, factors } = await import(page + 'sound.js'); const { knownChain } = await import(page + 'chains.js'); const { on } = await import(page + 'server.js');
          const chain = knownChain(sound.chains[0]); const own = sound.tracks.get(chain.id); const stage = chain.document.entries.at(-1).id;
          const asked = []; const heard = []; const gains = []; let last = null;
          const ratio = () => factors()[chain.id] / factors().before;
          const stop = on('rendered', () => { heard.push([performance.now(), own.revision]); gains.push(ratio()); });
          const before = ratio();
          for (let step = 0; step < 90; step += 1) {
            const began = performance.now(); const change = chain.change([{ op: 'set', parameter: 'overall gain', value: 6 - step / 100, stage }], 'drag');
            if (change !== last) change.then(({ document }) => asked.push([began, document.revision]));
            last = change; await new Promise((done) => requestAnimationFrame(done));
          }
          const end = performance.now(); await last;
          while (own.revision < chain.document.revision) await new Promise((done) => requestAnimationFrame(done));
          stop();
          const lags = asked.map(([began, revision]) => heard.find(([, made]) => made >= revision)[0] - began).sort((one, two) => one - two);
          return { count: heard.filter(([at]) => at < end).length, middle: lags[lags.length >> 1], most: lags.at(-1), before, least: Math.min(...gains), loudest: Math.max(...gains) };
        })()""")

    def drag_is_heard(self):
        """Moves a value: what plays next follows while it moves, and stays turned down to what is equally loud."""
        found = self.dragged()
        print(f"{self.where}: a value that moves is heard {found['count']} times, after {found['middle']:.0f} ms, at most {found['most']:.0f} ms")
        self.expect(found["count"] > 5, f"a value is heard while it moves: {found}")
        self.expect(found["loudest"] < 1.2 * found["before"] and found["least"] > found["before"] / 1.2, f"sides stay equally loud while a value moves: {found}")
        self.expect(self.settle() == "done", "the loop is rendered with the last value")

    def written(self, yaml):
        """Writes the result of the file that was listened to, by the link to Run."""
        tab = self.tab
        tab.click("text=Write the result")
        tab.until("document.querySelector('.view.run') && document.querySelector('.input-chip')", "the file is in the form")
        self.run_is_drawn()
        out = f"out-hear-{self.width}-{self.scheme}"
        tab.click("[data-name=output]")
        tab.type("dialog[open] input[aria-label='Name of the file']", out, isEnter=False)
        tab.click("dialog[open] [data-name=confirm]")
        tab.click("[data-name=start]")
        tab.until("document.querySelector('.run-panel .chip')?.textContent === 'Done'", "the file is written")
        self.expect((self.studio.talks / out / "voice.wav").exists(), "the result is on disk")

    def run(self):
        tab = self.tab
        self.open("#/run")
        tab.until("document.querySelectorAll('.option').length > 5", "the options of process are there")
        helped = self.studio.run("process", "--help-all").stdout
        words = tab.value("[...document.querySelectorAll('.option label code')].map((node) => node.textContent)")
        for word in words:
            self.expect(re.search(rf"(^|[\s,/]){re.escape(word)}\b", helped), f"the option {word} is one of process")
        out = f"out-{self.width}-{self.scheme}"
        self.fill("batch", "broken", out)
        tab.choose("#run-chain", "preset:telephone")
        tab.type("#option-loudness", "-20")
        command = tab.until("document.querySelector('.command').textContent.includes('--loudness') && document.querySelector('.command').textContent", "the command line is shown")
        self.expect("telephone" in command and "-20" in command, f"the command line has what was chosen: {command}")
        tab.click("[data-name=dry]")
        tab.until("document.querySelectorAll('.dry tbody tr').length >= 5", "the dry run lists the files")
        self.expect(not (self.studio.talks / out).exists(), "a dry run writes nothing")
        self.judge("run-dry")
        tab.click("[data-name=start]")
        tab.until("['Done', 'Failed', 'Stopped'].includes(document.querySelector('.run-panel .chip')?.textContent)", "the run ends")
        tab.until("document.querySelector('.run-rows .row .state')?.textContent === 'failed' || document.querySelector('.run-rows .row .state')?.textContent === 'set aside'", "what failed is first")
        rows = tab.until("document.querySelectorAll('.run-rows .row').length >= 6 && [...document.querySelectorAll('.run-rows .row')].map((row) => row.textContent)", "all files are listed")
        self.expect("broken.wav" in rows[0], f"the broken file is first: {rows[0][:80]}")
        results = sorted(path.name for path in (self.studio.talks / out).rglob("*.wav"))
        self.expect(results == [f"talk {number}.wav" for number in range(5)], f"results are on disk: {results}")
        tab.click(".report summary")
        tab.until("document.querySelector('.report iframe')", "the report is inside")
        self.judge("run")
        tab.click(".run-rows .row:nth-child(2) button")
        tab.until("document.querySelector('.view.hear') && document.querySelector('.sound-lane')", "a file of the run is opened in Hear")

    def run_is_drawn(self):
        """Waits for all of the view Run: until then its parts move, and are made anew."""
        self.tab.until("document.querySelectorAll('.option').length > 5 && document.querySelector('.run-list').dataset.key !== undefined", "the view is drawn")

    def fill(self, folder, part, out):
        """Chooses a folder of files, in which the name of one has a part, and a folder for results."""
        tab = self.tab
        self.run_is_drawn()
        tab.click("[data-name=inputs]")
        tab.click("dialog[open] .trail button")
        tab.click(f".file-row[data-ref='0/{folder}']")
        tab.until(f"document.querySelector('.file-row')?.textContent.includes({json.dumps(part)})", "the folder is opened")
        tab.click("dialog[open] [data-name=confirm]")
        tab.click("[data-name=output]")
        tab.click("dialog[open] .trail button")
        tab.type("dialog[open] input[aria-label='Name of the file']", out, isEnter=False)
        tab.click("dialog[open] [data-name=confirm]")

    def again(self):
        """A run that is stopped and resumed, whose page is closed in the middle, beside another one."""
        tab = self.tab
        name = f"again-{self.width}-{self.scheme}"
        count = 400
        self.studio.links(name, count)
        self.open("#/run")
        self.fill(name, name, f"out-{name}")
        tab.choose("#run-chain", "preset:hall-large")
        tab.type("#option-jobs", "1")
        tab.until("document.querySelector('.command').textContent.includes('--jobs')", "the command line follows")
        tab.click("[data-name=start]")
        tab.until("[...document.querySelectorAll('.run-panel .tile')].some((tile) => tile.textContent.includes('Remaining'))", "the time that remains is shown")
        tab.until("document.querySelector('.run-panel .worker')?.textContent.includes('talk')", "its worker is shown")
        tab.click("[data-name=stop]")
        tab.until("document.querySelector('.run-panel .chip')?.textContent === 'Stopped'", "it stops")
        done = int(tab.value("[...document.querySelectorAll('.run-panel .tile')].find((tile) => tile.textContent.includes('Done')).querySelector('dd').textContent"))
        self.expect(0 <= done < count, f"it stops in the middle: {done}")
        self.judge("run-stopped")
        run = tab.value("import(page + 'route.js').then(({ route }) => route.run)")
        tab.click("[data-name=resume]")
        tab.until("document.querySelector('.run-panel [data-name=stop]')", "it goes on")
        tab.open("about:blank")
        self.open("#/run")
        tab.click(f".run-list [data-run='{run}']")
        tab.until("document.querySelector('.run-panel .chip')?.textContent === 'Done'", "it was finished without its page")
        written = len(list((self.studio.talks / f"out-{name}").rglob("*.wav")))
        self.expect(written == count, f"all results are on disk: {written}")
        tab.value("document.querySelector('.run-rows').scrollTop = 1e6")
        tab.until(f"document.querySelector('.run-rows .row[data-index=\"{count - 1}\"] .state')?.textContent === 'done'", "the last row is done")
        tab.value("document.querySelector('.run-rows').scrollTop = 0")
        tab.until("document.querySelector('.run-rows .row[data-index=\"0\"]') && [...document.querySelectorAll('.run-rows .state')].every((node) => node.textContent === 'done')", "no row says that it is at work")
        self.expect(tab.value("document.querySelectorAll('.run-list button').length") >= 1, "runs are listed")

    def live(self):
        tab = self.tab
        target = self.studio.folder / "live.wav"
        target.unlink(missing_ok=True)
        self.open("#/live")
        tab.until("document.querySelector('.live-begin')", "what begins one is shown")
        self.judge("live-start")
        tab.choose("#live-chain", "preset:voice-de-rumble")
        tab.click("[data-name=start]")
        tab.until("document.querySelector('.live').dataset.state === 'running' && document.querySelector('.live-stage parameter-control input[type=range]')", "the rack plays")
        slider = ".live-stage parameter-control[data-key='cutoff frequency'] input[type=range]"
        before = tab.until(f"document.querySelector({json.dumps(slider)})?.getAttribute('aria-valuetext')", "its values are shown")
        tab.value(f"document.querySelector({json.dumps(slider)}).focus()")
        for _ in range(3):
            tab.key("PageUp")
        tab.until(f"document.querySelector({json.dumps(slider)}).getAttribute('aria-valuetext') !== {json.dumps(before)}", "a slider moves the value that plays")
        tab.click("[data-name=bypass]")
        tab.until("document.querySelector('[data-name=bypass]').getAttribute('aria-pressed') === 'true'", "it is bypassed")
        tab.click("[data-name=bypass]")
        tab.until("document.querySelector('[data-name=bypass]').getAttribute('aria-pressed') === 'false'", "and is not")
        self.judge("live")
        tab.click("[data-name=stop]")
        tab.until("!['running', 'starting'].includes(document.querySelector('.live').dataset.state)", "it ends")
        self.expect(target.exists() and target.stat().st_size > 1000, "what played is on disk")

    def learn(self):
        """A controller is learnt for a value of a rack, moves it, and is freed again."""
        tab = self.tab
        knobs = Controller(self.studio, "Knobs")
        try:
            self.open("#/live")
            tab.until("document.querySelector('.live-begin')", "what begins one is shown")
            tab.choose("#live-chain", "preset:voice-de-rumble")
            tab.type("#live-midi", "knob", isEnter=False)
            tab.click("[data-name=start]")
            place = ".live-stage parameter-control[data-key='cutoff frequency']"
            slider = f"document.querySelector({json.dumps(place + ' input[type=range]')})"
            tab.until(f"document.querySelector('.live').dataset.state === 'running' && {slider}", "the rack plays")
            tab.click(f"{place} .learn")
            tab.until("/^Move a MIDI controller.*cutoff frequency/.test(document.querySelector('.live-top p').textContent)", "the page waits for a controller")
            knobs.move(21, 64)
            tab.until("document.querySelector('.maps:not([hidden]) .chip')?.textContent === '1/21'", "the controller is learnt")
            tab.until("document.querySelector('.live-top p').textContent === ''", "the page waits no more")
            for value, end in [(0, "minimum"), (127, "maximum")]:
                knobs.move(21, value)
                tab.until(f"Number({slider}.value) === {1000 if value else 0}", f"the controller moves the slider to its {end}")
            self.judge("learn")
            tab.click(".maps .icon-button")
            tab.until("document.querySelector('.maps').hidden", "the controller is freed")
            tab.click("[data-name=stop]")
            tab.until("!['running', 'starting'].includes(document.querySelector('.live').dataset.state)", "it ends")
        finally:
            knobs.end()

    def rack(self):
        """A rack that runs without the page: found by its socket, moved, given another preset, and left alone."""
        tab = self.tab
        folder = pathlib.Path(tempfile.mkdtemp(prefix="rack-", dir="/tmp"))  # The path of a socket is short.
        socket = folder / "socket"
        rack = self.studio.begin("live", "--preset", "voice-de-rumble", "--control", f"unix:{socket}")
        try:
            self.open("#/live")
            tab.until("document.querySelector('#live-socket')", "what attaches is shown")
            # Its socket is there when its devices and units are.
            browser.appears(socket, rack)
            tab.type("#live-socket", str(socket), isEnter=False)
            tab.click("[data-name=attach]")
            tab.until("document.querySelector('.live').dataset.state === 'running'", "the rack is found")
            tab.until("document.querySelectorAll('.live-stage parameter-control[data-kind=slider]').length > 4", "its parameters are sliders, as far as they have a range")
            self.expect("Detach" in tab.value("document.querySelector('[data-name=stop]').textContent"), "a rack of others is left, not stopped")
            tiles = tab.value("document.querySelector('.live-stats').textContent")
            self.expect("Gaps" in tiles and "Load" in tiles, f"gaps and load are shown: {tiles}")
            tab.click(".live-stage .learn")
            tab.until("document.querySelector('.live-top p').textContent.includes('MIDI') || document.querySelector('.toast.bad')", "MIDI learn waits, or says why it cannot")
            tab.choose("[data-name=preset]", "telephone")
            tab.until("document.querySelector('.live-stage[data-stage=\"Input loudness\"] parameter-control[data-kind=slider]')", "another preset fades in, with the ranges of its units")
            self.judge("rack")
            tab.click("[data-name=stop]")
            tab.until("document.querySelector('.live').dataset.state === 'ended'", "it is left")
            self.expect(rack.poll() is None, "it plays on")
        finally:
            self.studio.finish(rack)
            shutil.rmtree(folder)
