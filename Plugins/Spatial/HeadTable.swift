// The measurements at the ears of a head at one sample rate, and the responses of any direction made of them.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import RealtimeSupport

/// Measured responses with their directions. Context: render; made on a control thread, and never freed.
///
/// The common delay of all responses, before the first of them, is left out. Between measured directions, the
/// nearest four are mixed, each moved to the delay of the mixture. A weight comes to one at its measured direction
/// and to none where that ceases to be among the nearest.
@safe struct HeadTable: BitwiseCopyable, @unchecked Sendable {
  /// Directions of which a response is made.
  private static var mixed: Int { @_noLocks get { 4 } }
  /// Frames of a response.
  let length: Int
  /// Frames by which sound from the front is late.
  let latency: Int
  private let count: Int
  private let stride: Int
  private let guardFrames: Int
  private let directions: UnsafeMutablePointer<SIMD3<Float>>
  /// For each direction, the left ear's, then the right one's.
  private let delays: UnsafeMutablePointer<Float>
  private let responses: UnsafeMutablePointer<Float>
  private let table = FractionalDelay()

  /// Copies a set of two ears. Context: control.
  init(_ set: HeadMeasurements) {
    count = set.directions.count
    let firstOnset = set.onsets.min() ?? 0
    let start = max(0, Int(firstOnset) - FractionalDelay.taps)
    let mostDelay = Int((set.delays.max() ?? 0).rounded(.up))
    let spread = Int((set.onsets.max() ?? 0) - firstOnset) + 2
    // A response is moved by as much as it may differ from others.
    guardFrames = spread + mostDelay + FractionalDelay.taps
    let kept = max(1, set.length - start)
    length = kept + mostDelay
    stride = length + 2 * guardFrames
    unsafe directions = .allocate(capacity: max(count, 1))
    unsafe delays = .allocate(capacity: max(2 * count, 1))
    unsafe responses = .allocate(capacity: max(2 * count * stride, 1))
    unsafe responses.initialize(repeating: 0, count: 2 * count * stride)
    for (index, direction) in set.directions.enumerated() {
      unsafe (directions + index).initialize(to: direction)
    }
    for row in 0..<2 * count {
      unsafe (delays + row).initialize(to: set.onsets[row] - Float(start) + set.delays[row])
      let target = unsafe responses + row * stride + guardFrames
      let extra = Int(set.delays[row].rounded())
      for frame in 0..<kept where frame + extra < length {
        unsafe target[frame + extra] = set.responses[row * set.length + start + frame]
      }
    }
    let front = set.directions.indices.max { set.directions[$0].x < set.directions[$1].x } ?? 0
    let middle = unsafe count > 0 ? (delays[2 * front] + delays[2 * front + 1]) / 2 : 0
    latency = Int(middle.rounded())
  }

  /// The four nearest directions and one more, the nearest first, with their distances.
  private struct Nearest: BitwiseCopyable {
    var places = SIMD8<Int32>(repeating: 0)
    var distances = SIMD8<Float>(repeating: .infinity)

    /// Puts a direction in its place if it is near enough.
    @_noLocks mutating func offer(_ place: Int, _ distance: Float, of count: Int) {
      guard distance < distances[count - 1] else { return }
      var index = count - 1
      while index > 0, distances[index - 1] > distance {
        distances[index] = distances[index - 1]
        places[index] = places[index - 1]
        index -= 1
      }
      distances[index] = distance
      places[index] = Int32(truncatingIfNeeded: place)
    }
  }

  /// Makes the responses of both ears to a direction (radians, azimuth to the right), `length` frames each.
  @_noLocks func make(
    azimuth: Double, elevation: Double, left: UnsafeMutablePointer<Float>,
    right: UnsafeMutablePointer<Float>
  ) {
    let flat = RealtimeMath.cos(elevation)
    let wanted = SIMD3<Float>(
      Float(flat * RealtimeMath.cos(azimuth)), Float(-flat * RealtimeMath.sin(azimuth)),
      Float(RealtimeMath.sin(elevation)))
    var nearest = Nearest()
    for index in 0..<count {
      let apart = unsafe directions[index] - wanted
      let square = apart * apart
      nearest.offer(index, square[0] + square[1] + square[2], of: Self.mixed + 1)
    }
    let weights = weights(nearest)
    unsafe make(0, nearest.places, weights, left)
    unsafe make(1, nearest.places, weights, right)
  }

  /// Weights of the nearest directions, which add up to 1.
  @_noLocks private func weights(_ nearest: Nearest) -> SIMD4<Float> {
    var weights = SIMD4<Float>(1, 0, 0, 0)
    // A thousandth of a radian: that direction was measured.
    guard nearest.distances[0] > 1e-6, count > Self.mixed else { return weights }
    let edge = RealtimeMath.sqrt(Double(nearest.distances[Self.mixed]))
    var sum: Float = 0
    for index in 0..<Self.mixed {
      let distance = RealtimeMath.sqrt(Double(nearest.distances[index]))
      let weight = (edge - distance) / (edge * distance)
      weights[index] = Float(weight * weight)
      sum += weights[index]
    }
    return sum > 0 ? weights / sum : SIMD4<Float>(1, 0, 0, 0)
  }

  /// Mixes the responses of one ear.
  @_noLocks private func make(
    _ ear: Int, _ places: SIMD8<Int32>, _ weights: SIMD4<Float>,
    _ output: UnsafeMutablePointer<Float>
  ) {
    unsafe SampleRun.clear(output, length)
    var delay: Float = 0
    for index in 0..<Self.mixed where weights[index] > 0 {
      unsafe delay += weights[index] * delays[2 * Int(places[index]) + ear]
    }
    for index in 0..<Self.mixed where weights[index] > 0 {
      let row = 2 * Int(places[index]) + ear
      // One that comes early is moved to later frames, that is, read from earlier ones.
      let shift = unsafe delay - delays[row]
      let whole = RealtimeMath.ceil(-shift)
      let source = unsafe responses + row * stride + guardFrames + Int(whole) - 8
      for frame in 0..<length {
        unsafe output[frame] += weights[index] * table.read(source + frame, whole + shift)
      }
    }
  }
}
