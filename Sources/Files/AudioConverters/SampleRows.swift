// Rows of samples, one a channel, in one piece of memory.
// SPDX-License-Identifier: Apache-2.0

/// Rows of zeros to work in. Context: control.
@safe final class SampleRows<Sample: BinaryFloatingPoint & BitwiseCopyable> {
  /// The first sample of each row; another order of them may be put here.
  let rows: UnsafeMutablePointer<UnsafeMutablePointer<Sample>>
  /// Frames of a row.
  let frameCapacity: Int
  private let memory: UnsafeMutablePointer<Sample>

  init(channelCount: Int, frameCapacity: Int) {
    self.frameCapacity = frameCapacity
    let count = max(1, channelCount)
    unsafe memory = .allocate(capacity: count * frameCapacity)
    unsafe memory.initialize(repeating: 0, count: count * frameCapacity)
    unsafe rows = .allocate(capacity: count)
    for channel in 0..<count {
      unsafe (rows + channel).initialize(to: memory + channel * frameCapacity)
    }
  }

  deinit {
    unsafe memory.deallocate()
    unsafe rows.deallocate()
  }
}
