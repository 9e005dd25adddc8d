// A parameter whose value is random for each variant of a file.
// SPDX-License-Identifier: Apache-2.0

/// The source of a random value.
public enum RandomSetting: Sendable, Equatable {
  /// Any value between two, uniformly distributed, linearly or logarithmically.
  case range(low: Located<String>, high: Located<String>, isLogarithmic: Bool)
  /// One of several equally likely values.
  case choices([Located<String>])
  /// One of the audio files in a folder and those below it, each as likely; a relative path counts from
  /// the preset's folder.
  case folder(Located<String>)

  /// Its text for people: `random 200 Hz to 2 kHz, log`.
  public var text: String {
    switch self {
    case .range(let low, let high, let isLogarithmic):
      "random \(low.value) to \(high.value)\(isLogarithmic ? ", log" : "")"
    case .choices(let values): "one of \(values.map(\.value).joined(separator: ", "))"
    case .folder(let path): "one of the files in \(path.value)"
    }
  }
}
