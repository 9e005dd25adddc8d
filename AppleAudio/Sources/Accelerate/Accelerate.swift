// Types of vector functions, and helpers that several of them share.
// SPDX-License-Identifier: Apache-2.0

@_exported import Foundation

/// A distance between elements.
public typealias vDSP_Stride = Int
/// A number of elements.
public typealias vDSP_Length = UInt

/// A window with a mean square of 1.
public let vDSP_HANN_NORM = 2
/// A window with a peak of 1.
public let vDSP_HANN_DENORM = 0
/// The first half of a window.
public let vDSP_HALF_WINDOW = 1

/// A complex number.
public struct DSPComplex: Sendable {
  /// The real part.
  public var real: Float = 0
  /// The imaginary part.
  public var imag: Float = 0
  /// Zero.
  public init() {}
  /// A complex number of its parts.
  public init(real: Float, imag: Float) {
    self.real = real
    self.imag = imag
  }
}

/// A complex number in double precision.
public struct DSPDoubleComplex: Sendable {
  /// The real part.
  public var real: Double = 0
  /// The imaginary part.
  public var imag: Double = 0
  /// Zero.
  public init() {}
  /// A complex number of its parts.
  public init(real: Double, imag: Double) {
    self.real = real
    self.imag = imag
  }
}

/// Complex numbers as two vectors.
public struct DSPSplitComplex {
  /// The real parts.
  public var realp: UnsafeMutablePointer<Float>
  /// The imaginary parts.
  public var imagp: UnsafeMutablePointer<Float>
  /// Two vectors.
  public init(realp: UnsafeMutablePointer<Float>, imagp: UnsafeMutablePointer<Float>) {
    self.realp = realp
    self.imagp = imagp
  }
}

/// Complex numbers in double precision as two vectors.
public struct DSPDoubleSplitComplex {
  /// The real parts.
  public var realp: UnsafeMutablePointer<Double>
  /// The imaginary parts.
  public var imagp: UnsafeMutablePointer<Double>
  /// Two vectors.
  public init(realp: UnsafeMutablePointer<Double>, imagp: UnsafeMutablePointer<Double>) {
    self.realp = realp
    self.imagp = imagp
  }
}

/// Real numbers that have the functions that vectors are made of.
protocol VectorReal: BinaryFloatingPoint {
  static func cos(_ x: Self) -> Self
  static func log10(_ x: Self) -> Self
  static func atan2(_ y: Self, _ x: Self) -> Self
}

extension Float: VectorReal {
  static func cos(_ x: Float) -> Float { Foundation.cos(x) }
  static func log10(_ x: Float) -> Float { Foundation.log10(x) }
  static func atan2(_ y: Float, _ x: Float) -> Float { Foundation.atan2(y, x) }
}

extension Double: VectorReal {
  static func cos(_ x: Double) -> Double { Foundation.cos(x) }
  static func log10(_ x: Double) -> Double { Foundation.log10(x) }
  static func atan2(_ y: Double, _ x: Double) -> Double { Foundation.atan2(y, x) }
}

/// Values of a window that a flag asks for.
func windowCount(_ count: Int, _ flag: Int32) -> Int {
  Int(flag) & vDSP_HALF_WINDOW != 0 ? (count + 1) / 2 : count
}

/// A window of one cosine; the period is the window's length.
func raisedCosine<Value: VectorReal>(
  _ window: UnsafeMutablePointer<Value>, _ count: Int, _ flag: Int32, _ level: Value, normal: Value
) {
  let scale = Int(flag) & vDSP_HANN_NORM != 0 ? normal : 1
  for n in 0..<windowCount(count, flag) {
    window[n] = scale * (level - (1 - level) * Value.cos(2 * Value.pi * Value(n) / Value(count)))
  }
}
