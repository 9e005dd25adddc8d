// The keys of presets: one table for the reader, the writer and the schema's test.
// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioFiles
import ResultSettings

/// The keys of a preset, by mapping.
public enum PresetKeys {
  /// Keys of the document.
  public static let document = [
    "auricle", "name", "description", "author", "license", "version", "tags", "input",
    "units", "instruments", "bus", "midi", "isolate", "output", "render",
  ]
  /// The values of `isolate`.
  static let isolation = ["chain", "unit", "none"]
  /// Keys of the document that must be there.
  public static let requiredInDocument = ["auricle", "name"]
  /// Keys of an entry of `units`.
  public static let unit = [
    "unit", "name", "preset", "parameters", "automation", "sidechain", "output", "bypass", "mix",
  ]
  /// Keys of an entry of `units` that must be there.
  public static let requiredInUnit = ["unit"]
  /// Keys of an entry of `instruments`.
  public static let instrument = [
    "unit", "name", "preset", "set", "channels", "tracks", "effects",
  ]
  /// Keys of an entry of `instruments` that must be there.
  public static let requiredInInstrument = ["unit"]
  /// Keys of an entry of `units` that holds branches.
  public static let parallel = ["parallel", "name", "bypass"]
  /// Keys of a branch.
  public static let branch = ["name", "gain", "pan", "units"]
  /// Keys of an entry of `units` that adds noise.
  public static let noise = ["noise", "name", "snr", "bypass"]
  /// Keys of the source of noise.
  public static let noiseSource = ["file", "folder"]
  /// Keys of `bypass` where it is drawn.
  public static let chance = ["probability"]
  /// Keys of `sidechain`.
  public static let sideChain = ["from", "file", "bus", "output", "gain", "loop"]
  /// Keys of a breakpoint of `automation`.
  public static let automationPoint = ["at", "value", "curve"]
  /// Words for the curve of a breakpoint.
  public static let curveWords = AutomationPoint.Curve.allCases.map(\.rawValue)
  /// Keys of a parameter's random value.
  public static let random = ["random", "choose", "folder"]
  /// Keys of a random number.
  public static let randomNumber = ["random", "choose"]
  /// Words for the distribution of a random value.
  public static let randomWords = ["linear", "log"]
  /// Keys of `input`.
  public static let input = ["loudness"]
  /// Keys of `output`.
  public static let output =
    [
      "tail", "latency", "start", "end", "crop", "trim silence", "metadata",
    ] + file
  /// Keys of an entry of `render`.
  public static let render = ["name"] + file
  /// Keys of an entry of `render` that must be there.
  public static let requiredInRender = ["name"]
  /// Keys of a deliverable's settings.
  private static let file = [
    "container", "encoding", "bit rate", "sample rate", "resample quality", "channels", "loudness",
    "dual mono", "true peak", "peak", "dither", "fade in", "fade out", "fade curve",
  ]
  /// Words for `output: {tail: …}` besides a time.
  public static let tailWords = ["auto", "none", "keep-length"]
  /// Words for `output: {latency: …}`.
  public static let latencyWords = LatencyPolicy.allCases.map(\.rawValue)
  /// Words for `output: {metadata: …}`.
  public static let metadataWords = ["keep", noneWord]
  /// Words for `dither`; the last is another name of `triangular`.
  public static let ditherWords = DitherKind.allCases.map(\.rawValue) + ["tpdf"]
  /// Words for `resample quality`.
  public static let resampleWords = SampleRateConverter.Quality.allCases.map(\.rawValue)
  /// Words for `fade curve`.
  public static let fadeWords = FadeCurve.allCases.map(\.rawValue)
  /// The word for "as the input has it" in `container`, `encoding`, `bit rate`, `sample rate` and
  /// `channels`.
  public static let sameWord = "same"
  /// The word for "not at all" in `loudness`, `true peak`, `peak`, `bit rate` and `metadata`.
  public static let noneWord = "none"
  /// The word for the input of the whole chain, as a side chain.
  public static let inputWord = "input"
}
