// The files of the report's page: a script that a JavaScript engine reads, nothing from elsewhere.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct ReportPageTests {
  private static let folder = Places.inPackage("Sources/Batch/RunReports/Page/")

  private static let node = ["/usr/bin/node", "/usr/local/bin/node"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  @Test(.enabled(if: node != nil, "node is not installed")) func theScriptIsJavaScript() throws {
    let node = try #require(Self.node)
    for name in ["listening.js", "page.js"] {
      let result = try runProcess(node, ["--check", Self.folder + name])
      #expect(result.exitCode == 0, "\(result.summary)")
    }
  }

  /// Placeholders for values are in the markup alone, and each of them is known.
  @Test func onlyTheMarkupHasPlacesToFill() throws {
    for name in ["page.css", "listening.js", "page.js"] {
      #expect(!(try String(contentsOfFile: Self.folder + name, encoding: .utf8)).contains("{{"))
    }
    let markup = try String(contentsOfFile: Self.folder + "page.html", encoding: .utf8)
    let names = Set(markup.matches(of: /\{\{([a-z]*)\}\}/).map { String($0.output.1) })
    #expect(
      names == [
        "policy", "name", "preset", "run", "style", "title", "started", "date", "output", "totals",
        "files",
        "script",
      ])
  }
}
