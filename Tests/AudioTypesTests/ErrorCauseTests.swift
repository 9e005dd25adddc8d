// Causes of failures: they survive the way between two processes.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import Testing

struct ErrorCauseTests {
  @Test(
    "A cause is read back from its code",
    arguments: [
      (AuricleError.Cause.errno(28), "errno:28"),
      (.frameCount(expected: 48_000, found: -1), "frames:48000:-1"),
      (.binaryCannotLoad, "binary"), (.noSuchTrack, "track"), (.needsNewRun, "new-run"),
      (.unknownName("aufx:a b", kind: .fileOrFolder), "name:file or folder:aufx:a b"),
    ])
  func codes(cause: AuricleError.Cause, code: String) {
    #expect(cause.code == code)
    #expect(AuricleError.Cause(code: code) == cause)
  }

  @Test(
    "Other texts are not read as causes",
    arguments: [
      "", ":", "errno", "errno:", "errno:x", "errno:1:2", "errno:4294967296", "frames:1",
      "binary:1", "Binary", "track ", "name:preset", "name:x:y",
    ])
  func others(code: String) {
    #expect(AuricleError.Cause(code: code) == nil)
  }

  @Test func errorsHaveNoCauseUnlessReported() {
    #expect(AuricleError(.usage, "no").cause == nil)
    let error = AuricleError(.badData, "no", cause: .noSuchTrack)
    #expect(error.cause == .noSuchTrack)
    #expect(error != AuricleError(.badData, "no"))
  }
}
