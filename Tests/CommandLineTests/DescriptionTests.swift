// The data that `auricle info` reads from data files equals lilv's, and the open unit's.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct DescriptionTests {
  @Test(
    "descriptions agree with lilv's and with the open unit's",
    arguments: [
      "http://calf.sourceforge.net/plugins/Filter", "http://lv2plug.in/plugins/eg-amp",
      "http://plugin.org.uk/swh-plugins/fastLookaheadLimiter",
      "http://drobilla.net/plugins/mda/Piano",
      "http://lsp-plug.in/plugins/lv2/sc_compressor_stereo",
      "http://gareus.org/oss/lv2/fil4#stereo", "http://distrho.sf.net/plugins/MVerb",
      "http://invadarecords.com/plugins/lv2/erreverb/sum",
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
    try compareWithLilv(uri, report, box)
  }

  /// Ports, ranges and presets as lilv has them.
  private func compareWithLilv(_ uri: String, _ report: [String: Any], _ box: Sandbox) throws {
    let flags = try runProcess("pkg-config", ["--cflags", "--libs", "lilv-0"])
    guard flags.exitCode == 0 else { return }
    let words = flags.standardOutput.split(whereSeparator: \.isWhitespace).map(String.init)
    let built = try runProcess(
      "cc",
      ["-o", box("describe"), Places.inPackage("Tests/Fixtures/LilvDescription/describe.c")] + words
    )
    try #require(built.exitCode == 0, "\(built.summary)")
    // lilv returns names in the language of its user.
    let reported = try runProcess(
      box("describe"), [uri], environment: ["LC_ALL": "C", "LANG": "C"])
    try #require(reported.exitCode == 0, "\(reported.summary)")
    let rows = reported.standardOutput.split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    var parameters: [String: [String: Any]] = [:]
    for parameter in report["parameters"] as? [[String: Any]] ?? [] {
      if let symbol = parameter["symbol"] as? String { parameters[symbol] = parameter }
    }
    var compared = 0
    for row in rows where row[0] == "control" {
      // Ports that are the host's own are no parameters.
      guard let parameter = parameters[row[1]] else { continue }
      compared += 1
      #expect(parameter["name"] as? String == row[2], "\(uri) \(row)")
      for (key, text) in zip(["minimum", "maximum", "defaultValue"], row[3...5]) {
        guard let number = Double(text), number.isFinite else { continue }
        let mine = (parameter[key] as? NSNumber)?.doubleValue ?? .nan
        #expect(abs(mine - number) <= 1e-6 * abs(number), "\(uri) \(row): \(key) \(mine)")
      }
    }
    #expect(compared > 0 || parameters.isEmpty)
    let presets = Set(
      (report["presets"] as? [[String: Any]] ?? []).compactMap { $0["uri"] as? String })
    #expect(presets == Set(rows.filter { $0[0] == "preset" }.map { $0[1] }))
  }
}
