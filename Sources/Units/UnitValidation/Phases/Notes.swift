// Notes: units that must accept them, units that must not, and rendering while they come.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox

extension UnitValidation {
  /// Checks that only instruments accept notes.
  func checkNotes() {
    for (selector, name) in [
      (kMusicDeviceMIDIEventSelect, "MIDIEvent"), (kMusicDeviceSysExSelect, "SysEx"),
    ] {
      let answers = unit.implements(Int16(selector))
      if acceptsNotes, type != kAudioUnitType_MIDIProcessor {
        expect(answers, .notesAnswer, "a unit of its type must answer \(name)")
      }
      if type == kAudioUnitType_Effect {
        expect(!answers, .notesRefuse, "an effect must not answer \(name)")
      }
    }
    checkMIDIOutputs()
  }

  /// Outputs for MIDI have names.
  private func checkMIDIOutputs() {
    guard
      let names = unsafe try? unit.property(
        kAudioUnitProperty_MIDIOutputCallbackInfo, initial: nil as CFArrayRef?)
    else { return }
    defer { unsafe CFRelease(UnsafeRawPointer(names)) }
    for index in 0..<(unsafe CFArrayGetCount(names)) {
      let name = unsafe CFArrayGetValueAtIndex(names, index).map { CFStringRef($0) }
      let isText = unsafe name.map {
        unsafe CFGetTypeID(UnsafeRawPointer($0)) == CFStringGetTypeID() && CFStringGetLength($0) > 0
      }
      expect(isText == true, .midiOutputs, "MIDI output \(index) has no name")
    }
  }

  /// Whether it accepts notes, and works as well with them.
  var playsNotes: Bool { acceptsNotes && !isBroken(.notesSound) && !isBroken(.notesStatus) }

  /// Begins a note with the next slice, where the unit plays any.
  func startNote(_ player: ValidationPlayer) {
    if playsNotes { _ = player.send(0x90, 60, 100, at: 0) }
  }

  /// Notes that begin and end within slices do no harm, nor do other messages.
  func checkPlaying() throws(AuricleError) {
    guard acceptsNotes else { return }
    let player = ValidationPlayer(unit)
    try player.begin()
    let messages: [(UInt32, UInt32, UInt32)] = [
      (0x90, 60, 100), (0x90, 127, 127), (0x90, 0, 1), (0xE0, 0, 127), (0xE0, 127, 0),
      (0xB0, 1, 127),
      (0xB0, 64, 127), (0xD0, 127, 0), (0xA0, 60, 64), (0xC0, 5, 0), (0x80, 60, 64), (0x80, 127, 0),
      (0x90, 0, 0), (0xB0, 64, 0), (0xB0, 123, 0),
    ]
    for (place, message) in messages.enumerated() {
      let offset = UInt32(place * 37 % 512)
      guard let sent = player.send(message.0, message.1, message.2, at: offset) else { return }
      let text = "MIDI \(message.0) \(message.1) \(message.2)"
      let seen: [UnitFault.Evidence] = [.count("offset", Int(offset)), .count("status", Int(sent))]
      guard expect(sent == 0, .notesStatus, "\(text) gave the error \(sent)", seen) else { return }
      let (status, defect) = player.slice(512)
      // A unit without outputs has none that could be rendered.
      let isSilent = !canRender && status == kAudioUnitErr_InvalidElement
      guard
        expect(
          status == 0 || isSilent, .notesStatus, "a slice with \(text) gave the error \(status)",
          seen)
      else { return }
      if let defect {
        return note(defect, .notesSound, "a slice with \(text)")
      }
    }
  }
}
