// The bells of a graphic equaliser: where they are, and how their gains follow from the sliders.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import RealtimeSupport

/// Bells at octaves or thirds of octaves.
///
/// The decibels of all bells add up. The effects of each bell of a decibel at all centres make a matrix; its inverse
/// turns sliders into gains of bells. Bells grow wider with their gain, so the remaining error at the centres is added
/// to the bells the same way. That is done four times and by seven tenths, since all of it would overshoot.
///
/// Context: made and freed on a control thread, otherwise any.
@safe struct GraphicBands: ~Copyable {
  /// Centres of the octaves (Hz).
  static let octaves: [Double] = [
    31.5, 63, 125, 250, 500, 1000, 2000, 4000, 8000, 16_000,
  ]
  /// Centres of the thirds of octaves (Hz).
  static let thirds: [Double] = [
    20, 25, 31.5, 40, 50, 63, 80, 100, 125, 160, 200, 250, 315, 400, 500, 630, 800, 1000, 1250,
    1600,
    2000, 2500, 3150, 4000, 5000, 6300, 8000, 10_000, 12_500, 16_000, 20_000,
  ]

  private let centres: UnsafeMutablePointer<Float>
  private let inverse: UnsafeMutablePointer<Float>
  /// The distance of each centre (row) from each bell: (Q (1/x - x))², x the ratio of the frequencies.
  private let distances: UnsafeMutablePointer<Double>
  private let q: Float
  private let kind: Int32
  /// Bells below 0.47 of the sample rate; the others are off.
  private let count: Int

  /// Solves for a rate. Context: control.
  init(thirds: Bool, sampleRate: Double, design: FilterDesign) {
    let all = thirds ? Self.thirds : Self.octaves
    let used = all.filter { $0 < 0.47 * sampleRate }
    count = used.count
    kind = thirds ? 1 : 0
    q = Float(FilterShape.q(octaves: thirds ? 0.43 : 1.2))
    unsafe centres = .allocate(capacity: 31)
    unsafe centres.initialize(repeating: 1000, count: 31)
    for (index, centre) in used.enumerated() { unsafe centres[index] = Float(centre) }
    unsafe inverse = .allocate(capacity: 31 * 31)
    unsafe inverse.initialize(repeating: 0, count: 31 * 31)
    unsafe distances = .allocate(capacity: 31 * 31)
    unsafe distances.initialize(repeating: 0, count: 31 * 31)
    let width = Double(q)
    // Bells of 10 dB represent all: their shapes in decibels are nearly the same.
    let shapes = used.map {
      StateVariableCoefficients.filter(
        .bell, frequency: $0, q: width, gain: RealtimeMath.gain(decibels: 10.0),
        sampleRate: sampleRate, design: design)
    }
    let rows = used.map { centre in
      shapes.map {
        2 * RealtimeMath.log10($0.magnitude(atFrequency: centre, sampleRate: sampleRate))
      }
    }
    for (row, values) in Self.inverted(rows).enumerated() {
      for (column, value) in values.enumerated() {
        unsafe inverse[row * 31 + column] = Float(value)
      }
    }
    // The bilinear transform warps the frequencies.
    let places = used.map {
      design == .cookbook ? RealtimeMath.tan(Double.pi * $0 / sampleRate) : $0
    }
    for (row, centre) in places.enumerated() {
      for (column, bell) in places.enumerated() {
        let distance = width * (bell / centre - centre / bell)
        unsafe distances[row * 31 + column] = distance * distance
      }
    }
  }

  deinit {
    unsafe centres.deallocate()
    unsafe inverse.deallocate()
    unsafe distances.deallocate()
  }

  /// The inverse of a matrix by elimination; its diagonal is the largest of each row.
  private static func inverted(_ rows: [[Double]]) -> [[Double]] {
    var left = rows
    var right = rows.indices.map { row in rows.indices.map { $0 == row ? 1.0 : 0 } }
    for pivot in rows.indices {
      let scale = 1 / left[pivot][pivot]
      for column in rows.indices {
        left[pivot][column] *= scale
        right[pivot][column] *= scale
      }
      for row in rows.indices where row != pivot {
        let factor = left[row][pivot]
        for column in rows.indices {
          left[row][column] -= factor * left[pivot][column]
          right[row][column] -= factor * right[pivot][column]
        }
      }
    }
    return right
  }

  /// Adds a part of the error at the centres to the gains of the bells (decibels).
  @_noLocks private func add(
    _ part: Float, of missing: InlineArray<31, Float>, to gains: inout InlineArray<31, Float>
  ) {
    for bell in 0..<count {
      for centre in 0..<count {
        gains[bell] += unsafe part * inverse[bell * 31 + centre] * missing[centre]
      }
    }
  }

  /// Computes the difference between the sliders and the bells' sum at the centres (decibels).
  @_noLocks private func missing(
    _ sliders: InlineArray<31, Float>, of gains: InlineArray<31, Float>
  ) -> InlineArray<31, Float> {
    // A bell's squared magnitude is (d + g) / (d + 1 / g), with its gain g.
    var above = InlineArray<31, Double>(repeating: 1), below = above
    for bell in 0..<count {
      above[bell] = RealtimeMath.gain(decibels: Double(gains[bell]))
      below[bell] = 1 / above[bell]
    }
    var missing = sliders
    for centre in 0..<count {
      var square = 1.0
      for bell in 0..<count {
        let distance = unsafe distances[centre * 31 + bell]
        square *= (distance + above[bell]) / (distance + below[bell])
      }
      missing[centre] -= Float(10 * RealtimeMath.log10(square))
    }
    return missing
  }

  /// The bells for sliders in decibels.
  @_noLocks func settings(_ sliders: InlineArray<31, Float>) -> InlineArray<31, FilterSetting> {
    var gains = InlineArray<31, Float>(repeating: 0)
    add(1, of: sliders, to: &gains)
    for _ in 0..<4 { add(0.7, of: missing(sliders, of: gains), to: &gains) }
    var settings = InlineArray<31, FilterSetting>(
      repeating: FilterSetting(.bell, frequency: 1000, isOn: false, kind: kind))
    for bell in 0..<count {
      settings[bell] = FilterSetting(
        .bell, frequency: unsafe centres[bell], q: q, gain: gains[bell], isOn: true, kind: kind)
    }
    return settings
  }
}
