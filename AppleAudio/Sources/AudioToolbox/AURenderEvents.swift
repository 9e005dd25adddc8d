// Events on their way to a unit's render block: any thread may schedule, the render thread collects.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// An event in memory that does not move, with room for the bytes of a longer message.
struct ScheduledEvent {
  static let byteCount = 320
  static let maximumBytes = 280
}

/// A ring of events with any number of writers and one reader.
final class RenderEventRing: @unchecked Sendable {
  static let capacity = 1024
  private let slots = UnsafeMutableRawPointer.allocate(
    byteCount: RenderEventRing.capacity * ScheduledEvent.byteCount, alignment: 16)
  /// The turn of each slot at which it may be written; one more when it may be read.
  private let turns = UnsafeMutablePointer<Int>.allocate(capacity: RenderEventRing.capacity)
  private let written = Atomic<Int>(0)
  private var read = 0
  /// Copies of events that wait for their cycle, in order of time.
  private let waiting = UnsafeMutableRawPointer.allocate(
    byteCount: RenderEventRing.capacity * ScheduledEvent.byteCount, alignment: 16)
  private let order = UnsafeMutablePointer<Int>.allocate(capacity: RenderEventRing.capacity)
  private let free = UnsafeMutablePointer<Int>.allocate(capacity: RenderEventRing.capacity)
  private var waitingCount = 0
  private var freeCount = RenderEventRing.capacity
  /// Events that the last cycle used, free again at the next.
  private var usedCount = 0

  init() {
    for index in 0..<RenderEventRing.capacity {
      turns[index] = index
      free[index] = index
    }
  }
  deinit {
    slots.deallocate()
    turns.deallocate()
    waiting.deallocate()
    order.deallocate()
    free.deallocate()
  }

  private func turn(_ index: Int) -> UnsafeMutablePointer<Int> { turns + index }

  /// Adds an event that a body writes; false where the ring is full.
  func add(_ body: (UnsafeMutableRawPointer) -> Void) -> Bool {
    var ticket = written.load(ordering: .relaxed)
    while true {
      let slot = ticket % RenderEventRing.capacity
      let difference = atomicLoad(turn(slot)) - ticket
      if difference == 0 {
        let claim = written.weakCompareExchange(
          expected: ticket, desired: ticket + 1, ordering: .relaxed)
        if claim.exchanged {
          let event = slots + slot * ScheduledEvent.byteCount
          event.initializeMemory(as: UInt8.self, repeating: 0, count: ScheduledEvent.byteCount)
          body(event)
          atomicStore(turn(slot), ticket + 1)
          return true
        }
        ticket = claim.original
      } else if difference < 0 {
        return false
      } else {
        ticket = written.load(ordering: .relaxed)
      }
    }
  }

  /// The events of a cycle as a list in order of time; those without a time are at its start, plus their offset. Render thread.
  func collect(from start: AUEventSampleTime, frames: AUAudioFrameCount) -> UnsafePointer<
    AURenderEvent
  >? {
    // The events of the last cycle.
    for index in 0..<usedCount {
      free[freeCount] = order[index]
      freeCount += 1
    }
    waitingCount -= usedCount
    for index in 0..<waitingCount { order[index] = order[index + usedCount] }
    usedCount = 0
    while freeCount > 0, atomicLoad(turn(read % RenderEventRing.capacity)) == read + 1 {
      let slot = read % RenderEventRing.capacity
      freeCount -= 1
      let place = free[freeCount]
      let event = waiting + place * ScheduledEvent.byteCount
      event.copyMemory(
        from: slots + slot * ScheduledEvent.byteCount, byteCount: ScheduledEvent.byteCount)
      atomicStore(turn(slot), read + RenderEventRing.capacity)
      read += 1
      let header = event.assumingMemoryBound(to: AURenderEventHeader.self)
      let immediate = AUEventSampleTimeImmediate
      if header.pointee.eventSampleTime >= immediate,
        header.pointee.eventSampleTime < immediate + 4096
      {
        header.pointee.eventSampleTime = start + header.pointee.eventSampleTime - immediate
      }
      insert(place, header.pointee.eventSampleTime)
    }
    return link(until: start + AUEventSampleTime(frames), from: start)
  }

  private func time(_ index: Int) -> UnsafeMutablePointer<AURenderEventHeader> {
    (waiting + order[index] * ScheduledEvent.byteCount).assumingMemoryBound(
      to: AURenderEventHeader.self)
  }
  private func insert(_ place: Int, _ at: AUEventSampleTime) {
    var index = waitingCount
    while index > 0, time(index - 1).pointee.eventSampleTime > at {
      order[index] = order[index - 1]
      index -= 1
    }
    order[index] = place
    waitingCount += 1
  }
  private func link(until end: AUEventSampleTime, from start: AUEventSampleTime) -> UnsafePointer<
    AURenderEvent
  >? {
    while usedCount < waitingCount, time(usedCount).pointee.eventSampleTime < end { usedCount += 1 }
    for index in 0..<usedCount {
      let header = time(index)
      header.pointee.eventSampleTime = Swift.max(header.pointee.eventSampleTime, start)
      header.pointee.next =
        index + 1 < usedCount
        ? UnsafeMutableRawPointer(time(index + 1)).assumingMemoryBound(to: AURenderEvent.self) : nil
    }
    return usedCount == 0
      ? nil : UnsafeRawPointer(time(0)).assumingMemoryBound(to: AURenderEvent.self)
  }
}

/// Reads a turn that another thread wrote.
private func atomicLoad(_ place: UnsafeMutablePointer<Int>) -> Int {
  UnsafeMutableRawPointer(place).assumingMemoryBound(to: Atomic<Int>.self).pointee.load(
    ordering: .acquiring)
}
/// Writes a turn for another thread.
private func atomicStore(_ place: UnsafeMutablePointer<Int>, _ value: Int) {
  UnsafeMutableRawPointer(place).assumingMemoryBound(to: Atomic<Int>.self).pointee.store(
    value, ordering: .releasing)
}

extension RenderEventRing {
  /// Adds a parameter's value, with a ramp to it where there are frames for one.
  func addParameter(
    _ time: AUEventSampleTime, _ ramp: AUAudioFrameCount, _ address: AUParameterAddress,
    _ value: AUValue
  ) -> Bool {
    add { memory in
      let event = memory.assumingMemoryBound(to: AUParameterEvent.self)
      event.pointee.eventSampleTime = time
      event.pointee.eventType = ramp > 0 ? .parameterRamp : .parameter
      event.pointee.rampDurationSampleFrames = ramp
      event.pointee.parameterAddress = address
      event.pointee.value = value
    }
  }
  /// Adds bytes of MIDI; false where they are too many or the ring is full.
  func addMIDI(
    _ time: AUEventSampleTime, _ cable: UInt8, _ length: Int, _ bytes: UnsafePointer<UInt8>
  ) -> Bool {
    guard length > 0, length <= ScheduledEvent.maximumBytes else { return false }
    return add { memory in
      let event = memory.assumingMemoryBound(to: AUMIDIEvent.self)
      event.pointee.eventSampleTime = time
      event.pointee.eventType = bytes[0] == 0xF0 ? .midiSysEx : .MIDI
      event.pointee.length = UInt16(length)
      event.pointee.cable = cable
      if let offset = MemoryLayout<AUMIDIEvent>.offset(of: \AUMIDIEvent.data) {
        (memory + offset).copyMemory(from: bytes, byteCount: length)
      }
    }
  }
}
