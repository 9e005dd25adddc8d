// Units written in a page on the other bases: generator, mixer, MIDI processor, offline unit.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import TestUnits
import Testing

@Suite struct PageUnitTests {
  @Test func aGeneratorNeedsNoInputAndStartsAgainAfterReset() throws {
    let player = try UnitPlayer(TestUnits.noise())
    #expect(player.unit.busCount(scope: kAudioUnitScope_Input) == 0)
    let silence = [[Float](repeating: 0, count: 600)]
    let first = player.play(silence).output
    #expect(first[0] == first[1] && Set(first[0]).count > 500)
    #expect(first[0].allSatisfy { abs($0) <= 0.5 })
    try player.unit.reset()
    #expect(player.play(silence).output == first)
  }

  @Test func aMixerHasParametersOnEachInput() throws {
    let unit = try TestUnits.desk()
    #expect(unit.busCount(scope: kAudioUnitScope_Input) == 8)
    try unit.setElementCount(12, scope: kAudioUnitScope_Input)
    #expect(throws: AuricleError.self) {
      try unit.setElementCount(17, scope: kAudioUnitScope_Input)
    }
    let sources = (0..<12).map { bus in
      SignalSource([[Float]](repeating: [Float](repeating: Float(1 << bus), count: 256), count: 2))
    }
    for bus in [0, 1, 11] { try sources[bus].connect(to: unit, element: UInt32(bus)) }
    try unit.initialize()
    try unit.setParameter(0, 0.5, scope: kAudioUnitScope_Input, element: 11)
    try unit.setParameter(1, 1, scope: kAudioUnitScope_Input, element: 1)
    try unit.setParameter(0, 2, scope: kAudioUnitScope_Output, element: 0)
    let memory = ListMemory(2, bytes: 4 * 256)
    #expect(unsafe UnitSelectors(unit).render(memory.list, 256, at: 0) == 0)
    #expect(memory.signal == [[Float]](repeating: [Float](repeating: 2050, count: 256), count: 2))
    let level = try unit.parameter(1000, scope: kAudioUnitScope_Input, element: 1)
    // The meter shows the input, within its range or not.
    #expect(level == 2)
  }

  @Test func anOfflineUnitReadsAllOfItsInputFirst() throws {
    let unit = try TestUnits.normalizer()
    let frames = 1000
    let signal = (0..<frames).map { Float($0) / Float(4 * frames) }
    #expect(
      try unit.property(kAudioUnitOfflineProperty_PreflightRequirements, as: UInt32.self)
        == UInt32(kOfflinePreflight_Required))
    #expect(
      try unit.stringProperty(kAudioUnitOfflineProperty_PreflightName) == "Looking for the peak")
    try unit.setProperty(kAudioUnitOfflineProperty_InputSize, UInt64(frames))
    #expect(try unit.property(kAudioUnitOfflineProperty_OutputSize, as: UInt64.self) == 1000)
    func pass(_ kind: AudioUnitRenderActionFlags) throws -> [Float] {
      let source = SignalSource([signal, signal])
      try source.connect(to: unit)
      var output: [Float] = []
      var time = 0
      while time < 2 * frames {
        let count = min(300, frames - time)
        let memory = ListMemory(2, bytes: 4 * count)
        var flags = kind
        let status = unsafe UnitSelectors(unit).render(
          memory.list, count, at: Double(time), flags: &flags)
        try #require(status == 0)
        output += memory.signal[0]
        time += count
        let isComplete = flags & kAudioOfflineUnitRenderAction_Complete != 0
        #expect(isComplete == (time >= frames), "after \(time) frames")
        if isComplete { break }
      }
      return output
    }
    unsafe try unit.setInputCallback(element: 0, { _, _, _, _, _, _ in 0 }, refCon: nil)
    try unit.initialize()
    _ = try pass(kAudioOfflineUnitRenderAction_Preflight)
    let output = try pass(kAudioOfflineUnitRenderAction_Render)
    let gain = Float(4 * frames) / Float(frames - 1)
    #expect(output.count == frames && output.last.map { abs($0 - 1) < 1e-6 } == true)
    for (frame, sample) in output.enumerated() {
      #expect(abs(sample - signal[frame] * gain) < 1e-6)
    }
  }

  @Test func aMIDIProcessorSendsWhatItMakes() throws {
    let unit = try TestUnits.transposer()
    let sent = SentMIDI()
    try sent.listen(to: unit)
    try unit.initialize()
    let player = try InstrumentPlayer(unit)
    #expect(try player.send(0x92, 60, 100, at: 17) == 0)
    #expect(try player.send(0xB2, 7, 99, at: 20) == 0)
    #expect(try player.send(0x82, 60, 0, at: 200) == 0)
    _ = try player.render(256)
    #expect(sent.messages == [[17, 0x92, 72, 100], [20, 0xB2, 7, 99], [200, 0x82, 72, 0]])
  }
}

/// Collects the MIDI that a unit sends.
@safe final class SentMIDI {
  /// Frame, then the bytes.
  private(set) var messages: [[Int]] = []

  func listen(to unit: AudioUnit) throws {
    unsafe try unit.setProperty(
      kAudioUnitProperty_MIDIOutputCallback,
      unsafe AUMIDIOutputCallbackStruct(
        midiOutputCallback: { data, _, _, list in
          guard let data = unsafe data, let list = unsafe UnsafeRawPointer(list) else { return -1 }
          let sent = unsafe Unmanaged<SentMIDI>.fromOpaque(data).takeUnretainedValue()
          var place = 4
          for _ in 0..<(unsafe list.load(as: UInt32.self)) {
            let frame = unsafe Int(list.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            let count = unsafe Int(list.loadUnaligned(fromByteOffset: place + 8, as: UInt16.self))
            sent.messages.append(
              [frame]
                + (0..<count).map {
                  unsafe Int(list.load(fromByteOffset: place + 10 + $0, as: UInt8.self))
                })
            place += 10 + count
          }
          return 0
        }, userData: Unmanaged.passUnretained(self).toOpaque()))
  }
}
