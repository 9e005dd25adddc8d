// Sequences: tracks and their properties, playing offline, and the MIDI between nodes of an engine.
// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap, NeverUseImplicitlyUnwrappedOptionals

import AVFoundation
import Synchronization
import Testing

@Suite(.serialized) struct SequencerTests {
  let offline: Offline
  let instrument: AVAudioUnitMIDIInstrument

  init() throws {
    offline = try Offline()
    try #require(NoteRecorder.isRegistered)
    instrument = AVAudioUnitMIDIInstrument(audioComponentDescription: NoteRecorder.code)
    offline.engine.attach(instrument)
    offline.engine.connect(instrument, to: offline.engine.mainMixerNode, format: standard())
  }
  private func received(_ node: AVAudioUnitMIDIInstrument) throws -> [(frame: Int, bytes: [UInt8])]
  {
    try node.received()
  }

  /// A file of one track with notes of an eighth at beats, at 120 beats a minute.
  private func file(_ notes: [(beat: Double, note: UInt8)], length: Double) -> Data {
    var events: [(tick: Int, bytes: [UInt8])] = []
    for (beat, note) in notes {
      events.append((Int(beat * 480), [0x90, note, 100]))
      events.append((Int(beat * 480) + 240, [0x80, note, 0]))
    }
    events.append((Int(length * 480), [0xFF, 0x2F, 0]))
    func number(_ value: Int) -> [UInt8] {
      var bytes = [UInt8(value & 127)]
      var rest = value >> 7
      while rest > 0 {
        bytes.insert(UInt8(rest & 127 | 128), at: 0)
        rest >>= 7
      }
      return bytes
    }
    var track: [UInt8] = []
    var tick = 0
    for event in events.sorted(by: { $0.tick < $1.tick }) {
      track += number(event.tick - tick) + event.bytes
      tick = event.tick
    }
    func word(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 255) } }
    return Data(
      Array("MThd".utf8) + word(6) + [0, 0, 0, 1, 1, 0xE0] + Array("MTrk".utf8)
        + word(track.count) + track)
  }
  private func sequencer(_ notes: [(beat: Double, note: UInt8)], length: Double) throws
    -> AVAudioSequencer
  {
    let sequencer = AVAudioSequencer(audioEngine: offline.engine)
    try sequencer.load(from: file(notes, length: length))
    return sequencer
  }

  @Test("Offline, events sound at their frames, whatever the slices")
  func frames() throws {
    let sequencer = try sequencer([(0, 60), (1, 62), (1.5, 64)], length: 2)
    try offline.engine.start()
    try sequencer.start()
    #expect(sequencer.isPlaying)
    _ = try offline.render(50_000)
    let found = try received(instrument)
    #expect(
      found.map(\.bytes) == [
        [0x90, 60, 100], [0x80, 60, 0], [0x90, 62, 100], [0x80, 62, 0], [0x90, 64, 100],
        [0x80, 64, 0],
      ])
    #expect(found.map(\.frame) == [0, 11_025, 22_050, 33_075, 33_075, 44_100])
  }

  @Test("In realtime rendering frames are the clock, too, and changes of tracks count at once")
  func realtime() throws {
    let engine = AVAudioEngine()
    try engine.enableManualRenderingMode(.realtime, format: standard(), maximumFrameCount: 450)
    let node = AVAudioUnitMIDIInstrument(audioComponentDescription: NoteRecorder.code)
    engine.attach(node)
    engine.connect(node, to: engine.mainMixerNode, format: standard())
    let sequencer = AVAudioSequencer(audioEngine: engine)
    try sequencer.load(from: file([(0, 60), (1, 62), (1.75, 63), (2, 64), (3, 65)], length: 4))
    try engine.start()
    try sequencer.start()
    let block = buffer(silence(450))
    func render(_ seconds: Double) {
      for _ in 0..<Int(seconds * 98) {
        #expect(engine.manualRenderingBlock(450, block.mutableAudioBufferList, nil) == .success)
      }
    }
    render(0.75)
    let track = try #require(sequencer.tracks.first)
    // A note that sounds ends, others do not begin.
    track.isMuted = true
    render(0.5)
    track.isMuted = false
    render(0.5)
    let found = try received(node).filter { $0.bytes[0] == 0x90 }
    #expect(found.map(\.frame) == [0, 22_050, 66_150])
    #expect(found.map { $0.bytes[1] } == [60, 62, 65])
    #expect(abs(sequencer.currentPositionInBeats - 3.5) < 0.03)
    var error: NSError?
    let (now, later) = (
      sequencer.hostTime(forBeats: 4, error: &error), sequencer.hostTime(forBeats: 6, error: &error)
    )
    #expect(abs(AVAudioTime.seconds(forHostTime: later - now) - 1) < 1e-6 && error == nil)
    #expect(abs(sequencer.beats(forHostTime: later, error: &error) - 6) < 1e-3)
  }

  @Test("Offline, the place goes on with the frames, and stands when it is stopped")
  func places() throws {
    let sequencer = try sequencer([(0, 60)], length: 8)
    try offline.engine.start()
    try sequencer.start()
    _ = try offline.render(22_050)
    #expect(abs(sequencer.currentPositionInBeats - 1) < 1e-9)
    #expect(abs(sequencer.currentPositionInSeconds - 0.5) < 1e-9)
    sequencer.stop()
    _ = try offline.render(22_050)
    #expect(!sequencer.isPlaying && abs(sequencer.currentPositionInBeats - 1) < 1e-9)
    try sequencer.start()
    _ = try offline.render(11_025)
    #expect(abs(sequencer.currentPositionInBeats - 1.5) < 1e-9)
  }

  @Test("A stop ends the notes that sound")
  func stopEndsNotes() throws {
    let sequencer = try sequencer([(0, 60)], length: 4)
    try offline.engine.start()
    try sequencer.start()
    _ = try offline.render(1_024)
    sequencer.stop()
    _ = try offline.render(1_024)
    #expect(try received(instrument).map(\.bytes) == [[0x90, 60, 100], [0x80, 60, 0]])
  }

  @Test("A rate of two is twice as fast")
  func rates() throws {
    let sequencer = try sequencer([(0, 60), (2, 62)], length: 4)
    sequencer.rate = 2
    try offline.engine.start()
    try sequencer.start()
    _ = try offline.render(30_000)
    // Ends of notes lie between two frames.
    let found = try received(instrument).map(\.frame)
    #expect(
      found.count == 4 && zip(found, [0, 5_512, 22_050, 27_562]).allSatisfy { 0...1 ~= $0 - $1 })
  }

  @Test("A start in the middle plays from there on")
  func middle() throws {
    let sequencer = try sequencer([(0, 60), (1, 62)], length: 2)
    sequencer.currentPositionInBeats = 0.75
    try offline.engine.start()
    try sequencer.start()
    _ = try offline.render(10_000)
    let found = try received(instrument).filter { $0.bytes[0] == 0x90 }
    #expect(found.map(\.bytes[1]) == [62] && 5_512...5_513 ~= found[0].frame)
  }

  @Test("A loop repeats its beats, as often as is said", arguments: [(1, 2), (3, 4), (-1, 9)])
  func loops(_ count: Int, _ wanted: Int) throws {
    let sequencer = try sequencer([(0, 60)], length: 1)
    let track = try #require(sequencer.tracks.first)
    track.loopRange = AVMakeBeatRange(0, 1)
    track.numberOfLoops = count
    track.isLoopingEnabled = true
    try offline.engine.start()
    try sequencer.start()
    _ = try offline.render(9 * 22_050)
    let found = try received(instrument).filter { $0.bytes[0] == 0x90 }.map(\.frame)
    if count < 0 {
      #expect(found == (0..<wanted).map { $0 * 22_050 })
    } else {
      #expect(found.enumerated().allSatisfy { $1 == $0 * 22_050 } && found.count >= count)
      #expect(found.count <= wanted)
    }
  }

  @Test("A muted track is silent, and one that plays alone silences the others")
  func muteAndSolo() throws {
    let other = AVAudioUnitMIDIInstrument(audioComponentDescription: NoteRecorder.code)
    offline.engine.attach(other)
    offline.engine.connect(other, to: offline.engine.mainMixerNode, format: standard())
    let sequencer = try sequencer([(0, 60), (1, 60), (2, 60)], length: 3)
    try offline.engine.start()
    try sequencer.start()
    let track = try #require(sequencer.tracks.first)
    track.isMuted = true
    _ = try offline.render(22_000)
    track.isMuted = false
    track.isSoloed = true
    _ = try offline.render(22_050)
    track.isSoloed = false
    _ = sequencer.createAndAppendTrack()
    #expect(try received(instrument).filter { $0.bytes[0] == 0x90 }.map(\.frame) == [22_050])
    #expect(try received(other).isEmpty, "the first instrument plays what has no destination")
  }

  @Test("A track plays through the node that it names")
  func destinations() throws {
    let other = AVAudioUnitMIDIInstrument(audioComponentDescription: NoteRecorder.code)
    offline.engine.attach(other)
    offline.engine.connect(other, to: offline.engine.mainMixerNode, format: standard())
    let sequencer = try sequencer([(0, 60)], length: 1)
    try #require(sequencer.tracks.first).destinationAudioUnit = other
    try offline.engine.start()
    try sequencer.start()
    _ = try offline.render(512)
    #expect(try received(other).map(\.bytes) == [[0x90, 60, 100]])
    #expect(try received(instrument).isEmpty)
  }

  @Test("A tempo of the file moves its events")
  func tempo() throws {
    let sequencer = try sequencer([(0, 60), (1, 62)], length: 2)
    var sequence: MusicSequence?
    try #require(NewMusicSequence(&sequence) == noErr)
    defer { DisposeMusicSequence(sequence!) }
    var tempo: MusicTrack?
    MusicSequenceGetTempoTrack(sequence!, &tempo)
    MusicTrackNewExtendedTempoEvent(tempo!, 0, 60)
    var seconds = 0.0
    MusicSequenceGetSecondsForBeats(sequence!, 3, &seconds)
    #expect(seconds == 3 && sequencer.seconds(forBeats: 3) == 1.5)
  }

  @Test("What is written is read again, with its tracks and lengths")
  func written() throws {
    let folder = try Folder()
    let sequencer = try sequencer([(0, 60), (3, 62)], length: 4)
    try sequencer.write(
      to: folder.file("a.mid"), smpteResolution: 0, replaceExisting: true)
    let again = AVAudioSequencer()
    try again.load(from: folder.file("a.mid"))
    #expect(again.tracks.count == 1 && again.tracks[0].lengthInBeats >= 3.5)
    #expect(throws: NSError.self) {
      try again.load(from: Data("no music".utf8))
    }
    var error: NSError?
    #expect(again.data(withSMPTEResolution: 0, error: &error).prefix(4) == Data("MThd".utf8))
  }

  @Test("Lengths and offsets of tracks are in beats and seconds")
  func lengths() throws {
    let sequencer = try sequencer([(0, 60)], length: 4)
    let track = try #require(sequencer.tracks.first)
    track.lengthInSeconds = 1
    #expect(track.lengthInBeats == 2)
    track.lengthInBeats = 6
    #expect(track.lengthInSeconds == 3)
    #expect(track.loopRange == AVMakeBeatRange(0, 6) && track.numberOfLoops == -1)
    #expect(sequencer.tempoTrack.timeResolution > 0)
  }

  // MARK: MIDI between nodes

  @Test("The MIDI of a node goes to those that it is connected with, in the same cycle")
  func midiConnections() throws {
    let source = AVAudioUnitMIDIInstrument(audioComponentDescription: NoteRecorder.code)
    offline.engine.attach(source)
    let blocks = NoteRecorder.Inbox()
    offline.engine.connectMIDI(source, to: instrument, format: nil) { time, _, length, bytes in
      let message = Array(UnsafeBufferPointer(start: bytes, count: length))
      blocks.messages.withLock { $0.append((Int(time), message)) }
      return noErr
    }
    try offline.engine.start()
    _ = try offline.render(512)
    source.startNote(64, withVelocity: 90, onChannel: 2)
    _ = try offline.render(512)
    #expect(try received(instrument).map(\.bytes) == [[0x92, 64, 90]])
    #expect(try received(instrument).map(\.frame) == [512])
    #expect(blocks.messages.withLock { $0.map(\.bytes) } == [[0x92, 64, 90]])
    offline.engine.disconnectMIDI(source, from: instrument)
    source.stopNote(64, onChannel: 2)
    _ = try offline.render(512)
    #expect(try received(instrument).count == 1)
    #expect(blocks.messages.withLock { $0.count } == 2, "the block stays")
    offline.engine.disconnectMIDIOutput(source)
  }

  @Test("One source of MIDI feeds two instruments until one of them is cut off")
  func twoDestinations() throws {
    let source = AVAudioUnitMIDIInstrument(audioComponentDescription: NoteRecorder.code)
    let other = AVAudioUnitMIDIInstrument(audioComponentDescription: NoteRecorder.code)
    for node in [source, other] { offline.engine.attach(node) }
    offline.engine.connect(other, to: offline.engine.mainMixerNode, format: standard())
    offline.engine.connectMIDI(source, to: [instrument, other], format: nil)
    try offline.engine.start()
    source.sendController(7, withValue: 50, onChannel: 0)
    _ = try offline.render(512)
    offline.engine.disconnectMIDIInput(other)
    source.sendController(7, withValue: 51, onChannel: 0)
    _ = try offline.render(512)
    #expect(try received(instrument).map(\.bytes[2]) == [50, 51])
    #expect(try received(other).map(\.bytes[2]) == [50])
  }

  @Test("An engine's sequence is the one that was set, with an instrument to play it")
  func engineSequence() throws {
    try useRuntimeFolder()
    var sequence: MusicSequence?
    try #require(NewMusicSequence(&sequence) == noErr)
    defer { DisposeMusicSequence(sequence!) }
    var track: MusicTrack?
    MusicSequenceNewTrack(sequence!, &track)
    let engine = AVAudioEngine()
    try engine.enableManualRenderingMode(.offline, format: standard(), maximumFrameCount: 64)
    engine.musicSequence = sequence
    #expect(engine.musicSequence == sequence)
    #expect(engine.attachedNodes.contains { $0 is AVAudioUnitSampler })
    var endpoint: MIDIEndpointRef = 0
    #expect(MusicTrackGetDestMIDIEndpoint(track!, &endpoint) == noErr && endpoint != 0)
    var later: MusicTrack?
    MusicSequenceNewTrack(sequence!, &later)
    try engine.start()
    var same: MIDIEndpointRef = 0
    #expect(MusicTrackGetDestMIDIEndpoint(later!, &same) == noErr && same == endpoint)
    engine.musicSequence = nil
    #expect(engine.musicSequence == nil)
  }
}
