// One instrument of a song: its messages, the effects behind it, and the delay that keeps it with the others.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import ChainPresets
import FileRendering
import MIDIFiles
import RealtimeSupport
import UnitChains

/// An instrument at work. Context: one control thread.
@safe package final class SongPart {
  /// Its name in messages.
  package let label: String
  let instrument: SongInstrument
  private let effects: UnitChain?
  private var transport: SongTransport?
  private let events: [SongEvents.Entry]
  private var next = 0
  private let channelCount: Int
  /// Where its sound lies until it is as late as that of the others.
  private var delayed: PlanarBuffer?
  private var delayFrames = 0

  /// Opens the units.
  ///
  /// - Parameters:
  ///   - number: Its place in the band, from 1.
  ///   - speaks: Whether it speaks a text, and gets no notes.
  init(
    _ part: ResolvedBand.Part, number: Int, _ events: [SongEvents.Entry],
    _ format: ChainSpecification, speaks: Bool
  ) throws(AuricleError) {
    let drawn = format.part(ResolvedBand.instrument(number)).variant.map {
      part.instrument.variant(
        $0.index, seed: $0.seed, key: $0.key, sampleRate: format.sampleRate)
    }
    let stage = (drawn ?? part.instrument).stages[0]
    label = part.entry.unit.label ?? stage.label
    self.events = events
    channelCount = format.channelCount
    instrument = try SongInstrument(
      stage, sampleRate: format.sampleRate, channelCount: format.channelCount, speaks: speaks)
    effects = try part.effects?.makeChain(format.part(ResolvedBand.effects(number)))
    try effects?.refuseWholeSounds()
  }

  /// Makes its units follow the song's timeline. Context: before the first slice.
  func follow(_ timeline: SongTimeline) {
    instrument.follow(timeline)
    transport = effects?.follow(timeline, late: instrument.latencyFrames)
  }

  /// Frames by which it sounds late of itself.
  var latencyFrames: Int { instrument.latencyFrames + (effects?.latencyFrames ?? 0) }

  /// Lines about the parts that it left out at loading, and about programs that its bank does not have.
  var notes: [String] {
    instrument.loadNotes.map { "\(label): \($0)" } + (instrument.bank?.notes(of: events) ?? [])
  }

  /// Has it sound later. Context: before the first slice.
  func wait(_ frames: Int) {
    guard frames > 0 else { return }
    delayFrames = frames
    delayed = PlanarBuffer(
      channelCount: channelCount, frameCapacity: SongInstrument.sliceFrames + frames)
  }

  /// The most messages that an instrument is sent for one piece of a slice: all units accept so many.
  private static let messageLimit = 2048

  /// Renders a slice that begins at a frame of the song; a pointer a channel, valid until the next call.
  ///
  /// - Throws: A unit's error; `.software` for samples that are no finite numbers.
  func render(_ count: Int, at place: Int) throws(AuricleError) -> ChannelRows {
    var done = 0
    while done < count {
      let end = sendMessages(from: done, to: count, at: place)
      try instrument.render(end - done, from: done)
      done = end
    }
    let made = unsafe instrument.rows
    let rows = try unsafe effects?.render(input: made, frameCount: count) ?? made
    for channel in 0..<channelCount {
      guard unsafe SampleScan.firstNonFinite(rows[channel], count: count) < 0 else {
        throw AuricleError(
          .software, status: kAudioUnitErr_InvalidParameterValue,
          "\(label) made a value that is not a finite number at frame \(place)")
      }
    }
    guard let delayed else { return unsafe rows }
    for channel in 0..<channelCount {
      let line = unsafe delayed.rows[channel]
      unsafe (line + delayFrames).update(from: rows[channel], count: count)
      unsafe rows[channel].update(from: line, count: count)
      unsafe line.update(from: line + count, count: delayFrames)
    }
    return unsafe rows
  }

  /// Sends the messages that are due in a piece of a slice; returns where the piece ends.
  ///
  /// A SysEx begins a piece, since units apply it from the start of a slice. Messages beyond a unit's limit wait for the next piece, of
  /// one frame or more.
  private func sendMessages(from start: Int, to end: Int, at place: Int) -> Int {
    var sent = 0
    while next < events.count, events[next].frame < place + end {
      let event = events[next]
      let frame = max(start, event.frame - place)
      if event.message.isExclusive, frame > start { return frame }
      if sent == Self.messageLimit { return max(frame, start + 1) }
      instrument.send(event.message, atFrame: frame - start)
      sent += 1
      next += 1
    }
    return end
  }
}

extension UnitChain {
  /// Makes its units follow the timeline of a song whose sound comes in so many frames late.
  ///
  /// - Returns: The transport that informs them, as long as the chain is used.
  func follow(_ timeline: SongTimeline, late: Int) -> SongTransport {
    let transport = SongTransport(timeline) { [unowned self] in frame - late }
    for stage in stages {
      for unit in stage.units { transport.notify(unit) }
    }
    return transport
  }
}

extension MIDIFileMessage {
  /// Whether it is a SysEx, or a part of one.
  fileprivate var isExclusive: Bool {
    switch self {
    case .systemExclusive, .raw: true
    case .channel, .meta: false
    }
  }
}
