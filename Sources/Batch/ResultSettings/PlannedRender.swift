// The deliverables of every input, for a plan.
// SPDX-License-Identifier: Apache-2.0

/// A deliverable of every input.
public struct PlannedRender: Sendable, Equatable {
  /// Its name; empty for the only one.
  public var name: String
  /// Its extension; nil keeps each input's own.
  public var fileExtension: String?

  /// Plans a file.
  public init(name: String, fileExtension: String?) {
    self.name = name
    self.fileExtension = fileExtension
  }
}
