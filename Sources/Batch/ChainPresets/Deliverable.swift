// Several files from one rendering: what each is.
// SPDX-License-Identifier: Apache-2.0

/// One of the files that a rendering is stored as.
public struct Deliverable: Sendable, Equatable {
  /// What tells its file from the others: letters, digits, spaces, `-`, `_`, `.`; `nil` when it is
  /// the only one.
  public var name: Located<String>?
  /// What the file is: the settings of `output`, changed by those of the entry. Tail and latency
  /// are those of `output` for every file.
  public var settings: OutputSettings

  /// Makes one in code.
  ///
  /// Context: any.
  public init(name: Located<String>?, settings: OutputSettings) {
    self.name = name
    self.settings = settings
  }
}

extension ChainPreset {
  /// The files a rendering is stored as: those of `render`, or one that is as `output` says.
  ///
  /// Context: any.
  public var deliverables: [Deliverable] {
    render.isEmpty ? [Deliverable(name: nil, settings: output)] : render
  }
}
