// Messages: properties as parameters and texts, MIDI in and out, positions in time.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import Foundation
import LV2Units
import TestSupport
import Testing

@Suite struct LV2MessageTests {
  private let ones = [Float](repeating: 1, count: 4096)

  private func host(_ name: String, maximumFrames: Int = 1024) throws -> LV2TestHost {
    try LV2TestHost(LV2Fixture(name), maximumFrames: maximumFrames)
  }

  @Test func numbersAreParameters() throws {
    let host = try host("patch-properties")
    let parameters = try host.unit.parameters()
    #expect(parameters.map(\.name) == ["Gain", "Level", "Steps"])
    #expect(parameters.allSatisfy { $0.id >= 0x8000_0000 })
    #expect(Set(parameters.map(\.id)).count == 3)
    #expect(parameters[0].minimum == 0 && parameters[0].maximum == 8)
    try host.unit.initialize()
    #expect(try host.render([[ones]], frameCount: 64)[0] == [Float](repeating: 1, count: 64))
    try host.set("gain", 3)
    try host.set("steps", 4)
    #expect(try host.render([[ones]], frameCount: 64)[0] == [Float](repeating: 3, count: 64))
    #expect(try host.value("level") == 34, "what the plug-in tells is a meter")
    #expect(throws: AuricleError.self) { try host.set("level", 1) }
  }

  @Test func aValueSetBeforeTheStartArrives() throws {
    let host = try host("patch-properties")
    try host.set("gain", 5)
    try host.unit.initialize()
    #expect(try host.render([[ones]], frameCount: 8)[0] == [Float](repeating: 5, count: 8))
    #expect(try host.value("gain") == 5)
  }

  @Test func scheduledValuesArriveAtTheirFrame() throws {
    let host = try host("patch-properties")
    try host.unit.initialize()
    let gain = try #require(try host.unit.parameters().first { $0.symbol == "gain" }).id
    var event = AudioUnitParameterEvent()
    event.parameter = gain
    event.eventType = kParameterEvent_Immediate
    unsafe event.eventValues.immediate = .init(bufferOffset: 37, value: 2)
    let plugIn = unsafe host.unit.instance.pointee.plugIn
    let lookUp = unsafe try #require(unsafe plugIn?.pointee.Lookup)
    let found = unsafe try #require(unsafe lookUp(kAudioUnitScheduleParametersSelect))
    let schedule = unsafe unsafeBitCast(found, to: AudioUnitScheduleParametersProc.self)
    #expect(unsafe schedule(UnsafeMutableRawPointer(plugIn), &event, 1) == 0)
    let output = try host.render([[ones]], frameCount: 64)[0]
    #expect(output == [Float](repeating: 1, count: 37) + [Float](repeating: 2, count: 27))
  }

  @Test func filesAreTexts() throws {
    let folder = try TemporaryFolder("auricle-lv2-file")
    let path = try folder.write("7", to: "seven.txt")
    let host = try host("patch-properties")
    #expect(try host.texts(kAuricleProperty_TextProperties).isEmpty)
    #expect(throws: AuricleError.self) {
      try host.setTexts(kAuricleProperty_TextProperties, ["no-such-name": path])
    }
    try host.setTexts(kAuricleProperty_TextProperties, ["file": path])
    try host.unit.initialize()
    // A value set before the start is there from the first frame on.
    #expect(try host.render([[ones]], frameCount: 8)[0] == [Float](repeating: 7, count: 8))
    #expect(try host.texts(kAuricleProperty_TextProperties) == ["file": path])
    // By its URI, while it runs.
    let other = try folder.write("2", to: "two.txt")
    try host.setTexts(
      kAuricleProperty_TextProperties, ["urn:auricle:test:patch-properties#file": other])
    _ = try host.render([[ones]], frameCount: 64)
    #expect(try host.render([[ones]], frameCount: 8)[0] == [Float](repeating: 2, count: 8))
    // It survives uninitializing and a reset.
    try host.unit.uninitialize()
    try host.unit.initialize()
    _ = try host.render([[ones]], frameCount: 64)
    try host.unit.reset()
    _ = try host.render([[ones]], frameCount: 64)
    #expect(try host.render([[ones]], frameCount: 8)[0] == [Float](repeating: 2, count: 8))
  }

  @Test(arguments: [false, true]) func midiComesAndGoesAtItsFrame(inBlocks: Bool) throws {
    let fixture = try LV2Fixture("midi-echo")
    if inBlocks {
      try fixture.edit(
        "lv2:requiredFeature urid:map",
        "lv2:requiredFeature urid:map , <http://lv2plug.in/ns/ext/buf-size#fixedBlockLength>")
    }
    let host = try LV2TestHost(fixture)
    let delivered = ReceivedPackets()
    try delivered.listen(to: host.unit)
    try host.unit.initialize()
    #expect(host.unit.description.componentType == kAudioUnitType_MusicEffect)
    let latency = Int((host.unit.latency * 48000).rounded())
    #expect(latency == (inBlocks ? 1024 : 0))
    let silence = [Float](repeating: 0, count: 4096)
    #expect(try host.midi(0x90, 60, 127, at: 0) == 0)
    #expect(try host.midi(0x80, 60, 127, at: 99) == 0)
    var output = try host.render([[silence]], frameCount: 100)[0]
    #expect(try host.midi(0x90, 72, 127, at: 1000) == 0)
    output += try host.render([[silence]], frameCount: 1024)[0]
    output += try host.render([[silence]], frameCount: 1024, slice: 37)[0]
    let clicks = output.indices.filter { output[$0] != 0 }
    #expect(clicks == [0, 99, 1100].map { $0 + latency })
    #expect(
      delivered.messages == [
        [0 + latency, 0x90, 72, 127], [99 + latency, 0x80, 72, 127],
        [1100 + latency, 0x90, 84, 127],
      ])
  }

  @Test func systemExclusiveMessagesArriveWhole() throws {
    let host = try LV2TestHost(LV2Fixture("midi-echo"))
    let delivered = ReceivedPackets()
    try delivered.listen(to: host.unit)
    try host.unit.initialize()
    // A reset of General MIDI, and one as long as the plug-in accepts.
    let reset: [UInt8] = [0xF0, 0x7E, 0x7F, 0x09, 0x01, 0xF7]
    let long: [UInt8] = [0xF0, 0x7D] + (0..<61).map { UInt8($0) } + [0xF7]
    try host.unit.sendSystemExclusive(reset)
    #expect(try host.midi(0x90, 60, 127, at: 9) == 0)
    let silence = [Float](repeating: 0, count: 256)
    _ = try host.render([[silence]], frameCount: 100)
    try host.unit.sendSystemExclusive(long)
    _ = try host.render([[silence]], frameCount: 100)
    #expect(
      delivered.messages == [
        [0] + reset.map(Int.init), [9, 0x90, 72, 127], [100] + long.map(Int.init),
      ])
  }

  @Test func effectsWithoutMIDIAcceptNone() throws {
    #expect(try host("passes").unit.implements(kMusicDeviceMIDIEventSelect) == false)
  }

  @Test func midiReachesOldEventPorts() throws {
    let host = try host("old-events")
    try host.unit.initialize()
    let silence = [Float](repeating: 0, count: 512)
    #expect(try host.midi(0x90, 60, 127, at: 17) == 0)
    #expect(try host.midi(0x90, 60, 64, at: 200) == 0)
    let output = try host.render([[silence]], frameCount: 512)[0]
    #expect(output.indices.filter { output[$0] != 0 } == [17, 200])
    #expect(output[200] == Float(64) / 127)
  }

  @Test func withoutASongNothingIsReported() throws {
    let host = try host("tells-time")
    try host.unit.initialize()
    _ = try host.render([[ones]], frameCount: 1000, slice: 100)
    #expect(try host.value("count") == 0)
  }

  @Test func aTempoAloneMakesASongFromTheStartOn() throws {
    let host = try host("tells-time")
    var info = unsafe HostCallbackInfo()
    unsafe info.beatAndTempoProc = { _, beat, tempo in
      unsafe tempo?.pointee = 90
      return 0
    }
    unsafe try host.unit.setProperty(kAudioUnitProperty_HostCallbacks, info)
    try host.unit.initialize()
    _ = try host.render([[ones]], frameCount: 100)
    #expect(try ["frame", "speed", "tempo", "count"].map { try host.value($0) } == [0, 1, 90, 1])
  }

  @Test func theHostsSongIsReported() throws {
    let host = try host("tells-time")
    let song = Song()
    var info = unsafe HostCallbackInfo()
    unsafe info.hostUserData = Unmanaged.passUnretained(song).toOpaque()
    unsafe info.beatAndTempoProc = { data, beat, tempo in
      guard let song = unsafe Song.of(data) else { return -1 }
      unsafe beat?.pointee = song.frame / 48000 * song.tempo / 60
      unsafe tempo?.pointee = song.tempo
      return 0
    }
    unsafe info.musicalTimeLocationProc = { _, delta, numerator, denominator, beat in
      unsafe numerator?.pointee = 3
      unsafe denominator?.pointee = 4
      unsafe beat?.pointee = 0
      return 0
    }
    unsafe info.transportStateProc = { data, playing, changed, frame, cycling, start, end in
      guard let song = unsafe Song.of(data) else { return -1 }
      unsafe playing?.pointee = song.isPlaying
      unsafe frame?.pointee = song.frame
      return 0
    }
    unsafe try host.unit.setProperty(kAudioUnitProperty_HostCallbacks, info)
    try host.unit.initialize()
    let names = ["frame", "speed", "tempo", "meter", "beat", "count"]
    func reported() throws -> [Float] { try names.map { try host.value($0) } }
    func play(_ frames: Int) throws {
      _ = try host.render([[ones]], frameCount: frames)
      if song.isPlaying { song.frame += Double(frames) }
    }
    song.frame = 24000
    try play(240)
    #expect(try reported() == [24000, 1, 120, 3, 1, 1])
    try play(240)
    #expect(try reported()[5] == 1)
    song.tempo = 60
    try play(240)
    #expect(try reported() == [24480, 1, 60, 3, 0.51, 2])
    song.isPlaying = false
    try play(240)
    #expect(try reported()[1] == 0 && reported()[5] == 3)
    try play(240)
    #expect(try reported()[5] == 3)
    song.frame = 0
    song.isPlaying = true
    try play(240)
    #expect(try reported() == [0, 1, 60, 3, 0, 4])
  }
}

/// A song of a host.
private final class Song {
  var frame = 0.0
  var tempo = 120.0
  var isPlaying = true

  static func of(_ data: UnsafeMutableRawPointer?) -> Song? {
    unsafe data.map { unsafe Unmanaged<Song>.fromOpaque($0).takeUnretainedValue() }
  }
}

/// MIDI that came out: sample time, bytes.
final class ReceivedPackets {
  var messages: [[Int]] = []

  /// Records the messages of a unit, for as long as this is kept.
  func listen(to unit: AudioUnit) throws {
    var callback = unsafe AUMIDIOutputCallbackStruct()
    unsafe callback.userData = Unmanaged.passUnretained(self).toOpaque()
    unsafe callback.midiOutputCallback = { userData, stamp, _, packets in
      guard let userData = unsafe userData, let packets = unsafe packets,
        let stamp = unsafe stamp
      else { return -1 }
      unsafe Unmanaged<ReceivedPackets>.fromOpaque(userData).takeUnretainedValue()
        .consume(Int(stamp.pointee.mSampleTime), packets)
      return 0
    }
    unsafe try unit.setProperty(kAudioUnitProperty_MIDIOutputCallback, callback)
  }

  func consume(_ time: Int, _ list: UnsafePointer<MIDIPacketList>) {
    // timeStamp (8 bytes), length (2), data; the next packet follows at once.
    var place = unsafe UnsafeRawPointer(list) + 4
    for _ in 0..<(unsafe UnsafeRawPointer(list).loadUnaligned(as: UInt32.self)) {
      let frame = unsafe Int(place.loadUnaligned(as: UInt64.self))
      let length = unsafe Int(place.loadUnaligned(fromByteOffset: 8, as: UInt16.self))
      let bytes = (0..<length).map {
        unsafe Int(place.load(fromByteOffset: 10 + $0, as: UInt8.self))
      }
      messages.append([time + frame] + bytes)
      unsafe place += 10 + length
    }
  }
}
