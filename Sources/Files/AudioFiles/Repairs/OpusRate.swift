// The rate at which Opus is decoded: always 48 kHz, independent of the source's rate in its header.
// SPDX-License-Identifier: Apache-2.0

import AudioFileParsing
import AudioFileSyntax

/// The first and the last page of Ogg Opus for the file library.
///
/// It uses the rate of the original as its own, and needs the mark of the last page.
enum OpusRate {
  private static let rate: UInt32 = 48_000

  static func repair(_ repairs: inout FileRepairs) -> String? {
    let stream = repairs.stream
    guard case .page(var page) = OggPages(stream).page(at: 0) else { return nil }
    let start = OggPage.headSize + Int(page.bytes[26])
    guard let head = OpusHead(Array(page.bytes.dropFirst(start))) else { return nil }
    var pages: [OggPages.Page] = []
    if head.sourceRate != rate {
      page.setWord(start + 12, rate)
      page.setWord(22, page.computedChecksum())
      pages.append(page)
    }
    // The file library reads silence at the end of a page without the mark as damage.
    if let last = OggPages(stream).markedEnd { pages.append(last) }
    repairs.offer(
      pages.map { FileStream.Patch(offset: $0.offset, removed: $0.bytes.count, bytes: $0.bytes) })
    return nil
  }
}
