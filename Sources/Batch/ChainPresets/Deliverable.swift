// Deliverables: several files from one rendering.
// SPDX-License-Identifier: Apache-2.0

/// One of the files that a rendering is stored as.
public struct Deliverable: Sendable, Equatable {
  /// Its name, part of the file's name: letters, digits, spaces, `-`, `_`, `.`; `nil` when it is the only
  /// one.
  public var name: Located<String>?
  /// The settings of `output`, changed by those of the entry. Tail and latency are those of `output` for
  /// every file.
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
  /// The deliverables: those of `render`, or a single one as in `output`.
  ///
  /// Context: any.
  public var deliverables: [Deliverable] {
    render.isEmpty ? [Deliverable(name: nil, settings: output)] : render
  }
}
