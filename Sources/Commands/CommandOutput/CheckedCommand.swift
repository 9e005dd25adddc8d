// What commands have in common: a look at all their options together, and files in completions.
// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser

/// A command that validates its options together.
///
/// Called after parsing: by then unknown options have been reported, which would otherwise look like missing
/// ones.
package protocol CheckedCommand: ParsableCommand {
  /// Refuses what does not go together.
  func check() throws
}

extension CompletionKind {
  /// Any file or folder.
  package static var anyFile: CompletionKind { .file() }
}
