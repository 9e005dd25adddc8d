// The headers through every compiler and language version they promise to work with.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@Suite struct HeaderMatrixTests {
  @Test("Each header compiles alone and with all others, as C and C++, with gcc and clang")
  func matrix() throws {
    let result = try runProcess(Places.inPackage("Scripts/check-headers"))
    #expect(result.exitCode == 0, "\(result.summary)")
  }
}
