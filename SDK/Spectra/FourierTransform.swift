// The fast Fourier transform of complex samples, by KissFFT: the one of the whole tree.
// SPDX-License-Identifier: Apache-2.0

import CKissFFT
import Glibc

/// A transform of one length with its tables, for control threads.
///
/// @unchecked Sendable because the tables are only read after they were made.
@safe public final class FourierTransform: @unchecked Sendable {
  /// Number of samples that are transformed.
  public let count: Int
  private let tables: kiss_fft_cfg?

  /// Prepares a transform of at least one sample; lengths that are products of 2, 3 and 5 are fast. Context: control.
  public init(count: Int) {
    self.count = max(1, min(count, 1 << 28))
    unsafe tables = kiss_fft_alloc(Int32(self.count), 0, nil, nil)
  }

  deinit {
    // The library's own function for this is a macro over this one.
    if let tables = unsafe tables { unsafe free(UnsafeMutableRawPointer(tables)) }
  }

  /// Transforms samples: index k is the frequency k / count of the sample rate. Leaves them as they are where they are
  /// not as many as the transform has. Context: control.
  ///
  /// - Parameters:
  ///   - re: Real parts; as many as the transform has.
  ///   - im: Imaginary parts; as many.
  public func transform(_ re: inout [Float], _ im: inout [Float]) {
    guard re.count == count, im.count == count, let tables = unsafe tables else { return }
    let samples = zip(re, im).map { kiss_fft_cpx(r: $0, i: $1) }
    let spectrum = unsafe [kiss_fft_cpx](unsafeUninitializedCapacity: count) { bins, filled in
      unsafe samples.withUnsafeBufferPointer { samples in
        unsafe kiss_fft(tables, samples.baseAddress, bins.baseAddress)
      }
      filled = count
    }
    for index in 0..<count {
      re[index] = spectrum[index].r
      im[index] = spectrum[index].i
    }
  }
}
