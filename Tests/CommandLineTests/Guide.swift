// The text of a guide, for tests that follow it literally.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The instructions of a guide.
enum Guide {
  /// The first block of a language in a guide.
  static func block(_ language: String, of guide: String) throws -> String {
    let text = try String(contentsOfFile: Places.inPackage("docs/guides/" + guide), encoding: .utf8)
    let start = try #require(text.range(of: "```\(language)\n"))
    let end = try #require(text.range(of: "```", range: start.upperBound..<text.endIndex))
    return String(text[start.upperBound..<end.lowerBound])
  }
}
