// Functions of vectors in single precision.
// SPDX-License-Identifier: Apache-2.0

/// C = A + B.
public func vDSP_vadd(
  _ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ B: UnsafePointer<Float>, _ IB: vDSP_Stride,
  _ C: UnsafeMutablePointer<Float>, _ IC: vDSP_Stride,
  _ N: vDSP_Length
) {
  for n in 0..<Int(N) { C[n * IC] = A[n * IA] + B[n * IB] }
}

/// C = A - B; B comes first.
public func vDSP_vsub(
  _ B: UnsafePointer<Float>, _ IB: vDSP_Stride, _ A: UnsafePointer<Float>, _ IA: vDSP_Stride,
  _ C: UnsafeMutablePointer<Float>, _ IC: vDSP_Stride,
  _ N: vDSP_Length
) {
  for n in 0..<Int(N) { C[n * IC] = A[n * IA] - B[n * IB] }
}

/// C = A B.
public func vDSP_vmul(
  _ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ B: UnsafePointer<Float>, _ IB: vDSP_Stride,
  _ C: UnsafeMutablePointer<Float>, _ IC: vDSP_Stride,
  _ N: vDSP_Length
) {
  for n in 0..<Int(N) { C[n * IC] = A[n * IA] * B[n * IB] }
}

/// C = A / B; B comes first.
public func vDSP_vdiv(
  _ B: UnsafePointer<Float>, _ IB: vDSP_Stride, _ A: UnsafePointer<Float>, _ IA: vDSP_Stride,
  _ C: UnsafeMutablePointer<Float>, _ IC: vDSP_Stride,
  _ N: vDSP_Length
) {
  for n in 0..<Int(N) { C[n * IC] = A[n * IA] / B[n * IB] }
}

/// The larger of both.
public func vDSP_vmax(
  _ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ B: UnsafePointer<Float>, _ IB: vDSP_Stride,
  _ C: UnsafeMutablePointer<Float>, _ IC: vDSP_Stride,
  _ N: vDSP_Length
) {
  for n in 0..<Int(N) { C[n * IC] = Swift.max(A[n * IA], B[n * IB]) }
}

/// The smaller of both.
public func vDSP_vmin(
  _ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ B: UnsafePointer<Float>, _ IB: vDSP_Stride,
  _ C: UnsafeMutablePointer<Float>, _ IC: vDSP_Stride,
  _ N: vDSP_Length
) {
  for n in 0..<Int(N) { C[n * IC] = Swift.min(A[n * IA], B[n * IB]) }
}

/// The root of the sum of both squares.
public func vDSP_vdist(
  _ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ B: UnsafePointer<Float>, _ IB: vDSP_Stride,
  _ C: UnsafeMutablePointer<Float>, _ IC: vDSP_Stride,
  _ N: vDSP_Length
) {
  for n in 0..<Int(N) { C[n * IC] = (A[n * IA] * A[n * IA] + B[n * IB] * B[n * IB]).squareRoot() }
}

/// Squares.
public func vDSP_vsq(
  _ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Float>, _ IC: vDSP_Stride,
  _ N: vDSP_Length
) {
  for n in 0..<Int(N) { C[n * IC] = A[n * IA] * A[n * IA] }
}

/// Squares with their sign.
public func vDSP_vssq(
  _ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Float>, _ IC: vDSP_Stride,
  _ N: vDSP_Length
) {
  for n in 0..<Int(N) { C[n * IC] = A[n * IA] * Swift.abs(A[n * IA]) }
}

/// Absolute values.
public func vDSP_vabs(
  _ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Float>, _ IC: vDSP_Stride,
  _ N: vDSP_Length
) {
  for n in 0..<Int(N) { C[n * IC] = Swift.abs(A[n * IA]) }
}

/// Values of the other sign.
public func vDSP_vneg(
  _ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Float>, _ IC: vDSP_Stride,
  _ N: vDSP_Length
) {
  for n in 0..<Int(N) { C[n * IC] = -A[n * IA] }
}

/// Fractions.
public func vDSP_vfrac(
  _ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Float>, _ IC: vDSP_Stride,
  _ N: vDSP_Length
) {
  for n in 0..<Int(N) { C[n * IC] = A[n * IA] - A[n * IA].rounded(.towardZero) }
}

/// C = A + b.
public func vDSP_vsadd(
  _ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ B: UnsafePointer<Float>,
  _ C: UnsafeMutablePointer<Float>, _ IC: vDSP_Stride, _ N: vDSP_Length
) {
  let b = B.pointee
  for n in 0..<Int(N) { C[n * IC] = A[n * IA] + b }
}

/// C = A b.
public func vDSP_vsmul(
  _ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ B: UnsafePointer<Float>,
  _ C: UnsafeMutablePointer<Float>, _ IC: vDSP_Stride, _ N: vDSP_Length
) {
  let b = B.pointee
  for n in 0..<Int(N) { C[n * IC] = A[n * IA] * b }
}

/// C = A / b.
public func vDSP_vsdiv(
  _ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ B: UnsafePointer<Float>,
  _ C: UnsafeMutablePointer<Float>, _ IC: vDSP_Stride, _ N: vDSP_Length
) {
  let b = B.pointee
  for n in 0..<Int(N) { C[n * IC] = A[n * IA] / b }
}

/// Values not below b.
public func vDSP_vthr(
  _ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ B: UnsafePointer<Float>,
  _ C: UnsafeMutablePointer<Float>, _ IC: vDSP_Stride, _ N: vDSP_Length
) {
  let b = B.pointee
  for n in 0..<Int(N) { C[n * IC] = A[n * IA] >= b ? A[n * IA] : b }
}

/// Values not below b, the others 0.
public func vDSP_vthres(
  _ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ B: UnsafePointer<Float>,
  _ C: UnsafeMutablePointer<Float>, _ IC: vDSP_Stride, _ N: vDSP_Length
) {
  let b = B.pointee
  for n in 0..<Int(N) { C[n * IC] = A[n * IA] >= b ? A[n * IA] : 0 }
}

/// The sum.
public func vDSP_sve(
  _ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Float>, _ N: vDSP_Length
) {
  var sum: Float = 0
  for n in 0..<Int(N) { sum += A[n * IA] }
  C.pointee = sum
}

/// The sum of the squares.
public func vDSP_svesq(
  _ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Float>, _ N: vDSP_Length
) {
  var sum: Float = 0
  for n in 0..<Int(N) { sum += A[n * IA] * A[n * IA] }
  C.pointee = sum
}

/// The sum of the magnitudes.
public func vDSP_svemg(
  _ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Float>, _ N: vDSP_Length
) {
  var sum: Float = 0
  for n in 0..<Int(N) { sum += Swift.abs(A[n * IA]) }
  C.pointee = sum
}

/// The mean.
public func vDSP_meanv(
  _ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Float>, _ N: vDSP_Length
) {
  var sum: Float = 0
  for n in 0..<Int(N) { sum += A[n * IA] }
  C.pointee = sum / Float(N)
}

/// The mean of the magnitudes.
public func vDSP_meamgv(
  _ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Float>, _ N: vDSP_Length
) {
  var sum: Float = 0
  for n in 0..<Int(N) { sum += Swift.abs(A[n * IA]) }
  C.pointee = sum / Float(N)
}

/// The mean of the squares.
public func vDSP_measqv(
  _ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Float>, _ N: vDSP_Length
) {
  var sum: Float = 0
  for n in 0..<Int(N) { sum += A[n * IA] * A[n * IA] }
  C.pointee = sum / Float(N)
}

/// The root of the mean of the squares.
public func vDSP_rmsqv(
  _ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Float>, _ N: vDSP_Length
) {
  var sum: Float = 0
  for n in 0..<Int(N) { sum += A[n * IA] * A[n * IA] }
  C.pointee = (sum / Float(N)).squareRoot()
}

/// The largest value.
public func vDSP_maxv(
  _ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Float>, _ N: vDSP_Length
) {
  var best = -Float.infinity
  for n in 0..<Int(N) { best = Swift.max(best, A[n * IA]) }
  C.pointee = best
}

/// The smallest value.
public func vDSP_minv(
  _ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Float>, _ N: vDSP_Length
) {
  var best = Float.infinity
  for n in 0..<Int(N) { best = Swift.min(best, A[n * IA]) }
  C.pointee = best
}

/// The largest magnitude.
public func vDSP_maxmgv(
  _ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Float>, _ N: vDSP_Length
) {
  var best: Float = 0
  for n in 0..<Int(N) { best = Swift.max(best, Swift.abs(A[n * IA])) }
  C.pointee = best
}

/// The smallest magnitude.
public func vDSP_minmgv(
  _ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Float>, _ N: vDSP_Length
) {
  var best = Float.infinity
  for n in 0..<Int(N) { best = Swift.min(best, Swift.abs(A[n * IA])) }
  C.pointee = best
}

/// The largest value and its index. The index counts elements in memory: it is multiplied by the stride.
public func vDSP_maxvi(
  _ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Float>,
  _ I: UnsafeMutablePointer<vDSP_Length>, _ N: vDSP_Length
) {
  var best: Float = -Float.infinity
  var place = 0
  for n in 0..<Int(N) where A[n * IA] > best {
    best = A[n * IA]
    place = n
  }
  C.pointee = best
  I.pointee = vDSP_Length(place * IA)
}

/// The smallest value and its index. The index counts elements in memory: it is multiplied by the stride.
public func vDSP_minvi(
  _ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Float>,
  _ I: UnsafeMutablePointer<vDSP_Length>, _ N: vDSP_Length
) {
  var best: Float = Float.infinity
  var place = 0
  for n in 0..<Int(N) where A[n * IA] < best {
    best = A[n * IA]
    place = n
  }
  C.pointee = best
  I.pointee = vDSP_Length(place * IA)
}

/// The largest magnitude and its index. The index counts elements in memory: it is multiplied by the stride.
public func vDSP_maxmgvi(
  _ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Float>,
  _ I: UnsafeMutablePointer<vDSP_Length>, _ N: vDSP_Length
) {
  var best: Float = 0
  var place = 0
  for n in 0..<Int(N) where Swift.abs(A[n * IA]) > best {
    best = Swift.abs(A[n * IA])
    place = n
  }
  C.pointee = best
  I.pointee = vDSP_Length(place * IA)
}

/// Zeros.
public func vDSP_vclr(_ C: UnsafeMutablePointer<Float>, _ IC: vDSP_Stride, _ N: vDSP_Length) {
  for n in 0..<Int(N) { C[n * IC] = 0 }
}

/// One value in all places.
public func vDSP_vfill(
  _ A: UnsafePointer<Float>, _ C: UnsafeMutablePointer<Float>, _ IC: vDSP_Stride, _ N: vDSP_Length
) {
  let a = A.pointee
  for n in 0..<Int(N) { C[n * IC] = a }
}

/// A + n B.
public func vDSP_vramp(
  _ A: UnsafePointer<Float>, _ B: UnsafePointer<Float>, _ C: UnsafeMutablePointer<Float>,
  _ IC: vDSP_Stride, _ N: vDSP_Length
) {
  let (a, b) = (A.pointee, B.pointee)
  for n in 0..<Int(N) { C[n * IC] = a + Float(n) * b }
}

/// Values from A to B in even steps.
public func vDSP_vgen(
  _ A: UnsafePointer<Float>, _ B: UnsafePointer<Float>, _ C: UnsafeMutablePointer<Float>,
  _ IC: vDSP_Stride, _ N: vDSP_Length
) {
  let step = N > 1 ? (B.pointee - A.pointee) / Float(N - 1) : 0
  let a = A.pointee
  for n in 0..<Int(N) { C[n * IC] = a + Float(n) * step }
}

/// D = A b + C.
public func vDSP_vsma(
  _ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ B: UnsafePointer<Float>,
  _ C: UnsafePointer<Float>, _ IC: vDSP_Stride, _ D: UnsafeMutablePointer<Float>, _ ID: vDSP_Stride,
  _ N: vDSP_Length
) {
  let b = B.pointee
  for n in 0..<Int(N) { D[n * ID] = A[n * IA] * b + C[n * IC] }
}

/// D = A b + c.
public func vDSP_vsmsa(
  _ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ B: UnsafePointer<Float>,
  _ C: UnsafePointer<Float>, _ D: UnsafeMutablePointer<Float>, _ ID: vDSP_Stride, _ N: vDSP_Length
) {
  let (b, c) = (B.pointee, C.pointee)
  for n in 0..<Int(N) { D[n * ID] = A[n * IA] * b + c }
}

/// E = A b + C d.
public func vDSP_vsmsma(
  _ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ B: UnsafePointer<Float>,
  _ C: UnsafePointer<Float>, _ IC: vDSP_Stride, _ D: UnsafePointer<Float>,
  _ E: UnsafeMutablePointer<Float>, _ IE: vDSP_Stride,
  _ N: vDSP_Length
) {
  let (b, d) = (B.pointee, D.pointee)
  for n in 0..<Int(N) { E[n * IE] = A[n * IA] * b + C[n * IC] * d }
}

/// D = A B + C.
public func vDSP_vma(
  _ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ B: UnsafePointer<Float>, _ IB: vDSP_Stride,
  _ C: UnsafePointer<Float>, _ IC: vDSP_Stride, _ D: UnsafeMutablePointer<Float>, _ ID: vDSP_Stride,
  _ N: vDSP_Length
) {
  for n in 0..<Int(N) { D[n * ID] = A[n * IA] * B[n * IB] + C[n * IC] }
}

/// D = A + c (B - A).
public func vDSP_vintb(
  _ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ B: UnsafePointer<Float>, _ IB: vDSP_Stride,
  _ C: UnsafePointer<Float>, _ D: UnsafeMutablePointer<Float>, _ ID: vDSP_Stride, _ N: vDSP_Length
) {
  let c = C.pointee
  for n in 0..<Int(N) { D[n * ID] = A[n * IA] + c * (B[n * IB] - A[n * IA]) }
}

/// Values between b and c.
public func vDSP_vclip(
  _ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ B: UnsafePointer<Float>,
  _ C: UnsafePointer<Float>, _ D: UnsafeMutablePointer<Float>, _ ID: vDSP_Stride, _ N: vDSP_Length
) {
  let (low, high) = (B.pointee, C.pointee)
  for n in 0..<Int(N) { D[n * ID] = Swift.min(Swift.max(A[n * IA], low), high) }
}

/// The sum of the products.
public func vDSP_dotpr(
  _ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ B: UnsafePointer<Float>, _ IB: vDSP_Stride,
  _ C: UnsafeMutablePointer<Float>, _ N: vDSP_Length
) {
  var sum: Float = 0
  for n in 0..<Int(N) { sum += A[n * IA] * B[n * IB] }
  C.pointee = sum
}

/// The sum of the squares of the differences.
public func vDSP_distancesq(
  _ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ B: UnsafePointer<Float>, _ IB: vDSP_Stride,
  _ C: UnsafeMutablePointer<Float>, _ N: vDSP_Length
) {
  var sum: Float = 0
  for n in 0..<Int(N) { sum += (A[n * IA] - B[n * IB]) * (A[n * IA] - B[n * IB]) }
  C.pointee = sum
}

/// The values in reverse order, in place.
public func vDSP_vrvrs(_ C: UnsafeMutablePointer<Float>, _ IC: vDSP_Stride, _ N: vDSP_Length) {
  let count = Int(N)
  for n in 0..<count / 2 {
    (C[n * IC], C[(count - 1 - n) * IC]) = (C[(count - 1 - n) * IC], C[n * IC])
  }
}

/// The values in order, in place: 1 rises, -1 falls.
public func vDSP_vsort(_ C: UnsafeMutablePointer<Float>, _ N: vDSP_Length, _ order: Int32) {
  var values = UnsafeMutableBufferPointer(start: C, count: Int(N))
  if order >= 0 { values.sort() } else { values.sort(by: >) }
}

/// Decibels over a reference: flag 0 of powers, 1 of amplitudes.
public func vDSP_vdbcon(
  _ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ B: UnsafePointer<Float>,
  _ C: UnsafeMutablePointer<Float>, _ IC: vDSP_Stride, _ N: vDSP_Length, _ flag: UInt32
) {
  let (reference, factor): (Float, Float) = (B.pointee, flag == 0 ? 10 : 20)
  for n in 0..<Int(N) { C[n * IC] = factor * Float.log10(A[n * IA] / reference) }
}

/// A filter of P taps at every D-th sample.
public func vDSP_desamp(
  _ A: UnsafePointer<Float>, _ decimation: vDSP_Stride, _ F: UnsafePointer<Float>,
  _ C: UnsafeMutablePointer<Float>, _ N: vDSP_Length, _ taps: vDSP_Length
) {
  for n in 0..<Int(N) {
    var sum: Float = 0
    for p in 0..<Int(taps) { sum += A[n * decimation + p] * F[p] }
    C[n] = sum
  }
}

/// Correlation, or with a negative stride of the filter convolution: C[n] = sum of A[n + p] F[p].
public func vDSP_conv(
  _ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ F: UnsafePointer<Float>, _ IF: vDSP_Stride,
  _ C: UnsafeMutablePointer<Float>, _ IC: vDSP_Stride, _ N: vDSP_Length,
  _ taps: vDSP_Length
) {
  for n in 0..<Int(N) {
    var sum: Float = 0
    for p in 0..<Int(taps) { sum += A[(n + p) * IA] * F[p * IF] }
    C[n * IC] = sum
  }
}

/// The product of a matrix of M rows and P columns and one of P rows and N columns.
public func vDSP_mmul(
  _ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ B: UnsafePointer<Float>, _ IB: vDSP_Stride,
  _ C: UnsafeMutablePointer<Float>, _ IC: vDSP_Stride, _ M: vDSP_Length,
  _ N: vDSP_Length, _ P: vDSP_Length
) {
  let (rows, columns, inner) = (Int(M), Int(N), Int(P))
  for row in 0..<rows {
    for column in 0..<columns { C[(row * columns + column) * IC] = 0 }
    for place in 0..<inner {
      let factor = A[(row * inner + place) * IA]
      for column in 0..<columns {
        C[(row * columns + column) * IC] += factor * B[(place * columns + column) * IB]
      }
    }
  }
}

/// A part of a matrix, copied: columns and rows of it, and the columns of both.
public func vDSP_mmov(
  _ A: UnsafePointer<Float>, _ C: UnsafeMutablePointer<Float>, _ M: vDSP_Length, _ N: vDSP_Length,
  _ TA: vDSP_Length, _ TC: vDSP_Length
) {
  for row in 0..<Int(N) {
    for column in 0..<Int(M) { C[row * Int(TC) + column] = A[row * Int(TA) + column] }
  }
}

/// The other way round: M rows and N columns of the result.
public func vDSP_mtrans(
  _ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Float>, _ IC: vDSP_Stride,
  _ M: vDSP_Length, _ N: vDSP_Length
) {
  for row in 0..<Int(M) {
    for column in 0..<Int(N) { C[(row * Int(N) + column) * IC] = A[(column * Int(M) + row) * IA] }
  }
}

/// Pairs of real and imaginary parts into two vectors; the stride counts numbers.
public func vDSP_ctoz(
  _ C: UnsafePointer<DSPComplex>, _ IC: vDSP_Stride, _ Z: UnsafePointer<DSPSplitComplex>,
  _ IZ: vDSP_Stride, _ N: vDSP_Length
) {
  for n in 0..<Int(N) {
    Z.pointee.realp[n * IZ] = C[n * IC / 2].real
    Z.pointee.imagp[n * IZ] = C[n * IC / 2].imag
  }
}

/// Two vectors into pairs of real and imaginary parts; the stride counts numbers.
public func vDSP_ztoc(
  _ Z: UnsafePointer<DSPSplitComplex>, _ IZ: vDSP_Stride, _ C: UnsafeMutablePointer<DSPComplex>,
  _ IC: vDSP_Stride, _ N: vDSP_Length
) {
  for n in 0..<Int(N) {
    C[n * IC / 2] = DSPComplex(real: Z.pointee.realp[n * IZ], imag: Z.pointee.imagp[n * IZ])
  }
}

/// Squared magnitudes.
public func vDSP_zvmags(
  _ A: UnsafePointer<DSPSplitComplex>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Float>,
  _ IC: vDSP_Stride, _ N: vDSP_Length
) {
  let (real, imaginary) = (A.pointee.realp, A.pointee.imagp)
  for n in 0..<Int(N) {
    C[n * IC] = real[n * IA] * real[n * IA] + imaginary[n * IA] * imaginary[n * IA]
  }
}

/// Magnitudes.
public func vDSP_zvabs(
  _ A: UnsafePointer<DSPSplitComplex>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Float>,
  _ IC: vDSP_Stride, _ N: vDSP_Length
) {
  vDSP_zvmags(A, IA, C, IC, N)
  for n in 0..<Int(N) { C[n * IC] = C[n * IC].squareRoot() }
}

/// Angles.
public func vDSP_zvphas(
  _ A: UnsafePointer<DSPSplitComplex>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Float>,
  _ IC: vDSP_Stride, _ N: vDSP_Length
) {
  for n in 0..<Int(N) { C[n * IC] = Float.atan2(A.pointee.imagp[n * IA], A.pointee.realp[n * IA]) }
}

/// Complex numbers times one.
public func vDSP_zvzsml(
  _ A: UnsafePointer<DSPSplitComplex>, _ IA: vDSP_Stride, _ B: UnsafePointer<DSPSplitComplex>,
  _ C: UnsafePointer<DSPSplitComplex>,
  _ IC: vDSP_Stride, _ N: vDSP_Length
) {
  let (real, imaginary) = (B.pointee.realp[0], B.pointee.imagp[0])
  for n in 0..<Int(N) {
    let (x, y) = (A.pointee.realp[n * IA], A.pointee.imagp[n * IA])
    C.pointee.realp[n * IC] = x * real - y * imaginary
    C.pointee.imagp[n * IC] = x * imaginary + y * real
  }
}

/// A window of Hann: vDSP_HANN_NORM has a mean square of 1, vDSP_HALF_WINDOW its first half alone.
public func vDSP_hann_window(_ C: UnsafeMutablePointer<Float>, _ N: vDSP_Length, _ flag: Int32) {
  raisedCosine(C, Int(N), flag, 0.5, normal: (Float(8) / 3).squareRoot())
}

/// A window of Hamming; vDSP_HALF_WINDOW is its first half alone.
public func vDSP_hamm_window(_ C: UnsafeMutablePointer<Float>, _ N: vDSP_Length, _ flag: Int32) {
  raisedCosine(C, Int(N), flag, 0.54, normal: 1)
}

/// A window of Blackman; vDSP_HALF_WINDOW is its first half alone.
public func vDSP_blkman_window(_ C: UnsafeMutablePointer<Float>, _ N: vDSP_Length, _ flag: Int32) {
  for n in 0..<windowCount(Int(N), flag) {
    let angle = 2 * Float.pi * Float(n) / Float(N)
    C[n] = 0.42 - 0.5 * Float.cos(angle) + 0.08 * Float.cos(2 * angle)
  }
}
