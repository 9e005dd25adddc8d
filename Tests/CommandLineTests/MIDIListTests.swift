// `auricle midi list`: its output about the endpoints, for people and for programs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct MIDIListTests {
  @Test("Without endpoints the list is empty; files of nobody are left out and removed")
  func nothing() throws {
    let folder = try TemporaryFolder()
    let environment = ["XDG_RUNTIME_DIR": folder.path, "AURICLE_SEQUENCER": "off"]
    let text = try runAuricle(["midi", "list"], environment: environment)
    #expect(text.exitCode == 0 && text.standardOutput == "", "\(text.summary)")
    #expect(text.standardError.contains("no program has a MIDI source"))
    try folder.write(
      """
      {"kind":"source","process":"1-dead.socket","pid":1,"client":"c","made":1,"form":0,"properties":{"name":"Gone"}}
      """, to: "auricle/midi/1-a.json")
    try folder.write("no json", to: "auricle/midi/1-b.json")
    let json = try runAuricle(["midi", "list", "--format", "json"], environment: environment)
    #expect(json.exitCode == 0 && json.standardError.isEmpty, "\(json.summary)")
    #expect(json.standardOutput.filter { !$0.isWhitespace } == "[]")
    #expect(!folder.files.contains("auricle/midi/1-a.json"))
  }

  @Test("A folder that cannot be used is an error with its path and what to do")
  func noFolder() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "auricle")
    let result = try runAuricle(["midi", "list"], environment: ["XDG_RUNTIME_DIR": folder.path])
    #expect(result.exitCode == 74 && result.standardOutput.isEmpty, "\(result.summary)")
    #expect(
      result.standardError.contains(folder("auricle/midi"))
        && result.standardError.contains("XDG_RUNTIME_DIR"))
  }
}
