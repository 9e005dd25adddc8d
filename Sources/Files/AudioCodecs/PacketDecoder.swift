// Packets into samples.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax
import AudioFormats
package import AudioTypes
package import CAudioToolbox
import CAuricleCodec

/// Decodes packets of one format, one after the other.
///
/// Context: control. Not to be shared between threads.
@safe package final class PacketDecoder {
  /// The format of the packets.
  package let format: AudioStreamBasicDescription
  /// The decoded format: interleaved, packed, native integers of 16 or 32 bits or floats.
  package let samples: AudioStreamBasicDescription

  private let codec: UnsafePointer<AuricleCodec>?
  private var decoder: OpaquePointer?
  /// The configuration of a decoder that is opened for the first packet; nil for one that is open.
  private var unopened: [UInt8]?
  private let law: LogarithmicLaw?
  private let flac: FLACDecoder?
  private let places: ChannelPlaces?
  /// Rewrites frames of a free bit rate, which the codec's decoder does not read.
  private var freeFrames = FreeFormatFrames()
  private let scratch = Scratch()

  /// Opens a decoder.
  ///
  /// - Parameters:
  ///   - format: The format of the packets; fields that the cookie contains may be 0.
  ///   - cookie: As files hold it; empty for none.
  /// - Throws: `fmt?` for a format without a decoder, `!dat` for a missing cookie or one of another
  ///   format.
  package init(
    _ format: AudioStreamBasicDescription, cookie: [UInt8] = []
  ) throws(AuricleError) {
    guard let known = KnownCodec.with(id: format.mFormatID), known.isDecodable,
      format.mSampleRate >= 1, format.mSampleRate <= 1_000_000,
      format.mChannelsPerFrame > 0, known.decodedChannelCounts.contains(format.mChannelsPerFrame)
    else { throw CodecError.unsupported(format, "cannot decode") }
    self.format = format
    let channels = format.mChannelsPerFrame
    law = LogarithmicLaw(format.mFormatID)
    // Channels that a stream lists itself are in the codec's order.
    let isListed =
      FormatCompletion.isAAC(format.mFormatID)
      && ElementaryStream(cookie)?.channelConfiguration == 0
    places = isListed ? nil : ChannelPlaces(format.mFormatID, channelCount: Int(channels))
    guard law == nil else {
      flac = nil
      unsafe codec = nil
      unsafe decoder = nil
      samples = PacketSamples.format(
        kind: kAuricleCodecInt16.rawValue, sampleRate: format.mSampleRate, channelCount: channels)
      return
    }
    guard let configuration = Cookies.configuration(cookie, of: format) else {
      throw AuricleError(
        .badData, status: kAudioCodecUnsupportedFormatError,
        "cannot decode \(CodecError.name(of: format)): "
          + (cookie.isEmpty ? "it takes a cookie" : "the cookie is none of this format"))
    }
    flac = format.mFormatID == kAudioFormatFLAC ? FLACDecoder(configuration) : nil
    if let flac {
      unsafe codec = nil
      unsafe decoder = nil
      samples = PacketSamples.format(
        kind: (flac.isWide ? kAuricleCodecInt32 : kAuricleCodecInt16).rawValue,
        sampleRate: format.mSampleRate, channelCount: channels)
      return
    }
    guard let library = unsafe try? CodecLibrary.load() else {
      throw CodecError.unsupported(format, "cannot decode")
    }
    unsafe codec = library
    // A decoder has hundreds of pages, and many files are opened for their metadata alone.
    if let samples = Self.samples(ofPlain: configuration, format) {
      unsafe decoder = nil
      unopened = configuration
      self.samples = samples
      return
    }
    (unsafe decoder, samples) = unsafe try Self.open(library, known, format, configuration)
  }

  private static func open(
    _ library: UnsafePointer<AuricleCodec>, _ known: KnownCodec,
    _ format: AudioStreamBasicDescription, _ configuration: [UInt8]
  ) throws(AuricleError) -> (OpaquePointer, AudioStreamBasicDescription) {
    var packets = unsafe PacketSamples.packets(known, format)
    var status: Int32 = 0
    let opened = unsafe configuration.withUnsafeBufferPointer { bytes in
      unsafe packets.configuration = bytes.baseAddress
      unsafe packets.configurationSize = bytes.count
      return unsafe library.pointee.openDecoder?(&packets, &status)
    }
    guard let opened = unsafe opened else {
      throw CodecError.library(status, "cannot decode \(CodecError.name(of: format))")
    }
    // Opus's decoder has one rate, independent of the packets' source.
    let rate = format.mFormatID == kAudioFormatOpus ? 48_000 : format.mSampleRate
    return unsafe (
      opened,
      PacketSamples.format(
        kind: packets.samples, sampleRate: rate, channelCount: format.mChannelsPerFrame)
    )
  }

  /// Returns the samples of plain AAC in one or two channels, whose configuration equals the format; nil for all else,
  /// which only an open decoder knows.
  private static func samples(
    ofPlain configuration: [UInt8], _ format: AudioStreamBasicDescription
  ) -> AudioStreamBasicDescription? {
    guard format.mFormatID == kAudioFormatMPEG4AAC, (1...2).contains(format.mChannelsPerFrame),
      let stream = ElementaryStream(configuration), stream.objectType == 2,
      stream.channelCount == format.mChannelsPerFrame, stream.sampleRate == format.mSampleRate,
      stream.framesPerPacket == 1024, stream.extendedRate == 0, !stream.hasParametricStereo
    else { return nil }
    return PacketSamples.format(
      kind: kAuricleCodecFloat32.rawValue, sampleRate: format.mSampleRate,
      channelCount: format.mChannelsPerFrame)
  }

  /// Opens the decoder for the first packet.
  private func openForPackets(_ configuration: [UInt8]) throws(AuricleError) {
    guard let library = unsafe codec, let known = KnownCodec.with(id: format.mFormatID) else {
      return
    }
    let (opened, made) = unsafe try Self.open(library, known, format, configuration)
    unsafe decoder = opened
    unopened = nil
    guard made.mFormatFlags == samples.mFormatFlags, made.mBytesPerFrame == samples.mBytesPerFrame
    else { throw CodecError.unsupported(format, "cannot decode") }
  }

  deinit { unsafe codec?.pointee.closeDecoder?(decoder) }

  /// Decodes a packet, or with nil the rest at the end.
  ///
  /// - Returns: Whole frames, there until the next call.
  /// - Throws: `bada` for damage: the next packet may be decoded all the same. `!dat` where rate or channels change.
  package func decode(
    _ packet: UnsafeRawBufferPointer?
  ) throws(AuricleError) -> UnsafeRawBufferPointer {
    let width = Int(samples.mBytesPerFrame)
    if let law {
      let count = unsafe packet?.count ?? 0
      scratch.reserve(count * 2)
      if let packet = unsafe packet { unsafe law.decode(packet, into: scratch.start) }
      return unsafe UnsafeRawBufferPointer(start: scratch.start, count: count * 2)
    }
    if let flac {
      guard let packet = unsafe packet else {
        return unsafe UnsafeRawBufferPointer(start: nil, count: 0)
      }
      guard let frames = unsafe flac.decode(packet) else {
        throw CodecError.library(
          Int32(kAuricleCodecDamaged.rawValue), "cannot decode \(CodecError.name(of: format))")
      }
      try check(channelCount: frames.channelCount, sampleRate: frames.sampleRate)
      return unsafe UnsafeRawBufferPointer(start: frames.samples, count: frames.count * width)
    }
    if let unopened {
      guard unsafe packet != nil else {
        return unsafe UnsafeRawBufferPointer(start: nil, count: 0)
      }
      try openForPackets(unopened)
    }
    var frames = unsafe AuricleCodecFrames()
    try unsafe send(packet, &frames)
    let count = unsafe Int(frames.count)
    guard count > 0, let data = unsafe frames.samples else {
      return unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    }
    try unsafe check(channelCount: frames.channelCount, sampleRate: frames.sampleRate)
    guard let places else {
      return unsafe UnsafeRawBufferPointer(start: data, count: count * width)
    }
    scratch.reserve(count * width)
    unsafe places.move(
      data, frameCount: count, width: Int(samples.mBitsPerChannel / 8), into: scratch.start,
      toLibrary: false)
    return unsafe UnsafeRawBufferPointer(start: scratch.start, count: count * width)
  }

  /// Hands a packet, or with nil the end, to the codec's decoder.
  private func send(
    _ packet: UnsafeRawBufferPointer?, _ frames: inout AuricleCodecFrames
  ) throws(AuricleError) {
    var status = Int32(kAuricleCodecUnsupported.rawValue)
    func decode(_ bytes: UnsafeRawBufferPointer?) {
      let start = unsafe bytes?.baseAddress?.assumingMemoryBound(to: UInt8.self)
      if let result = unsafe codec?.pointee.decode?(decoder, start, bytes?.count ?? 0, &frames) {
        status = result
      }
    }
    if let plain = unsafe plainFrame(packet) {
      guard !plain.isEmpty else { return }
      unsafe plain.withUnsafeBytes { unsafe decode($0) }
    } else {
      unsafe decode(packet)
    }
    guard status == 0 else {
      throw CodecError.library(status, "cannot decode \(CodecError.name(of: format))")
    }
  }

  /// Returns the frame that the codec's decoder gets in place of an MPEG frame of a free bit rate, or of the end behind
  /// some: the frame before, empty for none. Nil for all other packets.
  private func plainFrame(_ packet: UnsafeRawBufferPointer?) -> [UInt8]? {
    guard format.mFormatID == kAudioFormatMPEGLayer3 else { return nil }
    guard let packet = unsafe packet else { return freeFrames.last() }
    return unsafe freeFrames.plain(packet)
  }

  /// Checks that a decoded packet has the promised channels and rate.
  private func check(channelCount: UInt32, sampleRate: Double) throws(AuricleError) {
    guard channelCount == samples.mChannelsPerFrame,
      sampleRate == samples.mSampleRate || format.mFormatID == kAudioFormatQDesign2
    else {
      throw CodecError.library(
        Int32(kAuricleCodecUnsupported.rawValue),
        "cannot decode \(CodecError.name(of: format)): it is of \(channelCount) channels at "
          + "\(sampleRate) Hz")
    }
  }

  /// Forgets the packets before: the next may be any.
  package func reset() {
    freeFrames = FreeFormatFrames()
    guard unopened == nil else { return }
    unsafe codec?.pointee.resetDecoder?(decoder)
  }
}
