// Conversion between formats, of buffers or of a block's input.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The frames that are read beyond the first and the last one.
public enum AVAudioConverterPrimeMethod: Int, Sendable {
  /// Frames before and behind are read from the stream.
  case pre = 0
  /// Frames behind are read from the stream; before it is silence.
  case normal = 1
  /// Silence at both ends: the output is late.
  case none = 2
}

/// Frames that a filter reads beside the one in its middle.
public struct AVAudioConverterPrimeInfo: Sendable {
  /// Frames before.
  public var leadingFrames: AVAudioFrameCount = 0
  /// Frames behind.
  public var trailingFrames: AVAudioFrameCount = 0
  /// No frames.
  public init() {}
  /// Frames before and behind.
  public init(leadingFrames: AVAudioFrameCount, trailingFrames: AVAudioFrameCount) {
    self.leadingFrames = leadingFrames
    self.trailingFrames = trailingFrames
  }
}

/// The result of an input block.
public enum AVAudioConverterInputStatus: Int, Sendable {
  /// A buffer.
  case haveData = 0
  /// Nothing now.
  case noDataNow = 1
  /// Nothing any more.
  case endOfStream = 2
}

/// The result of a conversion.
public enum AVAudioConverterOutputStatus: Int, Sendable {
  /// As much as was asked for.
  case haveData = 0
  /// Less, as there was no input.
  case inputRanDry = 1
  /// The end of the stream.
  case endOfStream = 2
  /// An error.
  case error = 3
}

/// Returns a buffer of input: packets wanted, and a place for the status.
public typealias AVAudioConverterInputBlock = (
  AVAudioPacketCount, UnsafeMutablePointer<AVAudioConverterInputStatus>
) -> AVAudioBuffer?

/// A converter from one format to another.
open class AVAudioConverter: NSObject {
  /// The format of input.
  public let inputFormat: AVAudioFormat
  /// The format of output.
  public let outputFormat: AVAudioFormat
  private let converter: AudioConverterRef
  private var input: AVAudioConverterInputBlock?
  private var held: AVAudioBuffer?
  private var inputStatus = AVAudioConverterInputStatus.haveData
  private var hasEnded = false
  /// The status that ends a call when the block has no data.
  private static let dry: OSStatus = 0x6472_7921

  /// A converter; nil where there is none between the two formats.
  public init?(from fromFormat: AVAudioFormat, to toFormat: AVAudioFormat) {
    var converter: AudioConverterRef?
    guard fromFormat.channelCount > 0, toFormat.channelCount > 0,
      AudioConverterNew(fromFormat.streamDescription, toFormat.streamDescription, &converter)
        == noErr, let converter
    else { return nil }
    self.converter = converter
    inputFormat = fromFormat
    outputFormat = toFormat
    super.init()
    if let cookie = fromFormat.magicCookie { magicCookie = cookie }
    setMap()
  }
  deinit { AudioConverterDispose(converter) }

  /// Forgets the sound so far, and the end of the stream.
  open func reset() {
    AudioConverterReset(converter)
    held = nil
    inputStatus = .haveData
    hasEnded = false
  }

  // MARK: Properties

  private func number(_ property: AudioConverterPropertyID) -> UInt32? {
    var (value, size): (UInt32, UInt32) = (0, 4)
    return AudioConverterGetProperty(converter, property, &size, &value) == noErr ? value : nil
  }
  private func set(_ property: AudioConverterPropertyID, _ value: UInt32) {
    var value = value
    AudioConverterSetProperty(converter, property, 4, &value)
  }
  private var map: [NSNumber] = []
  /// The input channel of each output channel, or -1; empty for the first ones.
  open var channelMap: [NSNumber] {
    get { map }
    set {
      map = newValue
      setMap()
    }
  }
  /// Whether channels are mixed by their layouts; otherwise the first ones are kept.
  open var downmix = false {
    didSet { setMap() }
  }
  private func setMap() {
    guard inputFormat.channelCount != outputFormat.channelCount || !map.isEmpty else { return }
    if downmix && map.isEmpty {
      set(kAudioConverterPropertyPerformDownmix, 1)
      return
    }
    let count = Int(outputFormat.channelCount)
    var values = map.map(\.int32Value)
    if values.isEmpty {
      let inputs = Int(inputFormat.channelCount)
      values = (0..<count).map { Int32($0 < inputs ? $0 : inputs == 1 ? 0 : -1) }
    }
    set(kAudioConverterPropertyPerformDownmix, 0)
    AudioConverterSetProperty(
      converter, kAudioConverterChannelMap, UInt32(values.count * 4), &values)
  }
  /// Whether whole numbers are dithered.
  open var dither = false {
    didSet { set(kAudioConverterPropertyDithering, dither ? UInt32(kDitherAlgorithm_TPDF) : 0) }
  }
  /// The quality of the sample rate, 0 to 127.
  open var sampleRateConverterQuality: Int {
    get {
      number(kAudioConverterSampleRateConverterQuality).map(Int.init)
        ?? AVAudioQuality.medium.rawValue
    }
    set { set(kAudioConverterSampleRateConverterQuality, UInt32(clamping: newValue)) }
  }
  private static let algorithms: [String: UInt32] = [
    AVSampleRateConverterAlgorithm_Normal: UInt32(
      kAudioConverterSampleRateConverterComplexity_Normal),
    AVSampleRateConverterAlgorithm_Mastering: UInt32(
      kAudioConverterSampleRateConverterComplexity_Mastering),
    AVSampleRateConverterAlgorithm_MinimumPhase: UInt32(
      kAudioConverterSampleRateConverterComplexity_MinimumPhase),
  ]
  /// The algorithm of the sample rate, by its name.
  open var sampleRateConverterAlgorithm: String? {
    get {
      let code = number(kAudioConverterSampleRateConverterComplexity)
      return AVAudioConverter.algorithms.first { $0.value == code }?.key
    }
    set {
      if let code = newValue.flatMap({ AVAudioConverter.algorithms[$0] }) {
        set(kAudioConverterSampleRateConverterComplexity, code)
      }
    }
  }
  /// The frames that are read beyond the first and the last one.
  open var primeMethod: AVAudioConverterPrimeMethod {
    get {
      number(kAudioConverterPrimeMethod).flatMap { AVAudioConverterPrimeMethod(rawValue: Int($0)) }
        ?? .normal
    }
    set { set(kAudioConverterPrimeMethod, UInt32(newValue.rawValue)) }
  }
  /// Frames that are read beyond.
  open var primeInfo: AVAudioConverterPrimeInfo {
    get {
      var info = AudioConverterPrimeInfo()
      var size = UInt32(MemoryLayout.size(ofValue: info))
      AudioConverterGetProperty(converter, kAudioConverterPrimeInfo, &size, &info)
      return AVAudioConverterPrimeInfo(
        leadingFrames: info.leadingFrames, trailingFrames: info.trailingFrames)
    }
    set {
      var info = AudioConverterPrimeInfo(
        leadingFrames: newValue.leadingFrames, trailingFrames: newValue.trailingFrames)
      AudioConverterSetProperty(
        converter, kAudioConverterPrimeInfo, UInt32(MemoryLayout.size(ofValue: info)), &info)
    }
  }
  /// Bits a second of an encoder.
  open var bitRate: Int {
    get { number(kAudioConverterEncodeBitRate).map(Int.init) ?? 0 }
    set { set(kAudioConverterEncodeBitRate, UInt32(clamping: newValue)) }
  }
  /// The strategy by which an encoder chooses its bit rate.
  open var bitRateStrategy: String? {
    get {
      let mode = number(AudioConverterPropertyID(kAudioCodecPropertyBitRateControlMode))
      return AVAudioConverter.strategies.first { $0.value == mode }?.key
    }
    set {
      guard let mode = newValue.flatMap({ AVAudioConverter.strategies[$0] }) else { return }
      set(AudioConverterPropertyID(kAudioCodecPropertyBitRateControlMode), mode)
    }
  }
  private static let strategies: [String: UInt32] = [
    AVAudioBitRateStrategy_Constant: UInt32(kAudioCodecBitRateControlMode_Constant),
    AVAudioBitRateStrategy_LongTermAverage: UInt32(kAudioCodecBitRateControlMode_LongTermAverage),
    AVAudioBitRateStrategy_VariableConstrained: UInt32(
      kAudioCodecBitRateControlMode_VariableConstrained),
    AVAudioBitRateStrategy_Variable: UInt32(kAudioCodecBitRateControlMode_Variable),
  ]
  /// Bytes of the largest packet that comes out.
  open var maximumOutputPacketSize: Int {
    number(kAudioConverterPropertyMaximumOutputPacketSize).map(Int.init) ?? 0
  }
  /// Data that a decoder needs beside the packets.
  open var magicCookie: Data? {
    get {
      var size: UInt32 = 0
      let property = kAudioConverterCompressionMagicCookie
      guard AudioConverterGetPropertyInfo(converter, property, &size, nil) == noErr, size > 0 else {
        return nil
      }
      var bytes = [UInt8](repeating: 0, count: Int(size))
      guard AudioConverterGetProperty(converter, property, &size, &bytes) == noErr else {
        return nil
      }
      return Data(bytes.prefix(Int(size)))
    }
    set {
      newValue?.withUnsafeBytes { bytes in
        _ = AudioConverterSetProperty(
          converter, kAudioConverterDecompressionMagicCookie, UInt32(bytes.count), bytes.baseAddress
        )
      }
    }
  }
  private func rates(_ property: AudioConverterPropertyID) -> [NSNumber]? {
    var size: UInt32 = 0
    guard AudioConverterGetPropertyInfo(converter, property, &size, nil) == noErr, size > 0 else {
      return nil
    }
    var ranges = [AudioValueRange](
      repeating: AudioValueRange(), count: Int(size) / MemoryLayout<AudioValueRange>.size)
    guard AudioConverterGetProperty(converter, property, &size, &ranges) == noErr else {
      return nil
    }
    return ranges.map { NSNumber(value: $0.mMaximum) }
  }
  /// Bit rates of the encoder for any format.
  open var availableEncodeBitRates: [NSNumber]? { rates(kAudioConverterAvailableEncodeBitRates) }
  /// Bit rates of the encoder for this format.
  open var applicableEncodeBitRates: [NSNumber]? { rates(kAudioConverterApplicableEncodeBitRates) }
  /// Sample rates of the encoder for any format.
  open var availableEncodeSampleRates: [NSNumber]? {
    rates(kAudioConverterAvailableEncodeSampleRates)
  }
  /// Sample rates of the encoder for this format.
  open var applicableEncodeSampleRates: [NSNumber]? {
    rates(kAudioConverterApplicableEncodeSampleRates)
  }

  // MARK: Conversion

  /// Converts a whole buffer of linear samples without a change of the sample rate.
  open func convert(to outputBuffer: AVAudioPCMBuffer, from inputBuffer: AVAudioPCMBuffer) throws {
    guard inputFormat.sampleRate == outputFormat.sampleRate,
      inputBuffer.format.raw == inputFormat.raw,
      outputBuffer.format.raw == outputFormat.raw,
      outputBuffer.frameCapacity >= inputBuffer.frameLength
    else { throw auricleError(kAudio_ParamError) }
    outputBuffer.frameLength = inputBuffer.frameLength
    inputBuffer.frameLength = inputBuffer.frameLength
    try auricleCheck(
      AudioConverterConvertComplexBuffer(
        converter, inputBuffer.frameLength, inputBuffer.audioBufferList,
        outputBuffer.mutableAudioBufferList))
  }

  /// Converts frames of linear samples without a change of the sample rate. Render thread.
  func convertFrames(
    _ frames: Int, _ source: UnsafeMutableAudioBufferListPointer,
    _ destination: UnsafeMutableAudioBufferListPointer
  ) -> OSStatus {
    let size = destination.first?.mDataByteSize ?? 0
    let status = AudioConverterConvertComplexBuffer(
      converter, UInt32(frames), source.unsafePointer, destination.unsafeMutablePointer)
    // There may be fewer frames than the cycle has.
    for index in 0..<destination.count { destination[index].mDataByteSize = size }
    return status
  }

  /// Fills a buffer from the input that a block returns.
  @discardableResult
  open func convert(
    to outputBuffer: AVAudioBuffer, error outError: NSErrorPointer,
    withInputFrom inputBlock: AVAudioConverterInputBlock
  ) -> AVAudioConverterOutputStatus {
    guard outputBuffer.format.raw == outputFormat.raw else {
      return fail(kAudio_ParamError, outputBuffer, outError)
    }
    if hasEnded {
      setLength(outputBuffer, 0)
      return .endOfStream
    }
    // A stream that has ended stays so while its last frames come out.
    if inputStatus != .endOfStream { inputStatus = .haveData }
    var packets: UInt32
    var descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
    if let pcm = outputBuffer as? AVAudioPCMBuffer {
      packets = pcm.frameCapacity
      _ = pcm.listOfCapacity()
    } else if let compressed = outputBuffer as? AVAudioCompressedBuffer {
      packets = compressed.packetCapacity
      compressed.byteLength = compressed.byteCapacity
      descriptions = compressed.packetDescriptions
    } else {
      return fail(kAudio_ParamError, outputBuffer, outError)
    }
    let wanted = packets
    let status = withoutActuallyEscaping(inputBlock) { block in
      input = block
      defer { input = nil }
      return AudioConverterFillComplexBuffer(
        converter, provideInput, Unmanaged.passUnretained(self).toOpaque(), &packets,
        outputBuffer.mutableAudioBufferList,
        descriptions)
    }
    guard status == noErr || status == AVAudioConverter.dry else {
      return fail(status, outputBuffer, outError)
    }
    setLength(outputBuffer, packets)
    switch inputStatus {
    case .endOfStream where packets < wanted:
      hasEnded = true
      return .endOfStream
    case .noDataNow where packets < wanted: return .inputRanDry
    default: return packets == 0 && wanted > 0 ? .endOfStream : .haveData
    }
  }

  private func setLength(_ buffer: AVAudioBuffer, _ packets: UInt32) {
    if let pcm = buffer as? AVAudioPCMBuffer {
      pcm.frameLength = Swift.min(packets, pcm.frameCapacity)
    }
    if let compressed = buffer as? AVAudioCompressedBuffer {
      compressed.packetCount = packets
      if packets == 0 { compressed.byteLength = 0 }
    }
  }
  private func fail(_ status: OSStatus, _ buffer: AVAudioBuffer, _ place: NSErrorPointer)
    -> AVAudioConverterOutputStatus
  {
    setLength(buffer, 0)
    place?.pointee = auricleError(status)
    return .error
  }

  /// Passes one buffer of the block to the converter.
  fileprivate func provide(
    _ packets: UnsafeMutablePointer<UInt32>, _ list: UnsafeMutablePointer<AudioBufferList>,
    _ descriptions: UnsafeMutablePointer<UnsafeMutablePointer<AudioStreamPacketDescription>?>?
  ) -> OSStatus {
    if inputStatus != .haveData {
      packets.pointee = 0
      return inputStatus == .endOfStream ? noErr : AVAudioConverter.dry
    }
    var status = AVAudioConverterInputStatus.noDataNow
    let buffer = input?(packets.pointee, &status)
    if buffer == nil, status == .haveData { status = .noDataNow }
    inputStatus = status
    guard status == .haveData, let buffer else {
      packets.pointee = 0
      return status == .endOfStream ? noErr : AVAudioConverter.dry
    }
    guard buffer.format.raw == inputFormat.raw else { return kAudioConverterErr_FormatNotSupported }
    held = buffer
    if let pcm = buffer as? AVAudioPCMBuffer {
      pcm.frameLength = pcm.frameLength
      packets.pointee = pcm.frameLength
    } else if let compressed = buffer as? AVAudioCompressedBuffer {
      packets.pointee = compressed.packetCount
      descriptions?.pointee = compressed.packetDescriptions
    }
    if packets.pointee == 0 {
      inputStatus = .noDataNow
      return AVAudioConverter.dry
    }
    let destination = UnsafeMutableAudioBufferListPointer(list)
    for index in 0..<Swift.min(destination.count, buffer.list.count) {
      destination[index] = buffer.list[index]
    }
    return noErr
  }
}

private func provideInput(
  _ converter: AudioConverterRef, _ packets: UnsafeMutablePointer<UInt32>,
  _ list: UnsafeMutablePointer<AudioBufferList>,
  _ descriptions: UnsafeMutablePointer<UnsafeMutablePointer<AudioStreamPacketDescription>?>?,
  _ userData: UnsafeMutableRawPointer?
) -> OSStatus {
  guard let userData else { return kAudio_ParamError }
  return Unmanaged<AVAudioConverter>.fromOpaque(userData).takeUnretainedValue().provide(
    packets, list, descriptions)
}
