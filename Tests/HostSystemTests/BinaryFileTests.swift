// Functions of binaries by their addresses, and the sentence of the place of a crash.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostSystem
import TestSupport
import Testing

@Suite struct BinaryFileTests {
  let folder: TemporaryFolder
  let source: String
  let library: String
  private let flags = ["-O0", "-Wl,--build-id=sha1"]

  init() throws {
    folder = try TemporaryFolder("auricle-binary")
    library = folder("gain.so")
    source = try folder.write(
      """
      __attribute__((noinline)) static int burst(int x) { return x * 3; }
      int gain(int x) { return burst(x) + 1; }
      """, to: "gain.c")
    try DefectUnitFixture.compile([source], to: library, flags)
  }

  /// The address and size of a function, as `nm` has them.
  private func symbol(_ name: String) throws -> (address: UInt64, size: UInt64) {
    let text = try runProcess("nm", ["-S", library]).standardOutput
    let line = try #require(text.split(separator: "\n").first { $0.hasSuffix(" \(name)") })
    let fields = line.split(separator: " ")
    return (
      try #require(UInt64(fields[0], radix: 16)), try #require(UInt64(fields[1], radix: 16))
    )
  }

  @Test("an address lies in a function from its first byte to its last")
  func function() throws {
    for name in ["gain", "burst"] {
      let (address, size) = try symbol(name)
      for offset in [0, 1, size - 1] {
        #expect(BinaryFile.function(at: address + offset, in: library) == name)
      }
      #expect(BinaryFile.function(at: address + size, in: library) != name)
    }
    #expect(BinaryFile.function(at: 0, in: library) == nil)
  }

  @Test("a stripped binary keeps its exported functions")
  func stripped() throws {
    let (gain, burst) = (try symbol("gain"), try symbol("burst"))
    try DefectUnitFixture.compile([source], to: library, flags + ["-s"])
    #expect(BinaryFile.function(at: gain.address, in: library) == "gain")
    #expect(BinaryFile.function(at: burst.address, in: library) == nil)
    let id = try #require(BinaryFile.buildID(of: library))
    #expect(id.count == 40 && id.allSatisfy(\.isHexDigit))
    let place = CrashPlace(path: library, offset: burst.address)
    #expect(
      place.text == "at 0x\(String(burst.address, radix: 16)) of gain.so (build id \(id))")
    #expect(
      CrashPlace(path: library, offset: gain.address + 1).text == "in the function gain of gain.so")
  }

  @Test("a damaged binary has a name, another one, or none")
  func damaged() throws {
    let whole = try Data(contentsOf: URL(fileURLWithPath: library))
    let (address, _) = try symbol("burst")
    let path = folder("damaged.so")
    var numbers = SeededGenerator(seed: 41)
    for round in 0..<400 {
      var bytes = [UInt8](whole)
      if round % 4 == 0 { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &numbers)) }
      for _ in 0..<8 where !bytes.isEmpty {
        // The header and the tables at the end matter.
        let place = Int.random(in: 0..<bytes.count, using: &numbers)
        bytes[round % 2 == 0 ? place : min(place, 63)] = UInt8.random(in: 0...255, using: &numbers)
      }
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      _ = BinaryFile.function(at: address, in: path)
      _ = BinaryFile.buildID(of: path)
    }
    for other in [folder.path, "/dev/zero", "/nowhere"] {
      #expect(BinaryFile.function(at: address, in: other) == nil)
      #expect(BinaryFile.buildID(of: other) == nil)
    }
  }
}
