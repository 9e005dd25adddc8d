// Functions that convert between kinds of numbers.
// SPDX-License-Identifier: Apache-2.0

/// To floats.
public func vDSP_vflt8(
  _ A: UnsafePointer<Int8>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Float>, _ IC: vDSP_Stride,
  _ N: vDSP_Length
) {
  for n in 0..<Int(N) { C[n * IC] = Float(A[n * IA]) }
}

/// To floats.
public func vDSP_vflt16(
  _ A: UnsafePointer<Int16>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Float>, _ IC: vDSP_Stride,
  _ N: vDSP_Length
) {
  for n in 0..<Int(N) { C[n * IC] = Float(A[n * IA]) }
}

/// To floats.
public func vDSP_vfltu16(
  _ A: UnsafePointer<UInt16>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Float>,
  _ IC: vDSP_Stride, _ N: vDSP_Length
) {
  for n in 0..<Int(N) { C[n * IC] = Float(A[n * IA]) }
}

/// To floats.
public func vDSP_vflt32(
  _ A: UnsafePointer<Int32>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Float>, _ IC: vDSP_Stride,
  _ N: vDSP_Length
) {
  for n in 0..<Int(N) { C[n * IC] = Float(A[n * IA]) }
}

/// To doubles.
public func vDSP_vflt16D(
  _ A: UnsafePointer<Int16>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Double>,
  _ IC: vDSP_Stride, _ N: vDSP_Length
) {
  for n in 0..<Int(N) { C[n * IC] = Double(A[n * IA]) }
}

/// To doubles.
public func vDSP_vflt32D(
  _ A: UnsafePointer<Int32>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Double>,
  _ IC: vDSP_Stride, _ N: vDSP_Length
) {
  for n in 0..<Int(N) { C[n * IC] = Double(A[n * IA]) }
}

/// To double precision.
public func vDSP_vspdp(
  _ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Double>,
  _ IC: vDSP_Stride, _ N: vDSP_Length
) {
  for n in 0..<Int(N) { C[n * IC] = Double(A[n * IA]) }
}

/// To single precision.
public func vDSP_vdpsp(
  _ A: UnsafePointer<Double>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Float>,
  _ IC: vDSP_Stride, _ N: vDSP_Length
) {
  for n in 0..<Int(N) { C[n * IC] = Float(A[n * IA]) }
}

/// To whole numbers, rounded towards zero; those out of range become the nearest that fits.
public func vDSP_vfix8(
  _ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Int8>, _ IC: vDSP_Stride,
  _ N: vDSP_Length
) {
  for n in 0..<Int(N) { C[n * IC] = Int8(saturating: A[n * IA].rounded(.towardZero)) }
}

/// To whole numbers, rounded towards zero; those out of range become the nearest that fits.
public func vDSP_vfix16(
  _ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Int16>, _ IC: vDSP_Stride,
  _ N: vDSP_Length
) {
  for n in 0..<Int(N) { C[n * IC] = Int16(saturating: A[n * IA].rounded(.towardZero)) }
}

/// To whole numbers, rounded towards zero; those out of range become the nearest that fits.
public func vDSP_vfix32(
  _ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Int32>, _ IC: vDSP_Stride,
  _ N: vDSP_Length
) {
  for n in 0..<Int(N) { C[n * IC] = Int32(saturating: A[n * IA].rounded(.towardZero)) }
}

/// To whole numbers, rounded to the nearest; those out of range become the nearest that fits.
public func vDSP_vfixr16(
  _ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Int16>, _ IC: vDSP_Stride,
  _ N: vDSP_Length
) {
  for n in 0..<Int(N) { C[n * IC] = Int16(saturating: A[n * IA].rounded(.toNearestOrEven)) }
}

/// To whole numbers, rounded to the nearest; those out of range become the nearest that fits.
public func vDSP_vfixr32(
  _ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Int32>, _ IC: vDSP_Stride,
  _ N: vDSP_Length
) {
  for n in 0..<Int(N) { C[n * IC] = Int32(saturating: A[n * IA].rounded(.toNearestOrEven)) }
}

/// To whole numbers, rounded towards zero; those out of range become the nearest that fits.
public func vDSP_vfix16D(
  _ A: UnsafePointer<Double>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Int16>,
  _ IC: vDSP_Stride, _ N: vDSP_Length
) {
  for n in 0..<Int(N) { C[n * IC] = Int16(saturating: A[n * IA].rounded(.towardZero)) }
}

/// To whole numbers, rounded towards zero; those out of range become the nearest that fits.
public func vDSP_vfix32D(
  _ A: UnsafePointer<Double>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Int32>,
  _ IC: vDSP_Stride, _ N: vDSP_Length
) {
  for n in 0..<Int(N) { C[n * IC] = Int32(saturating: A[n * IA].rounded(.towardZero)) }
}

extension FixedWidthInteger {
  /// The nearest number that fits; 0 for values that are no numbers.
  init<Value: BinaryFloatingPoint>(saturating value: Value) {
    if value.isNaN { self = 0 } else { self = Self(exactly: value) ?? (value < 0 ? .min : .max) }
  }
}
