// The request of a chain between an input and an output.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
public import AuricleHost
public import DeviceSound

/// The units of a chain that share a process beside the one that renders.
public enum LiveIsolation: String, Sendable, CaseIterable {
  /// All that are not ours share one, until one of them ends it.
  case chain
  /// Each that is not ours has one.
  case unit
  /// All are in the process that renders.
  case none
}

/// The chain of a live session, its devices and its options.
public struct LiveRequest: Sendable {
  /// The chain; nil passes the input on.
  public var chain: ChainRequest?
  /// The device that is recorded from; nil for the one of AURICLE_DEVICE, or else ALSA's `default`.
  public var input: String?
  /// The device that is played on; nil as above.
  public var output: String?
  /// Frames a second (Hz); nil for that of an input file, else 48 kHz, or the nearest that there is.
  public var sampleRate: Double?
  /// Channels of the chain, 1 to 64.
  public var channelCount = 2
  /// Frames between two wakes of the device's thread.
  public var periodFrames = 128
  /// Periods that the device holds, 2 to 16.
  public var periodCount = 2
  /// Whether a unit that exceeds the time of a slice is bypassed.
  public var guards = false
  /// The MIDI sources that play the chain, by name, number or a part of the name; empty for none.
  public var keyboards: [String] = []
  /// Parameters that controllers are learnt for, in this order.
  public var lessons: [(stage: String, parameter: String)] = []
  /// Rights and limits of the process that runs the chain.
  public var isolation = SoundIsolation()
  /// Whether a chain begins again, with the same values, after a unit crashed or hung.
  public var restarts = false
  /// Which units that are not ours have processes together; nil for the preset's choice, or else those of a chain.
  public var isolate: LiveIsolation?
  /// The path of the socket for commands; nil for none.
  public var controlPath: String?

  /// Asks for the default device.
  public init() {}

  /// Reads a stage and a parameter; names with spaces are in quotation marks.
  ///
  /// - Throws: `.usage` for anything else.
  ///
  /// Context: any.
  public static func lesson(
    _ text: String
  ) throws(AuricleError) -> (stage: String, parameter: String) {
    let words = try LiveCommand.words(text)
    guard words.count == 2 else {
      throw AuricleError(
        .usage,
        "--learn takes a stage and a parameter, such as '1 volume' or 'Keys \"cutoff frequency\"', not '\(text)'"
      )
    }
    return (words[0], words[1])
  }
}
