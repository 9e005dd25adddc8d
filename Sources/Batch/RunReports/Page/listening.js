"use strict";
// Listening to a file before and after, at equal loudness, from the files where they are. Knows nothing of the page
// around it: other pages use it as well.
const listening = (() => {
  const sides = ["before", "after"];
  let playing = null;

  // The factors that make both sides as loud as the quieter one. A browser can turn down, and not up.
  const factors = (levels) => {
    if (levels.some((level) => level === null || !Number.isFinite(level))) return [1, 1];
    const least = Math.min(...levels);
    return levels.map((level) => Math.min(1, 10 ** ((least - level) / 20)));
  };

  // A control for two files: `links` and `levels` (LUFS or dBFS, or null) of before and after, and the name for people.
  const control = (links, levels, name) => {
    const box = document.createElement("span");
    box.className = "listen";
    const volumes = factors(levels);
    let players = null;
    let current = 1;
    const note = document.createElement("span");
    note.className = "bad";
    const buttons = sides.map((side, place) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = "\u25b6 " + side;
      button.setAttribute("aria-label", "Play " + side + ": " + name);
      button.setAttribute("aria-pressed", "false");
      button.addEventListener("click", () => {
        if (playing === own && current === place) own.stop();
        else own.play(place);
      });
      return button;
    });
    const mark = () => {
      for (const [place, button] of buttons.entries()) {
        const isOn = playing === own && current === place;
        button.setAttribute("aria-pressed", String(isOn));
        button.textContent = (isOn ? "\u25a0 " : "\u25b6 ") + sides[place];
      }
    };
    const open = () => {
      players = links.map((link, place) => {
        const player = new Audio(link);
        player.preload = "auto";
        player.volume = volumes[place];
        player.addEventListener("ended", () => { if (playing === own) own.stop(); });
        player.addEventListener("error", () => {
          note.textContent = "This browser cannot play the file " + sides[place] + ".";
          if (playing === own) own.stop();
        });
        return player;
      });
    };
    const own = {
      element: box,
      // Plays a side from where the other one is.
      play(place) {
        if (playing !== null && playing !== own) playing.stop();
        if (players === null) open();
        note.textContent = "";
        const before = players[current];
        if (place !== current || playing !== own) {
          before.pause();
          if (place !== current) players[place].currentTime = before.currentTime;
        }
        current = place;
        playing = own;
        // A side that was left before it began refuses, which is no fault of the other one.
        players[place].play().catch(() => { if (playing === own && current === place) own.stop(); });
        mark();
      },
      toggle() {
        if (playing === own) own.stop();
        else own.play(current);
      },
      swap() { own.play(1 - current); },
      stop() {
        for (const player of players || []) player.pause();
        if (playing === own) playing = null;
        mark();
      },
    };
    box.append(...buttons, note);
    return own;
  };

  return {
    control,
    // Stops playing, such as when its row goes away.
    stop() { if (playing !== null) playing.stop(); },
    get isPlaying() { return playing !== null; },
    swap() { if (playing !== null) playing.swap(); },
  };
})();
