// One bundle a defect: each costs only itself, and is reported in one sentence with advice.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import Foundation
import NativeUnits
import TestSupport
import Testing

@Suite("Broken component bundles")
struct BrokenBundleTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder("components")
    try ComponentFixture.makeBundle(
      "Good", subtype: "good", binary: Data("never opened".utf8), in: folder)
  }

  /// The problem with the bundle; the good one beside it must still be found.
  private func problem(
    info: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> String {
    if let info {
      try ComponentFixture.makeBundle("Bad", info: info, binary: Data("x".utf8), in: folder)
    }
    let found = NativeComponentSource(folders: [(folder.path, .native)]).discover()
    #expect(found.components.map(\.triple) == ["aufx:good:AuTe"], sourceLocation: sourceLocation)
    #expect(found.problems.count == 1, sourceLocation: sourceLocation)
    let problem = try #require(found.problems.first, sourceLocation: sourceLocation)
    #expect(problem.path == folder("Bad.component"), sourceLocation: sourceLocation)
    #expect(problem.message.hasSuffix("."), sourceLocation: sourceLocation)
    #expect(!problem.message.contains("\n"), sourceLocation: sourceLocation)
    return problem.message
  }

  @Test func missingInfo() throws {
    try #expect(problem(info: "").hasPrefix("Contents/Info.plist is missing"))
  }

  @Test func fileInsteadOfABundle() throws {
    try folder.write("text", to: "Bad.component")
    try #expect(problem().hasPrefix("Contents/Info.plist is missing"))
  }

  @Test func folderInsteadOfInfo() throws {
    try folder.makeFolder("Bad.component/Contents/Info.plist")
    try #expect(problem().contains("it is a folder"))
  }

  @Test func badXML() throws {
    let text = "<plist>\n<dict>\n<key>AudioComponents</key\n</dict></plist>"
    try #expect(problem(info: text).contains("not usable: line 4, column"))
  }

  @Test func badBinaryPropertyList() throws {
    let bytes = Data("bplist00".utf8) + Data(repeating: 0xFF, count: 60)
    try folder.write(bytes, to: "Bad.component/Contents/Info.plist")
    try #expect(problem().contains("not usable: byte"))
  }

  @Test func otherKindOfPropertyList() throws {
    try #expect(problem(info: "{ AudioComponents = (); }").contains("neither an XML nor a binary"))
  }

  @Test func noComponents() throws {
    try #expect(problem(info: "<plist><dict/></plist>").contains("no key AudioComponents"))
    try #expect(problem(info: "<plist><array/></plist>").contains("no key AudioComponents"))
    for (value, kind) in [
      ("<string/>", "is a string"), ("<dict/>", "is a dictionary"), ("<array/>", "is empty"),
    ] {
      let info = "<plist><dict><key>AudioComponents</key>\(value)</dict></plist>"
      try #expect(problem(info: info).contains("AudioComponents in Contents/Info.plist \(kind)"))
    }
  }

  @Test(
    "a bad entry",
    arguments: [
      ("<string>aufx</string>", "<string>abc</string>", "its type is \"abc\""),
      ("<string>aufx</string>", "<string>äbc</string>", "its type is \"äbc\""),
      ("<string>aufx</string>", "<integer>-1</integer>", "its type is -1"),
      ("<string>aufx</string>", "<integer>0</integer>", "its type is 0"),
      ("<string>aufx</string>", "<real>1</real>", "its type is a real number"),
      ("<key>subtype</key>", "<key>other</key>", "it has no subtype"),
      ("<key>manufacturer</key>", "<key>other</key>", "it has no manufacturer"),
      ("<key>name</key>", "<key>other</key>", "it has no name"),
      ("<string>Auricle Tests: Bad</string>", "<true/>", "its name is a boolean"),
      ("<string>Auricle Tests: Bad</string>", "<string/>", "its name must be"),
      ("<string>Auricle Tests: Bad</string>", "<string>a&#10;b</string>", "its name must be"),
      ("<integer>65536</integer>", "<string>1.0</string>", "its version must be"),
      ("<integer>65536</integer>", "<integer>4294967296</integer>", "its version must be"),
      ("<key>factoryFunction</key>", "<key>other</key>", "it has no factoryFunction"),
      ("<string>BadFactory</string>", "<string>a b</string>", "cannot be a symbol"),
    ])
  func badEntry(good: String, bad: String, reason: String) throws {
    let info = ComponentFixture.info("Bad").replacing(good, with: bad)
    let message = try problem(info: info)
    #expect(message.hasPrefix("Entry 1 of AudioComponents"))
    #expect(message.contains(reason), "\(message)")
  }

  @Test func missingBinary() throws {
    try ComponentFixture.makeBundle("Bad", binary: Data(), in: folder)
    let message = try problem()
    #expect(message.contains("The binary is missing"))
    for place in ["Contents/Linux/Bad", "Contents/Linux/libBad.so", "Contents/Bad"] {
      #expect(message.contains(place))
    }
  }

  @Test func danglingAndFolderBinaries() throws {
    try ComponentFixture.makeBundle("Bad", binary: Data(), in: folder)
    try folder.makeFolder("Bad.component/Contents/Linux/Bad")
    try FileManager.default.createSymbolicLink(
      atPath: folder("Bad.component/Contents/Bad"), withDestinationPath: "/nowhere")
    try #expect(problem().contains("The binary is missing"))
  }

  @Test("an executable outside of the bundle", arguments: ["../../x", "/bin/true", "..", ".", ""])
  func badExecutable(name: String) throws {
    let info = ComponentFixture.info("Bad").replacing(
      "<key>CFBundleExecutable</key><string>Bad<",
      with: "<key>CFBundleExecutable</key><string>\(name)<")
    try #expect(problem(info: info).contains("CFBundleExecutable"))
  }

  @Test func manyBadEntriesAreCounted() throws {
    let entries = String(repeating: "<true/>", count: 3000)
    let info = "<plist><dict><key>AudioComponents</key><array>\(entries)</array></dict></plist>"
    try ComponentFixture.makeBundle("Bad", info: info, binary: Data("x".utf8), in: folder)
    let found = NativeComponentSource(folders: [(folder.path, .native)]).discover()
    #expect(found.components.map(\.triple) == ["aufx:good:AuTe"])
    #expect(found.problems.count == 11)
    let last = try #require(found.problems.last)
    #expect(last.message.hasPrefix("2990 more entries"))
  }
}
