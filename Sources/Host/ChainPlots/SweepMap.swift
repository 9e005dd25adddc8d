// Frequencies over time while an even sweep goes through a chain.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import Spectra

/// The spectrogram of a sound, in dB of a sine of a known peak.
struct SweepMap {
  private static let (columns, rows) = (480, 240)
  /// Levels below this are not distinguished.
  static let floor: Float = -120
  private let transform = FourierTransform(count: 1024)
  private let window: [Float]

  init() {
    let count = 1 << 10
    // Blackman–Harris: leakage beside a tone is below −92 dB.
    let terms = [0.35875, -0.48829, 0.14128, -0.01168]
    window = (0..<count).map { index in
      let angle = 2 * Double.pi * (Double(index) + 0.5) / Double(count)
      return Float(
        terms.enumerated().reduce(0) { $0 + $1.element * cos(Double($1.offset) * angle) })
    }
  }

  /// The map; a sine of this peak is 0 dB.
  func map(_ samples: [Float], peak: Double) -> PlotFigure.Map {
    let size = transform.count
    let scale = 2 / (0.35875 * Double(size) * peak)
    var levels = [Float](repeating: Self.floor, count: Self.columns * Self.rows)
    for column in 0..<Self.columns {
      let middle = (2 * column + 1) * samples.count / (2 * Self.columns)
      var re = (0..<size).map { index in
        let place = middle - size / 2 + index
        return samples.indices.contains(place) ? samples[place] * window[index] : 0
      }
      var im = [Float](repeating: 0, count: size)
      transform.transform(&re, &im)
      for row in 0..<Self.rows {
        let first = row * (size / 2) / Self.rows
        let last = max(first, (row + 1) * (size / 2) / Self.rows - 1)
        let power = (first...last).reduce(0.0) {
          max($0, Double(re[$1] * re[$1] + im[$1] * im[$1]))
        }
        let level = 10 * log10(max(power * scale * scale, 1e-30))
        levels[(Self.rows - 1 - row) * Self.columns + column] = max(Self.floor, Float(level))
      }
    }
    return PlotFigure.Map(
      columns: Self.columns, rows: Self.rows, levels: levels, floor: Self.floor)
  }
}
