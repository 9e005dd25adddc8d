// The sandbox that is in force in a process, as it is reported to others.
// SPDX-License-Identifier: Apache-2.0

import HostSystem

/// The sandbox that is in force in a process.
package struct SandboxState: Sendable, Equatable {
  /// All of it, such as `strict: memory 4096 MiB, no new privileges, Landlock 7, seccomp`.
  package var text: String
  /// Parts that were wanted and that the kernel lacks, as a sentence; nil for none.
  package var weakness: String?

  /// The word by which the program enters the strict sandbox and prints its state.
  package static let probeCommand = "probe-sandbox"

  /// Names a state.
  package init(text: String, weakness: String? = nil) {
    self.text = text
    self.weakness = weakness
  }

  /// The state as JSON; `init(json:)` reads it.
  package var json: [UInt8] {
    Array(
      JSONValue.members([("text", .string(text)), ("weakness", weakness.map(JSONValue.string))])
        .compactText.utf8)
  }

  /// Reads a state; nil for anything else.
  package init?(json bytes: [UInt8]) {
    guard let value = JSONValue(bytes), let text = value["text"]?.text else { return nil }
    self.init(text: text, weakness: value["weakness"]?.text)
  }
}
