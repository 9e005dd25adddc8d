// Applies MIDI mappings in a render cycle.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import RealtimeSupport
import Synchronization

extension RenderState {
  /// Converts mapped messages of the cycle to parameter changes at their frames.
  @_noLocks func applyMappings(_ frameCount: Int) {
    guard let midi = midiInput?.events,
      let list = unsafe mappings.load(ordering: .acquiring)
    else { return }
    for index in 0..<midi.firstIndex(from: frameCount) {
      let event = midi.entry(index)
      guard event.byteCount == 2 || event.byteCount == 3 else { continue }
      let bytes = unsafe midi.bytes(of: event)
      let status = unsafe bytes[0]
      guard status >= 0x80, status < 0xF0 else { continue }
      let data1 = unsafe bytes[1]
      let data2: UInt8 = event.byteCount == 3 ? unsafe bytes[2] : 0
      // A note off is not learned.
      if unsafe list.pointee.learns, status & 0xF0 != 0x80,
        unsafe list.pointee.learnt.load(ordering: .relaxed) == 0
      {
        unsafe list.pointee.learnt.store(
          0x10000 | UInt32(status) << 8 | UInt32(data1), ordering: .releasing)
      }
      let position = MIDIMappingEntry.position(status, data1, data2)
      for place in 0..<(unsafe list.pointee.count) {
        let entry = unsafe MIDIMappingList.entry(list, place)
        guard entry.matches(status, data1) else { continue }
        let value = entry.value(position, present: values.value(at: entry.index))
        events.insert(
          ScheduledEvent(
            start: Int32(event.frame), duration: 0, index: Int32(entry.index), isKernelRamp: false,
            startValue: value, endValue: value))
      }
    }
  }
}
