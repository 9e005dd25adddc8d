// Functions of vectors in double precision.
// SPDX-License-Identifier: Apache-2.0

/// C = A + B.
public func vDSP_vaddD(
  _ A: UnsafePointer<Double>, _ IA: vDSP_Stride, _ B: UnsafePointer<Double>, _ IB: vDSP_Stride,
  _ C: UnsafeMutablePointer<Double>, _ IC: vDSP_Stride,
  _ N: vDSP_Length
) {
  for n in 0..<Int(N) { C[n * IC] = A[n * IA] + B[n * IB] }
}

/// C = A - B; B comes first.
public func vDSP_vsubD(
  _ B: UnsafePointer<Double>, _ IB: vDSP_Stride, _ A: UnsafePointer<Double>, _ IA: vDSP_Stride,
  _ C: UnsafeMutablePointer<Double>, _ IC: vDSP_Stride,
  _ N: vDSP_Length
) {
  for n in 0..<Int(N) { C[n * IC] = A[n * IA] - B[n * IB] }
}

/// C = A B.
public func vDSP_vmulD(
  _ A: UnsafePointer<Double>, _ IA: vDSP_Stride, _ B: UnsafePointer<Double>, _ IB: vDSP_Stride,
  _ C: UnsafeMutablePointer<Double>, _ IC: vDSP_Stride,
  _ N: vDSP_Length
) {
  for n in 0..<Int(N) { C[n * IC] = A[n * IA] * B[n * IB] }
}

/// C = A / B; B comes first.
public func vDSP_vdivD(
  _ B: UnsafePointer<Double>, _ IB: vDSP_Stride, _ A: UnsafePointer<Double>, _ IA: vDSP_Stride,
  _ C: UnsafeMutablePointer<Double>, _ IC: vDSP_Stride,
  _ N: vDSP_Length
) {
  for n in 0..<Int(N) { C[n * IC] = A[n * IA] / B[n * IB] }
}

/// The larger of both.
public func vDSP_vmaxD(
  _ A: UnsafePointer<Double>, _ IA: vDSP_Stride, _ B: UnsafePointer<Double>, _ IB: vDSP_Stride,
  _ C: UnsafeMutablePointer<Double>, _ IC: vDSP_Stride,
  _ N: vDSP_Length
) {
  for n in 0..<Int(N) { C[n * IC] = Swift.max(A[n * IA], B[n * IB]) }
}

/// The smaller of both.
public func vDSP_vminD(
  _ A: UnsafePointer<Double>, _ IA: vDSP_Stride, _ B: UnsafePointer<Double>, _ IB: vDSP_Stride,
  _ C: UnsafeMutablePointer<Double>, _ IC: vDSP_Stride,
  _ N: vDSP_Length
) {
  for n in 0..<Int(N) { C[n * IC] = Swift.min(A[n * IA], B[n * IB]) }
}

/// The root of the sum of both squares.
public func vDSP_vdistD(
  _ A: UnsafePointer<Double>, _ IA: vDSP_Stride, _ B: UnsafePointer<Double>, _ IB: vDSP_Stride,
  _ C: UnsafeMutablePointer<Double>, _ IC: vDSP_Stride,
  _ N: vDSP_Length
) {
  for n in 0..<Int(N) { C[n * IC] = (A[n * IA] * A[n * IA] + B[n * IB] * B[n * IB]).squareRoot() }
}

/// Squares.
public func vDSP_vsqD(
  _ A: UnsafePointer<Double>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Double>,
  _ IC: vDSP_Stride, _ N: vDSP_Length
) {
  for n in 0..<Int(N) { C[n * IC] = A[n * IA] * A[n * IA] }
}

/// Squares with their sign.
public func vDSP_vssqD(
  _ A: UnsafePointer<Double>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Double>,
  _ IC: vDSP_Stride, _ N: vDSP_Length
) {
  for n in 0..<Int(N) { C[n * IC] = A[n * IA] * Swift.abs(A[n * IA]) }
}

/// Absolute values.
public func vDSP_vabsD(
  _ A: UnsafePointer<Double>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Double>,
  _ IC: vDSP_Stride, _ N: vDSP_Length
) {
  for n in 0..<Int(N) { C[n * IC] = Swift.abs(A[n * IA]) }
}

/// Values of the other sign.
public func vDSP_vnegD(
  _ A: UnsafePointer<Double>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Double>,
  _ IC: vDSP_Stride, _ N: vDSP_Length
) {
  for n in 0..<Int(N) { C[n * IC] = -A[n * IA] }
}

/// Fractions.
public func vDSP_vfracD(
  _ A: UnsafePointer<Double>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Double>,
  _ IC: vDSP_Stride, _ N: vDSP_Length
) {
  for n in 0..<Int(N) { C[n * IC] = A[n * IA] - A[n * IA].rounded(.towardZero) }
}

/// C = A + b.
public func vDSP_vsaddD(
  _ A: UnsafePointer<Double>, _ IA: vDSP_Stride, _ B: UnsafePointer<Double>,
  _ C: UnsafeMutablePointer<Double>, _ IC: vDSP_Stride, _ N: vDSP_Length
) {
  let b = B.pointee
  for n in 0..<Int(N) { C[n * IC] = A[n * IA] + b }
}

/// C = A b.
public func vDSP_vsmulD(
  _ A: UnsafePointer<Double>, _ IA: vDSP_Stride, _ B: UnsafePointer<Double>,
  _ C: UnsafeMutablePointer<Double>, _ IC: vDSP_Stride, _ N: vDSP_Length
) {
  let b = B.pointee
  for n in 0..<Int(N) { C[n * IC] = A[n * IA] * b }
}

/// C = A / b.
public func vDSP_vsdivD(
  _ A: UnsafePointer<Double>, _ IA: vDSP_Stride, _ B: UnsafePointer<Double>,
  _ C: UnsafeMutablePointer<Double>, _ IC: vDSP_Stride, _ N: vDSP_Length
) {
  let b = B.pointee
  for n in 0..<Int(N) { C[n * IC] = A[n * IA] / b }
}

/// Values not below b.
public func vDSP_vthrD(
  _ A: UnsafePointer<Double>, _ IA: vDSP_Stride, _ B: UnsafePointer<Double>,
  _ C: UnsafeMutablePointer<Double>, _ IC: vDSP_Stride, _ N: vDSP_Length
) {
  let b = B.pointee
  for n in 0..<Int(N) { C[n * IC] = A[n * IA] >= b ? A[n * IA] : b }
}

/// Values not below b, the others 0.
public func vDSP_vthresD(
  _ A: UnsafePointer<Double>, _ IA: vDSP_Stride, _ B: UnsafePointer<Double>,
  _ C: UnsafeMutablePointer<Double>, _ IC: vDSP_Stride, _ N: vDSP_Length
) {
  let b = B.pointee
  for n in 0..<Int(N) { C[n * IC] = A[n * IA] >= b ? A[n * IA] : 0 }
}

/// The sum.
public func vDSP_sveD(
  _ A: UnsafePointer<Double>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Double>, _ N: vDSP_Length
) {
  var sum: Double = 0
  for n in 0..<Int(N) { sum += A[n * IA] }
  C.pointee = sum
}

/// The sum of the squares.
public func vDSP_svesqD(
  _ A: UnsafePointer<Double>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Double>, _ N: vDSP_Length
) {
  var sum: Double = 0
  for n in 0..<Int(N) { sum += A[n * IA] * A[n * IA] }
  C.pointee = sum
}

/// The sum of the magnitudes.
public func vDSP_svemgD(
  _ A: UnsafePointer<Double>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Double>, _ N: vDSP_Length
) {
  var sum: Double = 0
  for n in 0..<Int(N) { sum += Swift.abs(A[n * IA]) }
  C.pointee = sum
}

/// The mean.
public func vDSP_meanvD(
  _ A: UnsafePointer<Double>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Double>, _ N: vDSP_Length
) {
  var sum: Double = 0
  for n in 0..<Int(N) { sum += A[n * IA] }
  C.pointee = sum / Double(N)
}

/// The mean of the magnitudes.
public func vDSP_meamgvD(
  _ A: UnsafePointer<Double>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Double>, _ N: vDSP_Length
) {
  var sum: Double = 0
  for n in 0..<Int(N) { sum += Swift.abs(A[n * IA]) }
  C.pointee = sum / Double(N)
}

/// The mean of the squares.
public func vDSP_measqvD(
  _ A: UnsafePointer<Double>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Double>, _ N: vDSP_Length
) {
  var sum: Double = 0
  for n in 0..<Int(N) { sum += A[n * IA] * A[n * IA] }
  C.pointee = sum / Double(N)
}

/// The root of the mean of the squares.
public func vDSP_rmsqvD(
  _ A: UnsafePointer<Double>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Double>, _ N: vDSP_Length
) {
  var sum: Double = 0
  for n in 0..<Int(N) { sum += A[n * IA] * A[n * IA] }
  C.pointee = (sum / Double(N)).squareRoot()
}

/// The largest value.
public func vDSP_maxvD(
  _ A: UnsafePointer<Double>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Double>, _ N: vDSP_Length
) {
  var best = -Double.infinity
  for n in 0..<Int(N) { best = Swift.max(best, A[n * IA]) }
  C.pointee = best
}

/// The smallest value.
public func vDSP_minvD(
  _ A: UnsafePointer<Double>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Double>, _ N: vDSP_Length
) {
  var best = Double.infinity
  for n in 0..<Int(N) { best = Swift.min(best, A[n * IA]) }
  C.pointee = best
}

/// The largest magnitude.
public func vDSP_maxmgvD(
  _ A: UnsafePointer<Double>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Double>, _ N: vDSP_Length
) {
  var best: Double = 0
  for n in 0..<Int(N) { best = Swift.max(best, Swift.abs(A[n * IA])) }
  C.pointee = best
}

/// The smallest magnitude.
public func vDSP_minmgvD(
  _ A: UnsafePointer<Double>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Double>, _ N: vDSP_Length
) {
  var best = Double.infinity
  for n in 0..<Int(N) { best = Swift.min(best, Swift.abs(A[n * IA])) }
  C.pointee = best
}

/// The largest value and its index. The index counts elements in memory: it is multiplied by the stride.
public func vDSP_maxviD(
  _ A: UnsafePointer<Double>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Double>,
  _ I: UnsafeMutablePointer<vDSP_Length>, _ N: vDSP_Length
) {
  var best: Double = -Double.infinity
  var place = 0
  for n in 0..<Int(N) where A[n * IA] > best {
    best = A[n * IA]
    place = n
  }
  C.pointee = best
  I.pointee = vDSP_Length(place * IA)
}

/// The smallest value and its index. The index counts elements in memory: it is multiplied by the stride.
public func vDSP_minviD(
  _ A: UnsafePointer<Double>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Double>,
  _ I: UnsafeMutablePointer<vDSP_Length>, _ N: vDSP_Length
) {
  var best: Double = Double.infinity
  var place = 0
  for n in 0..<Int(N) where A[n * IA] < best {
    best = A[n * IA]
    place = n
  }
  C.pointee = best
  I.pointee = vDSP_Length(place * IA)
}

/// The largest magnitude and its index. The index counts elements in memory: it is multiplied by the stride.
public func vDSP_maxmgviD(
  _ A: UnsafePointer<Double>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Double>,
  _ I: UnsafeMutablePointer<vDSP_Length>, _ N: vDSP_Length
) {
  var best: Double = 0
  var place = 0
  for n in 0..<Int(N) where Swift.abs(A[n * IA]) > best {
    best = Swift.abs(A[n * IA])
    place = n
  }
  C.pointee = best
  I.pointee = vDSP_Length(place * IA)
}

/// Zeros.
public func vDSP_vclrD(_ C: UnsafeMutablePointer<Double>, _ IC: vDSP_Stride, _ N: vDSP_Length) {
  for n in 0..<Int(N) { C[n * IC] = 0 }
}

/// One value in all places.
public func vDSP_vfillD(
  _ A: UnsafePointer<Double>, _ C: UnsafeMutablePointer<Double>, _ IC: vDSP_Stride, _ N: vDSP_Length
) {
  let a = A.pointee
  for n in 0..<Int(N) { C[n * IC] = a }
}

/// A + n B.
public func vDSP_vrampD(
  _ A: UnsafePointer<Double>, _ B: UnsafePointer<Double>, _ C: UnsafeMutablePointer<Double>,
  _ IC: vDSP_Stride, _ N: vDSP_Length
) {
  let (a, b) = (A.pointee, B.pointee)
  for n in 0..<Int(N) { C[n * IC] = a + Double(n) * b }
}

/// Values from A to B in even steps.
public func vDSP_vgenD(
  _ A: UnsafePointer<Double>, _ B: UnsafePointer<Double>, _ C: UnsafeMutablePointer<Double>,
  _ IC: vDSP_Stride, _ N: vDSP_Length
) {
  let step = N > 1 ? (B.pointee - A.pointee) / Double(N - 1) : 0
  let a = A.pointee
  for n in 0..<Int(N) { C[n * IC] = a + Double(n) * step }
}

/// D = A b + C.
public func vDSP_vsmaD(
  _ A: UnsafePointer<Double>, _ IA: vDSP_Stride, _ B: UnsafePointer<Double>,
  _ C: UnsafePointer<Double>, _ IC: vDSP_Stride, _ D: UnsafeMutablePointer<Double>,
  _ ID: vDSP_Stride, _ N: vDSP_Length
) {
  let b = B.pointee
  for n in 0..<Int(N) { D[n * ID] = A[n * IA] * b + C[n * IC] }
}

/// D = A b + c.
public func vDSP_vsmsaD(
  _ A: UnsafePointer<Double>, _ IA: vDSP_Stride, _ B: UnsafePointer<Double>,
  _ C: UnsafePointer<Double>, _ D: UnsafeMutablePointer<Double>, _ ID: vDSP_Stride, _ N: vDSP_Length
) {
  let (b, c) = (B.pointee, C.pointee)
  for n in 0..<Int(N) { D[n * ID] = A[n * IA] * b + c }
}

/// E = A b + C d.
public func vDSP_vsmsmaD(
  _ A: UnsafePointer<Double>, _ IA: vDSP_Stride, _ B: UnsafePointer<Double>,
  _ C: UnsafePointer<Double>, _ IC: vDSP_Stride, _ D: UnsafePointer<Double>,
  _ E: UnsafeMutablePointer<Double>, _ IE: vDSP_Stride,
  _ N: vDSP_Length
) {
  let (b, d) = (B.pointee, D.pointee)
  for n in 0..<Int(N) { E[n * IE] = A[n * IA] * b + C[n * IC] * d }
}

/// D = A B + C.
public func vDSP_vmaD(
  _ A: UnsafePointer<Double>, _ IA: vDSP_Stride, _ B: UnsafePointer<Double>, _ IB: vDSP_Stride,
  _ C: UnsafePointer<Double>, _ IC: vDSP_Stride, _ D: UnsafeMutablePointer<Double>,
  _ ID: vDSP_Stride,
  _ N: vDSP_Length
) {
  for n in 0..<Int(N) { D[n * ID] = A[n * IA] * B[n * IB] + C[n * IC] }
}

/// D = A + c (B - A).
public func vDSP_vintbD(
  _ A: UnsafePointer<Double>, _ IA: vDSP_Stride, _ B: UnsafePointer<Double>, _ IB: vDSP_Stride,
  _ C: UnsafePointer<Double>, _ D: UnsafeMutablePointer<Double>, _ ID: vDSP_Stride, _ N: vDSP_Length
) {
  let c = C.pointee
  for n in 0..<Int(N) { D[n * ID] = A[n * IA] + c * (B[n * IB] - A[n * IA]) }
}

/// Values between b and c.
public func vDSP_vclipD(
  _ A: UnsafePointer<Double>, _ IA: vDSP_Stride, _ B: UnsafePointer<Double>,
  _ C: UnsafePointer<Double>, _ D: UnsafeMutablePointer<Double>, _ ID: vDSP_Stride, _ N: vDSP_Length
) {
  let (low, high) = (B.pointee, C.pointee)
  for n in 0..<Int(N) { D[n * ID] = Swift.min(Swift.max(A[n * IA], low), high) }
}

/// The sum of the products.
public func vDSP_dotprD(
  _ A: UnsafePointer<Double>, _ IA: vDSP_Stride, _ B: UnsafePointer<Double>, _ IB: vDSP_Stride,
  _ C: UnsafeMutablePointer<Double>, _ N: vDSP_Length
) {
  var sum: Double = 0
  for n in 0..<Int(N) { sum += A[n * IA] * B[n * IB] }
  C.pointee = sum
}

/// The sum of the squares of the differences.
public func vDSP_distancesqD(
  _ A: UnsafePointer<Double>, _ IA: vDSP_Stride, _ B: UnsafePointer<Double>, _ IB: vDSP_Stride,
  _ C: UnsafeMutablePointer<Double>, _ N: vDSP_Length
) {
  var sum: Double = 0
  for n in 0..<Int(N) { sum += (A[n * IA] - B[n * IB]) * (A[n * IA] - B[n * IB]) }
  C.pointee = sum
}

/// The values in reverse order, in place.
public func vDSP_vrvrsD(_ C: UnsafeMutablePointer<Double>, _ IC: vDSP_Stride, _ N: vDSP_Length) {
  let count = Int(N)
  for n in 0..<count / 2 {
    (C[n * IC], C[(count - 1 - n) * IC]) = (C[(count - 1 - n) * IC], C[n * IC])
  }
}

/// The values in order, in place: 1 rises, -1 falls.
public func vDSP_vsortD(_ C: UnsafeMutablePointer<Double>, _ N: vDSP_Length, _ order: Int32) {
  var values = UnsafeMutableBufferPointer(start: C, count: Int(N))
  if order >= 0 { values.sort() } else { values.sort(by: >) }
}

/// Decibels over a reference: flag 0 of powers, 1 of amplitudes.
public func vDSP_vdbconD(
  _ A: UnsafePointer<Double>, _ IA: vDSP_Stride, _ B: UnsafePointer<Double>,
  _ C: UnsafeMutablePointer<Double>, _ IC: vDSP_Stride, _ N: vDSP_Length, _ flag: UInt32
) {
  let (reference, factor): (Double, Double) = (B.pointee, flag == 0 ? 10 : 20)
  for n in 0..<Int(N) { C[n * IC] = factor * Double.log10(A[n * IA] / reference) }
}

/// A filter of P taps at every D-th sample.
public func vDSP_desampD(
  _ A: UnsafePointer<Double>, _ decimation: vDSP_Stride, _ F: UnsafePointer<Double>,
  _ C: UnsafeMutablePointer<Double>, _ N: vDSP_Length, _ taps: vDSP_Length
) {
  for n in 0..<Int(N) {
    var sum: Double = 0
    for p in 0..<Int(taps) { sum += A[n * decimation + p] * F[p] }
    C[n] = sum
  }
}

/// Correlation, or with a negative stride of the filter convolution: C[n] = sum of A[n + p] F[p].
public func vDSP_convD(
  _ A: UnsafePointer<Double>, _ IA: vDSP_Stride, _ F: UnsafePointer<Double>, _ IF: vDSP_Stride,
  _ C: UnsafeMutablePointer<Double>, _ IC: vDSP_Stride, _ N: vDSP_Length,
  _ taps: vDSP_Length
) {
  for n in 0..<Int(N) {
    var sum: Double = 0
    for p in 0..<Int(taps) { sum += A[(n + p) * IA] * F[p * IF] }
    C[n * IC] = sum
  }
}

/// The product of a matrix of M rows and P columns and one of P rows and N columns.
public func vDSP_mmulD(
  _ A: UnsafePointer<Double>, _ IA: vDSP_Stride, _ B: UnsafePointer<Double>, _ IB: vDSP_Stride,
  _ C: UnsafeMutablePointer<Double>, _ IC: vDSP_Stride, _ M: vDSP_Length,
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
public func vDSP_mmovD(
  _ A: UnsafePointer<Double>, _ C: UnsafeMutablePointer<Double>, _ M: vDSP_Length, _ N: vDSP_Length,
  _ TA: vDSP_Length, _ TC: vDSP_Length
) {
  for row in 0..<Int(N) {
    for column in 0..<Int(M) { C[row * Int(TC) + column] = A[row * Int(TA) + column] }
  }
}

/// The other way round: M rows and N columns of the result.
public func vDSP_mtransD(
  _ A: UnsafePointer<Double>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Double>,
  _ IC: vDSP_Stride, _ M: vDSP_Length, _ N: vDSP_Length
) {
  for row in 0..<Int(M) {
    for column in 0..<Int(N) { C[(row * Int(N) + column) * IC] = A[(column * Int(M) + row) * IA] }
  }
}

/// Pairs of real and imaginary parts into two vectors; the stride counts numbers.
public func vDSP_ctozD(
  _ C: UnsafePointer<DSPDoubleComplex>, _ IC: vDSP_Stride,
  _ Z: UnsafePointer<DSPDoubleSplitComplex>, _ IZ: vDSP_Stride, _ N: vDSP_Length
) {
  for n in 0..<Int(N) {
    Z.pointee.realp[n * IZ] = C[n * IC / 2].real
    Z.pointee.imagp[n * IZ] = C[n * IC / 2].imag
  }
}

/// Two vectors into pairs of real and imaginary parts; the stride counts numbers.
public func vDSP_ztocD(
  _ Z: UnsafePointer<DSPDoubleSplitComplex>, _ IZ: vDSP_Stride,
  _ C: UnsafeMutablePointer<DSPDoubleComplex>, _ IC: vDSP_Stride, _ N: vDSP_Length
) {
  for n in 0..<Int(N) {
    C[n * IC / 2] = DSPDoubleComplex(real: Z.pointee.realp[n * IZ], imag: Z.pointee.imagp[n * IZ])
  }
}

/// Squared magnitudes.
public func vDSP_zvmagsD(
  _ A: UnsafePointer<DSPDoubleSplitComplex>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Double>,
  _ IC: vDSP_Stride, _ N: vDSP_Length
) {
  let (real, imaginary) = (A.pointee.realp, A.pointee.imagp)
  for n in 0..<Int(N) {
    C[n * IC] = real[n * IA] * real[n * IA] + imaginary[n * IA] * imaginary[n * IA]
  }
}

/// Magnitudes.
public func vDSP_zvabsD(
  _ A: UnsafePointer<DSPDoubleSplitComplex>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Double>,
  _ IC: vDSP_Stride, _ N: vDSP_Length
) {
  vDSP_zvmagsD(A, IA, C, IC, N)
  for n in 0..<Int(N) { C[n * IC] = C[n * IC].squareRoot() }
}

/// Angles.
public func vDSP_zvphasD(
  _ A: UnsafePointer<DSPDoubleSplitComplex>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Double>,
  _ IC: vDSP_Stride, _ N: vDSP_Length
) {
  for n in 0..<Int(N) { C[n * IC] = Double.atan2(A.pointee.imagp[n * IA], A.pointee.realp[n * IA]) }
}

/// Complex numbers times one.
public func vDSP_zvzsmlD(
  _ A: UnsafePointer<DSPDoubleSplitComplex>, _ IA: vDSP_Stride,
  _ B: UnsafePointer<DSPDoubleSplitComplex>, _ C: UnsafePointer<DSPDoubleSplitComplex>,
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
public func vDSP_hann_windowD(_ C: UnsafeMutablePointer<Double>, _ N: vDSP_Length, _ flag: Int32) {
  raisedCosine(C, Int(N), flag, 0.5, normal: (Double(8) / 3).squareRoot())
}

/// A window of Hamming; vDSP_HALF_WINDOW is its first half alone.
public func vDSP_hamm_windowD(_ C: UnsafeMutablePointer<Double>, _ N: vDSP_Length, _ flag: Int32) {
  raisedCosine(C, Int(N), flag, 0.54, normal: 1)
}

/// A window of Blackman; vDSP_HALF_WINDOW is its first half alone.
public func vDSP_blkman_windowD(_ C: UnsafeMutablePointer<Double>, _ N: vDSP_Length, _ flag: Int32)
{
  for n in 0..<windowCount(Int(N), flag) {
    let angle = 2 * Double.pi * Double(n) / Double(N)
    C[n] = 0.42 - 0.5 * Double.cos(angle) + 0.08 * Double.cos(2 * angle)
  }
}
