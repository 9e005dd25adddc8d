// The voices of a unit that speaks, and the duration of its speech.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
internal import CAudioToolbox

/// A voice of a unit that speaks.
public struct SpeechVoice: Sendable, Hashable, Encodable {
  /// The identifier: `gmw/en`.
  public var identifier: String
  /// Its name for people: `English (Great Britain)`.
  public var name: String
  /// The language that it is made for: `en-gb`.
  public var language: String
  /// All languages that it speaks, the best first.
  public var languages: [String]
  /// `male`, `female` or `none`.
  public var gender: String
}

extension AudioUnit {
  /// The voices that its setting `voice` accepts.
  ///
  /// - Throws: `.unavailable`, with the unit's reason: it does not speak, or its synthesizer is not
  ///   installed.
  ///
  /// Context: control. The corresponding property is `kAuricleProperty_SpeechVoices`.
  public func speechVoices() throws(AuricleError) -> [SpeechVoice] {
    do throws(AuricleError) {
      let keys = ["identifier", "name", "language", "languages", "gender"]
      return try tables(kAuricleProperty_SpeechVoices, keys: keys).map { texts in
        SpeechVoice(
          identifier: texts["identifier"] ?? "", name: texts["name"] ?? "",
          language: texts["language"] ?? "",
          languages: (texts["languages"] ?? "").split(separator: " ").map(String.init),
          gender: texts["gender"] ?? "")
      }
    } catch {
      guard let reason = failureReason else { throw error }
      throw AuricleError(.unavailable, status: error.status, "\(name): \(reason)")
    }
  }

  /// The duration of its speech in seconds; nil for a unit that does not speak.
  ///
  /// Context: control. The corresponding property is `kAuricleProperty_SpeechDuration`.
  public var speechSeconds: Double? {
    optionalProperty(kAuricleProperty_SpeechDuration, as: Double.self)
  }
}
