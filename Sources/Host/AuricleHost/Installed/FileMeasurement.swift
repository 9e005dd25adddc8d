// How long and how loud a file is.
// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioFiles
public import AudioTypes

/// How long and how loud a file is.
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
  /// The integrated loudness by EBU R 128 in LUFS; nil for what is too short or too quiet.
  public var integratedLoudness: Double?
  /// The loudness range in LU; nil for what is too short.
  public var loudnessRange: Double?

  /// Reads a file to its end and measures it.
  ///
  /// - Throws: Why it cannot be read.
  ///
  /// Context: control.
  public init(of path: String) throws(AuricleError) {
    let measurement = try AudioMeasurement.measure(path: path)
    self.path = path
    frames = measurement.frameCount
    seconds = measurement.duration
    peakDecibels = measurement.samplePeak
    rmsDecibels = measurement.rms
    integratedLoudness = measurement.integratedLoudness
    loudnessRange = measurement.loudnessRange
  }
}
