// Data of our own making: checked lines, numbers in JSON, hashes, sorted names.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import Foundation
import Glibc
import HostSystem
import TestSupport
import Testing

@Suite struct DataTests {
  // MARK: Lines

  @Test func aLineReadsBackAndAnyChangeOfItDoesNot() throws {
    let members: [JSONValue.Member] = [.init("t", "file"), .init("path", "\u{E9}\n\"x\"")]
    let line = try #require(CheckedLine.encode(members))
    #expect(line.last == 0x0A && line.filter { $0 == 0x0A }.count == 1)
    let bytes = Array(line.dropLast())
    #expect(CheckedLine.decode(bytes)?["path"]?.text == "\u{E9}\n\"x\"")
    for index in bytes.indices {
      for bit in 0..<8 {
        var altered = bytes
        altered[index] ^= 1 << bit
        #expect(CheckedLine.decode(altered) == nil, "bit \(bit) of byte \(index)")
      }
      #expect(CheckedLine.decode(bytes[..<index]) == nil)
    }
    #expect(CheckedLine.decode(bytes + [0x20]) == nil)
  }

  @Test func aLineThatNobodyCouldReadIsNotWritten() {
    let most = CheckedLine.maximumByteCount
    func line(_ count: Int) -> [UInt8]? {
      CheckedLine.encode([.init("x", .string(String(repeating: "y", count: count)))])
    }
    let room = most - (line(0)?.count ?? 0)
    let longest = line(room) ?? []
    #expect(longest.count == most && CheckedLine.decode(longest.dropLast()) != nil)
    #expect(line(room + 1) == nil)
  }

  @Test func filesOfLinesPassOverWhatIsTooLongOrTorn() throws {
    let folder = try TemporaryFolder("auricle-lines")
    let long = [UInt8](repeating: 0x78, count: CheckedLine.maximumByteCount + 200_000)
    try folder.write(Data(Array("one\n".utf8) + long + Array("\n\ntwo\ntorn".utf8)), to: "lines")
    let reader = try LineFileReader(path: folder("lines"))
    var lines: [(String, Int)] = []
    while let line = try reader.next() {
      lines.append((String(decoding: line, as: UTF8.self), reader.lineOffset))
    }
    #expect(lines.map(\.0) == ["one", "", "two"])
    for (text, offset) in lines {
      #expect(reader.line(at: offset).map { Array($0) } == Array(text.utf8))
    }
    #expect(reader.line(at: 1 << 30) == nil)
  }

  // MARK: Tables and names

  // In memory; and in memory and two parts on the disk.
  @Test(arguments: [(3_000, 1), (150_000, 2)] as [(Int, UInt64)])
  func aTableIsADictionary(count: Int, seed: UInt64) throws {
    let table = HashTable64()
    var expected: [UInt64: Int] = [:]
    var random = SeededGenerator(seed: seed)
    for number in 0..<count {
      // Few different low bits, so that many meet in one place.
      let hash = (random.next() & 0xFFFF_FFFF_FFFF_0FFF) | 1
      let key = number % 5 == 0 ? expected.keys.first ?? hash : hash
      if number % 3 == 0 {
        try table.set(key, number)
        expected[key] = number
      } else {
        #expect(try table.insert(key, number) == expected[key], "seed \(seed)")
        if expected[key] == nil { expected[key] = number }
      }
    }
    var wrong = 0
    for (key, value) in expected where try table.value(of: key) != value { wrong += 1 }
    #expect(wrong == 0, "seed \(seed)")
    #expect(try table.value(of: 2) == nil)
  }

  @Test(arguments: [10, 17_000])
  func namesComeInTheOrderOfTheirBytes(count: Int) throws {
    let folder = try TemporaryFolder("auricle-names")
    var names: [String] = []
    for number in 0..<count {
      // Names of one length and of several, so that parts on the disk are cut anywhere.
      let name = "\(number &* 7919 % 65_537)-" + String(repeating: "n", count: number % 40)
      names.append(name)
      let file = unsafe open(folder(name), O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
      if file >= 0 { close(file) }
    }
    try folder.write("x", to: ".hidden")
    let reader = try FolderNames(folder.path)
    var found: [String] = []
    while let name = try reader.next() { found.append(name) }
    #expect(found == names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
  }

  @Test func aFolderThatCannotBeReadIsReported() throws {
    let folder = try TemporaryFolder("auricle-names")
    let error = #expect(throws: AuricleError.self) { try FolderNames(folder("none")) }
    #expect(error?.cause == .errno(ENOENT))
    try folder.write("x", to: "a")
    let stopped = #expect(throws: AuricleError.self) {
      try FolderNames(folder.path, shouldStop: { true })
    }
    #expect(stopped?.category == .interrupted)
  }

  // MARK: Sums and times

  @Test func bytesAsText() {
    #expect(Base64.text(Array("Man".utf8)) == "TWFu" && Base64.text([0xFF]) == "/w==")
    #expect(Base64.text([1, 2]) == "AQI=" && Base64.text([]) == "")
    #expect(Base64.isValid("AQI=") && !Base64.isValid("AQI") && !Base64.isValid("A I="))
    #expect(Hexadecimal.text(UInt64(255)) == "00000000000000ff")
    #expect(Hexadecimal.number("00000000000000ff") == 255 && Hexadecimal.number("ff") == nil)
    #expect(
      Hexadecimal.text(SHA256.sum(Array("abc".utf8)))
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }

  @Test func theSecondAfter() {
    #expect(UTCTime.next(after: "20261231-235959") == "20270101-000000")
    #expect(UTCTime.next(after: "20240228-235959") == "20240229-000000")
    #expect(UTCTime.next(after: "2026") == nil && UTCTime.next(after: "2026123x-235959") == nil)
  }
}
