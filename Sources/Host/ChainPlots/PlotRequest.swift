// The request of a picture of chains.
// SPDX-License-Identifier: Apache-2.0

public import ChainPresets

/// The quantity that a picture shows.
public enum PlotKind: String, Sendable, CaseIterable, Codable {
  /// Gain in dB over frequency, measured with a sweep.
  case response
  /// Phase in degrees over frequency, without latency.
  case phase
  /// The level that comes out over the level that goes in, of a steady tone.
  case curve
  /// The response to one sample.
  case impulse
  /// The response to a step.
  case step
  /// Frequencies over time while a sweep goes through: harmonics and aliases.
  case spectrogram
}

/// One chain of a picture.
public struct PlotSource: Sendable {
  /// The text that named it: a preset, or a unit.
  public var name: String
  /// Parameters of the unit that all curves have.
  public var settings: [ParameterSetting]
  /// Parameters of the unit that distinguish this curve from others.
  public var variant: [ParameterSetting]

  /// Names a preset or a unit.
  public init(
    _ name: String, settings: [ParameterSetting] = [], variant: [ParameterSetting] = []
  ) {
    self.name = name
    self.settings = settings
    self.variant = variant
  }
}

/// A picture of one chain, or of several for comparison.
public struct PlotRequest: Sendable {
  /// The quantity to show.
  public var kind: PlotKind
  /// The chains.
  public var sources: [PlotSource]
  /// Frames a second (Hz).
  public var sampleRate = 48_000.0
  /// Channels, all with the same signal.
  public var channelCount = 2
  /// The peak of the signal in dBFS.
  public var level = -20.0
  /// The tone of a curve in Hz, to the nearest 10.
  public var frequency = 1000.0

  /// Asks for a picture.
  public init(_ kind: PlotKind, of sources: [PlotSource]) {
    self.kind = kind
    self.sources = sources
  }
}
