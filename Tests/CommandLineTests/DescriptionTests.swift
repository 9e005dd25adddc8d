// What `auricle info` reads from data files is what the plug-in's unit tells through lilv.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct DescriptionTests {
  @Test(
    "descriptions agree with lilv's",
    arguments: [
      "http://calf.sourceforge.net/plugins/Filter", "http://lv2plug.in/plugins/eg-amp",
      "http://plugin.org.uk/swh-plugins/fastLookaheadLimiter",
      "http://drobilla.net/plugins/mda/Piano",
      "http://lsp-plug.in/plugins/lv2/sc_compressor_stereo",
      "http://gareus.org/oss/lv2/fil4#stereo", "http://distrho.sf.net/plugins/MVerb",
      "http://invadarecords.com/plugins/lv2/erreverb/stereo",
    ]) func describedAsOpened(uri: String) throws
  {
    let box = try Sandbox()
    guard try box.run("list", "--search", uri).lines.count >= 1 else { return }
    let described = try box.run("info", uri, "--format", "json")
    let report = try #require(try described.json as? [String: Any], "\(described.summary)")
    // The second line is the unit's own description, made before it runs.
    let opened = try box.run("inspect-unit", uri)
    let lines = try opened.jsonLines
    try #require(lines.count >= 2, "\(opened.summary)")
    for key in ["parameters", "inputBuses", "outputBuses", "channelCapabilities"] {
      let (mine, theirs) = (report[key] as? NSObject, lines[1][key] as? NSObject)
      #expect(mine == theirs, "\(uri): \(key)")
    }
    func presets(_ report: [String: Any]) -> [String] {
      (report["presets"] as? [[String: Any]] ?? []).compactMap { $0["uri"] as? String }
    }
    #expect(presets(report) == presets(lines[1]))
  }
}
