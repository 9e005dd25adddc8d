// What is to be done with every file of a run besides the chain itself.
// SPDX-License-Identifier: Apache-2.0

public import AudioFiles

/// How long a result goes on after its input has ended.
public enum TailPolicy: Sendable, Equatable {
  /// As long as there is sound: see `TailLimits`.
  case automatic
  /// Not at all: the result is exactly as long as its input.
  case keepLength
  /// Exactly this many seconds.
  case seconds(Double)
}

/// What is done about the delay that a chain adds.
public enum LatencyPolicy: Sendable, Equatable {
  /// The delay is cut off in front: frame n of the result belongs to frame n of the input.
  case compensate
  /// The delay stays in the result, which is that much longer.
  case keep
}

/// When an automatic tail is over.
public struct TailLimits: Sendable, Equatable {
  /// Sound below this magnitude counts as silence; -90 dB of full scale.
  public var floor: Float = 3.1623e-5
  /// Silence of this many seconds ends a tail whose length no unit tells.
  public var hold = 2.0
  /// The longest tail, in seconds, when a unit does not tell its own.
  public var maximum = 30.0
  /// Silence of this many seconds ends a tail whose length is told.
  public var toldHold = 10.0
  /// The longest tail that units are believed, in seconds.
  public var toldMaximum = 300.0

  /// The usual limits.
  public init() {}
}

/// What every file of a run has in common.
public struct JobSettings: Sendable {
  /// How long results go on.
  public var tail = TailPolicy.automatic
  /// What is done about the chain's delay.
  public var latency = LatencyPolicy.compensate
  /// When an automatic tail is over.
  public var tailLimits = TailLimits()
  /// The kind of file to write; nil keeps the input's.
  public var container: AudioContainer?
  /// How samples are stored; nil keeps the input's, or takes the nearest the container has.
  public var encoding: AudioEncoding?
  /// The sample rate of results in Hz; nil keeps the input's.
  public var sampleRate: Double?
  /// Whether existing files may be replaced.
  public var overwrite = false
  /// Whether damaged inputs are taken as far as they can be read.
  public var isTolerant = false
  /// Whether loudness and true peak of inputs and results are measured, for the ledger and reports.
  public var measuresLoudness = false
  /// Frames rendered at once. Large, because several plug-ins run much faster so.
  public var framesPerSlice = 4096

  /// Everything as in the input, tails kept, delays compensated.
  public init() {}
}
