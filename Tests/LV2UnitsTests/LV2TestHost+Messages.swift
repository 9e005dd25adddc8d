// The host's helpers for tests of messages and states: MIDI, dictionaries of texts, saved states.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import Foundation
import Testing

extension LV2TestHost {
  /// Sends a MIDI message to the unit, at a frame of the next slice.
  func midi(_ status: UInt32, _ data1: UInt32, _ data2: UInt32, at frame: UInt32) throws -> OSStatus
  {
    let plugIn = unsafe unit.instance.pointee.plugIn
    let lookUp = unsafe try #require(unsafe plugIn?.pointee.Lookup)
    let found = unsafe try #require(unsafe lookUp(kMusicDeviceMIDIEventSelect))
    let method = unsafe unsafeBitCast(found, to: MusicDeviceMIDIEventProc.self)
    return unsafe method(UnsafeMutableRawPointer(plugIn), status, data1, data2, frame)
  }

  /// A property that is a dictionary of texts.
  func texts(_ id: AudioUnitPropertyID) throws -> [String: String] {
    let value = unsafe try unit.property(id, as: CFDictionaryRef?.self)
    let dictionary = unsafe try #require(unsafe value)
    defer { unsafe CFRelease(UnsafeRawPointer(dictionary)) }
    let data = unsafe try Self.data(UnsafeRawPointer(dictionary))
    let list = unsafe try PropertyListSerialization.propertyList(from: data, format: nil)
    return try #require(list as? [String: String])
  }

  /// Sets a property that is a dictionary of texts.
  func setTexts(_ id: AudioUnitPropertyID, _ values: [String: String]) throws {
    try set(
      id, PropertyListSerialization.data(fromPropertyList: values, format: .xml, options: 0))
  }

  /// The saved state as bytes, as a preset file has it.
  func savedState() throws -> Data {
    let value = unsafe try unit.property(
      kAudioUnitProperty_ClassInfo, as: CFDictionaryRef?.self)
    let state = unsafe try #require(unsafe value)
    defer { unsafe CFRelease(UnsafeRawPointer(state)) }
    return unsafe try Self.data(UnsafeRawPointer(state))
  }

  /// Restores the state that `savedState` made.
  func restoreState(_ data: Data) throws { try set(kAudioUnitProperty_ClassInfo, data) }

  /// The value of a parameter by its symbol.
  func value(_ symbol: String) throws -> Float {
    let parameter = try #require(try unit.parameters().first { $0.symbol == symbol })
    return try unit.parameter(parameter.id)
  }

  /// Sets a parameter by its symbol.
  func set(_ symbol: String, _ value: Float) throws {
    let parameter = try #require(try unit.parameters().first { $0.symbol == symbol })
    try unit.setParameter(parameter.id, value)
  }

  /// Sets a property to the list that bytes hold.
  private func set(_ id: AudioUnitPropertyID, _ data: Data) throws {
    let bytes = [UInt8](data)
    let wrapped = unsafe try #require(unsafe CFDataCreate(nil, bytes, bytes.count))
    defer { unsafe CFRelease(UnsafeRawPointer(wrapped)) }
    let list = unsafe try #require(
      unsafe CFPropertyListCreateWithData(nil, wrapped, 0, nil, nil))
    defer { unsafe CFRelease(UnsafeRawPointer(list)) }
    unsafe try unit.setProperty(id, CFDictionaryRef?(CFDictionaryRef(UnsafeRawPointer(list))))
  }

  /// A property list as XML.
  private static func data(_ list: UnsafeRawPointer) throws -> Data {
    let made = unsafe try #require(
      unsafe CFPropertyListCreateData(
        nil, CFPropertyListRef(list), kCFPropertyListXMLFormat_v1_0, 0, nil))
    defer { unsafe CFRelease(UnsafeRawPointer(made)) }
    return unsafe Data(bytes: CFDataGetBytePtr(made), count: Int(CFDataGetLength(made)))
  }
}
