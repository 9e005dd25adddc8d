// Parameter events of the slice to come, sorted by time; nothing is allocated after the start.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// A change of one parameter inside a slice, by its place in the definition.
struct ScheduledEvent {
  /// Frames from the start of the slice at which it begins.
  var start: Int
  /// Frames it lasts: 0 for a change at once.
  var duration: Int
  var index: Int
  var startValue: Float
  var endValue: Float
}

/// A fixed-capacity list of events. Context: render.
@safe struct ScheduledEvents: ~Copyable {
  let capacity: Int
  let entries: UnsafeMutablePointer<ScheduledEvent>
  /// In memory of its own: a host's observer adds events while the render thread is in the unit.
  private let length: UnsafeMutablePointer<Int>

  var count: Int {
    @_noLocks get { unsafe length.pointee }
  }

  init(capacity: Int) {
    self.capacity = capacity
    unsafe entries = .allocate(capacity: capacity)
    unsafe length = .allocate(capacity: 1)
    unsafe length.initialize(to: 0)
  }

  deinit {
    unsafe entries.deallocate()
    unsafe length.deallocate()
  }

  /// Adds an event behind those of the same time; false when there is no room.
  @_noLocks func insert(_ event: ScheduledEvent) -> Bool {
    guard count < capacity else { return false }
    var place = count
    while place > 0, unsafe entries[place - 1].start > event.start {
      unsafe entries[place] = entries[place - 1]
      place -= 1
    }
    unsafe entries[place] = event
    unsafe length.pointee = count + 1
    return true
  }

  @_noLocks func removeAll() { unsafe length.pointee = 0 }

  /// Frames until the next event boundary after `frame`, at most `limit`.
  ///
  /// A ramp in progress is cut every 16 frames so that the kernel follows it.
  @_noLocks func framesUntilChange(from frame: Int, limit: Int) -> Int {
    var length = limit
    for index in 0..<count {
      let event = unsafe entries[index]
      if event.start > frame { length = min(length, event.start - frame) }
      if event.duration > 0, event.start <= frame, frame < event.start + event.duration {
        length = min(min(length, 16), event.start + event.duration - frame)
      }
    }
    return max(1, length)
  }

  /// Value of a ramp at a frame.
  @_noLocks static func value(of event: ScheduledEvent, at frame: Int) -> Float {
    guard event.duration > 0, frame < event.start + event.duration else { return event.endValue }
    let part = Float(frame - event.start) / Float(event.duration)
    return event.startValue + (event.endValue - event.startValue) * part
  }
}
