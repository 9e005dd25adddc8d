// Copying and clearing runs of samples from render code.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Copies and clears samples. Context: any, render included.
public enum SampleCopy {
  /// Copies samples between two runs, which may overlap.
  ///
  /// - Parameters:
  ///   - source: The first sample to read.
  ///   - target: The first sample to write.
  ///   - count: Number of samples.
  @_noLocks
  public static func copy(
    from source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, count: Int
  ) {
    // A C library function that neither locks nor allocates.
    unsafe _ = _unsafePerformance {
      unsafe memmove(target, source, count &* MemoryLayout<Float>.stride)
    }
  }

  /// Sets samples to zero.
  ///
  /// - Parameters:
  ///   - target: The first sample to write.
  ///   - count: Number of samples.
  @_noLocks
  public static func clear(_ target: UnsafeMutablePointer<Float>, count: Int) {
    // A C library function that neither locks nor allocates.
    unsafe _ = _unsafePerformance {
      unsafe memset(target, 0, count &* MemoryLayout<Float>.stride)
    }
  }
}
