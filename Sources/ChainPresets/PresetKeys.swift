// Every key a preset may hold: one table for the reader, the schema's test and the writer.
// SPDX-License-Identifier: Apache-2.0

/// The keys of a preset, by the mapping they stand in.
public enum PresetKeys {
  /// Keys of the document.
  public static let document = [
    "auricle", "name", "description", "author", "license", "tags", "units", "output",
  ]
  /// Keys of the document that must be there.
  public static let requiredInDocument = ["auricle", "name", "units"]
  /// Keys of an entry of `units`.
  public static let unit = ["unit", "name", "preset", "parameters", "bypass", "mix"]
  /// Keys of an entry of `units` that must be there.
  public static let requiredInUnit = ["unit"]
  /// Keys of `output`.
  public static let output = ["tail", "latency", "container", "encoding", "sample rate"]
  /// Words for `output: {tail: …}` besides a time.
  public static let tailWords = ["auto", "none", "keep-length"]
  /// Words for `output: {latency: …}`.
  public static let latencyWords = OutputSettings.Latency.allCases.map(\.rawValue)
  /// The word for "as the input has it" in `container`, `encoding` and `sample rate`.
  public static let sameWord = "same"
}
