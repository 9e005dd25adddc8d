// The mapping of a chain's channels to a unit's: instances, their inputs, and the sources of the output.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox

/// The source of an input channel of a unit.
enum InputTap: Equatable {
  /// A channel of the chain.
  case channel(Int)
  /// The mean of all channels of the chain.
  case mean
  /// Nothing.
  case silence
}

/// The instances of a stage and their wiring. The chain keeps its channel count.
struct ChannelPlan: Equatable {
  /// Channels into and out of every instance.
  var inputs: Int
  var outputs: Int
  /// The source of each input channel, for each instance.
  var taps: [[InputTap]]
  /// For each channel of the chain, the (instance, output channel) pairs whose mean it becomes;
  /// empty when the channel passes by the unit.
  var sources: [[Source]]
  /// One sentence when the channels had to be adapted.
  var note: String?

  /// Most sources that one channel has.
  static let mostSources = 2

  struct Source: Equatable {
    var instance: Int
    var channel: Int
  }

  /// Plans a stage.
  ///
  /// - Parameters:
  ///   - count: Channels of the chain, at least 1.
  ///   - shapes: Pairs of channels in and out that the unit names; more are tried.
  ///   - supports: Whether the unit can do so many channels in and out.
  /// - Returns: nil when the unit cannot be used with any adaptation.
  static func make(
    _ count: Int, shapes: [(Int, Int)] = [], supports: (Int, Int) -> Bool
  ) -> ChannelPlan? {
    if supports(count, count) { return grouped(count, by: count, note: nil) }
    if supports(1, 1) {
      return grouped(count, by: 1, note: "takes mono only: \(count) instances, one a channel")
    }
    if count == 1 {
      return mono(shapes, supports)
    }
    if supports(2, 2), count > 2 {
      let pairs = (count + 1) / 2
      return grouped(count, by: 2, note: "takes stereo only: \(pairs) instances, one a pair")
    }
    return anyShape(count, shapes, supports)
  }

  /// Plans a stage of a unit that is open.
  ///
  /// - Throws: That the unit cannot be used with any adaptation.
  static func make(_ count: Int, for unit: AudioUnit) throws(AuricleError) -> ChannelPlan {
    let shapes = (unit.channelCapabilities ?? []).filter {
      $0.inChannels >= 0 && $0.outChannels >= 0
    }
    let plan = make(
      count, shapes: shapes.map { (Int($0.inChannels), Int($0.outChannels)) },
      supports: { unit.supports(inputChannels: $0, outputChannels: $1) })
    if let plan { return plan }
    throw AuricleError(
      .unavailable, status: kAudioUnitErr_FormatNotSupported,
      "the unit works with no number of channels that can be made from \(count)")
  }

  /// Whether one instance has every channel as its own, in and out.
  var isOneToOne: Bool {
    taps.count == 1 && inputs == sources.count && outputs == inputs
      && taps[0] == (0..<inputs).map { .channel($0) }
      && sources == (0..<inputs).map { [Source(instance: 0, channel: $0)] }
  }

  /// Groups of `size` channels, an instance each; a short last group repeats its channels.
  private static func grouped(_ count: Int, by size: Int, note: String?) -> ChannelPlan {
    let instances = (count + size - 1) / size
    let taps = (0..<instances).map { instance in
      (0..<size).map { InputTap.channel(min(instance * size + $0, count - 1)) }
    }
    let sources = (0..<count).map { [Source(instance: $0 / size, channel: $0 % size)] }
    return ChannelPlan(inputs: size, outputs: size, taps: taps, sources: sources, note: note)
  }

  /// A mono chain through a unit without a mono form.
  private static func mono(
    _ shapes: [(Int, Int)], _ supports: (Int, Int) -> Bool
  ) -> ChannelPlan? {
    if supports(2, 2) {
      return ChannelPlan(
        inputs: 2, outputs: 2, taps: [[.channel(0), .channel(0)]],
        sources: [[Source(instance: 0, channel: 0), Source(instance: 0, channel: 1)]],
        note: "takes stereo only: the mono signal is on both inputs, its outputs are averaged")
    }
    if supports(1, 2) {
      return ChannelPlan(
        inputs: 1, outputs: 2, taps: [[.channel(0)]],
        sources: [[Source(instance: 0, channel: 0), Source(instance: 0, channel: 1)]],
        note: "makes stereo of mono: its outputs are averaged")
    }
    return anyShape(1, shapes, supports)
  }

  /// The shape of the unit that is nearest to the chain, with its channels matched by number.
  private static func anyShape(
    _ count: Int, _ named: [(Int, Int)], _ supports: (Int, Int) -> Bool
  ) -> ChannelPlan? {
    // Shapes nearest to the chain first: as many outputs, then as many inputs.
    let shapes = (named + (0...16).flatMap { inputs in (0...16).map { (inputs, $0) } })
      .filter { $0 != (0, 0) && supports($0.0, $0.1) }
    func distance(_ shape: (Int, Int)) -> Int {
      abs(shape.1 - count) * 2 + abs(shape.0 - count) + (shape.1 == 0 ? 1000 : 0)
        + (shape.0 == 0 ? 500 : 0)
    }
    guard let shape = shapes.min(by: { distance($0) < distance($1) }) else { return nil }
    let (inputs, outputs) = shape
    let taps: [InputTap] =
      if inputs == 1, count > 1 { [.mean] } else if count == 1 {
        (0..<inputs).map { $0 < 2 ? .channel(0) : .silence }
      } else {
        (0..<inputs).map { $0 < count ? .channel($0) : .silence }
      }
    let sources: [[Source]] = (0..<count).map { channel in
      if outputs == 0 { return [] }
      if count == 1 { return (0..<min(outputs, 2)).map { Source(instance: 0, channel: $0) } }
      return [Source(instance: 0, channel: channel % outputs)]
    }
    return ChannelPlan(
      inputs: inputs, outputs: outputs, taps: [taps], sources: sources,
      note: anyShapeNote(count, inputs, outputs))
  }

  /// The sentence that says how an unusual shape was met.
  private static func anyShapeNote(_ count: Int, _ inputs: Int, _ outputs: Int) -> String {
    var sentences: [String] = []
    if inputs == 0 {
      sentences.append("has no audio input: the input is ignored")
    } else if inputs == 1, count > 1 {
      sentences.append("takes mono only: its input is the mean of the channels")
    } else if count == 1, inputs > 1 {
      sentences.append("takes \(inputs) channels: the first 2 get the mono signal")
    } else if inputs > count {
      sentences.append("takes \(inputs) channels: those from \(count + 1) up get silence")
    } else if inputs < count {
      sentences.append("takes \(inputs) channels: it gets the first \(inputs)")
    }
    if outputs == 0 {
      sentences.append("has no audio output: the signal passes by")
    } else if count == 1, outputs > 1 {
      sentences.append("its first 2 outputs are averaged")
    } else if outputs > count {
      sentences.append("of its \(outputs) outputs the first \(count) are kept")
    } else if outputs < count {
      sentences.append("its outputs are repeated over the \(count) channels")
    }
    return sentences.joined(separator: "; ")
  }
}
