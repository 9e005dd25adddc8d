// Responses of a measured head, and what they are at another sample rate: a windowed sinc between their frames.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK

/// Responses of one length. Context: control.
struct ResponseSet {
  /// Frames of a response.
  let length: Int
  /// Response after response.
  let samples: [Float]

  /// Returns the responses at `ratio` times their sample rate, as loud as before.
  ///
  /// They begin later by as many frames as reading between frames needs before them.
  func resampled(by ratio: Double) -> ResponseSet {
    guard ratio != 1, length > 0 else { return self }
    let count = samples.count / length
    let lead = FractionalDelay.taps
    let newLength = Int((Double(length) * ratio).rounded(.up)) + lead
    let columns = UnsafeMutablePointer<Float>.allocate(capacity: count * length)
    let sums = UnsafeMutablePointer<Float>.allocate(capacity: count)
    defer {
      unsafe columns.deallocate()
      unsafe sums.deallocate()
    }
    // The same frame of all responses is together, as it has the same weight in all.
    for row in 0..<count {
      for frame in 0..<length {
        unsafe columns[frame * count + row] = samples[row * length + frame]
      }
    }
    let reach = 32 / min(ratio, 1)
    let cutoff = ratio < 1 ? 0.92 * ratio : 1
    var made = [Float](repeating: 0, count: count * newLength)
    for frame in 0..<newLength {
      let place = Double(frame - lead) / ratio
      unsafe sums.update(repeating: 0, count: count)
      let first = max(0, Int((place - reach).rounded(.up)))
      for source in first..<max(first, min(length, Int((place + reach).rounded(.down)) + 1)) {
        let away = Double(source) - place
        let weight = Float(
          FractionalDelay.sinc(cutoff * away) * FractionalDelay.window(away / reach) * cutoff
            / ratio)
        let column = unsafe columns + source * count
        for row in 0..<count { unsafe sums[row] += weight * column[row] }
      }
      for row in 0..<count { unsafe made[row * newLength + frame] = sums[row] }
    }
    return ResponseSet(length: newLength, samples: made)
  }
}
