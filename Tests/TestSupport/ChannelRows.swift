// Channels of sound as pointers to rows, as audio code receives them.
// SPDX-License-Identifier: Apache-2.0

/// Runs a body with pointers to the rows of several channels, which it may change.
public func withRows<Result>(
  _ channels: inout [[Float]],
  _ body: (UnsafeMutablePointer<UnsafeMutablePointer<Float>>) throws -> Result
) rethrows -> Result {
  let count = channels.first?.count ?? 0
  let memory = UnsafeMutablePointer<Float>.allocate(capacity: max(count * channels.count, 1))
  let rows = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(
    capacity: max(channels.count, 1))
  defer {
    unsafe memory.deallocate()
    unsafe rows.deallocate()
  }
  for (index, channel) in channels.enumerated() {
    unsafe (rows + index).initialize(to: memory + index * count)
    for (frame, sample) in channel.enumerated() { unsafe rows[index][frame] = sample }
  }
  let result = try unsafe body(rows)
  for index in channels.indices {
    channels[index] = unsafe Array(UnsafeBufferPointer(start: rows[index], count: count))
  }
  return result
}
