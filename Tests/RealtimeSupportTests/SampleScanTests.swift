// Scans of buffers: non-finite samples, peaks, silence.
// SPDX-License-Identifier: Apache-2.0

import RealtimeSupport
import TestSupport
import Testing

private func firstNonFinite(_ samples: [Float]) -> Int {
  unsafe samples.withUnsafeBufferPointer { buffer in
    unsafe buffer.baseAddress.map { unsafe SampleScan.firstNonFinite($0, count: buffer.count) }
      ?? -1
  }
}

private func peak(_ samples: [Float]) -> Float {
  unsafe samples.withUnsafeBufferPointer { buffer in
    unsafe buffer.baseAddress.map { unsafe SampleScan.peak($0, count: buffer.count) } ?? 0
  }
}

private func isSilent(_ samples: [Float], threshold: Float = 0) -> Bool {
  unsafe samples.withUnsafeBufferPointer { buffer in
    unsafe buffer.baseAddress.map {
      unsafe SampleScan.isSilent($0, count: buffer.count, threshold: threshold)
    } ?? true
  }
}

@Suite struct SampleScanTests {
  @Test(arguments: [Float.nan, -.nan, .infinity, -.infinity, .signalingNaN])
  func findsTheFirstOne(bad: Float) {
    for count in [1, 2, 7, 8, 31, 64, 1000] {
      let good = [Float](repeating: .greatestFiniteMagnitude, count: count)
      #expect(firstNonFinite(good) == -1)
      for index in Set([0, count / 2, count - 1]) {
        var samples = good
        samples[index] = bad
        samples[count - 1] = bad
        #expect(firstNonFinite(samples) == index)
      }
    }
    #expect(firstNonFinite([]) == -1)
  }

  @Test func peaksAreMagnitudes() {
    var random = SeededGenerator(seed: 7)
    for count in [1, 3, 16, 1023] {
      let samples = (0..<count).map { _ in random.nextSample() * 3 }
      #expect(peak(samples) == samples.map(abs).max())
    }
    #expect(peak([]) == 0)
    #expect(peak([0.5, -2, 1]) == 2)
    #expect(peak([0.5, .nan, 1]).isNaN)
    #expect(peak([1, -.infinity]) == .infinity)
  }

  @Test func silenceIsUpToTheThreshold() {
    #expect(isSilent([0, -0.0, 0]))
    #expect(!isSilent([0, .leastNonzeroMagnitude]))
    #expect(isSilent([0.001, -0.001], threshold: 0.001))
    #expect(!isSilent([0.001, -0.0011], threshold: 0.001))
    #expect(!isSilent([.nan], threshold: 1))
    #expect(isSilent([]))
  }

  @Test func decibelsAndGains() {
    #expect(abs(RealtimeMath.gain(decibels: Float(-6)) - 0.501_187_2) < 1e-6)
    #expect(RealtimeMath.gain(decibels: 0.0) == 1)
    #expect(abs(RealtimeMath.decibels(gain: 2.0) - 6.020_599_913) < 1e-8)
    #expect(RealtimeMath.decibels(gain: Float(0)) == -.infinity)
  }
}
