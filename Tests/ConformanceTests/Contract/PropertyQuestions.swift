// Every property of the headers, in every scope: there or not, its size, its access, and each misuse.
// SPDX-License-Identifier: Apache-2.0

import AudioUnits
import CAudioToolbox

extension Question {
  /// Numbers of properties with all their names.
  static let propertyNames: [(id: UInt32, names: [String])] = {
    let found = HeaderConstant.family { $0.contains("Property_") }
    return Dictionary(grouping: found, by: \.value)
      .map { (UInt32(truncatingIfNeeded: $0.key), $0.value.map(\.name)) }
      .sorted { $0.id < $1.id }
  }()

  /// A row for every property.
  static let properties: [Question] = propertyNames.map { property in
    Question("property \(property.id)", property.names) { test in
      presence(of: property.id, test)
    }
  }

  /// The row of limits, for those of the interface.
  static let limits: [UInt32: PropertyRow] = Dictionary(
    (PropertyRow.units + PropertyRow.special).map { ($0.id, $0) }, uniquingKeysWith: { $1 })

  /// The element to ask for: most have element 0, some the id of a parameter.
  static func element(_ id: UInt32, _ scope: UInt32, _ test: UnitUnderTest) -> UInt32 {
    let isParameters =
      limits[id]?.elementIsParameter == true
      || id == UInt32(kAuricleProperty_ParameterSymbol)
      || id == UInt32(kAuricleProperty_ParameterValuePoints)
      || id == UInt32(kAuricleProperty_ParameterOpenEnds)
    guard isParameters, let first = try? test.firstParameter(), first.scope == scope else {
      return 0
    }
    return first.id
  }

  /// Describes a property: `g8rw` is there in the global scope, 8 bytes, to be read and set.
  /// Departures from the rules of the interface follow in brackets; a scope with the usual code is
  /// left out.
  private static func presence(of id: UInt32, _ test: UnitUnderTest) -> String {
    var parts: [String] = []
    for scope: UInt32 in 0...8 {
      let element = element(id, scope, test)
      let info = test.info(id, scope, element)
      if info.status == 0 {
        let notes = misuses(id, scope, element, info.size, info.isWritable, test)
        let read = test.read(id, scope, element, room: max(Int(info.size), 1)).status
        let access =
          (read == kAudioUnitErr_InvalidProperty ? "" : "r") + (info.isWritable ? "w" : "")
        let status = read == 0 || read == kAudioUnitErr_InvalidProperty ? "" : " reads \(read)"
        parts.append(
          "\(letter(scope)) \(info.size) \(access)\(status)"
            + (notes.isEmpty ? "" : " [\(notes.joined(separator: ", "))]"))
      } else {
        let usual = scope <= 2 ? kAudioUnitErr_InvalidProperty : kAudioUnitErr_InvalidScope
        if info.status != usual { parts.append("\(letter(scope)) \(info.status)") }
        if info.size != 0 { parts.append("\(letter(scope)) leaves a size") }
        let set = test.setBytes(id, [UInt8](repeating: 0, count: 64), scope, element)
        let read = test.read(id, scope, element, room: 64).status
        if set != info.status || read != info.status {
          parts.append("\(letter(scope)) reads \(read) sets \(set)")
        }
      }
    }
    return parts.isEmpty ? "absent" : parts.joined(separator: "; ")
  }

  /// Lists a unit's answer to each misuse of a property that is there, if it is not the usual code.
  private static func misuses(
    _ id: UInt32, _ scope: UInt32, _ element: UInt32, _ size: UInt32, _ isWritable: Bool,
    _ test: UnitUnderTest
  ) -> [String] {
    var notes: [String] = []
    func expect(_ name: String, _ status: OSStatus, _ usual: OSStatus) {
      if status != usual { notes.append("\(name) \(status)") }
    }
    if !isWritable {
      expect(
        "set", test.setBytes(id, [UInt8](repeating: 0, count: 64), scope, element),
        kAudioUnitErr_PropertyNotWritable)
    } else {
      expect("one byte", test.setBytes(id, [1], scope, element), kAudioUnitErr_InvalidPropertyValue)
      let bare = unsafe AudioUnitSetProperty(test.handle, id, scope, element, nil, 4)
      expect("size alone", bare, kAudio_ParamError)
      var number: UInt64 = 0
      let empty = unsafe AudioUnitSetProperty(test.handle, id, scope, element, &number, 0)
      expect("data alone", empty, kAudio_ParamError)
    }
    var room: UInt32 = 0
    var byte: UInt64 = 0
    let none = unsafe AudioUnitGetProperty(test.handle, id, scope, element, &byte, &room)
    let writeOnly = none == kAudioUnitErr_InvalidProperty
    if !writeOnly { expect("no room", none, kAudio_ParamError) }
    let noSize = unsafe AudioUnitGetProperty(test.handle, id, scope, element, &byte, nil)
    if !writeOnly { expect("no size", noSize, kAudio_ParamError) }
    room = 0xDEAD
    let sizeOnly = unsafe AudioUnitGetProperty(test.handle, id, scope, element, nil, &room)
    if !writeOnly, sizeOnly != 0 || room != size {
      notes.append("asking the size \(sizeOnly) \(room)")
    }
    let beyond = test.info(id, scope, 4_000_000).status
    let isParameters = limits[id]?.elementIsParameter == true || [64000, 64001, 64008].contains(id)
    expect(
      "element beyond", beyond,
      isParameters ? kAudioUnitErr_InvalidParameter : kAudioUnitErr_InvalidElement)
    return notes
  }
}
