// The description of a session for other programs: SDP (RFC 8866), written and read.
// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
package import AudioTypes
import Glibc

/// A stream of RTP in the words of ffmpeg, GStreamer and others.
package struct SoundDescription: Sendable, Equatable {
  /// The address that the stream goes to, without its port.
  package var host: String
  /// The port.
  package var port: UInt16
  /// The payload type.
  package var kind: UInt8
  /// The format.
  package var format: SoundFormat

  /// Describes a stream.
  package init(host: String, port: UInt16, kind: UInt8, format: SoundFormat) {
    self.host = host
    self.port = port
    self.kind = kind
    self.format = format
  }

  /// The text of an SDP file.
  package var text: String {
    let version = host.contains(":") ? "IP6" : "IP4"
    var lines = [
      "v=0", "o=- 1 1 IN \(version) \(host)", "s=Auricle", "c=IN \(version) \(host)", "t=0 0",
      "m=audio \(port) RTP/AVP \(kind)",
      "a=rtpmap:\(kind) \(name)/\(format.sampleRate)/\(format.channelCount)",
    ]
    switch format.encoding {
    case .aac:
      lines.append(
        "a=fmtp:\(kind) profile-level-id=1;mode=AAC-hbr;sizelength=13;indexlength=3;"
          + "indexdeltalength=3;config=" + Self.hex(configuration))
    case .lossless16, .lossless24: lines.append("a=fmtp:\(kind) config=" + Self.hex(format.cookie))
    default: break
    }
    if format.packetFrames > 0 {
      lines.append("a=ptime:\(max(1, format.packetFrames * 1000 / format.sampleRate))")
    }
    return lines.map { $0 + "\r\n" }.joined()
  }

  /// The configuration of an AAC decoder, in the cookie.
  private var configuration: [UInt8] {
    AACCookies.configuration(format.cookie, of: PayloadDecoder.description(format)) ?? []
  }

  private var name: String {
    switch format.encoding {
    case .float32: "X-F32"
    case .linear24: "L24"
    case .linear16: "L16"
    case .muLaw: "PCMU"
    case .lossless24, .lossless16: "X-ALAC"
    case .ima4: "X-IMA4"
    case .aac: "mpeg4-generic"
    }
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// Reads an SDP file, or a text that begins as one does.
  ///
  /// - Throws: `.unavailable` for a file that cannot be read, else as `init(_:)`.
  package init(reading text: String) throws(AuricleError) {
    guard !text.hasPrefix("v=0") else {
      try self.init(text)
      return
    }
    let descriptor = unsafe open(text, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw AuricleError(.unavailable, "the description \(text) cannot be read: name an SDP file")
    }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = unsafe read(descriptor, &bytes, bytes.count)
    try self.init(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self))
  }

  /// Reads the first stream of sound of an SDP text.
  ///
  /// - Throws: `.badData` for a text without one, and for a format that cannot be received.
  package init(_ text: String) throws(AuricleError) {
    var (host, port, kind) = ("", UInt16(0), UInt8(0))
    var map = "", details = ""
    for line in text.split(whereSeparator: \.isNewline).prefix(256) {
      let words = line.dropFirst(2).split(separator: " ").map(String.init)
      if line.hasPrefix("c="), words.count == 3 {
        host = String(words[2].prefix { $0 != "/" })
      } else if line.hasPrefix("m=audio"), port == 0, words.count >= 4,
        let number = UInt16(words[1]), let type = UInt8(words[3])
      {
        (port, kind) = (number, type)
      } else if line.hasPrefix("a=rtpmap:\(kind) "), port > 0, words.count == 2 {
        map = words[1]
      } else if line.hasPrefix("a=fmtp:\(kind) "), port > 0 {
        details = words.dropFirst().joined()
      }
    }
    if map.isEmpty { map = Self.fixedKinds[kind] ?? "" }
    guard port > 0, kind < 128, var format = Self.format(map) else {
      throw AuricleError(
        .badData,
        "the description has no sound that can be received: a line 'm=audio PORT RTP/AVP TYPE' and "
          + "'a=rtpmap:TYPE NAME/RATE/CHANNELS' with L16, L24 or PCMU, or mpeg4-generic")
    }
    if [.aac, .lossless24].contains(format.encoding) {
      let field = details.split(separator: ";").first { $0.hasPrefix("config=") }
      format.cookie = Self.bytes(field?.dropFirst(7) ?? "")
    }
    self.init(host: host, port: port, kind: kind, format: format)
  }

  /// The payload types with a fixed meaning (RFC 3551, section 6).
  private static let fixedKinds: [UInt8: String] = [
    0: "PCMU/8000/1", 10: "L16/44100/2", 11: "L16/44100/1",
  ]

  private static func format(_ map: String) -> SoundFormat? {
    let parts = map.split(separator: "/")
    guard parts.count >= 2, let rate = Int(parts[1]) else { return nil }
    let channels = parts.count > 2 ? Int(parts[2]) ?? 0 : 1
    let encoding: SoundEncoding
    switch parts[0].uppercased() {
    case "X-F32": encoding = .float32
    case "L24": encoding = .linear24
    case "L16": encoding = .linear16
    case "PCMU": encoding = .muLaw
    case "X-ALAC": encoding = .lossless24
    case "X-IMA4": encoding = .ima4
    case "MPEG4-GENERIC": encoding = .aac
    default: return nil
    }
    let format = SoundFormat(encoding, sampleRate: rate, channelCount: channels)
    return format.isValid ? format : nil
  }

  private static func bytes(_ text: Substring) -> [UInt8] {
    let digits = text.prefix(1024).compactMap { $0.hexDigitValue.map(UInt8.init) }
    return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}
