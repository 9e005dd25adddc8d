// Functions of vDSP and vForce whose results go into vectors that are there.
// SPDX-License-Identifier: Apache-2.0

/// Copies a vector to the place of a result.
private func copy<R: AccelerateMutableBuffer>(_ made: [R.Element], _ result: inout R) {
  precondition(result.count == made.count, "vectors must have the same count")
  result.withUnsafeMutableBufferPointer { _ = $0.update(fromContentsOf: made) }
}

extension vDSP {
  /// The numbers, those beyond bounds moved to them.
  public static func clip<U: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ vector: U, to bounds: ClosedRange<Float>, result: inout R
  ) where U.Element == Float, R.Element == Float {
    copy(clip(vector, to: bounds), &result)
  }
  /// The numbers, and what a rule has in place of those below a bound.
  public static func threshold<U: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ vector: U, to lowerBound: Float, with rule: ThresholdRule<Float>, result: inout R
  ) where U.Element == Float, R.Element == Float {
    copy(threshold(vector, to: lowerBound, with: rule), &result)
  }
  /// The numbers between those of two vectors.
  public static func linearInterpolate<
    U: AccelerateBuffer, V: AccelerateBuffer, R: AccelerateMutableBuffer
  >(
    _ vectorA: U, _ vectorB: V, using interpolationConstant: Float, result: inout R
  ) where U.Element == Float, V.Element == Float, R.Element == Float {
    copy(linearInterpolate(vectorA, vectorB, using: interpolationConstant), &result)
  }
  /// The convolution with a kernel.
  public static func convolve<
    U: AccelerateBuffer, V: AccelerateBuffer, R: AccelerateMutableBuffer
  >(
    _ vector: U, withKernel kernel: V, result: inout R
  ) where U.Element == Float, V.Element == Float, R.Element == Float {
    copy(convolve(vector, withKernel: kernel), &result)
  }
  /// Every so many numbers of a filtered vector.
  public static func downsample<
    U: AccelerateBuffer, V: AccelerateBuffer, R: AccelerateMutableBuffer
  >(
    _ source: U, decimationFactor: Int, filter: V, result: inout R
  ) where U.Element == Float, V.Element == Float, R.Element == Float {
    copy(downsample(source, decimationFactor: decimationFactor, filter: filter), &result)
  }
  /// The decibels of amplitudes.
  public static func convert<U: AccelerateBuffer, R: AccelerateMutableBuffer>(
    amplitude: U, toDecibels: inout R, zeroReference: Float
  ) where U.Element == Float, R.Element == Float {
    copy(amplitudeToDecibels(amplitude, zeroReference: zeroReference), &toDecibels)
  }
  /// The decibels of powers.
  public static func convert<U: AccelerateBuffer, R: AccelerateMutableBuffer>(
    power: U, toDecibels: inout R, zeroReference: Float
  ) where U.Element == Float, R.Element == Float {
    copy(powerToDecibels(power, zeroReference: zeroReference), &toDecibels)
  }
}

extension vForce {
  /// exp of each.
  public static func exp<U: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ vector: U, result: inout R
  ) where U.Element == Float, R.Element == Float {
    copy(exp(vector), &result)
  }
  /// log of each.
  public static func log<U: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ vector: U, result: inout R
  ) where U.Element == Float, R.Element == Float {
    copy(log(vector), &result)
  }
  /// log10 of each.
  public static func log10<U: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ vector: U, result: inout R
  ) where U.Element == Float, R.Element == Float {
    copy(log10(vector), &result)
  }
  /// log2 of each.
  public static func log2<U: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ vector: U, result: inout R
  ) where U.Element == Float, R.Element == Float {
    copy(log2(vector), &result)
  }
  /// sin of each.
  public static func sin<U: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ vector: U, result: inout R
  ) where U.Element == Float, R.Element == Float {
    copy(sin(vector), &result)
  }
  /// cos of each.
  public static func cos<U: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ vector: U, result: inout R
  ) where U.Element == Float, R.Element == Float {
    copy(cos(vector), &result)
  }
  /// tan of each.
  public static func tan<U: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ vector: U, result: inout R
  ) where U.Element == Float, R.Element == Float {
    copy(tan(vector), &result)
  }
  /// sqrt of each.
  public static func sqrt<U: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ vector: U, result: inout R
  ) where U.Element == Float, R.Element == Float {
    copy(sqrt(vector), &result)
  }
  /// tanh of each.
  public static func tanh<U: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ vector: U, result: inout R
  ) where U.Element == Float, R.Element == Float {
    copy(tanh(vector), &result)
  }
  /// floor of each.
  public static func floor<U: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ vector: U, result: inout R
  ) where U.Element == Float, R.Element == Float {
    copy(floor(vector), &result)
  }
  /// ceil of each.
  public static func ceil<U: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ vector: U, result: inout R
  ) where U.Element == Float, R.Element == Float {
    copy(ceil(vector), &result)
  }
  /// reciprocal of each.
  public static func reciprocal<U: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ vector: U, result: inout R
  ) where U.Element == Float, R.Element == Float {
    copy(reciprocal(vector), &result)
  }
}

extension vDSP {
  /// The numbers, those beyond bounds moved to them.
  public static func clip<U: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ vector: U, to bounds: ClosedRange<Double>, result: inout R
  ) where U.Element == Double, R.Element == Double {
    copy(clip(vector, to: bounds), &result)
  }
  /// The numbers, and what a rule has in place of those below a bound.
  public static func threshold<U: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ vector: U, to lowerBound: Double, with rule: ThresholdRule<Double>, result: inout R
  ) where U.Element == Double, R.Element == Double {
    copy(threshold(vector, to: lowerBound, with: rule), &result)
  }
  /// The numbers between those of two vectors.
  public static func linearInterpolate<
    U: AccelerateBuffer, V: AccelerateBuffer, R: AccelerateMutableBuffer
  >(
    _ vectorA: U, _ vectorB: V, using interpolationConstant: Double, result: inout R
  ) where U.Element == Double, V.Element == Double, R.Element == Double {
    copy(linearInterpolate(vectorA, vectorB, using: interpolationConstant), &result)
  }
  /// The convolution with a kernel.
  public static func convolve<
    U: AccelerateBuffer, V: AccelerateBuffer, R: AccelerateMutableBuffer
  >(
    _ vector: U, withKernel kernel: V, result: inout R
  ) where U.Element == Double, V.Element == Double, R.Element == Double {
    copy(convolve(vector, withKernel: kernel), &result)
  }
  /// Every so many numbers of a filtered vector.
  public static func downsample<
    U: AccelerateBuffer, V: AccelerateBuffer, R: AccelerateMutableBuffer
  >(
    _ source: U, decimationFactor: Int, filter: V, result: inout R
  ) where U.Element == Double, V.Element == Double, R.Element == Double {
    copy(downsample(source, decimationFactor: decimationFactor, filter: filter), &result)
  }
  /// The decibels of amplitudes.
  public static func convert<U: AccelerateBuffer, R: AccelerateMutableBuffer>(
    amplitude: U, toDecibels: inout R, zeroReference: Double
  ) where U.Element == Double, R.Element == Double {
    copy(amplitudeToDecibels(amplitude, zeroReference: zeroReference), &toDecibels)
  }
  /// The decibels of powers.
  public static func convert<U: AccelerateBuffer, R: AccelerateMutableBuffer>(
    power: U, toDecibels: inout R, zeroReference: Double
  ) where U.Element == Double, R.Element == Double {
    copy(powerToDecibels(power, zeroReference: zeroReference), &toDecibels)
  }
}

extension vForce {
  /// exp of each.
  public static func exp<U: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ vector: U, result: inout R
  ) where U.Element == Double, R.Element == Double {
    copy(exp(vector), &result)
  }
  /// log of each.
  public static func log<U: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ vector: U, result: inout R
  ) where U.Element == Double, R.Element == Double {
    copy(log(vector), &result)
  }
  /// log10 of each.
  public static func log10<U: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ vector: U, result: inout R
  ) where U.Element == Double, R.Element == Double {
    copy(log10(vector), &result)
  }
  /// log2 of each.
  public static func log2<U: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ vector: U, result: inout R
  ) where U.Element == Double, R.Element == Double {
    copy(log2(vector), &result)
  }
  /// sin of each.
  public static func sin<U: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ vector: U, result: inout R
  ) where U.Element == Double, R.Element == Double {
    copy(sin(vector), &result)
  }
  /// cos of each.
  public static func cos<U: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ vector: U, result: inout R
  ) where U.Element == Double, R.Element == Double {
    copy(cos(vector), &result)
  }
  /// tan of each.
  public static func tan<U: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ vector: U, result: inout R
  ) where U.Element == Double, R.Element == Double {
    copy(tan(vector), &result)
  }
  /// sqrt of each.
  public static func sqrt<U: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ vector: U, result: inout R
  ) where U.Element == Double, R.Element == Double {
    copy(sqrt(vector), &result)
  }
  /// tanh of each.
  public static func tanh<U: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ vector: U, result: inout R
  ) where U.Element == Double, R.Element == Double {
    copy(tanh(vector), &result)
  }
  /// floor of each.
  public static func floor<U: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ vector: U, result: inout R
  ) where U.Element == Double, R.Element == Double {
    copy(floor(vector), &result)
  }
  /// ceil of each.
  public static func ceil<U: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ vector: U, result: inout R
  ) where U.Element == Double, R.Element == Double {
    copy(ceil(vector), &result)
  }
  /// reciprocal of each.
  public static func reciprocal<U: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ vector: U, result: inout R
  ) where U.Element == Double, R.Element == Double {
    copy(reciprocal(vector), &result)
  }
}
