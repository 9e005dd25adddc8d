// The version of the program, recorded in ledgers and caches.
// SPDX-License-Identifier: Apache-2.0

/// The version of Auricle.
public enum AuricleVersion {
  /// The version as text.
  public static let text = "0.1.0"
}
