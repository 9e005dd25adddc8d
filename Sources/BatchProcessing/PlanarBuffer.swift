// Memory for one slice, a row a channel.
// SPDX-License-Identifier: Apache-2.0

/// Channels of floats with the list of pointers that readers, chains and writers take.
@safe
final class PlanarBuffer {
  /// One pointer a channel, each at its row's first frame.
  let rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// A second list, for code that moves the pointers on.
  let cursor: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  let channelCount: Int
  let frameCapacity: Int
  private let samples: UnsafeMutablePointer<Float>

  init(channelCount: Int, frameCapacity: Int) {
    self.channelCount = channelCount
    self.frameCapacity = frameCapacity
    let count = max(channelCount * frameCapacity, 1)
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: count)
    unsafe samples.initialize(repeating: 0, count: count)
    let rows = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(
      capacity: max(channelCount, 1))
    let cursor = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(
      capacity: max(channelCount, 1))
    for channel in 0..<max(channelCount, 1) {
      unsafe (rows + channel).initialize(to: samples + channel * frameCapacity)
      unsafe (cursor + channel).initialize(to: samples + channel * frameCapacity)
    }
    unsafe self.samples = samples
    unsafe self.rows = rows
    unsafe self.cursor = cursor
  }

  deinit {
    unsafe samples.deallocate()
    unsafe rows.deallocate()
    unsafe cursor.deallocate()
  }

  /// Silences the frames from one on.
  func clear(from start: Int) {
    guard start < frameCapacity else { return }
    for channel in 0..<channelCount {
      unsafe (rows[channel] + start).update(repeating: 0, count: frameCapacity - start)
    }
  }

  /// Sets the cursor to the first frame of each row.
  func rewindCursor() {
    for channel in 0..<channelCount { unsafe cursor[channel] = rows[channel] }
  }
}
