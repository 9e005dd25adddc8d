// Sums of channels: the same numbers as sample by sample, in place and anywhere in memory.
// SPDX-License-Identifier: Apache-2.0

import RealtimeSupport
import TestSupport
import Testing

@Suite struct SampleMixTests {
  @Test(
    "sums are those of single samples, at any length and place",
    arguments: [0, 1, 7, 8, 9, 64, 1003])
  func sums(count: Int) {
    var random = SeededGenerator(seed: UInt64(count))
    let left = (0..<count + 1).map { _ in Float.random(in: -2...2, using: &random) }
    let right = (0..<count + 1).map { _ in Float.random(in: -2...2, using: &random) }
    let gain: Float = 1 / 3
    // From the second sample on, so that vectors begin anywhere.
    let wanted = (0..<count).map { left[$0 + 1] * gain + right[$0 + 1] * gain }
    var apart = [Float](repeating: 7, count: count + 2)
    var inPlace = left + [7]
    unsafe left.withUnsafeBufferPointer { left in
      unsafe right.withUnsafeBufferPointer { right in
        guard let first = left.baseAddress, let second = right.baseAddress else {
          return
        }
        unsafe apart.withUnsafeMutableBufferPointer { apart in
          guard let target = apart.baseAddress else { return }
          unsafe SampleMix.sum(
            first + 1, second + 1, gain: gain, into: target + 1, count: count)
        }
        unsafe inPlace.withUnsafeMutableBufferPointer { memory in
          guard let target = memory.baseAddress else { return }
          unsafe SampleMix.sum(target + 1, second + 1, gain: gain, into: target + 1, count: count)
        }
      }
    }
    #expect(Array(apart[1..<count + 1]) == wanted)
    #expect(Array(inPlace[1..<count + 1]) == wanted)
    #expect(apart[0] == 7 && apart[count + 1] == 7 && inPlace[count + 1] == 7)
  }

  @Test("what is added is added once, and nothing beside it is touched", arguments: [1, 8, 61])
  func adds(count: Int) {
    var target = [Float](repeating: 0.25, count: count + 1)
    let source = (0..<count).map { Float($0) }
    unsafe source.withUnsafeBufferPointer { source in
      unsafe target.withUnsafeMutableBufferPointer { target in
        guard let from = source.baseAddress, let to = target.baseAddress else {
          return
        }
        unsafe SampleMix.add(from, gain: 0.5, to: to, count: count)
      }
    }
    #expect(Array(target[0..<count]) == source.map { 0.25 + $0 * 0.5 })
    #expect(target[count] == 0.25)
  }
}
