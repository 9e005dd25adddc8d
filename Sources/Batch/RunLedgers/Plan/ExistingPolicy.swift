// What is done about results that exist already.
// SPDX-License-Identifier: Apache-2.0

/// What is done about results that exist already.
public enum ExistingPolicy: String, Sendable, CaseIterable {
  /// Nothing is begun when one exists.
  case error
  /// Files whose result exists are left out.
  case skip
  /// The new result gets another name.
  case rename
  /// The new result takes its place.
  case overwrite
}
