// The loudspeakers of a signal, and the substitutes of one that is missing.
// SPDX-License-Identifier: Apache-2.0

/// The loudspeakers of the channels of a signal.
struct Loudspeakers {
  /// One for each channel, by the numbers of `ChannelOrder`; empty where nobody knows.
  let map: [Int32]
  private let count: Int

  /// Left and right.
  static let stereo = [ChannelOrder.left, ChannelOrder.right]
  /// The gain from a loudspeaker beside the middle, behind or below to others: 3 dB less.
  private static let half: Float = 0.707_106_77

  /// The loudspeakers of a map, or the usual ones for so many channels.
  init(_ count: Int, _ places: [Int32]) {
    self.count = count
    let known = places.count == count ? places.map(Self.plain) : []
    map =
      Self.stereo.allSatisfy(known.contains)
      ? known : count == 2 ? Self.stereo : ChannelOrder.usualMap(count)
  }

  /// The mixture in words.
  var manner: String {
    map.isEmpty || map.contains { Self.substitutes[$0] == nil && !Self.stereo.contains($0) }
      ? "odd ones left, even ones right" : "ITU-R BS.775"
  }

  /// The parts of each of some loudspeakers, left and right among them.
  func routed(to targets: [Int32]) -> [[ChannelMix.Part]] {
    var outputs = [[ChannelMix.Part]](repeating: [], count: targets.count)
    for input in 0..<count {
      let speaker = map.isEmpty ? ChannelOrder.unknown : map[input]
      for (target, gain) in ways(speaker, input, among: targets) {
        guard let output = targets.firstIndex(of: target) else { continue }
        outputs[output].append(ChannelMix.Part(input: input, gain: gain))
      }
    }
    return outputs
  }

  /// Returns the target channels of a loudspeaker's sound, with gains.
  private func ways(
    _ speaker: Int32, _ input: Int, among targets: [Int32]
  ) -> [(target: Int32, gain: Float)] {
    if targets.contains(speaker) { return [(speaker, 1)] }
    guard let choices = Self.substitutes[speaker] else {
      // An unknown place: the odd ones left, the even ones right.
      return [(Self.stereo[input % 2], 1)]
    }
    guard let choice = choices.first(where: { $0.allSatisfy(targets.contains) }) else { return [] }
    // A pair behind replaces a pair at the sides, and the other way round.
    let isMoved =
      choice.count == 1 && !map.contains(choice[0]) && choice[0] != ChannelOrder.rear
    return choice.map { ($0, isMoved ? 1 : Self.half) }
  }

  /// Substitutes of a missing loudspeaker: the first list whose loudspeakers all exist.
  private static let substitutes: [Int32: [[Int32]]] = {
    typealias Order = ChannelOrder
    return [
      Order.center: [[Order.left, Order.right]],
      Order.low: [],
      Order.sideLeft: [[Order.rearLeft], [Order.rear], [Order.left]],
      Order.sideRight: [[Order.rearRight], [Order.rear], [Order.right]],
      Order.rearLeft: [[Order.sideLeft], [Order.rear], [Order.left]],
      Order.rearRight: [[Order.sideRight], [Order.rear], [Order.right]],
      Order.rear: [
        [Order.rearLeft, Order.rearRight], [Order.sideLeft, Order.sideRight], Self.stereo,
      ],
    ]
  }()

  /// One number for each loudspeaker of which there are several names.
  private static func plain(_ speaker: Int32) -> Int32 {
    switch speaker {
    case ChannelOrder.frontLeft: ChannelOrder.left
    case ChannelOrder.frontRight: ChannelOrder.right
    case ChannelOrder.mono, ChannelOrder.frontCenter: ChannelOrder.center
    default: speaker
    }
  }
}
