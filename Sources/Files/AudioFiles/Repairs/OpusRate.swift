// The rate at which Opus is decoded: always 48 kHz, whatever its header says of the sound that it was made from.
// SPDX-License-Identifier: Apache-2.0

import AudioFileParsing
import AudioFileSyntax

/// The first page of Ogg Opus as the file library is to find it, which takes the rate of the original for its own.
enum OpusRate {
  private static let rate: UInt32 = 48_000

  static func repair(_ repairs: inout FileRepairs) -> String? {
    let stream = repairs.stream
    guard case .page(var page) = OggPages(stream).page(at: 0) else { return nil }
    let start = OggPage.headSize + Int(page.bytes[26])
    guard let head = OpusHead(Array(page.bytes.dropFirst(start))) else { return nil }
    guard head.sourceRate != rate else { return nil }
    page.setWord(start + 12, rate)
    page.setWord(22, page.computedChecksum())
    repairs.offer([FileStream.Patch(offset: 0, removed: page.bytes.count, bytes: page.bytes)])
    return nil
  }
}
