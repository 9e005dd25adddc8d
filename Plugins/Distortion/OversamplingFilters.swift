// The filters of four or eight samples for each frame, as sums of rows.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import RealtimeSupport

/// Linear-phase filters up to four or eight times the rate and back, for all channels.
///
/// Each step doubles or halves the rate by a filter of which every other sample but the middle one is zero; the last
/// one back is a whole filter. Together they pass 0.42 of the sample rate and attenuate by 90 dB from 0.515 on.
///
/// Context: made and freed on a control thread, otherwise any.
@safe struct OversamplingFilters: ~Copyable {
  /// Samples for each frame.
  let factor: Int
  /// Frames by which all filters delay.
  let latency: Int
  /// Rows of a channel: the input, each step up, each step down, the output.
  let rowCount: Int
  /// The row that frames go into.
  static var input: Int { @_noLocks get { 0 } }
  /// The first of `factor` rows that have all samples.
  let firstShaped: Int
  /// The row that frames come out of.
  let output: Int
  let up: RowProgram
  let down: RowProgram

  /// Half the lengths of the filters that double the rate, in samples of that rate, from the slowest up.
  private static let halves = [37, 13, 9]
  /// The same of the last filter.
  private static let lastHalf = 67

  /// Designs for a rate. Context: control.
  init(sampleRate: Double) {
    let steps = sampleRate < 130_000 ? 3 : 2
    factor = 1 << steps
    // A sample at the highest rate makes the delay of the whole a number of frames.
    let pad = 1
    var delay = pad + (Self.lastHalf - 1) << (steps - 1)
    var (rising, falling): ([RowSum], [RowSum]) = ([], [])
    var source = SampleRows(first: Self.input, count: 1)
    for step in 0..<steps {
      let half = Self.halves[step]
      let target = SampleRows(first: source.end, count: 2 * source.count)
      rising += Self.doubling(source, target, half: half)
      delay += half << (steps - 1 - step)
      source = target
    }
    firstShaped = source.first
    var late = pad
    var end = source.end
    for step in (1..<steps).reversed() {
      let half = Self.halves[step]
      let target = SampleRows(first: end, count: source.count / 2)
      falling += Self.halving(source, target, half: half, late: late)
      delay += (half - 1) << (steps - 1 - step)
      late = 0
      source = target
      end = target.end
    }
    output = end
    falling.append(Self.last(source, SampleRows(first: end, count: 1), late: late))
    latency = delay / factor
    rowCount = end + 1
    up = RowProgram(rising)
    down = RowProgram(falling)
  }

  deinit {
    up.deallocate()
    down.deallocate()
  }

  /// The samples of a half-band filter that are not zero, from the outermost to the middle: their sum is a quarter.
  private static func halfBand(_ half: Int) -> [Double] {
    let whole = kernel(half: half, edge: 0.25)
    let side: [Double] = stride(from: 0, to: half, by: 2).map { whole[$0] }
    let sum = side.reduce(0, +)
    return side.map { $0 * 0.25 / sum }
  }

  /// Two samples of each one: sums of pairs, and the samples themselves.
  private static func doubling(
    _ source: SampleRows, _ target: SampleRows, half: Int
  ) -> [RowSum] {
    var sums: [RowSum] = []
    for place in 0..<source.count {
      var between = RowSum(target: target.row(2 * place), single: source.place(place), weight: 0)
      for (index, tap) in halfBand(half).enumerated() {
        let (first, second) = (source.place(place - index), source.place(place - half + index))
        between.pairs.append(RowPair(first: first, second: second, weight: 2 * tap))
      }
      let middle = source.place(place - (half - 1) / 2)
      sums += [between, RowSum(target: target.row(2 * place + 1), single: middle, weight: 1)]
    }
    return sums
  }

  /// One sample of each two, `late` samples of the source later.
  private static func halving(
    _ source: SampleRows, _ target: SampleRows, half: Int, late: Int
  ) -> [RowSum] {
    var sums: [RowSum] = []
    for place in 0..<target.count {
      let newest = 2 * place + 1 - late
      var sum = RowSum(
        target: target.row(place), single: source.place(newest - half), weight: 0.5)
      for (index, tap) in halfBand(half).enumerated() {
        let first = source.place(newest - 2 * index)
        let second = source.place(newest - 2 * half + 2 * index)
        sum.pairs.append(RowPair(first: first, second: second, weight: tap))
      }
      sums.append(sum)
    }
    return sums
  }

  /// The last filter: one frame of each two samples.
  private static func last(_ source: SampleRows, _ target: SampleRows, late: Int) -> RowSum {
    let taps = kernel(half: lastHalf, edge: 0.4725 / 2)
    let newest = 1 - late
    var sum = RowSum(
      target: target.row(0), single: source.place(newest - lastHalf), weight: taps[lastHalf])
    for index in 0..<lastHalf {
      let first = source.place(newest - index)
      let second = source.place(newest - 2 * lastHalf + index)
      sum.pairs.append(RowPair(first: first, second: second, weight: taps[index]))
    }
    return sum
  }

  /// A low-pass of 2 · half + 1 samples with a Kaiser window and a sum of 1.
  private static func kernel(half: Int, edge: Double) -> [Double] {
    func bessel(_ x: Double) -> Double {
      var (sum, term) = (1.0, 1.0)
      for order in 1..<50 {
        term *= (x / 2 / Double(order)) * (x / 2 / Double(order))
        sum += term
      }
      return sum
    }
    let beta = 8.96
    var values: [Double] = []
    for place in -half...half {
      let x = Double(place)
      let wave = RealtimeMath.sin(2 * Double.pi * edge * x)
      let sinc = place == 0 ? 2 * edge : wave / (Double.pi * x)
      let part = x / Double(half)
      values.append(sinc * bessel(beta * (1 - part * part).squareRoot()) / bessel(beta))
    }
    let sum = values.reduce(0, +)
    return values.map { $0 / sum }
  }
}
