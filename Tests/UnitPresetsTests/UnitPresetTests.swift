// `.aupreset` files: written, read, put into units, refused.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import Foundation
import PropertyLists
import TestSupport
import TestUnits
import Testing
import UnitPresets

@Suite struct UnitPresetTests {
  private func list(_ changes: [String: PropertyListValue?] = [:]) -> PropertyListValue {
    var entries: [String: PropertyListValue] = [
      "version": .integer(0), "type": .integer(0), "subtype": .integer(0),
      "manufacturer": .integer(0), "name": .string("Loud"),
      // Global, element 0, one pair: parameter 0 is 3.
      "data": .data([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0x40, 0x40, 0, 0]),
    ]
    for (key, value) in changes { entries[key] = value }
    return .dictionary(entries)
  }

  @Test(arguments: [UnitPreset.FileForm.xml, .binary])
  func filesGoBothWays(_ form: UnitPreset.FileForm) throws {
    let folder = try TemporaryFolder()
    let first = try TestUnits.gain()
    try first.setParameter(0, 2.5)
    try first.setParameter(7, 2)
    let path = folder("Mine & yours.aupreset")
    try UnitPreset(of: first, name: "Grüße").write(to: path, form: form)
    let second = try TestUnits.gain()
    try second.loadPresetFile(path)
    #expect(try second.parameter(0) == 2.5)
    #expect(try second.parameter(7) == 2)
    #expect(second.presentPreset?.name == "Grüße")
    #expect(second.presentPreset?.number == -1)
    // The same state is the same file.
    let bytes = try Data(contentsOf: URL(filePath: path))
    try second.savePresetFile(folder("again.aupreset"))
    let again = try UnitPreset(contentsOf: folder("again.aupreset"))
    #expect(again.entries == (try UnitPreset(bytes: Array(bytes))).entries)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
  }

  @Test func aFileThatIsThereStays() throws {
    let folder = try TemporaryFolder()
    let unit = try TestUnits.gain()
    try folder.write("keep me", to: "old.aupreset")
    let error = #expect(throws: AuricleError.self) {
      try unit.savePresetFile(folder("old.aupreset"))
    }
    #expect(error?.category == .inputOutput)
    #expect(try String(contentsOfFile: folder("old.aupreset"), encoding: .utf8) == "keep me")
    try unit.savePresetFile(folder("old.aupreset"), overwrite: true)
    #expect(try UnitPreset(contentsOf: folder("old.aupreset")).name == "Untitled")
    #expect(throws: AuricleError.self) { try unit.savePresetFile(folder("none/x.aupreset")) }
  }

  @Test func numbersAndNamesOfAPresetReachTheUnit() throws {
    let unit = try TestUnits.gain()
    try UnitPreset(list()).apply(to: unit)
    #expect(try unit.parameter(0) == 3)
    #expect(unit.presentPreset?.name == "Loud")
  }

  @Test func anotherUnitsPresetIsRefusedByName() throws {
    let unit = try TestUnits.gain()
    let other = try UnitPreset(
      list(["subtype": .integer(0x6465_6c79), "manufacturer": .integer(0x6170_706c)]),
      path: "echo.aupreset")
    let error = #expect(throws: AuricleError.self) { try other.apply(to: unit) }
    #expect(error?.category == .badData)
    #expect(error?.message.contains("echo.aupreset was made for the unit") == true)
    #expect(error?.message.contains("dely:appl") == true)
    #expect(try unit.parameter(0) == 1)
    // Another type of the same unit is the same unit.
    try UnitPreset(list(["type": .integer(0x6175_6f6c)])).apply(to: unit)
    #expect(try unit.parameter(0) == 3)
  }

  @Test(
    arguments: [
      ("version", .integer(1)), ("version", nil), ("type", nil), ("subtype", .string("dely")),
      ("manufacturer", .integer(1 << 40)), ("data", .string("no data")), ("part", .integer(0)),
    ] as [(String, PropertyListValue?)])
  func refusesWhatIsNoPreset(_ key: String, _ value: PropertyListValue?) throws {
    let error = #expect(throws: AuricleError.self) { try UnitPreset(list([key: value])) }
    #expect(error?.category == .badData)
    #expect(error?.message.contains(key) == true || key == "part")
  }

  @Test func hostileFilesAreErrors() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "empty.aupreset")
    try folder.write("name: not a property list", to: "text.aupreset")
    try folder.write(
      "<plist version=\"1.0\">" + String(repeating: "<array>", count: 200_000), to: "deep.aupreset")
    for name in ["empty", "text", "deep"] {
      let error = #expect(throws: AuricleError.self) {
        try UnitPreset(contentsOf: folder(name + ".aupreset"))
      }
      #expect(error?.category == .badData, "\(name)")
    }
    let missing = #expect(throws: AuricleError.self) {
      try UnitPreset(contentsOf: folder("none.aupreset"))
    }
    #expect(missing?.category == .noInput)
  }

  @Test func aDamagedBlobIsReportedAndChangesNothing() throws {
    let unit = try TestUnits.gain()
    let damaged = try UnitPreset(list(["data": .data([0, 0, 0])]))
    let error = #expect(throws: AuricleError.self) { try damaged.apply(to: unit) }
    #expect(error?.message.contains("does not take") == true)
    #expect(try unit.parameter(0) == 1)
  }

  @Test func listenersAreNotifiedOfEveryParameter() throws {
    final class Count: @unchecked Sendable { var value = 0 }
    let count = Count()
    let unit = try TestUnits.gain()
    let listener = unsafe EventListener(
      interval: 0, granularity: 0, delivery: EventDelivery { _, _ in }
    ) { _, _, _, value in
      if value == 3 { count.value += 1 }
    }
    defer { listener.dispose() }
    let event = unsafe UnitEvent(.valueChange, of: unit.instance, id: 0)
    #expect(unsafe listener.add(event, object: nil) == 0)
    try UnitPreset(list()).apply(to: unit)
    #expect(count.value == 1)
  }

  @Test func aUsersPresetsAreFound() throws {
    let folder = try TemporaryFolder()
    let presets = UserPresets(folder: folder.path)
    #expect(presets.folder(ofUnit: "Maker: Unit/2") == folder("Maker/Unit-2"))
    #expect(presets.paths(ofUnit: "Maker: Unit").isEmpty)
    try folder.write("", to: "Maker/Unit/b.aupreset")
    try folder.write("", to: "Maker/Unit/a.aupreset")
    try folder.write("", to: "Maker/Unit/readme.txt")
    #expect(
      presets.paths(ofUnit: "Maker: Unit")
        == [folder("Maker/Unit/a.aupreset"), folder("Maker/Unit/b.aupreset")])
  }
}
