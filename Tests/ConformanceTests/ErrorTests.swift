// Each situation has its code, and each code of a source comes back as it is.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import Testing

@Suite("Contract: error codes")
struct ErrorConformanceTests {
  @Test("each situation has its code", arguments: Subject.everyKind)
  func situations(_ subject: Subject) throws {
    for row in ErrorRow.all where row.subjects?.contains(subject) == true {
      let test = try UnitUnderTest(subject)
      same(try row.provoke(test), row.code, "\(subject.rawValue), \(row.situation)")
    }
  }

  @Test(
    "any status of a source comes back unchanged, and the unit goes on",
    arguments: Subject.fed)
  func codesOfSources(_ subject: Subject) throws {
    let test = try UnitUnderTest(subject)
    try test.start()
    var time = 0.0
    for code in ErrorRow.codes {
      test.sourceStatus = code
      same(test.render(64, at: time), code, "\(subject.rawValue), code \(code)")
      let last = test.get(kAudioUnitProperty_LastRenderError, OSStatus.self)
      same(last.value, code, "\(subject.rawValue), last render error")
      let again = test.get(kAudioUnitProperty_LastRenderError, OSStatus.self)
      same(again.value, 0, "\(subject.rawValue), last render error, read again")
      time += 64
    }
    test.sourceStatus = 0
    same(test.render(64, at: time), 0, "\(subject.rawValue), after the errors")
  }

  @Test("every code has its name")
  func names() {
    for code in ErrorRow.codes {
      #expect(AudioStatus(rawValue: code).name != nil, "code \(code)")
    }
  }
}
