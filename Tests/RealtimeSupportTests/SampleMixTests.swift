// Sums of channels: the same numbers as sample by sample, in place and anywhere in memory.
// SPDX-License-Identifier: Apache-2.0

import RealtimeSupport
import TestSupport
import Testing

@Suite struct SampleMixTests {
  @Test(
    "sums are those of single samples, at any length and place, and nothing beside is touched",
    arguments: [0, 1, 7, 8, 9, 64, 1003], [1, 1 / Float(3)])
  func sums(count: Int, targetGain: Float) {
    var random = SeededGenerator(seed: UInt64(count))
    let source = (0..<count + 1).map { _ in Float.random(in: -2...2, using: &random) }
    let before = (0..<count + 2).map { _ in Float.random(in: -2...2, using: &random) }
    let gain: Float = 1 / 3
    var target = before
    // From the second sample on, so that vectors begin anywhere.
    unsafe source.withUnsafeBufferPointer { source in
      unsafe target.withUnsafeMutableBufferPointer { target in
        guard let from = source.baseAddress, let into = target.baseAddress else { return }
        unsafe SampleMix.add(
          from + 1, gain: gain, to: into + 1, targetGain: targetGain, count: count)
      }
    }
    let wanted = (0..<count).map { before[$0 + 1] * targetGain + source[$0 + 1] * gain }
    #expect(target == [before[0]] + wanted + [before[count + 1]])
  }

  @Test(
    "two runs are mixed as sample by sample, also into one of them",
    arguments: [0, 1, 7, 8, 9, 64, 1003], [false, true])
  func mixes(count: Int, isInPlace: Bool) {
    var random = SeededGenerator(seed: UInt64(count) + 1)
    var first = (0..<count + 1).map { _ in Float.random(in: -2...2, using: &random) }
    let second = (0..<count + 1).map { _ in Float.random(in: -2...2, using: &random) }
    let gain: Float = 1 / 3
    let wanted = (0..<count).map { first[$0 + 1] * gain + second[$0 + 1] * gain }
    var target = [Float](repeating: 7, count: count + 2)
    unsafe first.withUnsafeMutableBufferPointer { one in
      unsafe second.withUnsafeBufferPointer { two in
        unsafe target.withUnsafeMutableBufferPointer { target in
          guard let one = one.baseAddress, let two = two.baseAddress,
            let into = target.baseAddress
          else { return }
          unsafe SampleMix.mix(
            one + 1, two + 1, gain: gain, to: isInPlace ? one + 1 : into + 1, count: count)
        }
      }
    }
    if isInPlace {
      #expect(Array(first.dropFirst()) == wanted)
    } else {
      #expect(target == [7] + wanted + [7])
    }
  }

  @Test("a run is added to itself", arguments: [1, 8, 61])
  func inPlace(count: Int) {
    var samples = (0..<count).map { Float($0) }
    unsafe samples.withUnsafeMutableBufferPointer { samples in
      guard let memory = samples.baseAddress else { return }
      unsafe SampleMix.add(memory, gain: 0.5, to: memory, count: count)
    }
    #expect(samples == (0..<count).map { Float($0) * 1.5 })
  }
}
