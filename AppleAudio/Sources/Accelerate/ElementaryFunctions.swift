// Functions of vForce: elementary functions of vectors.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// y = exp(x).
public func vvexpf(
  _ y: UnsafeMutablePointer<Float>, _ x: UnsafePointer<Float>, _ n: UnsafePointer<Int32>
) {
  let count = Int(n.pointee)
  for n in 0..<count { y[n] = Foundation.exp(x[n]) }
}

/// y = exp(x).
public func vvexp(
  _ y: UnsafeMutablePointer<Double>, _ x: UnsafePointer<Double>, _ n: UnsafePointer<Int32>
) {
  let count = Int(n.pointee)
  for n in 0..<count { y[n] = Foundation.exp(x[n]) }
}

/// y = log(x).
public func vvlogf(
  _ y: UnsafeMutablePointer<Float>, _ x: UnsafePointer<Float>, _ n: UnsafePointer<Int32>
) {
  let count = Int(n.pointee)
  for n in 0..<count { y[n] = Foundation.log(x[n]) }
}

/// y = log(x).
public func vvlog(
  _ y: UnsafeMutablePointer<Double>, _ x: UnsafePointer<Double>, _ n: UnsafePointer<Int32>
) {
  let count = Int(n.pointee)
  for n in 0..<count { y[n] = Foundation.log(x[n]) }
}

/// y = log10(x).
public func vvlog10f(
  _ y: UnsafeMutablePointer<Float>, _ x: UnsafePointer<Float>, _ n: UnsafePointer<Int32>
) {
  let count = Int(n.pointee)
  for n in 0..<count { y[n] = Foundation.log10(x[n]) }
}

/// y = log10(x).
public func vvlog10(
  _ y: UnsafeMutablePointer<Double>, _ x: UnsafePointer<Double>, _ n: UnsafePointer<Int32>
) {
  let count = Int(n.pointee)
  for n in 0..<count { y[n] = Foundation.log10(x[n]) }
}

/// y = log2(x).
public func vvlog2f(
  _ y: UnsafeMutablePointer<Float>, _ x: UnsafePointer<Float>, _ n: UnsafePointer<Int32>
) {
  let count = Int(n.pointee)
  for n in 0..<count { y[n] = Foundation.log2(x[n]) }
}

/// y = log2(x).
public func vvlog2(
  _ y: UnsafeMutablePointer<Double>, _ x: UnsafePointer<Double>, _ n: UnsafePointer<Int32>
) {
  let count = Int(n.pointee)
  for n in 0..<count { y[n] = Foundation.log2(x[n]) }
}

/// y = sin(x).
public func vvsinf(
  _ y: UnsafeMutablePointer<Float>, _ x: UnsafePointer<Float>, _ n: UnsafePointer<Int32>
) {
  let count = Int(n.pointee)
  for n in 0..<count { y[n] = Foundation.sin(x[n]) }
}

/// y = sin(x).
public func vvsin(
  _ y: UnsafeMutablePointer<Double>, _ x: UnsafePointer<Double>, _ n: UnsafePointer<Int32>
) {
  let count = Int(n.pointee)
  for n in 0..<count { y[n] = Foundation.sin(x[n]) }
}

/// y = cos(x).
public func vvcosf(
  _ y: UnsafeMutablePointer<Float>, _ x: UnsafePointer<Float>, _ n: UnsafePointer<Int32>
) {
  let count = Int(n.pointee)
  for n in 0..<count { y[n] = Foundation.cos(x[n]) }
}

/// y = cos(x).
public func vvcos(
  _ y: UnsafeMutablePointer<Double>, _ x: UnsafePointer<Double>, _ n: UnsafePointer<Int32>
) {
  let count = Int(n.pointee)
  for n in 0..<count { y[n] = Foundation.cos(x[n]) }
}

/// y = tan(x).
public func vvtanf(
  _ y: UnsafeMutablePointer<Float>, _ x: UnsafePointer<Float>, _ n: UnsafePointer<Int32>
) {
  let count = Int(n.pointee)
  for n in 0..<count { y[n] = Foundation.tan(x[n]) }
}

/// y = tan(x).
public func vvtan(
  _ y: UnsafeMutablePointer<Double>, _ x: UnsafePointer<Double>, _ n: UnsafePointer<Int32>
) {
  let count = Int(n.pointee)
  for n in 0..<count { y[n] = Foundation.tan(x[n]) }
}

/// y = sqrt(x).
public func vvsqrtf(
  _ y: UnsafeMutablePointer<Float>, _ x: UnsafePointer<Float>, _ n: UnsafePointer<Int32>
) {
  let count = Int(n.pointee)
  for n in 0..<count { y[n] = x[n].squareRoot() }
}

/// y = sqrt(x).
public func vvsqrt(
  _ y: UnsafeMutablePointer<Double>, _ x: UnsafePointer<Double>, _ n: UnsafePointer<Int32>
) {
  let count = Int(n.pointee)
  for n in 0..<count { y[n] = x[n].squareRoot() }
}

/// y = tanh(x).
public func vvtanhf(
  _ y: UnsafeMutablePointer<Float>, _ x: UnsafePointer<Float>, _ n: UnsafePointer<Int32>
) {
  let count = Int(n.pointee)
  for n in 0..<count { y[n] = Foundation.tanh(x[n]) }
}

/// y = tanh(x).
public func vvtanh(
  _ y: UnsafeMutablePointer<Double>, _ x: UnsafePointer<Double>, _ n: UnsafePointer<Int32>
) {
  let count = Int(n.pointee)
  for n in 0..<count { y[n] = Foundation.tanh(x[n]) }
}

/// y = sinh(x).
public func vvsinhf(
  _ y: UnsafeMutablePointer<Float>, _ x: UnsafePointer<Float>, _ n: UnsafePointer<Int32>
) {
  let count = Int(n.pointee)
  for n in 0..<count { y[n] = Foundation.sinh(x[n]) }
}

/// y = sinh(x).
public func vvsinh(
  _ y: UnsafeMutablePointer<Double>, _ x: UnsafePointer<Double>, _ n: UnsafePointer<Int32>
) {
  let count = Int(n.pointee)
  for n in 0..<count { y[n] = Foundation.sinh(x[n]) }
}

/// y = cosh(x).
public func vvcoshf(
  _ y: UnsafeMutablePointer<Float>, _ x: UnsafePointer<Float>, _ n: UnsafePointer<Int32>
) {
  let count = Int(n.pointee)
  for n in 0..<count { y[n] = Foundation.cosh(x[n]) }
}

/// y = cosh(x).
public func vvcosh(
  _ y: UnsafeMutablePointer<Double>, _ x: UnsafePointer<Double>, _ n: UnsafePointer<Int32>
) {
  let count = Int(n.pointee)
  for n in 0..<count { y[n] = Foundation.cosh(x[n]) }
}

/// y = asin(x).
public func vvasinf(
  _ y: UnsafeMutablePointer<Float>, _ x: UnsafePointer<Float>, _ n: UnsafePointer<Int32>
) {
  let count = Int(n.pointee)
  for n in 0..<count { y[n] = Foundation.asin(x[n]) }
}

/// y = asin(x).
public func vvasin(
  _ y: UnsafeMutablePointer<Double>, _ x: UnsafePointer<Double>, _ n: UnsafePointer<Int32>
) {
  let count = Int(n.pointee)
  for n in 0..<count { y[n] = Foundation.asin(x[n]) }
}

/// y = acos(x).
public func vvacosf(
  _ y: UnsafeMutablePointer<Float>, _ x: UnsafePointer<Float>, _ n: UnsafePointer<Int32>
) {
  let count = Int(n.pointee)
  for n in 0..<count { y[n] = Foundation.acos(x[n]) }
}

/// y = acos(x).
public func vvacos(
  _ y: UnsafeMutablePointer<Double>, _ x: UnsafePointer<Double>, _ n: UnsafePointer<Int32>
) {
  let count = Int(n.pointee)
  for n in 0..<count { y[n] = Foundation.acos(x[n]) }
}

/// y = atan(x).
public func vvatanf(
  _ y: UnsafeMutablePointer<Float>, _ x: UnsafePointer<Float>, _ n: UnsafePointer<Int32>
) {
  let count = Int(n.pointee)
  for n in 0..<count { y[n] = Foundation.atan(x[n]) }
}

/// y = atan(x).
public func vvatan(
  _ y: UnsafeMutablePointer<Double>, _ x: UnsafePointer<Double>, _ n: UnsafePointer<Int32>
) {
  let count = Int(n.pointee)
  for n in 0..<count { y[n] = Foundation.atan(x[n]) }
}

/// y = ceil(x).
public func vvceilf(
  _ y: UnsafeMutablePointer<Float>, _ x: UnsafePointer<Float>, _ n: UnsafePointer<Int32>
) {
  let count = Int(n.pointee)
  for n in 0..<count { y[n] = x[n].rounded(.up) }
}

/// y = ceil(x).
public func vvceil(
  _ y: UnsafeMutablePointer<Double>, _ x: UnsafePointer<Double>, _ n: UnsafePointer<Int32>
) {
  let count = Int(n.pointee)
  for n in 0..<count { y[n] = x[n].rounded(.up) }
}

/// y = floor(x).
public func vvfloorf(
  _ y: UnsafeMutablePointer<Float>, _ x: UnsafePointer<Float>, _ n: UnsafePointer<Int32>
) {
  let count = Int(n.pointee)
  for n in 0..<count { y[n] = x[n].rounded(.down) }
}

/// y = floor(x).
public func vvfloor(
  _ y: UnsafeMutablePointer<Double>, _ x: UnsafePointer<Double>, _ n: UnsafePointer<Int32>
) {
  let count = Int(n.pointee)
  for n in 0..<count { y[n] = x[n].rounded(.down) }
}

/// y = fabs(x).
public func vvfabsf(
  _ y: UnsafeMutablePointer<Float>, _ x: UnsafePointer<Float>, _ n: UnsafePointer<Int32>
) {
  let count = Int(n.pointee)
  for n in 0..<count { y[n] = Swift.abs(x[n]) }
}

/// y = fabs(x).
public func vvfabs(
  _ y: UnsafeMutablePointer<Double>, _ x: UnsafePointer<Double>, _ n: UnsafePointer<Int32>
) {
  let count = Int(n.pointee)
  for n in 0..<count { y[n] = Swift.abs(x[n]) }
}

/// y = rec(x).
public func vvrecf(
  _ y: UnsafeMutablePointer<Float>, _ x: UnsafePointer<Float>, _ n: UnsafePointer<Int32>
) {
  let count = Int(n.pointee)
  for n in 0..<count { y[n] = 1 / x[n] }
}

/// y = rec(x).
public func vvrec(
  _ y: UnsafeMutablePointer<Double>, _ x: UnsafePointer<Double>, _ n: UnsafePointer<Int32>
) {
  let count = Int(n.pointee)
  for n in 0..<count { y[n] = 1 / x[n] }
}

/// z = x to the power of y; the exponents come first.
public func vvpowf(
  _ z: UnsafeMutablePointer<Float>, _ y: UnsafePointer<Float>, _ x: UnsafePointer<Float>,
  _ n: UnsafePointer<Int32>
) {
  let count = Int(n.pointee)
  for n in 0..<count { z[n] = Foundation.pow(x[n], y[n]) }
}

/// z = y / x.
public func vvdivf(
  _ z: UnsafeMutablePointer<Float>, _ y: UnsafePointer<Float>, _ x: UnsafePointer<Float>,
  _ n: UnsafePointer<Int32>
) {
  let count = Int(n.pointee)
  for n in 0..<count { z[n] = y[n] / x[n] }
}

/// z = the angle of x and y.
public func vvatan2f(
  _ z: UnsafeMutablePointer<Float>, _ y: UnsafePointer<Float>, _ x: UnsafePointer<Float>,
  _ n: UnsafePointer<Int32>
) {
  let count = Int(n.pointee)
  for n in 0..<count { z[n] = Foundation.atan2(y[n], x[n]) }
}

/// z = x to the power of y; the exponents come first.
public func vvpow(
  _ z: UnsafeMutablePointer<Double>, _ y: UnsafePointer<Double>, _ x: UnsafePointer<Double>,
  _ n: UnsafePointer<Int32>
) {
  let count = Int(n.pointee)
  for n in 0..<count { z[n] = Foundation.pow(x[n], y[n]) }
}

/// z = y / x.
public func vvdiv(
  _ z: UnsafeMutablePointer<Double>, _ y: UnsafePointer<Double>, _ x: UnsafePointer<Double>,
  _ n: UnsafePointer<Int32>
) {
  let count = Int(n.pointee)
  for n in 0..<count { z[n] = y[n] / x[n] }
}

/// z = the angle of x and y.
public func vvatan2(
  _ z: UnsafeMutablePointer<Double>, _ y: UnsafePointer<Double>, _ x: UnsafePointer<Double>,
  _ n: UnsafePointer<Int32>
) {
  let count = Int(n.pointee)
  for n in 0..<count { z[n] = Foundation.atan2(y[n], x[n]) }
}
