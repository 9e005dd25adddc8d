// The rooms that the reverb offers as factory presets and as room types.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import CAudioToolbox
import RealtimeSupport

/// A named set of parameter values; the dry/wet mix is not a part of a room.
struct Room: Sendable {
  /// Name shown to a person.
  let name: String
  /// Values of parameters 1 to 13, in the order of their ids.
  private let settings: [Float]

  /// Values by parameter id.
  var values: [AudioUnitParameterID: Float] {
    var values: [AudioUnitParameterID: Float] = [:]
    for (index, value) in settings.enumerated() { values[UInt32(index + 1)] = value }
    return values
  }

  /// The rooms in the order of the `kReverbRoomType_…` numbers.
  static let all: [Room] = [
    // mix, small size, large size, pre-delay, large delay, densities small and large, large range,
    // brightness small and large, small range, modulation rate and depth
    Room("Small Room", 30, 0.007, 0.45, 0.002, 0.006, 0.6, 0.8, 0.3, 0.7, 0.4, 0.5, 0.8, 0.15),
    Room("Medium Room", 40, 0.01, 0.7, 0.004, 0.01, 0.5, 0.8, 0.35, 0.75, 0.45, 0.5, 0.8, 0.15),
    Room("Large Room", 50, 0.014, 1.1, 0.008, 0.016, 0.45, 0.8, 0.4, 0.75, 0.45, 0.55, 0.8, 0.2),
    Room("Medium Hall", 60, 0.016, 1.8, 0.015, 0.025, 0.4, 0.85, 0.4, 0.8, 0.42, 0.6, 0.7, 0.2),
    Room("Large Hall", 65, 0.02, 2.8, 0.022, 0.035, 0.35, 0.85, 0.5, 0.8, 0.38, 0.65, 0.6, 0.25),
    Room("Plate", 80, 0.008, 2.2, 0.001, 0.001, 0.9, 1, 0.25, 1, 0.85, 0.4, 1.2, 0.3),
    Room("Medium Chamber", 55, 0.012, 1.3, 0.006, 0.012, 0.7, 0.9, 0.3, 0.9, 0.55, 0.5, 0.8, 0.2),
    Room("Large Chamber", 60, 0.016, 2, 0.01, 0.018, 0.65, 0.9, 0.35, 0.9, 0.55, 0.55, 0.8, 0.2),
    Room("Cathedral", 75, 0.02, 6.5, 0.03, 0.06, 0.3, 0.9, 0.7, 0.7, 0.3, 0.8, 0.5, 0.3),
    Room("Large Room 2", 45, 0.015, 1.3, 0.01, 0.02, 0.35, 0.7, 0.5, 0.6, 0.3, 0.6, 0.7, 0.2),
    Room("Medium Hall 2", 55, 0.018, 1.6, 0.018, 0.03, 0.3, 0.8, 0.5, 0.9, 0.55, 0.6, 0.7, 0.2),
    Room("Medium Hall 3", 65, 0.016, 2.2, 0.012, 0.02, 0.5, 0.9, 0.35, 0.7, 0.3, 0.5, 0.6, 0.25),
    Room("Large Hall 2", 70, 0.02, 3.6, 0.026, 0.045, 0.35, 0.85, 0.6, 0.9, 0.5, 0.7, 0.5, 0.3),
  ]

  private init(_ name: String, _ settings: Float...) {
    self.name = name
    self.settings = settings
  }

  /// Puts a room in force; the mix stays. Context: control.
  static func select(_ number: UInt32, for instance: UnitInstance) -> OSStatus {
    guard number < all.count else { return kAudioUnitErr_InvalidPropertyValue }
    for (index, value) in all[Int(number)].settings.enumerated() {
      instance.values.setValue(value, at: index + 1)
    }
    return 0
  }

  /// The number of the room whose values are in force, or else of the one most like them.
  /// Context: control.
  static func nearest(to instance: UnitInstance) -> UInt32 {
    var best: (number: Int, distance: Float) = (0, .infinity)
    for (number, room) in all.enumerated() {
      var distance: Float = 0
      for (index, value) in room.settings.enumerated() {
        let parameter = instance.definition.parameters[index + 1]
        let part =
          (instance.values.value(at: index + 1) - value) / (parameter.maximum - parameter.minimum)
        distance += part * part
      }
      if distance < best.distance { best = (number, distance) }
    }
    return UInt32(best.number)
  }
}
