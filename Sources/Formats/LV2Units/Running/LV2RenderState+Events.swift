// Messages to and from a plug-in while it renders: MIDI, properties, positions in time.
// SPDX-License-Identifier: Apache-2.0

internal import AuricleSDK
internal import CLilv
internal import ForeignPlugIns
internal import LV2Bundles
internal import RealtimeSupport
internal import Synchronization

extension LV2RenderState {
  /// Copies the events due in `count` frames of a slice to the input buffers.
  ///
  /// - Parameters:
  ///   - start: First of these frames in the slice.
  ///   - position: The same frame in the next run.
  @_noLocks mutating func copyEventsIn(
    _ slice: borrowing RenderSlice, from start: Int, _ count: Int, at position: Int
  ) {
    if start == 0 {
      if events.isPositionDue { writePosition(at: position) }
      if events.patchInput >= 0 {
        let buffer = unsafe atoms.elements[events.patchInput]
        setProperties(slice, buffer, at: position)
      }
      forwardMessages(at: position)
    }
    guard events.midiInput >= 0, slice.midiEventCount > 0 else { return }
    let buffer = unsafe atoms.elements[events.midiInput]
    for index in 0..<slice.midiEventCount {
      let event = slice.midiEvent(index)
      guard event.frame >= start, event.frame < start + count else { continue }
      if let body = unsafe buffer.append(
        frame: position + event.frame - start, type: events.urids.midiEvent,
        size: event.byteCount)
      {
        unsafe auricle_copy(body, event.bytes, event.byteCount)
      }
    }
  }

  /// Sends the MIDI output of the last run for `count` frames from `start` on.
  @_noLocks func copyEventsOut(
    _ slice: borrowing RenderSlice, from start: Int, _ count: Int, at frame: Int
  ) {
    for index in 0..<events.outputs.count {
      let output = unsafe events.outputs.elements[index]
      let buffer = unsafe atoms.elements[output.place]
      guard output.midiOutput >= 0, !buffer.isEmpty else { continue }
      var offset = 0
      while let event = buffer.next(&offset) {
        guard event.type == events.urids.midiEvent, event.size > 0, event.frame >= start,
          event.frame < start + count
        else { continue }
        unsafe slice.sendMIDI(
          output: output.midiOutput, frame: frame + event.frame - start,
          UnsafePointer(event.body.assumingMemoryBound(to: UInt8.self)), count: event.size)
      }
    }
  }

  /// Sends the parameters that are properties and whose values the plug-in does not have yet.
  @_noLocks private func setProperties(
    _ slice: borrowing RenderSlice, _ buffer: LV2AtomBuffer, at position: Int
  ) {
    for index in 0..<events.patches.count {
      let slot = unsafe events.patches.elements + index
      let value = unsafe slice.parameter(slot.pointee.place)
      guard unsafe slot.pointee.isWritable, unsafe value != slot.pointee.known else { continue }
      guard
        let body = unsafe buffer.append(
          frame: position, type: events.urids.object,
          size: LV2ObjectWriter.size(properties: 2))
      else { return }
      var writer = unsafe LV2ObjectWriter(body, type: events.urids.patchSet)
      writer.add(
        events.urids.patchProperty, events.urids.urid,
        int: unsafe Int32(bitPattern: slot.pointee.key))
      writer.add(events.urids.patchValue, unsafe slot.pointee.type, number: value, events.urids)
      unsafe slot.pointee.known = value
    }
  }

  /// Forwards the messages of the control thread, and requests all properties if wanted.
  @_noLocks private mutating func forwardMessages(at position: Int) {
    let headSize = MemoryLayout<LV2MessageHead>.size
    while true {
      if events.waiting.size == 0 {
        guard events.inbox.availableToRead >= headSize,
          unsafe events.inbox.read(into: &events.waiting, count: headSize)
        else { break }
      }
      let size = Int(events.waiting.size)
      let place = events.waiting.place < 0 ? events.patchInput : Int(events.waiting.place)
      // Without room it waits for the next run.
      guard place >= 0, events.inbox.availableToRead >= size,
        let body = unsafe atoms.elements[place].append(
          frame: position, type: events.waiting.type, size: size)
      else { return }
      unsafe _ = events.inbox.read(into: body, count: size)
      events.waiting.size = 0
    }
    guard events.patchInput >= 0, unsafe events.asksForAll.pointee.load(ordering: .relaxed)
    else { return }
    let buffer = unsafe atoms.elements[events.patchInput]
    guard let body = unsafe buffer.append(frame: position, type: events.urids.object, size: 8)
    else { return }
    unsafe _ = LV2ObjectWriter(body, type: events.urids.patchGet)
    unsafe events.asksForAll.pointee.store(false, ordering: .relaxed)
  }

  /// Reads the properties that the last run reported, and its report of another state.
  @_noLocks private func readMessages(_ slice: borrowing RenderSlice) {
    let urids = events.urids
    for index in 0..<events.outputs.count {
      let buffer = unsafe atoms.elements[events.outputs.elements[index].place]
      guard !buffer.isEmpty else { continue }
      var offset = 0
      while let event = buffer.next(&offset) {
        guard event.type == urids.object else { continue }
        let object = unsafe LV2ObjectView(event.body, size: event.size)
        if object.type == urids.stateChanged {
          slice.reportStateChange()
        } else if object.type == urids.patchSet {
          guard let key = object.value(urids.patchProperty)?.urid(urids),
            let value = object.value(urids.patchValue)
          else { continue }
          note(slice, key, value)
        } else if object.type == urids.patchPut {
          guard let body = object.value(urids.patchBody), body.type == urids.object else {
            continue
          }
          let properties = unsafe LV2ObjectView(body.body, size: body.size)
          var place = 0
          while let value = properties.next(&place) { note(slice, value.key, value) }
        }
      }
    }
  }

  /// Copies the messages of the last run for a window; those without room are lost.
  @_noLocks func copyMessagesToWindow() {
    for index in 0..<events.outputs.count {
      let output = unsafe events.outputs.elements[index]
      let buffer = unsafe atoms.elements[output.place]
      guard !buffer.isEmpty else { continue }
      var offset = 0
      while let event = buffer.next(&offset) {
        guard event.size > 0, events.windowBox.availableToWrite >= 12 + event.size else { continue }
        var header = (UInt32(output.port), event.type, UInt32(truncatingIfNeeded: event.size))
        unsafe _ = events.windowBox.write(&header, count: 12)
        unsafe _ = events.windowBox.write(event.body, count: event.size)
      }
    }
  }

  /// Whether a window reads the messages.
  private var isWatched: Bool {
    @_noLocks get {
      unsafe events.outputs.count > 0 && events.isWatched.pointee.load(ordering: .relaxed)
    }
  }

  /// Reads the messages of the last run, for the unit and for its window.
  @_noLocks func receiveMessages(_ slice: borrowing RenderSlice) {
    readMessages(slice)
    if isWatched { copyMessagesToWindow() }
  }

  /// Stores a property's reported value.
  @_noLocks private func note(
    _ slice: borrowing RenderSlice, _ key: UInt32, _ value: LV2ValueView
  ) {
    if let number = value.number(events.urids) {
      for index in 0..<events.patches.count {
        let slot = unsafe events.patches.elements + index
        guard unsafe slot.pointee.key == key, number.isFinite else { continue }
        // A value that a host has set meanwhile is not overwritten: it is sent to the plug-in.
        let isSettled = unsafe slice.parameter(slot.pointee.place) == slot.pointee.known
        if unsafe slot.pointee.isWritable && number != slot.pointee.known {
          slice.reportStateChange()
        }
        unsafe slot.pointee.known = number
        if unsafe isSettled || !slot.pointee.isWritable {
          unsafe slice.setMeter(slot.pointee.place, number)
        }
      }
      return
    }
    guard value.size <= 4096, events.outbox.availableToWrite >= 12 + value.size else { return }
    var header = (key, value.type, UInt32(truncatingIfNeeded: value.size))
    unsafe _ = events.outbox.write(&header, count: 12)
    unsafe _ = events.outbox.write(value.body, count: value.size)
  }
}
