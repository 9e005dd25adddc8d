// Every property of the interface, in every scope, on every kind of unit: there and right, or not there.
// SPDX-License-Identifier: Apache-2.0

import AudioUnits
import CAudioToolbox
import Testing

@Suite("Contract: properties")
struct PropertyConformanceTests {
  @Test("size, access, scopes and errors", arguments: Subject.everyKind)
  func everyProperty(_ subject: Subject) throws {
    let test = try UnitUnderTest(subject)
    for row in PropertyRow.units { try check(row, test) }
  }

  @Test(
    "properties of special units are absent, or answer like others", arguments: Subject.everyKind)
  func specialProperties(_ subject: Subject) throws {
    let test = try UnitUnderTest(subject)
    for row in PropertyRow.special { try check(row, test) }
    for id: UInt32 in [7, 55, 59, 67, 5000, 63_999, 66_000, .max] {
      for scope: UInt32 in 0...2 {
        same(test.info(id, scope).status, kAudioUnitErr_InvalidProperty, "property \(id)")
      }
    }
  }

  /// Checks one row in all scopes.
  private func check(_ row: PropertyRow, _ test: UnitUnderTest) throws {
    var isThere = false
    for scope: UInt32 in 0...8 {
      var element: UInt32 = 0
      if row.elementIsParameter {
        // A unit without parameters is asked for one that there cannot be.
        let parameter = try? test.firstParameter()
        if let parameter, parameter.scope == scope { element = parameter.id }
      }
      let place = "\(test.subject.rawValue), \(row.name), scope \(scope)"
      let info = test.info(row.id, scope, element)
      if info.status == 0 {
        isThere = true
        #expect(row.scopes.contains(scope), "\(place): may not live there")
        checkPresent(row, test, scope, element, info.size, info.isWritable, place)
      } else {
        checkAbsent(row, test, scope, element, info.status, info.size, place)
      }
    }
    // LV2 has no way to report a tail.
    let isLV2 = Subject.everyLV2.contains(test.subject)
    let cannotReport = isLV2 && row.id == kAudioUnitProperty_TailTime
    // Neither can be checked for parameters if there are none.
    let hasNone = row.id == kAudioUnitProperty_ParameterInfo && (try? test.firstParameter()) == nil
    let isOurs = test.subject.isOnSDK && row.recipients.contains(test.subject.type)
    if isOurs || row.requiredBy.contains(test.subject.type), !cannotReport, !hasNone {
      #expect(isThere, "\(test.subject.rawValue) must have \(row.name)")
    }
  }

  /// A property that is there: its size, reading it, and setting it in ways that are wrong.
  private func checkPresent(
    _ row: PropertyRow, _ test: UnitUnderTest, _ scope: UInt32, _ element: UInt32, _ size: UInt32,
    _ isWritable: Bool, _ place: String
  ) {
    switch row.size {
    case .bytes(let expected): same(size, expected, "\(place): size")
    case .records(let stride): same(size % stride, 0, "\(place): size \(size) modulo \(stride)")
    case .atLeast(let least):
      #expect(size == 0 || size >= least, "\(place): size \(size) is below \(least)")
    }
    switch row.access {
    case .read: #expect(!isWritable, "\(place): is read only, yet writable")
    case .write, .both: #expect(isWritable, "\(place): must be writable")
    case .readAndMaybeWrite: break
    }
    checkReading(row, test, scope, element, size, place)
    checkSetting(row, test, scope, element, isWritable, place)
    // An element beyond the last.
    if !row.elementIsParameter, !row.isQuestion, row.id != kAudioUnitProperty_ElementCount,
      row.id != kAudioUnitProperty_ParameterList, scope <= 2
    {
      let beyond = test.info(row.id, scope, 4_000_000)
      oneOf(
        beyond.status, [kAudioUnitErr_InvalidElement, kAudioUnitErr_InvalidProperty],
        "\(place): element beyond the last")
    }
    if row.elementIsParameter {
      oneOf(
        test.info(row.id, scope, 4_000_000).status,
        [kAudioUnitErr_InvalidParameter, kAudioUnitErr_InvalidElement],
        "\(place): unknown parameter")
    }
  }

  private func checkReading(
    _ row: PropertyRow, _ test: UnitUnderTest, _ scope: UInt32, _ element: UInt32, _ size: UInt32,
    _ place: String
  ) {
    guard !row.isQuestion, size > 0 else { return }
    if row.access == .write {
      oneOf(
        test.read(row.id, scope, element, room: Int(size)).status,
        [kAudioUnitErr_InvalidProperty, kAudioUnitErr_PropertyNotInUse],
        "\(place): reading what is write only")
      return
    }
    let whole = test.read(row.id, scope, element, room: Int(size))
    oneOf(whole.status, [0, kAudioUnitErr_PropertyNotInUse], "\(place): reading")
    guard whole.status == 0 else { return }
    same(whole.bytes.count, Int(size), "\(place): bytes read")
    let roomy = test.read(row.id, scope, element, room: Int(size) + 24)
    same(roomy.bytes.count, Int(size), "\(place): bytes read into a larger buffer")
    same(
      test.read(row.id, scope, element, room: 0).status, kAudio_ParamError,
      "\(place): no room")
    // The beginning of a record of plain values.
    let isPlain = [2, 8, 12, 14, 20].contains(row.id)
    if isPlain {
      let half = test.read(row.id, scope, element, room: Int(size) / 2)
      same(half.status, 0, "\(place): half the room")
      same(half.bytes, Array(whole.bytes.prefix(Int(size) / 2)), "\(place): half the room")
    }
  }

  private func checkSetting(
    _ row: PropertyRow, _ test: UnitUnderTest, _ scope: UInt32, _ element: UInt32,
    _ isWritable: Bool, _ place: String
  ) {
    guard isWritable else {
      same(
        test.setBytes(row.id, [UInt8](repeating: 0, count: 64), scope, element),
        kAudioUnitErr_PropertyNotWritable, "\(place): setting what is read only")
      return
    }
    if case .bytes = row.size {
      same(
        test.setBytes(row.id, [1], scope, element), kAudioUnitErr_InvalidPropertyValue,
        "\(place): setting one byte")
    }
  }

  /// A property that is not there: the code for it, and a size that is not garbage.
  private func checkAbsent(
    _ row: PropertyRow, _ test: UnitUnderTest, _ scope: UInt32, _ element: UInt32,
    _ status: OSStatus, _ size: UInt32, _ place: String
  ) {
    var allowed = [kAudioUnitErr_InvalidProperty]
    if scope > 2 || row.scopes.contains(scope) == false {
      allowed += [kAudioUnitErr_InvalidScope]
    }
    if scope > 2 { allowed += [kAudioUnitErr_InvalidElement] }
    if row.elementIsParameter {
      // A parameter that is there may still have no such thing as names for its values.
      allowed += [
        kAudioUnitErr_InvalidParameter, kAudioUnitErr_InvalidElement,
        kAudioUnitErr_PropertyNotInUse,
      ]
    }
    // On the global scope a format may mean that of the first output, or not be there.
    if scope <= 2, row.scopes.contains(1) { allowed += [kAudioUnitErr_InvalidScope] }
    // An instrument has an input scope without elements.
    if test.subject.isInstrument, scope == 1 { allowed += [kAudioUnitErr_InvalidElement] }
    // Its element is a selector.
    if row.id == kAudioUnitProperty_FastDispatch { allowed += [kAudioUnitErr_InvalidElement] }
    oneOf(status, allowed, "\(place): absent")
    same(size, 0, "\(place): size when absent")
    oneOf(
      test.read(row.id, scope, element, room: 64).status, [status], "\(place): reading, absent")
    oneOf(
      test.setBytes(row.id, [UInt8](repeating: 0, count: 64), scope, element), [status],
      "\(place): setting, absent")
  }
}
