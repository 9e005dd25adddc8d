// An instrument written in a page: keys, pedal, wheels, expression of single notes, notes by number.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import TestUnits
import Testing

/// Plays a unit with MIDI and notes, and renders it.
@safe struct InstrumentPlayer {
  let unit: AudioUnit
  private let clock = Clock()

  private final class Clock {
    var time = 0.0
  }

  /// Wraps an initialised unit.
  init(_ unit: AudioUnit) throws { self.unit = unit }

  private var plugIn: UnsafeMutableRawPointer {
    unsafe UnsafeMutableRawPointer(unit.instance.pointee.plugIn)
  }

  private func method<Procedure>(_ selector: Int16, _ type: Procedure.Type) throws -> Procedure {
    let lookUp = unsafe try #require(unsafe unit.instance.pointee.plugIn.pointee.Lookup)
    return unsafe unsafeBitCast(try #require(unsafe lookUp(selector)), to: type)
  }

  func send(_ status: UInt32, _ data1: UInt32, _ data2: UInt32, at frame: UInt32 = 0) throws
    -> OSStatus
  {
    unsafe try method(kMusicDeviceMIDIEventSelect, MusicDeviceMIDIEventProc.self)(
      plugIn, status, data1, data2, frame)
  }

  func startNote(pitch: Float, velocity: Float, at frame: UInt32 = 0) throws -> NoteInstanceID {
    var parameters = MusicDeviceNoteParams()
    parameters.argCount = 2
    parameters.mPitch = pitch
    parameters.mVelocity = velocity
    var number: NoteInstanceID = 0
    let status = unsafe try method(kMusicDeviceStartNoteSelect, MusicDeviceStartNoteProc.self)(
      plugIn, 0, 0, &number, frame, &parameters)
    #expect(status == 0)
    return number
  }

  func stopNote(_ number: NoteInstanceID, at frame: UInt32 = 0) throws {
    let status = unsafe try method(kMusicDeviceStopNoteSelect, MusicDeviceStopNoteProc.self)(
      plugIn, 0, number, frame)
    #expect(status == 0)
  }

  /// The first channel of so many frames.
  func render(_ frames: Int) throws -> [Float] {
    let buffers = AudioBuffers(channelCount: 2, frameCapacity: frames)
    buffers.setFrameCount(frames)
    var flags: AudioUnitRenderActionFlags = 0
    var stamp = AudioTimeStamp(sampleTime: clock.time)
    let status = unsafe unit.render(
      flags: &flags, timeStamp: &stamp, frameCount: UInt32(frames), buffers: buffers.list)
    #expect(status == 0)
    clock.time += Double(frames)
    return unsafe Array(UnsafeBufferPointer(start: buffers.channel(0), count: frames))
  }

  /// A whole second in slices.
  func second() throws -> [Float] { try (0..<48).flatMap { _ in try render(1000) } }
}

@Suite struct InstrumentTests {
  private func organ() throws -> InstrumentPlayer {
    let unit = try TestUnits.organ()
    try unit.setStreamFormat(
      AudioStreamFormat(sampleRate: 48_000, channelCount: 2), scope: kAudioUnitScope_Output,
      element: 0)
    try unit.initialize()
    return try InstrumentPlayer(unit)
  }

  /// Counts the rising zero crossings of a signal.
  private func turns(_ signal: [Float]) -> Int {
    zip(signal, signal.dropFirst()).count { $0 < 0 && $1 >= 0 }
  }

  private func peak(_ signal: [Float]) -> Float { signal.map(abs).max() ?? 0 }

  @Test func aKeySoundsFromItsFrameAndEndsAfterItsRelease() throws {
    let organ = try organ()
    #expect(peak(try organ.render(1000)) == 0)
    #expect(try organ.send(0x90, 69, 127, at: 300) == 0)
    let start = try organ.render(1000)
    #expect(peak(Array(start[..<301])) == 0 && peak(Array(start[301...])) > 0.24)
    #expect(abs(turns(try organ.second()) - 440) <= 1)
    // 10 ms of release.
    #expect(try organ.send(0x80, 69, 64, at: 100) == 0)
    let end = try organ.render(1000)
    #expect(peak(Array(end[100..<300])) > 0.1 && peak(Array(end[581...])) == 0)
  }

  @Test func aVelocityOfZeroLetsGo() throws {
    let organ = try organ()
    _ = try organ.send(0x90, 60, 100)
    #expect(peak(try organ.render(1000)) > 0.1)
    _ = try organ.send(0x90, 60, 0)
    _ = try organ.render(1000)
    #expect(peak(try organ.render(1000)) == 0)
  }

  @Test func thePedalHoldsWhatWasLetGo() throws {
    let organ = try organ()
    _ = try organ.send(0x90, 60, 100)
    _ = try organ.send(0xB0, 64, 127, at: 10)
    _ = try organ.send(0x80, 60, 64, at: 20)
    _ = try organ.render(1000)
    #expect(peak(try organ.second()) > 0.1)
    _ = try organ.send(0xB0, 64, 0)
    _ = try organ.render(1000)
    #expect(peak(try organ.render(1000)) == 0)
  }

  @Test func theOldestReleasedVoiceIsReusedThenTheOldest() throws {
    let organ = try organ()
    // Four voices: the fifth note replaces the first one.
    for key in [69, 72, 76, 79, 81] { _ = try organ.send(0x90, UInt32(key), 127) }
    _ = try organ.render(1000)
    for key in [72, 76, 79, 81] { _ = try organ.send(0x80, UInt32(key), 0) }
    _ = try organ.render(1000)
    // The first key is still down, but sounds no more.
    #expect(peak(try organ.render(1000)) == 0)
  }

  /// Sixteen notes for four voices, a few milliseconds apart; each is replaced while it sounds.
  @Test func aNoteThatYieldsFadesOut() throws {
    let organ = try organ()
    var sound: [Float] = []
    for note in 0..<16 {
      _ = try organ.send(0x90, UInt32(45 + note), 127, at: UInt32(note % 3))
      sound += try organ.render(130 + 7 * note)
    }
    // Four sines of 200 Hz at a quarter of full scale, and the fading ones: no sample is further from the one before.
    let steepest = Float(8 * 0.25 * 2 * Double.pi * 262 / 48_000) + 0.25 / 256 * 4
    let steps = zip(sound.dropFirst(), sound).map { abs($0 - $1) }
    #expect((steps.max() ?? 1) <= steepest)
    #expect(peak(Array(sound.suffix(500))) > 0.3)
    // Four are left, which end as any.
    for key in 45..<61 { _ = try organ.send(0x80, UInt32(key), 0) }
    _ = try organ.render(1000)
    #expect(peak(try organ.render(1000)) == 0)
  }

  @Test func wheelsBendAllNotesOfAChannel() throws {
    let organ = try organ()
    _ = try organ.send(0x90, 69, 127)
    // Up by two semitones.
    _ = try organ.send(0xE0, 0x7F, 0x7F)
    #expect(abs(turns(try organ.second()) - 494) <= 1)
    // The range by a registered parameter: an octave.
    for (controller, value) in [(101, 0), (100, 0), (6, 12)] {
      _ = try organ.send(0xB0, UInt32(controller), UInt32(value))
    }
    #expect(abs(turns(try organ.second()) - 880) <= 1)
  }

  /// Notes of a zone are bent each by itself, by 48 semitones, and all together by the master channel.
  @Test func notesOfAZoneHaveExpressionOfTheirOwn() throws {
    let organ = try organ()
    #expect(try organ.unit.property(kAudioUnitProperty_SupportsMPE, as: UInt32.self) == 1)
    for (controller, value) in [(101, 0), (100, 6), (6, 15)] {
      _ = try organ.send(0xB0, UInt32(controller), UInt32(value))
    }
    _ = try organ.send(0x91, 69, 127)
    _ = try organ.send(0x92, 69, 127)
    // 8192 / 4 = 2048: 12 of 48 semitones up, for channel 2 alone.
    _ = try organ.send(0xE2, 0, 0x50)
    _ = try organ.render(1000)
    _ = try organ.send(0x81, 69, 0)
    _ = try organ.render(1000)
    #expect(abs(turns(try organ.second()) - 880) <= 1)
    // The master's wheel: two semitones more.
    _ = try organ.send(0xE0, 0x7F, 0x7F)
    #expect(abs(turns(try organ.second()) - 988) <= 1)
    // Its pressure, too, has an effect.
    let soft = peak(try organ.render(1000))
    _ = try organ.send(0xD2, 127, 0)
    #expect(abs(peak(try organ.render(1000)) / soft - 2) < 0.05)
  }

  @Test func notesByNumberKeepTheirFractionsAndAreDistinguished() throws {
    let organ = try organ()
    let first = try organ.startNote(pitch: 69.5, velocity: 127)
    let second = try organ.startNote(pitch: 69, velocity: 127, at: 10)
    #expect(first != second)
    _ = try organ.render(1000)
    try organ.stopNote(second)
    _ = try organ.render(1000)
    // A4 and a quarter of a tone: 452.9 Hz.
    #expect(abs(turns(try organ.second()) - 453) <= 1)
    // MIDI does not stop a note that has a number.
    _ = try organ.send(0x80, 69, 0)
    _ = try organ.render(1000)
    #expect(peak(try organ.render(1000)) > 0.1)
    try organ.stopNote(first)
    _ = try organ.render(1000)
    #expect(peak(try organ.render(1000)) == 0)
  }

  @Test func allNotesOffAndAllSoundOff() throws {
    let organ = try organ()
    for key in [60, 64, 67] { _ = try organ.send(0x90, UInt32(key), 100) }
    _ = try organ.render(1000)
    _ = try organ.send(0xB0, 123, 0)
    #expect(peak(try organ.render(1000)) > 0)
    #expect(peak(try organ.render(1000)) == 0)
    _ = try organ.send(0x90, 60, 100)
    _ = try organ.render(1000)
    _ = try organ.send(0xB0, 120, 0)
    #expect(peak(try organ.render(1000)) == 0)
  }

  @Test func silenceIsReportedWhileNothingSounds() throws {
    let organ = try organ()
    let buffers = AudioBuffers(channelCount: 2, frameCapacity: 64)
    buffers.setFrameCount(64)
    var flags: AudioUnitRenderActionFlags = 0
    var stamp = AudioTimeStamp(sampleTime: 0)
    let status = unsafe organ.unit.render(
      flags: &flags, timeStamp: &stamp, frameCount: 64, buffers: buffers.list)
    #expect(status == 0 && flags & kAudioUnitRenderAction_OutputIsSilence != 0)
  }
}
