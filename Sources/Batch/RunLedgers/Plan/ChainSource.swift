// The source of a worker's chain.
// SPDX-License-Identifier: Apache-2.0

/// The source of a worker's chain.
public enum ChainSource: Sendable, Equatable {
  /// A preset by its name or the path of its file, which the worker reads itself to report all mistakes.
  case preset(String)
  /// The text of a preset without a file: units one after the other.
  case units(String)
  /// The text of a preset, and how messages name it.
  case text(name: String, String)
}
