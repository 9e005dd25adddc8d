// The headers through every compiler and language version they promise to work with.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite struct HeaderMatrixTests {
  @Test("Each header compiles alone and with all others, as C and C++, with gcc and clang")
  func matrix() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let script = Process()
    let output = Pipe()
    script.executableURL = root.appending(path: "Scripts/check-headers")
    script.standardOutput = output
    script.standardError = output
    try script.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    script.waitUntilExit()
    #expect(script.terminationStatus == 0, "\(String(decoding: text, as: UTF8.self))")
  }
}
