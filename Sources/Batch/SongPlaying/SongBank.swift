// The sound bank of an instrument: how it is set, and which of a song's programs it has.
// SPDX-License-Identifier: Apache-2.0

import AudioUnits
import CAudioToolbox
package import ChainPresets
import MIDIFiles

extension ChainPreset {
  /// Makes the first instrument play another bank.
  package mutating func setBank(_ path: String) {
    func set(_ entry: inout UnitEntry) {
      entry.parameters.removeAll { $0.name.value == "bank" }
      entry.parameters.append(ParameterSetting(name: Located("bank"), value: Located(path)))
    }
    if !instruments.isEmpty {
      set(&instruments[0].unit)
    } else if case .unit(var entry)? = entries.first {
      set(&entry)
      entries[0] = .unit(entry)
    }
  }
}

/// The presets of a bank, by the numbers that a song calls them by.
struct SongBank {
  /// A number: bank 128 holds drums.
  struct Number: Hashable {
    var bank: Int
    var program: Int

    var text: String { bank == 128 ? "drums \(program)" : "\(bank):\(program)" }
  }

  private let name: String
  private let presets: [Number: String]

  /// Asks a unit; nil for one that lists no instruments.
  ///
  /// Context: control. The properties are those of Core Audio's music devices.
  init?(_ unit: AudioUnit) {
    let count =
      (try? unit.property(kMusicDeviceProperty_InstrumentCount, as: UInt32.self)) ?? 0
    var found: [Number: String] = [:]
    for index in 0..<min(count, 65_536) {
      guard
        let code = try? unit.property(
          kMusicDeviceProperty_InstrumentNumber, element: index, as: UInt32.self)
      else { continue }
      let isDrums = code >> 16 == UInt32(kAUSampler_DefaultPercussionBankMSB)
      let number = Number(bank: isDrums ? 128 : Int(code >> 8 & 0xFF), program: Int(code & 0x7F))
      found[number] =
        (try? unit.stringProperty(kMusicDeviceProperty_InstrumentName, element: code)) ?? ""
    }
    guard !found.isEmpty else { return nil }
    presets = found
    name = (try? unit.stringProperty(kMusicDeviceProperty_BankName)) ?? unit.name
  }

  /// The notes on programs that notes are played with and that the bank does not have, with their replacements.
  func notes(of events: [SongEvents.Entry]) -> [String] {
    var banks = [Int](repeating: 0, count: 16)
    var programs = [Int](repeating: 0, count: 16)
    var asked: [Number] = []
    for event in events {
      guard case .channel(let status, let first, let second) = event.message else { continue }
      let channel = Int(status & 0xF)
      switch status >> 4 {
      case 0xB where first == 0:
        banks[channel] = second == 121 ? 0 : second == 120 ? 128 : Int(second)
      case 0xC: programs[channel] = Int(first)
      case 0x9 where second > 0:
        let isDrums = channel == 9 || banks[channel] == 128
        let number = Number(bank: isDrums ? 128 : banks[channel], program: programs[channel])
        if presets[number] == nil, !asked.contains(number) { asked.append(number) }
      default: break
      }
    }
    return asked.prefix(16).map { number in
      guard let other = substitute(for: number), let title = presets[other] else {
        return
          "the bank \(name) has no preset \(number.text), and nothing like it: its notes are silent"
      }
      return "the bank \(name) has no preset \(number.text): \(other.text) \(title) is played"
    }
  }

  /// The preset that is played where one is missing: of drums the first kit, else the same program of bank 0.
  private func substitute(for number: Number) -> Number? {
    let choices =
      number.bank == 128
      ? [Number(bank: 128, program: 0)]
      : [Number(bank: 0, program: number.program), Number(bank: 0, program: 0)]
    return choices.first { presets[$0] != nil }
  }
}
