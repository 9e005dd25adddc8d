// The settings of a deliverable.
// SPDX-License-Identifier: Apache-2.0

public import AudioConversion
public import AudioFiles
package import HostSystem

/// The settings of a deliverable: format, level and fades.
public struct DeliverableSettings: Sendable, Equatable {
  /// Its name among the deliverables of a rendering; nil when it is the only one.
  public var name: String?
  /// The kind of file to write; nil keeps the input's.
  public var container: AudioContainer?
  /// The encoding of samples; nil keeps the input's, or uses the nearest of the container.
  public var encoding: AudioEncoding?
  /// Bits a second of compressing encodings; nil where none are asked for.
  public var bitRate: Int?
  /// Whether a file of its input's encoding gets about the bit rate of its input where none is asked
  /// for; without it, and for all others, the encoder chooses.
  public var keepsBitRate = true
  /// Whether the bit rate was set for all compressed deliverables, not for this alone.
  public var sharesBitRate = false
  /// The settings of encoders beside the bit rate.
  public var encoder = EncoderChoice()
  /// The sample rate in Hz; nil keeps the input's.
  public var sampleRate: Double?
  /// The resampling quality.
  public var resampleQuality = SampleRateConverter.Quality.veryHigh
  /// The number of channels; nil keeps the input's.
  public var channelCount: Int?
  /// The first of the rendering's channels in it, where it has only some of them; nil for all.
  public var firstChannel: Int?
  /// The integrated loudness that the file is brought to, in LUFS; nil leaves it.
  public var loudness: Double?
  /// Whether the loudness of one channel is that from two loudspeakers, 3 LU more.
  public var isDualMono = false
  /// The distribution of the loudness for each variant; `loudness` is set, too.
  public var randomLoudness: RandomNumber?
  /// The highest true peak, in dBTP; nil for no limit.
  public var truePeak: Double?
  /// The highest sample that the file is brought to, in dBFS; nil leaves it.
  public var peak: Double?
  /// The distribution of the peak for each variant; `peak` is set, too.
  public var randomPeak: RandomNumber?
  /// The dither when samples lose bits.
  public var dither = DitherKind.none
  /// The length of the fade at the start, in seconds.
  public var fadeIn = 0.0
  /// The length of the fade at the end, in seconds.
  public var fadeOut = 0.0
  /// The curve of fades.
  public var fadeCurve = FadeCurve.linear

  /// Makes settings that change nothing.
  public init() {}

  /// Whether the whole rendering is needed before the first frame is written.
  package var needsWhole: Bool {
    loudness != nil || truePeak != nil || peak != nil || fadeIn > 0 || fadeOut > 0
  }

  /// The settings as JSON: the same text for the same settings.
  package var json: JSONValue {
    .members([
      ("name", name.map(JSONValue.string)), ("container", container.map { .string($0.name) }),
      ("encoding", encoding.map { .string($0.name) }),
      ("bitRate", bitRate.map { JSONValue($0) }),
      ("keepsBitRate", keepsBitRate ? nil : .boolean(false)),
      ("sharesBitRate", sharesBitRate ? .boolean(true) : nil),
      ("strategy", encoder.strategy.map { .string($0.rawValue) }),
      ("quality", encoder.quality.map { JSONValue($0) }),
      ("sampleRate", sampleRate.map(JSONValue.init)),
      ("resampleQuality", .string(resampleQuality.rawValue)),
      ("channels", channelCount.map(JSONValue.init)),
      ("firstChannel", firstChannel.map(JSONValue.init)),
      ("loudness", loudness.map(JSONValue.init)),
      ("dualMono", isDualMono ? .boolean(true) : nil),
      ("randomLoudness", randomLoudness?.json), ("randomPeak", randomPeak?.json),
      ("truePeak", truePeak.map(JSONValue.init)), ("peak", peak.map(JSONValue.init)),
      ("dither", .string(dither.rawValue)), ("fadeIn", JSONValue(fadeIn)),
      ("fadeOut", JSONValue(fadeOut)), ("fadeCurve", .string(fadeCurve.rawValue)),
    ])
  }

  /// Reads settings; nil when one is malformed.
  package init?(json: JSONValue) {
    name = json["name"]?.text
    if let name = json["container"]?.text {
      guard let container = AudioContainer(named: name) else { return nil }
      self.container = container
    }
    if let name = json["encoding"]?.text {
      guard let encoding = AudioEncoding(named: name) else { return nil }
      self.encoding = encoding
    }
    sampleRate = json["sampleRate"]?.number
    bitRate = json["bitRate"]?.integer
    keepsBitRate = json["keepsBitRate"]?.boolean ?? true
    sharesBitRate = json["sharesBitRate"]?.boolean ?? false
    encoder = EncoderChoice(
      strategy: json["strategy"]?.text.flatMap(BitRateStrategy.init(named:)),
      quality: json["quality"]?.integer)
    guard
      let quality = json["resampleQuality"]?.text.flatMap(SampleRateConverter.Quality.init(named:)),
      let dither = json["dither"]?.text.flatMap(DitherKind.init(rawValue:)),
      let curve = json["fadeCurve"]?.text.flatMap(FadeCurve.init(rawValue:))
    else { return nil }
    resampleQuality = quality
    channelCount = json["channels"]?.integer
    firstChannel = json["firstChannel"]?.integer
    loudness = json["loudness"]?.number
    isDualMono = json["dualMono"]?.boolean ?? false
    truePeak = json["truePeak"]?.number
    peak = json["peak"]?.number
    randomLoudness = RandomNumber(json: json["randomLoudness"])
    randomPeak = RandomNumber(json: json["randomPeak"])
    self.dither = dither
    fadeIn = json["fadeIn"]?.number ?? 0
    fadeOut = json["fadeOut"]?.number ?? 0
    fadeCurve = curve
  }
}
