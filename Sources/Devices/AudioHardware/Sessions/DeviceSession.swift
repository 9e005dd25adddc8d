// A device with its thread while a file is played or recorded, and its errors as sentences.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import Glibc

/// An opened device and its thread.
package final class DeviceSession {
  /// The device as it runs.
  package let engine: DeviceEngine
  /// Its name.
  package let name: String
  private let thread: DeviceThread
  /// Whether its thread was started.
  package private(set) var hasStarted = false

  /// Opens a device by its name.
  package init(
    _ name: String?, _ sides: DeviceSides, _ request: PCMRequest
  ) throws(AuricleError) {
    let name = name ?? DeviceListing.defaultName
    self.name = name
    engine = try DeviceOpening.engine(name, sides, request)
    thread = DeviceThread(engine)
  }

  /// Opens a device to play on, and one to record from.
  package init(output: String, input: String, _ request: PCMRequest) throws(AuricleError) {
    name = output == input ? output : "\(input) to \(output)"
    engine = try DeviceOpening.engine(output: output, input: input, request)
    thread = DeviceThread(engine)
  }

  /// The format of the side that is used.
  package var configuration: PCMConfiguration? { engine.output ?? engine.input }

  /// The device in a line.
  package var text: String {
    guard let made = configuration else { return name }
    return "\(name), \(Int(made.sampleRate)) Hz, \(made.channelCount) ch, \(made.format.rawValue), "
      + "\(made.bufferFrames) frames"
  }

  /// Closes and refuses the device if it does not run at the requested rate (Hz).
  package func require(sampleRate wanted: Double?) throws(AuricleError) {
    guard let wanted, wanted != engine.sampleRate else { return }
    engine.end()
    throw AuricleError(
      .badData,
      "\(name) does not run at \(Int(wanted)) Hz; the nearest is \(Int(engine.sampleRate)) Hz")
  }

  /// Starts the thread, unless it was, and waits a moment for its priority.
  package func startOnce() throws(AuricleError) {
    guard !hasStarted else { return }
    try thread.start()
    hasStarted = true
    guard engine.isRealTime else { return }
    thread.waitForPriority()
  }

  /// Whether the thread has come to its end by itself.
  package var isOver: Bool { thread.isOver }

  /// Stops and waits; why it ended.
  package func stop() -> EngineEnd {
    guard hasStarted else {
      engine.end()
      return .stopped
    }
    return thread.stop()
  }

  /// The warning about a thread without realtime priority; nil where it has one, or needs none.
  package var warning: String? {
    engine.isRealTime && thread.priority == .normal ? RealtimePriority.warning : nil
  }

  /// Waits until the device can be opened again; false when it was asked to stop.
  package static func waitForDevice(
    _ name: String?, _ sides: DeviceSides, _ request: PCMRequest, shouldStop: () -> Bool
  ) -> DeviceSession? {
    while !shouldStop() {
      if let session = try? DeviceSession(name, sides, request) { return session }
      // A device that can be opened again posts nothing.
      usleep(250_000)
    }
    return nil
  }

  /// The failure that an end is to a user; nil for an end as it should be.
  package func failure(_ end: EngineEnd, _ what: String) -> AuricleError? {
    switch end {
    case .stopped, .finished, .inputEnded: nil
    case .lost:
      AuricleError(
        .inputOutput,
        "\(name) is gone, or does not answer any more: \(what); plug it in again, or give --wait",
        cause: .errno(ENODEV))
    case .failed(let number):
      AuricleError(
        .inputOutput, "\(name) failed (\(unsafe String(cString: strerror(number)))): \(what)",
        cause: .errno(number))
    }
  }
}

extension EngineStatistics {
  /// A line on the times when sound ran out; nil without any.
  package var overrunNote: String? {
    guard overruns > 0 else { return nil }
    var parts: [String] = []
    if lateWakes > 0 { parts.append("\(lateWakes) by a late wake") }
    if longRenders > 0 { parts.append("\(longRenders) by a long render") }
    if otherOverruns > 0 { parts.append("\(otherOverruns) otherwise") }
    return
      "sound ran out \(overruns) \(overruns == 1 ? "time" : "times"): \(parts.joined(separator: ", "))"
  }
}
