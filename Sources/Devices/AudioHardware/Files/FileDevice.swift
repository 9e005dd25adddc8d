// Files in place of a card: their names, with a clock and a format, and their ports.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes

/// A device whose sound goes into a file, comes from one, or both.
package struct FileDevice: DeviceBackend, Equatable {
  /// The clocks by their words in a name.
  package enum Clock: String, CaseIterable, Sendable {
    /// That of the world.
    case real
    /// One that never waits: the device runs as fast as it can.
    case free
    /// One that steps when every other thread of the program waits.
    case counted
  }

  /// The word in front of its names.
  package static let prefix: String? = "file:"
  /// The file that receives played frames; empty for none.
  package var output = ""
  /// The file that is recorded; empty for none.
  package var input = ""
  /// The clock that it runs by.
  package var clock = Clock.real
  /// The format of the output's samples.
  package var format = PCMFormat.float32Little
  /// Frames a second (Hz); nil for the requested rate.
  package var sampleRate: Double?
  /// Channels; nil for the requested number.
  package var channelCount: Int?
  /// Frames of a period; nil for the requested number.
  package var periodFrames: Int?

  /// No file yet, by the clock of the world.
  package init() {}

  /// Reads a name: `file:OUT.wav[,in=IN][,clock=real|free|counted][,format=…][,rate=…][,channels=…][,period=…]`.
  package init(_ text: String) throws(AuricleError) {
    let parts = text.dropFirst(5).split(separator: ",", omittingEmptySubsequences: false)
    output = String(parts.first ?? "")
    for part in parts.dropFirst() {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2 else { throw Self.wrong(String(part), text) }
      let value = String(pair[1])
      switch pair[0] {
      case "in": input = value
      case "out": output = value
      case "clock":
        guard let named = Clock(rawValue: value) else { throw Self.wrong(String(part), text) }
        clock = named
      case "format": format = try Self.sampleFormat(value, text)
      case "rate":
        guard let rate = Double(value), (1...768_000).contains(rate) else {
          throw Self.wrong(String(part), text)
        }
        sampleRate = rate
      case "channels": channelCount = try Self.number(value, 1...64, String(part), text)
      case "period": periodFrames = try Self.number(value, 8...65_536, String(part), text)
      default: throw Self.wrong(String(part), text)
      }
    }
    guard !output.isEmpty || !input.isEmpty else {
      throw AuricleError(
        .usage, "the device '\(text)' names no file: file:OUT.wav, or file:,in=IN.wav")
    }
  }

  private static func sampleFormat(_ value: String, _ text: String) throws(AuricleError)
    -> PCMFormat
  {
    switch value {
    case "s16", "pcm16": return .signed16Little
    case "s24", "pcm24": return .packed24Little
    case "s32", "pcm32": return .signed32Little
    case "float", "float32": return .float32Little
    default: throw wrong("format=\(value)", text)
    }
  }

  private static func number(
    _ value: String, _ range: ClosedRange<Int>, _ part: String, _ text: String
  ) throws(AuricleError) -> Int {
    guard let number = Int(value), range.contains(number) else { throw wrong(part, text) }
    return number
  }

  private static func wrong(_ part: String, _ text: String) -> AuricleError {
    AuricleError(
      .usage,
      "'\(part)' in the device '\(text)' means nothing: file:OUT.wav[,in=IN.wav][,clock=real|free|counted]"
        + "[,format=s16|s24|s32|float][,rate=HZ][,channels=N][,period=FRAMES]")
  }

  /// The rate (Hz) at which both sides run: as named, or that of the file that is recorded; nil for any.
  ///
  /// - Throws: `.badData` for two rates.
  ///
  /// Context: control.
  func runningRate() throws(AuricleError) -> Double? {
    // A file that cannot be read says so when it is recorded from.
    guard !input.isEmpty, let recorded = try? WaveReader(path: input).sampleRate else {
      return sampleRate
    }
    guard let sampleRate, sampleRate != recorded else { return recorded }
    throw AuricleError(
      .badData,
      "\(input) has \(Int(recorded)) Hz and the device's option says rate=\(Int(sampleRate)): "
        + "leave rate= out, or record a file of that rate")
  }
}

extension FileDevice {
  /// Whether it goes by the clock of the world.
  package var isRealTime: Bool { clock == .real }

  /// The word in lists.
  package var kind: String { "file" }
  /// A name that says what it replaces.
  package var title: String { "Files in place of a card" }
  /// Those for which it names a file.
  package var sides: DeviceSides {
    var sides: DeviceSides = []
    if !output.isEmpty { sides.insert(.output) }
    if !input.isEmpty { sides.insert(.input) }
    return sides
  }

  /// Frames a second (Hz) of the file that is recorded; nil for none, and for one that cannot be read.
  package var recordedRate: Double? {
    input.isEmpty ? nil : try? WaveReader(path: input).sampleRate
  }

  /// The device with the rate of the recorded file, where its own name has none.
  package func playing(beside recorded: any DeviceBackend) -> any DeviceBackend {
    guard let recorded = recorded as? FileDevice else { return self }
    var device = self
    if device.input.isEmpty {
      device.input = recorded.input.isEmpty ? recorded.output : recorded.input
    }
    return device
  }

  /// Opens its files.
  package func ports(
    _ sides: DeviceSides, continues: Bool
  ) throws(AuricleError) -> DevicePorts {
    let clock: any DeviceClock =
      switch self.clock {
      case .real: SystemClock()
      case .free: VirtualClock()
      case .counted: CountedClock()
      }
    var traits = VirtualPort.Traits()
    if let rate = try runningRate() { traits.sampleRates = rate...rate }
    if let channels = channelCount {
      traits.channelCounts = channels...channels
      traits.usualChannelCount = channels
    }
    if let period = periodFrames { traits.periods = period...period }
    var playback: (any PCMPort)?
    var capture: (any PCMPort)?
    // A device that is only recorded from may name its file without a word in front.
    let input = self.input.isEmpty && sides == .input ? output : self.input
    if sides.contains(.output) {
      guard !output.isEmpty else {
        throw AuricleError(.unavailable, "the device names no file to play into: file:OUT.wav")
      }
      playback = VirtualPort(
        name: "file:\(output)", direction: .playback, clock: clock, traits: traits,
        end: FileSink(path: output, format: format, continues: continues))
    }
    if sides.contains(.input) {
      guard !input.isEmpty else {
        throw AuricleError(
          .unavailable,
          "the device file:\(output) names no file to record from: add one, as in "
            + "file:\(output),in=IN.wav")
      }
      capture = VirtualPort(
        name: "file:\(input)", direction: .capture, clock: clock, traits: traits,
        end: try FileSource(path: input))
    }
    return (playback, capture, clock)
  }

  /// The abilities by its name, and by the file that is recorded.
  package func probe(_ direction: PCMDirection) throws(AuricleError) -> DeviceProbe {
    let traits = VirtualPort.Traits()
    var request = PCMRequest()
    let running = try runningRate()
    if let running { request.sampleRate = running }
    if let period = periodFrames { request.periodFrames = period }
    var channels = channelCount.map { $0...$0 } ?? traits.channelCounts
    var rates = running.map { [$0] } ?? DeviceProbe.usualRates
    var made = PCMConfiguration(
      format: format, isPlanar: false, channelCount: channelCount ?? 2,
      sampleRate: request.sampleRate, periodFrames: request.periodFrames,
      bufferFrames: request.periodFrames * request.periodCount)
    if direction == .capture {
      let source = try FileSource(path: input.isEmpty ? output : input)
      made.channelCount = source.channelCount ?? 2
      made.sampleRate = source.sampleRate ?? 48_000
      made.format = source.format ?? .native
      channels = made.channelCount...made.channelCount
      rates = [made.sampleRate]
    }
    return DeviceProbe(
      channelCounts: channels, sampleRates: rates,
      rateRange: rates.count > 1 ? traits.sampleRates : nil, formats: [made.format],
      periods: periodFrames.map { $0...$0 } ?? traits.periods, latencyFrames: made.bufferFrames,
      usual: made)
  }
}
