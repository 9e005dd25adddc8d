// Files to try, and the shortest ways to write and read them whole.
// SPDX-License-Identifier: Apache-2.0

import AudioFilePackets
import AudioTypes
import CAudioToolbox
import Foundation
import TestSupport
import Testing

/// A four-character code.
func code(_ text: String) -> UInt32 { FourCharacterCode(text)?.rawValue ?? 0 }

/// Linear PCM to make a file of.
func linear(
  _ flags: UInt32, bits: UInt32, channels: UInt32, rate: Double = 48000
) -> AudioStreamBasicDescription {
  let frame = bits / 8 * channels
  return AudioStreamBasicDescription(
    mSampleRate: rate, mFormatID: kAudioFormatLinearPCM, mFormatFlags: flags,
    mBytesPerPacket: frame, mFramesPerPacket: 1, mBytesPerFrame: frame,
    mChannelsPerFrame: channels, mBitsPerChannel: bits, mReserved: 0)
}

/// Bytes of seeded chance: samples of integers. Floats get small numbers instead.
func samples(_ format: AudioStreamBasicDescription, frames: Int, seed: UInt64) -> [UInt8] {
  var random = SeededGenerator(seed: seed)
  let count = frames * Int(format.mChannelsPerFrame)
  guard format.mFormatFlags & kAudioFormatFlagIsFloat != 0 else {
    return (0..<(count * Int(format.mBitsPerChannel / 8))).map { _ in
      UInt8.random(in: 0...255, using: &random)
    }
  }
  let isBig = format.mFormatFlags & kAudioFormatFlagIsBigEndian != 0
  return (0..<count).flatMap { _ -> [UInt8] in
    let value = Double.random(in: -1...1, using: &random)
    let pattern =
      format.mBitsPerChannel == 64 ? value.bitPattern : UInt64(Float(value).bitPattern) << 32
    let bytes = (0..<Int(format.mBitsPerChannel / 8)).map {
      UInt8(truncatingIfNeeded: pattern >> UInt64(56 - 8 * $0))
    }
    return isBig ? bytes : bytes.reversed()
  }
}

extension PacketFile {
  /// Writes packets of one size.
  func write(_ bytes: [UInt8], from packet: Int64 = 0) throws {
    let count = UInt32(bytes.count / Int(format.mBytesPerPacket))
    try unsafe bytes.withUnsafeBytes { buffer in
      guard let start = buffer.baseAddress else { return }
      try unsafe writePackets(count, from: packet, start)
    }
  }

  /// Writes four bytes without saying which packets they are.
  func writeZeros() throws {
    let zeros = [UInt8](repeating: 0, count: 4)
    try unsafe zeros.withUnsafeBytes { try unsafe writeBytes($0, at: 0) }
  }

  /// Appends packets that differ in size.
  func append(_ packets: [[UInt8]], from start: Int64 = 0) throws {
    var descriptions: [AudioStreamPacketDescription] = []
    var bytes: [UInt8] = []
    for packet in packets {
      descriptions.append(
        AudioStreamPacketDescription(
          mStartOffset: Int64(bytes.count), mVariableFramesInPacket: 0,
          mDataByteSize: UInt32(packet.count)))
      bytes += packet
    }
    let written = try unsafe bytes.withUnsafeBytes { bytes in
      try unsafe descriptions.withUnsafeBufferPointer {
        try unsafe appendPackets(from: start, bytes, $0)
      }
    }
    #expect(written == UInt32(packets.count))
  }

  /// Reads packets; each for itself.
  func packets(from start: Int64, count: UInt32) throws -> [[UInt8]] {
    let size = max(1, Int(try largestPacket()))
    var bytes = [UInt8](repeating: 0, count: size * Int(count))
    var found: [AudioStreamPacketDescription] = []
    let delivery = try unsafe bytes.withUnsafeMutableBytes { buffer in
      try unsafe readPackets(from: start, count: count, into: buffer) { found.append($1) }
    }
    if found.isEmpty {
      return (0..<Int(delivery.packetCount)).map { Array(bytes[($0 * size)..<(($0 + 1) * size)]) }
    }
    return found.map {
      Array(bytes[Int($0.mStartOffset)..<Int($0.mStartOffset) + Int($0.mDataByteSize)])
    }
  }

  /// All packets.
  func allPackets() throws -> [[UInt8]] {
    try packets(from: 0, count: UInt32(try packetCount()))
  }
}

/// A file of ffmpeg's making: noise and a tone.
func made(
  _ name: String, in folder: TemporaryFolder, _ arguments: [String], seconds: Double = 2,
  rate: Int = 44100
) throws -> String {
  let source = "sine=440:r=\(rate):d=\(seconds),aformat=channel_layouts=stereo"
  let noise = "anoisesrc=r=\(rate):d=\(seconds):a=0.1:seed=7"
  let result = try runProcess(
    "ffmpeg",
    [
      "-v", "error", "-y", "-f", "lavfi", "-i", source, "-f", "lavfi", "-i", noise,
      "-filter_complex", "amix=inputs=2", "-metadata", "title=Of a test",
    ] + arguments + [folder(name)])
  try #require(result.exitCode == 0, "\(result.summary)")
  return folder(name)
}

/// Returns the checksum of ffmpeg's output, with the encoder's padding: not every container states how much to drop.
func decodedSum(_ path: String) throws -> String {
  let result = try runProcess(
    "ffmpeg", ["-v", "error", "-flags2", "+skip_manual", "-i", path, "-f", "md5", "-"])
  try #require(result.exitCode == 0, "\(result.summary)")
  return result.standardOutput
}
