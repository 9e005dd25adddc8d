// The bells of a graphic equaliser: where they are, and how their gains follow from the sliders.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import RealtimeSupport

/// Bells at octaves or thirds of octaves.
///
/// The decibels of all bells add up. What each bell of a decibel adds at each centre makes a matrix; its
/// inverse turns sliders into gains of bells.
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
    let width = Double(q)
    // Bells of 10 dB stand for all: their shapes in decibels are nearly the same.
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
  }

  deinit {
    unsafe centres.deallocate()
    unsafe inverse.deallocate()
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

  /// The bell of a place for sliders in decibels.
  @_noLocks func setting(_ index: Int, _ sliders: InlineArray<31, Float>) -> FilterSetting {
    guard index < count else {
      return FilterSetting(.bell, frequency: 1000, isOn: false, kind: kind)
    }
    var gain: Float = 0
    for slider in 0..<count { gain += unsafe inverse[index * 31 + slider] * sliders[slider] }
    return FilterSetting(
      .bell, frequency: unsafe centres[index], q: q, gain: gain, isOn: true, kind: kind)
  }
}
