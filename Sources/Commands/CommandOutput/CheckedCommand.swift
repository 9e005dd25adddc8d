// Common parts of commands: a check of all their options together, ranges of numbers, files in completions.
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

/// A number outside of the range of its option.
package struct RangeFault: Error {
  /// The option: `--jobs`.
  package let option: String
  /// The accepted numbers in words: `1 to 1024`.
  package let accepted: String
  /// The refused number.
  package let value: String

  /// A number that an option does not accept.
  package init(_ option: String, takes accepted: String, not value: some CustomStringConvertible) {
    self.option = option
    self.accepted = accepted
    self.value = value.description
  }

  /// The sentence about a value that the option does not accept.
  ///
  /// - Parameter value: The value as it was typed; nil for the number.
  package func sentence(about value: Substring? = nil) -> String {
    "\(option) takes \(accepted), not \(value.map { "'\($0)'" } ?? self.value)."
  }
}

extension CompletionKind {
  /// Any file or folder.
  package static var anyFile: CompletionKind { .file() }
}
