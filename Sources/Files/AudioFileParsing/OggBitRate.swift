// The bits a second of the sound of an Ogg file.
// SPDX-License-Identifier: Apache-2.0

extension OggPages {
  /// The bit rate that the first page of a Vorbis stream names; nil for other streams, and where none is
  /// named.
  package var nominalBitRate: Int? {
    guard case .page(let page) = page(at: 0) else { return nil }
    // Behind the kind and "vorbis": version, channels, rate, the highest bit rate, the nominal one.
    let start = 27 + Int(page.bytes[26])
    let header = page.bytes.dropFirst(start)
    guard header.count >= 28, header.starts(with: [1] + Array("vorbis".utf8)) else { return nil }
    let rate = Int(Int32(bitPattern: page.word(start + 20)))
    return rate > 0 ? rate : nil
  }

  /// Bytes of the pages that sound ends on, and those between them; headers and pictures are none of it.
  package var soundByteCount: Int {
    var offset = 0
    var count = 0
    while case .page(let page) = page(at: offset) {
      if page.word(6) != 0 || page.word(10) != 0 { count += page.bytes.count }
      offset += page.bytes.count
    }
    return count
  }
}
