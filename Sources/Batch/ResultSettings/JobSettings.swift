// The settings of every file of a run besides the chain.
// SPDX-License-Identifier: Apache-2.0

public import AudioFiles

/// The end of a result in relation to the end of its input.
public enum TailPolicy: Sendable, Equatable {
  /// As long as there is sound: see `TailLimits`.
  case automatic
  /// No tail: the result ends with the last frame of the input. With latency kept, it is longer than the
  /// input by the latency.
  case none
  /// The result has exactly as many frames as the input (before a change of sample rate), with any
  /// does; latency that is kept pushes the end out.
  case keepLength
  /// Exactly this many seconds.
  case seconds(Double)
}

/// The treatment of a chain's latency.
public enum LatencyPolicy: String, Sendable, Equatable, CaseIterable {
  /// The latency is removed: frame n of the result belongs to frame n of the input.
  case compensate
  /// The latency stays in the result, which is longer by it.
  case keep
}

/// When an automatic tail is over.
public struct TailLimits: Sendable, Equatable {
  /// Sound below this magnitude counts as silence; -90 dB of full scale.
  public var floor: Float = 3.1623e-5
  /// Silence of this many seconds ends a tail whose length no unit reports.
  public var hold = 2.0
  /// The longest tail in seconds when a unit does not report its own.
  public var maximum = 30.0
  /// Silence of this many seconds ends a tail whose length is reported.
  public var statedHold = 10.0
  /// The longest reported tail that is accepted, in seconds.
  public var statedMaximum = 300.0

  /// The default limits.
  public init() {}
}

/// The settings of every file of a run.
public struct JobSettings: Sendable {
  /// The tail of results.
  public var tail = TailPolicy.automatic
  /// The treatment of the chain's latency.
  public var latency = LatencyPolicy.compensate
  /// When an automatic tail is over.
  public var tailLimits = TailLimits()
  /// The integrated loudness that inputs are brought to before the chain, in LUFS; nil leaves it.
  public var inputLoudness: Double?
  /// The start in the input; nil for its beginning.
  public var start: TimePosition?
  /// The end in the input; nil for its end.
  public var end: TimePosition?
  /// The length of the piece that is used, in seconds, from a place that is drawn; nil for all of it.
  public var crop: RandomNumber?
  /// The level below which both ends of a rendering are trimmed, in dBFS; nil trims nothing.
  public var silenceThreshold: Double?
  /// The deliverables; at least one.
  public var deliverables = [DeliverableSettings()]
  /// The format of inputs without a header; nil for inputs with one.
  public var rawInput: AudioFileFormat?
  /// The sound track of inputs with several, from 1; nil for the default one.
  public var track: Int?
  /// Whether metadata (texts, marks, pictures) is copied from input to result.
  public var keepsMetadata = true
  /// Whether the picture tracks of videos are copied to results that are named like videos.
  public var keepsVideo = true
  /// Whether damaged inputs are processed as far as they can be read.
  public var isTolerant = false
  /// Whether loudness and true peak of inputs and results are measured, for the ledger and reports.
  public var measuresLoudness = false
  /// Whether packets are copied as they are where nothing asks for another sound.
  public var copiesPackets = false
  /// The instruments that play inputs, which are then MIDI files; nil for sound files.
  public var song: SongSettings?
  /// Frames rendered at once; large, because several plug-ins run much faster so.
  public var framesPerSlice = 4096

  /// Makes the default: formats of the input, automatic tail, latency compensated.
  public init() {}
}

extension JobSettings {
  /// The container of the first deliverable.
  public var container: AudioContainer? {
    get { deliverables.first?.container }
    set { deliverables[0].container = newValue }
  }

  /// The encoding of the first deliverable.
  public var encoding: AudioEncoding? {
    get { deliverables.first?.encoding }
    set { deliverables[0].encoding = newValue }
  }

  /// The sample rate of the first deliverable in Hz.
  public var sampleRate: Double? {
    get { deliverables.first?.sampleRate }
    set { deliverables[0].sampleRate = newValue }
  }

  /// The deliverables of each input, for a plan.
  public var plannedRenders: [PlannedRender] {
    deliverables.count == 1 && deliverables[0].name == nil
      ? []
      : deliverables.map {
        PlannedRender(name: $0.name ?? "", fileExtension: $0.container?.fileExtension)
      }
  }

  /// Whether the loudness of one channel is that from two loudspeakers.
  package var isDualMono: Bool { deliverables.contains { $0.isDualMono } }

  /// Whether the loudness of inputs is measured: also where that of results is set.
  package var measuresInput: Bool {
    measuresLoudness || deliverables.contains { $0.loudness != nil || $0.truePeak != nil }
  }

  /// Whether a rendering needs several passes.
  package var needsSpool: Bool {
    silenceThreshold != nil || deliverables.contains { $0.needsWhole }
  }

  /// The channel count of the chain for that of an input: a mono file that becomes stereo is widened before
  /// the chain, so that units can render stereo effects.
  package func chainChannelCount(for inputCount: Int) -> Int {
    inputCount == 1 && deliverables.compactMap(\.channelCount).max() == 2 ? 2 : inputCount
  }
}
