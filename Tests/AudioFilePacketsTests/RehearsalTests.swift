// A title for a damaged file: it is stored, or the file stays as it is.
// SPDX-License-Identifier: Apache-2.0

import AudioFilePackets
import CAudioToolbox
import Foundation
import TestSupport
import Testing

@Suite struct RehearsalTests {
  private var title: SoundInfo {
    var info = SoundInfo()
    info["title"] = "Evening"
    return info
  }

  @Test(
    "Whatever byte of the header is another, a title is stored with the same packets, or nothing is",
    arguments: ["a.m4a", "o.ogg"])
  func aDamagedHeader(name: String) throws {
    let folder = try TemporaryFolder()
    let arguments = name == "a.m4a" ? ["-c:a", "aac"] : ["-c:a", "libopus", "-ar", "48000"]
    let path = try made(name, in: folder, arguments)
    let sound = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let seed: UInt64 = 11
    var generator = SeededGenerator(seed: seed)
    var stored = 0
    for _ in 0..<150 {
      var bytes = sound
      // The header of this M4A is behind its sound, that of Ogg in front.
      let range = name == "a.m4a" ? bytes.count - 1200..<bytes.count : 0..<400
      bytes[Int.random(in: range, using: &generator)] = .random(in: 0...255, using: &generator)
      let store = MemoryStore(bytes)
      guard let file = try? PacketFile.open(store, isWritable: true),
        let before = try? file.packetCount()
      else { continue }
      if (try? file.setInfo(title)) != nil {
        try file.flush()
        let again = try PacketFile.open(MemoryStore(store.bytes))
        #expect(try again.packetCount() == before, "seed \(seed)")
        #expect(try again.storedInfo()["title"] == "Evening", "seed \(seed)")
        stored += 1
      } else {
        #expect(store.bytes == bytes, "seed \(seed)")
      }
    }
    #expect(stored > 50)
  }
}
