// The payloads of packets into samples.
// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
import AudioTypes
import CAudioToolbox

/// Decodes payloads of one format into interleaved floats.
///
/// Context: the network thread, or control.
final class PayloadDecoder {
  let format: SoundFormat
  private let decoder: PacketDecoder?
  private let law: LogarithmicLaw?
  /// The samples of the last payload.
  private(set) var samples: [Float] = []

  /// Opens a decoder.
  ///
  /// - Throws: `.badData` for a format that cannot be decoded here.
  init(_ format: SoundFormat) throws(AuricleError) {
    guard format.isValid else {
      throw AuricleError(.badData, "sound on the network cannot have the format \(format.text)")
    }
    self.format = format
    law = format.encoding == .muLaw ? LogarithmicLaw(kAudioFormatULaw) : nil
    decoder =
      format.encoding.isOrdered
      ? try PacketDecoder(Self.description(format), cookie: format.cookie) : nil
  }

  /// The format as Core Audio describes it.
  static func description(_ format: SoundFormat) -> AudioStreamBasicDescription {
    var description = AudioStreamBasicDescription()
    description.mSampleRate = Double(format.sampleRate)
    description.mChannelsPerFrame = UInt32(format.channelCount)
    switch format.encoding {
    case .lossless24:
      description.mFormatID = kAudioFormatAppleLossless
      description.mFormatFlags = kAppleLosslessFormatFlag_24BitSourceData
      description.mFramesPerPacket = 4096
    case .lossless16:
      description.mFormatID = kAudioFormatAppleLossless
      description.mFormatFlags = kAppleLosslessFormatFlag_16BitSourceData
      description.mFramesPerPacket = 4096
    case .ima4:
      description.mFormatID = kAudioFormatAppleIMA4
      description.mFramesPerPacket = 64
      description.mBytesPerPacket = UInt32(34 * format.channelCount)
    case .aac:
      description.mFormatID = kAudioFormatMPEG4AAC
      description.mFramesPerPacket = 1024
    case .muLaw:
      description.mFormatID = kAudioFormatULaw
      description.mFramesPerPacket = 1
      description.mBytesPerPacket = UInt32(format.channelCount)
      description.mBytesPerFrame = UInt32(format.channelCount)
      description.mBitsPerChannel = 8
    case .float32, .linear24, .linear16:
      let width = UInt32(format.encoding.sampleBytes)
      description.mFormatID = kAudioFormatLinearPCM
      description.mFormatFlags =
        (format.encoding == .float32
          ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger) | kAudioFormatFlagIsPacked
      description.mFramesPerPacket = 1
      description.mBytesPerPacket = width * description.mChannelsPerFrame
      description.mBytesPerFrame = description.mBytesPerPacket
      description.mBitsPerChannel = width * 8
    }
    return description
  }

  /// Decodes a payload into `samples`.
  ///
  /// - Returns: Its frames; nil for one that is damaged, or longer than any should be.
  func decode(_ payload: ArraySlice<UInt8>) -> Int? {
    samples.removeAll(keepingCapacity: true)
    let frame = format.encoding.sampleBytes * format.channelCount
    guard frame > 0 else { return decodePackets(payload) }
    let frames = payload.count / frame
    guard frames > 0, frames <= SoundLimits.mostFrames, payload.count % frame == 0 else {
      return nil
    }
    samples.reserveCapacity(frames * format.channelCount)
    unsafe payload.withUnsafeBytes { unsafe decodeLinear($0) }
    return frames
  }

  private func decodeLinear(_ bytes: UnsafeRawBufferPointer) {
    switch format.encoding {
    case .float32:
      for place in stride(from: 0, to: bytes.count, by: 4) {
        let bits = unsafe bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)
        let value = Float(bitPattern: UInt32(bigEndian: bits))
        // Whatever a sender says, nothing that is no number is played.
        samples.append(value.isFinite ? value : 0)
      }
    case .linear24:
      for place in stride(from: 0, to: bytes.count, by: 3) {
        let high = unsafe Int32(Int8(bitPattern: bytes[place])) << 16
        let low = unsafe Int32(bytes[place + 1]) << 8 | Int32(bytes[place + 2])
        samples.append(Float(high | low) * 0x1p-23)
      }
    case .linear16:
      for place in stride(from: 0, to: bytes.count, by: 2) {
        let bits = unsafe bytes.loadUnaligned(fromByteOffset: place, as: Int16.self)
        samples.append(Float(Int16(bigEndian: bits)) * 0x1p-15)
      }
    default:
      var whole = [Int16](repeating: 0, count: bytes.count)
      unsafe whole.withUnsafeMutableBytes {
        if let base = $0.baseAddress { unsafe law?.decode(bytes, into: base) }
      }
      for sample in whole { samples.append(Float(sample) * 0x1p-15) }
    }
  }

  private func decodePackets(_ payload: ArraySlice<UInt8>) -> Int? {
    var packets = [payload]
    switch format.encoding {
    case .aac:
      guard let units = Self.units(payload) else { return nil }
      packets = units
    case .ima4:
      let size = 34 * format.channelCount
      guard payload.count % size == 0, payload.count / size <= SoundLimits.mostFrames / 64 else {
        return nil
      }
      packets = stride(from: payload.startIndex, to: payload.endIndex, by: size).map {
        payload[$0..<$0 + size]
      }
    default: break
    }
    for packet in packets {
      guard decodePacket(packet) else { return nil }
    }
    let frames = samples.count / format.channelCount
    return frames > 0 && frames <= SoundLimits.mostFrames ? frames : nil
  }

  /// The units of a payload of `mpeg4-generic`, whole ones alone.
  private static func units(_ payload: ArraySlice<UInt8>) -> [ArraySlice<UInt8>]? {
    var reader = DatagramReader(payload)
    guard let bits = reader.number(UInt16.self), bits > 0, bits % 16 == 0, bits <= 16 * 8 else {
      return nil
    }
    var sizes: [Int] = []
    for _ in 0..<Int(bits / 16) {
      guard let head = reader.number(UInt16.self) else { return nil }
      sizes.append(Int(head >> 3))
    }
    var units: [ArraySlice<UInt8>] = []
    for size in sizes {
      guard size > 0, let unit = reader.read(size) else { return nil }
      units.append(unit)
    }
    return units
  }

  private func decodePacket(_ packet: ArraySlice<UInt8>) -> Bool {
    guard let decoder, !packet.isEmpty else { return false }
    let made = decoder.samples
    return unsafe packet.withUnsafeBytes { bytes in
      guard let frames = unsafe try? decoder.decode(bytes),
        frames.count <= SoundLimits.mostFrames * Int(made.mBytesPerFrame)
      else { return false }
      unsafe add(frames, made)
      return true
    }
  }

  private func add(_ bytes: UnsafeRawBufferPointer, _ made: AudioStreamBasicDescription) {
    if made.mFormatFlags & kAudioFormatFlagIsFloat != 0 {
      for place in stride(from: 0, to: bytes.count, by: 4) {
        let value = unsafe bytes.loadUnaligned(fromByteOffset: place, as: Float.self)
        samples.append(value.isFinite ? value : 0)
      }
    } else if made.mBytesPerFrame == 2 * made.mChannelsPerFrame {
      for place in stride(from: 0, to: bytes.count, by: 2) {
        let value = unsafe bytes.loadUnaligned(fromByteOffset: place, as: Int16.self)
        samples.append(Float(value) * 0x1p-15)
      }
    } else {
      for place in stride(from: 0, to: bytes.count, by: 4) {
        let value = unsafe bytes.loadUnaligned(fromByteOffset: place, as: Int32.self)
        samples.append(Float(value) * 0x1p-31)
      }
    }
  }
}
