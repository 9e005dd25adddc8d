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

extension vDSP {
  /// The squares of the magnitudes.
  public static func squareMagnitudes<V: AccelerateMutableBuffer>(
    _ splitComplex: DSPSplitComplex, result: inout V
  ) where V.Element == Float {
    result.withUnsafeMutableBufferPointer {
      for n in $0.indices {
        $0[n] =
          splitComplex.realp[n] * splitComplex.realp[n] + splitComplex.imagp[n]
          * splitComplex.imagp[n]
      }
    }
  }
  /// The magnitudes.
  public static func absolute<V: AccelerateMutableBuffer>(
    _ splitComplex: DSPSplitComplex, result: inout V
  ) where V.Element == Float {
    squareMagnitudes(splitComplex, result: &result)
    result.withUnsafeMutableBufferPointer { for n in $0.indices { $0[n].formSquareRoot() } }
  }
  /// The angles.
  public static func phase<V: AccelerateMutableBuffer>(
    _ splitComplex: DSPSplitComplex, result: inout V
  ) where V.Element == Float {
    result.withUnsafeMutableBufferPointer {
      for n in $0.indices { $0[n] = Float.atan2(splitComplex.imagp[n], splitComplex.realp[n]) }
    }
  }
  /// Splits pairs into two vectors.
  public static func convert(
    interleavedComplexVector: [DSPComplex], toSplitComplexVector: inout DSPSplitComplex
  ) {
    for (n, pair) in interleavedComplexVector.enumerated() {
      toSplitComplexVector.realp[n] = pair.real
      toSplitComplexVector.imagp[n] = pair.imag
    }
  }
  /// Joins two vectors into pairs.
  public static func convert(
    splitComplexVector: DSPSplitComplex, toInterleavedComplexVector: inout [DSPComplex]
  ) {
    for n in toInterleavedComplexVector.indices {
      toInterleavedComplexVector[n] = DSPComplex(
        real: splitComplexVector.realp[n], imag: splitComplexVector.imagp[n])
    }
  }
  /// Turns the order around.
  public static func reverse<V: AccelerateMutableBuffer>(_ vector: inout V)
  where V.Element == Float {
    vector.withUnsafeMutableBufferPointer { $0.reverse() }
  }
  /// Sorts a vector.
  public static func sort<V: AccelerateMutableBuffer>(_ vector: inout V, sortOrder: SortOrder)
  where V.Element == Float {
    vector.withUnsafeMutableBufferPointer {
      $0.sort { sortOrder == .ascending ? $0 < $1 : $0 > $1 }
    }
  }
  /// The numbers, and what a rule has in place of those below a bound.
  public static func threshold<U: AccelerateBuffer>(
    _ vector: U, to lowerBound: Float, with rule: ThresholdRule<Float>
  ) -> [Float] where U.Element == Float {
    vector.withUnsafeBufferPointer {
      $0.map {
        switch rule {
        case .clampToThreshold: Swift.max($0, lowerBound)
        case .zeroFill: $0 < lowerBound ? 0 : $0
        case .signedConstant(let value): $0 < lowerBound ? -value : value
        }
      }
    }
  }
  /// Every so many numbers of a filtered vector.
  public static func downsample<U: AccelerateBuffer, V: AccelerateBuffer>(
    _ source: U, decimationFactor: Int, filter: V
  ) -> [Float] where U.Element == Float, V.Element == Float {
    source.withUnsafeBufferPointer { samples in
      filter.withUnsafeBufferPointer { taps in
        let count =
          samples.count < taps.count ? 0 : (samples.count - taps.count) / decimationFactor + 1
        return (0..<count).map { place in
          var sum: Float = 0
          for tap in taps.indices { sum += samples[place * decimationFactor + tap] * taps[tap] }
          return sum
        }
      }
    }
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
    vector.withUnsafeBufferPointer {
      $0.map { I(saturating: $0.rounded(rounding == .towardZero ? .towardZero : .toNearestOrEven)) }
    }
  }
}

extension vDSP {
  /// The squares of the magnitudes.
  public static func squareMagnitudes<V: AccelerateMutableBuffer>(
    _ splitComplex: DSPDoubleSplitComplex, result: inout V
  ) where V.Element == Double {
    result.withUnsafeMutableBufferPointer {
      for n in $0.indices {
        $0[n] =
          splitComplex.realp[n] * splitComplex.realp[n] + splitComplex.imagp[n]
          * splitComplex.imagp[n]
      }
    }
  }
  /// The magnitudes.
  public static func absolute<V: AccelerateMutableBuffer>(
    _ splitComplex: DSPDoubleSplitComplex, result: inout V
  ) where V.Element == Double {
    squareMagnitudes(splitComplex, result: &result)
    result.withUnsafeMutableBufferPointer { for n in $0.indices { $0[n].formSquareRoot() } }
  }
  /// The angles.
  public static func phase<V: AccelerateMutableBuffer>(
    _ splitComplex: DSPDoubleSplitComplex, result: inout V
  ) where V.Element == Double {
    result.withUnsafeMutableBufferPointer {
      for n in $0.indices { $0[n] = Double.atan2(splitComplex.imagp[n], splitComplex.realp[n]) }
    }
  }
  /// Splits pairs into two vectors.
  public static func convert(
    interleavedComplexVector: [DSPDoubleComplex], toSplitComplexVector: inout DSPDoubleSplitComplex
  ) {
    for (n, pair) in interleavedComplexVector.enumerated() {
      toSplitComplexVector.realp[n] = pair.real
      toSplitComplexVector.imagp[n] = pair.imag
    }
  }
  /// Joins two vectors into pairs.
  public static func convert(
    splitComplexVector: DSPDoubleSplitComplex, toInterleavedComplexVector: inout [DSPDoubleComplex]
  ) {
    for n in toInterleavedComplexVector.indices {
      toInterleavedComplexVector[n] = DSPDoubleComplex(
        real: splitComplexVector.realp[n], imag: splitComplexVector.imagp[n])
    }
  }
  /// Turns the order around.
  public static func reverse<V: AccelerateMutableBuffer>(_ vector: inout V)
  where V.Element == Double {
    vector.withUnsafeMutableBufferPointer { $0.reverse() }
  }
  /// Sorts a vector.
  public static func sort<V: AccelerateMutableBuffer>(_ vector: inout V, sortOrder: SortOrder)
  where V.Element == Double {
    vector.withUnsafeMutableBufferPointer {
      $0.sort { sortOrder == .ascending ? $0 < $1 : $0 > $1 }
    }
  }
  /// The numbers, and what a rule has in place of those below a bound.
  public static func threshold<U: AccelerateBuffer>(
    _ vector: U, to lowerBound: Double, with rule: ThresholdRule<Double>
  ) -> [Double] where U.Element == Double {
    vector.withUnsafeBufferPointer {
      $0.map {
        switch rule {
        case .clampToThreshold: Swift.max($0, lowerBound)
        case .zeroFill: $0 < lowerBound ? 0 : $0
        case .signedConstant(let value): $0 < lowerBound ? -value : value
        }
      }
    }
  }
  /// Every so many numbers of a filtered vector.
  public static func downsample<U: AccelerateBuffer, V: AccelerateBuffer>(
    _ source: U, decimationFactor: Int, filter: V
  ) -> [Double] where U.Element == Double, V.Element == Double {
    source.withUnsafeBufferPointer { samples in
      filter.withUnsafeBufferPointer { taps in
        let count =
          samples.count < taps.count ? 0 : (samples.count - taps.count) / decimationFactor + 1
        return (0..<count).map { place in
          var sum: Double = 0
          for tap in taps.indices { sum += samples[place * decimationFactor + tap] * taps[tap] }
          return sum
        }
      }
    }
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
    vector.withUnsafeBufferPointer {
      $0.map { I(saturating: $0.rounded(rounding == .towardZero ? .towardZero : .toNearestOrEven)) }
    }
  }
}
