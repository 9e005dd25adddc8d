// The requested format, level and length of results. Settings left out follow the preset.
// SPDX-License-Identifier: Apache-2.0

public import AudioConversion
public import AudioFiles
public import ResultSettings
public import RunLedgers
import Workers

/// The results of a run.
public struct ResultRequest: Sendable, Equatable {
  /// The template of names in a folder, such as `{stem}-wet.{ext}`; nil for the inputs' names.
  public var name: String?
  /// The treatment of results that exist; nil to refuse.
  public var existing: ExistingPolicy?
  /// Whether damaged inputs are processed as far as they can be read.
  public var isTolerant = false
  /// The sound track of inputs with several, from 1; nil for the default one.
  public var track: Int?
  /// The tail of results.
  public var tail: TailPolicy?
  /// The treatment of the latency of the chain.
  public var latency: LatencyPolicy?
  /// The container.
  public var container = Choice<AudioContainer>.asPreset
  /// The encoding.
  public var encoding = Choice<AudioEncoding>.asPreset
  /// Bits a second of compressing encodings; unchanged for those of the input.
  public var bitRate = Choice<BitRate>.asPreset
  /// Settings of encoders beside the bit rate.
  public var encoder = EncoderChoice()
  /// Whether packets are copied as they are where nothing asks for another sound.
  public var copiesPackets = false
  /// Whether metadata is copied from inputs to results.
  public var keepsMetadata: Bool?
  /// Whether the picture tracks of videos are copied to results that are named like videos.
  public var keepsVideo = true
  /// Frames that units render at a time, 1 to 65,536; nil for the default.
  public var framesPerSlice: Int?
  /// The sample rate in Hz.
  public var sampleRate = Choice<Double>.asPreset
  /// The resampling quality.
  public var resampleQuality: SampleRateConverter.Quality?
  /// The number of channels.
  public var channelCount = Choice<Int>.asPreset
  /// The integrated loudness of inputs before the chain, in LUFS.
  public var inputLoudness = Choice<Double>.asPreset
  /// Whether the loudness of one channel is that from two loudspeakers; nil as the preset says.
  public var isDualMono: Bool?
  /// The integrated loudness in LUFS.
  public var loudness = Choice<Double>.asPreset
  /// The highest true peak in dBTP.
  public var truePeak = Choice<Double>.asPreset
  /// The highest sample in dBFS.
  public var peak = Choice<Double>.asPreset
  /// The dither when samples lose bits.
  public var dither: DitherKind?
  /// The start in the input.
  public var start = Choice<TimePosition>.asPreset
  /// The end in the input.
  public var end = Choice<TimePosition>.asPreset
  /// The level below which both ends of results are trimmed, in dBFS.
  public var silenceThreshold = Choice<Double>.asPreset
  /// The length of the fade at the start, in seconds.
  public var fadeIn: Double?
  /// The length of the fade at the end, in seconds.
  public var fadeOut: Double?
  /// The curve of fades.
  public var fadeCurve: FadeCurve?
  /// The instruments that play the inputs, which are then MIDI files; nil for sound files. Rate and channels are
  /// those of the results, where those are asked for.
  public var song: SongSettings?
  /// Whether loudness and true peak are measured, for the ledger and reports.
  public var measuresLoudness = false

  /// Makes a request that follows the preset.
  public init() {}

  /// Whether anything is asked for that makes a result another file than its input: more than a name,
  /// and the treatment of results that exist.
  public var changesFiles: Bool {
    if let name, AudioContainer(path: name) != nil { return true }
    var plain = ResultRequest()
    plain.name = name
    plain.existing = existing
    plain.framesPerSlice = framesPerSlice
    plain.copiesPackets = copiesPackets
    return self != plain
  }

  /// The treatment of results that exist.
  var existingPolicy: ExistingPolicy { existing ?? .error }
}
