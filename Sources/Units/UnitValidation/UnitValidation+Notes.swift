// Notes: who must take them, who must not, and rendering while they come.
// SPDX-License-Identifier: Apache-2.0

import AudioUnits
import CAudioToolbox

extension UnitValidation {
  /// Who is no instrument does not take notes.
  mutating func checkNotes() {
    for (selector, name) in [
      (kMusicDeviceMIDIEventSelect, "MIDIEvent"), (kMusicDeviceSysExSelect, "SysEx"),
    ] {
      let answers = unit.implements(Int16(selector))
      if takesNotes, type != kAudioUnitType_MIDIProcessor {
        expect(answers, "notes", "a unit of its type must answer \(name)")
      }
      if type == kAudioUnitType_Effect {
        expect(!answers, "notes", "an effect must not answer \(name)")
      }
    }
  }

  /// Notes that begin and end within slices do no harm. The unit is initialised, for slices of 512.
  mutating func checkPlaying(from time: Int) {
    guard takesNotes, let plugIn = unsafe unit.instance.pointee.plugIn,
      let method = unsafe plugIn.pointee.Lookup?(Int16(kMusicDeviceMIDIEventSelect))
    else { return }
    let send = unsafe unsafeBitCast(method, to: MusicDeviceMIDIEventProc.self)
    for (slice, status) in [0x90, 0x80, 0x90, 0xB0].enumerated() as EnumeratedSequence<[UInt32]> {
      let controllerOfAllNotesOff: UInt32 = 123
      let first = status == 0xB0 ? controllerOfAllNotesOff : 60
      let sent = unsafe send(UnsafeMutableRawPointer(plugIn), status, first, 100, 100)
      expect(sent == 0, "notes", "message \(status) gave the error \(sent)")
      let (rendered, isFinite) = render(512, at: time + 512 * slice)
      expect(rendered == 0, "notes", "a slice with a note gave the error \(rendered)")
      expect(isFinite, "notes", "a slice with a note has samples that are no finite numbers")
    }
  }
}
