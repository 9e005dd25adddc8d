// Filters of second order behind each other.
// SPDX-License-Identifier: Apache-2.0

/// The factors of filters of second order, one behind the other.
public typealias vDSP_biquad_Setup = OpaquePointer

private final class BiquadTable {
  let factors: [Double]
  init(_ factors: [Double]) { self.factors = factors }
}

/// Filters samples by sections of five factors. A section has two places of its input, then come those of the output.
private func filter<Value: BinaryFloatingPoint>(
  _ factors: ArraySlice<Double>, _ delay: UnsafeMutablePointer<Value>,
  _ input: UnsafePointer<Value>, _ inputStride: Int, _ output: UnsafeMutablePointer<Value>,
  _ outputStride: Int, _ count: Int
) {
  let sections = factors.count / 5
  for n in 0..<count {
    var sample = Double(input[n * inputStride])
    for section in 0..<sections {
      let first = factors.startIndex + 5 * section
      let (x2, x1) = (Double(delay[2 * section]), Double(delay[2 * section + 1]))
      let (y2, y1) = (Double(delay[2 * section + 2]), Double(delay[2 * section + 3]))
      let result =
        factors[first] * sample + factors[first + 1] * x1 + factors[first + 2] * x2
        - factors[first + 3] * y1 - factors[first + 4] * y2
      (delay[2 * section], delay[2 * section + 1]) = (Value(x1), Value(sample))
      sample = result
    }
    (delay[2 * sections], delay[2 * sections + 1]) = (delay[2 * sections + 1], Value(sample))
    output[n * outputStride] = Value(sample)
  }
}

/// Makes filters of a number of sections: b0, b1, b2, a1, a2 of each.
public func vDSP_biquad_CreateSetup(_ coefficients: UnsafePointer<Double>, _ sections: vDSP_Length)
  -> vDSP_biquad_Setup?
{
  guard sections > 0 else { return nil }
  let factors = Array(UnsafeBufferPointer(start: coefficients, count: 5 * Int(sections)))
  return OpaquePointer(Unmanaged.passRetained(BiquadTable(factors)).toOpaque())
}
/// Frees filters.
public func vDSP_biquad_DestroySetup(_ setup: vDSP_biquad_Setup?) {
  if let setup { Unmanaged<BiquadTable>.fromOpaque(UnsafeRawPointer(setup)).release() }
}
/// Filters samples; the delay has two places more than twice the number of sections, zeros at first.
public func vDSP_biquad(
  _ setup: vDSP_biquad_Setup, _ delay: UnsafeMutablePointer<Float>, _ X: UnsafePointer<Float>,
  _ IX: vDSP_Stride, _ Y: UnsafeMutablePointer<Float>, _ IY: vDSP_Stride, _ N: vDSP_Length
) {
  let table = Unmanaged<BiquadTable>.fromOpaque(UnsafeRawPointer(setup)).takeUnretainedValue()
  filter(table.factors[...], delay, X, IX, Y, IY, Int(N))
}

extension vDSP {
  /// Filters of second order, with what they remember of each channel.
  public struct Biquad<T: vDSP_FloatingPointDiscreteFourierTransformable>: Sendable {
    private let factors: [Double]
    private let channels: Int
    private var delay: [T]
    /// Filters of sections for each channel: b0, b1, b2, a1, a2 of each. Nil where there are not as many coefficients.
    public init?(
      coefficients: [Double], channelCount: vDSP_Length, sectionCount: vDSP_Length, ofType: T.Type
    ) {
      let (channels, sections) = (Int(channelCount), Int(sectionCount))
      guard channels > 0, sections > 0, coefficients.count == 5 * channels * sections else {
        return nil
      }
      factors = coefficients
      self.channels = channels
      delay = [T](repeating: 0, count: channels * (2 * sections + 2))
    }
    /// The filtered samples, those of each channel behind each other.
    public mutating func apply<U: AccelerateBuffer>(input: U) -> [T] where U.Element == T {
      var result = [T](repeating: 0, count: input.count)
      apply(input: input, output: &result)
      return result
    }
    /// Filters samples, those of each channel behind each other, into a vector that is there.
    public mutating func apply<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
      input: U, output: inout V
    ) where U.Element == T, V.Element == T {
      precondition(
        input.count == output.count && input.count % channels == 0,
        "vectors must have the same count, a multiple of the number of channels")
      let (count, own, places) = (
        input.count / channels, factors.count / channels, delay.count / channels
      )
      input.withUnsafeBufferPointer { samples in
        output.withUnsafeMutableBufferPointer { results in
          delay.withUnsafeMutableBufferPointer { delay in
            guard let from = samples.baseAddress, let to = results.baseAddress,
              let memory = delay.baseAddress
            else { return }
            for channel in 0..<channels {
              filter(
                factors[channel * own..<(channel + 1) * own], memory + channel * places,
                from + channel * count, 1, to + channel * count, 1, count)
            }
          }
        }
      }
    }
  }
}
