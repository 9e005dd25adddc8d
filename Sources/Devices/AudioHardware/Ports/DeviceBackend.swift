// Kinds of devices: each reads its names, opens their ports, and knows their abilities.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes

/// The ports of a device, nil for a side that is not opened, and the clock by which they go.
package typealias DevicePorts = (
  playback: (any PCMPort)?, capture: (any PCMPort)?, clock: any DeviceClock
)

/// Sides of a device.
package struct DeviceSides: OptionSet, Sendable {
  package let rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }
  /// To the listener.
  package static let output = DeviceSides(rawValue: 1)
  /// From the microphone.
  package static let input = DeviceSides(rawValue: 2)
}

/// A device as its name describes it. Each kind of devices is a type: cards of ALSA, files, other machines.
///
/// A further kind, as JACK, is a type that conforms, and an entry of `DeviceKinds.prefixed`.
package protocol DeviceBackend: Sendable {
  /// The word in front of its names, with the colon; nil for the kind that has all other names.
  static var prefix: String? { get }

  /// Reads a name.
  ///
  /// - Throws: `.usage` for a word that means nothing.
  init(_ name: String) throws(AuricleError)

  /// Opens the ports of its sides.
  ///
  /// - Parameter continues: Whether frames are appended to a file, instead of replacing its content.
  ///
  /// Context: control.
  func ports(
    _ sides: DeviceSides, continues: Bool
  ) throws(AuricleError) -> DevicePorts

  /// Finds out the abilities of a direction.
  ///
  /// Context: control; a sound server may need a second to answer.
  func probe(_ direction: PCMDirection) throws(AuricleError) -> DeviceProbe

  /// The kind in lists, as `file`.
  var kind: String { get }

  /// The name for people.
  var title: String { get }

  /// The sides that it has.
  var sides: DeviceSides { get }

  /// Whether one clock drives it and another device; two devices with two clocks become an aggregate.
  func sharesClock(with other: any DeviceBackend) -> Bool

  /// Makes a port that goes by the clock of another device; nil where it has a clock.
  func follower(
    _ direction: PCMDirection, of leader: any DeviceBackend
  ) throws(AuricleError) -> (any PCMPort)?

  /// The device that plays beside one that is recorded, whose properties it may adopt.
  func playing(beside recorded: any DeviceBackend) -> any DeviceBackend

  /// Whether its seconds are those of the world; false where clients may keep it waiting.
  var isRealTime: Bool { get }

  /// The control device of ALSA that has its levels; nil for none.
  var mixerControl: String? { get }
}

extension DeviceBackend {
  package var sides: DeviceSides { [.output, .input] }
  package func sharesClock(with other: any DeviceBackend) -> Bool { true }
  package func follower(
    _ direction: PCMDirection, of leader: any DeviceBackend
  ) throws(AuricleError) -> (any PCMPort)? { nil }
  package func playing(beside recorded: any DeviceBackend) -> any DeviceBackend { self }
  package var isRealTime: Bool { true }
  package var mixerControl: String? { nil }
}
