// The version that runs, ledgers and caches are marked with.
// SPDX-License-Identifier: Apache-2.0

/// The version of Auricle.
public enum AuricleVersion {
  /// As it is printed.
  public static let text = "0.1.0"
}
