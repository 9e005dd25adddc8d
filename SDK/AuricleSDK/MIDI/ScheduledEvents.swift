// Parameter changes of the slice to come: sorted by frame, played frame by frame.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import Glibc
import RealtimeSupport

/// A list of events of fixed capacity, and which ramps are in progress. Copies share the memory.
///
/// A host's observer adds events while the render thread is in the unit. Context: render.
@safe struct ScheduledEvents {
  private struct Header {
    var count = 0
    /// Events that have not begun yet start here.
    var next = 0
    /// Those that began with the present slice start here.
    var begun = 0
    var activeCount = 0
    /// Ramps that were in force at the end of the cycle before, in the place of those in progress.
    var carriedCount = 0

    @_noLocks init() {}
  }

  static var capacity: Int { @_noLocks get { 4096 } }
  private let header: UnsafeMutablePointer<Header>
  private let entries: UnsafeMutablePointer<ScheduledEvent>
  /// Ramps in progress, at most one a parameter.
  private let active: UnsafeMutablePointer<ScheduledEvent>

  /// Allocates; nil where there is no memory. Context: control.
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

  /// Whether no event is in force in the slice that begins.
  var isIdle: Bool {
    @_noLocks get {
      unsafe header.pointee.activeCount == 0 && header.pointee.begun == header.pointee.next
    }
  }

  /// How many more events there is room for.
  var room: Int {
    @_noLocks get { unsafe Self.capacity - header.pointee.count }
  }

  /// Adds an event behind those of the same time; only where there is room.
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

  /// Forgets what was for a cycle that is over; which ramps it ended on stays known.
  @_noLocks func removePlayed() {
    let carried = unsafe header.pointee.carriedCount
    unsafe header.pointee = Header()
    unsafe header.pointee.carriedCount = carried
  }

  /// Sets what is due at a frame and begins the ramps that start there.
  ///
  /// A later event of a parameter ends a ramp of it that is in progress. What was over before the
  /// slice is left out, as is, in the end, what begins after it.
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

  /// Whether a value is where events put it in the slice that begins: changed at its first frame, on
  /// a ramp, or at the end of one.
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

  /// Frames from a frame on, at most `limit`, that are rendered with the values as they are.
  ///
  /// - Parameter granularity: Frames after which a ramp is followed, unless the kernel does.
  @_noLocks func framesUntilChange(from frame: Int, limit: Int, granularity: Int) -> Int {
    var length = limit
    if unsafe header.pointee.next < header.pointee.count {
      length = unsafe min(length, Int(entries[header.pointee.next].start) - frame)
    }
    for index in 0..<(unsafe header.pointee.activeCount) {
      let event = unsafe active[index]
      if event.end <= frame { continue }
      length = min(length, event.end - frame)
      if !event.isKernelRamp { length = min(length, granularity) }
    }
    return length < 1 ? 1 : length
  }

  /// Ends the ramps that are over at a frame; one that ends right there is known for a slice more.
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

  /// Leaves each parameter whose ramp goes on where it is at the end of the cycle; forgets all but
  /// which ramps those are.
  @_noLocks func end(_ frameCount: Int, _ values: ParameterStore) {
    var carried = 0
    for index in 0..<(unsafe header.pointee.activeCount) {
      var event = unsafe active[index]
      if event.duration == 0 || event.end < frameCount { continue }
      values.setValue(event.value(at: frameCount), at: Int(event.index))
      // From now on it sets nothing.
      event.start = 0
      event.duration = 0
      unsafe active[carried] = event
      carried += 1
    }
    unsafe header.pointee = Header()
    unsafe header.pointee.carriedCount = carried
  }

  /// The ramp of a value that is in progress at a frame.
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
