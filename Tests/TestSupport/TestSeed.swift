// The seed of tests that have to pass with any seed: the same in each run, unless the environment has another.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The seed of tests that have to pass with any seed.
///
/// Tests that gate a change must not depend on chance, so it is a constant. `AURICLE_TEST_SEED`
/// names another, by which the long checks try a new one each time.
public enum TestSeed {
  /// The seed of this run, below a million.
  public static let current: UInt64 =
    ProcessInfo.processInfo.environment["AURICLE_TEST_SEED"].flatMap(UInt64.init).map {
      $0 % 1_000_000
    } ?? 271_828
}
