// Parameter changes of the next slice, sorted by frame.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import Glibc
import RealtimeSupport

/// A list of events of fixed capacity, and the ramps in progress. Copies share the memory.
///
/// A host's observer adds events while the render thread is in the unit. Context: render.
@safe struct ScheduledEvents {
  private struct Header {
    var count = 0
    /// The index of the first event that has not begun.
    var next = 0
    /// The index of the first event that began in the current slice.
    var begun = 0
    var activeCount = 0
    /// Ramps in progress at the end of the previous cycle, stored in the place of `active`.
    var carriedCount = 0

    @_noLocks init() {}
  }

  static var capacity: Int { @_noLocks get { 4096 } }
  private let header: UnsafeMutablePointer<Header>
  private let entries: UnsafeMutablePointer<ScheduledEvent>
  /// Ramps in progress, at most one for each parameter.
  private let active: UnsafeMutablePointer<ScheduledEvent>

  /// Allocates; nil without memory. Context: control.
  init?() {
    guard let memory = unsafe plentyOfMemory(for: 2 * Self.capacity, of: ScheduledEvent.self) else {
      return nil
    }
    unsafe header = .allocate(capacity: 1)
    unsafe header.initialize(to: Header())
    unsafe entries = unsafe memory
    unsafe active = memory + Self.capacity
  }

  /// Frees. Context: control.
  func deallocate() {
    unsafe header.deallocate()
    unsafe free(entries)
  }

  var isEmpty: Bool {
    @_noLocks get { unsafe header.pointee.count == 0 && header.pointee.carriedCount == 0 }
  }

  /// Whether there is no event in the next slice.
  var isIdle: Bool {
    @_noLocks get {
      unsafe header.pointee.activeCount == 0 && header.pointee.begun == header.pointee.next
    }
  }

  /// The room for further events.
  var room: Int {
    @_noLocks get { unsafe Self.capacity - header.pointee.count }
  }

  /// Adds an event after those of the same time; requires room.
  @_noLocks func insert(_ event: ScheduledEvent) {
    let count = unsafe header.pointee.count
    guard count < Self.capacity else { return }
    var place = count
    while place > 0, unsafe entries[place - 1].start > event.start {
      unsafe entries[place] = entries[place - 1]
      place -= 1
    }
    unsafe entries[place] = event
    unsafe header.pointee.count = count + 1
  }

  @_noLocks func removeAll() { unsafe header.pointee = Header() }

  /// Removes the events of the last cycle, except ramps in progress at its end.
  @_noLocks func removePlayed() {
    let carried = unsafe header.pointee.carriedCount
    unsafe header.pointee = Header()
    unsafe header.pointee.carriedCount = carried
  }

  /// Applies changes due at a frame and begins the ramps that start there.
  ///
  /// A later event of a parameter ends its ramp in progress. Events that ended before the slice or begin
  /// after it are ignored.
  @_noLocks func begin(_ frame: Int, _ values: ParameterStore) {
    if unsafe header.pointee.carriedCount > 0 {
      unsafe header.pointee.activeCount = header.pointee.carriedCount
      unsafe header.pointee.carriedCount = 0
    }
    unsafe header.pointee.begun = header.pointee.next
    while unsafe header.pointee.next < header.pointee.count {
      let event = unsafe entries[header.pointee.next]
      guard event.start <= frame else { break }
      unsafe header.pointee.next += 1
      if event.start < 0, event.end <= 0 { continue }
      stop(event.index)
      if event.duration == 0 {
        values.setValue(event.endValue, at: Int(event.index))
      } else if unsafe header.pointee.activeCount < Self.capacity {
        unsafe active[header.pointee.activeCount] = event
        unsafe header.pointee.activeCount += 1
      }
    }
    for index in 0..<(unsafe header.pointee.activeCount) {
      let event = unsafe active[index]
      if event.duration > 0 {
        values.setValue(event.value(at: frame), at: Int(event.index))
      }
    }
  }

  /// Returns whether events set a value in the next slice: at its first frame, on a ramp, or at the end of one.
  @_noLocks func isScheduled(_ index: Int) -> Bool {
    for place in 0..<(unsafe header.pointee.activeCount) {
      if unsafe Int(active[place].index) == index { return true }
    }
    var place = unsafe header.pointee.begun
    while unsafe place < header.pointee.next {
      if unsafe Int(entries[place].index) == index, unsafe entries[place].start >= 0 { return true }
      place += 1
    }
    return false
  }

  /// Returns the number of frames from a frame on, at most `limit`, that are rendered with unchanged values.
  ///
  /// - Parameter rampStep: Frames after which ramps have another value, unless the kernel follows them.
  @_noLocks func framesUntilChange(from frame: Int, limit: Int, rampStep: Int) -> Int {
    var length = limit
    if unsafe header.pointee.next < header.pointee.count {
      length = unsafe min(length, Int(entries[header.pointee.next].start) - frame)
    }
    for index in 0..<(unsafe header.pointee.activeCount) {
      let event = unsafe active[index]
      if event.end <= frame { continue }
      length = min(length, event.end - frame)
      if !event.isKernelRamp { length = min(length, rampStep) }
    }
    return length < 1 ? 1 : length
  }

  /// Ends the ramps that are over at a frame; one that ends exactly there is kept for another slice.
  @_noLocks func finish(_ frame: Int, _ values: ParameterStore) {
    var index = 0
    while unsafe index < header.pointee.activeCount {
      let event = unsafe active[index]
      if event.end <= frame, event.duration > 0 {
        values.setValue(event.endValue, at: Int(event.index))
      }
      if event.end < frame {
        remove(index)
      } else {
        index += 1
      }
    }
  }

  /// Sets each parameter with a continuing ramp to its value at the end of the cycle; removes all events
  /// except these ramps.
  @_noLocks func end(_ frameCount: Int, _ values: ParameterStore) {
    var carried = 0
    for index in 0..<(unsafe header.pointee.activeCount) {
      var event = unsafe active[index]
      if event.duration == 0 || event.end < frameCount { continue }
      values.setValue(event.value(at: frameCount), at: Int(event.index))
      // It has no further effect.
      event.start = 0
      event.duration = 0
      unsafe active[carried] = event
      carried += 1
    }
    unsafe header.pointee = Header()
    unsafe header.pointee.carriedCount = carried
  }

  /// Returns the ramp of a value at a frame.
  @_noLocks func ramp(of index: Int, at frame: Int, _ found: inout ScheduledEvent) -> Bool {
    for place in 0..<(unsafe header.pointee.activeCount) {
      let event = unsafe active[place]
      if Int(event.index) == index, frame < event.end {
        found = event
        return true
      }
    }
    return false
  }

  @_noLocks private func stop(_ index: Int32) {
    for place in 0..<(unsafe header.pointee.activeCount) {
      if unsafe active[place].index == index {
        remove(place)
        return
      }
    }
  }

  @_noLocks private func remove(_ place: Int) {
    unsafe header.pointee.activeCount -= 1
    unsafe active[place] = active[header.pointee.activeCount]
  }
}
