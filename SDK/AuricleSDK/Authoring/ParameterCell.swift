// The storage of a declared parameter's value, at which the properties of a ParameterSet point.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox
import RealtimeSupport
import Synchronization

/// The constant part of a declared parameter.
final class ParameterDeclaration: Sendable {
  let definition: ParameterDefinition
  let clump: Clump?
  /// Seconds in which the value goes to a new one; nil for one that is not smoothed.
  let smoothing: Double?

  init(_ definition: ParameterDefinition, clump: Clump?, smoothing: Double?) {
    self.definition = definition
    self.clump = clump
    self.smoothing = smoothing
  }
}

/// A parameter of one element of one instance; before it is bound to one, a separate value.
@safe @usableFromInline struct ParameterCell {
  let declaration: Unmanaged<ParameterDeclaration>
  var store: ParameterStore
  /// Index of the value in the store.
  var index: Int
  /// Values with names, of a choice.
  let caseCount: Int32
  /// Whether the store is this cell's own.
  var isOwn = true
  // The smoothed value; used by the render thread alone.
  var ramp = Ramp(target: 0, slope: 0, framesLeft: 0)
  var glideFrames: Int32 = 1
  var isFresh = true

  /// Makes a parameter with its own value. Context: control.
  init(_ declaration: ParameterDeclaration) {
    unsafe self.declaration = Unmanaged.passRetained(declaration)
    store = ParameterStore(count: 1, initialValue: declaration.definition.defaultValue)
    index = 0
    caseCount = Int32(max(declaration.definition.valueNames.count, 1))
  }

  /// Finds out where the value goes in the slice that begins. Context: render.
  @_noLocks mutating func begin(_ events: ScheduledEvents, at frame: Int) {
    let value = store.value(at: index)
    if !events.isIdle {
      var event = ScheduledEvent(
        start: 0, duration: 0, index: 0, isKernelRamp: false, startValue: 0, endValue: 0)
      if events.ramp(of: index, at: frame, &event) {
        ramp = Ramp(target: event.endValue, slope: event.step, framesLeft: event.end - frame)
        isFresh = false
        return
      }
      if events.isScheduled(index) { isFresh = true }
    }
    if isFresh {
      ramp = Ramp(target: value, slope: 0, framesLeft: 0)
      isFresh = false
    } else if value != ramp.target {
      let slope = (value - ramp[0]) / Float(glideFrames)
      ramp = Ramp(target: value, slope: slope, framesLeft: Int(glideFrames))
    }
  }
}

/// The cells that there are in this process, so that those of a set are found in its memory. Context: control.
enum ParameterCells {
  private static let addresses = Mutex<Set<UInt>>([])

  fileprivate static func add(_ cell: UnsafeMutablePointer<ParameterCell>) {
    let address = UInt(bitPattern: cell)
    addresses.withLock { _ = $0.insert(address) }
  }

  fileprivate static func remove(_ cell: UnsafeMutablePointer<ParameterCell>) {
    let address = UInt(bitPattern: cell)
    addresses.withLock { _ = $0.remove(address) }
  }

  /// Returns the parameters whose handles lie in memory, in their order.
  static func handles(in memory: UnsafeRawBufferPointer) -> [ParameterHandle] {
    let width = MemoryLayout<UInt>.size
    let words = (0..<(memory.count / width)).map {
      unsafe memory.loadUnaligned(fromByteOffset: $0 * width, as: UInt.self)
    }
    return addresses.withLock { living in words.filter { living.contains($0) } }.compactMap {
      unsafe UnsafeMutablePointer(bitPattern: $0).map { unsafe ParameterHandle(cell: $0) }
    }
  }
}

/// A declared parameter: the projection of a property of a `ParameterSet`, `parameters.$depth`.
///
/// It is a pointer, which reads and sets the value without lock or allocation.
///
/// ```swift
/// if parameters.$cutoff.isScheduled(in: slice) { cutoff.jump(to: parameters.cutoff) }
/// let id = parameters.$cutoff.id
/// parameters.$cents.value = 1200 * RealtimeMath.log2(parameters.rate)
/// ```
///
/// Context: any.
@frozen @safe public struct ParameterHandle: BitwiseCopyable, @unchecked Sendable {
  // @unchecked Sendable because values are atomic, and ramps are of the render thread alone.
  let cell: UnsafeMutablePointer<ParameterCell>

  /// Declares a parameter with its own value. Context: control.
  init(_ definition: ParameterDefinition, clump: Clump?, smoothing: Double?) {
    var definition = definition
    definition.clumpID = clump?.id ?? 0
    definition.isRampedByKernel = smoothing != nil
    unsafe cell = .allocate(capacity: 1)
    unsafe cell.initialize(
      to: ParameterCell(
        ParameterDeclaration(definition, clump: clump, smoothing: smoothing)))
    unsafe ParameterCells.add(cell)
  }

  fileprivate init(cell: UnsafeMutablePointer<ParameterCell>) { unsafe self.cell = unsafe cell }

  /// The value now, in the parameter's unit. A set value is not brought into the range.
  public var value: Float {
    @_noLocks get { unsafe cell.pointee.store.value(at: cell.pointee.index) }
    @_noLocks nonmutating set {
      unsafe cell.pointee.store.setValue(newValue, at: cell.pointee.index)
    }
  }

  /// The number of the case that the parameter chooses.
  @usableFromInline var caseNumber: UInt8 {
    @_noLocks get { UInt8(max(0, min(value, Float(unsafe cell.pointee.caseCount) - 1))) }
  }

  /// Sets a meter, which no host counts as a change.
  ///
  /// - Parameter value: In the meter's unit. Context: render.
  @_noLocks public func setMeter(_ value: Float) {
    unsafe cell.pointee.store.setMeter(value, at: cell.pointee.index)
  }

  /// The values in the slice that is rendered, of a smoothed parameter. Context: render.
  public var ramp: Ramp { @_noLocks get { unsafe cell.pointee.ramp } }

  /// Returns whether the host scheduled the parameter's value in a slice, for its first frame or as a ramp.
  /// Such a value holds from that frame on, and a kernel that glides jumps to it.
  ///
  /// Context: render.
  @_noLocks public func isScheduled(in slice: borrowing RenderSlice) -> Bool {
    unsafe slice.events.isScheduled(cell.pointee.index)
  }

  /// The parameter's id, as hosts know it.
  public var id: AudioUnitParameterID { declaration.definition.id }

  var declaration: ParameterDeclaration {
    unsafe cell.pointee.declaration.takeUnretainedValue()
  }

  /// Makes it the parameter at a place of a unit's values. Context: control.
  func bind(to store: ParameterStore, at index: Int) {
    if unsafe cell.pointee.isOwn { unsafe cell.pointee.store.deallocate() }
    unsafe cell.pointee.isOwn = false
    unsafe cell.pointee.store = store
    unsafe cell.pointee.index = index
  }

  /// Frees the memory; no copy may be used afterwards. Context: control.
  func deallocate() {
    if unsafe cell.pointee.isOwn { unsafe cell.pointee.store.deallocate() }
    unsafe ParameterCells.remove(cell)
    unsafe cell.pointee.declaration.release()
    unsafe cell.deallocate()
  }
}
