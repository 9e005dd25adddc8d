// What is to be done with every file of a run besides the chain itself.
// SPDX-License-Identifier: Apache-2.0

public import AudioFiles

/// How long a result goes on after its input has ended.
public enum TailPolicy: Sendable, Equatable {
  /// As long as there is sound: see `TailLimits`.
  case automatic
  /// Not at all: the result ends where the input's end comes out of the chain. With a delay that is
  /// kept, it is longer than the input by that delay.
  case none
  /// The result has exactly as many frames as the input (before a change of sample rate), whatever
  /// the chain does; a delay that is kept pushes the end out.
  case keepLength
  /// Exactly this many seconds.
  case seconds(Double)
}

/// What is done about the delay that a chain adds.
public enum LatencyPolicy: String, Sendable, Equatable, CaseIterable {
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
  /// Where in the input to begin; nil for its start.
  public var start: TimePosition?
  /// Where in the input to end; nil for its end.
  public var end: TimePosition?
  /// Silence at both ends of a rendering is cut off: what is not louder than this, in dBFS.
  public var silenceThreshold: Double?
  /// The files that a rendering is stored as; one at least.
  public var deliverables = [DeliverableSettings()]
  /// What the samples of inputs without a header are; nil for inputs that tell.
  public var rawInput: AudioFileFormat?
  /// Which of several sound tracks of an input is taken, from 1; nil for the one that the file means.
  public var track: Int?
  /// Whether texts, marks, pictures and the like go from input to result.
  public var keepsMetadata = true
  /// Whether damaged inputs are taken as far as they can be read.
  public var isTolerant = false
  /// Whether loudness and true peak of inputs and results are measured, for the ledger and reports.
  public var measuresLoudness = false
  /// Frames rendered at once. Large, because several plug-ins run much faster so.
  public var framesPerSlice = 4096

  /// Everything as in the input, tails kept, delays compensated.
  public init() {}
}

extension JobSettings {
  /// The kind of the first file.
  public var container: AudioContainer? {
    get { deliverables.first?.container }
    set { deliverables[0].container = newValue }
  }

  /// How the samples of the first file are stored.
  public var encoding: AudioEncoding? {
    get { deliverables.first?.encoding }
    set { deliverables[0].encoding = newValue }
  }

  /// The sample rate of the first file in Hz.
  public var sampleRate: Double? {
    get { deliverables.first?.sampleRate }
    set { deliverables[0].sampleRate = newValue }
  }

  /// The files that each input gives, for a plan.
  public var plannedRenders: [PlannedRender] {
    deliverables.count == 1 && deliverables[0].name == nil
      ? []
      : deliverables.map {
        PlannedRender(name: $0.name ?? "", fileExtension: $0.container?.fileExtension)
      }
  }

  /// Whether loudness and true peak of inputs are measured: also where those of results are set.
  package var measuresInput: Bool {
    measuresLoudness || deliverables.contains { $0.loudness != nil || $0.truePeak != nil }
  }

  /// Whether a rendering is gone through more than once.
  package var needsSpool: Bool {
    silenceThreshold != nil || deliverables.contains { $0.needsWhole }
  }

  /// The channels that a chain gets for an input of so many: a mono file that becomes stereo is so
  /// before the chain, so that a unit can make width of it.
  package func chainChannelCount(for inputCount: Int) -> Int {
    inputCount == 1 && deliverables.compactMap(\.channelCount).max() == 2 ? 2 : inputCount
  }
}
