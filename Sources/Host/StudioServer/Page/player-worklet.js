// Plays the versions of a sound from one position, so that they cannot drift apart, and fades from one to another.
// SPDX-License-Identifier: Apache-2.0

/** The frames of a fade: 20 ms, within which neither a switch nor a new rendering clicks. */
const fadeFrames = Math.round(sampleRate * 0.02);

/** How many versions fade at once at most. */
const mostFades = 8;

/** How often the position is posted, in blocks of 128 frames: 30 times a second at most. */
const blocksPerPost = Math.max(1, Math.ceil(sampleRate / 30 / 128));

class StudioPlayer extends AudioWorkletProcessor {
  constructor() {
    super();
    /** By name: `{channels, gain, target, olds}`; `olds` are what was replaced, where, and how far it has faded; `gain` is what is heard of it now, `target` what shall be. */
    this.tracks = new Map();
    /** By output: the channels of more than two that it plays, and their gains. */
    this.parts = [[[0, 1]], [[1, 1]]];
    this.position = 0;
    this.start = 0;
    this.end = 0;
    this.isLoop = true;
    this.level = 0;
    this.isPlaying = false;
    this.block = 0;
    this.port.onmessage = ({ data }) => this[data.kind]?.(data);
  }

  /** Replaces what a track plays; the old sound fades into the new one where they meet. */
  put({ name, channels, from }) {
    const track = this.tracks.get(name) ?? { channels: [], gain: 0, target: 0, olds: [] };
    if (from === undefined || !track.channels.length) {
      if (track.channels.length && this.isPlaying) this.fadeFrom(track, { from: 0, channels: track.channels });
      track.channels = channels;
    } else {
      // Only what is replaced is copied: this is the thread that plays.
      const end = Math.min(from + channels[0].length, track.channels[0].length);
      if (this.isPlaying) this.fadeFrom(track, { from, channels: track.channels.map((own) => own.slice(from, end)) });
      track.channels.forEach((own, index) => own.set((channels[index] ?? channels[0]).subarray(0, end - from), from));
    }
    this.tracks.set(name, track);
  }

  /** Fades from what is replaced; what fades already goes on below it. */
  fadeFrom(track, old) {
    track.olds.push({ ...old, fade: fadeFrames });
    if (track.olds.length > mostFades) track.olds.shift();
  }

  /** Returns the sample of a version at the position: where it was not replaced, that of the next one. */
  versionAt(olds, index, channel, sample) {
    for (let next = index; next < olds.length; next += 1) {
      const { from, channels } = olds[next];
      const old = channels[Math.min(channel, channels.length - 1)][this.position - from];
      if (old !== undefined) return old;
    }
    return sample;
  }

  /** Blends all versions that have not faded yet, from the oldest to the newest. */
  blend(olds, channel, sample) {
    let sum = this.versionAt(olds, 0, channel, sample);
    for (let index = 0; index < olds.length; index += 1) {
      const share = Math.max(0, olds[index].fade / fadeFrames);
      sum = this.versionAt(olds, index + 1, channel, sample) * (1 - share) + sum * share;
    }
    return sum;
  }

  /** Returns the sample of a channel at the position, between versions while they fade. */
  sampleAt(track, channel) {
    const sample = track.channels[channel][this.position] ?? 0;
    return track.olds.length ? this.blend(track.olds, channel, sample) : sample;
  }

  /** Returns the sample of an output at the position: more channels than two are mixed. */
  mixed(track, output) {
    const count = track.channels.length;
    if (count <= 2) return this.sampleAt(track, Math.min(output, count - 1));
    let sum = 0;
    for (const [channel, gain] of this.parts[output]) if (channel < count) sum += gain * this.sampleAt(track, channel);
    return sum;
  }

  /** Sets how channels are mixed: for each output a list of channels and gains. */
  speakers({ parts }) {
    this.parts = parts;
  }

  drop({ name }) {
    this.tracks.delete(name);
  }

  /** Sets which tracks sound, and how loud: `{name: factor}`; others fall silent. */
  mix({ gains }) {
    for (const [name, track] of this.tracks) track.target = gains[name] ?? 0;
    if (!this.isPlaying) for (const track of this.tracks.values()) track.gain = track.target;
  }

  region({ start, end, isLoop }) {
    this.start = start;
    this.end = end;
    this.isLoop = isLoop;
    if (this.position < start || this.position >= end) this.position = start;
  }

  seek({ frame }) {
    this.position = Math.min(Math.max(frame, this.start), Math.max(this.start, this.end - 1));
    this.report();
  }

  play() {
    this.isPlaying = true;
    this.report();
  }

  pause() {
    this.isPlaying = false;
    this.report();
  }

  report() {
    this.port.postMessage({ kind: "at", frame: this.position, isPlaying: this.isPlaying });
  }

  process(_, [output]) {
    // A pause fades out, too.
    const goal = this.isPlaying ? 1 : 0;
    if (this.level === 0 && goal === 0) return true;
    const step = 1 / fadeFrames;
    const frames = output[0].length;
    for (let index = 0; index < frames; index += 1) {
      this.level = this.level < goal ? Math.min(goal, this.level + step) : Math.max(goal, this.level - step);
      for (const track of this.tracks.values()) {
        track.gain = track.gain < track.target ? Math.min(track.target, track.gain + step) : Math.max(track.target, track.gain - step);
        for (const old of track.olds) old.fade -= 1;
        while (track.olds.length && track.olds[0].fade <= 0) track.olds.shift();
        if (track.gain === 0 || !track.channels.length) continue;
        for (let channel = 0; channel < output.length; channel += 1) output[channel][index] += this.mixed(track, channel) * track.gain * this.level;
      }
      if (!this.isPlaying) continue;
      this.position += 1;
      if (this.position >= this.end) {
        this.position = this.start;
        if (!this.isLoop) this.pause();
      }
    }
    this.block += 1;
    if (this.block % blocksPerPost === 0) this.report();
    return true;
  }
}

registerProcessor("studio-player", StudioPlayer);
