// The length of a sound in the header of its file: read in microseconds, for estimates of time.
// SPDX-License-Identifier: Apache-2.0

/// Reads lengths from headers. For any claims of a file, the result is only numbers.
package enum SoundLength {
  /// Bytes from the beginning of a file, and from its end where only that contains the length.
  private static let (headCount, endCount) = (4096, 65_536)

  /// Seconds of sound in a file of so many bytes; nil where its header does not contain them.
  ///
  /// Context: any; reads the file at its own places.
  package static func seconds(of descriptor: Int32, byteCount: Int) -> Double? {
    let head = readBytes(descriptor, at: 0, count: headCount)
    let length: Double?
    switch text(head, 0, 4) {
    case "RIFF", "RF64", "BW64": length = wave(head, byteCount)
    case "FORM": length = aiff(head)
    case "fLaC": length = flac(head, at: 0)
    case "OggS": length = ogg(descriptor, head, byteCount)
    case "caff": length = coreAudio(head, byteCount)
    case _ where text(head, 4, 4) == "ftyp": length = movie(descriptor, byteCount)
    default: length = mpeg(descriptor, head, byteCount)
    }
    guard let length, length.isFinite, length >= 0, length < 1e9 else { return nil }
    return length
  }

  // MARK: Numbers

  private static func text(_ bytes: [UInt8], _ place: Int, _ count: Int) -> String? {
    guard place >= 0, place + count <= bytes.count else { return nil }
    return String(decoding: bytes[place..<place + count], as: UTF8.self)
  }

  private static func big(_ bytes: [UInt8], _ place: Int, _ count: Int) -> Int? {
    guard place >= 0, place + count <= bytes.count else { return nil }
    return Int(
      truncatingIfNeeded: bytes[place..<place + count].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }

  private static func little(_ bytes: [UInt8], _ place: Int, _ count: Int) -> Int? {
    guard place >= 0, place + count <= bytes.count else { return nil }
    return Int(
      truncatingIfNeeded: bytes[place..<place + count].reversed().reduce(UInt64(0)) {
        $0 << 8 | UInt64($1)
      })
  }

  private static func ratio(_ count: Int?, _ rate: Int?) -> Double? {
    guard let count, let rate, count >= 0, rate > 0 else { return nil }
    return Double(count) / Double(rate)
  }

  // MARK: Kinds of file

  /// Bytes of sound over bytes a second; bytes before the sound count for little.
  private static func wave(_ head: [UInt8], _ byteCount: Int) -> Double? {
    var place = 12
    var rate: Int?
    while let name = text(head, place, 4), let size = little(head, place + 4, 4) {
      if name == "fmt " { rate = little(head, place + 16, 4) }
      if name == "data" {
        let left = max(byteCount - place - 8, 0)
        return ratio(size == 0 || size > left ? left : size, rate)
      }
      place += 8 + size + size % 2
    }
    return ratio(byteCount, rate)
  }

  private static func aiff(_ head: [UInt8]) -> Double? {
    var place = 12
    while let name = text(head, place, 4), let size = big(head, place + 4, 4) {
      if name == "COMM", let frames = big(head, place + 10, 4),
        let exponent = big(head, place + 16, 2), let mantissa = big(head, place + 18, 4)
      {
        // An 80-bit float: the upper half of its mantissa is exact for every rate there is.
        var rate = Double(mantissa)
        for _ in 0..<abs(0x401E - exponent) % 64 { rate *= exponent < 0x401E ? 0.5 : 2 }
        return rate > 0 ? Double(frames) / rate : nil
      }
      place += 8 + size + size % 2
    }
    return nil
  }

  private static func flac(_ head: [UInt8], at start: Int) -> Double? {
    guard let packed = big(head, start + 18, 8) else { return nil }
    let bits = UInt64(bitPattern: Int64(packed))
    let frames = Int(bits & 0xF_FFFF_FFFF)
    return frames > 0 ? ratio(frames, Int(bits >> 44)) : nil
  }

  private static func coreAudio(_ head: [UInt8], _ byteCount: Int) -> Double? {
    guard text(head, 8, 4) == "desc", let bits = big(head, 20, 8),
      let packet = big(head, 36, 4), let frames = big(head, 40, 4), packet > 0
    else { return nil }
    let rate = Double(bitPattern: UInt64(bitPattern: Int64(bits)))
    return rate > 0 ? Double(byteCount) / Double(packet) * Double(frames) / rate : nil
  }

  /// The place of the last page, in samples.
  private static func ogg(_ descriptor: Int32, _ head: [UInt8], _ byteCount: Int) -> Double? {
    let rate: Int?
    if text(head, 28, 8) == "OpusHead" {
      rate = 48_000
    } else if text(head, 29, 6) == "vorbis" {
      rate = little(head, 40, 4)
    } else if text(head, 28, 5) == "Speex" {
      rate = little(head, 64, 4)
    } else {
      rate = text(head, 29, 4) == "FLAC" ? big(head, 55, 3).map { $0 >> 4 } : nil
    }
    let end = readBytes(descriptor, at: max(byteCount - endCount, 0), count: endCount)
    guard let page = end.indices.last(where: { end[$0] == 0x4F && text(end, $0, 4) == "OggS" })
    else { return nil }
    return ratio(little(end, page + 6, 8), rate)
  }

  /// The movie header: the first box of `moov`, which is before the sound or behind it.
  private static func movie(_ descriptor: Int32, _ byteCount: Int) -> Double? {
    var place = 0
    for _ in 0..<64 {
      let box = readBytes(descriptor, at: place, count: 48)
      guard let size = big(box, 0, 4), let name = text(box, 4, 4) else { return nil }
      if name == "moov", text(box, 12, 4) == "mvhd" {
        return box.count > 16 && box[16] == 1
          ? ratio(big(box, 40, 8), big(box, 36, 4)) : ratio(big(box, 32, 4), big(box, 28, 4))
      }
      let whole = size == 1 ? big(box, 8, 8) ?? 0 : size
      guard whole >= 8, whole < byteCount - place else { return nil }
      place += whole
    }
    return nil
  }

  /// The number of frames in the first one, else the bit rate of the first one.
  private static func mpeg(_ descriptor: Int32, _ head: [UInt8], _ byteCount: Int) -> Double? {
    var head = head
    var start = 0
    // Without a tag the first frame is the first of the file: elsewhere its sign is found by chance.
    var reach = 1
    if text(head, 0, 3) == "ID3", head.count > 10 {
      start = 10 + head[6...9].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
      head = readBytes(descriptor, at: start, count: headCount)
      reach = headCount
    }
    if text(head, 0, 4) == "fLaC" { return flac(head, at: 0) }
    guard
      let place = head.indices.prefix(reach).first(where: {
        head[$0] == 0xFF && $0 + 3 < head.count && head[$0 + 1] & 0xE6 == 0xE2
          && head[$0 + 2] & 0xF0 != 0xF0 && head[$0 + 2] & 0xF0 != 0 && head[$0 + 2] & 0x0C != 0x0C
      })
    else { return nil }
    let version = Int(head[place + 1] >> 3 & 3)
    guard version != 1 else { return nil }
    let isFirst = version == 3
    let rates = [44_100, 48_000, 32_000]
    let rate = rates[Int(head[place + 2] >> 2 & 3)] >> (isFirst ? 0 : version == 2 ? 1 : 2)
    let kilobits = (isFirst ? rate1 : rate2)[Int(head[place + 2] >> 4)]
    let isMono = head[place + 3] >> 6 == 3
    let information = place + 4 + (isFirst ? (isMono ? 17 : 32) : (isMono ? 9 : 17))
    if ["Xing", "Info"].contains(text(head, information, 4)),
      let flags = big(head, information + 4, 4),
      flags & 1 == 1, let frames = big(head, information + 8, 4)
    {
      return ratio(frames * (isFirst ? 1152 : 576), rate)
    }
    return ratio((byteCount - start - place) * 8, kilobits * 1000)
  }

  /// Bit rates of layer III in kbit/s, of MPEG 1 and of MPEG 2.
  private static let rate1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0]
  private static let rate2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0]
}
