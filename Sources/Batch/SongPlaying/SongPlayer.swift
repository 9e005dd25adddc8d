// A song through the chain of its instruments, slice by slice until it is silent.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import ChainPresets
import FileRendering
import RealtimeSupport
import UnitChains

/// A song at work. Context: one control thread.
final class SongPlayer {
  /// The frame at which song or speech ends.
  let end: Int
  /// The notes on the song, known before it is rendered.
  let notes: [String]
  /// Frames by which the result is late.
  let latencyFrames: Int
  /// Frames by which the output of the instruments is late.
  let partsLatencyFrames: Int
  /// The frame that is rendered next, counted from the first that is late.
  private(set) var place = 0
  /// The highest sample of the result so far, linear.
  private(set) var peak: Float = 0
  private let chain: UnitChain
  /// The instruments, then the music effects behind them.
  private var parts: [SongPart] = []
  private let instrumentCount: Int
  private let transports: [SongTransport]
  /// The input of the chain.
  private let silence: PlanarBuffer
  /// The most frames that ring behind the end, and the silent ones that end them.
  private let mostTail: Int
  private let hold: Int
  /// Whether nothing is rendered behind the end: a voice that nothing rings behind ends at its last frame.
  private let isExact: Bool
  /// The highest sample of the present slice, and the silent frames before it.
  private var loudest = Float.infinity
  private var quiet = 0

  /// Frames of a slice.
  static let sliceFrames = 512
  /// Below this a tail has ended: −100 dBFS.
  private static let tailLimit: Float = 1e-5

  /// Opens the units.
  ///
  /// - Parameters:
  ///   - ensemble: The instruments.
  ///   - events: The events to play.
  ///   - format: Rate, channels and variant of the result.
  ///   - tailSeconds: The most that is rendered behind the end until it is silent.
  ///   - speaks: Whether the only instrument speaks a text, and gets no notes.
  /// - Throws: The units' errors; `.usage` for a unit that accepts no notes.
  init(
    _ ensemble: ResolvedEnsemble, _ events: SongEvents, _ format: ChainSpecification,
    tailSeconds: Double, speaks: Bool = false
  ) throws(AuricleError) {
    let resolved = ensemble.chain(
      format.variant, sampleRate: format.sampleRate, isTapped: true)
    chain = try resolved.makeChain(
      ChainSpecification(
        sampleRate: format.sampleRate, channelCount: format.channelCount,
        maximumFrameCount: Self.sliceFrames, inputFrameCount: speaks ? nil : events.end))
    try chain.refuseWholeSounds()
    let routing = SongRouting(events.entries, to: ensemble.parts.map(\.entry))
    let stageParts = ensemble.stageParts
    for (index, events) in routing.parts.enumerated() {
      let stage = stageParts.firstIndex(of: index) ?? 0
      parts.append(
        try SongPart(
          resolved.stages[stage].label, chain.units(ofStage: stage), events, speaks: speaks))
    }
    notes = routing.notes + parts.flatMap(\.notes)
    instrumentCount = parts.count
    // A music effect is sent the notes of its instrument, one behind all instruments every note.
    for (stage, part) in stageParts.enumerated()
    where stage != part.flatMap({ stageParts.firstIndex(of: $0) }) {
      let units = chain.units(ofStage: stage).filter(\.playsNotes)
      guard !units.isEmpty else { continue }
      parts.append(
        try SongPart(
          resolved.stages[stage].label, units, part.map { routing.parts[$0] } ?? events.entries,
          speaks: false))
    }
    let speech = parts.map(\.speechSeconds).max() ?? 0
    end = max(events.end, Int((speech * format.sampleRate).rounded(.up)))
    latencyFrames = chain.latencyFrames
    partsLatencyFrames = chain.tapLatencyFrames
    transports = if let timeline = events.timeline { chain.follow(timeline) } else { [] }
    silence = PlanarBuffer(channelCount: format.channelCount, frameCapacity: Self.sliceFrames)
    mostTail = Int(tailSeconds * format.sampleRate)
    hold = Int(format.sampleRate / 2)
    isExact = speaks && mostTail == 0
  }

  /// A line for each instrument or music effect that refused messages.
  var refusals: [String] {
    parts.filter { $0.refusedMessages > 0 }.map { part in
      let name = parts.count > 1 ? part.label : "the instrument"
      return "\(name) refused \(part.refusedMessages) messages"
    }
  }

  /// A piece of the song, valid until the next: a pointer a channel.
  @safe struct Piece {
    var count: Int
    var result: ChannelRows
    /// The channels of each instrument in turn.
    var parts: ChannelRows
  }

  /// Renders a slice, or a piece of it; nil where the end has been reached.
  ///
  /// - Throws: A unit's error, also for samples that are no finite numbers.
  func step() throws(AuricleError) -> Piece? {
    let begins = place.isMultiple(of: Self.sliceFrames)
    if begins {
      quiet = loudest < Self.tailLimit ? quiet + Self.sliceFrames : 0
      loudest = 0
    }
    let last = end + latencyFrames
    let rings = !isExact && (!begins || (quiet < hold && place < last + mostTail))
    guard place < last || rings else { return nil }
    var count = Self.sliceFrames - place % Self.sliceFrames
    if isExact { count = min(count, last - place) }
    count = chain.undividedCount(count)
    // Where a unit needs whole slices, a SysEx acts from the start of its slice.
    if !chain.wantsWholeSlices {
      count = parts.reduce(place + count) { $1.pieceEnd(from: place, to: $0) } - place
    }
    for index in parts.indices { parts[index].send(from: place, to: place + count) }
    silence.clear(from: 0)
    let result = try unsafe chain.render(input: silence.rows, frameCount: count)
    place += count
    let piece = unsafe Piece(count: count, result: result, parts: chain.tap?.rows ?? result)
    measure(piece)
    return piece
  }

  private func measure(_ piece: Piece) {
    var highest: Float = 0
    for channel in 0..<chain.channelCount {
      highest = max(highest, unsafe SampleScan.measure(piece.result[channel], count: piece.count).0)
    }
    peak = max(peak, highest)
    for row in 0..<instrumentCount * chain.channelCount {
      highest = max(highest, unsafe SampleScan.measure(piece.parts[row], count: piece.count).0)
    }
    loudest = max(loudest, highest)
  }
}
