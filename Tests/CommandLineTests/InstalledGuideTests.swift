// The guides as they are installed: they name nothing that is in the source tree alone.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct InstalledGuideTests {
  private static let names: [String] = {
    let folder = Places.inPackage("docs/guides")
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
    return (names ?? []).filter { $0.hasSuffix(".md") }.sorted() + ["../json-output.md"]
  }()

  @Test(arguments: names) func guidesNameWhatIsInstalled(name: String) throws {
    let path = Places.inPackage("docs/guides/" + name)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    for found in text.matches(of: /[\s`(](?:Stress|Benchmarks|Scripts|docs|Sources)\//) {
      Issue.record("\(name) names \(found.output)")
    }
    for link in text.matches(of: /\]\(([^)#\s]+)/) where !link.output.1.contains(":") {
      let target = URL(fileURLWithPath: path).deletingLastPathComponent()
        .appendingPathComponent(String(link.output.1)).standardizedFileURL.path
      // All documents are installed; sources are not.
      let isInstalled = target.hasPrefix(Places.inPackage("docs") + "/")
      #expect(isInstalled && FileManager.default.fileExists(atPath: target), "\(name): \(target)")
    }
  }
}
