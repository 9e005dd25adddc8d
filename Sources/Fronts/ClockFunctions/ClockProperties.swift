// The properties of clocks.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
public import CAudioToolbox
import MIDIPorts
import SyncClocks
import Synchronization

extension ClockSettings {
  /// A property as bytes.
  fileprivate func property(_ id: CAClockPropertyID) throws(ClockFailure) -> [UInt8] {
    switch id {
    case kCAClockProperty_InternalTimebase: return bytes(kCAClockTimebase_HostTime)
    case kCAClockProperty_TimebaseSource: return bytes(UInt32(0))
    case kCAClockProperty_SyncMode: return bytes(syncMode)
    case kCAClockProperty_SyncSource: return bytes(source)
    case kCAClockProperty_SMPTEFormat: return bytes(clock.timeCode?.type ?? 0)
    case kCAClockProperty_SMPTEOffset: return bytes(clock.timeCodeOffset)
    case kCAClockProperty_MIDIClockDestinations: return clockDestinations.flatMap { bytes($0) }
    case kCAClockProperty_MTCDestinations: return codeDestinations.flatMap { bytes($0) }
    case kCAClockProperty_MTCFreewheelTime: return bytes(freewheel)
    case kCAClockProperty_TempoMap:
      return clock.tempos.flatMap { bytes(CATempoMapEntry(beats: $0.beat, tempoBPM: $0.tempo)) }
    case kCAClockProperty_MeterTrack:
      return clock.meters.flatMap {
        bytes(
          CAMeterTrackEntry(
            beats: $0.beat, meterNumer: UInt16($0.count), meterDenom: UInt16($0.unit)))
      }
    case kCAClockProperty_Name: return bytes(name)
    case kCAClockProperty_SendMIDISPP: return bytes(UInt32(sendsPlace ? 1 : 0))
    default: throw ClockFailure(kCAClock_UnknownPropertyError)
    }
  }

  private func bytes<Value>(_ value: Value) -> [UInt8] {
    unsafe withUnsafeBytes(of: value) { unsafe Array($0) }
  }

  /// Sets a property; whether the source that is followed may be another.
  fileprivate mutating func set(
    _ id: CAClockPropertyID, _ data: UnsafeRawBufferPointer
  ) throws(ClockFailure) {
    switch id {
    case kCAClockProperty_InternalTimebase:
      guard try unsafe one(UInt32.self, data) == kCAClockTimebase_HostTime else {
        throw ClockFailure(kCAClock_InvalidTimebaseError)
      }
    case kCAClockProperty_TimebaseSource:
      throw ClockFailure(kCAClock_InvalidTimebaseSourceError)
    case kCAClockProperty_SyncMode: try setMode(unsafe one(UInt32.self, data))
    case kCAClockProperty_SyncSource: source = try unsafe one(MIDIEndpointRef.self, data)
    case kCAClockProperty_SMPTEFormat:
      guard let found = TimeCode(try unsafe one(UInt32.self, data)) else {
        throw ClockFailure(kCAClock_InvalidSMPTEFormatError)
      }
      clock.timeCode = found
    case kCAClockProperty_SMPTEOffset:
      let offset = try unsafe one(Double.self, data)
      guard abs(offset) <= 86_400 else { throw ClockFailure(kCAClock_InvalidSMPTEOffsetError) }
      clock.timeCodeOffset = offset
    case kCAClockProperty_MIDIClockDestinations:
      clockDestinations = try unsafe list(MIDIEndpointRef.self, data)
    case kCAClockProperty_MTCDestinations:
      codeDestinations = try unsafe list(MIDIEndpointRef.self, data)
    case kCAClockProperty_MTCFreewheelTime:
      let time = try unsafe one(Double.self, data)
      guard time >= 0, time <= 3600 else { throw .parameter }
      freewheel = time
    case kCAClockProperty_TempoMap:
      let map = try unsafe list(CATempoMapEntry.self, data)
      guard clock.setTempos(map.map { ($0.beats, $0.tempoBPM) }) else { throw .parameter }
    case kCAClockProperty_MeterTrack:
      let track = try unsafe list(CAMeterTrackEntry.self, data)
      let isSet = clock.setMeters(
        track.map { ($0.beats, Int($0.meterNumer), Int($0.meterDenom)) })
      guard isSet else { throw .parameter }
    case kCAClockProperty_Name: rename(try unsafe one(UInt.self, data))
    case kCAClockProperty_SendMIDISPP: sendsPlace = try unsafe one(UInt32.self, data) != 0
    default: throw ClockFailure(kCAClock_UnknownPropertyError)
    }
  }

  private mutating func setMode(_ mode: UInt32) throws(ClockFailure) {
    let modes = [
      kCAClockSyncMode_Internal, kCAClockSyncMode_MIDIClockTransport, kCAClockSyncMode_MTCTransport,
    ]
    guard modes.contains(mode) else { throw ClockFailure(kCAClock_InvalidSyncModeError) }
    syncMode = mode
    last = nil
  }

  private mutating func rename(_ new: UInt) {
    if let object = unsafe UnsafeRawPointer(bitPattern: new) { unsafe _ = CFRetain(object) }
    if let object = unsafe UnsafeRawPointer(bitPattern: name) { unsafe CFRelease(object) }
    name = new
  }

  private func one<Value: BitwiseCopyable>(
    _ type: Value.Type, _ data: UnsafeRawBufferPointer
  ) throws(ClockFailure) -> Value {
    guard data.count == MemoryLayout<Value>.size else {
      throw ClockFailure(kCAClock_InvalidPropertySizeError)
    }
    return unsafe data.loadUnaligned(as: Value.self)
  }

  private func list<Value: BitwiseCopyable>(
    _ type: Value.Type, _ data: UnsafeRawBufferPointer
  ) throws(ClockFailure) -> [Value] {
    let size = MemoryLayout<Value>.size
    guard data.count % size == 0, data.count <= 1 << 20 else {
      throw ClockFailure(kCAClock_InvalidPropertySizeError)
    }
    return stride(from: 0, to: data.count, by: size).map {
      unsafe data.loadUnaligned(fromByteOffset: $0, as: Value.self)
    }
  }
}

/// The size of a property, and whether it can be set.
///
/// - Returns: -66816 for an unknown one; -50 for another object. Both results may be null.
///
/// Context: control.
@c @implementation
public func CAClockGetPropertyInfo(
  _ clock: CAClockRef?, _ property: CAClockPropertyID, _ outSize: UnsafeMutablePointer<UInt32>?,
  _ outWritable: UnsafeMutablePointer<Bool>?
) -> OSStatus {
  unsafe withClock(clock) { kept throws(ClockFailure) in
    let found = try kept.settings.withLock { settings throws(ClockFailure) in
      try settings.property(property)
    }
    unsafe outSize?.pointee = UInt32(found.count)
    unsafe outWritable?.pointee = property != kCAClockProperty_TimebaseSource
  }
}

/// A property. A name is not retained for the caller.
///
/// - Returns: -66816 for an unknown one; -66815 where it has no room; -50 for null pointers.
///
/// Context: control.
@c @implementation
public func CAClockGetProperty(
  _ clock: CAClockRef?, _ property: CAClockPropertyID, _ ioSize: UnsafeMutablePointer<UInt32>?,
  _ outData: UnsafeMutableRawPointer?
) -> OSStatus {
  unsafe withClock(clock) { kept throws(ClockFailure) in
    guard let size = unsafe ioSize, let out = unsafe outData else { throw .parameter }
    let found = try kept.settings.withLock { settings throws(ClockFailure) in
      try settings.property(property)
    }
    guard unsafe Int(size.pointee) >= found.count else {
      throw ClockFailure(kCAClock_InvalidPropertySizeError)
    }
    unsafe out.copyMemory(from: found, byteCount: found.count)
    unsafe size.pointee = UInt32(found.count)
  }
}

/// Sets a property.
///
/// - Returns: -66816 for an unknown one; -66815 for another size; -66813, -66812, -66811, -66809, -66808 for modes,
///   sources, time bases, time codes and offsets that there are not; -50 for null pointers, tempos and meters that
///   cannot be. The host's time is the only time base.
///
/// Context: control.
@c @implementation
public func CAClockSetProperty(
  _ clock: CAClockRef?, _ property: CAClockPropertyID, _ size: UInt32,
  _ data: UnsafeRawPointer?
) -> OSStatus {
  unsafe withClock(clock) { kept throws(ClockFailure) in
    guard unsafe data != nil || size == 0 else { throw .parameter }
    let memory = unsafe UnsafeRawBufferPointer(start: data, count: Int(size))
    try kept.change { settings throws(ClockFailure) in
      try unsafe settings.set(property, memory)
      return [.property(property)]
    }
    guard property == kCAClockProperty_SyncSource || property == kCAClockProperty_SyncMode else {
      return
    }
    let (isLed, source) = kept.settings.withLock { ($0.isLed, $0.source) }
    try kept.link.follow(isLed ? source : 0, kept)
  }
}
