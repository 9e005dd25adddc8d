// A chain between an input and an output: what is asked for.
// SPDX-License-Identifier: Apache-2.0

public import AuricleHost

/// What to run, and between what.
public struct LiveRequest: Sendable {
  /// The chain; nil passes the input on.
  public var chain: ChainRequest?
  /// The device that is recorded from; nil for the one of AURICLE_DEVICE, or else ALSA's `default`.
  public var input: String?
  /// The device that is played on; nil as above.
  public var output: String?
  /// Frames a second (Hz); nil for 48 kHz, or the nearest that there is.
  public var sampleRate: Double?
  /// Channels of the chain, 1 to 64.
  public var channelCount = 2
  /// Frames between two wakes of the device's thread.
  public var periodFrames = 128
  /// Periods that the device holds, 2 to 16.
  public var periodCount = 2
  /// Whether a unit that takes longer than there is time is passed over.
  public var guards = false
  /// The path of the socket for commands; nil for none.
  public var controlPath: String?

  /// Asks for the default device.
  public init() {}
}
