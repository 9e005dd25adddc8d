"""What goes wrong around the page of the studio, and how it goes on.

SPDX-License-Identifier: Apache-2.0
"""
import array
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

import browser
from browser import CONTROL, Fault
from studio_walk import HOSTILE, ROOT, Studio, Walk, tab_chain, tone

# What `held` does in the page: it catches clicks instead of what they would do, and draws all of the page anew, by a change of another page and all news.
HELD = """(() => {
  const controls = 'button, a[href], summary, input[type=checkbox], .row, .file-row';
  const say = (node) => { const own = node?.closest?.(controls); return own ? `${own.localName} ${own.getAttribute('aria-label') ?? own.textContent.trim()}`.replace(/\\d+/g, '#').slice(0, 80) : `nothing (${node?.localName})`; };
  let last = null, turn = 0, place = '.skip', part = 'body';
  const caught = (event) => { event.preventDefault(); event.stopImmediatePropagation(); if (last === null || event.target.closest(controls)) last = say(event.target); };
  const modules = async () => ({ ...await import(page + 'server.js'), ...await import(page + 'chains.js'), ...await import(page + 'route.js') });
  const frames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const post = async (path, body) => (await fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })).json();
  const change = async (operations) => {
    const { route, knownChain } = await modules(); const own = knownChain(route.chain);
    const { document } = await post(`/api/chains/${own.id}/operations`, { client: 'another', operations });
    while (own.document.revision < document.revision || own.checking) await frames();
  };
  window.held = {
    post, change, only(own) { part = own; },
    begin() { window.addEventListener('click', caught, true); },
    // The bar above the views is the same in all of them.
    end() { window.removeEventListener('click', caught, true); place = '.skip, body > .bar'; },
    all: () => [...document.querySelectorAll(controls)].filter((node) => !node.disabled && node.checkVisibility({ visibilityProperty: true }) && node.getBoundingClientRect().width > 2 && !node.closest(place) && node.closest(part) && !node.closest('.row:nth-child(n + 3)')),
    name: (index) => say(held.all()[index]),
    async clicked() { await frames(); const own = last; last = null; return own; },
    async redraw() {
      const { emit, get, route, knownChain } = await modules(); const own = knownChain(route.chain); turn += 1;
      const stage = own.document.entries[0];
      await change([{ op: 'stageField', stage: stage.id, field: 'mix', value: turn % 2 ? 0.5 : 1 }, { op: 'field', field: 'author', value: `Another ${turn}` }]);
      for (const name of ['document', 'faults', 'rendered', 'samples']) for (const side of [own.id, 'before']) if (name === 'samples' || side === own.id) emit(name, { chain: own, side });
      for (const name of ['sound', 'file', 'loopChosen', 'position', 'connected', 'chains']) emit(name, {});
      emit('live', await get('/api/live'));
      for (const run of (await get('/api/runs')).runs) emit('run', { ...run, elapsedSeconds: turn, done: run.done + turn % 2 });
      emit('favourites', { units: turn % 2 ? ['aufx:lpas:appl'] : [] });
      emit('route', { before: route, route });
      await frames();
    },
  };
})();"""


class Trials(Walk):
    """Plug-ins that crash, a second page, a studio that is killed, names that mean harm."""

    def crash(self):
        """A plug-in that crashes while it is dragged: a message on its box, and it runs again when it is moved back."""
        tab = self.tab
        made = tab_chain(self, {"units": ["aufx:hpas:appl"], "name": "Crashing"})
        tab.value(f"location.hash = '#/build?chain={made}&file=0/voice.wav&loop=0-2'")
        tab.until(f"document.querySelector('chain-row')?.dataset.chain === '{made}'", "the chain is shown")
        tab.click("chain-row > .lane > .gap:last-child .add")
        tab.type("dialog[open] input[type=search]", "fuse", isEnter=False)
        tab.click("dialog[open] .unit-choice")
        slider = ".parameters parameter-control input[type=range]"
        tab.until("document.querySelector('.stage-box[data-chosen=true] .stage-title')?.textContent.startsWith('Fuse')", "the new unit is chosen")
        self.settle()
        box = tab.box(slider)
        tab.drag((box["left"] + 8, box["y"]), (box["left"] + box["width"] * 0.9, box["y"]), steps=20)
        tab.until("document.querySelector('.stage-box[data-state=crashed] .box-fault')", "the box says that it crashed")
        self.judge("crash")
        tab.type(".parameters parameter-control input.value", "0.1")
        tab.until("!document.querySelector('.stage-box[data-state=crashed]')", "it runs again")
        settled = self.settle()
        why = self.tab.value("import(page + 'sound.js').then(({ sound }) => sound.tracks.get(sound.chains[0])?.error)")
        self.expect(settled == "done", f"the sound is there again: {settled}, {why}")
        self.old_faults()

    def old_faults(self):
        """Faults of a state that is over come late: by the socket, and as the answer to a picture."""
        state = self.tab.value("""(async () => {
          const { emit } = await import(page + 'server.js'); const { sound } = await import(page + 'sound.js'); const { knownChain } = await import(page + 'chains.js');
          const own = sound.tracks.get(sound.chains[0]); const chain = knownChain(sound.chains[0]);
          emit('loop', { type: 'loop', loop: own.loop, revision: chain.document.revision - 1, from: 0, count: 0, error: { error: 'too late', kind: 'software' } });
          const states = [own.state, chain.crashes.size];
          const real = window.fetch; let open, asked = []; const gate = new Promise((done) => { open = done; });
          window.fetch = async (path, options) => {
            if (!path.includes('/plot')) return real(path, options);
            asked.push(path); if (asked.length > 1) return real(path, options);
            await gate; return new Response(JSON.stringify({ error: 'too late', kind: 'software' }), { status: 500 });
          };
          const set = (name) => chain.change([{ op: 'stageField', stage: chain.document.entries[0].id, field: 'name', value: name }]);
          try {
            const until = async (truth) => { while (!truth()) await new Promise((done) => requestAnimationFrame(done)); };
            await set('One'); await until(() => asked.length === 1); await set('Two'); open();
            await until(() => asked.length > 1 && !document.querySelector('plot-view[data-busy]'));
          } finally { window.fetch = real; }
          return [...states, ...chain.crashes.values()];
        })()""")
        self.expect(state == ["done", 0], f"the fault of a state that is over is not shown: {state}")

    def zoom(self):
        """A loop of a long file, dragged where the picture shows a short part of it; by keys, wheel and buttons."""
        tab = self.tab
        self.open("#/hear?file=0/long.wav&loop=40-60")
        tab.until("document.querySelector('wave-view')?.data?.to === 100", "all of the file is shown")
        sight = "import(page + 'waves.js').then(({ sight }) => [sight.from, sight.to])"
        # The lane shows what was asked for last.
        shows = lambda length, what: tab.until(f"{sight}.then(([from, to]) => Math.abs(to - from - {length}) < 0.001 && Math.abs(document.querySelector('wave-view').data.columns - 1600) < 1)", what)
        for turn in range(3):
            tab.key("+")
        shows(12.5, "a key zooms to an eighth")
        box = tab.box("wave-view")
        at = (box["left"] + box["width"] * 0.75, box["y"])
        before = tab.value(sight)
        tab.mouse("mouseWheel", *at, deltaX=0, deltaY=-200, modifiers=CONTROL)
        shows(6.25, "the wheel zooms with Ctrl")
        first, last = tab.value(sight)
        self.expect(abs((first + 0.75 * (last - first)) - (before[0] + 0.75 * (before[1] - before[0]))) < 0.02, f"the place under the pointer stays there: {before}, {first}, {last}")
        tab.drag((box["left"] + box["width"] * 0.25, box["y"]), (box["left"] + box["width"] * 0.5, box["y"]))
        tab.until("import(page + 'sound.js').then(({ sound }) => Math.abs(sound.to - sound.from - 1.5625) < 0.05)", "a drag chooses a loop of the part that is shown")
        start = tab.value("import(page + 'sound.js').then(({ sound }) => sound.from)")
        self.expect(abs(start - first - 0.25 * (last - first)) < 0.05, f"the loop begins where the drag did: {start}, {first}")
        mark = tab.value("(() => { const own = document.querySelector('wave-view'); const [one, two] = [own, own.mark].map((node) => node.getBoundingClientRect()); return [(two.left - one.left) / one.width, (two.right - one.left) / one.width]; })()")
        self.expect(abs(mark[0] - 0.25) < 0.02 and abs(mark[1] - 0.5) < 0.02, f"the loop is drawn where it was dragged: {mark}")
        tab.click("[data-focus=Later]")
        tab.until(f"{sight}.then(([from]) => Math.abs(from - {first} - 3.125) < 0.001)", "a button goes on by half of what is shown")
        tab.until("document.activeElement.dataset.focus === 'Later'", "the button keeps the focus")
        tab.click("text=Spectrogram")
        tab.until("document.querySelector('wave-view img').complete && /from=\\d.*to=\\d/.test(document.querySelector('wave-view img').src) && document.querySelector('wave-view img').naturalWidth > 0", "the spectrogram shows that part")
        tab.click("text=Waveform")
        self.judge("zoom")
        tab.click("text=Whole file")
        tab.until("import(page + 'sound.js').then(({ sound }) => sound.loop === null && sound.tracks.get('before').state === 'done')", "all of the file is there")
        end = tab.value("Promise.all([import(page + 'sound.js'), import(page + 'waves.js')]).then(([{ seek }, { sight }]) => { seek(sight.to - 0.3); return sight.to; })")
        tab.click("#deck .go")
        tab.until(f"{sight}.then(([from]) => from >= {end} - 0.001)", "the picture goes on with what plays")
        tab.click("#deck .go")
        for turn in range(4):
            tab.click("[data-focus='Zoom out']")
        shows(100, "all of the file is shown again")
        tab.until("document.activeElement.dataset.focus === 'Zoom in'", "the focus goes on where nothing is left to zoom out")

    def low(self):
        """A file of a rate that browsers refuse: it plays, as a whole and in a loop that follows a change."""
        tab = self.tab
        rate, seconds = 2000, 3
        tone(self.studio.talks / "low.wav", seconds, rate=rate)
        made = tab_chain(self, {"units": ["aufx:dely:appl"], "name": "Low"})
        samples = array.array("h", (self.studio.talks / "low.wav").read_bytes()[44:])[0::2]
        for loop, length in [("", seconds), ("&loop=1-2", 1)]:
            self.open(f"#/hear?chain={made}&file=0/low.wav{loop}")
            self.expect(self.settle("sound.chains[0]") == "done", "a file of a low rate is rendered")
            own = tab.until("import(page + 'sound.js').then(({ sound }) => { const own = sound.tracks.get('before'); return own.state === 'done' && [sound.rate, ...own.channels[0]]; })", "the file is there")
            factor = own.pop(0) / rate
            first = int(length == 1) * rate
            self.expect(own[::int(factor)] == [sample / 32768 for sample in samples[first:first + length * rate]], f"its samples are those of the file, at {factor} times the rate")
            tab.click("#deck .go")
            tab.until("import(page + 'sound.js').then(({ sound }) => sound.isPlaying && sound.frame > 300)", "it plays")
            tab.click("#deck .go")
            self.expect(not tab.value("document.querySelector('.toast.bad')"), "nothing is refused")
        size = "import(page + 'sound.js').then(({ sound }) => sound.tracks.get(sound.chains[0]).channels[0].length)"
        before = tab.value(size)
        change = f"import(page + 'chains.js').then(({{ knownChain }}) => knownChain('{made}').change([{{ op: 'stageField', stage: knownChain('{made}').document.entries[0].id, field: 'mix', value: 0 }}]))"
        tab.value(f"{change}.then(() => true)")
        self.expect(self.settle() == "done" and tab.value(size) == before, "a loop follows a change, and keeps its length")
        same = "import(page + 'sound.js').then(({ sound }) => { const [one, two] = ['before', sound.chains[0]].map((side) => sound.tracks.get(side).channels[0]); return one.length === two.length && one.every((value, at) => at % 2 || Math.abs(value - two[at]) < 1e-6); })"
        tab.until(same, "all of the loop is that of the change: without the delay, it is the file")

    def late(self):
        """Answers about a chain that come behind news of the socket: the newest state is kept."""
        self.open("#/find")
        found = self.tab.value("""(async () => {
          const { on, post } = await import(page + 'server.js'); const { chain } = await import(page + 'chains.js');
          const { id } = await (await fetch('/api/chains', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"units": ["aufx:hpas:appl"], "name": "Late"}' })).json();
          const real = window.fetch; let answered, open, gate;
          window.fetch = async (path, options) => { const answer = await real(path, options); if (path === `/api/chains/${id}`) { answered(); await gate; } return answer; };
          const passed = async (ask) => {
            gate = new Promise((done) => { open = done; });
            const here = new Promise((done) => { answered = done; }); const asked = ask(); await here;
            const news = new Promise((done) => { const stop = on('chain', (one) => { if (one.id === id) { stop(); done(one.document.revision); } }); });
            await post(`/api/chains/${id}/operations`, { client: 'another', operations: [{ op: 'field', field: 'author', value: String(ask) }] });
            const revision = await news; open(); await asked; return (await chain(id)).document.revision - revision;
          };
          try { return [await passed(() => chain(id)), await passed(async () => (await chain(id)).reload())]; } finally { window.fetch = real; }
        })()""")
        self.expect(found == [0, 0], f"a state that is overtaken replaces no newer one: {found}")
        self.late_list()

    def late_list(self):
        """The list of runs, which arrives when a run that it does not have has ended."""
        tab = self.tab
        run = tab.value(f"""(async () => {{
          const {{ on, post }} = await import(page + 'server.js');
          const real = window.fetch; let answered, open;
          const [here, gate] = [new Promise((done) => {{ answered = done; }}), new Promise((done) => {{ open = done; }})];
          window.fetch = async (path, options) => {{ const answer = await real(path, options); if (path === '/api/runs' && options?.method !== 'POST') {{ answered(); await gate; }} return answer; }};
          try {{
            location.hash = '#/run'; await here;
            const end = new Promise((done) => on('run', (run) => {{ if (run.output.endsWith('/late-{self.width}-{self.scheme}') && run.state === 'done') done(run.id); }}));
            await post('/api/runs', {{ inputs: ['0/voice.wav'], output: '0/late-{self.width}-{self.scheme}', chain: null, preset: 'voice-de-rumble', options: {{}} }});
            const id = await end; open(); return id;
          }} finally {{ window.fetch = real; }}
        }})()""")
        tab.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        state = tab.value(f"document.querySelector('.run-list [data-run=\"{run}\"] .dot')?.dataset.state")
        self.expect(state == "done", f"a list that is overtaken keeps the newer state of a run: {state}")

    def held(self):
        """Every control of the page, pressed by pointer or key, is let go after all of the page was drawn anew: the press arrives."""
        tab = self.tab
        tab.call("Page.addScriptToEvaluateOnNewDocument", source=HELD)
        made = tab_chain(self, {"units": ["aufx:hpas:appl", "aufx:dcmp:appl", "aufx:dely:appl"], "name": "Held"})
        self.open(f"#/build?chain={made}")
        tab.until("document.querySelectorAll('chain-row .stage-box').length === 3", "the chain is shown")
        change = lambda *operations: tab.value(f"held.change({json.dumps(operations)})")
        change({"op": "addParallel", "into": None, "index": 1, "branches": 2}, {"op": "outputField", "field": "loudness", "value": "-16 LUFS"})
        entries = self.document()["entries"]
        stages = [entries[0]["id"], entries[1]["id"], entries[2]["id"]]
        change({"op": "sidechain", "stage": stages[2], "value": [{"source": "input", "from": "input", "bus": None, "output": None, "gain": 0, "loop": False}]})
        tab.value(f"held.post('/api/chains/{made}/setting', {{ setting: 'B' }})")
        twin = tab_chain(self, {"copyOf": made})
        run = tab.value(f"held.post('/api/runs', {{ inputs: ['0/batch'], output: '0/held-{self.width}-{self.scheme}', chain: null, preset: 'voice-de-rumble', options: {{}} }}).then((run) => run.id)")
        at = f"chain={made}"
        for hash, place in [(f"#/build?{at}&stage={stages[0]}", ".stage-panel .parameters parameter-control"), (f"#/build?{at}&stage={stages[1]}", ".branch-panel parameter-control"),
                            (f"#/build?{at}&stage={stages[2]}", ".sidechain select"), (f"#/build?{at}", ".chain-panel"),
                            (f"#/find?{at}&unit=aufx:hpas:appl", ".detail .facts"), (f"#/run?{at}&run={run}&in=0/voice.wav", ".run-rows .row"),
                            (f"#/hear?{at}&with={twin}&file=0/voice.wav&loop=0-2", ".sound-lane:nth-child(3)"), (f"#/live?{at}", ".live-begin")]:
            tab.value(f"location.hash = {json.dumps(hash)}")
            tab.until(f"document.querySelector({json.dumps(place)})?.checkVisibility()", f"{hash} is shown")
            self.hold(hash)
        tab.choose("#live-chain", f"chain:{made}")
        tab.click("[data-name=start]")
        tab.until("document.querySelector('.live').dataset.state === 'running' && document.querySelector('.live-stage parameter-control')", "the rack plays")
        self.hold("a rack that plays")
        tab.click("[data-name=stop]")
        tab.until("!['running', 'starting'].includes(document.querySelector('.live').dataset.state)", "it ends")

    def press(self):
        """The controls of a box and of its panel, as `held`."""
        self.tab.call("Page.addScriptToEvaluateOnNewDocument", source=HELD)
        made = tab_chain(self, {"units": ["aufx:hpas:appl"], "name": "Pressed"})
        self.open(f"#/build?chain={made}&stage=s1")
        self.tab.until("document.querySelector('.stage-panel .parameters parameter-control')", "its controls are shown")
        self.tab.value("held.only('.stage-box, .stage-panel header, .stage-panel .group')")
        self.hold("a box")
        self.press_row()

    def press_row(self):
        """A file that is pressed while its folder is listed again."""
        tab = self.tab
        self.open("#/hear")
        tab.click("text=Choose a sound")
        row = ".file-row[data-ref='0/voice.wav']"
        tab.until(f"document.querySelector({json.dumps(row)})", "the folder is listed")
        tab.value("""(() => { const real = window.fetch; const gate = new Promise((done) => { window.letIn = done; });
          window.fetch = async (path, options) => { const answer = await real(path, options); if (path.startsWith('/api/files')) { await gate; window.fetch = real; window.isListed = true; } return answer; }; })()""")
        tab.click("dialog[open] .trail button")
        at = tab.box(row)
        tab.mouse("mousePressed", at["x"], at["y"], button="left", buttons=1, clickCount=1)
        tab.value("letIn()")
        tab.until("window.isListed", "the folder is listed again")
        tab.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        tab.mouse("mouseReleased", at["x"], at["y"], button="left", clickCount=1)
        self.expect(tab.value(f"document.querySelector({json.dumps(row)}).getAttribute('aria-selected')") == "true", "a file that is pressed while its folder is listed is chosen")
        tab.click("dialog[open] [data-name=confirm]")
        tab.until("document.querySelector('.hear .head').textContent.includes('voice.wav')", "it is opened")

    def hold(self, where):
        """Holds one control after the other while the page is drawn anew, and expects that each is the one that is clicked."""
        tab = self.tab
        tab.value("held.begin()")
        lost, count = [], 0
        for index in range(200):
            if index >= tab.value("held.all().length"):
                break
            for way in ["pointer", "key"] if tab.value(f"held.all()[{index}].matches('button, input')") else ["pointer"]:
                name = tab.value(f"held.name({index})")
                if way == "pointer":
                    at = tab.box(f"script=held.all()[{index}]")
                    tab.mouse("mouseMoved", at["x"], at["y"])
                    tab.mouse("mousePressed", at["x"], at["y"], button="left", buttons=1, clickCount=1)
                else:
                    tab.value(f"held.all()[{index}].focus()")
                    tab.press(" ")
                tab.value("held.redraw()")
                if way == "pointer":
                    tab.mouse("mouseReleased", at["x"], at["y"], button="left", clickCount=1)
                else:
                    tab.release(" ")
                count += 1
                clicked = tab.value("held.clicked()")
                if clicked != name:
                    lost.append(f"{name} by {way}: {clicked}")
        tab.value("held.end()")
        print(f"{self.where}: {where}: {count} presses were held while the page was drawn anew, {len(lost)} were lost", flush=True)
        self.expect(not lost, f"{where}: presses are lost when the page is drawn anew: {lost}")

    def idle(self):
        """A page with a chain, a loop and a run behind it, where nobody does anything: neither it nor the studio works."""
        tab = self.tab
        made = tab_chain(self, {"preset": "podcast-voice"})
        tab.value(f"location.hash = '#/build?chain={made}&file=0/voice.wav&loop=0-2'")
        tab.until(f"document.querySelector('chain-row')?.dataset.chain === '{made}'", "the chain is shown")
        self.expect(self.settle() == "done", "the loop is rendered")
        tab.until("[...document.querySelectorAll('.stage-foot .peak')].every((node) => node.textContent.includes('dB'))", "levels are shown")
        tab.call("Performance.enable", timeDomain="threadTicks")
        # Work that goes on shows in any second.
        seconds, worked, served = 4, self.worked(), self.studio.worked(True)
        tab.value(f"new Promise((done) => setTimeout(done, {1000 * seconds}))")
        worked, served = (self.worked() - worked) / seconds, (self.studio.worked(True) - served) / seconds
        tab.call("Performance.disable")
        print(f"{self.where}: idle, the page takes {100 * worked:.1f} % of a processor, the studio with its processes {100 * served:.1f} %")
        self.expect(worked < 0.02 and served < 0.02, "neither page nor studio work when nobody does anything")

    def two_tabs(self):
        """Two pages on one chain: both see all changes, and changes of two values are both kept."""
        made = tab_chain(self, {"preset": "podcast-voice"})
        other = self.new_tab(800)
        tabs = [self.tab, other]
        other.open(self.studio.url)
        self.ready(other)
        for tab in tabs:
            tab.value(f"location.hash = '#/build?chain={made}'")
            tab.until(f"document.querySelector('chain-row')?.dataset.chain === '{made}'", "the chain is shown")
            tab.click("chain-row .stage-box .stage-main")
            tab.until("document.querySelectorAll('.stage-panel parameter-control[data-kind=slider] input[type=range]').length > 2", "its controls are shown")
        keys = self.tab.value("[...document.querySelectorAll('.parameters parameter-control[data-kind=slider]')].slice(0, 2).map((node) => node.dataset.key)")
        for tab, key in zip(tabs, keys):
            tab.value(f"(() => {{ const one = document.querySelector(`.parameters parameter-control[data-key=${{CSS.escape({json.dumps(key)})}}] input[type=range]`); for (let place = 300; place <= 700; place += 20) {{ one.value = place; one.dispatchEvent(new Event('input', {{ bubbles: true }})); }} one.dispatchEvent(new Event('change', {{ bubbles: true }})); }})()")
        texts = "[...document.querySelectorAll('.parameters parameter-control[data-kind=slider] input[type=range]')].slice(0, 2).map((node) => node.getAttribute('aria-valuetext'))"
        for tab in tabs:
            tab.until("import(page + 'chains.js').then(async ({ knownChain }) => { const { route } = await import(page + 'route.js'); const own = knownChain(route.chain); return !own.isSending && own.document.entries[0].parameters.length >= 2; })", "changes are made")
        last = self.tab.value("import(page + 'route.js').then(async ({ route }) => (await (await fetch(`/api/chains/${route.chain}`)).json()).revision)")
        for tab in tabs:
            tab.until(f"import(page + 'chains.js').then(({{ knownChain }}) => knownChain({json.dumps(made)}).document.revision >= {last})", "both pages have the newest chain")
        same = f"JSON.stringify({texts})"
        wanted = self.tab.value(same)
        other.until(f"{same} === {json.dumps(wanted)}", "both pages show the same values")
        values = [next((one["value"] for one in self.document()["entries"][0]["parameters"] if one["name"] == key), None) for key in keys]
        self.expect(all(values), f"both changes are kept: {dict(zip(keys, values))}")
        other.close()

    def restart(self):
        """The studio is killed and started again: the page goes on where it was."""
        tab = self.tab
        made = tab_chain(self, {"preset": "podcast-voice"})
        tab.value(f"location.hash = '#/build?chain={made}'")
        tab.until(f"document.querySelector('chain-row')?.dataset.chain === '{made}'", "the chain is shown")
        self.studio.end(hard=True)
        tab.until("document.getElementById('link').dataset.state === 'away'", "the page says that the studio is away")
        old = self.studio.token
        self.studio.start()
        if self.studio.token != old:
            tab.until("document.querySelector('#toasts')?.textContent.includes('address') || document.getElementById('link').dataset.state === 'here'", "the page says what to do")
            self.open("#/find")
            return
        tab.until("document.getElementById('link').dataset.state === 'here'", "the page is connected again")
        count = len(self.titles())
        tab.click("chain-row .stage-box .stage-main")
        tab.click(".stage-panel [data-focus=copy]")
        tab.until(f"document.querySelectorAll('chain-row > .lane > .stage-box').length === {count + 1}", "changes are made again")
        self.quiet()
        self.judge("restart")

    def hostile(self):
        tab = self.tab
        made = tab_chain(self, {"units": ["aufx:hpas:appl"], "name": "<img src=x onerror=window.harmed=1>"})
        tab.value(f"location.hash = {json.dumps('#/hear?chain=' + made)}")
        tab.until("document.querySelector('.view.hear')", "Hear is shown")
        tab.click(".hear .head button")
        self.pick(HOSTILE)
        self.expect(self.settle() == "done", "a file with a hostile name is rendered")
        tab.until("document.querySelector('.hear .head').textContent.includes('<img')", "its name is shown as text")
        tab.until("document.querySelector('.tags')?.textContent.includes('<script>')", "its title is shown as text")
        self.view("build")
        tab.until("document.querySelector('.chain-name')?.value.includes('<img')", "the name of the chain is text")
        self.judge("hostile")

    def with_studio(self, prepare, visit, *options):
        """Visits a studio that is prepared in a folder of its own."""
        mine = self.studio
        with tempfile.TemporaryDirectory(prefix="auricle-studio-") as folder:
            self.studio = Studio(mine.program, folder)
            self.studio.talks.mkdir()
            try:
                prepare()
                self.studio.start(*options)
                visit()
            finally:
                if self.studio.process:
                    self.studio.end()
                self.studio = mine

    def read_only(self):
        """A studio that writes nothing: what would write is greyed, all else goes."""
        def visit():
            tab = self.tab
            self.open("#/build?file=0/voice.wav")
            tab.until("!document.getElementById('read-only').hidden", "the page says that it only reads")
            self.open_preset("voice-de-rumble")
            self.expect(tab.value("document.querySelector('[data-focus=save]').disabled"), "nothing can be saved")
            self.expect(self.settle() == "done", "chains are heard")
            self.judge("read-only-build")
            for view, place in [("find", ".star"), ("run", "[data-name=start]"), ("live", "[data-name=start]")]:
                self.view(view)
                tab.until(f"document.querySelector('{place}')?.disabled === true", f"what writes is greyed in {view}")
            self.judge("read-only")

        self.with_studio(lambda: tone(self.studio.talks / "voice.wav", 2), visit, "--read-only")

    def windows(self):
        """The window of a plug-in at a display of its own: opened by a button, moved from both sides, killed, opened again and closed."""
        if not shutil.which("Xvfb") or not (pathlib.Path(self.studio.program).resolve().parent / "Windows/auricle-window").exists():
            print(f"{self.where}: Xvfb or auricle-window is not here, so windows are not opened")
            return
        server = subprocess.Popen(["Xvfb", "-displayfd", "1", "-noreset", "-screen", "0", "1400x900x24", "-nolisten", "tcp"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

        def prepare():
            own = self.studio
            own.environment |= {"DISPLAY": ":" + server.stdout.readline().strip(), "CLAP_PATH": str(own.folder / "clap")}
            (own.folder / "clap").mkdir()
            for source, words in [("FaderCLAP", ["-shared", "-fPIC", "-o", str(own.folder / "clap/Fader.clap")]), ("Eye", ["-o", str(own.folder / "eye"), "-lXtst"])]:
                subprocess.run(["cc", "-O1", "-w", str(ROOT / f"Tests/Fixtures/Windows/{source}.c"), *words, "-lX11"], check=True)

        try:
            self.with_studio(prepare, self.use_window)
        finally:
            server.kill()
            server.wait()
            server.stdout.close()

    def use_window(self):
        tab, studio = self.tab, self.studio
        self.open("#/build")

        def eye(*words):
            result = subprocess.run([str(studio.folder / "eye"), *words], env=studio.environment, capture_output=True, text=True)
            return result.stdout.strip() if result.returncode == 0 else None

        def shows(text):
            # The display tells nobody when something is drawn: a frame of the page passes in between.
            end = time.monotonic() + browser.LIMIT
            while (seen := eye("name", "level")) != text:
                if time.monotonic() > end:
                    raise Fault(f"the window shows {seen}, and not {text}")
                tab.value("new Promise((done) => requestAnimationFrame(done))")

        field = ".parameters parameter-control input.value"
        made = tab_chain(self, {"units": ["clap:org.auricle.test.fader"], "name": "Window"})
        tab.value(f"location.hash = '#/build?chain={made}'")
        tab.until(f"document.querySelector('chain-row')?.dataset.chain === '{made}'", "the chain is shown")
        tab.click("chain-row .stage-box .stage-main")
        tab.until(f"document.querySelector('{field}')?.value", "its value is shown")
        tab.type(field, "0.25")
        self.quiet()
        button = "[data-focus=window]"
        tab.click(button)
        shows("level 0.25")
        tab.type(field, "0.5")
        shows("level 0.50")
        eye("press", "level", "150", "20")
        tab.until(f"document.querySelector('{field}').value.startsWith('0.75')", "what is moved in the window is moved in the page")
        window = next(int(path.parent.name) for path in pathlib.Path("/proc").glob("[0-9]*/cmdline") if b"auricle-window" in path.read_bytes().split(b"\0")[0]
                      and f"DISPLAY={studio.environment['DISPLAY']}".encode() in (path.parent / "environ").read_bytes().split(b"\0"))
        os.kill(window, signal.SIGSEGV)
        text = tab.until("document.querySelector('.toast.bad')?.textContent", "the page says that the window is gone")
        self.expect("crashed (SIGSEGV)" in text, f"a crash is named: {text}")
        self.expect(self.document()["entries"][0]["parameters"][0]["value"].startswith("0.75"), "its values stay")
        tab.click(".toast.bad button")
        tab.click(button)
        shows("level 0.75")
        self.judge("windows")
        eye("close", "Auricle's tests")
        tab.until("fetch('/api/windows').then(async (answer) => (await answer.json()).windows.at(-1).state === 'closed')", "the window is closed")
        self.expect(not tab.value("document.querySelector('.toast.bad')"), "a window that is closed is no failure")

    def many(self):
        """A studio of 1,200 further units and a run of 10,000 files: both are there at once, and scroll without a stall."""
        count = 10_000

        def prepare():
            self.studio.many_units(1200)
            self.studio.links("many", count)

        def visit():
            tab = self.tab
            self.open("#/find")
            tab.until("document.querySelectorAll('.unit-list .row').length > 5", "units are listed")
            self.warm()
            total = tab.value("document.querySelector('.view.find > .head [role=status]').textContent")
            self.expect(int(total.split()[0].replace(",", "")) > 1200, f"all units are listed: {total}")
            self.scroll(".unit-list many-rows", 1200)
            self.view("run")
            made = tab.value("import(page + 'server.js').then(async ({ post }) => (await post('/api/runs', { inputs: ['0/many'], output: '0/out', chain: null, preset: 'voice-de-rumble', options: { jobs: 1 } })).id)")
            tab.value(f"location.hash = '#/run?run={made}'")
            tab.until(f"document.querySelector('.run-rows')?.total === {count}", "all files are planned")
            self.scroll(".run-rows", count)
            tab.click("[data-name=stop]")
            tab.until("document.querySelector('.run-panel .chip')?.textContent === 'Stopped'", "it stops")
            self.scroll(".run-rows", count)
            tab.value("document.querySelector('.run-rows').scrollTop = 0")
            tab.until("document.querySelector('.run-rows .row')", "rows are shown")
            tab.value("document.querySelector('.run-rows .row').focus()")
            tab.key("End")
            tab.until(f"document.activeElement.dataset.index === '{count - 1}'", "End goes to the last row")
            self.judge("many")

        self.with_studio(prepare, visit)

    def warm(self):
        """Opens the page once more, and prints how long that takes, and of what."""
        shown, worked, served = self.shown(self.studio.url + "#/find")
        requests, size = self.tab.value("(() => { const all = performance.getEntriesByType('resource'); return [all.length + 1, all.reduce((sum, one) => sum + one.transferSize, 0)]; })()")
        print(f"{self.where}: units are shown after {shown:.0f} ms, {worked:.0f} ms of the page's processor and {served:.0f} ms of the studio's, {requests} requests, {size / 1000:.0f} kB")

    def scroll(self, place, count):
        """Scrolls through a list of rows, screens at a time, and judges what a frame takes of the processor.

        Other programs make that slower now and then; a stall of the page is there each time."""
        if not any(self.frame_cost(place, count) < 16 for _ in range(3)):
            self.expect(False, "rows scroll without a stall: a frame takes 16 ms of the processor and more")

    def frame_cost(self, place, count):
        self.tab.call("Performance.enable", timeDomain="threadTicks")
        before = self.worked()
        result = self.tab.value(f"""(async () => {{
          const list = document.querySelector({json.dumps(place)}); const costs = []; const step = list.scrollHeight / 240;
          for (let turn = 0; turn < 240; turn += 1) {{
            const began = performance.now();
            list.scrollTop = turn * step;
            await new Promise((done) => requestAnimationFrame(done));
            await new Promise((done) => {{ const {{ port1, port2 }} = new MessageChannel(); port1.onmessage = done; port2.postMessage(0); }});
            costs.push(performance.now() - began);
          }}
          list.scrollTop = list.scrollHeight;
          const end = performance.now() + 60000;
          while (!list.querySelector(`.row[data-index="${{list.total - 1}}"]`) && performance.now() < end) await new Promise((done) => requestAnimationFrame(done));
          costs.sort((one, two) => one - two);
          return {{ total: list.total, nodes: list.querySelectorAll('.row').length, middle: costs[120], most: costs.at(-1), last: Boolean(list.querySelector(`.row[data-index="${{list.total - 1}}"]`)) }};
        }})()""")
        cost = 1000 * (self.worked() - before) / 240
        self.tab.call("Performance.disable")
        print(f"{self.where}: {result['total']} rows scroll with {cost:.1f} ms of the processor for a frame; frames take {result['middle']:.1f} ms, at most {result['most']:.0f} ms")
        self.expect(result["total"] >= count and result["last"], f"the last row is shown: {result}")
        self.expect(result["nodes"] < 120, f"only rows in sight are in the document: {result}")
        return cost

    def rows(self):
        """Answers about rows that come late, and lists that change meanwhile."""
        self.open("#/run")
        found = self.tab.value("""(async () => {
          await import(page + 'rows.js'); const list = document.createElement('many-rows'); list.style.height = '300px'; document.body.append(list);
          const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
          const asked = []; let state = 'at work';
          list.draw = (row) => [row.text]; list.rows = (from, count) => new Promise((done) => { const now = state; asked.push(() => done(Array.from({ length: count }, (_, index) => ({ text: `${from + index} ${now}` })))); });
          const texts = () => [...list.querySelectorAll('.row')].map((row) => row.textContent);
          list.reset(500); await frame();
          state = 'done'; list.refresh(); await frame();
          const first = asked.length;
          asked[0](); await frame(); await frame();
          const second = asked.length;
          asked[1]?.(); await frame(); await frame();
          const shown = texts();
          // Rows that were seen before the refresh and are out of sight are asked for again as well.
          list.scrollTop = 250 * list.height; await frame(); asked.at(-1)(); await frame(); await frame();
          list.scrollTop = 0; await frame(); state = 'over'; list.refresh(); await frame(); asked.at(-1)(); await frame(); await frame();
          list.scrollTop = 250 * list.height; await frame(); asked.at(-1)(); await frame(); await frame();
          const far = texts().filter((text) => !text.includes('over'));
          // An answer for the list of before is not shown in the next one.
          state = 'old'; list.refresh(); await frame(); const late = asked.at(-1); list.reset(3); state = 'new'; await frame();
          late(); await frame(); await frame(); asked.at(-1)(); await frame(); await frame();
          const last = texts();
          // An answer that lacks rows is no reason to ask for ever.
          list.rows = () => { asked.push(0); return Promise.resolve([]); }; const before = asked.length; list.reset(9); for (let turn = 0; turn < 20; turn += 1) await frame();
          const times = asked.length - before; list.remove();
          // Nodes that stay in a list that grows, shrinks and turns are not taken out of it on the way.
          const { keep } = await import(page + 'dom.js'); const place = document.createElement('div'); const taken = [];
          const [a, b, c, d] = [...'abcd'].map((name) => Object.assign(document.createElement('i'), { textContent: name }));
          const watch = new MutationObserver(() => {}); watch.observe(place, { childList: true });
          for (const next of [[b], [a, b, c, d], [b, d], [d, b], [a, c, d, b]]) {
            const stays = [...place.children].filter((node) => next.includes(node)); watch.takeRecords(); keep(place, next);
            const gone = new Set(watch.takeRecords().flatMap((one) => [...one.removedNodes])); taken.push(stays.filter((node) => gone.has(node)).length, place.textContent);
          }
          return { first, second, shown, far, last, times, taken };
        })()""")
        self.expect(found["taken"] == [0, "b", 0, "abcd", 0, "bd", 1, "db", 0, "acdb"], f"nodes that stay are left where they are: {found['taken']}")
        self.expect(found["first"] == 1 and found["second"] == 2, f"one question at a time: {found['first']}, {found['second']}")
        self.expect(found["shown"] and all(text.endswith("done") for text in found["shown"]), f"the newest answer is shown: {found['shown'][:3]}")
        self.expect(not found["far"], f"rows out of sight follow: {found['far'][:3]}")
        self.expect(found["last"] == ["0 new", "1 new", "2 new"], f"answers of another list are dropped: {found['last']}")
        self.expect(found["times"] == 1, f"rows that are not there are asked for once: {found['times']}")
