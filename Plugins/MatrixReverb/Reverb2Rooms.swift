// The rooms of the second reverb, as factory presets and as room types.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK

/// A named set of delays and decay times; the mix and the gain are not a part of a room.
struct Reverb2Rooms: Sendable {
  /// Name shown to a person.
  let name: String
  private let delays: (least: Float, greatest: Float)
  private let decays: (low: Float, high: Float)

  /// The rooms in the order of the `kReverbRoomType_…` numbers.
  static let all: [Reverb2Rooms] = [
    Reverb2Rooms("Small Room", 0.0035, 0.014, 0.5, 0.25),
    Reverb2Rooms("Medium Room", 0.005, 0.022, 0.8, 0.4),
    Reverb2Rooms("Large Room", 0.008, 0.035, 1.2, 0.55),
    Reverb2Rooms("Medium Hall", 0.012, 0.055, 1.9, 0.8),
    Reverb2Rooms("Large Hall", 0.016, 0.08, 2.9, 1.1),
    Reverb2Rooms("Plate", 0.003, 0.03, 2.3, 2),
    Reverb2Rooms("Medium Chamber", 0.006, 0.04, 1.4, 0.8),
    Reverb2Rooms("Large Chamber", 0.008, 0.055, 2.1, 1.2),
    Reverb2Rooms("Cathedral", 0.022, 0.13, 6.5, 1.9),
    Reverb2Rooms("Large Room 2", 0.009, 0.04, 1.4, 0.4),
    Reverb2Rooms("Medium Hall 2", 0.013, 0.06, 1.7, 0.9),
    Reverb2Rooms("Medium Hall 3", 0.01, 0.05, 2.3, 0.7),
    Reverb2Rooms("Large Hall 2", 0.018, 0.095, 3.7, 1.8),
  ]

  private init(_ name: String, _ least: Float, _ greatest: Float, _ low: Float, _ high: Float) {
    self.name = name
    delays = (least, greatest)
    decays = (low, high)
  }

  static var presets: [Preset<Reverb2.Parameters>] {
    all.map { room in Preset(room.name) { room.apply(to: $0) } }
  }

  /// Puts the room in force. Context: control.
  func apply(to parameters: Reverb2.Parameters) {
    parameters.leastDelay = delays.least
    parameters.greatestDelay = delays.greatest
    parameters.lowDecay = decays.low
    parameters.highDecay = decays.high
  }

  /// Returns the number of the room nearest to the settings. Context: control.
  static func nearest(to parameters: Reverb2.Parameters) -> UInt32 {
    func distance(_ room: Reverb2Rooms) -> Float {
      let pairs = [
        (room.delays.least, parameters.leastDelay),
        (room.delays.greatest, parameters.greatestDelay), (room.decays.low, parameters.lowDecay),
        (room.decays.high, parameters.highDecay),
      ]
      return pairs.reduce(0) { sum, pair in
        let ratio = RealtimeMath.log(pair.0 / pair.1)
        return sum + ratio * ratio
      }
    }
    let places = all.indices.min { distance(all[$0]) < distance(all[$1]) }
    return UInt32(places ?? 0)
  }
}
