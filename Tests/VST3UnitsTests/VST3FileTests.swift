// Bundles and files of VST3: their places, their contents, and their defects.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AudioUnits
import CAudioToolbox
import Foundation
import TestSupport
import Testing
import VST3Units

@Suite struct VST3FileTests {
  @Test func aBundleIsFoundInDepthAndDescribed() throws {
    let fixture = try VST3Fixture()
    let component = try fixture.component()
    #expect(component.location.identifier == VST3Fixture.effect)
    #expect(component.location.path == fixture.bundle)
    #expect(component.name == "Auricle's tests: Gain")
    #expect(component.triple.hasPrefix("aumf:"), "it has audio in and out, and notes in")
    #expect(component.versionText == "2.5.1")
    #expect(component.tags == ["Fx", "Tools"])
    let facts = fixture.catalog().metadata(of: component)?.facts
    #expect(facts?.binary == fixture.binary)
    #expect(facts?.extensions.contains("IMidiMapping") == true)
    #expect(facts?.midiInputs == 1)
  }

  @Test func aSingleFileIsFound() throws {
    let fixture = try VST3Fixture()
    try FileManager.default.removeItem(atPath: fixture.bundle)
    try fixture.compile("SOUND", to: fixture.folder("maker/Alone.vst3"))
    #expect(try fixture.component().location.identifier == VST3Fixture.effect)
  }

  @Test func anInstrumentHasTheNameOfItsNewestDescription() throws {
    let component = try VST3Fixture(source: "instrument").component()
    #expect(component.name == "Maker: Klänge")
    #expect(component.versionText == "3.0.0")
    #expect(component.triple.hasPrefix("aumu:"))
  }

  @Test(arguments: [
    ("NO_ENTRY", "its file has no symbol ModuleEntry"),
    ("NO_EXIT", "its file has no symbol ModuleExit"),
    ("NO_FACTORY_SYMBOL", "its file has no symbol GetPluginFactory"),
    ("REFUSES_TO_START", "its ModuleEntry refused to start"),
    ("NULL_FACTORY", "it holds no plug-in: its GetPluginFactory returns none"),
    ("NO_CLASS", "it holds no plug-in: its factory has no class of a component"),
    (
      "CLASS_TWICE",
      "its plug-in \"Gain\": its class 41757269636C65005465737400000001 is in the file more than once"
    ),
    ("NOT_MADE", "its plug-in \"Gain\": its file does not make the class"),
    ("REFUSES_TO_INITIALISE", "its plug-in \"Gain\": it refused to be initialised"),
    ("NO_PROCESSOR", "its plug-in \"Gain\": it processes no audio"),
    ("NO_CONTROLLER", "its plug-in \"Gain\": its file does not make the class of its controller"),
    ("PARAMETER_TWICE", "its plug-in \"Gain\": it has two parameters of the id 7"),
    ("MANY_CLASSES", "its factory declares 2147483647 classes, not 0 to 4096"),
    ("MANY_INPUTS", "its plug-in \"Gain\": it declares 2147483647 audio inputs, not 0 to 256"),
    ("MANY_PARAMETERS", "\"Gain\": it declares 2147483647 parameters, not 0 to 16384"),
    ("NEGATIVE_EVENTS", "its plug-in \"Gain\": it declares -1 buses of events, not 0 to 256"),
    ("WIDE_BUS", "its plug-in \"Gain\": it has a bus of 5000 channels"),
  ]) func aDefectIsASentence(defect: String, sentence: String) throws {
    let problems = try VST3Fixture(defect).catalog().discover().problems.map(\.message)
    #expect(problems.count == 1 && problems.first?.contains(sentence) == true, "\(problems)")
  }

  @Test(arguments: [
    ("INVERTED_RANGE", "has an inverted range, 4.0 to 0.0"),
    ("EMPTY_RANGE", "has an empty range, 3.0 to 3.0"),
    ("BAD_RANGE", "has a bound that is no number"),
  ]) func aRangeThatIsNoneIsReportedAndUsed(defect: String, sentence: String) throws {
    let fixture = try VST3Fixture(defect)
    #expect(
      fixture.catalog().unusableUnits().map(\.reason) == ["its parameter 7 \"Gain\" \(sentence)"])
    let host = try VST3TestHost(fixture)
    let parameter = try #require(try host.unit.parameters().first)
    #expect(parameter.minimum == 0 && parameter.maximum == (defect == "INVERTED_RANGE" ? 4 : 1))
    try host.unit.initialize()
    try host.unit.setParameter(7, defect == "INVERTED_RANGE" ? 2 : 0.5)
    #expect(try host.render([1, 1], frameCount: 2) == [2, 2])
  }

  @Test func aFileThatIsNoPlugInIsASentence() throws {
    let fixture = try VST3Fixture()
    func problems() -> [String] { fixture.catalog().discover().problems.map(\.message) }
    let file = FileManager.default
    try Data("text".utf8).write(to: URL(fileURLWithPath: fixture.binary))
    #expect(problems() == ["it is no shared object"])
    var header = [UInt8](repeating: 0, count: 64)
    header.replaceSubrange(0..<5, with: [0x7F, 0x45, 0x4C, 0x46, 1])
    try Data(header).write(to: URL(fileURLWithPath: fixture.binary))
    #expect(problems() == ["it is a 32-bit library: install the one of 64 bits"])
    let contents = fixture.bundle + "/Contents"
    try file.moveItem(
      atPath: contents + "/" + VST3Fixture.architecture, toPath: contents + "/riscv64-linux")
    #expect(
      problems().first?.hasPrefix("it is built for riscv64-linux only: install the one") == true)
    try file.removeItem(atPath: contents)
    #expect(problems() == ["it holds no plug-in: it has no folder Contents"])
  }

  @Test func aLoopOfLinksEnds() throws {
    let fixture = try VST3Fixture()
    try FileManager.default.createSymbolicLink(
      atPath: fixture.folder("maker/again"), withDestinationPath: fixture.folder.path)
    #expect(fixture.catalog().discover().components.count == 1)
  }

  @Test func dataOfABundleMayHaveCommentsAndIsCompared() throws {
    let fixture = try VST3Fixture()
    let name = "Contents/Resources/moduleinfo.json"
    func problems() -> [String] { fixture.catalog().discover().problems.map(\.message) }
    let classes = "Classes: [{\"CID\": \"41757269636C65005465737400000001\", Name: 'Gain',},],"
    try fixture.write("// A comment.\n{ \(classes) /* another */ }", to: name)
    #expect(problems() == [])
    try fixture.write(
      "{ \"Classes\": [{ \"CID\": \"00000000000000000000000000000001\" }] }", to: name)
    #expect(problems().count == 1 && problems()[0].contains("is older than the binary"))
    try fixture.write("{\n\"Classes\": [}", to: name)
    #expect(problems() == ["its moduleinfo.json is malformed in line 2: \"\" is no value"])
    #expect(fixture.catalog().discover().components.count == 1, "it is used all the same")
  }

  @Test func aClassIsNamedInAnyWriting() throws {
    let registry = AudioComponentRegistry(sources: [try VST3Fixture().catalog()])
    for name in [
      VST3Fixture.effect, "vst3:41757269-636c-6500-5465-737400000001",
      "vst3:{41757269-636C-6500-5465-737400000001}", "vst3:Gain", "vst3:Auricle's tests: Gain",
      "Gain",
    ] {
      #expect(try registry.resolve(name).location.identifier == VST3Fixture.effect, "\(name)")
    }
  }
}
