// A converter between packets and linear PCM, for a source that is asked for input.
// SPDX-License-Identifier: Apache-2.0

package import AudioCodecs
import AudioFormats
package import AudioTypes
package import CAudioToolbox
import RealtimeSupport

/// Decodes packets into linear PCM of any kind, or encodes them of it.
///
/// Between the codec and the caller's samples is a `PCMConverter`, which changes channels and rate.
///
/// Context: control. Not to be shared between threads.
@safe package final class PacketConverter {
  /// Packets of a caller, which stay where they are until the next are asked for.
  @safe package struct Span {
    let data: UnsafeRawPointer
    let size: Int
    let count: Int
    let descriptions: UnsafePointer<AudioStreamPacketDescription>?

    /// Packets in some memory, with their places in descriptions unless all have the same size.
    package init(
      _ data: UnsafeRawPointer, size: Int, count: Int,
      _ descriptions: UnsafePointer<AudioStreamPacketDescription>?
    ) {
      unsafe self.data = data
      self.size = size
      self.count = count
      unsafe self.descriptions = descriptions
    }
  }

  /// The answer of a source of packets.
  package enum Answer {
    /// Packets.
    case packets(Span)
    /// There is nothing more to come.
    case end
    /// There is nothing now; the status is handed on.
    case nothing(OSStatus)
  }

  /// Whether packets come out, and not in.
  package let isEncoding: Bool
  /// The converter of the samples.
  package private(set) var pcm: PCMConverter
  /// The list with one buffer that a source points at its packets.
  package let packetList: UnsafeMutablePointer<AudioBufferList>
  /// Frames before and behind the sound that a decoder leaves out, in frames of the packets.
  package var trim = AudioConverterPrimeInfo() {
    didSet { beginTrimming() }
  }
  /// The cookie that packets are decoded with.
  package private(set) var cookie: [UInt8] = []
  /// The settings of the encoder.
  package private(set) var encoderSettings = EncoderSettings()

  /// The format of the packets, as it was asked for and completed.
  private(set) var wanted: AudioStreamBasicDescription
  var decoder: PacketDecoder?
  private(set) var openEncoder: PacketEncoder?
  /// Packets that are still to be decoded, and which is next.
  var pending: (span: Span, next: Int)?
  /// Whether the end of the input was reported.
  var isEnded = false
  /// Whether all came out.
  package internal(set) var isFinished = false
  /// Decoded frames to be left out, those held back in memory and how many of these were handed over.
  var skipCount = 0
  var trailCount = 0
  var heldCount = 0
  var suppliedCount = 0
  let held = Scratch(capacity: 0)
  /// Frames that wait until there are enough for a packet.
  var stagedCount = 0
  let staged = Scratch(capacity: 0)

  /// Sets up a conversion; of the two formats one is linear.
  ///
  /// Errors: `fmt?` for a pair that nothing converts, `!isr` and `!osr` for rates out of range.
  package init(
    from source: AudioStreamBasicDescription, to destination: AudioStreamBasicDescription
  ) throws(AuricleError) {
    isEncoding = source.mFormatID == kAudioFormatLinearPCM
    let (packets, linear) = isEncoding ? (destination, source) : (source, destination)
    guard packets.mFormatID != kAudioFormatLinearPCM, linear.mFormatID == kAudioFormatLinearPCM
    else { throw CodecError.unsupported(packets, "cannot convert") }
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: AudioBufferList.byteSize(bufferCount: 1), alignment: 16)
    unsafe packetList = memory.initializeMemory(
      as: AudioBufferList.self, repeating: AudioBufferList(), count: 1)
    wanted = packets
    if isEncoding {
      encoderSettings.sourceBits = Self.depth(of: linear)
      wanted = Self.chosen(packets, for: linear)
      let encoder = try PacketEncoder(wanted, encoderSettings)
      openEncoder = encoder
      pcm = try PCMConverter(from: linear, to: encoder.samples)
      pcm.settings.outputLayout = Self.layout(encoder.format)
    } else {
      wanted = FormatCompletion.complete(packets) ?? packets
      // Some decoders need a cookie, which is set later.
      let opened = try Self.openedDecoder(wanted)
      decoder = opened
      pcm = try PCMConverter(from: opened?.samples ?? Self.guess(wanted), to: linear)
      pcm.settings.inputLayout = Self.layout(wanted)
    }
  }

  deinit { unsafe UnsafeMutableRawPointer(packetList).deallocate() }

  /// The encoder; one that waits for its first frames is made anew where settings changed.
  package var encoder: PacketEncoder? { openEncoder }

  /// The format of the input, whole.
  package var source: AudioStreamBasicDescription { isEncoding ? pcm.source : wanted }

  /// The format of the output, whole.
  package var destination: AudioStreamBasicDescription {
    isEncoding ? openEncoder?.format ?? wanted : pcm.destination
  }

  /// Whether the encoder has received frames, so that nothing of it can be set.
  package var hasBegun: Bool { stagedCount > 0 || (openEncoder?.frameCount ?? 0) > 0 || isEnded }

  /// Sets the cookie of the packets to come.
  ///
  /// Errors: `!dat` for one that is none of the format.
  package func setCookie(_ bytes: [UInt8]) throws(AuricleError) {
    let opened = try PacketDecoder(wanted, cookie: bytes)
    cookie = bytes
    try use(opened)
  }

  /// Changes the settings of an encoder that has not begun.
  ///
  /// Errors: `fmt?` for settings that it does not accept; everything stays as it was then.
  package func setEncoder(
    _ settings: EncoderSettings, sampleRate: Double? = nil
  ) throws(AuricleError) {
    var format = wanted
    if let sampleRate { format.mSampleRate = sampleRate }
    let encoder = try PacketEncoder(format, settings)
    let converter = try PCMConverter(from: pcm.source, to: encoder.samples)
    converter.settings = pcm.settings
    (wanted, encoderSettings, openEncoder, pcm) = (format, settings, encoder, converter)
  }

  /// Forgets all data, and that it ended.
  ///
  /// Errors: as for making one.
  package func reset() throws(AuricleError) {
    pending = nil
    (isEnded, isFinished, stagedCount) = (false, false, 0)
    if isEncoding { openEncoder = try PacketEncoder(wanted, encoderSettings) }
    decoder?.reset()
    beginTrimming()
    try pcm.reset()
  }

  /// Opens the decoder if none is open yet.
  func openDecoder() throws(AuricleError) {
    guard decoder == nil else { return }
    try use(PacketDecoder(wanted, cookie: cookie))
  }

  private func use(_ opened: PacketDecoder) throws(AuricleError) {
    let (old, new) = (pcm.source, opened.samples)
    if old.mSampleRate != new.mSampleRate || old.mFormatFlags != new.mFormatFlags
      || old.mBitsPerChannel != new.mBitsPerChannel
      || old.mChannelsPerFrame != new.mChannelsPerFrame
    {
      let converter = try PCMConverter(from: new, to: pcm.destination)
      converter.settings = pcm.settings
      pcm = converter
    } else {
      try pcm.reset()
    }
    decoder = opened
    beginTrimming()
  }

  private func beginTrimming() {
    (heldCount, suppliedCount) = (0, 0)
    skipCount = Int((Double(trim.leadingFrames) * codecRatio).rounded())
    trailCount = Int((Double(trim.trailingFrames) * codecRatio).rounded())
  }

  /// Frames that the decoder makes for one of the packets: its rate may be another.
  var codecRatio: Double {
    wanted.mSampleRate > 0 ? pcm.source.mSampleRate / wanted.mSampleRate : 1
  }
}

extension PacketConverter {
  /// A decoder of a format without a cookie; nil where it needs one.
  private static func openedDecoder(
    _ format: AudioStreamBasicDescription
  ) throws(AuricleError) -> PacketDecoder? {
    do throws(AuricleError) { return try PacketDecoder(format) } catch {
      guard error.status == kAudioCodecUnsupportedFormatError else { throw error }
      return nil
    }
  }

  /// The format of packets whose cookie is still to come, by a guess.
  private static func guess(_ format: AudioStreamBasicDescription) -> AudioStreamBasicDescription {
    let isFloat = format.mFormatID != kAudioFormatAppleLossless
    let isShort = !isFloat && format.mFormatFlags == 1
    let frame = (isShort ? 2 : 4) * format.mChannelsPerFrame
    return AudioStreamBasicDescription(
      mSampleRate: format.mSampleRate, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagIsPacked
        | (isFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger),
      mBytesPerPacket: frame, mFramesPerPacket: 1, mBytesPerFrame: frame,
      mChannelsPerFrame: format.mChannelsPerFrame, mBitsPerChannel: isShort ? 16 : 32,
      mReserved: 0)
  }

  /// The format of packets with a rate and channels, where these were left to the encoder.
  private static func chosen(
    _ format: AudioStreamBasicDescription, for linear: AudioStreamBasicDescription
  ) -> AudioStreamBasicDescription {
    var format = format
    if format.mChannelsPerFrame == 0 { format.mChannelsPerFrame = linear.mChannelsPerFrame }
    if format.mSampleRate == 0 {
      let rates = KnownCodec.with(id: format.mFormatID)?.sampleRates ?? []
      format.mSampleRate =
        rates.min { abs($0 - linear.mSampleRate) < abs($1 - linear.mSampleRate) }
        ?? linear.mSampleRate
    }
    return format
  }

  /// The significant bits of linear samples.
  private static func depth(of linear: AudioStreamBasicDescription) -> UInt32 {
    linear.mFormatFlags & kAudioFormatFlagIsFloat != 0
      ? 24 : max(1, min(32, linear.mBitsPerChannel))
  }

  /// The order of more than two channels in packets; nil for fewer, and where nothing is known.
  private static func layout(_ format: AudioStreamBasicDescription) -> ChannelLayout? {
    guard format.mChannelsPerFrame > 2 else { return nil }
    let tag = FormatCompletion.usualTag(
      channelCount: format.mChannelsPerFrame, of: format.mFormatID)
    return tag >> 16 == kAudioChannelLayoutTag_DiscreteInOrder >> 16
      ? nil : ChannelLayout(tag: tag)
  }
}
