// Memory for one slice, one row for each channel.
// SPDX-License-Identifier: Apache-2.0

/// Channels of floats with the list of pointers for readers, chains and writers.
@safe
package final class PlanarBuffer {
  /// One pointer for each channel, at its row's first frame.
  package let rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// A second list, for code that advances the pointers.
  package let cursor: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  package let channelCount: Int
  package let frameCapacity: Int
  private let samples: UnsafeMutableRawPointer

  /// - Parameter isOneRun: Whether rows are contiguous.
  package init(channelCount: Int, frameCapacity: Int, isOneRun: Bool = false) {
    self.channelCount = channelCount
    self.frameCapacity = frameCapacity
    // Rows are an odd number of cache lines apart: with a power of two, frames of several rows would evict
    // each other from the cache.
    let stride = isOneRun ? frameCapacity * 4 : ((frameCapacity + 15) / 16 | 1) * 64
    let size = max(max(channelCount, 1) * stride, 64)
    let samples = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 64)
    unsafe samples.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    let rows = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(
      capacity: max(channelCount, 1))
    let cursor = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(
      capacity: max(channelCount, 1))
    for channel in 0..<max(channelCount, 1) {
      let row = unsafe (samples + channel * stride).bindMemory(
        to: Float.self, capacity: frameCapacity)
      unsafe (rows + channel).initialize(to: row)
      unsafe (cursor + channel).initialize(to: row)
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
  package func clear(from start: Int) {
    guard start < frameCapacity else { return }
    for channel in 0..<channelCount {
      unsafe (rows[channel] + start).update(repeating: 0, count: frameCapacity - start)
    }
  }
}
