// `auricle list`: built-in units, LV2 plug-ins, patterns, broken bundles.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct ListTests {
  let box: Sandbox

  init() throws { box = try Sandbox() }

  private func list(_ arguments: String...) throws -> [[String: Any]] {
    let result = try runAuricle(
      ["list", "--format", "json"] + arguments, environment: box.environment)
    #expect(result.exitCode == 0, "\(result.summary)")
    return try #require(try result.json as? [[String: Any]])
  }

  @Test func urisAreListed() throws {
    let uri = "http://lv2plug.in/plugins/eg-amp"
    let lines = try box.run("list", "--uris", "--search", uri).lines
    #expect(lines.count == 1 && lines[0].hasSuffix("  " + uri), "\(lines)")
    let own = try box.run("list", "--uris", "aufx:lpas:appl").lines
    #expect(own.count == 1 && own[0].hasSuffix("  aufx:lpas:appl"), "\(own)")
  }

  @Test func codecsAreListedByTheirTypesAlone() throws {
    let decoders = try list("adec")
    let laws = decoders.filter { ["ulaw", "alaw"].contains($0["subtype"] as? String) }
    #expect(laws.count == 2 && laws.allSatisfy { $0["type"] as? String == "adec" })
    #expect(try list("aenc:ulaw:appl").count == 1)
    #expect(try list("aenc:ilbc").isEmpty)
    #expect(try list().allSatisfy { !["adec", "aenc"].contains($0["type"] as? String) })
  }

  @Test func everythingIsListedOnce() throws {
    let all = try list()
    var identities: Set<String> = []
    for item in all {
      let parts = ["type", "subtype", "manufacturer"].map { item[$0] as? String ?? "" }
      #expect(parts.allSatisfy { $0.count == 4 || $0.hasPrefix("0x") }, "\(item)")
      #expect(identities.insert(parts.joined(separator: ":")).inserted, "twice: \(item)")
      #expect((item["name"] as? String)?.isEmpty == false)
      #expect(item["version"] is String)
      #expect(item["tags"] is [String])
      let source = item["source"] as? String ?? ""
      #expect(["built-in", "native", "lv2"].contains(source))
      #expect(source == "lv2" ? item["uri"] is String : item["path"] is String)
    }
    let uris = all.compactMap { $0["uri"] as? String }
    #expect(Set(uris).count == uris.count)
    for uri in [
      "http://plugin.org.uk/swh-plugins/fastLookaheadLimiter",
      "http://lv2plug.in/plugins/eg-amp", "http://calf.sourceforge.net/plugins/Compressor",
      "http://drobilla.net/plugins/mda/Limiter",
    ] { #expect(uris.contains(uri)) }
  }

  @Test func whatShipsComesFirst() throws {
    let units = try list("aufx::appl").filter { $0["source"] as? String == "built-in" }
    let subtypes = units.compactMap { $0["subtype"] as? String }
    #expect(Set(["lpas", "hpas", "pmeq", "dcmp", "lmtr", "dely", "mrev"]).isSubset(of: subtypes))
    #expect(try list().first?["source"] as? String == "built-in")
  }

  @Test func patternsAndSearchesNarrow() throws {
    #expect(try list("aufx:dcmp:appl").count == 1)
    #expect(try list("aufx:dcmp").count == 1)
    let reverbs = try list("aufx", "--search", "REVERB")
    #expect(reverbs.contains { $0["subtype"] as? String == "mrev" })
    #expect(reverbs.contains { $0["uri"] as? String == "http://plugin.org.uk/swh-plugins/gverb" })
    #expect(reverbs.allSatisfy { $0["type"] as? String == "aufx" })
    #expect(try list("--search", "no unit is called like this").isEmpty)
  }

  @Test func textHasAlignedColumns() throws {
    let result = try box.run("list", "aufx::appl")
    #expect(result.exitCode == 0)
    let line = try #require(result.lines.first { $0.contains("hpas") })
    #expect(line.wholeMatch(of: /aufx  hpas  appl  built-in  \S.*/) != nil, "\(line)")
    let none = try box.run("list", "zzzz")
    #expect(none.exitCode == 0)
    #expect(none.standardOutput.isEmpty)
    #expect(none.standardError == "auricle: no unit matches\n")
  }

  @Test func aBrokenBundleCostsOnlyItself() throws {
    try box.folder.write("<plist>", to: "broken/Bad.component/Contents/Info.plist")
    let result = try box.run(
      "list", "aufx:lpas", environment: ["AURICLE_COMPONENT_PATH": box("broken")])
    #expect(result.exitCode == 0)
    #expect(result.lines.count == 1)
    #expect(result.errorLines.count == 1, "\(result.summary)")
    #expect(result.standardError.contains("Bad.component"))
  }

  @Test func brokenTurtleCostsOnlyItsBundle() throws {
    try box.folder.write("@prefix lv2: <oops", to: "lv2/bad.lv2/manifest.ttl")
    let path = box("lv2") + ":/usr/lib/lv2:/usr/lib/x86_64-linux-gnu/lv2"
    let result = try box.run(
      "list", "--search", "swh-plugins/plate",
      environment: ["LV2_PATH": path, "XDG_CACHE_HOME": box("cache")])
    #expect(result.exitCode == 0)
    #expect(result.lines.count == 1, "\(result.summary)")
    #expect(result.standardError.contains("bad.lv2"))
  }

  @Test func aReaderThatGoesAwayIsNoCrash() throws {
    let result = try runProcess(
      "sh", ["-c", "'\(Places.auricle)' list | head -n 1; true"], environment: box.environment)
    #expect(result.exitCode == 0)
    #expect(result.lines.count == 1)
    #expect(result.standardError.isEmpty, "\(result.summary)")
  }
}
