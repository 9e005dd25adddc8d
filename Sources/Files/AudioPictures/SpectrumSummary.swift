// The spectrogram of a sound of any length in a few hundred columns.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import Spectra

/// Powers in bands of equal musical width, column by column; the length need not be known.
///
/// Two channels are transformed at once as the two parts of complex samples; more alternate, the
/// odd with the odd. No more than a few transforms a column are made, however long the sound.
struct SpectrumSummary {
  /// The lowest frequency that is shown, in Hz.
  static let lowest = 40.0

  private let transform: FourierTransform
  private let window: [Float]
  private let binsOfBand: [ClosedRange<Int>]
  private let bandCount: Int
  private var ringRe: [Float]
  private var ringIm: [Float]
  private var position = 0
  private var untilNext: Int
  private var framesPerColumn = 256
  private var columns: [[Float]] = []
  private var current: [Float]
  private var currentCount: Float = 0
  private let limit: Int
  private var frameCount = 0

  init(bandCount: Int, limit: Int, sampleRate: Double, expectedFrames: Int?) {
    transform = FourierTransform(count: bandCount > 32 ? 2048 : 1024)
    let size = transform.count
    // Hann; a full-scale sine comes out as 1.
    window = (0..<size).map {
      Float((1 - cos(2 * Double.pi * (Double($0) + 0.5) / Double(size))) * 2 / Double(size))
    }
    self.bandCount = bandCount
    self.limit = limit
    let highest = min(max(sampleRate / 2, 2 * Self.lowest), 20_000)
    let binWidth = sampleRate / Double(size)
    binsOfBand = (0..<bandCount).map { band in
      func bin(_ edge: Int) -> Double {
        Self.lowest * pow(highest / Self.lowest, Double(edge) / Double(bandCount)) / binWidth
      }
      let first = min(max(Int(bin(band).rounded()), 1), size / 2 - 1)
      let last = min(max(Int(bin(band + 1).rounded()) - 1, first), size / 2 - 1)
      return first...last
    }
    ringRe = Array(repeating: 0, count: size)
    ringIm = Array(repeating: 0, count: size)
    while let expectedFrames, expectedFrames / framesPerColumn > limit { framesPerColumn *= 2 }
    untilNext = framesPerColumn
    current = Array(repeating: 0, count: bandCount)
  }

  /// Adds frames.
  mutating func add(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, channelCount: Int, frameCount: Int
  ) {
    var start = 0
    while start < frameCount {
      var count = min(frameCount - start, untilNext)
      if untilNext > ringRe.count {
        // No transform covers these.
        count = min(count, untilNext - ringRe.count)
      } else {
        count = min(count, ringRe.count - position)
        unsafe fill(channels, channelCount, start, count)
        position = (position + count) & (ringRe.count - 1)
      }
      start += count
      untilNext -= count
      if untilNext == 0 { measure() }
    }
    self.frameCount += frameCount
  }

  private mutating func fill(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ channelCount: Int, _ start: Int,
    _ count: Int
  ) {
    let scale = 1 / Float(max((channelCount + 1) / 2, 1))
    for index in position..<(position + count) {
      ringRe[index] = 0
      ringIm[index] = 0
    }
    for channel in 0..<channelCount {
      let samples = unsafe channels[channel] + start
      if channel & 1 == 0 {
        for index in 0..<count { unsafe ringRe[position + index] += samples[index] * scale }
      } else {
        for index in 0..<count { unsafe ringIm[position + index] += samples[index] * scale }
      }
    }
  }

  /// One transform of the latest samples.
  private mutating func measure() {
    let size = transform.count
    var re = [Float](repeating: 0, count: size)
    var im = [Float](repeating: 0, count: size)
    for index in 0..<size {
      let place = (position + index) & (size - 1)
      re[index] = ringRe[place] * window[index]
      im[index] = ringIm[place] * window[index]
    }
    transform.transform(&re, &im)
    for band in 0..<bandCount {
      var power: Float = 0
      for bin in binsOfBand[band] {
        let mirror = size - bin
        let here = re[bin] * re[bin] + im[bin] * im[bin]
        let there = re[mirror] * re[mirror] + im[mirror] * im[mirror]
        power = max(power, (here + there) / 2)
      }
      current[band] += power
    }
    currentCount += 1
    close()
    untilNext = hop
  }

  /// Frames between two transforms.
  private var hop: Int { framesPerColumn }

  private mutating func close() {
    columns.append(current.map { $0 / currentCount })
    current = Array(repeating: 0, count: bandCount)
    currentCount = 0
    guard columns.count >= limit else { return }
    for index in 0..<(columns.count / 2) {
      columns[index] = zip(columns[2 * index], columns[2 * index + 1]).map { ($0 + $1) / 2 }
    }
    columns.removeLast(columns.count - columns.count / 2)
    framesPerColumn *= 2
  }

  /// The last samples, of a sound that is over.
  mutating func finish() {
    if columns.isEmpty || untilNext < hop { measure() }
  }

  /// The powers at a column of so many, from the lowest band up.
  func powers(column: Int, of count: Int) -> [Float] {
    guard !columns.isEmpty, count > 0 else { return [] }
    let total = max(frameCount, 1)
    let first = min(column * total / count / framesPerColumn, columns.count - 1)
    let last = min(
      max(((column + 1) * total / count - 1) / framesPerColumn, first), columns.count - 1)
    var sum = columns[first]
    if last > first {
      for index in (first + 1)...last {
        for band in 0..<bandCount { sum[band] += columns[index][band] }
      }
      for band in 0..<bandCount { sum[band] /= Float(last - first + 1) }
    }
    return sum
  }
}
