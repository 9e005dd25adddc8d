// The large memory that a unit allocates when it is made, by a call that reports a lack of memory.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import Glibc

/// Memory for so many values, not initialised; nil where there is none. Freed by `free`.
///
/// Context: control.
func plentyOfMemory<Value: BitwiseCopyable>(
  for count: Int, of type: Value.Type
) -> UnsafeMutablePointer<Value>? {
  unsafe malloc(max(count, 1) * MemoryLayout<Value>.stride)?.bindMemory(
    to: Value.self, capacity: max(count, 1))
}

/// Lists of events of one unit. Context: control.
struct UnitMemory {
  let events: ScheduledEvents
  /// Nil for a unit that receives no MIDI.
  let midiInput: MIDIInput?
  /// Nil for a unit that sends no MIDI.
  let midiOutput: MIDIOutput?

  /// Allocates; nil where there is no memory.
  init?(acceptsMIDI: Bool, midiOutputCount: Int) {
    guard let events = ScheduledEvents() else { return nil }
    let input = acceptsMIDI ? MIDIInput() : nil
    let output = midiOutputCount > 0 ? MIDIOutput(outputCount: midiOutputCount) : nil
    guard (input != nil) == acceptsMIDI, (output != nil) == (midiOutputCount > 0) else {
      events.deallocate()
      input?.deallocate()
      output?.deallocate()
      return nil
    }
    self.events = events
    midiInput = input
    midiOutput = output
  }
}

/// The interface of a unit for which there is no memory: Open says so.
///
/// It is never freed, as nobody owns it.
@safe enum LackOfMemory {
  nonisolated(unsafe) static let interface = {
    let made = UnsafeMutablePointer<AudioComponentPlugInInterface>.allocate(capacity: 1)
    unsafe made.initialize(
      to: AudioComponentPlugInInterface(
        Open: { _, _ in kAudio_MemFullError }, Close: { _ in 0 }, Lookup: { _ in nil },
        reserved: nil))
    return unsafe made
  }()
}
