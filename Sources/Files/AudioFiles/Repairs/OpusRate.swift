// The rate at which Opus is decoded: always 48 kHz, independent of the source's rate in its header.
// SPDX-License-Identifier: Apache-2.0

import AudioFilePackets
import AudioFileParsing
import AudioFileSyntax

/// The first and the last page of Ogg Opus for the file library.
///
/// It uses the rate of the original as its own, and needs the mark of the last page. It refuses a sound of one page
/// whose count of frames cannot be.
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
    if let last = onlyPage(repairs, head) ?? OggPages(stream).markedEnd { pages.append(last) }
    repairs.offer(
      pages.map { FileStream.Patch(offset: $0.offset, removed: $0.bytes.count, bytes: $0.bytes) })
    return nil
  }

  /// The page of a sound of one page with the count of its frames, where it has another.
  private static func onlyPage(_ repairs: FileRepairs, _ head: OpusHead) -> OggPages.Page? {
    guard let packets = repairs.packets, packets.isOgg,
      case .page(var page) = OggPages(repairs.stream).page(at: Int(packets.soundOffset)),
      page.offset + page.bytes.count == repairs.stream.length,
      let count = try? packets.soundFrameCount(), count > 0
    else { return nil }
    let end = UInt64(head.priming) + UInt64(count)
    let stored = page.bytes[6..<14].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    guard stored != end else { return nil }
    page.setWord(6, UInt32(truncatingIfNeeded: end))
    page.setWord(10, UInt32(truncatingIfNeeded: end >> 32))
    page.mark(as: OggPage.last)
    page.setWord(22, page.computedChecksum())
    return page
  }
}
