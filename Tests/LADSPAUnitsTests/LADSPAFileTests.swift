// Files of LADSPA plug-ins: names, identities, the cache, and one sentence for each defect.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AudioUnits
import CAudioToolbox
import ForeignPlugIns
import Foundation
import LADSPAUnits
import TestSupport
import Testing

@Suite struct LADSPAFileTests {
  @Test func eachPlugInOfAFileIsAComponent() throws {
    let components = try LADSPAFixture("passes").catalog().discover().components
    #expect(components.map(\.location.identifier) == ["ladspa:passes:one", "ladspa:passes:two"])
    #expect(
      components.map(\.name) == ["Auricle's tests: Passes one", "Auricle's tests: Passes two"])
    #expect(components.allSatisfy { $0.origin == .ladspa && $0.triple.hasPrefix("aufx:") })
    #expect(Set(components.map(\.triple)).count == 2)
  }

  /// Stored presets hold these: a failure here means that the names changed, which they must not.
  @Test func identitiesStayWhatTheyAre() {
    let names = ["ladspa:cmt:amp_mono", "ladspa:amp:amp_mono", "ladspa:a%3Ab:c", "ladspa:a:b:c"]
    #expect(Set(names.map(PlugInIdentity.init(of:))).count == names.count)
  }

  @Test func aColonInAFilesNameMakesNoOthersName() throws {
    let fixture = try LADSPAFixture("passes")
    try FileManager.default.moveItem(
      atPath: fixture.path("passes"), toPath: fixture.folder("100%:a.so"))
    let names = fixture.catalog().discover().components.map(\.location.identifier)
    #expect(names.first == "ladspa:100%25%3Aa:one")
  }

  @Test(arguments: [
    (
      "label-twice",
      "its plug-in \"one\": its label is in the file more than once: the first is used"
    ),
    ("no-run", "its plug-in \"no-run\": it lacks the functions run, cleanup"),
    ("no-label", "its plug-in \"\": it has no label"),
    ("odd-port", "its plug-in \"odd-port\": it has a port 1 of no kind that LADSPA has"),
    (
      "many-ports",
      "its plug-in \"many-ports\": it declares 18446744073709551615 ports, not 0 to 4096"
    ),
    ("never-null", "its ladspa_descriptor returns more than 4095 plug-ins"),
    ("returns-none", "it holds no plug-in: its ladspa_descriptor returns none"),
    ("no-symbol", "its file has no symbol ladspa_descriptor"),
    ("undefined-symbol", "undefined symbol: auricle_fixture_undefined_function"),
  ]) func aDefectIsASentence(name: String, sentence: String) throws {
    let problems = try LADSPAFixture(name).problems
    #expect(problems.count == 1)
    #expect(problems.first?.contains(sentence) == true, "\(problems)")
  }

  @Test(arguments: [
    ("text", Array("not a library".utf8), "it is no shared object"),
    (
      "narrow", [0x7F, 0x45, 0x4C, 0x46, 1, 1, 1] + [UInt8](repeating: 0, count: 60),
      "it is a 32-bit library: install the one of 64 bits"
    ),
    (
      "strange",
      [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1] + [UInt8](repeating: 0, count: 9) + [3, 0, 8, 0]
        + [UInt8](repeating: 0, count: 60), "it is a library for MIPS"
    ),
    (
      "reversed",
      [0x7F, 0x45, 0x4C, 0x46, 2, 2, 1] + [UInt8](repeating: 0, count: 9) + [0, 3, 0, 22]
        + [UInt8](repeating: 0, count: 60), "it is a library for S/390"
    ),
  ]) func aFileOfAnotherKindIsASentence(name: String, bytes: [UInt8], sentence: String) throws {
    let fixture = try LADSPAFixture()
    _ = try fixture.folder.write(Data(bytes), to: "\(name).so")
    let problems = fixture.problems
    #expect(problems.count == 1 && problems.first?.hasPrefix(sentence) == true, "\(problems)")
  }

  @Test(arguments: [63, 64, 4000]) func aFileThatIsCutShortIsASentence(length: Int) throws {
    let fixture = try LADSPAFixture("passes")
    let whole = try Data(contentsOf: URL(filePath: fixture.folder("passes.so")))
    _ = try fixture.folder.write(whole.prefix(length), to: "passes.so")
    #expect(fixture.problems == ["it is cut short: install it again"])
  }

  @Test func aLinkToItselfIsASentence() throws {
    let fixture = try LADSPAFixture()
    try FileManager.default.createSymbolicLink(
      atPath: fixture.folder("self.so"), withDestinationPath: "self.so")
    #expect(fixture.problems == ["it is a link that leads in a circle: remove it"])
  }

  @Test func aNameOfTwoLinesIsASentence() throws {
    let fixture = try LADSPAFixture("passes")
    try FileManager.default.moveItem(
      atPath: fixture.folder("passes.so"), toPath: fixture.folder("pas\nses.so"))
    let request = CatalogRequest(
      searchPath: fixture.folder.path, cacheFolder: "", reader: AbsentReader())
    #expect(
      LADSPAFormat().catalog(request).discover().problems.map(\.message)
        == ["its path has an end of line: rename it"])
  }

  @Test func aLinkToNowhereIsASentence() throws {
    let fixture = try LADSPAFixture("passes")
    try FileManager.default.createSymbolicLink(
      atPath: fixture.folder("gone.so"), withDestinationPath: "/nowhere/gone.so")
    try FileManager.default.createSymbolicLink(
      atPath: fixture.folder("same.so"), withDestinationPath: "passes.so")
    #expect(fixture.problems == ["the file is missing"])
    #expect(fixture.catalog().discover().components.count == 2, "a file reached twice counts once")
  }

  @Test func theHostsLibraryOfMathematicsIsThere() throws {
    #expect(try LADSPAFixture("needs-libm").component().location.identifier != nil)
  }

  @Test func aFileThatCrashesItsReaderIsLeftOutUntilItChanges() throws {
    let fixture = try LADSPAFixture("passes", "crashes")
    let cache = try TemporaryFolder("auricle-ladspa-cache")
    let reader = CountingReader()
    func problems() -> [String] {
      LADSPAFormat().catalog(
        CatalogRequest(
          searchPath: fixture.folder.path, cacheFolder: cache.path, reader: reader)
      ).discover().problems.map(\.message)
    }
    #expect(problems() == ["reading it crashed"])
    #expect(problems() == ["reading it crashed"])
    #expect(reader.count == 2, "each file is read once")
    _ = try fixture.folder.write("another", to: "crashes.so")
    #expect(problems() == ["reading it crashed"])
    #expect(reader.count == 3)
  }

  @Test func aDamagedCacheIsReadAnew() throws {
    let fixture = try LADSPAFixture("passes")
    let cache = try TemporaryFolder("auricle-ladspa-cache")
    for _ in 0..<2 {
      #expect(fixture.catalog(cacheFolder: cache.path).discover().components.count == 2)
      for name in try FileManager.default.contentsOfDirectory(atPath: cache.path) {
        let path = cache(name)
        let content = try Data(contentsOf: URL(fileURLWithPath: path))
        try content.dropLast(content.count / 2).write(to: URL(fileURLWithPath: path))
      }
    }
  }

  @Test func withoutAReaderNoCodeIsRun() throws {
    let fixture = try LADSPAFixture("crashes")
    let catalog = LADSPAFormat().catalog(
      CatalogRequest(searchPath: fixture.folder.path, cacheFolder: ""))
    #expect(catalog.discover().components.isEmpty)
  }

  @Test func theFirstFolderWins() throws {
    let (one, two) = (try LADSPAFixture("passes"), try LADSPAFixture("passes"))
    let catalog = LADSPAFormat().catalog(
      CatalogRequest(
        searchPath: "\(one.folder.path):\(two.folder.path)", cacheFolder: "", runsCode: true))
    #expect(
      catalog.discover().components.map(\.location.path) == [
        one.path("passes"), one.path("passes"),
      ])
    #expect(catalog.bundles.last?.units.first?.shadowedBy == one.path("passes"))
  }
}

/// A reader whose process dies of files called "crashes".
private final class CountingReader: IsolatedReader, @unchecked Sendable {
  // @unchecked Sendable because one test's thread alone uses it.
  private(set) var count = 0

  func readBundles(_ paths: [String], format: String) -> [BundleOutcome] {
    count += paths.count
    return paths.map { path in
      guard !path.hasSuffix("crashes.so"), let bytes = LADSPAFormat().readBundle(path) else {
        return .failed("reading it crashed")
      }
      return .read(bytes)
    }
  }

  func readCode(of identifier: String, format: String) -> [UInt8]? { nil }
}

/// A reader that cannot be asked for anything.
private struct AbsentReader: IsolatedReader {
  func readBundles(_ paths: [String], format: String) -> [BundleOutcome] {
    paths.map { _ in .notTried }
  }

  func readCode(of identifier: String, format: String) -> [UInt8]? { nil }
}
