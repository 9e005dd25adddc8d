// Common parts of commands: a check of all their options together, files in completions.
// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser

/// A command that validates its options together.
///
/// Called after parsing: by then unknown options, which would otherwise appear to be missing, have been
/// reported.
package protocol CheckedCommand: ParsableCommand {
  /// Refuses options that exclude each other.
  func check() throws
}

extension CompletionKind {
  /// Any file or folder.
  package static var anyFile: CompletionKind { .file() }
}
