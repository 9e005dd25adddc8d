// Where a worker takes its chain from.
// SPDX-License-Identifier: Apache-2.0

/// Where a worker takes its chain from.
public enum ChainSource: Sendable, Equatable {
  /// A preset by its name or the path of its file, which the worker reads itself, so that it can report all mistakes.
  case preset(String)
  /// The text of a preset without a file: units one after the other.
  case units(String)
  /// The text of a preset, and how messages name it.
  case text(name: String, String)
}
