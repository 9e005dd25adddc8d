// Groups notes of many files.
// SPDX-License-Identifier: Apache-2.0

/// Recognizes notes that differ in their figures only.
package enum NoteKind {
  private static let clipped = "samples beyond full scale were clipped"

  /// The note without figures of its file: the same text for every such note.
  package static func of(_ note: String) -> String {
    if note.contains(clipped) { return clipped }
    // Figures such as the padding of the last block, the resulting loudness and the gain.
    return note.replacing(#/longer by [0-9]+ frames?/#) { _ in "longer by some frames" }.replacing(
      #/loudness -?[0-9.]+ instead of (-?[0-9.]+ LUFS)( with -?[0-9.]+ dB of gain)?/#
    ) { "loudness other than \($0.output.1)" }.replacing(
      #/encoded again with peaks [0-9.]+ dB lower/#
    ) { _ in "encoded again with lower peaks" }.replacing(
      #/true peak -?[0-9.]+ instead of (-?[0-9.]+ dBTP)/#
    ) { "true peak other than \($0.output.1)" }
  }
}
