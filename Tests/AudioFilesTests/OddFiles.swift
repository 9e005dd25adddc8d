// Odd sound files by the hundred, made from plain ones: lengths nobody knew, things in front and behind, joined streams.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A sound file in memory, with the facts that every reader reports of it.
struct OddFile: Sendable {
  /// The oddity, with the ending of its kind.
  var name: String
  var bytes: [UInt8]
  /// Frames of sound; nil where a reference reads it.
  var frames: Int?
  /// Whether readers may refuse it, all of them alike.
  var mayBeRefused = false

}

/// Bytes of numbers.
func number(_ value: Int, _ count: Int, big: Bool = false) -> [UInt8] {
  let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  return big ? bytes.reversed() : bytes
}

/// Tags of kinds that programs put in front of a sound or behind it.
enum OddTags {
  static func id3(
    _ title: String, version: UInt8 = 3, footer: Bool = false, padding: Int = 0, off: Int = 0
  ) -> [UInt8] {
    let content = [version == 4 ? 3 : 0] + Array(title.utf8)
    let head =
      version == 2
      ? Array("TT2".utf8) + number(content.count, 3, big: true)
      : Array("TIT2".utf8) + number(content.count, 4, big: true) + [0, 0]
    let body = head + content + [UInt8](repeating: 0, count: padding)
    let size = [21, 14, 7, 0].map { UInt8((body.count + off) >> $0 & 0x7F) }
    let rest = [version, 0, footer ? 0x10 : 0] + size
    return Array("ID3".utf8) + rest + body + (footer ? Array("3DI".utf8) + rest : [])
  }

  static func old(_ title: String) -> [UInt8] {
    let text = Array(title.utf8)
    return Array("TAG".utf8) + text + [UInt8](repeating: 0, count: 125 - text.count)
  }

  static func ape(_ title: String, hasHead: Bool = true) -> [UInt8] {
    let item = number(title.utf8.count, 4) + number(0, 4) + Array("Title".utf8) + [0] + title.utf8
    func mark(_ flags: Int) -> [UInt8] {
      Array("APETAGEX".utf8) + number(2000, 4) + number(item.count + 32, 4) + number(1, 4)
        + number(flags, 4) + number(0, 8)
    }
    let base = hasHead ? 0x8000_0000 : 0
    return (hasHead ? mark(base | 0x2000_0000) : []) + item + mark(base)
  }
}

/// Files of numbers that are written here, with any size in their headers.
enum OddHeaders {
  /// The bytes of a tone, and a frame's bytes.
  private static func tone(_ frames: Int, _ channels: Int, _ bits: Int, float: Bool, big: Bool)
    -> [UInt8]
  {
    (0..<frames * channels).flatMap { index -> [UInt8] in
      let value = 0.3 * sin(Double(index / channels) * 0.131 + Double(index % channels))
      if float { return number(Int(Float(value).bitPattern), 4, big: big) }
      let scaled = Int((value * Double(1 << (bits - 1))).rounded())
      return number(bits == 8 && !big ? scaled + 128 : scaled, bits / 8, big: big)
    }
  }

  static let sizes = [0, 0x7FFF_F000, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFE, 0xFFFF_FFFF]
  static let frames = 4_801

  static func wave(
    size: Int?, channels: Int = 2, bits: Int = 16, float: Bool = false, big: Bool = false,
    magic: String = "RIFF", wide: Int? = nil
  ) -> [UInt8] {
    func num(_ value: Int, _ count: Int) -> [UInt8] { number(value, count, big: big) }
    var data = tone(frames, channels, bits, float: float, big: big)
    if bits == 8, big { data = data.map { $0 &+ 128 } }
    let block = channels * bits / 8
    let format =
      num(float ? 3 : 1, 2) + num(channels, 2) + num(48_000, 4) + num(48_000 * block, 4)
      + num(block, 2) + num(bits, 2)
    let ds64 =
      wide.map { Array("ds64".utf8) + num(28, 4) + num(0, 8) + num($0, 8) + num(0, 12) } ?? []
    let body =
      Array("WAVE".utf8) + ds64 + Array("fmt ".utf8) + num(16, 4) + format + Array("data".utf8)
      + num(size ?? data.count, 4) + data
    let whole = size.map { $0 == 0 || $0 > 0xFFFF_FF00 ? $0 : $0 + 36 } ?? body.count
    return Array(magic.utf8) + num(whole, 4) + body
  }

  /// Chunks of WAVE in any order, and a frame that is larger than its bits.
  static func unusual() -> [OddFile] {
    let data = tone(frames, 2, 16, float: false, big: false)
    func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
      Array(name.utf8) + number(body.count, 4) + body + (body.count & 1 == 1 ? [0] : [])
    }
    func format(_ block: Int, _ bits: Int) -> [UInt8] {
      chunk(
        "fmt ",
        number(1, 2) + number(2, 2) + number(48_000, 4) + number(48_000 * block, 4)
          + number(block, 2) + number(bits, 2))
    }
    let wide = tone(frames, 2, 32, float: false, big: false).enumerated().map {
      $0.offset % 4 == 0 ? 0 : $0.element
    }
    let title = chunk("LIST", Array("INFO".utf8) + chunk("INAM", Array("Title\0".utf8)))
    let files: [(String, [UInt8])] = [
      ("late-format", chunk("data", data) + format(4, 16)),
      ("late-format-title", title + chunk("data", data) + format(4, 16)),
      ("two-sounds", format(4, 16) + chunk("data", data) + chunk("data", data)),
      ("two-sounds-title", format(4, 16) + chunk("data", data) + title + chunk("data", data)),
      (
        "odd-filler",
        chunk("JUNK", [1, 2, 3]) + format(4, 16) + chunk("JUNK", [1]) + chunk("data", data)
      ),
      ("no-block", format(0, 16) + chunk("data", data)),
      ("two-formats", format(4, 16) + format(4, 16) + chunk("data", data)),
      ("format-of-another", format(4, 16) + format(8, 24) + chunk("data", data)),
      (
        "format-behind-filler",
        format(4, 16) + chunk("JUNK", [1, 2, 3]) + format(2, 8) + chunk("data", data)
      ),
      ("24-in-32", format(8, 24) + chunk("data", wide)),
      ("20-in-32", format(8, 20) + chunk("data", wide)),
      ("16-in-24", format(6, 16) + chunk("data", tone(frames, 2, 24, float: false, big: false))),
    ]
    return files.map { name, chunks in
      let body = Array("WAVE".utf8) + chunks
      return OddFile(
        name: "\(name).wav", bytes: Array("RIFF".utf8) + number(body.count, 4) + body,
        frames: frames)
    }
  }

  /// Wide WAVE with chunks of odd sizes around its sizes and its format.
  static func oddChunks(magic: String, size: Int) -> [OddFile] {
    let plain = wave(size: 0xFFFF_FFFF, magic: magic, wide: frames * 4)
    // Behind the master, the sizes in 36 bytes, and the format in 24.
    let filler =
      Array("JUNK".utf8) + number(size, 4) + [UInt8](repeating: 5, count: size) + [0]
    return [12, 48, 72].map { place in
      OddFile(
        name: "odd-\(size)-\(place)-\(magic).wav",
        bytes: Array(plain[..<place]) + filler + plain[place...], frames: frames)
    }
  }

  static func sun(size: Int?, bits: Int, big: Bool) -> [UInt8] {
    let data = tone(frames, 2, bits, float: false, big: big)
    // Bytes have a sign here.
    let plain = bits == 8 && !big ? data.map { $0 &- 128 } : data
    let head = [28, size ?? data.count, bits / 8 + 1, 44_100, 2, 0]
    return Array((big ? ".snd" : "dns.").utf8) + head.flatMap { number($0, 4, big: big) } + plain
  }

  static func aiff(size: Int?, bits: Int, count: Int? = nil) -> [UInt8] {
    let data = tone(frames, 2, bits, float: false, big: true)
    let common =
      number(2, 2, big: true) + number(count ?? (size == nil ? frames : 0), 4, big: true)
      + number(bits, 2, big: true) + [0x40, 0x0E, 0xBB, 0x80, 0, 0, 0, 0, 0, 0]
    let body =
      Array("AIFFCOMM".utf8) + number(18, 4, big: true) + common + Array("SSND".utf8)
      + number(size ?? data.count + 8, 4, big: true) + number(0, 8) + data
    return Array("FORM".utf8) + number(size ?? body.count, 4, big: true) + body
  }

  static func coreAudio(size: Int?) -> [UInt8] {
    let data = tone(frames, 2, 16, float: false, big: true)
    let rate = number(Int(bitPattern: UInt(48_000.0.bitPattern)), 8, big: true)
    let format =
      rate + Array("lpcm".utf8) + [0, 4, 1, 2, 16].flatMap { number($0, 4, big: true) }
    return Array("caff".utf8) + [0, 1, 0, 0] + Array("desc".utf8) + number(32, 8, big: true)
      + format + Array("data".utf8) + number(size ?? data.count + 4, 8, big: true)
      + number(0, 4) + data
  }

  static func wave64(size: Int) -> [UInt8] {
    func code(_ name: String) -> [UInt8] {
      Array(name.utf8) + [0xF3, 0xAC, 0xD3, 0x11, 0x8C, 0xD1, 0, 0xC0, 0x4F, 0x8E, 0xDB, 0x8A]
    }
    let riff: [UInt8] = [
      0x72, 0x69, 0x66, 0x66, 0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 0x04, 0xC1, 0, 0,
    ]
    let format =
      number(1, 2) + number(2, 2) + number(48_000, 4) + number(192_000, 4) + number(4, 2)
      + number(16, 2)
    return riff + number(size, 8) + code("wave") + code("fmt ") + number(24 + format.count, 8)
      + format + code("data") + number(size, 8) + tone(frames, 2, 16, float: false, big: false)
  }

  /// WAVE whose format is an unknown code, or that of ambisonic sound.
  static func coded() -> [OddFile] {
    let data = tone(frames, 4, 16, float: false, big: false)
    let ambisonic: [UInt8] = [0, 0, 0x21, 7, 0xD3, 0x11, 0x86, 0x44, 0xC8, 0xC1, 0xCA, 0, 0, 0]
    let codes = [
      ("unknown", [UInt8](repeating: 7, count: 14), true), ("ambisonic", ambisonic, false),
    ]
    return codes.map { name, tail, mayBeRefused in
      let format =
        number(0xFFFE, 2) + number(4, 2) + number(48_000, 4) + number(48_000 * 8, 4) + number(8, 2)
        + number(16, 2) + number(22, 2) + number(16, 2) + number(0, 4) + number(1, 2) + tail
      let body =
        Array("WAVEfmt ".utf8) + number(format.count, 4) + format + Array("data".utf8)
        + number(data.count, 4) + data
      return OddFile(
        name: "code-\(name).wav", bytes: Array("RIFF".utf8) + number(body.count, 4) + body,
        frames: frames, mayBeRefused: mayBeRefused)
    }
  }

  /// All of them.
  static func all() -> [OddFile] {
    var files = unusual() + coded()
    func add(_ name: String, _ bytes: [UInt8]) {
      files.append(OddFile(name: name, bytes: bytes, frames: frames))
    }
    for size in [nil] + sizes.map(Optional.some) {
      let text = size.map { String($0, radix: 16) } ?? "right"
      for (channels, bits, float) in [
        (1, 8, false), (1, 16, false), (2, 16, false), (2, 24, false), (2, 32, true),
      ] {
        add(
          "size-\(text)-\(channels)x\(bits).wav",
          wave(size: size, channels: channels, bits: bits, float: float))
        if [nil, 0, 0xFFFF_FFFF].contains(size) {
          add(
            "rifx-\(text)-\(channels)x\(bits).wav",
            wave(size: size, channels: channels, bits: bits, float: float, big: true, magic: "RIFX")
          )
        }
      }
      for bits in [8, 16, 24] {
        add("size-\(text)-\(bits).au", sun(size: size, bits: bits, big: true))
        add("little-\(text)-\(bits).au", sun(size: size, bits: bits, big: false))
        add("size-\(text)-\(bits).aiff", aiff(size: size, bits: bits))
      }
    }
    for magic in ["RF64", "BW64"] {
      let count = frames * 4
      add("wide-right-\(magic).wav", wave(size: 0xFFFF_FFFF, magic: magic, wide: count))
      add("wide-nothing-\(magic).wav", wave(size: 0xFFFF_FFFF, magic: magic, wide: 0))
      add("wide-most-\(magic).wav", wave(size: 0xFFFF_FFFF, magic: magic, wide: Int.max))
      add("wide-minus-\(magic).wav", wave(size: 0xFFFF_FFFF, magic: magic, wide: -1))
      add("wide-in-data-\(magic).wav", wave(size: count, magic: magic, wide: 0))
      add("wide-both-\(magic).wav", wave(size: count, magic: magic, wide: count))
      add("wide-zero-\(magic).wav", wave(size: 0, magic: magic, wide: 0))
      for size in [1, 7, 603] { files += oddChunks(magic: magic, size: size) }
    }
    for count in [0, 100, frames - 1] {
      for bits in [16, 24] {
        add("counts\(count)-\(bits).aiff", aiff(size: nil, bits: bits, count: count))
      }
    }
    for size in [nil, -1, 0, 4, Int.max] { add("size-\(size ?? 1).caf", coreAudio(size: size)) }
    for size in [-1, 0, 23] { add("size-\(size).w64", wave64(size: size)) }
    // Tags are no sound of a length that nobody knew.
    let open: [(String, [UInt8])] = [
      ("open.wav", wave(size: 0)), ("open24.wav", wave(size: 0x8000_0000, bits: 24)),
      ("open.au", sun(size: 0xFFFF_FFFF, bits: 16, big: true)),
      ("open.aiff", aiff(size: 0xFFFF_FFFF, bits: 16)), ("open.caf", coreAudio(size: -1)),
      ("open.w64", wave64(size: -1)),
    ]
    for (name, bytes) in open { files += OddStreams.dressed(name, bytes, frames: frames) }
    return files
  }
}

/// Files made of plain ones that an encoder wrote.
enum OddStreams {
  /// A plain file with something in front or behind: all of its frames are there still.
  static func dressed(_ name: String, _ plain: [UInt8], frames: Int?) -> [OddFile] {
    var files: [OddFile] = []
    func add(_ what: String, _ bytes: [UInt8]) {
      files.append(OddFile(name: "\(what)-\(name)", bytes: bytes, frames: frames))
    }
    let kinds: [(String, [UInt8])] = [
      ("id3v22", OddTags.id3("Front", version: 2)), ("id3v23", OddTags.id3("Front")),
      ("id3v24", OddTags.id3("Front", version: 4, padding: 700)),
      ("footer", OddTags.id3("Front", version: 4, footer: true)),
      ("twice", OddTags.id3("Front") + OddTags.id3("Second", padding: 20_000)),
    ]
    for (what, tag) in kinds { add(what, tag + plain) }
    add("ape-front", OddTags.ape("Front") + plain)
    add("id3-ape-front", OddTags.id3("Front") + OddTags.ape("Front") + plain)
    for off in [-10, -1, 1, 10, 300] {
      add("off\(off)", OddTags.id3("Front", padding: 40, off: off) + plain)
    }
    add("old-behind", plain + OddTags.old("Behind"))
    add("ape-behind", plain + OddTags.ape("Behind"))
    add("footless-behind", plain + OddTags.ape("Behind", hasHead: false))
    add("both-behind", plain + OddTags.ape("Behind") + OddTags.old("Behind"))
    let lyrics = Array("LYRICSBEGININD0000210LYR00005Hello".utf8)
    let sized = lyrics + Array("000034LYRICS200".utf8)
    add("lyrics-behind", plain + lyrics + Array("LYRICSEND".utf8) + OddTags.old("Behind"))
    add("lyrics2-behind", plain + OddTags.ape("Behind") + sized + OddTags.old("Behind"))
    add("id3-behind", plain + OddTags.id3("Behind", version: 4, footer: true))
    add("around", OddTags.id3("Front") + plain + OddTags.old("Behind"))
    add("thrice", OddTags.id3("Front") + OddTags.id3("Front") + OddTags.id3("Front") + plain)
    if name.hasSuffix(".ogg") || name.hasSuffix(".opus") {
      add("zeros-behind", plain + [UInt8](repeating: 0, count: 3_000))
      add("line-behind", plain + [10])
    }
    return files
  }

  /// A file of a kind with a mark behind bytes that are no sound: of texts, and of disks.
  static func behindFiller(_ name: String, _ plain: [UInt8], frames: Int?) -> [OddFile] {
    let fillers: [(String, [UInt8])] = [
      ("line", [13, 10]), ("mark", [0xEF, 0xBB, 0xBF]), ("space", [32]),
      ("zeros", [UInt8](repeating: 0, count: 512)),
    ]
    return fillers.map { OddFile(name: "\($0)-front-\(name)", bytes: $1 + plain, frames: frames) }
  }

  /// MP3 with other things in its first frame, in front of it, and joined.
  static func mpeg(_ plain: [UInt8], frames: Int) -> [OddFile] {
    var files: [OddFile] = []
    func add(_ name: String, _ bytes: [UInt8], _ frames: Int?) {
      files.append(OddFile(name: name, bytes: bytes, frames: frames))
    }
    guard
      let tag = plain.firstRange(of: Array("Info".utf8))?.lowerBound
        ?? plain.firstRange(of: Array("Xing".utf8))?.lowerBound
    else { return [] }
    var seed: UInt32 = 11
    func noise(_ count: Int) -> [UInt8] {
      (0..<count).map { _ in
        seed = seed &* 1_664_525 &+ 1_013_904_223
        return UInt8(seed >> 24) & 0x7F
      }
    }
    for count in [1, 10, 417, 5_000] {
      add("zeros\(count).mp3", [UInt8](repeating: 0, count: count) + plain, frames)
      add("noise\(count).mp3", noise(count) + plain, frames)
      add(
        "tag-zeros\(count).mp3", OddTags.id3("Front") + [UInt8](repeating: 0, count: count) + plain,
        frames)
      add("tag-noise\(count).mp3", OddTags.id3("Front", padding: 9) + noise(count) + plain, frames)
    }
    let promised = plain[tag + 8..<tag + 12].reduce(0) { $0 << 8 | Int($1) }
    for other in [0, 1, promised / 2, promised - 5] {
      var bytes = plain
      bytes.replaceSubrange(tag + 8..<tag + 12, with: number(other, 4, big: true))
      add("promise\(other).mp3", bytes, nil)
    }
    let first = MPEGFrameSize.of(plain)
    let bare = Array(plain.dropFirst(first))
    add("bare.mp3", bare, promised * 1_152)
    var nameless = plain
    nameless.replaceSubrange(tag + 120..<tag + 144, with: [UInt8](repeating: 0, count: 24))
    add("nameless.mp3", nameless, promised * 1_152)
    add("joined-bare.mp3", bare + bare, promised * 2 * 1_152)
    add(
      "joined-bare-tags.mp3",
      OddTags.id3("Front") + bare + OddTags.old("Middle") + OddTags.id3("Two") + bare,
      promised * 2 * 1_152)
    add("joined.mp3", plain + plain, nil)
    add("joined-three.mp3", plain + plain + plain, nil)
    // A rate of no table: silent frames of 700 bytes.
    for count in [3, 40] {
      let frame: [UInt8] = [0xFF, 0xFB, 0x00, 0x64] + [UInt8](repeating: 0, count: 696)
      add("free\(count).mp3", Array(repeatElement(frame, count: count).joined()), count * 1_152)
    }
    return files
  }

  /// MP3 in WAVE: with its first frame, without, with tags around its frames, and by the number of older layers.
  static func mpegInWave(_ plain: [UInt8], frames: Int) -> [OddFile] {
    let first = MPEGFrameSize.of(plain)
    let bare = Array(plain.dropFirst(first))
    var nameless = plain
    if let tag = plain.firstRange(of: Array("Info".utf8))?.lowerBound
      ?? plain.firstRange(of: Array("Xing".utf8))?.lowerBound
    {
      nameless.replaceSubrange(tag + 120..<tag + 144, with: [UInt8](repeating: 0, count: 24))
    }
    func chunk(_ name: String, _ body: [UInt8], size: Int? = nil) -> [UInt8] {
      Array(name.utf8) + number(size ?? body.count, 4) + body
        + [UInt8](repeating: 0, count: body.count & 1)
    }
    func file(_ name: String, _ sound: [UInt8], _ frames: Int?, tag: Int = 0x55, size: Int? = nil)
      -> OddFile
    {
      let format =
        number(tag, 2) + number(2, 2) + number(44_100, 4) + number(16_000, 4) + number(1, 2)
        + number(0, 2) + number(12, 2) + number(1, 2) + number(2, 4) + number(417, 2)
        + number(1, 2) + number(1_393, 2)
      let title = chunk("LIST", Array("INFO".utf8) + chunk("INAM", Array("Title\0".utf8)))
      let body =
        Array("WAVE".utf8) + chunk("fmt ", format) + (size == nil ? [] : title)
        + chunk("data", sound, size: size) + (size == nil ? title : [])
      return OddFile(
        name: "\(name)-mp3.wav", bytes: Array("RIFF".utf8) + number(size ?? body.count, 4) + body,
        frames: frames)
    }
    let tagged = OddTags.id3("Inside") + plain + OddTags.old("Inside")
    return [
      file("whole", plain, frames), file("bare", bare, nil), file("tagged", tagged, frames),
      file("nameless", nameless, nil), file("layer2", plain, frames, tag: 0x50),
      file("open", plain, frames, size: 0xFFFF_FFFF), file("open-bare", bare, nil, size: 0),
      file("twice", bare + bare, nil),
    ]
  }

  /// Pages of Ogg, each with its header at its front.
  static func pages(_ bytes: [UInt8]) -> [[UInt8]] {
    var pages: [[UInt8]] = []
    var place = 0
    while place + 27 <= bytes.count {
      let count = Int(bytes[place + 26])
      let size = 27 + count + bytes[place + 27..<place + 27 + count].reduce(0) { $0 + Int($1) }
      pages.append(Array(bytes[place..<place + size]))
      place += size
    }
    return pages
  }

  /// A page with the right sum.
  static func summed(_ page: [UInt8]) -> [UInt8] {
    var page = page
    page.replaceSubrange(22..<26, with: [0, 0, 0, 0])
    var sum: UInt32 = 0
    for byte in page {
      sum ^= UInt32(byte) << 24
      for _ in 0..<8 { sum = sum & 0x8000_0000 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1 }
    }
    page.replaceSubrange(22..<26, with: number(Int(sum), 4))
    return page
  }

  /// Ogg without a mark on its last page, several streams, and other rates of the original.
  static func ogg(_ name: String, _ plain: [UInt8], frames: Int) -> [OddFile] {
    var open = pages(plain)
    open[open.count - 1][5] &= ~4
    open[open.count - 1] = summed(open[open.count - 1])
    var files = [OddFile(name: "open-\(name)", bytes: Array(open.joined()), frames: frames)]
    let second = pages(plain).map { page -> [UInt8] in
      var page = page
      page.replaceSubrange(14..<18, with: [7, 7, 7, 7])
      return summed(page)
    }
    for (what, bytes) in [
      ("same", plain + plain), ("two", plain + Array(second.joined())),
      ("three", plain + Array(second.joined()) + plain),
      ("tag", plain + OddTags.id3("Between") + Array(second.joined())),
      ("ape", plain + OddTags.ape("Between") + plain),
    ] {
      files.append(OddFile(name: "chain-\(what)-\(name)", bytes: bytes, mayBeRefused: true))
    }
    guard let head = plain.firstRange(of: Array("OpusHead".utf8))?.lowerBound else { return files }
    // A sound of one page, with counts of frames that cannot be, and one that can.
    for granule in [-1, 0, 100, 10_000_000, 5_000] {
      for isOpen in [false, true] {
        var page = pages(plain)[2]
        page[5] = isOpen ? 0 : 4
        page.replaceSubrange(6..<14, with: number(granule, 8))
        files.append(
          OddFile(
            name: "page\(granule)\(isOpen ? "-open" : "")-\(name)",
            bytes: pages(plain)[..<2].flatMap { $0 } + summed(page)))
      }
    }
    for rate in [0, 8_000, 11_025, 16_000, 44_100, 96_000] {
      var all = pages(plain)
      all[0].replaceSubrange(head + 12..<head + 16, with: number(rate, 4))
      all[0] = summed(all[0])
      files.append(OddFile(name: "rate\(rate)-\(name)", bytes: Array(all.joined()), frames: frames))
    }
    return files
  }

  /// FLAC whose encoder could not go back.
  static func flac(_ plain: [UInt8], frames: Int) -> [OddFile] {
    var bytes = plain
    bytes[21] &= 0xF0
    bytes.replaceSubrange(22..<26, with: [0, 0, 0, 0])
    bytes.replaceSubrange(26..<42, with: [UInt8](repeating: 0, count: 16))
    // The last block, which is shorter, counted as the shortest.
    var shortest = plain
    shortest.replaceSubrange(8..<10, with: [0, 16])
    return [
      OddFile(name: "endless.flac", bytes: bytes, frames: frames),
      OddFile(name: "shortest.flac", bytes: shortest, frames: frames),
    ]
      + dressed("endless.flac", bytes, frames: frames)
  }
}

/// The length of the first frame of MPEG-1 layer 3.
enum MPEGFrameSize {
  static func of(_ bytes: [UInt8]) -> Int {
    let kilobits = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
    let rate = [44_100, 48_000, 32_000][Int(bytes[2] >> 2 & 3)]
    return 144_000 * kilobits[Int(bytes[2] >> 4)] / rate + Int(bytes[2] >> 1 & 1)
  }
}
