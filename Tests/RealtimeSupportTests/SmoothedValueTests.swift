// Smoothed values: the shape of the way, and that slices do not matter.
// SPDX-License-Identifier: Apache-2.0

import RealtimeSupport
import TestSupport
import Testing

@Suite struct SmoothedValueTests {
  @Test func linearArrivesExactlyOnTime() {
    var value = SmoothedValue(0, timeSeconds: 0.01, sampleRate: 1000)
    value.setTarget(1)
    #expect(value.isMoving)
    var way: [Float] = []
    for _ in 0..<12 { way.append(value.next()) }
    for frame in 0..<9 { #expect(abs(way[frame] - Float(frame + 1) / 10) < 1e-6) }
    #expect(way[9] == 1 && way[11] == 1)
    #expect(!value.isMoving)
  }

  @Test func exponentialDoesSixtyThreePercentInItsTime() {
    var value = SmoothedValue(2, timeSeconds: 0.1, sampleRate: 1000, curve: .exponential)
    value.setTarget(1)
    var way: [Float] = []
    for _ in 0..<3000 { way.append(value.next()) }
    #expect(abs(way[99] - 1.367_879) < 1e-4)
    #expect(way[2999] == 1)
    #expect(!value.isMoving)
    #expect(zip(way, way.dropFirst()).allSatisfy { $0 >= $1 })
  }

  @Test(arguments: [0, -1, .nan, .infinity] as [Double])
  func withoutATimeItJumps(time: Double) {
    var value = SmoothedValue(0, timeSeconds: time, sampleRate: 48_000)
    value.setTarget(0.5)
    #expect(!value.isMoving && value.next() == 0.5)
  }

  @Test(arguments: [SmoothedValue.Curve.linear, .exponential], [UInt64](1...8))
  func slicesDoNotMatter(curve: SmoothedValue.Curve, seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    // Targets change at fixed frames; the slices between them are cut at will.
    let changes = (0..<20).map { _ in (Int(random.next() % 700), random.nextSample()) }
    let start = SmoothedValue(0.5, timeSeconds: 0.005, sampleRate: 48_000, curve: curve)

    var whole = start
    var expected: [UInt32] = []
    for (frames, target) in changes {
      whole.setTarget(target)
      for _ in 0..<frames { expected.append(whole.next().bitPattern) }
    }

    var cut = start
    var position = 0
    for (frames, target) in changes {
      cut.setTarget(target)
      cut.setTarget(target)
      var left = frames
      while left > 0 {
        let slice = min(left, Int(random.next() % 97) + 1)
        switch random.next() % 3 {
        case 0:
          cut.skip(slice)
        case 1:
          var samples = [Float](repeating: .nan, count: slice)
          unsafe samples.withUnsafeMutableBufferPointer { buffer in
            if let base = buffer.baseAddress { unsafe cut.fill(base, frameCount: slice) }
          }
          #expect(samples.map(\.bitPattern) == Array(expected[position..<position + slice]))
        default:
          var samples = [Float](repeating: 1, count: slice)
          unsafe samples.withUnsafeMutableBufferPointer { buffer in
            if let base = buffer.baseAddress { unsafe cut.multiply(base, frameCount: slice) }
          }
          #expect(samples.map(\.bitPattern) == Array(expected[position..<position + slice]))
        }
        position += slice
        left -= slice
        #expect(cut.current.bitPattern == expected[position - 1])
      }
    }
  }

  @Test(arguments: [Float.nan, .infinity])
  func targetsThatAreNotFiniteAreIgnored(target: Float) {
    var value = SmoothedValue(0.5, timeSeconds: 0.01, sampleRate: 1000)
    value.setTarget(target)
    #expect(!value.isMoving && value.next() == 0.5 && value.target == 0.5)
  }

  @Test func jumpingEndsTheWay() {
    var value = SmoothedValue(0, timeSeconds: 1, sampleRate: 100)
    value.setTarget(1)
    _ = value.next()
    value.jump(to: 0.25)
    #expect(!value.isMoving && value.next() == 0.25 && value.target == 0.25)
  }
}
