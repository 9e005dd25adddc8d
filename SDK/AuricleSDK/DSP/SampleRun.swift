// Plain loops over a run of samples.
// SPDX-License-Identifier: Apache-2.0

/// What render code does to contiguous samples. Context: render.
public enum SampleRun {
  /// Copies samples; the two runs may be the same but must not overlap otherwise.
  @_noLocks public static func copy(
    _ source: UnsafePointer<Float>, to destination: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    for index in 0..<count { unsafe destination[index] = source[index] }
  }

  /// Fills samples with zero.
  @_noLocks public static func clear(_ samples: UnsafeMutablePointer<Float>, _ count: Int) {
    for index in 0..<count { unsafe samples[index] = 0 }
  }
}
