// The loudness figures of a file, as the ledger and reports keep them.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
package import HostSystem

/// Loudness and true peak of a file; nil for figures that silence and short files do not have.
public struct LoudnessFigures: Sendable, Equatable {
  /// The integrated loudness by EBU R 128, in LUFS; nil for silence and for less than 0.4 s.
  public var integrated: Double?
  /// The loudness range by EBU Tech 3342, in LU; nil where there is none.
  public var range: Double?
  /// The highest true peak, in dBTP; nil for silence.
  public var truePeak: Double?

  /// Figures that were measured.
  public init(integrated: Double?, range: Double?, truePeak: Double?) {
    self.integrated = integrated
    self.range = range
    self.truePeak = truePeak
  }

  /// The figures as JSON: an empty object for silence, which shows that it was measured.
  package var json: JSONValue {
    .members([
      ("integrated", integrated.map(JSONValue.init)), ("range", range.map(JSONValue.init)),
      ("truePeak", truePeak.map(JSONValue.init)),
    ])
  }

  /// Reads figures back.
  package init(json: JSONValue) {
    integrated = json["integrated"]?.number
    range = json["range"]?.number
    truePeak = json["truePeak"]?.number
  }
}
