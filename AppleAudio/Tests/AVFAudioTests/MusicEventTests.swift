// Events that a program adds to tracks: their sound at their frames, and edits.
// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap, NeverUseImplicitlyUnwrappedOptionals

import AVFoundation
import Synchronization
import Testing

@Suite(.serialized) struct MusicEventTests {
  let offline: Offline
  let sequencer: AVAudioSequencer
  let track: AVMusicTrack
  let all = AVMakeBeatRange(0, AVMusicTimeStampEndOfTrack)

  init() throws {
    offline = try Offline()
    sequencer = AVAudioSequencer(audioEngine: offline.engine)
    track = sequencer.createAndAppendTrack()
  }
  private func note(_ key: UInt32, _ duration: Double = 0.5) -> AVMIDINoteEvent {
    AVMIDINoteEvent(channel: 0, key: key, velocity: 100, duration: duration)
  }
  private func events(_ track: AVMusicTrack? = nil) -> [(beat: Double, event: AVMusicEvent)] {
    var found: [(Double, AVMusicEvent)] = []
    (track ?? self.track).enumerateEvents(in: all) { event, beat, _ in
      found.append((beat.pointee, event))
    }
    return found
  }
  private func keys(_ track: AVMusicTrack? = nil) -> [UInt32] {
    events(track).compactMap { ($0.event as? AVMIDINoteEvent)?.key }
  }
  private func play(_ frames: Int) throws {
    try offline.engine.start()
    try sequencer.start()
    _ = try offline.render(frames)
  }

  @Test("Notes and messages of every kind sound at their beats, at the tempo that was added")
  func messages() throws {
    let instrument = try offline.recorder()
    sequencer.tempoTrack.addEvent(AVExtendedTempoEvent(tempo: 60), at: 0)
    track.addEvent(AVMIDIProgramChangeEvent(channel: 1, programNumber: 9), at: 0)
    track.addEvent(
      AVMIDIControlChangeEvent(channel: 2, messageType: .volume, value: 99), at: 0.25)
    track.addEvent(AVMIDIPitchBendEvent(channel: 3, value: 0x2081), at: 0.5)
    track.addEvent(AVMIDIChannelPressureEvent(channel: 4, pressure: 70), at: 0.75)
    track.addEvent(AVMIDIPolyPressureEvent(channel: 5, key: 60, pressure: 71), at: 1)
    track.addEvent(
      AVMIDINoteEvent(channel: 15, key: 127, velocity: 1, duration: 0.25), at: 1.25)
    try play(2 * 44_100)
    let found = try instrument.received()
    #expect(
      found.map(\.bytes) == [
        [0xC1, 9], [0xB2, 7, 99], [0xE3, 1, 65], [0xD4, 70], [0xA5, 60, 71], [0x9F, 127, 1],
        [0x8F, 127, 0],
      ])
    #expect(found.map(\.frame) == (0...6).map { $0 * 11_025 })
  }

  @Test("An instrument at a rate of its own plays at the frames of that rate, whatever the slices")
  func ownRate() throws {
    let instrument = try offline.recorder(48_000)
    for beat in [0, 0.5, 1.25, 3] { track.addEvent(note(60, 0.25), at: beat) }
    try play(3 * 44_100)
    let found = try instrument.received().map(\.frame)
    #expect(found == [0, 6_000, 12_000, 18_000, 30_000, 36_000, 72_000, 78_000])
  }

  @Test("Another rate of playing, or place, holds at once for instruments of all rates")
  func changesOfAllRates() throws {
    let (slow, fast) = (try offline.recorder(44_100), try offline.recorder(48_000))
    let other = sequencer.createAndAppendTrack()
    other.destinationAudioUnit = fast
    for beat in 0..<8 {
      for each in [track, other] { each.addEvent(note(60 + UInt32(beat), 0.5), at: Double(beat)) }
    }
    try play(33_075)
    sequencer.rate = 2
    _ = try offline.render(22_050)
    sequencer.currentPositionInBeats = 6.75
    _ = try offline.render(11_025)
    func begun(_ node: AVAudioUnitMIDIInstrument) throws -> [Double] {
      let rate = node.outputFormat(forBus: 0).sampleRate
      return try node.received().filter { $0.bytes[0] == 0x90 }.map {
        (Double($0.frame) / rate * 1e4).rounded() / 1e4
      }
    }
    #expect(try begun(slow) == [0, 0.5, 0.875, 1.125, 1.3125])
    #expect(try begun(slow).count == begun(fast).count)
    #expect(try zip(begun(slow), begun(fast)).allSatisfy { abs($0 - $1) < 0.03 })
  }

  @Test("An effect that changes time does not change the tempo of what plays into it")
  func throughAChangeOfTime() throws {
    let speed = AVAudioUnitVarispeed()
    speed.rate = 2
    let instrument = try offline.recorder(44_100, through: speed)
    for beat in 0..<6 { track.addEvent(note(60 + UInt32(beat), 0.25), at: Double(beat)) }
    try play(2 * 44_100)
    let found = try instrument.received().filter { $0.bytes[0] == 0x90 }
    #expect(found.map(\.bytes[1]) == [60, 61, 62, 63])
  }

  @Test("A sampler at another rate than the engine begins its notes at their frames")
  func samplerAtAnotherRate() throws {
    let engine = try Offline(standard(48_000, 2))
    let sampler = AVAudioUnitSampler()
    engine.engine.attach(sampler)
    engine.engine.connect(sampler, to: engine.engine.mainMixerNode, format: standard(44_100, 2))
    let sequencer = AVAudioSequencer(audioEngine: engine.engine)
    sequencer.createAndAppendTrack().addEvent(note(69, 1), at: 1)
    try engine.engine.start()
    try sequencer.start()
    let sound = try engine.render(48_000)
    let start = try #require(sound.firstIndex { abs($0) > 1e-3 })
    #expect(abs(start - 24_000) < 48)
  }

  @Test("Points of curves move a parameter of the unit that the track names")
  func parameters() throws {
    let delay = AVAudioUnitDelay()
    _ = try offline.recorder(44_100, through: delay)
    track.destinationAudioUnit = delay
    track.usesAutomatedParameters = true
    for (beat, value) in [(0.0, Float(10)), (1, 90)] {
      track.addEvent(
        AVParameterEvent(
          parameterID: UInt32(kDelayParam_WetDryMix), scope: kAudioUnitScope_Global, element: 0,
          value: value), at: beat)
    }
    #expect(track.usesAutomatedParameters)
    try play(30_000)
    #expect(delay.wetDryMix == 90)
  }

  @Test("A note between keys, and a track that changes its instrument while it plays")
  func extendedNotes() throws {
    let (first, second) = (try offline.recorder(), try offline.recorder())
    track.addEvent(
      AVExtendedNoteOnEvent(midiNote: 61, velocity: 80, groupID: 3, duration: 2), at: 0)
    track.addEvent(note(64), at: 1.5)
    try play(22_050)
    track.destinationAudioUnit = second
    _ = try offline.render(22_050)
    #expect(try first.received().map(\.bytes) == [[0x93, 61, 80], [0x83, 61, 0]])
    #expect(try second.received().map(\.bytes) == [[0x90, 64, 100]])
  }

  @Test("Events have the values that they were added with, and kinds of their own")
  func kinds() throws {
    let delay = AVAudioUnitDelay()
    delay.feedback = -20
    let state = try #require(delay.auAudioUnit.fullState)
    track.addEvent(AVMIDISysexEvent(data: Data([0xF0, 1, 2, 0xF7])), at: 1)
    track.addEvent(AVMusicUserEvent(data: Data([1, 2, 3])), at: 2)
    track.addEvent(AVMIDIMetaEvent(type: .lyric, data: Data("la".utf8)), at: 3)
    track.addEvent(AVAUPresetEvent(scope: 0, element: 0, dictionary: state), at: 4)
    let found = events()
    #expect(found.map(\.beat) == [1, 2, 3, 4])
    #expect((found[0].event as? AVMIDISysexEvent)?.sizeInBytes == 4)
    #expect((found[1].event as? AVMusicUserEvent)?.sizeInBytes == 3)
    #expect((found[2].event as? AVMIDIMetaEvent)?.type == .lyric)
    let preset = try #require(found[3].event as? AVAUPresetEvent)
    #expect(preset.presetDictionary.count == state.count)
    sequencer.tempoTrack.addEvent(AVExtendedTempoEvent(tempo: 90), at: 2)
    #expect(
      events(sequencer.tempoTrack).contains { ($0.event as? AVExtendedTempoEvent)?.tempo == 90 })
  }

  @Test("An enumeration changes, moves and removes the events that it is called with")
  func enumeration() throws {
    for beat in 0..<5 { track.addEvent(note(60 + UInt32(beat)), at: Double(beat)) }
    track.enumerateEvents(in: AVMakeBeatRange(1, 3)) { event, beat, removes in
      let note = event as! AVMIDINoteEvent
      switch note.key {
      case 61: note.velocity = 5
      case 62: beat.pointee = 6
      default: removes.pointee = true
      }
    }
    #expect(keys() == [60, 61, 64, 62])
    #expect(events().map(\.beat) == [0, 1, 4, 6])
    #expect((events()[1].event as? AVMIDINoteEvent)?.velocity == 5)
  }

  @Test("Ranges are moved, cleared, cut, inserted and merged")
  func ranges() throws {
    for beat in 0..<4 { track.addEvent(note(60 + UInt32(beat), 0.25), at: Double(beat)) }
    track.moveEvents(in: AVMakeBeatRange(3, 1), by: 2)
    #expect(events().map(\.beat) == [0, 1, 2, 5])
    track.clearEvents(in: AVMakeBeatRange(1, 1))
    #expect(keys() == [60, 62, 63])
    track.cutEvents(in: AVMakeBeatRange(1, 1))
    #expect(events().map(\.beat) == [0, 1, 4])
    let other = sequencer.createAndAppendTrack()
    other.addEvent(note(80, 0.25), at: 0)
    other.copyEvents(in: AVMakeBeatRange(0, 2), from: track, insertAt: 0)
    #expect(keys(other) == [60, 62, 80] && events(other).map(\.beat) == [0, 1, 2])
    other.copyAndMergeEvents(in: AVMakeBeatRange(4, 1), from: track, mergeAt: 0.5)
    #expect(keys(other) == [60, 63, 62, 80])
  }

  /// Calls of a user callback.
  private final class Calls: Sendable {
    let all = Mutex<[(beat: Double, bytes: [UInt8], isOfTrack: Bool)]>([])
    var beats: [Double] { all.withLock { $0.map(\.beat) } }
  }

  @Test("A callback is called for the user events that were played, until it is removed")
  func userCallback() throws {
    let calls = Calls()
    for (beat, size) in [(0.5, 3), (1.0, 40_000), (1.5, 1)] {
      track.addEvent(AVMusicUserEvent(data: Data(repeating: 7, count: size)), at: beat)
    }
    track.lengthInBeats = 4
    let track = track
    sequencer.setUserCallback { played, data, beat in
      calls.all.withLock { $0.append((beat, Array(data), played === track)) }
    }
    try play(11_000)
    #expect(calls.beats.isEmpty)
    _ = try offline.render(12_000)
    #expect(calls.beats == [0.5, 1])
    let found = calls.all.withLock { $0 }
    #expect(found.map(\.bytes.count) == [3, 40_000] && found.allSatisfy(\.isOfTrack))
    #expect(found.allSatisfy { $0.bytes.allSatisfy { $0 == 7 } })
    sequencer.setUserCallback(nil)
    _ = try offline.render(22_050)
    #expect(calls.beats.count == 2)
  }

  @Test("Reversed events sound from the last one to the first")
  func reversed() throws {
    for (beat, key) in [(0.0, UInt32(60)), (1, 62), (3, 64)] { track.addEvent(note(key), at: beat) }
    sequencer.reverseEvents()
    #expect(keys() == [64, 62, 60])
  }

  @Test("An engine renders on when its sequencer is freed, and tracks outlive it")
  func freed() throws {
    for _ in 0..<50 {
      var sequencer: AVAudioSequencer? = AVAudioSequencer(audioEngine: offline.engine)
      let track = try #require(sequencer?.createAndAppendTrack())
      track.addEvent(note(60), at: 0)
      track.numberOfLoops = AVMusicTrackLoopCount.forever.rawValue
      if !offline.engine.isRunning { try offline.engine.start() }
      try sequencer?.start()
      _ = try offline.render(64)
      sequencer = nil
      _ = try offline.render(64)
      track.lengthInSeconds = 2
      #expect(track.lengthInBeats == 4 && track.numberOfLoops == -1)
    }
  }
}
