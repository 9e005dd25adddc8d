// Aggregate devices as dictionaries of Core Foundation describe them.
// SPDX-License-Identifier: Apache-2.0

import AudioHardware
import AudioTypes
import CAudioToolbox

extension AggregateDescription {
  /// Reads a dictionary; nil without a UID.
  ///
  /// Context: control.
  package init?(dictionary: UnsafeRawPointer) {
    func text(_ key: String) -> String? {
      unsafe CFObjects.value(dictionary, key).flatMap { unsafe CFObjects.text($0) }
    }
    guard let uid = text(kAudioAggregateDeviceUIDKey), !uid.isEmpty else { return nil }
    let parts = unsafe CFObjects.value(dictionary, kAudioAggregateDeviceSubDeviceListKey)
    let list = unsafe parts.flatMap { unsafe CFObjects.list($0) } ?? []
    self.init(
      uid: uid, name: text(kAudioAggregateDeviceNameKey) ?? uid,
      parts: unsafe list.compactMap { unsafe Part(dictionary: $0) },
      mainUID: text(kAudioAggregateDeviceClockDeviceKey)
        ?? text(kAudioAggregateDeviceMainSubDeviceKey))
    let privacy = unsafe CFObjects.value(dictionary, kAudioAggregateDeviceIsPrivateKey)
    isPrivate = unsafe privacy.flatMap { unsafe CFObjects.number($0) } ?? 0 != 0
  }

  /// The dictionary, +1. Context: control.
  func makeDictionary() -> CFDictionaryRef? {
    let list = unsafe makeCFArray(
      takingOver: parts.map { unsafe UnsafeRawPointer($0.makeDictionary()) })
    let main = unsafe mainUID.flatMap { unsafe makeCFString($0) }
    return unsafe makeCFDictionary(takingOver: [
      kAudioAggregateDeviceUIDKey: UnsafeRawPointer(makeCFString(uid)),
      kAudioAggregateDeviceNameKey: UnsafeRawPointer(makeCFString(name)),
      kAudioAggregateDeviceSubDeviceListKey: UnsafeRawPointer(list),
      kAudioAggregateDeviceMainSubDeviceKey: main.map { unsafe UnsafeRawPointer($0) },
      kAudioAggregateDeviceIsPrivateKey: Self.makeNumber(isPrivate ? 1 : 0),
    ])
  }

  fileprivate static func makeNumber(_ value: Double) -> UnsafeRawPointer? {
    var value = Int32(value)
    return unsafe UnsafeRawPointer(CFNumberCreate(nil, kCFNumberSInt32Type, &value))
  }
}

extension AggregateDescription.Part {
  fileprivate init?(dictionary: UnsafeRawPointer) {
    guard let found = unsafe CFObjects.value(dictionary, kAudioSubDeviceUIDKey),
      let uid = unsafe CFObjects.text(found)
    else { return nil }
    self.init(uid: uid)
    func number(_ key: String) -> Double? {
      unsafe CFObjects.value(dictionary, key).flatMap { unsafe CFObjects.number($0) }
    }
    name = unsafe CFObjects.value(dictionary, kAudioSubDeviceNameKey).flatMap {
      unsafe CFObjects.text($0)
    }
    compensatesDrift = number(kAudioSubDeviceDriftCompensationKey) ?? 0 != 0
    quality = UInt32(min(max(number(kAudioSubDeviceDriftCompensationQualityKey) ?? 64, 0), 127))
    extraInputLatency = min(max(number(kAudioSubDeviceExtraInputLatencyKey) ?? 0, 0), 96_000)
    extraOutputLatency = min(max(number(kAudioSubDeviceExtraOutputLatencyKey) ?? 0, 0), 96_000)
  }

  fileprivate func makeDictionary() -> CFDictionaryRef? {
    let title = unsafe name.flatMap { unsafe makeCFString($0) }
    return unsafe makeCFDictionary(takingOver: [
      kAudioSubDeviceUIDKey: UnsafeRawPointer(makeCFString(uid)),
      kAudioSubDeviceNameKey: title.map { unsafe UnsafeRawPointer($0) },
      kAudioSubDeviceDriftCompensationKey: AggregateDescription.makeNumber(
        compensatesDrift ? 1 : 0),
      kAudioSubDeviceDriftCompensationQualityKey: AggregateDescription.makeNumber(Double(quality)),
      kAudioSubDeviceExtraInputLatencyKey: AggregateDescription.makeNumber(extraInputLatency),
      kAudioSubDeviceExtraOutputLatencyKey: AggregateDescription.makeNumber(extraOutputLatency),
    ])
  }
}
