// The fast Fourier transform of complex samples, by KissFFT: the one of the whole tree.
// SPDX-License-Identifier: Apache-2.0

import CKissFFT
import Glibc

/// A transform of one length with its tables, for control threads.
///
/// @unchecked Sendable because the tables are only read after they were made.
@safe public final class FourierTransform: @unchecked Sendable {
  /// How many samples are transformed.
  public let count: Int
  private let tables: kiss_fft_cfg

  /// Prepares a transform of at least one sample; lengths that are products of 2, 3 and 5 are fast. Context: control.
  public init(count: Int) {
    precondition(count > 0 && count <= 1 << 28, "a transform has a length from 1 to 2^28")
    self.count = count
    guard let made = unsafe kiss_fft_alloc(Int32(count), 0, nil, nil) else {
      fatalError("no memory for a transform of \(count) samples")
    }
    unsafe tables = unsafe made
  }

  // The library's own function for this is a macro over this one.
  deinit { unsafe free(UnsafeMutableRawPointer(tables)) }

  /// Transforms samples: index k is the frequency k / count of the sample rate. Context: control.
  ///
  /// - Parameters:
  ///   - re: Real parts; as many as the transform has.
  ///   - im: Imaginary parts; as many.
  public func transform(_ re: inout [Float], _ im: inout [Float]) {
    precondition(re.count == count && im.count == count, "a transform has one length")
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
