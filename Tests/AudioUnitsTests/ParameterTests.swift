// Parameters and presets: names, units, values, and ownership of references.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import Testing

@Suite struct ParameterTests {
  private func parameters() throws -> [UnitParameter] {
    let fake = FakeUnit()
    fake.bytes[kAudioUnitProperty_ParameterList] = [0, 5, 7, 9].flatMap { [$0, 0, 0, 0] }
    return try fake.open().parameters()
  }

  @Test func namesUnitsAndRangesAreRead() throws {
    let list = try parameters()
    #expect(list.map(\.id) == [0, 5, 7, 9])
    #expect(list[0].name == "Gain" && list[0].unitName == "dB")
    #expect(list[0].minimum == -20 && list[0].maximum == 20 && list[0].defaultValue == 3)
    #expect(list[0].isWritable && list[0].isReadable && !list[0].isLogarithmic)
    #expect(list[0].symbol == nil && list[0].clumpName == nil && list[0].valueNames == nil)
    #expect(list[1].name == "Widgets ü" && list[1].unitName == "widgets")
    #expect(list[1].isLogarithmic && list[1].clumpName == "Clump 3")
    #expect(list[3].name == String(repeating: "x", count: 52))
  }

  @Test func valueNamesBeginAtTheMinimum() throws {
    let mode = try parameters()[2]
    #expect(mode.valueNames == ["Low", "Mid", "High"])
    #expect(mode.valuePoints.map(\.value) == [1, 2, 3])
    #expect(mode.value(named: "mid") == 2 && mode.value(named: "none") == nil)
    #expect(mode.valueName(of: 3) == "High" && mode.valueName(of: 1.5) == nil)
    #expect(mode.isIndexed && mode.isMeter && !mode.isWritable)
  }

  @Test func namedPointsLieAnywhere() throws {
    let points = try parameters()[3]
    #expect(points.symbol == "mode_port")
    #expect(points.valuePoints.map(\.value) == [-1, 0.5])
    #expect(points.valuePoints.map(\.name) == ["Off", "Half"])
    #expect(points.valueNames == nil)
  }

  @Test func aUnitWithoutAListHasNoParameters() throws {
    #expect(try FakeUnit().open().parameters().isEmpty)
  }

  @Test func aParameterThatCannotBeDescribedIsAnError() throws {
    let fake = FakeUnit()
    fake.bytes[kAudioUnitProperty_ParameterList] = [99, 0, 0, 0]
    let unit = try fake.open()
    let error = #expect(throws: AuricleError.self) { _ = try unit.parameters() }
    #expect(error?.message.contains("cannot describe parameter 99") == true)
  }

  @Test func valuesAreSetAndRead() throws {
    let fake = FakeUnit()
    let unit = try fake.open()
    try unit.setParameter(0, 0.25, bufferOffset: 64)
    #expect(try unit.parameter(0) == 0.25)
    #expect(fake.calls.last == "parameter 0 0.25 at 64")
    let missing = #expect(throws: AuricleError.self) { try unit.setParameter(42, 1) }
    #expect(missing?.status == kAudioUnitErr_InvalidParameter)
    #expect(throws: AuricleError.self) { _ = try unit.parameter(0, scope: 1) }
  }

  @Test(arguments: [Float.nan, .infinity, -.infinity])
  func valuesThatAreNotFiniteNeverReachTheUnit(value: Float) throws {
    let fake = FakeUnit()
    let unit = try fake.open()
    let error = #expect(throws: AuricleError.self) { try unit.setParameter(0, value) }
    #expect(error?.status == kAudioUnitErr_InvalidParameterValue)
    #expect(fake.calls == ["Open", FakeUnit.versionQuery])
  }

  @Test func everyUnitThatNeedsOneHasAName() {
    let names = (0...27).map { UnitParameter.unitName(of: UInt32($0)) }
    #expect(names[3] == "%" && names[4] == "s" && names[8] == "Hz" && names[13] == "dB")
    #expect(names[24] == "ms" && names[15] == "°" && names[25] == ":1")
    #expect(names[0] == "" && names[1] == "" && names[26] == "")
  }

  @Test func presetsAreListedAndChosen() throws {
    let presets = UnsafeMutablePointer<AUPreset>.allocate(capacity: 2)
    defer { unsafe presets.deallocate() }
    unsafe presets[0] = AUPreset(presetNumber: 4, presetName: makeCFString("Warm"))
    unsafe presets[1] = AUPreset(presetNumber: 9, presetName: nil)
    var pointers: [UnsafeRawPointer?] = unsafe [
      UnsafeRawPointer(presets), UnsafeRawPointer(presets + 1),
    ]
    let array = unsafe pointers.withUnsafeMutableBufferPointer { buffer in
      unsafe CFArrayCreate(nil, buffer.baseAddress, buffer.count, nil)
    }
    let fake = FakeUnit()
    let unit = try fake.open()
    #expect(unit.presentPreset == nil)
    // Each reading adds one reference.
    unsafe fake.set(kAudioUnitProperty_FactoryPresets, array)
    for _ in 0..<4 { if let array = unsafe array { _ = unsafe CFRetain(UnsafeRawPointer(array)) } }
    #expect(unit.factoryPresets.map(\.number) == [4, 9])
    #expect(unit.factoryPresets.map(\.name) == ["Warm", ""])
    try unit.selectPreset(number: 9)
    #expect(fake.presentPreset == 9)
    #expect(unit.presentPreset?.number == 9 && unit.presentPreset?.name == "Preset 9")
    let error = #expect(throws: AuricleError.self) { try unit.selectPreset(number: 5) }
    #expect(error?.message.contains("no factory preset 5") == true)
  }
}
