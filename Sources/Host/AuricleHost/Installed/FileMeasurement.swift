// The length and loudness of a file.
// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioFiles
public import AudioTypes

/// The length and loudness of a file.
public struct FileMeasurement: Encodable, Sendable {
  /// The file as it was named.
  public var path: String
  /// Its length in frames.
  public var frames: Int
  /// Its length in seconds.
  public var seconds: Double
  /// The highest sample in dBFS; nil for silence.
  public var peakDecibels: Double?
  /// The root of the mean square over all channels in dBFS; nil for silence.
  public var rmsDecibels: Double?
  /// The integrated loudness by EBU R 128 in LUFS; nil for a file that is too short or quiet.
  public var integratedLoudness: Double?
  /// The loudness range in LU; nil for a file that is too short.
  public var loudnessRange: Double?
  /// The loudest 0.4 s in LUFS; nil for a shorter or silent file.
  public var maximumMomentary: Double?
  /// The loudest 3 s in LUFS; nil for a shorter or silent file.
  public var maximumShortTerm: Double?
  /// The highest value between samples in dBTP; nil for silence.
  public var truePeakDecibels: Double?

  /// Reads a file to its end and measures it.
  ///
  /// - Parameter isDualMono: Whether one channel counts as loud as from two loudspeakers.
  /// - Throws: When it cannot be read.
  ///
  /// Context: control.
  public init(of path: String, isDualMono: Bool = false) throws(AuricleError) {
    let measurement = try AudioMeasurement.measure(
      path: path, isDualMono: isDualMono, measuresTruePeak: true)
    self.path = path
    frames = measurement.frameCount
    seconds = measurement.duration
    peakDecibels = measurement.samplePeak
    rmsDecibels = measurement.rms
    integratedLoudness = measurement.integratedLoudness
    loudnessRange = measurement.loudnessRange
    maximumMomentary = measurement.maximumMomentary
    maximumShortTerm = measurement.maximumShortTerm
    truePeakDecibels = measurement.truePeak
  }
}
