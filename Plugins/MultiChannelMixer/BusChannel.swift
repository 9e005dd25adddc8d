// The channels of a side of a mixer, counted over all its buses.
// SPDX-License-Identifier: Apache-2.0

/// A channel of a bus.
struct BusChannel: BitwiseCopyable {
  let bus: Int
  let channel: Int

  /// The channels of buses, in order.
  static func all(_ counts: [Int]) -> [BusChannel] {
    counts.enumerated().flatMap { bus, count in
      (0..<count).map { BusChannel(bus: bus, channel: $0) }
    }
  }
}
