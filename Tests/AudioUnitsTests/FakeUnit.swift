// A unit made for tests: it records calls and fails on demand.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox

/// The behaviour of a fake unit and the calls it received; one object a unit.
@safe final class FakeUnit {
  /// The query that every unit receives after Open: the version of the interface that it was built with.
  static let versionQuery = "get \(kAuricleProperty_ContractVersion) scope 0 element 0"

  /// Every call in order: "Open", "Initialize", "set 8 scope 1 element 0", …
  var calls: [String] = []
  var openStatus: OSStatus = 0
  var initializeStatus: OSStatus = 0
  var renderStatus: OSStatus = 0
  var isInitialized = false
  /// The value of each property, by id; properties with special rules are in FakeUnit+Calls.
  var bytes: [UInt32: [UInt8]] = [:]
  /// Properties that accept any value of any size.
  var writable: Set<UInt32> = []
  /// Properties that claim this size, regardless of their value.
  var claimedSize: [UInt32: UInt32] = [:]
  var failureReason: String?
  var formats: [UInt32: AudioStreamBasicDescription] = [:]
  var values: [UInt32: Float] = [0: 1]
  var maximumFrames: UInt32 = 1156
  var connection = unsafe AudioUnitConnection()
  var callback = unsafe AURenderCallbackStruct()
  var presentPreset: Int32 = -1
  var releasedNames = true

  /// The interface to open; freed by Close, or by a failed Open, as plug-ins do.
  let plugIn: UnsafeMutablePointer<AudioComponentPlugInInterface>

  /// - Parameter isAnswering: False for a unit whose Lookup finds nothing.
  init(isAnswering: Bool = true) {
    let format = AudioStreamFormat(sampleRate: 44_100, channelCount: 2).asbd
    formats = [1: format, 2: format]
    let memory = UnsafeMutablePointer<FakePlugIn>.allocate(capacity: 1)
    unsafe plugIn = UnsafeMutableRawPointer(memory).assumingMemoryBound(
      to: AudioComponentPlugInInterface.self)
    unsafe memory.initialize(
      to: FakePlugIn(
        interface: AudioComponentPlugInInterface(
          Open: openFake, Close: closeFake, Lookup: lookUpFake, reserved: nil),
        unit: Unmanaged.passRetained(self)))
    if !isAnswering { unsafe memory.pointee.interface.Lookup = { _ in nil } }
  }

  func set<Value: BitwiseCopyable>(_ id: UInt32, _ value: Value) {
    bytes[id] = unsafe withUnsafeBytes(of: value) { unsafe Array($0) }
  }

  /// Opens it as a component of a type.
  func open(
    type: UInt32 = kAudioUnitType_Effect, name: String = "Test: Fake"
  ) throws(AuricleError) -> AudioUnit {
    unsafe try AudioUnit(opening: plugIn, component: FakeComponent.record(type, name))
  }
}

/// The memory the host sees: the interface first.
@unsafe struct FakePlugIn {
  var interface: AudioComponentPlugInInterface
  var unit: Unmanaged<FakeUnit>
}

/// The fake behind a method's first argument.
func fake(_ plugIn: UnsafeMutableRawPointer?) -> FakeUnit? {
  guard let plugIn = unsafe plugIn else { return nil }
  return unsafe plugIn.assumingMemoryBound(to: FakePlugIn.self).pointee.unit.takeUnretainedValue()
}

func freeFake(_ plugIn: UnsafeMutableRawPointer?) {
  guard let plugIn = unsafe plugIn else { return }
  let memory = unsafe plugIn.assumingMemoryBound(to: FakePlugIn.self)
  let unit = unsafe memory.pointee.unit
  // Freed memory must not be read again: fill it so that a test would see it.
  unsafe memory.pointee.interface = AudioComponentPlugInInterface()
  unsafe memory.deallocate()
  unsafe unit.release()
}

private func openFake(
  _ plugIn: UnsafeMutableRawPointer?, _ instance: UnsafeMutablePointer<ComponentInstanceRecord>?
) -> OSStatus {
  guard let unit = unsafe fake(plugIn), let instance = unsafe instance else { return -50 }
  // All that a plug-in may ask for during Open must be there.
  let record = unsafe instance.pointee
  let component = unsafe record.component?.pointee
  let isComplete =
    unsafe record.magic == kAuricleInstanceMagic && component?.magic == kAuricleComponentMagic
    && component?.name != nil && UnsafeMutableRawPointer(record.plugIn) == plugIn
  unit.calls.append(isComplete ? "Open" : "Open with an incomplete record")
  let status = unit.openStatus
  if status != 0 { unsafe freeFake(plugIn) }
  return status
}

private func closeFake(_ plugIn: UnsafeMutableRawPointer?) -> OSStatus {
  unsafe fake(plugIn)?.calls.append("Close")
  unsafe freeFake(plugIn)
  return 0
}

/// Components for fakes; they live as long as the process, as components do.
enum FakeComponent {
  static func record(_ type: UInt32, _ name: String) -> UnsafeMutablePointer<OpaqueAudioComponent> {
    let record = UnsafeMutablePointer<OpaqueAudioComponent>.allocate(capacity: 1)
    unsafe record.initialize(to: OpaqueAudioComponent())
    unsafe record.pointee.magic = kAuricleComponentMagic
    unsafe record.pointee.recordSize = UInt32(MemoryLayout<OpaqueAudioComponent>.size)
    unsafe record.pointee.description = AudioComponentDescription(
      componentType: type, componentSubType: 0x6661_6B65, componentManufacturer: 0x7465_7374,
      componentFlags: 0, componentFlagsMask: 0)
    let text = UnsafeMutablePointer<CChar>.allocate(capacity: name.utf8.count + 1)
    for (index, byte) in name.utf8.enumerated() { unsafe text[index] = CChar(bitPattern: byte) }
    unsafe text[name.utf8.count] = 0
    unsafe record.pointee.name = UnsafePointer(text)
    return unsafe record
  }
}
