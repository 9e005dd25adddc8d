// The checksum of the program that shards compare.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import ShardedRuns
import TestSupport
import Testing

@Suite struct ProgramChecksumTests {
  @Test func anotherProgramIsReportedAndWhatIsKeptIsNotTrustedBlindly() throws {
    let folder = try TemporaryFolder("auricle-program")
    let (program, cache) = (folder("program"), folder("cache"))
    try folder.write("one program", to: "program")
    let first = ProgramChecksum.of(program, cacheFolder: nil)
    #expect(first != 0)
    for _ in 0..<2 { #expect(ProgramChecksum.of(program, cacheFolder: cache) == first) }
    let kept = try #require(
      FileManager.default.contentsOfDirectory(atPath: cache + "/programs").first)
    try folder.write("damage", to: "cache/programs/" + kept)
    #expect(ProgramChecksum.of(program, cacheFolder: cache) == first)
    // With the same length, in the same place.
    let before = try FileManager.default.attributesOfItem(atPath: program)
    try folder.write("two program", to: "program")
    try FileManager.default.setAttributes(
      [.modificationDate: try #require(before[.modificationDate])], ofItemAtPath: program)
    let second = ProgramChecksum.of(program, cacheFolder: cache)
    #expect(second != first && second == ProgramChecksum.of(program, cacheFolder: nil))
    #expect(ProgramChecksum.of(folder("none"), cacheFolder: cache) == 0)
  }
}
