// Names of devices: an ALSA PCM, a file with its clock and its format, or another machine.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes

/// The meaning of a device's name.
package enum DeviceName: Sendable, Equatable {
  /// A PCM of ALSA.
  case alsa(String)
  /// Files in place of a card.
  case file(FileDevice)
  /// Another machine in place of a card.
  case network(NetworkDevice)

  /// A device whose sound goes into a file, comes from one, or both.
  package struct FileDevice: Sendable, Equatable {
    /// The file that receives played frames; empty for none.
    package var output = ""
    /// The file that is recorded; empty for none.
    package var input = ""
    /// Whether it runs as fast as it can, instead of by the clock of the world.
    package var isFree = false
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

  /// Reads a name: `hw:1,0`, `net:HOST`, or `file:OUT.wav[,in=IN][,clock=free|real][,format=…][,rate=…][,channels=…][,period=…]`.
  ///
  /// - Throws: `.usage` for a word that means nothing.
  package init(_ text: String) throws(AuricleError) {
    if text.hasPrefix("net:") {
      self = .network(try NetworkDevice(text))
      return
    }
    guard text.hasPrefix("file:") else {
      guard !text.isEmpty else { throw AuricleError(.usage, "the name of the device is empty") }
      self = .alsa(text)
      return
    }
    var device = FileDevice()
    let parts = text.dropFirst(5).split(separator: ",", omittingEmptySubsequences: false)
    device.output = String(parts.first ?? "")
    for part in parts.dropFirst() {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2 else { throw Self.wrong(String(part), text) }
      let value = String(pair[1])
      switch pair[0] {
      case "in": device.input = value
      case "out": device.output = value
      case "clock" where value == "free" || value == "real": device.isFree = value == "free"
      case "format": device.format = try Self.format(value, text)
      case "rate":
        guard let rate = Double(value), (1...768_000).contains(rate) else {
          throw Self.wrong(String(part), text)
        }
        device.sampleRate = rate
      case "channels": device.channelCount = try Self.number(value, 1...64, String(part), text)
      case "period": device.periodFrames = try Self.number(value, 8...65_536, String(part), text)
      default: throw Self.wrong(String(part), text)
      }
    }
    guard !device.output.isEmpty || !device.input.isEmpty else {
      throw AuricleError(
        .usage, "the device '\(text)' names no file: file:OUT.wav, or file:,in=IN.wav")
    }
    self = .file(device)
  }

  /// The card that a PCM of ALSA is of: `1` for `hw:1,0`, `PCH` for `plughw:CARD=PCH,DEV=0`; nil for one of another kind.
  package static func card(of pcm: String) -> Substring? {
    let parts = pcm.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, ["hw", "plughw"].contains(parts[0]) else { return nil }
    let first = parts[1].prefix { $0 != "," }
    return first.hasPrefix("CARD=") ? first.dropFirst(5) : first
  }

  /// The control device beside a PCM of ALSA: that of its card, or the one of the same name.
  package static func control(of pcm: String) -> String {
    if let card = card(of: pcm) { return "hw:\(card)" }
    guard let range = pcm.firstRange(of: "CARD=") else { return pcm }
    return "hw:\(pcm[range.upperBound...].prefix { $0 != "," })"
  }

  private static func format(_ value: String, _ text: String) throws(AuricleError) -> PCMFormat {
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
      "'\(part)' in the device '\(text)' means nothing: file:OUT.wav[,in=IN.wav][,clock=free|real]"
        + "[,format=s16|s24|s32|float][,rate=HZ][,channels=N][,period=FRAMES]")
  }
}
