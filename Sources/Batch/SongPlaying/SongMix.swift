// All instruments of a song, their sum, and the effects behind all: rendered slice by slice until it is silent.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import CAudioToolbox
package import FileRendering
import RealtimeSupport
import UnitChains

/// A song at work. Context: one control thread.
package final class SongMix {
  /// The instruments, each with its effects.
  package let parts: [SongPart]
  /// The frame at which song or speech ends.
  package let end: Int
  /// The notes on the song, known before it is rendered.
  package let notes: [String]
  private let bus: UnitChain?
  private let transport: SongTransport?
  /// The sum of the parts.
  private let sum: PlanarBuffer
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
  ///   - band: The instruments.
  ///   - events: The events to play.
  ///   - format: Rate, channels and variant of the result.
  ///   - tailSeconds: The most that is rendered behind the end until it is silent.
  ///   - speaks: Whether the only instrument speaks a text, and gets no notes.
  /// - Throws: The units' errors; `.usage` for a unit that accepts no notes.
  package init(
    _ band: ResolvedBand, _ events: SongEvents, _ format: ChainSpecification, tailSeconds: Double,
    speaks: Bool = false
  ) throws(AuricleError) {
    var format = format
    format.maximumFrameCount = SongInstrument.sliceFrames
    format.inputFrameCount = speaks ? nil : events.end
    let routing = SongRouting(events.entries, to: band.parts.map(\.entry))
    var parts: [SongPart] = []
    for (number, (part, events)) in zip(band.parts, routing.parts).enumerated() {
      parts.append(try SongPart(part, number: number + 1, events, format, speaks: speaks))
    }
    self.parts = parts
    end = max(events.end, parts.map(\.instrument.speechFrames).max() ?? 0)
    bus = try band.bus?.makeChain(format.part("bus"))
    try bus?.refuseWholeSounds()
    notes = routing.notes + parts.flatMap(\.notes)
    sum = PlanarBuffer(
      channelCount: format.channelCount, frameCapacity: SongInstrument.sliceFrames)
    let latest = parts.map(\.latencyFrames).max() ?? 0
    for part in parts { part.wait(latest - part.latencyFrames) }
    partsLate = latest
    late = latest + (bus?.latencyFrames ?? 0)
    if let timeline = events.timeline {
      for part in parts { part.follow(timeline) }
      transport = bus?.follow(timeline, late: latest)
    } else {
      transport = nil
    }
    mostTail = Int(tailSeconds * format.sampleRate)
    hold = Int(format.sampleRate / 2)
    isExact = speaks && mostTail == 0
  }

  /// Frames by which the parts come before their sum.
  var leadFrames: Int { late - partsLate }

  /// A line for each instrument that refused messages.
  package var refusals: [String] {
    parts.filter { $0.instrument.refusedMessages > 0 }.map { part in
      let name = parts.count > 1 ? part.label : "the instrument"
      return "\(name) refused \(part.instrument.refusedMessages) messages"
    }
  }

  /// Below this a tail has ended: −100 dBFS.
  private static let silence: Float = 1e-5

  /// Renders the next slice; false when the end has been reached.
  ///
  /// Frames that are early by latency are left out: neither closure is called for a slice that has nothing else.
  ///
  /// - Parameters:
  ///   - takePart: Gets the output of an instrument, by its place: a pointer a channel, and the number of frames.
  ///   - takeSum: Gets the output of the chain behind all.
  /// - Throws: A unit's error, `.software` for samples that are no finite numbers, and errors of the closures.
  package func step(
    part takePart: (Int, ChannelRows, Int) throws(AuricleError) -> Void = { _, _, _ in },
    sum takeSum: (ChannelRows, Int) throws(AuricleError) -> Void
  ) throws(AuricleError) -> Bool {
    guard place < end + late || (quiet < hold && place < end + late + mostTail) else {
      return false
    }
    let most = SongInstrument.sliceFrames
    let count = isExact ? min(most, end + late - place) : most
    var loudest: Float = 0
    for (index, part) in parts.enumerated() {
      let rows = try unsafe part.render(count, at: place)
      loudest = max(loudest, unsafe peak(rows, count))
      for channel in 0..<sum.channelCount {
        let total = unsafe sum.rows[channel]
        if index == 0 {
          unsafe total.update(from: rows[channel], count: count)
        } else {
          for frame in 0..<count { unsafe total[frame] += rows[channel][frame] }
        }
      }
      try unsafe pass(rows, count, skipping: partsLate) { (rows, count) throws(AuricleError) in
        try unsafe takePart(index, rows, count)
      }
    }
    let rows = try unsafe bus?.render(input: sum.rows, frameCount: count) ?? sum.rows
    for channel in 0..<sum.channelCount {
      guard unsafe SampleScan.firstNonFinite(rows[channel], count: count) < 0 else {
        throw AuricleError(
          .software, status: kAudioUnitErr_InvalidParameterValue,
          "the effects of the bus made a value that is not a finite number at frame \(place)")
      }
    }
    loudest = max(loudest, unsafe peak(rows, count))
    try unsafe pass(rows, count, skipping: late, to: takeSum)
    quiet = loudest < Self.silence ? quiet + count : 0
    place += count
    return true
  }

  /// The highest sample of a slice, linear.
  package func peak(_ rows: ChannelRows, _ count: Int) -> Float {
    var peak: Float = 0
    for channel in 0..<sum.channelCount {
      peak = max(peak, unsafe SampleScan.measure(rows[channel], count: count).0)
    }
    return peak
  }

  /// Hands on a slice without the frames that are latency.
  private func pass(
    _ rows: ChannelRows, _ count: Int, skipping late: Int,
    to consume: (ChannelRows, Int) throws(AuricleError) -> Void
  ) throws(AuricleError) {
    let skipped = min(count, max(0, late - place))
    guard skipped < count else { return }
    for channel in 0..<sum.channelCount { unsafe rows[channel] += skipped }
    defer { for channel in 0..<sum.channelCount { unsafe rows[channel] -= skipped } }
    try unsafe consume(rows, count - skipped)
  }
}

extension ChainSpecification {
  /// The same for a part of a band: the draws of one part do not follow another's values.
  func part(_ name: String) -> ChainSpecification {
    var format = self
    format.variant = variant?.part(name)
    return format
  }
}

extension VariantRequest {
  /// The variant of a part of a band.
  func part(_ name: String) -> VariantRequest {
    var request = VariantRequest(index: index, seed: seed, key: "\(key)\u{0}\(name)")
    request.sampleRate = sampleRate
    return request
  }
}
