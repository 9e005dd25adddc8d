// The treatment of results that exist already.
// SPDX-License-Identifier: Apache-2.0

/// The treatment of results that exist already.
public enum ExistingPolicy: String, Sendable, CaseIterable {
  /// Refuse to begin when one exists.
  case error
  /// Files whose result exists are left out.
  case skip
  /// The new result gets another name.
  case rename
  /// The new result replaces it.
  case overwrite
}
