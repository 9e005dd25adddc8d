// From the name of a device to an engine over its ports.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
package import CAudioToolbox

/// Opens devices by their names.
package enum DeviceOpening {
  /// The opened sides.
  package struct Sides: OptionSet, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }
    /// To the listener.
    package static let output = Sides(rawValue: 1)
    /// From the microphone.
    package static let input = Sides(rawValue: 2)
  }

  /// Opens the ports of a device.
  ///
  /// - Parameter continues: Whether frames are appended to the file, instead of replacing its
  ///   content.
  /// - Throws: `.usage` for a name without meaning, `.unavailable`, `.temporary`, `.noPermission`,
  ///   or the error of a file's reader.
  ///
  /// Context: control.
  package static func ports(
    _ name: String, _ sides: Sides, continues: Bool = false
  ) throws(AuricleError) -> (
    playback: (any PCMPort)?, capture: (any PCMPort)?, clock: any DeviceClock
  ) {
    try ports(DeviceName(name), sides, continues: continues)
  }

  private static func ports(
    _ name: DeviceName, _ sides: Sides, continues: Bool = false
  ) throws(AuricleError) -> (
    playback: (any PCMPort)?, capture: (any PCMPort)?, clock: any DeviceClock
  ) {
    switch name {
    case .alsa(let pcm):
      let playback =
        sides.contains(.output) ? try ALSAPort(name: pcm, direction: .playback) : nil
      let capture = sides.contains(.input) ? try ALSAPort(name: pcm, direction: .capture) : nil
      return (playback, capture, SystemClock())
    case .file(let device): return try ports(device, sides, continues)
    case .network(let device): return try ports(device, sides)
    }
  }

  /// The ports of another machine, by the clock of this one.
  private static func ports(
    _ device: NetworkDevice, _ sides: Sides
  ) throws(AuricleError) -> (
    playback: (any PCMPort)?, capture: (any PCMPort)?, clock: any DeviceClock
  ) {
    guard sides != [.output, .input] else {
      throw AuricleError(
        .usage,
        "\(device.title) either plays or records: name another device for the other side with "
          + "--input or --output")
    }
    let clock = SystemClock()
    let port: any PCMPort = VirtualPort(
      name: device.title, direction: sides == .output ? .playback : .capture, clock: clock,
      end: sides == .output ? NetworkSink(device) : NetworkSource(device))
    return sides == .output ? (port, nil, clock) : (nil, port, clock)
  }

  private static func ports(
    _ device: DeviceName.FileDevice, _ sides: Sides, _ continues: Bool
  ) throws(AuricleError) -> (
    playback: (any PCMPort)?, capture: (any PCMPort)?, clock: any DeviceClock
  ) {
    let clock: any DeviceClock = device.isFree ? VirtualClock() : SystemClock()
    var traits = VirtualPort.Traits()
    if let rate = try device.runningRate() { traits.sampleRates = rate...rate }
    if let channels = device.channelCount {
      traits.channelCounts = channels...channels
      traits.usualChannelCount = channels
    }
    if let period = device.periodFrames { traits.periods = period...period }
    var playback: (any PCMPort)?
    var capture: (any PCMPort)?
    // A device that is only recorded from may name its file without a word in front.
    var input = device.input
    if input.isEmpty, sides == .input { input = device.output }
    if sides.contains(.output) {
      guard !device.output.isEmpty else {
        throw AuricleError(.unavailable, "the device names no file to play into: file:OUT.wav")
      }
      playback = VirtualPort(
        name: "file:\(device.output)", direction: .playback, clock: clock, traits: traits,
        end: FileSink(path: device.output, format: device.format, continues: continues))
    }
    if sides.contains(.input) {
      guard !input.isEmpty else {
        throw AuricleError(.unavailable, "the device names no file to record from: file:,in=IN.wav")
      }
      capture = VirtualPort(
        name: "file:\(input)", direction: .capture, clock: clock, traits: traits,
        end: try FileSource(path: input))
    }
    return (playback, capture, clock)
  }

  /// Frames a second (Hz) of the file that a device is recorded from; nil for a card, and for a file that cannot be read.
  ///
  /// Context: control.
  package static func inputFileRate(_ name: String) -> Double? {
    guard case .file(let device)? = try? DeviceName(name), !device.input.isEmpty else { return nil }
    return try? FileSource(path: device.input).sampleRate
  }

  /// Opens a device and negotiates with it.
  ///
  /// Context: control.
  package static func engine(
    _ name: String, _ sides: Sides, _ request: PCMRequest, deviceID: AudioObjectID = 0,
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
    let (playing, recording) = (try DeviceName(output), try DeviceName(input))
    if case .alsa(let one) = playing, case .alsa(let other) = recording {
      let card = DeviceName.card(of: one)
      if card == nil || card != DeviceName.card(of: other) {
        return try AggregateOpening.engine(
          .pair(output: output, input: input), { $0.uid == output ? .output : .input }, request)
      }
    }
    if let ports = try networkPorts(playing, recording) {
      let engine = DeviceEngine(
        playback: ports.playback, capture: ports.capture, clock: ports.clock)
      try engine.configure(output: request)
      return engine
    }
    var played = playing
    // A file that is played into has the rate of the recorded one, where its name has none.
    if case .file(var device) = playing, case .file(var source) = recording {
      if source.input.isEmpty { source.input = source.output }
      device.input = device.input.isEmpty ? source.input : device.input
      played = .file(device)
    }
    let (playback, _, clock) = try ports(played, .output)
    let (_, capture, _) = try ports(recording, .input)
    let engine = DeviceEngine(playback: playback, capture: capture, clock: clock)
    try engine.configure(output: request)
    return engine
  }

  /// The ports of two devices of which one or both are other machines: these go by the other's clock. Nil for none.
  private static func networkPorts(
    _ playing: DeviceName, _ recording: DeviceName
  ) throws(AuricleError) -> (
    playback: any PCMPort, capture: any PCMPort, clock: any DeviceClock
  )? {
    if case .network(let device) = recording {
      let (playback, _, clock) = try ports(playing, .output)
      guard let playback else { return nil }
      let end = NetworkSource(device)
      return (playback, FollowingPort(name: device.title, direction: .capture, end: end), clock)
    }
    guard case .network(let device) = playing else { return nil }
    if case .file(let file) = recording, file.isFree {
      throw AuricleError(
        .usage, "sound goes to the network by the clock of the world: leave clock=free out")
    }
    let (_, capture, clock) = try ports(recording, .input)
    guard let capture else { return nil }
    let end = NetworkSink(device)
    return (FollowingPort(name: device.title, direction: .playback, end: end), capture, clock)
  }
}
