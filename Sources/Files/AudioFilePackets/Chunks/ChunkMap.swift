// The chunks of a file, where they are.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax

/// One chunk of a file.
struct ChunkEntry {
  var code: UInt32
  /// Start of the body.
  var body: Int64
  var byteCount: Int64
}

/// The chunks of a file in their order, the one of the sound among them.
struct ChunkMap {
  let scheme: ChunkScheme
  var entries: [ChunkEntry] = []
  /// The chunk of the sound; nil before it was found or made.
  var soundIndex: Int?
  /// A chunk whose header has more bytes than the file.
  var cutIndex: Int?
  /// The source of the sound's length.
  var length = SoundExtent.Length.stored

  init(_ scheme: ChunkScheme) { self.scheme = scheme }

  /// The most chunks that are read from a file: behind them it counts as ended.
  private static let maximumCount = 100_000

  /// Finds the chunks of a file.
  ///
  /// A chunk that is longer than the file is cut to it; a sound whose size is unknown goes to the end.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - start: Where the first header is.
  ///   - soundCode: The code of the chunk of the sound.
  ///   - wideSize: The 64-bit size of the sound from another chunk (RF64); nil without one.
  init(
    _ scheme: ChunkScheme, walking bytes: BufferedStore, from start: Int64, soundCode: UInt32,
    wideSize: Int64? = nil
  ) throws(AudioFileFailure) {
    self.init(scheme)
    let end = try bytes.byteCount
    var position = start
    while position + scheme.headerSize <= end, entries.count < Self.maximumCount {
      let header = try bytes.bytes(at: position, count: Int(scheme.headerSize))
      // Zeros where a chunk should be are the end: some programs allocate ahead.
      guard let (code, size) = scheme.parse(header), code != 0 else { break }
      let body = position + scheme.headerSize
      var count = size
      if code == soundCode, soundIndex == nil {
        soundIndex = entries.count
        let stored = size == 0xFFFF_FFFF || size == 0 ? wideSize ?? size : size
        let extent = ChunkExtent(scheme: scheme, bytes: bytes, body: body, end: end)
        (count, length) = try extent.resolve(stored)
      }
      if count > end - body { cutIndex = entries.count }
      count = max(0, min(count, end - body))
      entries.append(ChunkEntry(code: code, body: body, byteCount: count))
      // Chunks behind the sound of a stream come too late; tags alone follow one of unknown length.
      if soundIndex != nil, bytes.isArriving || length == .open { break }
      position = body + scheme.padded(count)
    }
  }

  /// The places of the chunks with a code.
  func places(of code: UInt32) -> [Int] { entries.indices.filter { entries[$0].code == code } }

  /// The bytes of a chunk with its header.
  func room(_ entry: ChunkEntry) -> Int64 { scheme.headerSize + scheme.padded(entry.byteCount) }

  /// Whether nothing but filler follows the sound.
  var soundIsLast: Bool {
    guard let soundIndex else { return true }
    return entries[(soundIndex + 1)...].isEmpty
  }
}
