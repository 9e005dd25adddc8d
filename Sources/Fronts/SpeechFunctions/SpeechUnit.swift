// The door to a speech unit: speech goes over its properties.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import Glibc

/// A speech unit behind a handle. Context: control.
@safe struct SpeechUnit: @unchecked Sendable {
  let handle: AudioUnitHandle

  /// The description by which one is found.
  static var description: AudioComponentDescription {
    AudioComponentDescription(
      componentType: kAudioUnitType_Generator,
      componentSubType: kAudioUnitSubType_SpeechSynthesis,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0)
  }

  /// Opens one that its maker disposes of.
  ///
  /// - Throws: -240 where none is installed.
  static func open() throws(SpeechFailure) -> SpeechUnit {
    var (wanted, made): (AudioComponentDescription, AudioUnitHandle?) = (description, nil)
    guard let component = unsafe AudioComponentFindNext(nil, &wanted),
      unsafe AudioComponentInstanceNew(component, &made) == noErr, let made = unsafe made
    else { throw SpeechFailure(noSynthFound) }
    return unsafe SpeechUnit(handle: made)
  }

  /// Disposes of one that was opened.
  func dispose() { unsafe _ = AudioComponentInstanceDispose(handle) }

  /// A property of one value; nil where the unit has none.
  func read<Value>(_ id: AudioUnitPropertyID, initial: Value) -> Value? {
    var value = initial
    var size = UInt32(MemoryLayout<Value>.size)
    let status = unsafe withUnsafeMutablePointer(to: &value) {
      unsafe AudioUnitGetProperty(handle, id, kAudioUnitScope_Global, 0, $0, &size)
    }
    return status == noErr ? value : nil
  }

  /// Sets a property of one value.
  func write<Value>(_ id: AudioUnitPropertyID, _ value: Value) -> OSStatus {
    unsafe withUnsafePointer(to: value) {
      unsafe AudioUnitSetProperty(
        handle, id, kAudioUnitScope_Global, 0, $0, UInt32(MemoryLayout<Value>.size))
    }
  }

  /// A property that is a text.
  func text(_ id: AudioUnitPropertyID) -> String {
    unsafe read(id, initial: nil as CFStringRef?).flatMap {
      unsafe String(consumingCFString: $0)
    } ?? ""
  }

  /// Whether it is a speech unit at all.
  var speaks: Bool {
    unsafe read(kAudioUnitProperty_SpeechChannel, initial: UInt(0)) == UInt(bitPattern: handle)
  }

  /// Has it say something else.
  ///
  /// - Throws: -240 where it cannot speak.
  func say(_ passages: [Passage]) throws(SpeechFailure) {
    var bytes: [UInt8] = []
    for passage in passages {
      let text = Array(passage.text.utf8)
      var record = passage.record
      record.byteCount = UInt32(text.count)
      unsafe withUnsafeBytes(of: record) { unsafe bytes.append(contentsOf: $0) }
      bytes += text
    }
    let status = unsafe bytes.withUnsafeBytes {
      unsafe AudioUnitSetProperty(
        handle, kAuricleProperty_SpeechPassages, kAudioUnitScope_Global, 0, $0.baseAddress,
        UInt32($0.count))
    }
    if status != noErr { throw SpeechFailure(noSynthFound) }
  }

  /// The marks of its speech, and their times.
  var marks: [AuricleSpeechMark] {
    var (size, isWritable) = (UInt32(0), false)
    guard
      unsafe AudioUnitGetPropertyInfo(
        handle, kAuricleProperty_SpeechMarks, kAudioUnitScope_Global, 0, &size, &isWritable)
        == noErr, size > 0
    else { return [] }
    let count = Int(size) / MemoryLayout<AuricleSpeechMark>.size
    return unsafe [AuricleSpeechMark](unsafeUninitializedCapacity: count) { memory, used in
      var supplied = size
      let status = unsafe AudioUnitGetProperty(
        handle, kAuricleProperty_SpeechMarks, kAudioUnitScope_Global, 0, memory.baseAddress,
        &supplied)
      used = status == noErr ? Int(supplied) / MemoryLayout<AuricleSpeechMark>.size : 0
    }
  }

  /// A clock of its speech; nil where it has none.
  func clock() -> SpeechClock? {
    unsafe read(kAuricleProperty_SpeechClock, initial: AuricleSpeechClock()).flatMap {
      unsafe SpeechClock($0)
    }
  }

  /// The places where it falls silent, in seconds of its speech.
  var limits: AuricleSpeechLimits? {
    read(kAuricleProperty_SpeechLimits, initial: AuricleSpeechLimits())
  }

  func set(_ limits: AuricleSpeechLimits) { _ = write(kAuricleProperty_SpeechLimits, limits) }

  /// Its volume, 0 to 1. Context: control.
  func set(volume: Double) {
    let (id, decibels): (AudioUnitParameterID, Float) = (
      2, volume > 1e-6 ? Float(log(volume) * 8.685_889_638) : -120
    )
    unsafe _ = AudioUnitSetParameter(handle, id, kAudioUnitScope_Global, 0, decibels, 0)
  }
}

/// Reads the progress of one speech of a unit, also when the unit is closed. Context: any.
///
/// @unchecked Sendable because the unit's own reading is safe from everywhere.
@safe final class SpeechClock: @unchecked Sendable {
  private let record: AuricleSpeechClock
  /// A number of the unit's own.
  let unit: UInt64

  init?(_ record: AuricleSpeechClock) {
    guard unsafe record.read != nil, unsafe record.release != nil else { return nil }
    unsafe self.record = unsafe record
    unit = unsafe record.unit
  }

  deinit { unsafe record.release?(record.object) }

  /// The progress.
  var progress: AuricleSpeechProgress {
    var found = AuricleSpeechProgress()
    unsafe record.read?(record.object, &found)
    return found
  }
}
