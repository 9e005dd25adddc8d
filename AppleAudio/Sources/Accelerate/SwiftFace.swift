// The functions of vDSP as generic ones of Swift, and those of vForce.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Functions of vectors.
public enum vDSP {
  /// The sequences of windows.
  public enum WindowSequence: Sendable {
    /// Hann's, with a mean square of 1.
    case hanningNormalized
    /// Hann's, with a peak of 1.
    case hanningDenormalized
    /// Hamming's.
    case hamming
    /// Blackman's.
    case blackman
  }
  /// The way in which numbers are rounded to whole ones.
  public enum RoundingMode: Sendable {
    /// Towards zero.
    case towardZero
    /// To the nearest.
    case towardNearestInteger
  }
}

/// Elementary functions of vectors.
public enum vForce {}

/// A vector that a function makes.
private func made<Value>(_ count: Int, _ body: (UnsafeMutablePointer<Value>) -> Void) -> [Value] {
  [Value](unsafeUninitializedCapacity: count) { buffer, made in
    if let start = buffer.baseAddress { body(start) }
    made = count
  }
}

/// The elements of a vector, or nothing of an empty one.
private func read<Vector: AccelerateBuffer, Result>(
  _ vector: Vector, _ empty: Result, _ body: (UnsafePointer<Vector.Element>, vDSP_Length) -> Result
) -> Result {
  vector.withUnsafeBufferPointer { elements in
    elements.baseAddress.map { body($0, vDSP_Length(elements.count)) } ?? empty
  }
}

/// The place of a vector that a function fills.
private func write<Vector: AccelerateMutableBuffer>(
  _ vector: inout Vector, _ count: Int,
  _ body: (UnsafeMutablePointer<Vector.Element>, vDSP_Length) -> Void
) {
  precondition(vector.count == count, "vectors must have the same count")
  vector.withUnsafeMutableBufferPointer { elements in
    if let start = elements.baseAddress { body(start, vDSP_Length(count)) }
  }
}

extension vDSP {
  /// The sum.
  public static func sum<Vector: AccelerateBuffer>(_ vector: Vector) -> Float
  where Vector.Element == Float {
    read(vector, 0) { start, count in
      var result: Float = 0
      vDSP_sve(start, 1, &result, count)
      return result
    }
  }
  /// The sum of the squares.
  public static func sumOfSquares<Vector: AccelerateBuffer>(_ vector: Vector) -> Float
  where Vector.Element == Float {
    read(vector, 0) { start, count in
      var result: Float = 0
      vDSP_svesq(start, 1, &result, count)
      return result
    }
  }
  /// The sum of the magnitudes.
  public static func sumOfMagnitudes<Vector: AccelerateBuffer>(_ vector: Vector) -> Float
  where Vector.Element == Float {
    read(vector, 0) { start, count in
      var result: Float = 0
      vDSP_svemg(start, 1, &result, count)
      return result
    }
  }
  /// The mean.
  public static func mean<Vector: AccelerateBuffer>(_ vector: Vector) -> Float
  where Vector.Element == Float {
    read(vector, .nan) { start, count in
      var result: Float = 0
      vDSP_meanv(start, 1, &result, count)
      return result
    }
  }
  /// The mean of the magnitudes.
  public static func meanMagnitude<Vector: AccelerateBuffer>(_ vector: Vector) -> Float
  where Vector.Element == Float {
    read(vector, .nan) { start, count in
      var result: Float = 0
      vDSP_meamgv(start, 1, &result, count)
      return result
    }
  }
  /// The mean of the squares.
  public static func meanSquare<Vector: AccelerateBuffer>(_ vector: Vector) -> Float
  where Vector.Element == Float {
    read(vector, .nan) { start, count in
      var result: Float = 0
      vDSP_measqv(start, 1, &result, count)
      return result
    }
  }
  /// The root of the mean of the squares.
  public static func rootMeanSquare<Vector: AccelerateBuffer>(_ vector: Vector) -> Float
  where Vector.Element == Float {
    read(vector, .nan) { start, count in
      var result: Float = 0
      vDSP_rmsqv(start, 1, &result, count)
      return result
    }
  }
  /// The largest value.
  public static func maximum<Vector: AccelerateBuffer>(_ vector: Vector) -> Float
  where Vector.Element == Float {
    read(vector, -.infinity) { start, count in
      var result: Float = 0
      vDSP_maxv(start, 1, &result, count)
      return result
    }
  }
  /// The smallest value.
  public static func minimum<Vector: AccelerateBuffer>(_ vector: Vector) -> Float
  where Vector.Element == Float {
    read(vector, .infinity) { start, count in
      var result: Float = 0
      vDSP_minv(start, 1, &result, count)
      return result
    }
  }
  /// The largest magnitude.
  public static func maximumMagnitude<Vector: AccelerateBuffer>(_ vector: Vector) -> Float
  where Vector.Element == Float {
    read(vector, 0) { start, count in
      var result: Float = 0
      vDSP_maxmgv(start, 1, &result, count)
      return result
    }
  }
  /// The largest value, and its index.
  public static func indexOfMaximum<Vector: AccelerateBuffer>(_ vector: Vector) -> (UInt, Float)
  where Vector.Element == Float {
    read(vector, (0, -.infinity)) { start, count in
      var (index, result): (vDSP_Length, Float) = (0, 0)
      vDSP_maxvi(start, 1, &result, &index, count)
      return (index, result)
    }
  }
  /// The sum of the products.
  public static func dot<U: AccelerateBuffer, V: AccelerateBuffer>(_ vectorA: U, _ vectorB: V)
    -> Float
  where U.Element == Float, V.Element == Float {
    precondition(vectorA.count == vectorB.count, "vectors must have the same count")
    return read(vectorA, 0) { a, count in
      read(vectorB, 0) { b, _ in
        var result: Float = 0
        vDSP_dotpr(a, 1, b, 1, &result, count)
        return result
      }
    }
  }
  /// The sum of the squares of the differences.
  public static func distanceSquared<U: AccelerateBuffer, V: AccelerateBuffer>(
    _ pointA: U, _ pointB: V
  ) -> Float
  where U.Element == Float, V.Element == Float {
    read(pointA, 0) { a, count in
      read(pointB, 0) { b, _ in
        var result: Float = 0
        vDSP_distancesq(a, 1, b, 1, &result, count)
        return result
      }
    }
  }
  /// The sums.
  public static func add<U: AccelerateBuffer, V: AccelerateBuffer>(_ vectorA: U, _ vectorB: V)
    -> [Float]
  where U.Element == Float, V.Element == Float {
    var result = [Float](repeating: 0, count: vectorA.count)
    add(vectorA, vectorB, result: &result)
    return result
  }
  /// The sums.
  public static func add<U: AccelerateBuffer, V: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ vectorA: U, _ vectorB: V, result: inout R
  ) where U.Element == Float, V.Element == Float, R.Element == Float {
    precondition(vectorA.count == vectorB.count, "vectors must have the same count")
    write(&result, vectorA.count) { c, count in
      read(vectorA, ()) { a, _ in read(vectorB, ()) { b, _ in vDSP_vadd(a, 1, b, 1, c, 1, count) } }
    }
  }
  /// The first less the second.
  public static func subtract<U: AccelerateBuffer, V: AccelerateBuffer>(_ vectorA: U, _ vectorB: V)
    -> [Float]
  where U.Element == Float, V.Element == Float {
    var result = [Float](repeating: 0, count: vectorA.count)
    subtract(vectorA, vectorB, result: &result)
    return result
  }
  /// The first less the second.
  public static func subtract<U: AccelerateBuffer, V: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ vectorA: U, _ vectorB: V, result: inout R
  ) where U.Element == Float, V.Element == Float, R.Element == Float {
    precondition(vectorA.count == vectorB.count, "vectors must have the same count")
    write(&result, vectorA.count) { c, count in
      read(vectorA, ()) { a, _ in read(vectorB, ()) { b, _ in vDSP_vsub(b, 1, a, 1, c, 1, count) } }
    }
  }
  /// The products.
  public static func multiply<U: AccelerateBuffer, V: AccelerateBuffer>(_ vectorA: U, _ vectorB: V)
    -> [Float]
  where U.Element == Float, V.Element == Float {
    var result = [Float](repeating: 0, count: vectorA.count)
    multiply(vectorA, vectorB, result: &result)
    return result
  }
  /// The products.
  public static func multiply<U: AccelerateBuffer, V: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ vectorA: U, _ vectorB: V, result: inout R
  ) where U.Element == Float, V.Element == Float, R.Element == Float {
    precondition(vectorA.count == vectorB.count, "vectors must have the same count")
    write(&result, vectorA.count) { c, count in
      read(vectorA, ()) { a, _ in read(vectorB, ()) { b, _ in vDSP_vmul(a, 1, b, 1, c, 1, count) } }
    }
  }
  /// The first over the second.
  public static func divide<U: AccelerateBuffer, V: AccelerateBuffer>(_ vectorA: U, _ vectorB: V)
    -> [Float]
  where U.Element == Float, V.Element == Float {
    var result = [Float](repeating: 0, count: vectorA.count)
    divide(vectorA, vectorB, result: &result)
    return result
  }
  /// The first over the second.
  public static func divide<U: AccelerateBuffer, V: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ vectorA: U, _ vectorB: V, result: inout R
  ) where U.Element == Float, V.Element == Float, R.Element == Float {
    precondition(vectorA.count == vectorB.count, "vectors must have the same count")
    write(&result, vectorA.count) { c, count in
      read(vectorA, ()) { a, _ in read(vectorB, ()) { b, _ in vDSP_vdiv(b, 1, a, 1, c, 1, count) } }
    }
  }
  /// The larger of both.
  public static func maximum<U: AccelerateBuffer, V: AccelerateBuffer>(_ vectorA: U, _ vectorB: V)
    -> [Float]
  where U.Element == Float, V.Element == Float {
    var result = [Float](repeating: 0, count: vectorA.count)
    maximum(vectorA, vectorB, result: &result)
    return result
  }
  /// The larger of both.
  public static func maximum<U: AccelerateBuffer, V: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ vectorA: U, _ vectorB: V, result: inout R
  ) where U.Element == Float, V.Element == Float, R.Element == Float {
    precondition(vectorA.count == vectorB.count, "vectors must have the same count")
    write(&result, vectorA.count) { c, count in
      read(vectorA, ()) { a, _ in read(vectorB, ()) { b, _ in vDSP_vmax(a, 1, b, 1, c, 1, count) } }
    }
  }
  /// The smaller of both.
  public static func minimum<U: AccelerateBuffer, V: AccelerateBuffer>(_ vectorA: U, _ vectorB: V)
    -> [Float]
  where U.Element == Float, V.Element == Float {
    var result = [Float](repeating: 0, count: vectorA.count)
    minimum(vectorA, vectorB, result: &result)
    return result
  }
  /// The smaller of both.
  public static func minimum<U: AccelerateBuffer, V: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ vectorA: U, _ vectorB: V, result: inout R
  ) where U.Element == Float, V.Element == Float, R.Element == Float {
    precondition(vectorA.count == vectorB.count, "vectors must have the same count")
    write(&result, vectorA.count) { c, count in
      read(vectorA, ()) { a, _ in read(vectorB, ()) { b, _ in vDSP_vmin(a, 1, b, 1, c, 1, count) } }
    }
  }
  /// A number added to each.
  public static func add<U: AccelerateBuffer>(_ scalar: Float, _ vector: U) -> [Float]
  where U.Element == Float {
    made(vector.count) { c in
      read(vector, ()) { a, count in
        withUnsafePointer(to: scalar) { vDSP_vsadd(a, 1, $0, c, 1, count) }
      }
    }
  }
  /// A number added to each.
  public static func add<U: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ scalar: Float, _ vector: U, result: inout R
  )
  where U.Element == Float, R.Element == Float {
    write(&result, vector.count) { c, count in
      read(vector, ()) { a, _ in withUnsafePointer(to: scalar) { vDSP_vsadd(a, 1, $0, c, 1, count) }
      }
    }
  }
  /// Each times a number.
  public static func multiply<U: AccelerateBuffer>(_ scalar: Float, _ vector: U) -> [Float]
  where U.Element == Float {
    made(vector.count) { c in
      read(vector, ()) { a, count in
        withUnsafePointer(to: scalar) { vDSP_vsmul(a, 1, $0, c, 1, count) }
      }
    }
  }
  /// Each times a number.
  public static func multiply<U: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ scalar: Float, _ vector: U, result: inout R
  )
  where U.Element == Float, R.Element == Float {
    write(&result, vector.count) { c, count in
      read(vector, ()) { a, _ in withUnsafePointer(to: scalar) { vDSP_vsmul(a, 1, $0, c, 1, count) }
      }
    }
  }
  /// Each over a number.
  public static func divide<U: AccelerateBuffer>(_ vector: U, _ scalar: Float) -> [Float]
  where U.Element == Float {
    made(vector.count) { c in
      read(vector, ()) { a, count in
        withUnsafePointer(to: scalar) { vDSP_vsdiv(a, 1, $0, c, 1, count) }
      }
    }
  }
  /// Each over a number.
  public static func divide<U: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ vector: U, _ scalar: Float, result: inout R
  )
  where U.Element == Float, R.Element == Float {
    write(&result, vector.count) { c, count in
      read(vector, ()) { a, _ in withUnsafePointer(to: scalar) { vDSP_vsdiv(a, 1, $0, c, 1, count) }
      }
    }
  }
  /// The squares.
  public static func square<U: AccelerateBuffer>(_ vector: U) -> [Float] where U.Element == Float {
    made(vector.count) { c in read(vector, ()) { a, count in vDSP_vsq(a, 1, c, 1, count) } }
  }
  /// The squares.
  public static func square<U: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ vector: U, result: inout R
  )
  where U.Element == Float, R.Element == Float {
    write(&result, vector.count) { c, count in
      read(vector, ()) { a, _ in vDSP_vsq(a, 1, c, 1, count) }
    }
  }
  /// The magnitudes.
  public static func absolute<U: AccelerateBuffer>(_ vector: U) -> [Float]
  where U.Element == Float {
    made(vector.count) { c in read(vector, ()) { a, count in vDSP_vabs(a, 1, c, 1, count) } }
  }
  /// The magnitudes.
  public static func absolute<U: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ vector: U, result: inout R
  )
  where U.Element == Float, R.Element == Float {
    write(&result, vector.count) { c, count in
      read(vector, ()) { a, _ in vDSP_vabs(a, 1, c, 1, count) }
    }
  }
  /// Values of the other sign.
  public static func negative<U: AccelerateBuffer>(_ vector: U) -> [Float]
  where U.Element == Float {
    made(vector.count) { c in read(vector, ()) { a, count in vDSP_vneg(a, 1, c, 1, count) } }
  }
  /// Values of the other sign.
  public static func negative<U: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ vector: U, result: inout R
  )
  where U.Element == Float, R.Element == Float {
    write(&result, vector.count) { c, count in
      read(vector, ()) { a, _ in vDSP_vneg(a, 1, c, 1, count) }
    }
  }
  /// Values within a range.
  public static func clip<U: AccelerateBuffer>(_ vector: U, to bounds: ClosedRange<Float>)
    -> [Float]
  where U.Element == Float {
    let (low, high) = (bounds.lowerBound, bounds.upperBound)
    return made(vector.count) { c in
      for (n, value) in vector.withUnsafeBufferPointer({ Array($0) }).enumerated() {
        c[n] = Swift.min(Swift.max(value, low), high)
      }
    }
  }
  /// One value in all places.
  public static func fill<R: AccelerateMutableBuffer>(_ vector: inout R, with value: Float)
  where R.Element == Float {
    write(&vector, vector.count) { c, count in
      withUnsafePointer(to: value) { vDSP_vfill($0, c, 1, count) }
    }
  }
  /// Zeros.
  public static func clear<R: AccelerateMutableBuffer>(_ vector: inout R) where R.Element == Float {
    write(&vector, vector.count) { c, count in vDSP_vclr(c, 1, count) }
  }
  /// Values that begin with one and grow by another.
  public static func ramp(withInitialValue start: Float, increment: Float, count: Int) -> [Float] {
    (0..<count).map { start + Float($0) * increment }
  }
  /// Values in even steps over a range.
  public static func ramp(in range: ClosedRange<Float>, count: Int) -> [Float] {
    let step = count > 1 ? (range.upperBound - range.lowerBound) / Float(count - 1) : 0
    return ramp(withInitialValue: range.lowerBound, increment: step, count: count)
  }
  /// Values between those of two vectors.
  public static func linearInterpolate<U: AccelerateBuffer, V: AccelerateBuffer>(
    _ vectorA: U, _ vectorB: V, using constant: Float
  ) -> [Float] where U.Element == Float, V.Element == Float {
    precondition(vectorA.count == vectorB.count, "vectors must have the same count")
    return made(vectorA.count) { d in
      read(vectorA, ()) { a, count in
        read(vectorB, ()) { b, _ in
          withUnsafePointer(to: constant) { vDSP_vintb(a, 1, b, 1, $0, d, 1, count) }
        }
      }
    }
  }
  /// The correlation of a vector with a kernel, as long as both overlap whole.
  public static func convolve<U: AccelerateBuffer, V: AccelerateBuffer>(
    _ vector: U, withKernel kernel: V
  ) -> [Float]
  where U.Element == Float, V.Element == Float {
    made(Swift.max(vector.count - kernel.count + 1, 0)) { c in
      read(vector, ()) { a, count in
        read(kernel, ()) { f, taps in
          if count >= taps { vDSP_conv(a, 1, f, 1, c, 1, count - taps + 1, taps) }
        }
      }
    }
  }
  /// Decibels of amplitudes over a reference.
  public static func amplitudeToDecibels<U: AccelerateBuffer>(_ vector: U, zeroReference: Float)
    -> [Float]
  where U.Element == Float {
    made(vector.count) { c in
      read(vector, ()) { a, count in
        withUnsafePointer(to: zeroReference) { vDSP_vdbcon(a, 1, $0, c, 1, count, 1) }
      }
    }
  }
  /// Decibels of powers over a reference.
  public static func powerToDecibels<U: AccelerateBuffer>(_ vector: U, zeroReference: Float)
    -> [Float]
  where U.Element == Float {
    made(vector.count) { c in
      read(vector, ()) { a, count in
        withUnsafePointer(to: zeroReference) { vDSP_vdbcon(a, 1, $0, c, 1, count, 0) }
      }
    }
  }
  /// A window of a number of values, or its first half.
  public static func window(
    ofType type: Float.Type, usingSequence sequence: WindowSequence, count: Int, isHalfWindow: Bool
  ) -> [Float] {
    let half = Int32(isHalfWindow ? vDSP_HALF_WINDOW : 0)
    return made(isHalfWindow ? (count + 1) / 2 : count) { c in
      switch sequence {
      case .hanningNormalized: vDSP_hann_window(c, vDSP_Length(count), Int32(vDSP_HANN_NORM) | half)
      case .hanningDenormalized: vDSP_hann_window(c, vDSP_Length(count), half)
      case .hamming: vDSP_hamm_window(c, vDSP_Length(count), half)
      case .blackman: vDSP_blkman_window(c, vDSP_Length(count), half)
      }
    }
  }
  /// Numbers of the kind of another vector, from whole ones.
  public static func convertElements<U: AccelerateBuffer, R: AccelerateMutableBuffer>(
    of source: U, to destination: inout R
  )
  where U.Element: BinaryInteger, R.Element == Float {
    write(&destination, source.count) { c, count in
      read(source, ()) { a, _ in for n in 0..<Int(count) { c[n] = Float(a[n]) } }
    }
  }
  /// Whole numbers, rounded; those out of range become the nearest that fits.
  public static func convertElements<U: AccelerateBuffer, R: AccelerateMutableBuffer>(
    of source: U, to destination: inout R, rounding: RoundingMode
  ) where U.Element == Float, R.Element: FixedWidthInteger {
    write(&destination, source.count) { c, count in
      read(source, ()) { a, _ in
        for n in 0..<Int(count) {
          c[n] = R.Element(
            saturating: a[n].rounded(rounding == .towardZero ? .towardZero : .toNearestOrEven))
        }
      }
    }
  }
}

extension vForce {
  /// exp of each.
  public static func exp<U: AccelerateBuffer>(_ vector: U) -> [Float] where U.Element == Float {
    made(vector.count) { y in
      read(vector, ()) { x, count in withUnsafePointer(to: Int32(count)) { vvexpf(y, x, $0) } }
    }
  }
  /// log of each.
  public static func log<U: AccelerateBuffer>(_ vector: U) -> [Float] where U.Element == Float {
    made(vector.count) { y in
      read(vector, ()) { x, count in withUnsafePointer(to: Int32(count)) { vvlogf(y, x, $0) } }
    }
  }
  /// log10 of each.
  public static func log10<U: AccelerateBuffer>(_ vector: U) -> [Float] where U.Element == Float {
    made(vector.count) { y in
      read(vector, ()) { x, count in withUnsafePointer(to: Int32(count)) { vvlog10f(y, x, $0) } }
    }
  }
  /// log2 of each.
  public static func log2<U: AccelerateBuffer>(_ vector: U) -> [Float] where U.Element == Float {
    made(vector.count) { y in
      read(vector, ()) { x, count in withUnsafePointer(to: Int32(count)) { vvlog2f(y, x, $0) } }
    }
  }
  /// sin of each.
  public static func sin<U: AccelerateBuffer>(_ vector: U) -> [Float] where U.Element == Float {
    made(vector.count) { y in
      read(vector, ()) { x, count in withUnsafePointer(to: Int32(count)) { vvsinf(y, x, $0) } }
    }
  }
  /// cos of each.
  public static func cos<U: AccelerateBuffer>(_ vector: U) -> [Float] where U.Element == Float {
    made(vector.count) { y in
      read(vector, ()) { x, count in withUnsafePointer(to: Int32(count)) { vvcosf(y, x, $0) } }
    }
  }
  /// tan of each.
  public static func tan<U: AccelerateBuffer>(_ vector: U) -> [Float] where U.Element == Float {
    made(vector.count) { y in
      read(vector, ()) { x, count in withUnsafePointer(to: Int32(count)) { vvtanf(y, x, $0) } }
    }
  }
  /// sqrt of each.
  public static func sqrt<U: AccelerateBuffer>(_ vector: U) -> [Float] where U.Element == Float {
    made(vector.count) { y in
      read(vector, ()) { x, count in withUnsafePointer(to: Int32(count)) { vvsqrtf(y, x, $0) } }
    }
  }
  /// tanh of each.
  public static func tanh<U: AccelerateBuffer>(_ vector: U) -> [Float] where U.Element == Float {
    made(vector.count) { y in
      read(vector, ()) { x, count in withUnsafePointer(to: Int32(count)) { vvtanhf(y, x, $0) } }
    }
  }
  /// floor of each.
  public static func floor<U: AccelerateBuffer>(_ vector: U) -> [Float] where U.Element == Float {
    made(vector.count) { y in
      read(vector, ()) { x, count in withUnsafePointer(to: Int32(count)) { vvfloorf(y, x, $0) } }
    }
  }
  /// ceil of each.
  public static func ceil<U: AccelerateBuffer>(_ vector: U) -> [Float] where U.Element == Float {
    made(vector.count) { y in
      read(vector, ()) { x, count in withUnsafePointer(to: Int32(count)) { vvceilf(y, x, $0) } }
    }
  }
  /// reciprocal of each.
  public static func reciprocal<U: AccelerateBuffer>(_ vector: U) -> [Float]
  where U.Element == Float {
    made(vector.count) { y in
      read(vector, ()) { x, count in withUnsafePointer(to: Int32(count)) { vvrecf(y, x, $0) } }
    }
  }
}

extension vDSP {
  /// The sum.
  public static func sum<Vector: AccelerateBuffer>(_ vector: Vector) -> Double
  where Vector.Element == Double {
    read(vector, 0) { start, count in
      var result: Double = 0
      vDSP_sveD(start, 1, &result, count)
      return result
    }
  }
  /// The sum of the squares.
  public static func sumOfSquares<Vector: AccelerateBuffer>(_ vector: Vector) -> Double
  where Vector.Element == Double {
    read(vector, 0) { start, count in
      var result: Double = 0
      vDSP_svesqD(start, 1, &result, count)
      return result
    }
  }
  /// The sum of the magnitudes.
  public static func sumOfMagnitudes<Vector: AccelerateBuffer>(_ vector: Vector) -> Double
  where Vector.Element == Double {
    read(vector, 0) { start, count in
      var result: Double = 0
      vDSP_svemgD(start, 1, &result, count)
      return result
    }
  }
  /// The mean.
  public static func mean<Vector: AccelerateBuffer>(_ vector: Vector) -> Double
  where Vector.Element == Double {
    read(vector, .nan) { start, count in
      var result: Double = 0
      vDSP_meanvD(start, 1, &result, count)
      return result
    }
  }
  /// The mean of the magnitudes.
  public static func meanMagnitude<Vector: AccelerateBuffer>(_ vector: Vector) -> Double
  where Vector.Element == Double {
    read(vector, .nan) { start, count in
      var result: Double = 0
      vDSP_meamgvD(start, 1, &result, count)
      return result
    }
  }
  /// The mean of the squares.
  public static func meanSquare<Vector: AccelerateBuffer>(_ vector: Vector) -> Double
  where Vector.Element == Double {
    read(vector, .nan) { start, count in
      var result: Double = 0
      vDSP_measqvD(start, 1, &result, count)
      return result
    }
  }
  /// The root of the mean of the squares.
  public static func rootMeanSquare<Vector: AccelerateBuffer>(_ vector: Vector) -> Double
  where Vector.Element == Double {
    read(vector, .nan) { start, count in
      var result: Double = 0
      vDSP_rmsqvD(start, 1, &result, count)
      return result
    }
  }
  /// The largest value.
  public static func maximum<Vector: AccelerateBuffer>(_ vector: Vector) -> Double
  where Vector.Element == Double {
    read(vector, -.infinity) { start, count in
      var result: Double = 0
      vDSP_maxvD(start, 1, &result, count)
      return result
    }
  }
  /// The smallest value.
  public static func minimum<Vector: AccelerateBuffer>(_ vector: Vector) -> Double
  where Vector.Element == Double {
    read(vector, .infinity) { start, count in
      var result: Double = 0
      vDSP_minvD(start, 1, &result, count)
      return result
    }
  }
  /// The largest magnitude.
  public static func maximumMagnitude<Vector: AccelerateBuffer>(_ vector: Vector) -> Double
  where Vector.Element == Double {
    read(vector, 0) { start, count in
      var result: Double = 0
      vDSP_maxmgvD(start, 1, &result, count)
      return result
    }
  }
  /// The largest value, and its index.
  public static func indexOfMaximum<Vector: AccelerateBuffer>(_ vector: Vector) -> (UInt, Double)
  where Vector.Element == Double {
    read(vector, (0, -.infinity)) { start, count in
      var (index, result): (vDSP_Length, Double) = (0, 0)
      vDSP_maxviD(start, 1, &result, &index, count)
      return (index, result)
    }
  }
  /// The sum of the products.
  public static func dot<U: AccelerateBuffer, V: AccelerateBuffer>(_ vectorA: U, _ vectorB: V)
    -> Double
  where U.Element == Double, V.Element == Double {
    precondition(vectorA.count == vectorB.count, "vectors must have the same count")
    return read(vectorA, 0) { a, count in
      read(vectorB, 0) { b, _ in
        var result: Double = 0
        vDSP_dotprD(a, 1, b, 1, &result, count)
        return result
      }
    }
  }
  /// The sum of the squares of the differences.
  public static func distanceSquared<U: AccelerateBuffer, V: AccelerateBuffer>(
    _ pointA: U, _ pointB: V
  ) -> Double
  where U.Element == Double, V.Element == Double {
    read(pointA, 0) { a, count in
      read(pointB, 0) { b, _ in
        var result: Double = 0
        vDSP_distancesqD(a, 1, b, 1, &result, count)
        return result
      }
    }
  }
  /// The sums.
  public static func add<U: AccelerateBuffer, V: AccelerateBuffer>(_ vectorA: U, _ vectorB: V)
    -> [Double]
  where U.Element == Double, V.Element == Double {
    var result = [Double](repeating: 0, count: vectorA.count)
    add(vectorA, vectorB, result: &result)
    return result
  }
  /// The sums.
  public static func add<U: AccelerateBuffer, V: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ vectorA: U, _ vectorB: V, result: inout R
  ) where U.Element == Double, V.Element == Double, R.Element == Double {
    precondition(vectorA.count == vectorB.count, "vectors must have the same count")
    write(&result, vectorA.count) { c, count in
      read(vectorA, ()) { a, _ in read(vectorB, ()) { b, _ in vDSP_vaddD(a, 1, b, 1, c, 1, count) }
      }
    }
  }
  /// The first less the second.
  public static func subtract<U: AccelerateBuffer, V: AccelerateBuffer>(_ vectorA: U, _ vectorB: V)
    -> [Double]
  where U.Element == Double, V.Element == Double {
    var result = [Double](repeating: 0, count: vectorA.count)
    subtract(vectorA, vectorB, result: &result)
    return result
  }
  /// The first less the second.
  public static func subtract<U: AccelerateBuffer, V: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ vectorA: U, _ vectorB: V, result: inout R
  ) where U.Element == Double, V.Element == Double, R.Element == Double {
    precondition(vectorA.count == vectorB.count, "vectors must have the same count")
    write(&result, vectorA.count) { c, count in
      read(vectorA, ()) { a, _ in read(vectorB, ()) { b, _ in vDSP_vsubD(b, 1, a, 1, c, 1, count) }
      }
    }
  }
  /// The products.
  public static func multiply<U: AccelerateBuffer, V: AccelerateBuffer>(_ vectorA: U, _ vectorB: V)
    -> [Double]
  where U.Element == Double, V.Element == Double {
    var result = [Double](repeating: 0, count: vectorA.count)
    multiply(vectorA, vectorB, result: &result)
    return result
  }
  /// The products.
  public static func multiply<U: AccelerateBuffer, V: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ vectorA: U, _ vectorB: V, result: inout R
  ) where U.Element == Double, V.Element == Double, R.Element == Double {
    precondition(vectorA.count == vectorB.count, "vectors must have the same count")
    write(&result, vectorA.count) { c, count in
      read(vectorA, ()) { a, _ in read(vectorB, ()) { b, _ in vDSP_vmulD(a, 1, b, 1, c, 1, count) }
      }
    }
  }
  /// The first over the second.
  public static func divide<U: AccelerateBuffer, V: AccelerateBuffer>(_ vectorA: U, _ vectorB: V)
    -> [Double]
  where U.Element == Double, V.Element == Double {
    var result = [Double](repeating: 0, count: vectorA.count)
    divide(vectorA, vectorB, result: &result)
    return result
  }
  /// The first over the second.
  public static func divide<U: AccelerateBuffer, V: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ vectorA: U, _ vectorB: V, result: inout R
  ) where U.Element == Double, V.Element == Double, R.Element == Double {
    precondition(vectorA.count == vectorB.count, "vectors must have the same count")
    write(&result, vectorA.count) { c, count in
      read(vectorA, ()) { a, _ in read(vectorB, ()) { b, _ in vDSP_vdivD(b, 1, a, 1, c, 1, count) }
      }
    }
  }
  /// The larger of both.
  public static func maximum<U: AccelerateBuffer, V: AccelerateBuffer>(_ vectorA: U, _ vectorB: V)
    -> [Double]
  where U.Element == Double, V.Element == Double {
    var result = [Double](repeating: 0, count: vectorA.count)
    maximum(vectorA, vectorB, result: &result)
    return result
  }
  /// The larger of both.
  public static func maximum<U: AccelerateBuffer, V: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ vectorA: U, _ vectorB: V, result: inout R
  ) where U.Element == Double, V.Element == Double, R.Element == Double {
    precondition(vectorA.count == vectorB.count, "vectors must have the same count")
    write(&result, vectorA.count) { c, count in
      read(vectorA, ()) { a, _ in read(vectorB, ()) { b, _ in vDSP_vmaxD(a, 1, b, 1, c, 1, count) }
      }
    }
  }
  /// The smaller of both.
  public static func minimum<U: AccelerateBuffer, V: AccelerateBuffer>(_ vectorA: U, _ vectorB: V)
    -> [Double]
  where U.Element == Double, V.Element == Double {
    var result = [Double](repeating: 0, count: vectorA.count)
    minimum(vectorA, vectorB, result: &result)
    return result
  }
  /// The smaller of both.
  public static func minimum<U: AccelerateBuffer, V: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ vectorA: U, _ vectorB: V, result: inout R
  ) where U.Element == Double, V.Element == Double, R.Element == Double {
    precondition(vectorA.count == vectorB.count, "vectors must have the same count")
    write(&result, vectorA.count) { c, count in
      read(vectorA, ()) { a, _ in read(vectorB, ()) { b, _ in vDSP_vminD(a, 1, b, 1, c, 1, count) }
      }
    }
  }
  /// A number added to each.
  public static func add<U: AccelerateBuffer>(_ scalar: Double, _ vector: U) -> [Double]
  where U.Element == Double {
    made(vector.count) { c in
      read(vector, ()) { a, count in
        withUnsafePointer(to: scalar) { vDSP_vsaddD(a, 1, $0, c, 1, count) }
      }
    }
  }
  /// A number added to each.
  public static func add<U: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ scalar: Double, _ vector: U, result: inout R
  )
  where U.Element == Double, R.Element == Double {
    write(&result, vector.count) { c, count in
      read(vector, ()) { a, _ in
        withUnsafePointer(to: scalar) { vDSP_vsaddD(a, 1, $0, c, 1, count) }
      }
    }
  }
  /// Each times a number.
  public static func multiply<U: AccelerateBuffer>(_ scalar: Double, _ vector: U) -> [Double]
  where U.Element == Double {
    made(vector.count) { c in
      read(vector, ()) { a, count in
        withUnsafePointer(to: scalar) { vDSP_vsmulD(a, 1, $0, c, 1, count) }
      }
    }
  }
  /// Each times a number.
  public static func multiply<U: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ scalar: Double, _ vector: U, result: inout R
  )
  where U.Element == Double, R.Element == Double {
    write(&result, vector.count) { c, count in
      read(vector, ()) { a, _ in
        withUnsafePointer(to: scalar) { vDSP_vsmulD(a, 1, $0, c, 1, count) }
      }
    }
  }
  /// Each over a number.
  public static func divide<U: AccelerateBuffer>(_ vector: U, _ scalar: Double) -> [Double]
  where U.Element == Double {
    made(vector.count) { c in
      read(vector, ()) { a, count in
        withUnsafePointer(to: scalar) { vDSP_vsdivD(a, 1, $0, c, 1, count) }
      }
    }
  }
  /// Each over a number.
  public static func divide<U: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ vector: U, _ scalar: Double, result: inout R
  )
  where U.Element == Double, R.Element == Double {
    write(&result, vector.count) { c, count in
      read(vector, ()) { a, _ in
        withUnsafePointer(to: scalar) { vDSP_vsdivD(a, 1, $0, c, 1, count) }
      }
    }
  }
  /// The squares.
  public static func square<U: AccelerateBuffer>(_ vector: U) -> [Double]
  where U.Element == Double {
    made(vector.count) { c in read(vector, ()) { a, count in vDSP_vsqD(a, 1, c, 1, count) } }
  }
  /// The squares.
  public static func square<U: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ vector: U, result: inout R
  )
  where U.Element == Double, R.Element == Double {
    write(&result, vector.count) { c, count in
      read(vector, ()) { a, _ in vDSP_vsqD(a, 1, c, 1, count) }
    }
  }
  /// The magnitudes.
  public static func absolute<U: AccelerateBuffer>(_ vector: U) -> [Double]
  where U.Element == Double {
    made(vector.count) { c in read(vector, ()) { a, count in vDSP_vabsD(a, 1, c, 1, count) } }
  }
  /// The magnitudes.
  public static func absolute<U: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ vector: U, result: inout R
  )
  where U.Element == Double, R.Element == Double {
    write(&result, vector.count) { c, count in
      read(vector, ()) { a, _ in vDSP_vabsD(a, 1, c, 1, count) }
    }
  }
  /// Values of the other sign.
  public static func negative<U: AccelerateBuffer>(_ vector: U) -> [Double]
  where U.Element == Double {
    made(vector.count) { c in read(vector, ()) { a, count in vDSP_vnegD(a, 1, c, 1, count) } }
  }
  /// Values of the other sign.
  public static func negative<U: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ vector: U, result: inout R
  )
  where U.Element == Double, R.Element == Double {
    write(&result, vector.count) { c, count in
      read(vector, ()) { a, _ in vDSP_vnegD(a, 1, c, 1, count) }
    }
  }
  /// Values within a range.
  public static func clip<U: AccelerateBuffer>(_ vector: U, to bounds: ClosedRange<Double>)
    -> [Double]
  where U.Element == Double {
    let (low, high) = (bounds.lowerBound, bounds.upperBound)
    return made(vector.count) { c in
      for (n, value) in vector.withUnsafeBufferPointer({ Array($0) }).enumerated() {
        c[n] = Swift.min(Swift.max(value, low), high)
      }
    }
  }
  /// One value in all places.
  public static func fill<R: AccelerateMutableBuffer>(_ vector: inout R, with value: Double)
  where R.Element == Double {
    write(&vector, vector.count) { c, count in
      withUnsafePointer(to: value) { vDSP_vfillD($0, c, 1, count) }
    }
  }
  /// Zeros.
  public static func clear<R: AccelerateMutableBuffer>(_ vector: inout R)
  where R.Element == Double {
    write(&vector, vector.count) { c, count in vDSP_vclrD(c, 1, count) }
  }
  /// Values that begin with one and grow by another.
  public static func ramp(withInitialValue start: Double, increment: Double, count: Int) -> [Double]
  {
    (0..<count).map { start + Double($0) * increment }
  }
  /// Values in even steps over a range.
  public static func ramp(in range: ClosedRange<Double>, count: Int) -> [Double] {
    let step = count > 1 ? (range.upperBound - range.lowerBound) / Double(count - 1) : 0
    return ramp(withInitialValue: range.lowerBound, increment: step, count: count)
  }
  /// Values between those of two vectors.
  public static func linearInterpolate<U: AccelerateBuffer, V: AccelerateBuffer>(
    _ vectorA: U, _ vectorB: V, using constant: Double
  ) -> [Double] where U.Element == Double, V.Element == Double {
    precondition(vectorA.count == vectorB.count, "vectors must have the same count")
    return made(vectorA.count) { d in
      read(vectorA, ()) { a, count in
        read(vectorB, ()) { b, _ in
          withUnsafePointer(to: constant) { vDSP_vintbD(a, 1, b, 1, $0, d, 1, count) }
        }
      }
    }
  }
  /// The correlation of a vector with a kernel, as long as both overlap whole.
  public static func convolve<U: AccelerateBuffer, V: AccelerateBuffer>(
    _ vector: U, withKernel kernel: V
  ) -> [Double]
  where U.Element == Double, V.Element == Double {
    made(Swift.max(vector.count - kernel.count + 1, 0)) { c in
      read(vector, ()) { a, count in
        read(kernel, ()) { f, taps in
          if count >= taps { vDSP_convD(a, 1, f, 1, c, 1, count - taps + 1, taps) }
        }
      }
    }
  }
  /// Decibels of amplitudes over a reference.
  public static func amplitudeToDecibels<U: AccelerateBuffer>(_ vector: U, zeroReference: Double)
    -> [Double]
  where U.Element == Double {
    made(vector.count) { c in
      read(vector, ()) { a, count in
        withUnsafePointer(to: zeroReference) { vDSP_vdbconD(a, 1, $0, c, 1, count, 1) }
      }
    }
  }
  /// Decibels of powers over a reference.
  public static func powerToDecibels<U: AccelerateBuffer>(_ vector: U, zeroReference: Double)
    -> [Double]
  where U.Element == Double {
    made(vector.count) { c in
      read(vector, ()) { a, count in
        withUnsafePointer(to: zeroReference) { vDSP_vdbconD(a, 1, $0, c, 1, count, 0) }
      }
    }
  }
  /// A window of a number of values, or its first half.
  public static func window(
    ofType type: Double.Type, usingSequence sequence: WindowSequence, count: Int, isHalfWindow: Bool
  ) -> [Double] {
    let half = Int32(isHalfWindow ? vDSP_HALF_WINDOW : 0)
    return made(isHalfWindow ? (count + 1) / 2 : count) { c in
      switch sequence {
      case .hanningNormalized:
        vDSP_hann_windowD(c, vDSP_Length(count), Int32(vDSP_HANN_NORM) | half)
      case .hanningDenormalized: vDSP_hann_windowD(c, vDSP_Length(count), half)
      case .hamming: vDSP_hamm_windowD(c, vDSP_Length(count), half)
      case .blackman: vDSP_blkman_windowD(c, vDSP_Length(count), half)
      }
    }
  }
  /// Numbers of the kind of another vector, from whole ones.
  public static func convertElements<U: AccelerateBuffer, R: AccelerateMutableBuffer>(
    of source: U, to destination: inout R
  )
  where U.Element: BinaryInteger, R.Element == Double {
    write(&destination, source.count) { c, count in
      read(source, ()) { a, _ in for n in 0..<Int(count) { c[n] = Double(a[n]) } }
    }
  }
  /// Whole numbers, rounded; those out of range become the nearest that fits.
  public static func convertElements<U: AccelerateBuffer, R: AccelerateMutableBuffer>(
    of source: U, to destination: inout R, rounding: RoundingMode
  ) where U.Element == Double, R.Element: FixedWidthInteger {
    write(&destination, source.count) { c, count in
      read(source, ()) { a, _ in
        for n in 0..<Int(count) {
          c[n] = R.Element(
            saturating: a[n].rounded(rounding == .towardZero ? .towardZero : .toNearestOrEven))
        }
      }
    }
  }
}

extension vForce {
  /// exp of each.
  public static func exp<U: AccelerateBuffer>(_ vector: U) -> [Double] where U.Element == Double {
    made(vector.count) { y in
      read(vector, ()) { x, count in withUnsafePointer(to: Int32(count)) { vvexp(y, x, $0) } }
    }
  }
  /// log of each.
  public static func log<U: AccelerateBuffer>(_ vector: U) -> [Double] where U.Element == Double {
    made(vector.count) { y in
      read(vector, ()) { x, count in withUnsafePointer(to: Int32(count)) { vvlog(y, x, $0) } }
    }
  }
  /// log10 of each.
  public static func log10<U: AccelerateBuffer>(_ vector: U) -> [Double] where U.Element == Double {
    made(vector.count) { y in
      read(vector, ()) { x, count in withUnsafePointer(to: Int32(count)) { vvlog10(y, x, $0) } }
    }
  }
  /// log2 of each.
  public static func log2<U: AccelerateBuffer>(_ vector: U) -> [Double] where U.Element == Double {
    made(vector.count) { y in
      read(vector, ()) { x, count in withUnsafePointer(to: Int32(count)) { vvlog2(y, x, $0) } }
    }
  }
  /// sin of each.
  public static func sin<U: AccelerateBuffer>(_ vector: U) -> [Double] where U.Element == Double {
    made(vector.count) { y in
      read(vector, ()) { x, count in withUnsafePointer(to: Int32(count)) { vvsin(y, x, $0) } }
    }
  }
  /// cos of each.
  public static func cos<U: AccelerateBuffer>(_ vector: U) -> [Double] where U.Element == Double {
    made(vector.count) { y in
      read(vector, ()) { x, count in withUnsafePointer(to: Int32(count)) { vvcos(y, x, $0) } }
    }
  }
  /// tan of each.
  public static func tan<U: AccelerateBuffer>(_ vector: U) -> [Double] where U.Element == Double {
    made(vector.count) { y in
      read(vector, ()) { x, count in withUnsafePointer(to: Int32(count)) { vvtan(y, x, $0) } }
    }
  }
  /// sqrt of each.
  public static func sqrt<U: AccelerateBuffer>(_ vector: U) -> [Double] where U.Element == Double {
    made(vector.count) { y in
      read(vector, ()) { x, count in withUnsafePointer(to: Int32(count)) { vvsqrt(y, x, $0) } }
    }
  }
  /// tanh of each.
  public static func tanh<U: AccelerateBuffer>(_ vector: U) -> [Double] where U.Element == Double {
    made(vector.count) { y in
      read(vector, ()) { x, count in withUnsafePointer(to: Int32(count)) { vvtanh(y, x, $0) } }
    }
  }
  /// floor of each.
  public static func floor<U: AccelerateBuffer>(_ vector: U) -> [Double] where U.Element == Double {
    made(vector.count) { y in
      read(vector, ()) { x, count in withUnsafePointer(to: Int32(count)) { vvfloor(y, x, $0) } }
    }
  }
  /// ceil of each.
  public static func ceil<U: AccelerateBuffer>(_ vector: U) -> [Double] where U.Element == Double {
    made(vector.count) { y in
      read(vector, ()) { x, count in withUnsafePointer(to: Int32(count)) { vvceil(y, x, $0) } }
    }
  }
  /// reciprocal of each.
  public static func reciprocal<U: AccelerateBuffer>(_ vector: U) -> [Double]
  where U.Element == Double {
    made(vector.count) { y in
      read(vector, ()) { x, count in withUnsafePointer(to: Int32(count)) { vvrec(y, x, $0) } }
    }
  }
}

extension vDSP {
  /// Single precision as double.
  public static func floatToDouble<U: AccelerateBuffer>(_ source: U) -> [Double]
  where U.Element == Float {
    made(source.count) { c in read(source, ()) { a, count in vDSP_vspdp(a, 1, c, 1, count) } }
  }
  /// Double precision as single.
  public static func doubleToFloat<U: AccelerateBuffer>(_ source: U) -> [Float]
  where U.Element == Double {
    made(source.count) { c in read(source, ()) { a, count in vDSP_vdpsp(a, 1, c, 1, count) } }
  }
}
