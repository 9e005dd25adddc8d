// A song through the chain of its instruments: messages at their frames, slice by slice until it is silent.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import AudioUnits
import CAudioToolbox
import ChainPresets
package import FileRendering
import RealtimeSupport
import UnitChains

/// A song at work. Context: one control thread.
@safe package final class SongPlayer {
  /// Frames rendered at once.
  package static let sliceFrames = 512

  /// The instruments.
  package let parts: [SongPart]
  /// The frame at which song or speech ends.
  package let end: Int
  /// Lines about the song, known before it is rendered.
  package let notes: [String]
  private let chain: UnitChain
  private let channelCount: Int
  private let silence: PlanarBuffer
  private var transports: [SongTransport] = []
  /// Frames by which all parts are late, and by which their sum is.
  private let partsLate: Int
  private let late: Int
  /// The most frames that ring behind the end, and the silent ones that end them.
  private let mostTail: Int
  private let hold: Int
  /// Whether nothing is rendered behind the end: a voice that nothing rings behind ends at its last frame.
  private let isExact: Bool
  private var place = 0
  private var quiet = 0

  /// Opens the units.
  ///
  /// - Parameters:
  ///   - ensemble: The instruments and effects.
  ///   - events: The messages of the song.
  ///   - format: Rate, channels and variant of the result.
  ///   - tailSeconds: The most that is rendered behind the end until it is silent.
  ///   - speaks: Whether the only instrument says a text, and takes no notes.
  /// - Throws: What units refuse; `.usage` for a unit that takes no notes.
  package init(
    _ ensemble: ResolvedEnsemble, _ events: SongEvents, _ format: ChainSpecification,
    tailSeconds: Double, speaks: Bool = false
  ) throws(AuricleError) {
    var request = format
    request.maximumFrameCount = Self.sliceFrames
    request.inputFrameCount = speaks ? nil : events.end
    request.isTapped = true
    request.variant = nil
    chain = try ensemble.chain(format.variant).makeChain(request)
    channelCount = format.channelCount
    silence = PlanarBuffer(channelCount: channelCount, frameCapacity: Self.sliceFrames)
    let routing = SongRouting(events.entries, to: ensemble.parts.map(\.entry))
    var made: [SongPart] = []
    var stage = 0
    for (part, events) in zip(ensemble.parts, routing.parts) {
      let units = chain.stages.first { $0.number == stage }?.units ?? []
      let name = part.instrument.stages[0].label
      guard speaks || units.allSatisfy(\.takesMIDI) else {
        throw AuricleError(
          .usage,
          "\(name) takes no notes: name an instrument first (auricle list aumu), effects behind it")
      }
      made.append(SongPart(name, units, events))
      stage += 1 + (part.effects?.stages.count ?? 0)
    }
    parts = made
    let rate = format.sampleRate
    let spoken = made.map { Int(($0.speechSeconds * rate).rounded(.up)) }.max() ?? 0
    end = max(events.end, spoken)
    notes = routing.notes + made.flatMap(\.notes) + chain.notes
    partsLate = chain.branchLatencyFrames
    late = chain.latencyFrames
    mostTail = Int(tailSeconds * rate)
    hold = Int(rate / 2)
    isExact = speaks && mostTail == 0
    if let timeline = events.timeline { follow(timeline) }
  }

  /// Has the units know where the song is whose sound comes in late at each of them.
  private func follow(_ timeline: SongTimeline) {
    for stage in chain.stages {
      let delay = chain.graph.arrivalFrames(at: [stage.node])[0]
      let transport = SongTransport(timeline) { [unowned chain] in chain.frame - delay }
      for unit in stage.units { transport.tell(unit) }
      transports.append(transport)
    }
  }

  /// Frames by which the parts come before their sum.
  var leadFrames: Int { late - partsLate }

  /// A line for each instrument that refused messages.
  package var refusals: [String] {
    parts.filter { $0.refusedMessages > 0 }.map { part in
      let name = parts.count > 1 ? part.label : "the instrument"
      return "\(name) refused \(part.refusedMessages) messages"
    }
  }

  /// Below this a tail has ended: −100 dBFS.
  private static let silence: Float = 1e-5

  /// Renders the next slice; false when the end has been reached.
  ///
  /// What is early by latency is left out: neither closure is called for a slice that has nothing else.
  ///
  /// - Parameters:
  ///   - receivePart: Receives what an instrument made, by its place: a pointer a channel, and the number of frames.
  ///   - receiveSum: Receives the sum, behind all effects.
  /// - Throws: What a unit refuses, `.software` for samples that are no finite numbers, and what the closures throw.
  package func step(
    part receivePart: (Int, ChannelRows, Int) throws(AuricleError) -> Void = { _, _, _ in },
    sum receiveSum: (ChannelRows, Int) throws(AuricleError) -> Void
  ) throws(AuricleError) -> Bool {
    guard place < end + late || (quiet < hold && place < end + late + mostTail) else {
      return false
    }
    var count = isExact ? min(Self.sliceFrames, end + late - place) : Self.sliceFrames
    for part in parts {
      count = part.frames(of: count, at: place, splits: !chain.wantsWholeSlices)
    }
    count = chain.nextFrameCount(count)
    for part in parts { part.send(count, at: place) }
    for channel in 0..<channelCount { unsafe silence.rows[channel].update(repeating: 0, count: count) }
    let rows = try unsafe chain.render(input: silence.rows, frameCount: count)
    var loudest = unsafe peak(rows, count)
    for index in parts.indices {
      let branch = unsafe chain.branch(index)
      loudest = max(loudest, unsafe peak(branch, count))
      try unsafe pass(branch, count, skipping: partsLate) { (rows, count) throws(AuricleError) in
        try unsafe receivePart(index, rows, count)
      }
    }
    try unsafe pass(rows, count, skipping: late, to: receiveSum)
    quiet = loudest < Self.silence ? quiet + count : 0
    place += count
    return true
  }

  /// The highest sample of a slice, linear.
  package func peak(_ rows: ChannelRows, _ count: Int) -> Float {
    var peak: Float = 0
    for channel in 0..<channelCount {
      peak = max(peak, unsafe SampleScan.measure(rows[channel], count: count).0)
    }
    return peak
  }

  /// Passes on a slice without the frames that are latency.
  private func pass(
    _ rows: ChannelRows, _ count: Int, skipping late: Int,
    to receive: (ChannelRows, Int) throws(AuricleError) -> Void
  ) throws(AuricleError) {
    let skipped = min(count, max(0, late - place))
    guard skipped < count else { return }
    for channel in 0..<channelCount { unsafe rows[channel] += skipped }
    defer { for channel in 0..<channelCount { unsafe rows[channel] -= skipped } }
    try unsafe receive(rows, count - skipped)
  }
}
