// The matrix mixer: crossings, faders, switches, levels, meters, state.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import TestSupport
import Testing

private let mixer = "aumx:mxmx:appl"
private let input = kAudioUnitScope_Input
private let output = kAudioUnitScope_Output
private let whole: UInt32 = 0xFFFF_FFFF

@Suite("Matrix mixer")
struct MatrixMixerTests {
  private func noise(_ seed: UInt64, _ count: Int = 4096) -> [Float] {
    TestSignal.noise(seed: seed, amplitude: 0.3, frameCount: count)
  }

  private func crossing(_ input: Int, _ output: Int) -> UInt32 { UInt32(input << 16 | output) }

  /// A mixer of a stereo and a mono input into a stereo and a mono output, with all faders up.
  private func rig(maximumFrames: Int = 4096) throws -> MultiBusRig {
    let rig = try MultiBusRig(
      mixer, inputs: [2, 1], outputs: [2, 1], maximumFrames: maximumFrames)
    rig.feeds[0].channels = [noise(1), noise(2)]
    rig.feeds[1].channels = [noise(3)]
    try rig.unit.setParameter(0, 1, scope: kAudioUnitScope_Global, element: whole)
    for channel: UInt32 in 0..<3 {
      try rig.unit.setParameter(0, 1, scope: input, element: channel)
      try rig.unit.setParameter(0, 1, scope: output, element: channel)
    }
    return rig
  }

  @Test("the output is silent until volumes are set")
  func fresh() throws {
    let rig = try MultiBusRig(mixer, inputs: [2], outputs: [2])
    rig.feeds[0].channels = [noise(1), noise(2)]
    #expect(try rig.render(512).allSatisfy { $0.allSatisfy { $0 == 0 } })
  }

  @Test("each output channel is the sum of the inputs by their crossings and faders")
  func gains() throws {
    let rig = try rig()
    var random = SeededGenerator(seed: 5)
    func next() -> Float { (random.nextSample() + 1) / 2 }
    var cross = [[Float]](repeating: [], count: 3)
    let ins = (0..<3).map { _ in next() }, outs = (0..<3).map { _ in next() }
    for i in 0..<3 {
      try rig.unit.setParameter(0, ins[i], scope: input, element: UInt32(i))
      try rig.unit.setParameter(0, outs[i], scope: output, element: UInt32(i))
      for o in 0..<3 {
        cross[i].append(next())
        try rig.unit.setParameter(
          0, cross[i][o], scope: kAudioUnitScope_Global, element: crossing(i, o))
      }
    }
    try rig.unit.setParameter(0, 0.75, scope: kAudioUnitScope_Global, element: whole)
    let first = try rig.slice(4096)
    let second = try rig.slice(4096, bus: 1, isSameTime: true)
    let sources = rig.feeds[0].channels + rig.feeds[1].channels
    for (o, delivered) in (first + second).enumerated() {
      let expected = (0..<4096).map { frame in
        Float(
          (0..<3).reduce(0.0) { sum, i in
            sum + Double(sources[i][frame]) * Double(ins[i]) * Double(cross[i][o])
          } * Double(outs[o]) * 0.75)
      }
      #expect(maximumDifference(delivered, expected) < 3e-7, "output \(o)")
    }
    #expect(rig.feeds.allSatisfy { $0.pulls.count == 1 })
  }

  @Test("a crossing at 1 passes bit for bit; buses are switched, and then not pulled")
  func switches() throws {
    let rig = try rig()
    try rig.unit.setParameter(0, 1, scope: kAudioUnitScope_Global, element: crossing(0, 1))
    try rig.unit.setParameter(0, 1, scope: kAudioUnitScope_Global, element: crossing(2, 0))
    var delivered = try rig.slice(512)
    #expect(delivered[1] == Array(rig.feeds[0].channels[0][..<512]))
    #expect(delivered[0] == Array(rig.feeds[1].channels[0][..<512]))
    try rig.unit.setParameter(1, 0, scope: input, element: 1)
    for _ in 0..<3 { delivered = try rig.slice(512) }
    #expect(delivered[0].allSatisfy { $0 == 0 })
    let count = rig.feeds[1].pulls.count
    delivered = try rig.slice(512)
    #expect(rig.feeds[1].pulls.count == count)
    try rig.unit.setParameter(1, 0, scope: output, element: 0)
    for _ in 0..<3 { delivered = try rig.slice(512) }
    #expect(delivered.allSatisfy { $0.allSatisfy { $0 == 0 } })
  }

  @Test("changes make no click and sound the same whatever the slices")
  func changes() throws {
    let sine = TestSignal.sine(frequency: 200, amplitude: 0.4, frameCount: 12_000)
    func render(_ slices: [Int]) throws -> [[Float]] {
      let rig = try rig()
      rig.feeds[0].channels = [sine, sine]
      rig.feeds[1].channels = [sine]
      for i in 0..<3 {
        try rig.unit.setParameter(
          0, 0.5, scope: kAudioUnitScope_Global, element: crossing(i, i % 2))
      }
      return try rig.render(12_000, slices: slices) { frame in
        let global = kAudioUnitScope_Global
        if frame == 2000 { try rig.unit.setParameter(0, 1, scope: global, element: crossing(0, 1)) }
        if frame == 4000 { try rig.unit.setParameter(0, 0.1, scope: input, element: 2) }
        if frame == 6000 { try rig.unit.setParameter(1, 0, scope: input, element: 0) }
        if frame == 8000 { try rig.unit.setParameter(0, 0.3, scope: output, element: 1) }
        if frame == 9000 { try rig.unit.setParameter(0, 0, scope: global, element: whole) }
      }
    }
    let once = try render([1000])
    for channel in once { #expect(largestBend(channel, from: 10) < 0.002) }
    #expect(try render([125]) == once && render([8]) == once)
    #expect(once[0].suffix(1500).allSatisfy { $0 == 0 })
  }

  @Test("a scheduled ramp of a crossing is followed frame by frame")
  func ramp() throws {
    let rig = try rig()
    rig.feeds[0].channels = [[Float](repeating: 1, count: 4096), []]
    _ = try rig.slice(512)
    var event = AudioUnitParameterEvent()
    event.scope = kAudioUnitScope_Global
    event.element = crossing(0, 1)
    event.parameter = 0
    event.eventType = kParameterEvent_Ramped
    unsafe event.eventValues.ramp.startBufferOffset = 100
    unsafe event.eventValues.ramp.durationInFrames = 300
    unsafe event.eventValues.ramp.startValue = 0
    unsafe event.eventValues.ramp.endValue = 0.9
    try rig.unit.scheduleParameters([event])
    let delivered = try rig.slice(512)
    for frame in 0..<512 {
      let part = min(max(Float(frame - 100) / 300, 0), 1)
      #expect(abs(delivered[1][frame] - 0.9 * part) < 2e-6, "frame \(frame)")
    }
  }

  @Test("dimensions and levels are those of all channels, and levels are set at once")
  func levels() throws {
    let rig = try MultiBusRig(mixer, inputs: [2, 1], outputs: [1])
    let dimensions = try rig.unit.property(
      kAudioUnitProperty_MatrixDimensions, as: SIMD2<UInt32>.self)
    #expect(dimensions == SIMD2(3, 1))
    let levels = SIMD8<Float>(0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
    try rig.unit.setProperty(kAudioUnitProperty_MatrixLevels, levels)
    #expect(try rig.unit.property(kAudioUnitProperty_MatrixLevels, as: SIMD8<Float>.self) == levels)
    func value(_ scope: UInt32, _ element: UInt32) throws -> Float {
      try rig.unit.parameter(0, scope: scope, element: element)
    }
    #expect(try value(kAudioUnitScope_Global, crossing(1, 0)) == 0.3)
    #expect(try value(input, 1) == 0.4)
    #expect(try value(output, 0) == 0.7)
    #expect(try value(kAudioUnitScope_Global, whole) == 0.8)
    for bad in [crossing(3, 0), crossing(0, 1)] {
      #expect(throws: AuricleError.self) { try value(kAudioUnitScope_Global, bad) }
    }
    #expect(throws: AuricleError.self) { try value(input, 3) }
    #expect(throws: AuricleError.self) {
      try rig.unit.setProperty(kAudioUnitProperty_MatrixLevels, SIMD4<Float>(repeating: 1))
    }
  }

  @Test("a saved state has every crossing")
  func state() throws {
    let first = try rig()
    for i in 0..<3 {
      try first.unit.setParameter(
        0, Float(i + 1) / 8, scope: kAudioUnitScope_Global, element: crossing(i, 2 - i))
    }
    let state = unsafe try first.unit.property(
      kAudioUnitProperty_ClassInfo, as: CFDictionaryRef?.self)
    defer { unsafe CFRelease(UnsafeRawPointer(state)) }
    let second = try MultiBusRig(mixer, inputs: [2, 1], outputs: [2, 1])
    unsafe try second.unit.setProperty(kAudioUnitProperty_ClassInfo, state)
    for i in 0..<3 {
      for o in 0..<3 {
        let value = try second.unit.parameter(
          0, scope: kAudioUnitScope_Global, element: crossing(i, o))
        #expect(value == (o == 2 - i ? Float(i + 1) / 8 : 0))
      }
    }
    #expect(try second.unit.parameter(0, scope: kAudioUnitScope_Global, element: whole) == 1)
  }

  @Test("meters of channels report power and peak, in decibels and linear, before and after faders")
  func meters() throws {
    let rig = try rig()
    let sine = TestSignal.sine(frequency: 1000, amplitude: 0.5, frameCount: 96_000)
    rig.feeds[0].channels = [sine, sine]
    rig.feeds[1].channels = [sine]
    try rig.unit.setProperty(kAudioUnitProperty_MeteringMode, UInt32(1))
    try rig.unit.setParameter(0, 0.5, scope: input, element: 2)
    try rig.unit.setParameter(0, 1, scope: kAudioUnitScope_Global, element: crossing(2, 1))
    try rig.unit.setParameter(0, 0.5, scope: output, element: 1)
    _ = try rig.render(96_000)
    func meter(_ id: UInt32, _ scope: UInt32, _ element: UInt32) throws -> Float {
      try rig.unit.parameter(id, scope: scope, element: element)
    }
    #expect(abs(try meter(1000, input, 2) - -9.03) < 0.05)
    #expect(abs(try meter(2000, input, 2) - -6.02) < 0.01)
    #expect(abs(try meter(4000, input, 2) - -12.04) < 0.01)
    #expect(abs(try meter(6000, input, 2) - 0.5) < 1e-3)
    #expect(abs(try meter(8000, input, 2) - 0.25) < 1e-3)
    #expect(abs(try meter(2000, output, 1) - -12.04) < 0.01)
    #expect(abs(try meter(4000, output, 1) - -18.06) < 0.01)
    #expect(try meter(2000, output, 0) == -120)
  }
}
