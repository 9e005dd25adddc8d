// Samples into the payloads of packets.
// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
import AudioTypes
import CAudioToolbox
import Glibc

/// A packet of encoded sound, in the pieces that go into one datagram each.
struct EncodedPacket {
  /// Its first frame since the start; below 0 where an encoder puts silence in front.
  var position: Int64
  /// Frames of it.
  var frameCount: Int
  /// The payloads.
  var pieces: [ArraySlice<UInt8>]
}

/// Encodes interleaved floats of one format.
///
/// Context: the network thread, or control.
final class PayloadEncoder {
  /// The format, whole: with the frames of a packet, and the cookie.
  let format: SoundFormat
  private let encoder: PacketEncoder?
  private let law: LogarithmicLaw?
  /// Frames that are encoded at once, and encoded packets in one payload.
  private let blockFrames: Int
  private let blocksInPayload: Int
  private var waiting: [Float] = []
  private var position: Int64
  private var gathered: [UInt8] = []
  private var gatheredBlocks = 0

  /// Opens an encoder.
  ///
  /// - Throws: `.badData` for a format that cannot be encoded here, with the reason.
  init(_ wanted: SoundFormat) throws(AuricleError) {
    guard wanted.isValid else {
      throw AuricleError(.badData, "sound on the network cannot have the format \(wanted.text)")
    }
    var format = wanted
    if format.encoding.sampleBytes > 0 {
      encoder = nil
      law = format.encoding == .muLaw ? LogarithmicLaw(kAudioFormatULaw) : nil
      format.packetFrames = format.linearFrames
      (blockFrames, blocksInPayload, position) = (format.packetFrames, 1, 0)
    } else {
      let opened = try Self.open(format)
      encoder = opened
      law = nil
      blockFrames = opened.blockFrames
      position = -Int64(opened.leadFrames)
      if format.encoding == .ima4 {
        let most = SoundFormat.payloadSize / max(1, opened.largestPacket)
        blocksInPayload = max(1, min(most, format.sampleRate / 100 / blockFrames))
      } else {
        blocksInPayload = 1
      }
      format.packetFrames = blockFrames * blocksInPayload
      format.cookie = opened.cookie
      format.bitRate = format.encoding == .aac ? Int(opened.bitRate) : 0
    }
    self.format = format
  }

  private static func open(_ format: SoundFormat) throws(AuricleError) -> PacketEncoder {
    var settings = EncoderSettings()
    settings.bitRate = UInt32(clamping: format.bitRate)
    do throws(AuricleError) {
      return try PacketEncoder(PayloadDecoder.description(format), settings)
    } catch {
      let hint =
        CodecLibrary.path == nil
        ? CodecLibrary.advice : "choose float, s24, s16 or ulaw, or another rate"
      throw AuricleError(
        .badData, status: error.status,
        "sound for the network cannot be encoded as \(format.text): \(hint)")
    }
  }

  /// Encodes frames; the body receives each packet that they complete.
  ///
  /// - Throws: `.badData` where an encoder fails.
  func encode(
    _ samples: UnsafePointer<Float>, frameCount: Int, _ body: (EncodedPacket) -> Void
  ) throws(AuricleError) {
    let channels = format.channelCount
    unsafe waiting.append(
      contentsOf: UnsafeBufferPointer(start: samples, count: frameCount * channels))
    var place = 0
    while waiting.count - place >= blockFrames * channels {
      try encodeBlock(place, body)
      place += blockFrames * channels
    }
    waiting.removeFirst(place)
  }

  private func encodeBlock(
    _ place: Int, _ body: (EncodedPacket) -> Void
  ) throws(AuricleError) {
    let count = blockFrames * format.channelCount
    guard let encoder else {
      body(
        EncodedPacket(
          position: position, frameCount: blockFrames, pieces: [linear(place, count)[...]]))
      position += Int64(blockFrames)
      return
    }
    let block = Self.block(waiting[place..<place + count], encoder.samples)
    try Self.encode(encoder, block, blockFrames)
    while let item = encoder.queue.first {
      var packet = [UInt8](repeating: 0, count: item.size)
      unsafe packet.withUnsafeMutableBytes {
        if let base = $0.baseAddress { unsafe encoder.queue.dequeue(item, into: base) }
      }
      gather(packet, body)
    }
  }

  private static func encode(
    _ encoder: PacketEncoder, _ block: [UInt8], _ frameCount: Int
  ) throws(AuricleError) {
    var failure: AuricleError?
    unsafe block.withUnsafeBytes { bytes in
      do throws(AuricleError) {
        try unsafe encoder.encode(bytes.baseAddress, frameCount: frameCount)
      } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// Adds a packet of the encoder to the payload; passes that on when it is full.
  private func gather(_ packet: [UInt8], _ body: (EncodedPacket) -> Void) {
    gathered += packet
    gatheredBlocks += 1
    guard gatheredBlocks == blocksInPayload else { return }
    var payload = gathered
    if format.encoding == .aac {
      // One unit: the bits of its header, then 13 bits of its size and 3 of its index.
      payload = [0, 16, UInt8(packet.count >> 5 & 0xFF), UInt8(packet.count << 3 & 0xFF)] + packet
    }
    var pieces = [payload[...]]
    if format.encoding.isCut {
      pieces = stride(from: 0, to: payload.count, by: SoundFormat.payloadSize).map {
        payload[$0..<min($0 + SoundFormat.payloadSize, payload.count)]
      }
    }
    let frames = blockFrames * blocksInPayload
    body(EncodedPacket(position: position, frameCount: frames, pieces: pieces))
    position += Int64(frames)
    gathered = []
    gatheredBlocks = 0
  }

  /// Moves the position on, over frames that are not sent.
  func skip(_ frames: Int64) { position += frames }

  // MARK: Samples

  private func linear(_ place: Int, _ count: Int) -> [UInt8] {
    let samples = waiting[place..<place + count]
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count * format.encoding.sampleBytes)
    switch format.encoding {
    case .float32: for sample in samples { bytes.add(sample.bitPattern) }
    case .linear24:
      for sample in samples {
        let bits = UInt32(bitPattern: Self.integer(sample, 24))
        bytes.append(UInt8(truncatingIfNeeded: bits >> 16))
        bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
        bytes.append(UInt8(truncatingIfNeeded: bits))
      }
    case .linear16:
      for sample in samples {
        bytes.add(UInt16(truncatingIfNeeded: Self.integer(sample, 16)))
      }
    default:
      let whole = samples.map { Int16(truncatingIfNeeded: Self.integer($0, 16)) }
      unsafe whole.withUnsafeBytes {
        if let base = $0.baseAddress { unsafe law?.encode(base, count: count, into: &bytes) }
      }
    }
    return bytes
  }

  /// The nearest integer of so many bits.
  private static func integer(_ sample: Float, _ bits: Int) -> Int32 {
    guard sample.isFinite else { return 0 }
    let limit = Double(1 << (bits - 1))
    return Int32(min(max((Double(sample) * limit).rounded(), -limit), limit - 1))
  }

  /// Samples as an encoder wants them.
  private static func block(
    _ samples: ArraySlice<Float>, _ wanted: AudioStreamBasicDescription
  ) -> [UInt8] {
    if wanted.mFormatFlags & kAudioFormatFlagIsFloat != 0 { return Array(samples).bytes }
    if wanted.mBytesPerFrame == 2 * wanted.mChannelsPerFrame {
      return samples.map { Int16(truncatingIfNeeded: integer($0, 16)) }.bytes
    }
    let depth = Int(min(max(wanted.mBitsPerChannel, 16), 32))
    return samples.map { integer($0, depth) << Int32(32 - depth) }.bytes
  }
}

extension Array where Element: BitwiseCopyable {
  /// The bytes of numbers.
  fileprivate var bytes: [UInt8] { unsafe withUnsafeBytes { unsafe Array<UInt8>($0) } }
}
