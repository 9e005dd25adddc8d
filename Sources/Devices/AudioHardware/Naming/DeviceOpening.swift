// From the name of a device to an engine over its ports.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
package import CAudioToolbox

/// Opens devices by their names.
package enum DeviceOpening {
  /// Opens the ports of a device.
  ///
  /// - Parameter continues: Whether frames are appended to the file, instead of replacing its
  ///   content.
  /// - Throws: `.usage` for a name without meaning, `.unavailable`, `.temporary`, `.noPermission`,
  ///   or the error of a file's reader.
  ///
  /// Context: control.
  package static func ports(
    _ name: String, _ sides: DeviceSides, continues: Bool = false
  ) throws(AuricleError) -> DevicePorts {
    try DeviceKinds.device(named: name).ports(sides, continues: continues)
  }

  /// Opens a device and negotiates with it.
  ///
  /// Context: control.
  package static func engine(
    _ name: String, _ sides: DeviceSides, _ request: PCMRequest, deviceID: AudioObjectID = 0,
    clients: IOClients = IOClients(), continues: Bool = false
  ) throws(AuricleError) -> DeviceEngine {
    let (playback, capture, clock) = try ports(name, sides, continues: continues)
    let engine = DeviceEngine(
      playback: playback, capture: capture, clock: clock, deviceID: deviceID, clients: clients)
    try engine.configure(output: request)
    return engine
  }

  /// Opens one device to play on and another name of it, or another device, to record from, and negotiates.
  ///
  /// Two devices have two clocks: they become an aggregate, in which the one that plays is the clock.
  ///
  /// - Throws: As `ports`.
  ///
  /// Context: control.
  package static func engine(
    output: String, input: String, _ request: PCMRequest
  ) throws(AuricleError) -> DeviceEngine {
    if output == input { return try engine(output, [.input, .output], request) }
    let playing = try DeviceKinds.device(named: output)
    let recording = try DeviceKinds.device(named: input)
    guard playing.sharesClock(with: recording) else {
      return try AggregateOpening.engine(
        .pair(output: output, input: input), { $0.uid == output ? .output : .input }, request)
    }
    let (playback, capture, clock) = try ports(playing, recording)
    let engine = DeviceEngine(playback: playback, capture: capture, clock: clock)
    try engine.configure(output: request)
    return engine
  }

  /// The ports of two devices: one without a clock goes by the other's.
  private static func ports(
    _ playing: any DeviceBackend, _ recording: any DeviceBackend
  ) throws(AuricleError) -> DevicePorts {
    if let capture = try recording.follower(.capture, of: playing) {
      let (playback, _, clock) = try playing.ports(.output, continues: false)
      return (playback, capture, clock)
    }
    if let playback = try playing.follower(.playback, of: recording) {
      let (_, capture, clock) = try recording.ports(.input, continues: false)
      return (playback, capture, clock)
    }
    let (playback, _, _) = try playing.playing(beside: recording).ports(.output, continues: false)
    let (_, capture, clock) = try recording.ports(.input, continues: false)
    return (playback, capture, clock)
  }
}
