// Samples into packets.
// SPDX-License-Identifier: Apache-2.0

import AudioFormats
package import AudioTypes
package import CAudioToolbox
import CAuricleCodec

/// Encodes samples into packets of one format.
///
/// Context: control. Not to be shared between threads.
@safe package final class PacketEncoder {
  /// The format of the packets, whole.
  package let format: AudioStreamBasicDescription
  /// The source format: interleaved, packed, native integers of 16 or 32 bits or floats.
  package let samples: AudioStreamBasicDescription
  /// Frames that are handed over at once, except at the end.
  package let blockFrames: Int
  /// Bytes of the largest packet there can be.
  package let largestPacket: Int
  /// Frames that lie before the sound.
  package let leadFrames: Int
  /// Bits a second; 0 where that is not known.
  package let bitRate: UInt32
  /// The packets made.
  package let queue: PacketQueue
  /// Frames that were handed over.
  package private(set) var frameCount = 0

  private let codec: UnsafePointer<AuricleCodec>?
  private let encoder: OpaquePointer?
  private let law: LogarithmicLaw?
  private var packer: LosslessPacker?
  private let places: ChannelPlaces?
  private let scratch = Scratch()

  /// Opens an encoder.
  ///
  /// - Parameters:
  ///   - wanted: The format; fields that follow from the others may be 0.
  ///   - settings: The choices of the encoder.
  /// - Throws: `fmt?` for a format without an encoder, or not with such a rate, channels or
  ///   settings.
  package init(
    _ wanted: AudioStreamBasicDescription, _ settings: EncoderSettings = EncoderSettings()
  ) throws(AuricleError) {
    guard let known = KnownCodec.with(id: wanted.mFormatID), known.isEncodable,
      wanted.mSampleRate >= 1, wanted.mSampleRate <= 655_350,
      known.sampleRates.isEmpty || known.sampleRates.contains(wanted.mSampleRate),
      known.channelCounts.contains(wanted.mChannelsPerFrame),
      let whole = Self.completed(wanted, settings)
    else { throw CodecError.unsupported(wanted, "cannot encode") }
    let channels = whole.mChannelsPerFrame
    law = LogarithmicLaw(whole.mFormatID)
    places = ChannelPlaces(whole.mFormatID, channelCount: Int(channels))
    guard law == nil else {
      format = whole
      unsafe codec = nil
      unsafe encoder = nil
      samples = PacketSamples.format(
        kind: kAuricleCodecInt16.rawValue, sampleRate: whole.mSampleRate, channelCount: channels)
      (blockFrames, largestPacket, leadFrames) = (1024, Int(whole.mBytesPerPacket), 0)
      bitRate = UInt32(whole.mSampleRate) * 8 * channels
      queue = PacketQueue(constantSize: largestPacket, constantFrames: 1)
      return
    }
    let depth = Self.depth(whole)
    if whole.mFormatID == kAudioFormatAppleLossless, depth == 20 || depth == 32 {
      format = whole
      unsafe codec = nil
      unsafe encoder = nil
      samples = Self.samples(kAuricleCodecInt32.rawValue, whole, depth)
      packer = LosslessPacker(depth: Int(depth), channelCount: Int(channels))
      blockFrames = LosslessPacker.blockFrames
      largestPacket = blockFrames * Int(channels) * 6 + 64
      (leadFrames, bitRate) = (0, 0)
      queue = PacketQueue(constantSize: 0, constantFrames: 0)
      return
    }
    guard let library = unsafe try? CodecLibrary.load() else {
      throw CodecError.unsupported(wanted, "cannot encode")
    }
    var packets = unsafe Self.packets(known, whole, settings)
    var status: Int32 = 0
    guard let opened = unsafe library.pointee.openEncoder?(&packets, &status) else {
      throw CodecError.unsupported(wanted, "cannot encode")
    }
    unsafe codec = library
    unsafe encoder = opened
    var format = whole
    format.mFramesPerPacket = unsafe packets.framesPerPacket
    format.mBytesPerPacket = unsafe packets.bytesPerPacket
    self.format = format
    samples = unsafe Self.samples(packets.samples, whole, depth)
    blockFrames = unsafe packets.framesPerPacket > 0 ? Int(packets.framesPerPacket) : 1024
    largestPacket = unsafe Int(packets.largestPacket)
    leadFrames = unsafe Int(packets.leadFrames)
    bitRate = unsafe UInt32(clamping: packets.bitRate)
    queue = PacketQueue(
      constantSize: Int(format.mBytesPerPacket), constantFrames: format.mFramesPerPacket)
  }

  deinit { unsafe codec?.pointee.closeEncoder?(encoder) }

  /// The cookie; some of it is known only at the end.
  package var cookie: [UInt8] {
    guard law == nil else { return [] }
    var packets = unsafe AuricleCodecPackets()
    unsafe codec?.pointee.describeEncoder?(encoder, &packets)
    let made = unsafe Array(
      UnsafeBufferPointer(start: packets.configuration, count: packets.configurationSize))
    let configuration = packer?.configuration(sampleRate: format.mSampleRate) ?? made
    let seconds = Double(queue.frameCount) / format.mSampleRate
    let isLossless = format.mFormatID == kAudioFormatAppleLossless
    return Cookies.cookie(
      configuration, of: format,
      bitRate: isLossless
        ? seconds > 0 ? UInt32(min(Double(queue.byteCount) * 8 / seconds, 0x1p31)) : 0 : bitRate,
      largestPacket: queue.largest)
  }

  /// Frames of the last packets that are no sound, once all was encoded. Packets count as the format says, also where
  /// the last one is shorter.
  package var trailFrames: Int {
    let size = Int(format.mFramesPerPacket)
    let all = size > 0 ? queue.packetCount * size : queue.frameCount
    return max(0, all - leadFrames - frameCount)
  }

  /// Encodes frames, `blockFrames` of them or fewer at the end; nil ends the sound.
  ///
  /// - Throws: `!dat` or `bada` where the encoder fails.
  package func encode(
    _ frames: UnsafeRawPointer?, frameCount count: Int
  ) throws(AuricleError) {
    if let law {
      guard let frames = unsafe frames else { return }
      frameCount += count
      return queue.putBytes(frameCount: UInt32(count)) { bytes in
        unsafe law.encode(frames, count: count * Int(samples.mChannelsPerFrame), into: &bytes)
      }
    }
    if packer != nil {
      guard let frames = unsafe frames?.assumingMemoryBound(to: Int32.self) else { return }
      frameCount += count
      let packet = unsafe packer?.pack(frames, frameCount: count) ?? []
      return unsafe packet.withUnsafeBytes { unsafe queue.put($0, frameCount: UInt32(count)) }
    }
    var frames = unsafe frames
    if let places, let source = unsafe frames {
      scratch.reserve(count * Int(samples.mBytesPerFrame))
      unsafe places.move(
        source, frameCount: count, width: Int(samples.mBytesPerFrame / samples.mChannelsPerFrame),
        into: scratch.start, toLibrary: true)
      unsafe frames = UnsafeRawPointer(scratch.start)
    }
    if unsafe frames != nil { frameCount += count }
    let status =
      unsafe codec?.pointee.encode?(
        encoder, frames, Int64(count),
        { context, packet, size, frames in
          guard let context = unsafe context else { return }
          let queue = unsafe Unmanaged<PacketQueue>.fromOpaque(context).takeUnretainedValue()
          unsafe queue.put(UnsafeRawBufferPointer(start: packet, count: size), frameCount: frames)
        }, Unmanaged.passUnretained(queue).toOpaque()) ?? 0
    guard status == 0 else {
      throw CodecError.library(status, "cannot encode \(CodecError.name(of: format))")
    }
  }

  /// The depth of an encoder without loss; 0 for others.
  private static func depth(_ format: AudioStreamBasicDescription) -> UInt32 {
    [kAudioFormatAppleLossless, kAudioFormatFLAC].contains(format.mFormatID)
      ? PacketSamples.depth(format.mFormatFlags) : 0
  }

  /// The format of samples of the library's kind; those of a depth are in the high bits.
  private static func samples(
    _ kind: UInt32, _ format: AudioStreamBasicDescription, _ depth: UInt32
  ) -> AudioStreamBasicDescription {
    var samples = PacketSamples.format(
      kind: kind, sampleRate: format.mSampleRate, channelCount: format.mChannelsPerFrame)
    if depth > 16, depth < 32 {
      samples.mBitsPerChannel = depth
      samples.mFormatFlags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsAlignedHigh
    }
    return samples
  }

  /// Returns the format with fields that follow from the others; nil if parts contradict each other.
  private static func completed(
    _ wanted: AudioStreamBasicDescription, _ settings: EncoderSettings
  ) -> AudioStreamBasicDescription? {
    guard var format = FormatCompletion.complete(wanted) else { return nil }
    let channels = wanted.mChannelsPerFrame
    switch wanted.mFormatID {
    case kAudioFormatMPEG4AAC:
      guard wanted.mFormatFlags == 0 || wanted.mFormatFlags == kMPEG4Object_AAC_LC else {
        return nil
      }
    case kAudioFormatAppleLossless, kAudioFormatFLAC:
      let depth =
        wanted.mFormatFlags == 0 ? settings.sourceBits : PacketSamples.depth(wanted.mFormatFlags)
      let isFLAC = wanted.mFormatID == kAudioFormatFLAC
      guard depth > 0, depth <= (isFLAC ? 24 : 32) else { return nil }
      // Depths between the encoder's own are encoded as the next one.
      format.mFormatFlags = PacketSamples.flags(depth: isFLAC && depth > 16 ? 24 : depth)
      if wanted.mFormatID == kAudioFormatFLAC {
        format.mFramesPerPacket = wanted.mFramesPerPacket == 0 ? 4096 : wanted.mFramesPerPacket
        guard (16...65_535).contains(format.mFramesPerPacket) else { return nil }
      }
    case kAuricleAudioFormatMicrosoftADPCM, kAudioFormatDVIIntelIMA:
      let rate: UInt32 =
        wanted.mSampleRate < 22_050 ? 256 : wanted.mSampleRate < 44_100 ? 512 : 1024
      let size = wanted.mBytesPerPacket == 0 ? rate * channels : wanted.mBytesPerPacket
      guard (32...8192).contains(size), size.nonzeroBitCount == 1 else { return nil }
      format.mBytesPerPacket = size
      format.mFramesPerPacket = 0
      return format
    default: break
    }
    guard
      wanted.mFramesPerPacket == 0 || format.mFramesPerPacket == 0
        || wanted.mFramesPerPacket == format.mFramesPerPacket
        || wanted.mFormatID == kAudioFormatOpus
    else { return nil }
    return format
  }

  private static func packets(
    _ known: KnownCodec, _ format: AudioStreamBasicDescription, _ settings: EncoderSettings
  ) -> AuricleCodecPackets {
    var packets = unsafe PacketSamples.packets(known, format)
    let (rate, channels) = (format.mSampleRate, format.mChannelsPerFrame)
    unsafe packets.bitsPerSample = PacketSamples.depth(format.mFormatFlags)
    unsafe packets.bitRateMode = settings.mode.rawValue
    let isVariable = settings.mode == .variable
    unsafe packets.quality = isVariable ? Int32(settings.quality) : -1
    unsafe packets.bitRate = Int64(
      settings.bitRate == 0
        ? known.usualBitRate(sampleRate: rate, channelCount: channels)
        : known.nearestBitRate(settings.bitRate, sampleRate: rate, channelCount: channels))
    return unsafe packets
  }
}
