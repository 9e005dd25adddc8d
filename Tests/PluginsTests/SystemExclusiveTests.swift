// GS, XG and universal messages for units that play banks and sounds.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import Foundation
import TestSupport
import Testing

@Suite("System exclusive messages") struct SystemExclusiveTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder("auricle-exclusive")
    let presets = [
      SoundFontFixture.Preset("Wave", 0, 0), .init("Variation", 8, 0, semitones: 7),
      .init("Kit", 128, 0, semitones: 12),
    ]
    try folder.write(Data(SoundFontFixture.bytes(presets)), to: "test.sf2")
  }

  private typealias Message = (frame: Int, bytes: [UInt8])

  /// The units that play, with the bank or with their own sine.
  private func open(_ subtype: String, bank: String? = "test.sf2") throws -> AudioUnit {
    let unit = try Shipped.open(name: "aumu:\(subtype):appl")
    if let bank { try unit.setText("bank", folder(bank)) }
    if subtype != "samp" {
      try unit.setProperty(kMusicDeviceProperty_UsesInternalReverb, UInt32(0))
    }
    try unit.setStreamFormat(
      AudioStreamFormat(sampleRate: 48_000, channelCount: 2), scope: kAudioUnitScope_Output)
    try unit.initialize()
    return unit
  }

  private func render(_ unit: AudioUnit, _ messages: [Message], frames: Int = 24_000) throws
    -> [[Float]]
  {
    try renderInSlices(unit, frames: frames, channels: 2, slices: [480]) { slice in
      for message in messages where slice.contains(message.frame) {
        if message.bytes.count > 3 {
          try unit.sendSystemExclusive(message.bytes)
        } else {
          try unit.sendMIDI(
            status: message.bytes[0], message.bytes[1],
            message.bytes.count > 2 ? message.bytes[2] : 0,
            atFrame: message.frame - slice.lowerBound)
        }
      }
    }
  }

  private func frequency(_ samples: [Float]) -> Double {
    let part = Array(samples.suffix(samples.count / 2))
    let crossings = part.indices.dropFirst().filter { part[$0 - 1] < 0 && part[$0] >= 0 }
    guard let first = crossings.first, let last = crossings.last, crossings.count > 2 else {
      return 0
    }
    return Double(crossings.count - 1) * 48_000 / Double(last - first)
  }

  /// A data set of GS for any device.
  private func gs(_ address: [UInt8], _ data: [UInt8], device: UInt8 = 0x10) -> [UInt8] {
    let sum = (address + data).reduce(0) { $0 + Int($1) }
    return [0xF0, 0x41, device, 0x42, 0x12] + address + data
      + [UInt8((128 - sum % 128) % 128), 0xF7]
  }

  private func xg(_ address: [UInt8], _ data: [UInt8], device: UInt8 = 0) -> [UInt8] {
    [0xF0, 0x43, 0x10 | device, 0x4C] + address + data + [0xF7]
  }

  private func universal(_ kind: UInt8, _ value: Int, device: UInt8 = 0x7F) -> [UInt8] {
    [0xF0, 0x7F, device, 0x04, kind, UInt8(value & 0x7F), UInt8(value >> 7), 0xF7]
  }

  private func cents(_ a: Double, _ b: Double) -> Double { 1200 * log2(a / b) }

  @Test("Rhythm parts of GS and XG go both ways, whatever the number of the device")
  func rhythm() throws {
    for subtype in ["dls ", "msyn"] {
      for device: UInt8 in [0x00, 0x10, 0x1F, 0x7F] {
        // Channel 11 becomes drums, an octave higher here; channel 10 melodic.
        let drums = try render(
          open(subtype),
          [
            (0, gs([0x40, 0, 0x7F], [0], device: device)),
            (480, gs([0x40, 0x1A, 0x15], [1], device: device)), (960, [0x9A, 69, 127]),
          ])[0]
        #expect(abs(frequency(drums) - 882) < 2, "\(subtype) \(device)")
        let melody = try render(
          open(subtype),
          [(480, gs([0x40, 0x10, 0x15], [0], device: device)), (960, [0x99, 69, 127])])[0]
        #expect(abs(frequency(melody) - 441) < 2, "\(subtype) \(device)")
      }
    }
    let on = xg([0, 0, 0x7E], [0], device: 3)
    for messages: [Message] in [
      [(480, [0xB3, 0, 127]), (480, [0xC3, 0])], [(480, xg([8, 3, 7], [1]))],
    ] {
      let drums = try render(open("dls "), [(0, on)] + messages + [(960, [0x93, 69, 127])])[0]
      #expect(abs(frequency(drums) - 882) < 2)
    }
    // The first byte of a bank makes channel 10 melodic in XG.
    let tenth = try render(
      open("dls "), [(0, on), (480, [0xB9, 0, 0]), (480, [0xC9, 0]), (960, [0x99, 69, 127])])[0]
    #expect(abs(frequency(tenth) - 441) < 2)
    // A bank of General MIDI 2 has its variations, behind its own reset too.
    for reset: [Message] in [[], [(0, [0xF0, 0x7E, 0x7F, 0x09, 0x03, 0xF7])]] {
      let chosen: [Message] = [(480, [0xB9, 0, 121]), (480, [0xB9, 32, 8]), (480, [0xC9, 0])]
      let sound = try render(open("dls "), reset + chosen + [(960, [0x99, 69, 127])])[0]
      #expect(abs(cents(frequency(sound), 441) - 700) < 10)
    }
    // Without the mode of XG, too; and a bank of melodies ends it.
    let plain: [Message] = [(0, [0xB3, 0, 127]), (0, [0xC3, 0])]
    #expect(
      try abs(frequency(render(open("dls "), plain + [(960, [0x93, 69, 127])])[0]) - 882) < 2)
    let back: [Message] = [(480, [0xB3, 0, 8]), (480, [0xC3, 0]), (960, [0x93, 69, 127])]
    let varied = try render(open("dls "), plain + back)[0]
    #expect(abs(cents(frequency(varied), 441) - 700) < 10)
  }

  @Test("Master volume and balance, universal, of GS and of XG, act on banks and on sounds")
  func levels() throws {
    let quarter: [[UInt8]] = [
      universal(1, 0x20 << 7), universal(1, 0x20 << 7, device: 5),
      gs([0x40, 0, 4], [32], device: 1),
      xg([0, 0, 4], [32]),
    ]
    for (subtype, bank) in [
      ("dls ", "test.sf2"), ("msyn", "test.sf2"), ("samp", "test.sf2"), ("samp", nil),
    ] {
      let plain = try peak(render(open(subtype, bank: bank), [(960, [0x90, 69, 127])])[0])
      for message in quarter {
        let soft = try peak(
          render(open(subtype, bank: bank), [(0, message), (960, [0x90, 69, 127])])[0])
        let wanted = message[1] == 0x7F ? -24.08 : -23.95
        #expect(abs(decibels(soft / plain) - wanted) < 0.2, "\(subtype) \(message)")
      }
      let sides = try render(
        open(subtype, bank: bank), [(0, universal(2, 0)), (960, [0x90, 69, 127])])
      #expect(peak(sides[1]) < 1e-5 && abs(decibels(peak(sides[0]) / plain)) < 0.1, "\(subtype)")
    }
  }

  @Test("Fine and coarse tuning of everything, of parts, and of scales; drums keep their pitch")
  func tunings() throws {
    let cases: [(bytes: [UInt8], cents: Double)] = [
      (universal(3, 8192 + 4096), 50), (universal(3, 0, device: 9), -100),
      (universal(4, (64 + 5) << 7), 500), (gs([0x40, 0, 0], [0, 4, 15, 4]), 24.4),
      (gs([0x40, 0, 5], [0x34], device: 2), -1200), (gs([0x40, 0x11, 0x16], [0x4C]), 1200),
      (gs([0x40, 0x11, 0x40], [UInt8](repeating: 64, count: 9) + [94, 64, 64]), 30),
      (xg([0, 0, 6], [0x4C]), 1200), (xg([0, 0, 0], [0, 3, 14, 8]), -2.4),
    ]
    for (bytes, wanted) in cases {
      let sound = try render(open("dls "), [(0, bytes), (960, [0x90, 69, 127])])[0]
      #expect(abs(cents(frequency(sound), 441) - wanted) < 3, "\(bytes)")
    }
    for bank in ["test.sf2", nil] {
      let sound = try render(
        open("samp", bank: bank), [(0, universal(4, (64 - 12) << 7)), (960, [0x90, 69, 127])])[0]
      #expect(abs(cents(frequency(sound), 441) + 1200) < 3)
    }
    let drums = try render(
      open("dls "), [(0, universal(4, (64 + 5) << 7)), (960, [0x99, 69, 127])])[0]
    #expect(abs(frequency(drums) - 882) < 2)
    // A reset ends it.
    let reset = try render(
      open("dls "),
      [(0, universal(4, (64 + 5) << 7)), (480, gs([0x40, 0, 0x7F], [0])), (960, [0x90, 69, 127])])[
        0]
    #expect(abs(frequency(reset) - 441) < 2)
  }

  @Test("The range of the wheel has cents, and fine tuning of a channel both of its bytes")
  func parameters() throws {
    func chosen(_ number: UInt8, _ data: [(UInt8, UInt8)]) -> [Message] {
      [(0, [0xB0, 101, 0]), (0, [0xB0, 100, number])] + data.map { (0, [0xB0, $0.0, $0.1]) }
    }
    let note: [Message] = [(0, [0xE0, 127, 127]), (960, [0x90, 69, 127])]
    for (subtype, bank) in [
      ("dls ", "test.sf2"), ("msyn", "test.sf2"), ("samp", "test.sf2"), ("samp", nil),
    ] {
      for (semitones, part) in [(0, 50), (2, 50), (1, 25), (12, 0), (12, 50)] {
        let range = chosen(0, [(6, UInt8(semitones)), (38, UInt8(part))])
        let sound = try render(open(subtype, bank: bank), range + note)[0]
        let wanted = Double(100 * semitones + part)
        #expect(
          abs(cents(frequency(sound), 441) - wanted) < 1.6, "\(subtype) \(semitones) \(part)")
      }
      // Without a range two semitones, of which FluidSynth is a cent short, also behind a reset.
      for reset: [Message] in [[], [(0, [0xFF, 0])], [(0, [0xB0, 121, 0])]] {
        let low = try render(
          open(subtype, bank: bank), reset + [(480, [0xE0, 0, 0]), (960, [0x90, 69, 127])])[0]
        #expect(abs(cents(frequency(low), 441) + 200) < 1.5, "\(subtype)")
      }
      let tuned = try render(
        open(subtype, bank: bank), chosen(1, [(6, 64), (38, 64)]) + [(960, [0x90, 69, 127])])[0]
      #expect(abs(cents(frequency(tuned), 441) - 0.78) < 0.5, "\(subtype)")
    }
  }

  @Test("All notes off, all sound off and the messages of a channel's mode end all sound")
  func silence() throws {
    for (subtype, bank) in [
      ("dls ", "test.sf2"), ("msyn", "test.sf2"), ("samp", "test.sf2"), ("samp", nil),
    ] {
      for number: UInt8 in [120, 123, 124, 125, 126, 127] {
        let sound = try render(
          open(subtype, bank: bank), [(0, [0x90, 69, 127]), (9600, [0xB0, number, 0])])[0]
        #expect(peak(Array(sound[4800..<9600])) > 0.01, "\(subtype) \(number)")
        #expect(peak(Array(sound.suffix(4800))) < 1e-4, "\(subtype) \(number)")
      }
      let held = try render(
        open(subtype, bank: bank),
        [(0, [0x90, 69, 127]), (480, [0xB0, 64, 127]), (9600, [0xB0, 120, 0])])[0]
      #expect(peak(Array(held.suffix(4800))) < 1e-4, "\(subtype)")
    }
  }
}
