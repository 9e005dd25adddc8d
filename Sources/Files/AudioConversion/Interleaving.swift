// Interleaved frames to planar rows and back: the inner loops of reading and writing.
// SPDX-License-Identifier: Apache-2.0

/// One row of samples a channel.
package typealias ChannelPointers = UnsafeMutablePointer<UnsafeMutablePointer<Float>>

/// Splits interleaved frames into channels, starting at `offset` in each.
package func deinterleave(
  _ frames: UnsafePointer<Float>, into channels: ChannelPointers, offset: Int,
  channelCount: Int, frameCount: Int
) {
  switch channelCount {
  case 1:
    unsafe (channels[0] + offset).update(from: frames, count: frameCount)
  case 2:
    let left = unsafe channels[0] + offset
    let right = unsafe channels[1] + offset
    for frame in 0..<frameCount {
      unsafe left[frame] = frames[2 &* frame]
      unsafe right[frame] = frames[2 &* frame &+ 1]
    }
  default:
    // A few frames at a time, so that one channel's cache lines serve the next one.
    let block = 64
    var start = 0
    while start < frameCount {
      let count = min(block, frameCount &- start)
      let source = unsafe frames + (start &* channelCount)
      for channel in 0..<channelCount {
        let target = unsafe channels[channel] + (offset &+ start)
        for frame in 0..<count {
          unsafe target[frame] = source[frame &* channelCount &+ channel]
        }
      }
      start &+= count
    }
  }
}

/// Joins channels into interleaved frames, starting at `offset` in each.
package func interleave(
  _ channels: ChannelPointers, offset: Int, into frames: UnsafeMutablePointer<Float>,
  channelCount: Int, frameCount: Int
) {
  switch channelCount {
  case 1:
    unsafe frames.update(from: channels[0] + offset, count: frameCount)
  case 2:
    let left = unsafe channels[0] + offset
    let right = unsafe channels[1] + offset
    for frame in 0..<frameCount {
      unsafe frames[2 &* frame] = left[frame]
      unsafe frames[2 &* frame &+ 1] = right[frame]
    }
  default:
    let block = 64
    var start = 0
    while start < frameCount {
      let count = min(block, frameCount &- start)
      let target = unsafe frames + (start &* channelCount)
      for channel in 0..<channelCount {
        let source = unsafe channels[channel] + (offset &+ start)
        for frame in 0..<count {
          unsafe target[frame &* channelCount &+ channel] = source[frame]
        }
      }
      start &+= count
    }
  }
}

/// Brings every sample into -1...1 (not-a-number becomes 0) and counts the ones that were outside.
package func clip(_ samples: UnsafeMutablePointer<Float>, count: Int) -> Int {
  var clipped = 0
  for index in 0..<count {
    let sample = unsafe samples[index]
    let bounded = sample > 1 ? 1 : (sample < -1 ? -1 : (sample == sample ? sample : 0))
    clipped &+= bounded == sample ? 0 : 1
    unsafe samples[index] = bounded
  }
  return clipped
}

/// Whether every sample is a finite number.
package func areFinite(_ samples: UnsafePointer<Float>, count: Int) -> Bool {
  var bad: UInt32 = 0
  for index in 0..<count {
    let magnitude = unsafe samples[index].bitPattern & 0x7FFF_FFFF
    bad |= magnitude >= 0x7F80_0000 ? 1 : 0
  }
  return bad == 0
}
