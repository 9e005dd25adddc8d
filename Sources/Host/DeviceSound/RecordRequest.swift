// The request of a recording from a device into a file.
// SPDX-License-Identifier: Apache-2.0

public import AuricleHost

/// The device to record, and the file.
public struct RecordRequest: Sendable {
  /// The WAVE file.
  public var output: String
  /// The name of the device; nil for the one of AURICLE_DEVICE, or else ALSA's `default`.
  public var device: String?
  /// Channels; nil for all of the device.
  public var channelCount: Int?
  /// Frames a second (Hz); nil for 48 kHz, or the nearest that there is.
  public var sampleRate: Double?
  /// Seconds after which it ends; nil for when it is stopped.
  public var duration: Double?
  /// The chain that the sound goes through before it is kept; nil for none.
  public var chain: ChainRequest?
  /// The encoding of samples: `pcm16`, `pcm24`, `pcm32` or `float32`; nil for as many bits as the device has.
  public var encoding: String?
  /// Whether a file that is there is replaced.
  public var overwrites = false
  /// Frames between two wakes of the device's thread; nil for a value that suits recording.
  public var periodFrames: Int?
  /// Whether a device that is gone is waited for.
  public var waits = false
  /// Rights and limits of the process that runs the chain.
  public var isolation = SoundIsolation()

  /// Makes a request for all channels of the default device.
  public init(output: String) { self.output = output }
}
