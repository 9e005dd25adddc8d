// Formats of sound.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A number of channels.
public typealias AVAudioChannelCount = UInt32
/// A number of frames.
public typealias AVAudioFrameCount = UInt32
/// A place in a stream, in frames.
public typealias AVAudioFramePosition = Int64
/// A number of packets.
public typealias AVAudioPacketCount = UInt32

/// The kinds of linear samples with accessors in buffers.
public enum AVAudioCommonFormat: UInt, Sendable {
  /// Any other.
  case otherFormat = 0
  /// Floats of 32 bits.
  case pcmFormatFloat32 = 1
  /// Floats of 64 bits.
  case pcmFormatFloat64 = 2
  /// Whole numbers of 16 bits.
  case pcmFormatInt16 = 3
  /// Whole numbers of 32 bits.
  case pcmFormatInt32 = 4

  var bits: UInt32 { [0, 32, 64, 16, 32][Int(rawValue)] }
  var isFloat: Bool { self == .pcmFormatFloat32 || self == .pcmFormatFloat64 }
}

/// A format of sound, which never changes.
open class AVAudioFormat: NSObject, @unchecked Sendable {
  /// The format of C, which stays valid when this object is gone.
  public let streamDescription: UnsafePointer<AudioStreamBasicDescription>
  /// The layout of the channels; nil for one or two channels that were made without.
  public let channelLayout: AVAudioChannelLayout?
  /// Data that a decoder needs beside the packets.
  public var magicCookie: Data?

  package init(raw: AudioStreamBasicDescription, layout: AVAudioChannelLayout?) {
    let value = withUnsafeBytes(of: raw) { Data($0) }
    streamDescription = LastingValues.pointer(to: value).assumingMemoryBound(
      to: AudioStreamBasicDescription.self)
    channelLayout = layout
  }

  /// A format without channels.
  public convenience override init() { self.init(raw: AudioStreamBasicDescription(), layout: nil) }
  /// Floats of 32 bits, a buffer a channel; nil for more than two channels, which need a layout.
  public convenience init?(
    standardFormatWithSampleRate sampleRate: Double, channels: AVAudioChannelCount
  ) {
    self.init(
      commonFormat: .pcmFormatFloat32, sampleRate: sampleRate, channels: channels,
      interleaved: false)
  }
  /// Floats of 32 bits, a buffer a channel of a layout.
  public convenience init(
    standardFormatWithSampleRate sampleRate: Double, channelLayout layout: AVAudioChannelLayout
  ) {
    self.init(
      commonFormat: .pcmFormatFloat32, sampleRate: sampleRate, interleaved: false,
      channelLayout: layout)
  }
  /// Linear samples; nil for no or more than two channels, and for other samples.
  public convenience init?(
    commonFormat format: AVAudioCommonFormat, sampleRate: Double, channels: AVAudioChannelCount,
    interleaved: Bool
  ) {
    guard format != .otherFormat, channels == 1 || channels == 2 else { return nil }
    self.init(raw: AVAudioFormat.linear(format, sampleRate, channels, interleaved), layout: nil)
  }
  /// Linear samples of the channels of a layout.
  public convenience init(
    commonFormat format: AVAudioCommonFormat, sampleRate: Double, interleaved: Bool,
    channelLayout layout: AVAudioChannelLayout
  ) {
    self.init(
      raw: AVAudioFormat.linear(format, sampleRate, layout.channelCount, interleaved),
      layout: layout)
  }
  /// A format of C; nil for more than two channels, which need a layout.
  public convenience init?(
    streamDescription description: UnsafePointer<AudioStreamBasicDescription>
  ) {
    self.init(streamDescription: description, channelLayout: nil)
  }
  /// A format of C with a layout; nil where their channels differ in number.
  public convenience init?(
    streamDescription description: UnsafePointer<AudioStreamBasicDescription>,
    channelLayout layout: AVAudioChannelLayout?
  ) {
    let channels = description.pointee.mChannelsPerFrame
    guard layout == nil ? channels <= 2 : layout?.channelCount == channels else { return nil }
    self.init(raw: description.pointee, layout: layout)
  }
  /// A format of settings; nil where a key is missing or makes no format.
  public convenience init?(settings: [String: Any]) {
    guard let id = settings.auricleNumber(AVFormatIDKey),
      let rate = settings.auricleNumber(AVSampleRateKey),
      let channels = settings.auricleNumber(AVNumberOfChannelsKey), channels >= 1, channels < 65_536
    else { return nil }
    var layout = (settings[AVChannelLayoutKey] as? Data).flatMap(AVAudioChannelLayout.init(data:))
    if let layout, layout.channelCount != UInt32(channels) { return nil }
    if layout == nil, channels > 2 {
      layout = AVAudioChannelLayout(
        layoutTag: kAudioChannelLayoutTag_DiscreteInOrder | UInt32(channels))
    }
    var raw = AudioStreamBasicDescription()
    raw.mSampleRate = rate
    raw.mFormatID = UInt32(id)
    raw.mChannelsPerFrame = UInt32(channels)
    if raw.mFormatID == kAudioFormatLinearPCM {
      let isFloat = settings.auricleClaim(AVLinearPCMIsFloatKey) ?? false
      let depth = UInt32(settings.auricleNumber(AVLinearPCMBitDepthKey) ?? 16)
      // Floats have 32 bits, or 64 where a program asks for them.
      let bits = isFloat && depth != 64 ? 32 : depth
      let apart = settings.auricleClaim(AVLinearPCMIsNonInterleaved) ?? false
      raw.mBitsPerChannel = bits
      raw.mFormatFlags =
        (isFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger)
        | kAudioFormatFlagIsPacked
      if settings.auricleClaim(AVLinearPCMIsBigEndianKey) ?? false {
        raw.mFormatFlags |= kAudioFormatFlagIsBigEndian
      }
      if apart { raw.mFormatFlags |= kAudioFormatFlagIsNonInterleaved }
      raw.mBytesPerFrame = (bits + 7) / 8 * (apart ? 1 : UInt32(channels))
      raw.mBytesPerPacket = raw.mBytesPerFrame
      raw.mFramesPerPacket = 1
    } else {
      let depth = UInt32(settings.auricleNumber(AVEncoderBitDepthHintKey) ?? 0)
      if raw.mFormatID == kAudioFormatAppleLossless || raw.mFormatID == kAudioFormatFLAC {
        raw.mFormatFlags = [16: 1, 20: 2, 24: 3, 32: 4][depth] ?? 0
      }
      var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
      _ = AudioFormatGetProperty(kAudioFormatProperty_FormatInfo, 0, nil, &size, &raw)
    }
    self.init(raw: raw, layout: layout)
  }

  private static func linear(
    _ format: AVAudioCommonFormat, _ rate: Double, _ channels: UInt32, _ interleaved: Bool
  ) -> AudioStreamBasicDescription {
    let bytes = format.bits / 8 * (interleaved ? channels : 1)
    var flags = format.isFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger
    flags |= kAudioFormatFlagIsPacked
    if !interleaved { flags |= kAudioFormatFlagIsNonInterleaved }
    return AudioStreamBasicDescription(
      mSampleRate: rate, mFormatID: kAudioFormatLinearPCM, mFormatFlags: flags,
      mBytesPerPacket: bytes,
      mFramesPerPacket: 1, mBytesPerFrame: bytes, mChannelsPerFrame: channels,
      mBitsPerChannel: format.bits,
      mReserved: 0)
  }

  /// A standard format of any number of channels; more than two are in order.
  package static func auricleStandard(_ rate: Double, _ channels: UInt32) -> AVAudioFormat {
    AVAudioFormat(
      raw: linear(.pcmFormatFloat32, rate, channels, false),
      layout: channels > 2
        ? AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_DiscreteInOrder | channels) : nil)
  }
  /// A format of C, with a layout in order where it has more than two channels.
  package static func auricleMake(
    _ raw: AudioStreamBasicDescription, _ layout: AVAudioChannelLayout? = nil
  ) -> AVAudioFormat {
    let isLaidOut = layout.map { $0.channelCount == raw.mChannelsPerFrame } ?? false
    return AVAudioFormat(
      raw: raw,
      layout: isLaidOut
        ? layout
        : raw.mChannelsPerFrame > 2
          ? AVAudioChannelLayout(
            layoutTag: kAudioChannelLayoutTag_DiscreteInOrder | raw.mChannelsPerFrame) : nil)
  }

  package var raw: AudioStreamBasicDescription { streamDescription.pointee }
  /// The sample rate, Hz.
  public var sampleRate: Double { raw.mSampleRate }
  /// The number of channels.
  public var channelCount: AVAudioChannelCount { raw.mChannelsPerFrame }
  package var isLinear: Bool { raw.mFormatID == kAudioFormatLinearPCM }
  /// Whether all channels share a buffer; true for packets.
  public var isInterleaved: Bool {
    raw.mFormatFlags & kAudioFormatFlagIsNonInterleaved == 0 || !isLinear
  }
  /// Whether samples are floats of 32 bits with a buffer a channel.
  public var isStandard: Bool {
    commonFormat == .pcmFormatFloat32 && (!isInterleaved || channelCount == 1)
  }
  /// The kind of linear samples.
  public var commonFormat: AVAudioCommonFormat {
    let raw = raw
    let samples = isInterleaved ? Swift.max(raw.mChannelsPerFrame, 1) : 1
    guard isLinear, raw.mFormatFlags & kAudioFormatFlagIsBigEndian == 0,
      raw.mBytesPerFrame == raw.mBitsPerChannel / 8 * samples
    else { return .otherFormat }
    if raw.mFormatFlags & kAudioFormatFlagIsFloat != 0 {
      return raw.mBitsPerChannel == 32
        ? .pcmFormatFloat32 : raw.mBitsPerChannel == 64 ? .pcmFormatFloat64 : .otherFormat
    }
    guard raw.mFormatFlags & kAudioFormatFlagIsSignedInteger != 0, raw.mFormatFlags & 0x1F80 == 0
    else { return .otherFormat }
    return raw.mBitsPerChannel == 16
      ? .pcmFormatInt16 : raw.mBitsPerChannel == 32 ? .pcmFormatInt32 : .otherFormat
  }

  /// The format as settings.
  public var settings: [String: Any] {
    let raw = raw
    var settings: [String: Any] = [
      AVFormatIDKey: NSNumber(value: raw.mFormatID),
      AVSampleRateKey: NSNumber(value: raw.mSampleRate),
      AVNumberOfChannelsKey: NSNumber(value: raw.mChannelsPerFrame),
    ]
    if isLinear {
      settings[AVLinearPCMBitDepthKey] = NSNumber(value: raw.mBitsPerChannel)
      settings[AVLinearPCMIsFloatKey] = NSNumber(
        value: raw.mFormatFlags & kAudioFormatFlagIsFloat != 0)
      settings[AVLinearPCMIsBigEndianKey] = NSNumber(
        value: raw.mFormatFlags & kAudioFormatFlagIsBigEndian != 0)
      settings[AVLinearPCMIsNonInterleaved] = NSNumber(value: !isInterleaved)
    }
    if let channelLayout { settings[AVChannelLayoutKey] = channelLayout.data }
    return settings
  }

  /// Whether another object is the same format.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? AVAudioFormat, other.raw == raw else { return false }
    let usual = [1: kAudioChannelLayoutTag_Mono, 2: kAudioChannelLayoutTag_Stereo][
      raw.mChannelsPerFrame]
    return (channelLayout?.layoutTag ?? usual) == (other.channelLayout?.layoutTag ?? usual)
      && (channelLayout == nil || other.channelLayout == nil
        || channelLayout == other.channelLayout)
  }
  /// A number that equal formats share.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(sampleRate)
    hasher.combine(channelCount)
    hasher.combine(raw.mFormatID)
    hasher.combine(raw.mFormatFlags)
    return hasher.finalize()
  }
  /// Channels, rate, kind of samples.
  open override var description: String {
    let address = String(UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()), radix: 16)
    let kind: String
    switch commonFormat {
    case .pcmFormatFloat32: kind = "Float32"
    case .pcmFormatFloat64: kind = "Float64"
    case .pcmFormatInt16: kind = "Int16"
    case .pcmFormatInt32: kind = "Int32"
    case .otherFormat:
      let code = withUnsafeBytes(of: raw.mFormatID.bigEndian) {
        String(decoding: $0, as: UTF8.self)
      }
      return "<AVAudioFormat 0x\(address):  \(channelCount) ch,  \(Int(sampleRate)) Hz, '\(code)'>"
    }
    return "<AVAudioFormat 0x\(address):  \(channelCount) ch,  \(Int(sampleRate)) Hz, \(kind), "
      + (isInterleaved ? "interleaved>" : "deinterleaved>")
  }
}
