// What notes of many files have in common.
// SPDX-License-Identifier: Apache-2.0

/// Finds notes that say the same of other files, with figures of their own.
package enum NoteKind {
  private static let clipped = "samples beyond full scale were clipped"

  /// The note without what is of its file alone: the same text for every file that it is told of.
  package static func of(_ note: String) -> String {
    if note.hasSuffix(clipped) { return clipped }
    // How much of the last block is no sound; how loud a file has become, and with which gain.
    return note.replacing(#/longer by [0-9]+ frames?/#) { _ in "longer by some frames" }.replacing(
      #/loudness -?[0-9.]+ instead of (-?[0-9.]+ LUFS) with -?[0-9.]+ dB of gain/#
    ) { "loudness other than \($0.output.1)" }
  }
}
