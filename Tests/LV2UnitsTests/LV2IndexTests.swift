// The list of LV2 plug-ins: from data files, through the cache, with any broken bundles.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import CAudioToolbox
import Foundation
import LV2Units
import TestSupport
import Testing

/// A bundle of one plug-in made of text.
func writeBundle(
  _ name: String, uri: String, in folder: TemporaryFolder, unit: String = "Test Unit",
  classes: String = "lv2:DelayPlugin", extra: String = "", ports: String = stereoPorts
) throws {
  try folder.write(
    """
    @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    <\(uri)> a lv2:Plugin ; lv2:binary <plugin.so> ; rdfs:seeAlso <plugin.ttl> .
    """, to: "\(name)/manifest.ttl")
  // Ports are numbered here.
  let parts = ports.components(separatedBy: "[ a ")
  let numbered = parts.dropFirst().enumerated().map {
    "[ lv2:index \($0.offset) ; lv2:symbol \"p\($0.offset)\" ; a \($0.element)"
  }
  let ports = parts[0] + numbered.joined()
  try folder.write(
    """
    @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
    @prefix doap: <http://usefulinc.com/ns/doap#> .
    @prefix foaf: <http://xmlns.com/foaf/0.1/> .
    @prefix atom: <http://lv2plug.in/ns/ext/atom#> .
    @prefix midi: <http://lv2plug.in/ns/ext/midi#> .
    <\(uri)> a lv2:Plugin , \(classes) ;
      doap:name "\(unit)" ; doap:maker [ foaf:name "A Maker <a@example.org>" ] ; \(extra)
      \(ports) .
    """, to: "\(name)/plugin.ttl")
}

/// Ports of a stereo effect.
let stereoPorts =
  ports("lv2:AudioPort", "InputPort", 2) + " , " + port("lv2:AudioPort", "OutputPort")
  + " , " + port("lv2:AudioPort", "OutputPort")

private func port(_ kind: String, _ direction: String, _ extra: String = "") -> String {
  "[ a lv2:\(direction) , \(kind) \(extra) ]"
}

private func ports(_ kind: String, _ direction: String, _ count: Int, _ extra: String = "")
  -> String
{
  "lv2:port "
    + Array(repeating: port(kind, direction, extra), count: count).joined(separator: " , ")
}

@Suite struct LV2IndexTests {
  private let folder: TemporaryFolder
  private let cache: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder("auricle-lv2")
    cache = try TemporaryFolder("auricle-lv2-cache")
  }

  private func discover(cached: Bool = true) -> ComponentDiscovery {
    LV2ComponentSource(searchPath: folder.path, cacheFolder: cached ? cache("index") : "")
      .discover()
  }

  private var cacheFiles: [String] {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: cache("index"))) ?? []
    return names.filter { $0.hasSuffix(".bin") }.sorted().map { cache("index/\($0)") }
  }

  @Test func describesAPlugIn() throws {
    try writeBundle(
      "one.lv2", uri: "urn:test:one", in: folder, extra: "lv2:minorVersion 3 ; lv2:microVersion 7 ;"
    )
    let discovery = discover()
    #expect(discovery.problems.isEmpty)
    let component = try #require(discovery.components.first)
    #expect(discovery.components.count == 1)
    #expect(component.name == "A Maker: Test Unit")
    #expect(component.origin == .lv2)
    #expect(component.location == .plugIn(folder("one.lv2"), identifier: "urn:test:one"))
    #expect(component.description.componentType == kAudioUnitType_Effect)
    #expect(component.versionText == "3.7.0")
    #expect(component.tags == ["Delay"])
  }

  @Test(arguments: [
    ("lv2:Plugin", ports("lv2:AudioPort", "InputPort", 1), kAudioUnitType_Effect),
    ("lv2:Plugin", ports("lv2:AudioPort", "OutputPort", 1), kAudioUnitType_Generator),
    ("lv2:InstrumentPlugin", ports("lv2:AudioPort", "OutputPort", 2), kAudioUnitType_MusicDevice),
    ("lv2:MixerPlugin", stereoPorts, kAudioUnitType_Mixer),
    ("lv2:ConverterPlugin", stereoPorts, kAudioUnitType_FormatConverter),
    (
      "lv2:Plugin",
      stereoPorts + " , " + port("atom:AtomPort", "InputPort", "; atom:supports midi:MidiEvent"),
      kAudioUnitType_MusicEffect
    ),
    (
      "lv2:Plugin", ports("atom:AtomPort", "InputPort", 1, "; atom:supports midi:MidiEvent"),
      kAudioUnitType_MIDIProcessor
    ),
  ]) func typeComesFromClassAndPorts(classes: String, ports: String, type: UInt32) throws {
    try writeBundle("t.lv2", uri: "urn:test:t", in: folder, classes: classes, ports: ports)
    #expect(discover().components.first?.description.componentType == type)
  }

  @Test func brokenTurtleCostsOnlyItsBundle() throws {
    try writeBundle("good.lv2", uri: "urn:test:good", in: folder)
    try folder.write(
      "@prefix lv2: <http://x#> .\n\n<urn:a> lv2:b ;;; [ . \n", to: "bad.lv2/manifest.ttl")
    let discovery = discover()
    #expect(discovery.components.map(\.name) == ["A Maker: Test Unit"])
    let problem = try #require(discovery.problems.first)
    #expect(discovery.problems.count == 1)
    #expect(problem.path == folder("bad.lv2"))
    #expect(problem.message.contains("bad.lv2/manifest.ttl:3:"), "\(problem.message)")
  }

  @Test func brokenDataFileLeavesItsPlugInOut() throws {
    try writeBundle("good.lv2", uri: "urn:test:good", in: folder)
    try writeBundle("bad.lv2", uri: "urn:test:bad", in: folder)
    try folder.write("<urn:test:bad> a \"", to: "bad.lv2/plugin.ttl")
    let discovery = discover()
    #expect(discovery.components.compactMap(\.location.identifier) == ["urn:test:good"])
    #expect(discovery.problems.map(\.path) == [folder("bad.lv2")])
    // Remembered, not forgotten, by the cache.
    #expect(discover().problems == discovery.problems)
  }

  @Test func aManifestThatLeadsNowhereIsAProblem() throws {
    try folder.makeFolder("lost.lv2")
    try FileManager.default.createSymbolicLink(
      atPath: folder("lost.lv2/manifest.ttl"), withDestinationPath: "nowhere.ttl")
    for _ in 0..<2 {
      #expect(
        discover().problems.map(\.message)
          == [folder("lost.lv2/manifest.ttl") + ": No such file or directory"])
    }
    try folder.write("", to: "lost.lv2/nowhere.ttl")
    #expect(discover().problems.map(\.path).isEmpty)
  }

  @Test func missingDataFileIsAProblem() throws {
    try writeBundle("gone.lv2", uri: "urn:test:gone", in: folder)
    try FileManager.default.removeItem(atPath: folder("gone.lv2/plugin.ttl"))
    let discovery = discover()
    #expect(discovery.components.isEmpty)
    #expect(discovery.problems.count == 1)
    try writeBundle("gone.lv2", uri: "urn:test:gone", in: folder)
    #expect(discover().components.count == 1)
  }

  @Test func aURIInTwoBundlesIsListedOnce() throws {
    try writeBundle(
      "a.lv2", uri: "urn:test:same", in: folder, unit: "Old", extra: "lv2:minorVersion 2 ;")
    try writeBundle(
      "b.lv2", uri: "urn:test:same", in: folder, unit: "New", extra: "lv2:minorVersion 4 ;")
    try writeBundle(
      "c.lv2", uri: "urn:test:same", in: folder, unit: "Mid", extra: "lv2:minorVersion 4 ;")
    let components = discover().components
    #expect(components.map(\.name) == ["A Maker: New"])
    #expect(components.first?.location.path == folder("b.lv2"))
  }

  @Test func changesOnDiskAreSeen() throws {
    try writeBundle("one.lv2", uri: "urn:test:one", in: folder)
    #expect(discover().components.count == 1)
    try writeBundle("two.lv2", uri: "urn:test:two", in: folder)
    #expect(discover().components.count == 2)
    try writeBundle("one.lv2", uri: "urn:test:one", in: folder, unit: "Another Name")
    #expect(discover().components.map(\.name).contains("A Maker: Another Name"))
    try FileManager.default.removeItem(atPath: folder("one.lv2"))
    #expect(discover().components.compactMap(\.location.identifier) == ["urn:test:two"])
  }

  @Test func damagedCachesAreRebuilt() throws {
    try writeBundle("one.lv2", uri: "urn:test:one", in: folder)
    let expected = discover().components.map(\.name)
    let files = cacheFiles
    try #require(files.count == 2)
    let contents = try files.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
    var generator = SeededGenerator(seed: 11)
    for round in 0..<200 {
      let (path, whole) = (files[round / 3 % 2], contents[round / 3 % 2])
      // Without the index, the cached data of the bundle counts.
      try FileManager.default.removeItem(atPath: files[0])
      var damaged = whole
      switch round % 3 {
      case 0: damaged[Int.random(in: 0..<whole.count, using: &generator)] ^= 0x20
      case 1: damaged = whole.prefix(Int.random(in: 0..<whole.count, using: &generator))
      default: damaged.append(contentsOf: [1, 2, 3])
      }
      try damaged.write(to: URL(fileURLWithPath: path))
      #expect(discover().components.map(\.name) == expected, "round \(round), seed 11")
    }
  }

  @Test func aCacheThatLiesIsNotBelieved() throws {
    // Same length and time, another file: the inode differs.
    try writeBundle("one.lv2", uri: "urn:test:one", in: folder, unit: "First")
    _ = discover()
    let path = folder("one.lv2/plugin.ttl")
    let date = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate]
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try text.replacingOccurrences(of: "First", with: "Later").write(
      toFile: path, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.modificationDate: date as Any], ofItemAtPath: path)
    #expect(discover().components.map(\.name) == ["A Maker: Later"])
  }

  @Test func anUnwritableCacheFolderIsNoError() throws {
    try writeBundle("one.lv2", uri: "urn:test:one", in: folder)
    let file = try cache.write("not a folder", to: "index")
    #expect(discover().components.count == 1)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "not a folder")
    #expect(discover(cached: false).components.count == 1)
  }

  @Test func manyAtOnceAgree() async throws {
    for number in 0..<10 {
      try writeBundle("\(number).lv2", uri: "urn:test:\(number)", in: folder)
    }
    let (path, index) = (folder.path, cache("index"))
    let counts = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<16 {
        group.addTask {
          LV2ComponentSource(searchPath: path, cacheFolder: index).discover().components.count
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(counts == Array(repeating: 10, count: 16))
    let all = try FileManager.default.subpathsOfDirectory(atPath: index).sorted()
    #expect(all.count == 12, "temporary files were left: \(all)")
  }

  @Test func hostileTurtleDoesNotCrash() throws {
    let seed: UInt64 = 20_260
    var generator = SeededGenerator(seed: seed)
    try writeBundle("m.lv2", uri: "urn:test:m", in: folder)
    let original = Array(try Data(contentsOf: URL(fileURLWithPath: folder("m.lv2/plugin.ttl"))))
    for _ in 0..<300 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch UInt8.random(in: 0...2, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: place)
        default: bytes.insert(contentsOf: Array("[ ( <".utf8), at: place)
        }
      }
      try folder.write(Data(bytes), to: "m.lv2/plugin.ttl")
      let discovery = discover(cached: false)
      #expect(discovery.components.count + discovery.problems.count > 0, "seed \(seed)")
    }
    try folder.write(String(repeating: "[", count: 200_000), to: "m.lv2/manifest.ttl")
    #expect(discover(cached: false).components.isEmpty)
  }
}
