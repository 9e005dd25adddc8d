// The parameters of an instance, as its render thread has them.
// SPDX-License-Identifier: Apache-2.0

internal import AuricleSDK
internal import CForeignPlugIns
internal import ForeignPlugIns
internal import RealtimeSupport

/// A parameter on the render thread.
struct CLAPSlot: BitwiseCopyable {
  var id: UInt32
  /// The mark by which the plug-in finds the parameter faster; 0 for none.
  var cookie: UInt
  /// A value of the plug-in, exact and as the SDK has it: the one is sent for the other.
  var exact: Double
  var published: Float
  /// The value that the plug-in is known to have.
  var known: Float
  var isMeter: Bool
  /// The ramp that it is on, and the place of the next one that is on one; negative for none.
  var ramp: ParameterRamp?
  var nextRamp = -1
}

/// A parameter as the main thread has read it, on its way to the render thread.
struct CLAPReading: BitwiseCopyable {
  var place: Int
  var value: Double
  /// The mark of the parameter; nil where only its value was read.
  var cookie: UInt?
}

/// The parameters of one instance.
@safe struct CLAPSlots {
  /// The values that the host sets and reads.
  let values: ParameterStore
  let table: RenderTable<CLAPSlot>
  /// The readings of the main thread.
  let readings: SPSCRingConsumer
  /// The place of the first parameter that is on a ramp; negative for none.
  private var firstRamp = -1

  init(
    _ parameters: [CLAPParameter], known: [UInt32: Double], cookies: [UInt32: UInt],
    values: ParameterStore, readings: SPSCRingConsumer
  ) {
    self.values = values
    self.readings = readings
    table = RenderTable(
      parameters.map { parameter in
        CLAPSlot(
          id: parameter.id, cookie: cookies[parameter.id] ?? 0, exact: parameter.initialValue,
          published: parameter.definition(clumpID: 0).defaultValue,
          known: Float(known[parameter.id] ?? parameter.initialValue), isMeter: parameter.isMeter)
      })
  }

  /// Receives the readings of the main thread. Context: render.
  @_noLocks func receive() {
    var reading = CLAPReading(place: 0, value: 0, cookie: nil)
    while readings.pop(&reading) {
      guard reading.place < table.count else { continue }
      let slot = unsafe table.elements + reading.place
      if let cookie = reading.cookie { unsafe slot.pointee.cookie = cookie }
      unsafe note(reading.value, slot)
    }
  }

  /// Adds events for the values that the plug-in does not have yet.
  ///
  /// Values of a slice that the host did not schedule are live, as of a knob that is turned. Context: render.
  @_noLocks @inline(never) func send(
    _ run: UnsafeMutablePointer<AuricleCLAPRun>, in slice: RenderSlice? = nil
  ) {
    for place in 0..<table.count {
      let slot = unsafe table.elements + place
      let value = values.value(at: place)
      guard unsafe value != slot.pointee.known, unsafe !slot.pointee.isMeter else { continue }
      var isLive = false
      if let slice { isLive = !slice.parameterIsScheduled(place) }
      unsafe add(value, at: 0, isLive: isLive, slot, run)
    }
  }

  /// Whether the plug-in lacks values of the host. Context: control, while nothing renders.
  var lacksValues: Bool {
    (0..<table.count).contains { place in
      let slot = unsafe table.elements[place]
      return !slot.isMeter && slot.known != values.value(at: place)
    }
  }

  /// Notes the values that the plug-in has. Context: control, while nothing renders.
  func know(_ known: [UInt32: Double]) {
    for place in 0..<table.count {
      let slot = unsafe table.elements + place
      if let value = unsafe known[slot.pointee.id] { unsafe slot.pointee.known = Float(value) }
    }
  }

  /// Finds the ramps that parameters are on in a slice; their number. Context: render.
  @_noLocks @inline(never) mutating func findRamps(_ slice: borrowing RenderSlice) -> Int {
    firstRamp = -1
    var count = 0
    for place in 0..<table.count {
      let slot = unsafe table.elements + place
      guard unsafe !slot.pointee.isMeter, let ramp = slice.parameterRamp(place) else { continue }
      unsafe slot.pointee.ramp = ramp
      unsafe slot.pointee.nextRamp = firstRamp
      firstRamp = place
      count += 1
    }
    return count
  }

  /// Adds events for the values that ramps have at a frame. Context: render.
  @_noLocks func sendRamps(at frame: Int, _ run: UnsafeMutablePointer<AuricleCLAPRun>) {
    var place = firstRamp
    while place >= 0 {
      let slot = unsafe table.elements + place
      if let value = unsafe slot.pointee.ramp?.value(at: frame),
        unsafe value != slot.pointee.known
      {
        unsafe add(value, at: UInt32(truncatingIfNeeded: frame), isLive: false, slot, run)
      }
      place = unsafe slot.pointee.nextRamp
    }
  }

  @_noLocks private func add(
    _ value: Float, at frame: UInt32, isLive: Bool, _ slot: UnsafeMutablePointer<CLAPSlot>,
    _ run: UnsafeMutablePointer<AuricleCLAPRun>
  ) {
    unsafe slot.pointee.known = value
    unsafe auricle_clap_add_value(
      run, frame, slot.pointee.id, UnsafeMutableRawPointer(bitPattern: slot.pointee.cookie),
      value == slot.pointee.published ? slot.pointee.exact : Double(value), isLive)
  }

  /// Notes a value that the plug-in sent. Context: render.
  @_noLocks func note(_ value: Double, of id: UInt32) {
    for place in 0..<table.count {
      let slot = unsafe table.elements + place
      guard unsafe slot.pointee.id == id else { continue }
      unsafe note(value, slot)
      values.setMeter(Float(value), at: place)
      return
    }
  }

  @_noLocks private func note(_ value: Double, _ slot: UnsafeMutablePointer<CLAPSlot>) {
    unsafe slot.pointee.exact = value
    unsafe slot.pointee.published = Float(value)
    unsafe slot.pointee.known = Float(value)
  }

  /// Frees the memory. Context: control, when nothing renders any more.
  func free() { table.free() }
}
