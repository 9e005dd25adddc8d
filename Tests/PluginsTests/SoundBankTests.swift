// The units that play sound banks: notes at their frames, tuning and volume, instruments by number, refusals.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import Foundation
import TestSupport
import Testing

@Suite("Sound banks") struct SoundBankTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder("auricle-banks")
    let presets = [
      SoundFontFixture.Preset("Wave", 0, 0), .init("Other", 0, 5), .init("Variation", 8, 5),
      .init("Kit", 128, 0),
    ]
    try folder.write(Data(SoundFontFixture.bytes(presets)), to: "test.sf2")
    try folder.write("no bank", to: "bad.sf2")
  }

  private func open(
    _ subtype: String = "dls ", rate: Double = 48_000, channels: Int = 2, hasReverb: UInt32 = 0
  ) throws -> AudioUnit {
    let unit = try Shipped.open(name: "aumu:\(subtype):appl")
    try unit.setText("bank", folder("test.sf2"))
    if subtype != "samp" {
      try unit.setProperty(kMusicDeviceProperty_UsesInternalReverb, hasReverb)
    }
    try unit.setStreamFormat(
      AudioStreamFormat(sampleRate: rate, channelCount: channels), scope: kAudioUnitScope_Output)
    try unit.initialize()
    return unit
  }

  /// Renders slices in turn, with messages at their frames.
  private func render(
    _ unit: AudioUnit, _ messages: [(frame: Int, bytes: [UInt8])], frames: Int,
    slices: [Int] = [512],
    channels: Int = 2
  ) throws -> [[Float]] {
    try renderInSlices(unit, frames: frames, channels: channels, slices: slices) { slice in
      for message in messages where slice.contains(message.frame) {
        guard message.bytes.count <= 3 else {
          try unit.sendSystemExclusive(message.bytes)
          continue
        }
        try unit.sendMIDI(
          status: message.bytes[0], message.bytes.count > 1 ? message.bytes[1] : 0,
          message.bytes.count > 2 ? message.bytes[2] : 0,
          atFrame: message.frame - slice.lowerBound)
      }
    }
  }

  /// The frequency (Hz) by upward crossings of zero in a second half.
  private func frequency(_ samples: [Float], rate: Double) -> Double {
    let part = Array(samples.suffix(samples.count / 2))
    let crossings = part.indices.dropFirst().filter { part[$0 - 1] < 0 && part[$0] >= 0 }
    guard let first = crossings.first, let last = crossings.last, crossings.count > 2 else {
      return 0
    }
    return Double(crossings.count - 1) * rate / Double(last - first)
  }

  @Test(
    "A note out of silence starts at its frame, one into sound within a block; slices do not matter"
  )
  func frames() throws {
    for frame in [0, 1, 63, 64, 777] {
      let sound = try render(open(), [(frame, [0x90, 69, 127])], frames: 4000)[0]
      let first = try #require(sound.firstIndex { abs($0) > 1e-6 })
      // The wave itself begins at zero.
      #expect((frame + 1...frame + 2).contains(first), "frame \(frame)")
    }
    let messages: [(Int, [UInt8])] = [
      (100, [0x90, 69, 127]), (1003, [0x91, 72, 90]), (1500, [0xB0, 64, 127]),
      (2000, [0x80, 69, 0]),
      (2500, [0xE1, 0, 100]), (3001, [0xB0, 64, 0]), (4000, [0xA1, 72, 60]), (4500, [0xD0, 90]),
      (5000, [0xB1, 123, 0]),
    ]
    let whole = try render(open(hasReverb: 1), messages, frames: 8000)
    for slices in [[1], [7, 64, 1000], [333]] {
      #expect(try render(open(hasReverb: 1), messages, frames: 8000, slices: slices) == whole)
    }
    let used = try open(hasReverb: 1)
    _ = try render(used, messages, frames: 3000)
    try used.reset()
    #expect(try render(used, messages, frames: 8000) == whole)
  }

  @Test(
    "A key has its frequency at every rate, beyond FluidSynth's own; bend, its range, and tuning act"
  )
  func pitch() throws {
    for rate in [1234.5678, 6000, 11_025, 44_100, 96_000, 192_000, 384_000, 768_000] {
      let sound = try render(open(rate: rate), [(0, [0x90, 69, 127])], frames: Int(rate))[0]
      #expect(abs(frequency(sound, rate: rate) - 441) < 0.5, "\(rate) Hz")
    }
    let fast = try open(rate: 192_000)
    #expect(fast.latency > 0 && fast.latency < 0.001)
    let slow = try Shipped.open(name: "aumu:dls :appl")
    try slow.setStreamFormat(
      AudioStreamFormat(sampleRate: 900, channelCount: 2), scope: kAudioUnitScope_Output)
    #expect(throws: AuricleError.self) { try slow.initialize() }

    let range: [(Int, [UInt8])] = [
      (0, [0xB0, 101, 0]), (0, [0xB0, 100, 0]), (0, [0xB0, 6, 12]), (0, [0xE0, 127, 127]),
      (0, [0x90, 69, 127]),
    ]
    let bent = try render(open(), range, frames: 48_000)[0]
    #expect(abs(frequency(bent, rate: 48_000) - 882) < 6)
    let tuned = try open()
    try tuned.setParameter(kMusicDeviceParam_Tuning, -1200)
    // A reset of controllers leaves the unit's own tuning.
    let low = try render(
      tuned, [(0, [0xB0, 121, 0]), (0, [0x90, 69, 127])], frames: 48_000)[0]
    #expect(abs(frequency(low, rate: 48_000) - 220.5) < 0.5)
  }

  /// The peak of a second half.
  private func rest(_ messages: [(Int, [UInt8])]) throws -> Float {
    try peak(Array(render(open(), messages, frames: 48_000)[0].suffix(24_000)))
  }

  @Test("Pedals hold their notes, all notes off ends them, pressure and tables of tuning act")
  func controls() throws {
    let note: [(Int, [UInt8])] = [(0, [0x90, 69, 127])]
    let off: [(Int, [UInt8])] = [(4800, [0x80, 69, 0])]
    #expect(try rest(note + off) < 1e-4)
    // Sustain, until it is lifted.
    let pedal: [(Int, [UInt8])] = [(2400, [0xB0, 64, 127])]
    #expect(try rest(note + pedal + off) > 0.01)
    #expect(try rest(note + pedal + off + [(9600, [0xB0, 64, 0])]) < 1e-4)
    // Sostenuto holds the keys that are down when it is pressed, and no later ones.
    let held: [(Int, [UInt8])] = [(2400, [0xB0, 66, 127])]
    #expect(try rest(note + held + off) > 0.01)
    #expect(try rest([(1200, [0xB0, 66, 127])] + [(2400, [0x90, 69, 127])] + off) < 1e-4)
    // All notes off lets notes ring out; all sound off with the pedal down ends them too.
    #expect(try rest(note + [(4800, [0xB0, 123, 0])]) < 1e-4)
    #expect(try rest(note + pedal + off + [(9600, [0xB0, 120, 0])]) < 1e-4)
    // Pressure of a channel moves the pitch, as the standard's vibrato.
    let plain = try render(open(), note, frames: 48_000)[0]
    let pressed = try render(open(), note + [(0, [0xD0, 127])], frames: 48_000)[0]
    #expect(plain != pressed)
    // Coarse tuning by RPN 2, up by an octave.
    let tuned: [(Int, [UInt8])] = [
      (0, [0xB0, 101, 0]), (0, [0xB0, 100, 2]), (0, [0xB0, 6, 76]),
    ]
    let high = try render(open(), tuned + note, frames: 48_000)[0]
    #expect(abs(frequency(high, rate: 48_000) - 882) < 3)
    // Banks and programs by the controllers: the variation sounds as other presets of this bank do.
    let varied = try render(
      open(), [(0, [0xB0, 0, 8]), (0, [0xC0, 5, 0])] + note, frames: 48_000)[0]
    #expect(peak(Array(varied.suffix(24_000))) > 0.01)
  }

  @Test(
    "A reset undoes a bank of General MIDI 2: bank messages then choose as before",
    arguments: [
      [0xF0, 0x7E, 0x7F, 0x09, 0x01, 0xF7], [0xF0, 0x7E, 0x7F, 0x09, 0x03, 0xF7],
      [0xF0, 0x41, 0x7F, 0x42, 0x12, 0x40, 0x00, 0x7F, 0x00, 0x41, 0xF7],
      [0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0x00, 0x7F, 0x00, 0x41, 0xF7],
      [0xF0, 0x43, 0x10, 0x4C, 0x00, 0x00, 0x7E, 0x00, 0xF7], [0xFF],
    ] as [[UInt8]])
  func resets(reset: [UInt8]) throws {
    let presets = [
      SoundFontFixture.Preset("Wave", 0, 0), .init("Other", 0, 5),
      .init("Variation", 8, 5, semitones: 12), .init("Kit", 128, 0, semitones: 24),
    ]
    try folder.write(Data(SoundFontFixture.bytes(presets)), to: "test.sf2")
    func sound(_ before: [(Int, [UInt8])]) throws -> [Float] {
      // The reset is at the start of the second slice.
      let after: [(Int, [UInt8])] = [
        (256, [0xC0, 5]), (512, reset), (768, [0xB0, 32, 8]), (768, [0xC0, 5]),
        (1024, [0x90, 69, 127]),
      ]
      return try render(open(), before + after, frames: 24_000)[0]
    }
    let plain = try sound([])
    // The second byte of a bank chooses in XG alone.
    let wanted: Double = reset.starts(with: [0xF0, 0x43]) ? 882 : 441
    #expect(abs(frequency(plain, rate: 48_000) - wanted) < 2)
    #expect(try sound([(0, [0xB0, 0, 121])]) == plain)
  }

  @Test(
    "Notes beyond the limit of voices use those of the oldest, which fade out, held by a pedal too",
    arguments: ["dls ", "samp"], [false, true])
  func polyphony(subtype: String, isHeld: Bool) throws {
    func sound(voices: Float, notes: Range<Int>) throws -> [Float] {
      let unit = try open(subtype)
      try unit.setParameter(subtype == "samp" ? 904 : 3, voices)
      let pedal: [(Int, [UInt8])] = isHeld ? [(0, [0xB0, 64, 127])] : []
      let keys = notes.map { ($0 * 2400, [0x90, UInt8(60 + $0), 100]) }
      let ends = isHeld ? notes.map { ($0 * 2400 + 1200, [0x80, UInt8(60 + $0), 0]) } : []
      return try render(unit, (pedal + keys + ends).sorted { $0.0 < $1.0 }, frames: 48_000)[0]
    }
    let steps = { (sound: [Float]) in zip(sound.dropFirst(), sound).map { abs($0 - $1) } }
    let all = try sound(voices: 256, notes: 0..<16)
    let four = try sound(voices: 4, notes: 0..<16)
    let last = try sound(voices: 256, notes: 12..<16)
    // The first four are as without a limit, the last four as alone, once the others have faded.
    #expect(four[..<9600] == all[..<9600])
    let difference = zip(four[38_400...], last[38_400...]).map { abs($0 - $1) }.max() ?? 1
    #expect(difference < 1e-5 && peak(last) > 0.01, "\(difference)")
    // Nothing jumps more than the notes do themselves.
    let own = steps(last).max() ?? 0
    #expect((steps(four).max() ?? 1) <= 1.1 * own)
  }

  @Test("No message is lost of more than a slice holds")
  func flood() throws {
    let many = (0..<9000).map { (0, [0xB0, 20, UInt8($0 & 127)] as [UInt8]) }
    let sound = try render(open(), many + [(0, [0x90, 69, 127])], frames: 4800)[0]
    #expect(peak(sound) > 0.02)
  }

  @Test("A loud note yields to many soft ones without a click")
  func crowd() throws {
    var messages: [(Int, [UInt8])] = [(0, [0x90, 69, 127])]
    for index in 0..<320 {
      let frame = 4800 + index * 16
      messages.append((frame, [0x91 + UInt8(index % 8), UInt8(30 + index / 8), 1]))
    }
    let sound = try render(open(), messages, frames: 24_000)[0]
    let steps = zip(sound.dropFirst(), sound).map { abs($0 - $1) }
    #expect((steps[4800...].max() ?? 1) <= 1.2 * (steps[2400..<4800].max() ?? 0))
    let before = peak(Array(sound[2400..<4800]))
    #expect(before > 0.02 && peak(Array(sound[14_400...])) < before / 4)
    let isFinite = sound.allSatisfy(\.isFinite)
    #expect(isFinite)
  }

  @Test("Volume is a gain, one channel is the mean of both, all notes off is silence")
  func levels() throws {
    let note: [(Int, [UInt8])] = [(0, [0x90, 69, 127])]
    let plain = try render(open(), note, frames: 9600)
    let quiet = try open()
    try quiet.setParameter(kMusicDeviceParam_Volume, -20)
    let lower = try render(quiet, note, frames: 9600)[0]
    for frame in stride(from: 4800, to: 9600, by: 7) {
      #expect(abs(lower[frame] - plain[0][frame] / 10) < 1e-6)
    }
    let mono = try render(open(channels: 1), note, frames: 9600, channels: 1)[0]
    #expect(mono == zip(plain[0], plain[1]).map { ($0 + $1) / 2 })
    let ended = try render(open(), note + [(2000, [0xB0, 120, 0])], frames: 48_000)[0]
    #expect(peak(Array(ended.suffix(24_000))) < 1e-4)
  }

  @Test("The instruments of a bank have numbers and names; General MIDI 2 chooses among them")
  func instruments() throws {
    let unit = try open("msyn")
    #expect(try unit.property(kMusicDeviceProperty_InstrumentCount, as: UInt32.self) == 4)
    let numbers = try (0..<4).map {
      try unit.property(kMusicDeviceProperty_InstrumentNumber, element: $0, as: UInt32.self)
    }
    #expect(numbers == [0x79_0000, 0x79_0005, 0x79_0805, 0x78_0000])
    let names = try numbers.map {
      try unit.stringProperty(kMusicDeviceProperty_InstrumentName, element: $0)
    }
    #expect(names == ["Wave", "Other", "Variation", "Kit"])
    #expect(throws: AuricleError.self) {
      try unit.property(kMusicDeviceProperty_InstrumentNumber, element: 4, as: UInt32.self)
    }
    #expect(try unit.stringProperty(kMusicDeviceProperty_BankName) == "test")
    #expect(try unit.property(kMusicDeviceProperty_SupportsStartStopNote, as: UInt32.self) == 1)
    // Its state brings the bank back.
    let state = try unit.property(kAudioUnitProperty_ClassInfo, as: UInt.self)
    let other = try Shipped.open(name: "aumu:msyn:appl")
    try other.setProperty(kAudioUnitProperty_ClassInfo, state)
    #expect(try other.stringProperty(kMusicDeviceProperty_BankName) == "test")
    unsafe UnsafeRawPointer(bitPattern: state).map { unsafe CFRelease($0) }
  }

  @Test(
    "A MIDI synth without a bank is silent; a bank that is missing or broken is refused with its reason"
  )
  func refusals() throws {
    let silent = try Shipped.open(name: "aumu:msyn:appl")
    try silent.initialize()
    let sound = try render(silent, [(0, [0x90, 69, 127])], frames: 4000)
    #expect(sound.allSatisfy { $0.allSatisfy { $0 == 0 } })
    for (file, word) in [
      ("bad.sf2", "no sound bank that can be read"), ("gone.sf2", "there is no sound bank"),
    ] {
      let error = try #require(throws: AuricleError.self) {
        try silent.setText("bank", folder(file))
      }
      #expect(error.category == .badData)
      #expect(
        error.message.contains(word) && error.message.contains(folder(file)), "\(error.message)")
    }
    // It goes on with its present bank.
    _ = try render(silent, [], frames: 100)
    try silent.setText("bank", folder("test.sf2"))
    #expect(peak(try render(silent, [(0, [0x90, 69, 127])], frames: 4000)[0]) > 0.01)
  }
}
