// The files that every input gives.
// SPDX-License-Identifier: Apache-2.0

/// One of the files that every input gives.
public struct PlannedRender: Sendable, Equatable {
  /// What tells it from the others; empty for the only one.
  public var name: String
  /// Its extension; nil keeps each input's own.
  public var fileExtension: String?

  /// Plans a file.
  public init(name: String, fileExtension: String?) {
    self.name = name
    self.fileExtension = fileExtension
  }
}
