// Reads a WAVE file into a zone: samples, loop and root of `smpl`, keys of `inst`, the key in its name.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK

/// The WAVE files of a sampler.
enum WaveFile {
  /// Bytes of a file that are read at most.
  private static let mostBytes = 1 << 30

  /// Reads a file.
  ///
  /// - Parameter room: The most samples that it may have.
  /// - Throws: A sentence: not there, too long, no WAVE file, or a kind of samples that is not read.
  ///
  /// Context: control.
  static func read(_ path: String, room: Int) throws(UnitRefusal) -> SampleZone {
    // A sample has four bytes at most.
    let size = FileBytes.size(of: path)
    if let size, size / 4 > room { throw SamplerModel.tooMuch }
    func refusal(_ why: String) -> UnitRefusal {
      UnitRefusal(status: kAudioUnitErr_InvalidFile, reason: "\(path) \(why)")
    }
    if let size, size > mostBytes {
      throw refusal(
        "is longer than 1 GiB, which is the most that a sound of an instrument may have")
    }
    guard let bytes = FileBytes.read(path, most: mostBytes) else {
      throw UnitRefusal(
        status: OSStatus(kAudio_FileNotFoundError), reason: "there is no sound file \(path)")
    }
    guard bytes.count > 12, text(bytes, 0) == "RIFF", text(bytes, 8) == "WAVE" else {
      throw refusal("is no WAVE file: convert it (auricle convert FILE -o NAME.wav)")
    }
    let file = path.split(separator: "/").last.map(String.init) ?? path
    let name = String(file.lastIndex(of: ".").map { file[..<$0] } ?? Substring(file))
    let nothing = unsafe SoundData(sampleRate: 0, channelCount: 1, frameCount: 0) { _, _ in }
    var zone = SampleZone(name: name, sound: nothing)
    zone.root = SampleZone.key(inName: name)
    var format: (tag: Int, channels: Int, bits: Int)?
    var rate = 0
    var place = 12
    while place + 8 <= bytes.count {
      let size = min(number(bytes, place + 4, 4), bytes.count - place - 8)
      let body = place + 8
      switch text(bytes, place) {
      case "fmt " where size >= 16:
        var tag = number(bytes, body, 2)
        if tag == 0xFFFE, size >= 26 { tag = number(bytes, body + 24, 2) }
        format = (tag, number(bytes, body + 2, 2), number(bytes, body + 14, 2))
        rate = number(bytes, body + 4, 4)
      case "data":
        guard let format, let sound = samples(bytes[body..<body + size], format, rate) else {
          throw refusal(
            "has samples of a kind that is not read: give PCM or float of 1 or 2 channels")
        }
        zone.sound = sound
      case "smpl" where size >= 36: readSampler(bytes, body, size, &zone)
      case "inst" where size >= 7: readInstrument(bytes, body, &zone)
      default: break
      }
      place = body + size + size % 2
    }
    let count = zone.sound.frameCount
    guard count > 0, (400...400_000).contains(rate) else { throw refusal("has no sound") }
    if let loop = zone.loop, loop.upperBound > count || loop.count < 8 { zone.loop = nil }
    return zone
  }

  private static func readSampler(
    _ bytes: [UInt8], _ body: Int, _ size: Int, _ zone: inout SampleZone
  ) {
    let root = number(bytes, body + 12, 4)
    if (0...127).contains(root) { zone.root = root }
    // A part of a semitone, of 2³².
    zone.cents = -Double(number(bytes, body + 16, 4)) / 42_949_672.96
    guard number(bytes, body + 28, 4) > 0, size >= 60 else { return }
    let (start, end) = (number(bytes, body + 44, 4), number(bytes, body + 48, 4))
    if start < end { zone.loop = start..<end + 1 }
  }

  private static func readInstrument(_ bytes: [UInt8], _ body: Int, _ zone: inout SampleZone) {
    let values = bytes[body..<body + 7].map { Int($0) }
    if values[0] <= 127 { zone.root = values[0] }
    // The cents from it to its root.
    zone.cents = Double(Int8(truncatingIfNeeded: values[1]))
    if values[3] <= values[4], values[4] <= 127 { zone.keys = values[3]...values[4] }
    if values[5] <= values[6], values[6] <= 127 { zone.velocities = values[5]...values[6] }
  }

  /// Samples of a full scale of 1; nil for a kind that is not read.
  private static func samples(
    _ data: ArraySlice<UInt8>, _ format: (tag: Int, channels: Int, bits: Int), _ rate: Int
  ) -> SoundData? {
    let width = (format.bits + 7) / 8
    let isFloat = format.tag == 3 && (width == 4 || width == 8)
    guard (1...2).contains(format.channels), isFloat || (format.tag == 1 && (1...4).contains(width))
    else { return nil }
    let count = data.count / (width * format.channels)
    return unsafe SoundData(
      sampleRate: Double(rate), channelCount: format.channels, frameCount: count
    ) { channel, samples in
      for frame in 0..<count {
        let start = data.startIndex + (frame * format.channels + channel) * width
        var bits: UInt64 = 0
        for byte in 0..<width { bits |= UInt64(data[start + byte]) << UInt64(8 * byte) }
        unsafe samples[frame] =
          isFloat ? number(bits, isWide: width == 8) : whole(bits, width)
      }
    }
  }

  private static func number(_ bits: UInt64, isWide: Bool) -> Float {
    let value =
      isWide
      ? Float(Double(bitPattern: bits)) : Float(bitPattern: UInt32(truncatingIfNeeded: bits))
    return value.isFinite ? value : 0
  }

  private static func whole(_ bits: UInt64, _ width: Int) -> Float {
    // A byte counts from 128 on.
    let signed = width == 1 ? bits ^ 0x80 : bits
    let shifted = Int32(truncatingIfNeeded: signed << UInt64(32 - 8 * width))
    return Float(shifted) / 2_147_483_648
  }

  private static func text(_ bytes: [UInt8], _ place: Int) -> String {
    String(decoding: bytes[place..<place + 4], as: UTF8.self)
  }

  private static func number(_ bytes: [UInt8], _ place: Int, _ count: Int) -> Int {
    (0..<count).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
  }
}
