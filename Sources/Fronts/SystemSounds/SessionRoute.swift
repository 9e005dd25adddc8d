// The devices of an audio session as objects of Core Foundation: routes, sources, destinations.
// SPDX-License-Identifier: Apache-2.0

import AudioHardware
import CAudioToolbox
import HardwareObjects

/// An owned object of Core Foundation.
@safe final class OwnedObject {
  let pointer: UnsafeRawPointer

  /// Adopts a reference; nil for null.
  init?(_ pointer: UnsafeRawPointer?) {
    guard let pointer = unsafe pointer else { return nil }
    unsafe self.pointer = unsafe pointer
  }

  deinit { unsafe CFRelease(pointer) }

  /// A reference for another owner.
  func retained() -> UnsafeRawPointer { unsafe CFRetain(pointer) }

  /// A string.
  static func text(_ text: String) -> OwnedObject? {
    unsafe OwnedObject(
      CFStringCreateWithCString(nil, text, kCFStringEncodingUTF8).map {
        unsafe UnsafeRawPointer($0)
      })
  }

  /// A number.
  static func number(_ value: Int32) -> OwnedObject? {
    var value = value
    return unsafe OwnedObject(
      CFNumberCreate(nil, CFNumberType(kCFNumberSInt32Type), &value).map {
        unsafe UnsafeRawPointer($0)
      })
  }

  /// An empty dictionary that can be added to.
  static func dictionary() -> OwnedObject? {
    var (keys, values) = unsafe (kCFTypeDictionaryKeyCallBacks, kCFTypeDictionaryValueCallBacks)
    return unsafe OwnedObject(
      CFDictionaryCreateMutable(nil, 0, &keys, &values).map { unsafe UnsafeRawPointer($0) })
  }

  /// An empty array that can be added to.
  static func array() -> OwnedObject? {
    var values = unsafe kCFTypeArrayCallBacks
    return unsafe OwnedObject(
      CFArrayCreateMutable(nil, 0, &values).map { unsafe UnsafeRawPointer($0) })
  }

  /// Adds a value to a dictionary.
  func set(_ key: String, _ value: OwnedObject?) {
    guard let name = OwnedObject.text(key), let value = unsafe value?.pointer else { return }
    unsafe CFDictionarySetValue(
      OpaquePointer(pointer), name.pointer, value)
  }

  /// Adds a value to an array.
  func append(_ value: OwnedObject?) {
    guard let value = unsafe value?.pointer else { return }
    unsafe CFArrayAppendValue(OpaquePointer(pointer), value)
  }
}

/// The devices of sound at a moment.
struct SessionRoute: Equatable {
  /// The devices' numbers; nil for none.
  var output: AudioObjectID?
  var input: AudioObjectID?

  /// The default devices of the system, as far as a category has a use for them.
  static func present(_ category: UInt32) -> SessionRoute {
    let system = HardwareSystem.shared
    let plays = category != kAudioSessionCategory_RecordAudio
    let records = [
      kAudioSessionCategory_RecordAudio, kAudioSessionCategory_PlayAndRecord,
    ].contains(category)
    return SessionRoute(
      output: plays ? system.defaultDevice(isInput: false)?.id : nil,
      input: records ? system.defaultDevice(isInput: true)?.id : nil)
  }

  /// The connection of a side, as the constants of routes name it.
  private static func port(_ id: AudioObjectID, isInput: Bool) -> String {
    guard let device = HardwareSystem.shared.device(id) else { return "" }
    let words = (device.listing.name + " " + device.listing.title).lowercased()
    if words.contains("usb") { return "USBAudio" }
    if words.contains("hdmi"), !isInput { return "HDMIOutput" }
    if words.contains("headphone"), !isInput { return "Headphones" }
    if device.listing.kind == "card" { return isInput ? "MicrophoneBuiltIn" : "Speaker" }
    return isInput ? "LineIn" : "LineOut"
  }

  /// The route in a word, as older programs ask for it.
  var name: String {
    switch (output, input) {
    case (let output?, nil): Self.port(output, isInput: false)
    case (nil, let input?): Self.port(input, isInput: true)
    case (let output?, _?): Self.port(output, isInput: false) + "AndMicrophone"
    case (nil, nil): ""
    }
  }

  /// A dictionary of inputs and outputs, each a dictionary with its type.
  func description() -> OwnedObject? {
    let made = OwnedObject.dictionary()
    for (key, id, isInput) in [
      ("RouteDetailedDescription_Inputs", input, true),
      ("RouteDetailedDescription_Outputs", output, false),
    ] {
      let list = OwnedObject.array()
      if let id {
        let entry = OwnedObject.dictionary()
        entry?.set(
          "RouteDetailedDescription_PortType", .text(Self.port(id, isInput: isInput)))
        list?.append(entry)
      }
      made?.set(key, list)
    }
    return made
  }

  /// A change, its reason, and the route before.
  static func change(
    _ reason: UInt32, from old: SessionRoute, to new: SessionRoute
  ) -> OwnedObject? {
    let made = OwnedObject.dictionary()
    for key in ["OutputDeviceDidChange_Reason", "ActiveAudioRouteDidChange_Reason"] {
      made?.set(key, .number(Int32(bitPattern: reason)))
    }
    made?.set("OutputDeviceDidChange_OldRoute", .text(old.name))
    made?.set("ActiveAudioRouteDidChange_OldDetailedRoute", old.description())
    made?.set("ActiveAudioRouteDidChange_NewDetailedRoute", new.description())
    return made
  }

  /// The devices of a side, each with a number and a name.
  static func choices(isInput: Bool) -> OwnedObject? {
    let prefix = isInput ? "InputSourceKey" : "OutputDestinationKey"
    let list = OwnedObject.array()
    for device in HardwareSystem.shared.devices()
    where isInput ? device.listing.hasInput : device.listing.hasOutput {
      let entry = OwnedObject.dictionary()
      entry?.set(prefix + "_ID", .number(Int32(bitPattern: device.id)))
      entry?.set(prefix + "_Description", .text(device.listing.title))
      list?.append(entry)
    }
    return list
  }
}
