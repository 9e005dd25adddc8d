// Functions of vDSP for complex numbers, for order and for whole numbers, as Swift has them.
// SPDX-License-Identifier: Apache-2.0

extension vDSP {
  /// The order of numbers.
  public enum SortOrder: Int32, Sendable {
    /// The least first.
    case ascending = 1
    /// The greatest first.
    case descending = -1
  }
  /// The result for a number below a threshold.
  public enum ThresholdRule<T: BinaryFloatingPoint & Sendable>: Sendable {
    /// The threshold.
    case clampToThreshold
    /// Zero.
    case zeroFill
    /// A number with the sign of the comparison.
    case signedConstant(T)
  }
}

/// A number that is whole, which functions convert.
public protocol vDSP_IntegerConvertable: FixedWidthInteger, Sendable {}
extension Int8: vDSP_IntegerConvertable {}
extension Int16: vDSP_IntegerConvertable {}
extension Int32: vDSP_IntegerConvertable {}
extension UInt8: vDSP_IntegerConvertable {}
extension UInt16: vDSP_IntegerConvertable {}
extension UInt32: vDSP_IntegerConvertable {}

// MARK: One body for both precisions

/// A pair of a real and an imaginary part.
protocol ComplexPair {
  associatedtype Value: VectorReal
  var real: Value { get }
  var imag: Value { get }
  init(real: Value, imag: Value)
}
extension DSPComplex: ComplexPair {}
extension DSPDoubleComplex: ComplexPair {}

/// Fills a vector by the real and the imaginary parts of another.
private func combine<V: AccelerateMutableBuffer>(
  _ result: inout V, _ re: UnsafeMutablePointer<V.Element>, _ im: UnsafeMutablePointer<V.Element>,
  _ body: (V.Element, V.Element) -> V.Element
) {
  result.withUnsafeMutableBufferPointer { for n in $0.indices { $0[n] = body(re[n], im[n]) } }
}

private func split<Pair: ComplexPair>(
  _ pairs: [Pair], _ re: UnsafeMutablePointer<Pair.Value>, _ im: UnsafeMutablePointer<Pair.Value>
) {
  for (n, pair) in pairs.enumerated() { (re[n], im[n]) = (pair.real, pair.imag) }
}

private func join<Pair: ComplexPair>(
  _ re: UnsafeMutablePointer<Pair.Value>, _ im: UnsafeMutablePointer<Pair.Value>,
  _ pairs: inout [Pair]
) {
  for n in pairs.indices { pairs[n] = Pair(real: re[n], imag: im[n]) }
}

private func sorted<V: AccelerateMutableBuffer>(_ vector: inout V, _ order: vDSP.SortOrder)
where V.Element: Comparable {
  vector.withUnsafeMutableBufferPointer { $0.sort { order == .ascending ? $0 < $1 : $0 > $1 } }
}

private func limited<U: AccelerateBuffer>(
  _ vector: U, _ bound: U.Element, _ rule: vDSP.ThresholdRule<U.Element>
) -> [U.Element] where U.Element: VectorReal {
  vector.withUnsafeBufferPointer {
    $0.map {
      switch rule {
      case .clampToThreshold: Swift.max($0, bound)
      case .zeroFill: $0 < bound ? 0 : $0
      case .signedConstant(let value): $0 < bound ? -value : value
      }
    }
  }
}

private func decimated<U: AccelerateBuffer, V: AccelerateBuffer>(
  _ source: U, _ factor: Int, _ filter: V
) -> [U.Element] where U.Element: VectorReal, V.Element == U.Element {
  source.withUnsafeBufferPointer { samples in
    filter.withUnsafeBufferPointer { taps in
      let count = samples.count < taps.count ? 0 : (samples.count - taps.count) / factor + 1
      return (0..<count).map { place in
        var sum: U.Element = 0
        for tap in taps.indices { sum += samples[place * factor + tap] * taps[tap] }
        return sum
      }
    }
  }
}

private func whole<U: AccelerateBuffer, I: vDSP_IntegerConvertable>(
  _ vector: U, _ rounding: vDSP.RoundingMode
) -> [I] where U.Element: VectorReal {
  vector.withUnsafeBufferPointer {
    $0.map { I(saturating: $0.rounded(rounding == .towardZero ? .towardZero : .toNearestOrEven)) }
  }
}

extension vDSP {
  /// The squares of the magnitudes.
  public static func squareMagnitudes<V: AccelerateMutableBuffer>(
    _ splitComplex: DSPSplitComplex, result: inout V
  ) where V.Element == Float {
    combine(&result, splitComplex.realp, splitComplex.imagp) { $0 * $0 + $1 * $1 }
  }
  /// The magnitudes.
  public static func absolute<V: AccelerateMutableBuffer>(
    _ splitComplex: DSPSplitComplex, result: inout V
  ) where V.Element == Float {
    combine(&result, splitComplex.realp, splitComplex.imagp) { ($0 * $0 + $1 * $1).squareRoot() }
  }
  /// The angles.
  public static func phase<V: AccelerateMutableBuffer>(
    _ splitComplex: DSPSplitComplex, result: inout V
  ) where V.Element == Float {
    combine(&result, splitComplex.realp, splitComplex.imagp) { Float.atan2($1, $0) }
  }
  /// Splits pairs into two vectors.
  public static func convert(
    interleavedComplexVector: [DSPComplex], toSplitComplexVector: inout DSPSplitComplex
  ) {
    split(interleavedComplexVector, toSplitComplexVector.realp, toSplitComplexVector.imagp)
  }
  /// Joins two vectors into pairs.
  public static func convert(
    splitComplexVector: DSPSplitComplex, toInterleavedComplexVector: inout [DSPComplex]
  ) {
    join(splitComplexVector.realp, splitComplexVector.imagp, &toInterleavedComplexVector)
  }
  /// Turns the order around.
  public static func reverse<V: AccelerateMutableBuffer>(_ vector: inout V)
  where V.Element == Float {
    vector.withUnsafeMutableBufferPointer { $0.reverse() }
  }
  /// Sorts a vector.
  public static func sort<V: AccelerateMutableBuffer>(_ vector: inout V, sortOrder: SortOrder)
  where V.Element == Float {
    sorted(&vector, sortOrder)
  }
  /// The numbers, and what a rule has in place of those below a bound.
  public static func threshold<U: AccelerateBuffer>(
    _ vector: U, to lowerBound: Float, with rule: ThresholdRule<Float>
  ) -> [Float] where U.Element == Float {
    limited(vector, lowerBound, rule)
  }
  /// Every so many numbers of a filtered vector.
  public static func downsample<U: AccelerateBuffer, V: AccelerateBuffer>(
    _ source: U, decimationFactor: Int, filter: V
  ) -> [Float] where U.Element == Float, V.Element == Float {
    decimated(source, decimationFactor, filter)
  }
  /// The products of two vectors, and a third one added.
  public static func add<T: AccelerateBuffer, U: AccelerateBuffer, V: AccelerateBuffer>(
    multiplication: (a: T, b: U), _ vector: V
  ) -> [Float] where T.Element == Float, U.Element == Float, V.Element == Float {
    add(multiply(multiplication.a, multiplication.b), vector)
  }
  /// The products of a vector and a number, and another vector added.
  public static func add<U: AccelerateBuffer, V: AccelerateBuffer>(
    multiplication: (a: U, b: Float), _ vector: V
  ) -> [Float] where U.Element == Float, V.Element == Float {
    add(multiply(multiplication.b, multiplication.a), vector)
  }
  /// Whole numbers as Floats.
  public static func integerToFloatingPoint<U: AccelerateBuffer>(
    _ vector: U, floatingPointType: Float.Type
  ) -> [Float] where U.Element: vDSP_IntegerConvertable {
    vector.withUnsafeBufferPointer { $0.map { Float($0) } }
  }
  /// Numbers as whole ones; those beyond the greatest or the least are that.
  public static func floatingPointToInteger<U: AccelerateBuffer, I: vDSP_IntegerConvertable>(
    _ vector: U, integerType: I.Type, rounding: RoundingMode
  ) -> [I] where U.Element == Float {
    whole(vector, rounding)
  }
}

extension vDSP {
  /// The squares of the magnitudes.
  public static func squareMagnitudes<V: AccelerateMutableBuffer>(
    _ splitComplex: DSPDoubleSplitComplex, result: inout V
  ) where V.Element == Double {
    combine(&result, splitComplex.realp, splitComplex.imagp) { $0 * $0 + $1 * $1 }
  }
  /// The magnitudes.
  public static func absolute<V: AccelerateMutableBuffer>(
    _ splitComplex: DSPDoubleSplitComplex, result: inout V
  ) where V.Element == Double {
    combine(&result, splitComplex.realp, splitComplex.imagp) { ($0 * $0 + $1 * $1).squareRoot() }
  }
  /// The angles.
  public static func phase<V: AccelerateMutableBuffer>(
    _ splitComplex: DSPDoubleSplitComplex, result: inout V
  ) where V.Element == Double {
    combine(&result, splitComplex.realp, splitComplex.imagp) { Double.atan2($1, $0) }
  }
  /// Splits pairs into two vectors.
  public static func convert(
    interleavedComplexVector: [DSPDoubleComplex], toSplitComplexVector: inout DSPDoubleSplitComplex
  ) {
    split(interleavedComplexVector, toSplitComplexVector.realp, toSplitComplexVector.imagp)
  }
  /// Joins two vectors into pairs.
  public static func convert(
    splitComplexVector: DSPDoubleSplitComplex, toInterleavedComplexVector: inout [DSPDoubleComplex]
  ) {
    join(splitComplexVector.realp, splitComplexVector.imagp, &toInterleavedComplexVector)
  }
  /// Turns the order around.
  public static func reverse<V: AccelerateMutableBuffer>(_ vector: inout V)
  where V.Element == Double {
    vector.withUnsafeMutableBufferPointer { $0.reverse() }
  }
  /// Sorts a vector.
  public static func sort<V: AccelerateMutableBuffer>(_ vector: inout V, sortOrder: SortOrder)
  where V.Element == Double {
    sorted(&vector, sortOrder)
  }
  /// The numbers, and what a rule has in place of those below a bound.
  public static func threshold<U: AccelerateBuffer>(
    _ vector: U, to lowerBound: Double, with rule: ThresholdRule<Double>
  ) -> [Double] where U.Element == Double {
    limited(vector, lowerBound, rule)
  }
  /// Every so many numbers of a filtered vector.
  public static func downsample<U: AccelerateBuffer, V: AccelerateBuffer>(
    _ source: U, decimationFactor: Int, filter: V
  ) -> [Double] where U.Element == Double, V.Element == Double {
    decimated(source, decimationFactor, filter)
  }
  /// The products of two vectors, and a third one added.
  public static func add<T: AccelerateBuffer, U: AccelerateBuffer, V: AccelerateBuffer>(
    multiplication: (a: T, b: U), _ vector: V
  ) -> [Double] where T.Element == Double, U.Element == Double, V.Element == Double {
    add(multiply(multiplication.a, multiplication.b), vector)
  }
  /// The products of a vector and a number, and another vector added.
  public static func add<U: AccelerateBuffer, V: AccelerateBuffer>(
    multiplication: (a: U, b: Double), _ vector: V
  ) -> [Double] where U.Element == Double, V.Element == Double {
    add(multiply(multiplication.b, multiplication.a), vector)
  }
  /// Whole numbers as Doubles.
  public static func integerToFloatingPoint<U: AccelerateBuffer>(
    _ vector: U, floatingPointType: Double.Type
  ) -> [Double] where U.Element: vDSP_IntegerConvertable {
    vector.withUnsafeBufferPointer { $0.map { Double($0) } }
  }
  /// Numbers as whole ones; those beyond the greatest or the least are that.
  public static func floatingPointToInteger<U: AccelerateBuffer, I: vDSP_IntegerConvertable>(
    _ vector: U, integerType: I.Type, rounding: RoundingMode
  ) -> [I] where U.Element == Double {
    whole(vector, rounding)
  }
}
