// Finding bundles: their declarations, their order, and the bundles that count.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import CAudioToolbox
import Foundation
import NativeUnits
import TestSupport
import Testing

@Suite("Finding component bundles")
struct BundleDiscoveryTests {
  private let folder: TemporaryFolder
  private static let noBinary = Data("not a binary: listing must not care".utf8)

  init() throws { folder = try TemporaryFolder("components") }

  private func discover(_ folders: [String]? = nil) -> ComponentDiscovery {
    NativeComponentSource(folders: (folders ?? [folder.path]).map { ($0, .native) }).discover()
  }

  @Test func readsWhatABundleDeclares() throws {
    let path = try ComponentFixture.makeGainUnit(in: folder)
    let found = NativeComponentSource(folders: [(folder.path, .builtIn)]).discover()
    #expect(found.problems.isEmpty)
    let component = try #require(found.components.first)
    #expect(component.triple == "aufx:gain:AuTe")
    #expect(component.name == "Auricle Tests: Gain")
    #expect(component.version == 0x10203)
    #expect(component.summary == "Makes a signal louder or softer")
    #expect(component.tags == ["Effects", "Dynamics"])
    #expect(component.origin == .builtIn)
    #expect(component.location == .path(path))
    #expect(component.description.componentFlags == UInt32(kAudioComponentFlag_SandboxSafe))
  }

  @Test func listingOpensNoBinary() throws {
    try ComponentFixture.makeBundle("Crash", binary: Self.noBinary, in: folder)
    #expect(discover().components.map(\.name) == ["Auricle Tests: Crash"])
    #expect(discover().problems.isEmpty)
  }

  @Test func bundlesComeSortedAndFromTheFolderItself() throws {
    for (index, name) in ["b", "A", "a", "Z"].enumerated() {
      try ComponentFixture.makeBundle(
        name, subtype: "un0\(index)", binary: Self.noBinary, in: folder)
    }
    let inner = try TemporaryFolder("inner")
    try ComponentFixture.makeBundle("c", subtype: "un09", binary: Self.noBinary, in: inner)
    try FileManager.default.copyItem(atPath: inner.path, toPath: folder("sub"))
    try FileManager.default.copyItem(
      atPath: inner("c.component"), toPath: folder(".hidden.component"))
    try folder.makeFolder("README")
    #expect(
      discover().components.map(\.name) == ["A", "Z", "a", "b"].map { "Auricle Tests: " + $0 })
    #expect(discover().problems.isEmpty)
  }

  @Test func linkedBundlesAndFoldersCountOnce() throws {
    let elsewhere = try TemporaryFolder("elsewhere")
    let path = try ComponentFixture.makeBundle("Gain", binary: Self.noBinary, in: elsewhere)
    try FileManager.default.createSymbolicLink(
      atPath: folder("Gain.component"), withDestinationPath: path)
    #expect(discover().components.count == 1)
    #expect(discover([folder.path, folder.path + "/", folder.path + "/."]).components.count == 1)
  }

  /// Makers choose the names of their bundles: two with the same name are different ones.
  @Test func bundlesOfOneNameAreAllFound() throws {
    let second = try TemporaryFolder("second")
    try ComponentFixture.makeBundle("Gain", subtype: "one ", binary: Self.noBinary, in: folder)
    try ComponentFixture.makeBundle("Gain", subtype: "two ", binary: Self.noBinary, in: second)
    let found = discover([folder.path, second.path])
    #expect(found.components.map(\.triple) == ["aufx:one :AuTe", "aufx:two :AuTe"])
    #expect(found.problems.isEmpty)
  }

  @Test func theFirstFolderOfAnIdentityWins() throws {
    let second = try TemporaryFolder("second")
    let first = try ComponentFixture.makeBundle("Gain", binary: Self.noBinary, in: folder)
    let other = try ComponentFixture.makeBundle("Other", binary: Self.noBinary, in: second)
    // One bundle in two places is one.
    try FileManager.default.createSymbolicLink(
      atPath: second("Gain.component"), withDestinationPath: first)
    let source = NativeComponentSource(folders: [(folder.path, .native), (second.path, .native)])
    let registry = AudioComponentRegistry(sources: [source])
    #expect(registry.components.map(\.location) == [.path(first)])
    #expect(registry.problems.isEmpty)
    #expect(try registry.resolve(other).name == "Auricle Tests: Other")
    #expect(source.bundles.map(\.path) == [first, other])
    #expect(source.bundles.flatMap(\.units).map(\.shadowedBy) == [nil, first])
  }

  @Test func aBrokenCopyDoesNotHideAGoodOne() throws {
    let second = try TemporaryFolder("second")
    try ComponentFixture.makeBundle("Gain", info: "<plist>", binary: Self.noBinary, in: folder)
    try ComponentFixture.makeBundle("Gain", subtype: "two ", binary: Self.noBinary, in: second)
    let found = discover([folder.path, second.path])
    #expect(found.components.map(\.triple) == ["aufx:two :AuTe"])
    #expect(found.problems.map(\.path) == [folder("Gain.component")])
  }

  @Test func aMissingFolderHoldsNothing() {
    let found = discover([folder("none"), ""])
    #expect(found.components.isEmpty)
    #expect(found.problems.isEmpty)
  }

  @Test func aFolderThatIsNoneIsAProblem() throws {
    let path = try folder.write("text", to: "file")
    #expect(discover([path]).problems.map(\.path) == [path])
  }

  @Test func severalUnitsABundle() throws {
    func entry(_ subtype: String, _ factory: String = "F") -> String {
      """
      <dict><key>type</key><string>aufx</string><key>subtype</key>\(subtype)
      <key>manufacturer</key><integer>1098208357</integer><key>name</key><string>T: U</string>
      <key>factoryFunction</key><string>\(factory)</string></dict>
      """
    }
    let entries =
      entry("<string>one </string>") + "<string>no</string>" + entry("<string>toolong</string>")
      + entry("<string>two </string>") + entry("<integer>1</integer>", "has space")
      + entry("<integer>4294967295</integer>")
    try ComponentFixture.makeBundle(
      "Many",
      info: "<plist><dict><key>AudioComponents</key><array>\(entries)</array></dict></plist>",
      binary: Self.noBinary, in: folder)
    let found = discover()
    #expect(
      found.components.map(\.triple) == [
        "aufx:one :AuTe", "aufx:two :AuTe", "aufx:0xFFFFFFFF:AuTe",
      ])
    #expect(
      found.problems.map { $0.message.prefix(8) } == ["Entry 2 ", "Entry 3 ", "Entry 5 "])
    #expect(found.problems[1].message.contains("its subtype is \"toolong\""))
  }

  @Test(
    "where the binary may be",
    arguments: [
      "Contents/Linux/Gain", "Contents/Linux/libGain.so", "Contents/Gain",
    ])
  func binaryPlaces(place: String) throws {
    try ComponentFixture.makeBundle("Gain", binary: Data(), in: folder)
    #expect(discover().components.isEmpty)
    try folder.write(Self.noBinary, to: "Gain.component/" + place)
    #expect(discover().components.count == 1)
  }

  @Test func theBundleNamesTheBinaryIfNothingElseDoes() throws {
    let info = ComponentFixture.info("Gain").replacing("CFBundleExecutable", with: "Other")
    try ComponentFixture.makeBundle("Gain", info: info, binary: Self.noBinary, in: folder)
    #expect(discover().components.count == 1)
  }

  @Test func foreignTextStaysOnItsLine() throws {
    let more =
      "<key>description</key><string>a&#10;b&#9;c</string>"
      + "<key>tags</key><array><string>x&#10;y</string><integer>1</integer></array>"
    try ComponentFixture.makeBundle(
      "Gain", info: ComponentFixture.info("Gain", more: more), binary: Self.noBinary, in: folder)
    let component = try #require(discover().components.first)
    #expect(component.summary == "a b c")
    #expect(component.tags == ["x y"])
  }

  @Test func standardFolders() {
    func folders(_ environment: [String: String], home: String? = nil) -> [String] {
      NativeComponentSource.standardFolders(
        shipped: "/opt/a/Components", environment: environment, accountHome: home
      ).map { "\($0.origin.rawValue) \($0.path)" }
    }
    let common = [
      "native /usr/local/lib/auricle/Components", "native /usr/lib/auricle/Components",
      "built-in /opt/a/Components",
    ]
    #expect(folders([:]) == common)
    #expect(
      folders(["AURICLE_COMPONENT_PATH": ":/x::y/z:", "HOME": "/home/me"], home: "/home/other")
        == ["native /x", "native y/z", "native /home/me/.local/lib/auricle/Components"] + common)
    for home in ["", "relative"] {
      #expect(
        folders(["HOME": home], home: "/home/you")
          == ["native /home/you/.local/lib/auricle/Components"] + common)
    }
    let installed = NativeComponentSource.standardFolders(
      shipped: "/usr/lib/auricle/Components", environment: [:], accountHome: nil)
    #expect(installed.map(\.origin) == [.native, .builtIn])
    #expect(NativeComponentSource.standardFolders(shipped: nil).allSatisfy { $0.origin == .native })
  }
}
