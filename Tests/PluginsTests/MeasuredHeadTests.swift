// The measured head against the set that it was measured by, as libmysofa itself reads it.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import Foundation
import TestSupport
import Testing

/// The set as the library returns it: the response of each ear that is nearest to a direction.
@safe private final class SofaSet {
  private typealias Text = UnsafePointer<CChar>
  private typealias Open =
    @convention(c) (Text, Float, UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>) ->
    UnsafeMutableRawPointer?
  private typealias Nearest =
    @convention(c) (
      UnsafeMutableRawPointer, Float, Float, Float, UnsafeMutablePointer<Float>,
      UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>
    ) -> Void
  private let handle: UnsafeMutableRawPointer
  private let nearest: Nearest
  private let length: Int

  init(sampleRate: Float) throws {
    guard let library = unsafe dlopen("libmysofa.so.1", RTLD_NOW),
      let open = unsafe dlsym(library, "mysofa_open"),
      let nearest = unsafe dlsym(library, "mysofa_getfilter_float_nointerp")
    else { throw AuricleError(.software, status: -1, "these tests need libmysofa1") }
    unsafe self.nearest = unsafe unsafeBitCast(nearest, to: Nearest.self)
    var count: Int32 = 0, status: Int32 = 0
    guard
      let handle = unsafe unsafeBitCast(open, to: Open.self)(
        "/usr/share/libmysofa/default.sofa", sampleRate, &count, &status)
    else { throw AuricleError(.software, status: status, "these tests need libmysofa1") }
    unsafe self.handle = unsafe handle
    length = Int(count)
  }

  func ears(azimuth: Double, elevation: Double) -> [[Float]] {
    let (a, e) = (-azimuth * .pi / 180, elevation * .pi / 180)
    var left = [Float](repeating: 0, count: length), right = left
    var delays: [Float] = [0, 0]
    unsafe left.withUnsafeMutableBufferPointer { left in
      unsafe right.withUnsafeMutableBufferPointer { right in
        unsafe delays.withUnsafeMutableBufferPointer { delays in
          guard let l = left.baseAddress, let r = right.baseAddress, let d = delays.baseAddress
          else { return }
          unsafe nearest(
            handle, Float(cos(e) * cos(a)), Float(cos(e) * sin(a)), Float(sin(e)), l, r, d, d + 1)
        }
      }
    }
    return [left, right]
  }
}

@Suite("Measured head")
struct MeasuredHeadTests {
  /// Returns the response of both ears to an impulse.
  private func ears(
    azimuth: Float, elevation: Float = 0, sampleRate: Double = 44_100
  ) throws -> (sound: [[Float]], latency: Int) {
    let frames = max(2048, Int(sampleRate * 0.016))
    let rig = try MultiBusRig(
      "aupn:hrtf:appl", inputs: [1], outputs: [2], sampleRate: sampleRate,
      maximumFrames: max(frames, 4096))
    rig.feeds[0].channels = [[1] + [Float](repeating: 0, count: frames - 1)]
    try rig.unit.setParameter(1, azimuth)
    try rig.unit.setParameter(2, elevation)
    return (try rig.slice(frames), Int((rig.unit.latency * sampleRate).rounded()))
  }

  private func peakPlace(_ samples: [Float]) -> Int {
    samples.indices.max { abs(samples[$0]) < abs(samples[$1]) } ?? 0
  }

  @Test("at measured directions the ears have the measured responses, sample by sample")
  func measured() throws {
    let set = try SofaSet(sampleRate: 44_100)
    let front = try ears(azimuth: 0)
    let gone = peakPlace(set.ears(azimuth: 0, elevation: 0)[0]) - peakPlace(front.sound[0])
    #expect(gone >= 0)
    for (azimuth, elevation) in [(0, 0), (30, 0), (-90, 0), (135, 0), (180, 0), (45, -20), (0, 90)]
    {
      let delivered = try ears(azimuth: Float(azimuth), elevation: Float(elevation)).sound
      let expected = set.ears(azimuth: Double(azimuth), elevation: Double(elevation))
      for ear in 0..<2 {
        let wanted = expected[ear].dropFirst(gone)
        let found = delivered[ear].prefix(wanted.count)
        let error = zip(found, wanted).map { abs($0 - $1) }.max() ?? 1
        #expect(error < 2e-6, "\(azimuth), \(elevation), ear \(ear): \(error)")
        #expect(delivered[ear].dropFirst(wanted.count + 2).allSatisfy { $0 == 0 })
      }
    }
  }

  @Test("at other rates the response keeps its levels; the latency is that of the front")
  func rates() throws {
    let set = try SofaSet(sampleRate: 44_100)
    for rate in [1234.5678, 8000, 22_050, 45_678.901, 48_000, 96_000, 768_000] {
      let delivered = try ears(azimuth: 60, sampleRate: rate).sound
      for hertz in [200.0, 1000, 4000, 10_000] where hertz < 0.45 * rate {
        for ear in 0..<2 {
          let found = magnitude(of: delivered[ear], at: hertz, sampleRate: rate)
          let wanted = magnitude(
            of: set.ears(azimuth: 60, elevation: 0)[ear], at: hertz, sampleRate: 44_100)
          #expect(abs(decibels(found / wanted)) < 0.3, "\(hertz) Hz at \(rate), ear \(ear)")
        }
      }
    }
    let front = try ears(azimuth: 0)
    let place = front.sound[0].firstIndex { abs($0) > 0.1 * abs(front.sound[0].max() ?? 1) }
    #expect(abs((place ?? 0) - front.latency) <= 2)
  }

  @Test("between measured directions levels and delays are between those of the neighbours")
  func between() throws {
    let (a, b, middle) = (
      try ears(azimuth: 30).sound, try ears(azimuth: 35).sound, try ears(azimuth: 32.5).sound
    )
    for ear in 0..<2 {
      for hertz in [300.0, 1000, 3000] {
        let levels = [a, b, middle].map {
          decibels(magnitude(of: $0[ear], at: hertz, sampleRate: 44_100))
        }
        #expect(levels[2] > min(levels[0], levels[1]) - 0.6, "\(hertz) Hz")
        #expect(levels[2] < max(levels[0], levels[1]) + 0.6, "\(hertz) Hz")
      }
    }
    // At the ear that is near.
    func onset(_ samples: [Float]) -> Int {
      samples.firstIndex { abs($0) > 0.1 * peak(samples) } ?? 0
    }
    #expect(abs(2 * onset(middle[1]) - onset(a[1]) - onset(b[1])) <= 3)
  }

  @Test("a mixer sounds as the panner does, and for headphones without a setting")
  func mixer() throws {
    let delivered = try ears(azimuth: 40).sound
    for usesOutput in [false, true] {
      let rig = try MultiBusRig(
        "aumx:3dem:appl", inputs: [1], outputs: [2], sampleRate: 44_100
      ) { unit in
        try unit.setParameter(0, 40, scope: kAudioUnitScope_Input)
        try unit.setProperty(
          kAudioUnitProperty_SpatializationAlgorithm, scope: kAudioUnitScope_Input, element: 0,
          UInt32(usesOutput ? 7 : 2))
        if usesOutput {
          try unit.setProperty(kAudioUnitProperty_SpatialMixerOutputType, UInt32(1))
        }
      }
      rig.feeds[0].channels = [[1] + [Float](repeating: 0, count: 2047)]
      let mixed = try rig.slice(2048)
      for ear in 0..<2 { #expect(maximumDifference(mixed[ear], delivered[ear]) < 1e-6) }
      #expect(Int((rig.unit.latency * 44_100).rounded()) == (try ears(azimuth: 0)).latency)
    }
  }
}
