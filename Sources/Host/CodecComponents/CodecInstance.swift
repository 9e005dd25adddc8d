// An opened codec: data is put in, and packets are fetched.
// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
import AudioConverters
import AudioFormats
import AudioTypes
import CAudioToolbox

/// A decoder or an encoder as a component.
///
/// Context: control. Not to be shared between threads.
@safe final class CodecInstance {
  /// Bytes that are accepted before some have to be fetched.
  static let capacity = 1 << 16
  /// The status between the converter and here for "put more in".
  private static let wantsMore: OSStatus = 1

  let id: AudioFormatID
  let isEncoder: Bool
  let known: KnownCodec?
  /// The input format that was set before it was initialized.
  var input = AudioStreamBasicDescription()
  var output = AudioStreamBasicDescription()
  var cookie: [UInt8] = []
  var settings = EncoderSettings()
  var trim = AudioConverterPrimeInfo()
  /// The converter, while it is initialized.
  private(set) var converter: PacketConverter?
  /// Data that was put in, and where its packets are.
  private var data = Scratch(capacity: capacity)
  private(set) var usedCount = 0
  private var packets: [AudioStreamPacketDescription] = []
  /// The data that the converter reads until it asks again.
  private var lent = Scratch(capacity: capacity)
  private let lentPackets = Scratch()
  private var isEnded = false

  init(_ id: AudioFormatID, isEncoder: Bool) {
    self.id = id
    self.isEncoder = isEncoder
    known = KnownCodec.with(id: id)
    var linear = AudioStreamBasicDescription()
    linear.mFormatID = kAudioFormatLinearPCM
    var packets = AudioStreamBasicDescription()
    packets.mFormatID = id
    (input, output) = isEncoder ? (linear, packets) : (packets, linear)
  }

  /// Makes it ready; omitted formats and cookie are those set before.
  func initialize(
    _ newInput: AudioStreamBasicDescription?, _ newOutput: AudioStreamBasicDescription?,
    cookie newCookie: [UInt8]
  ) throws(AuricleError) -> OSStatus {
    guard converter == nil else { return kAudioCodecStateError }
    var (input, output) = (newInput ?? self.input, newOutput ?? self.output)
    let packets = isEncoder ? output : input
    guard packets.mFormatID == id,
      (isEncoder ? input : output).mFormatID == kAudioFormatLinearPCM
    else { return kAudioCodecUnsupportedFormatError }
    let cookie = newCookie.isEmpty ? self.cookie : newCookie
    if !isEncoder, let whole = FormatCompletion.complete(input, cookie: cookie) {
      // The values of the cookie that nobody set.
      if input.mChannelsPerFrame == 0 { input.mChannelsPerFrame = whole.mChannelsPerFrame }
      if input.mSampleRate == 0 { input.mSampleRate = whole.mSampleRate }
      if input.mFramesPerPacket == 0 { input.mFramesPerPacket = whole.mFramesPerPacket }
    }
    if !isEncoder, output.mBitsPerChannel == 0 { output = Self.usualSamples(of: input) }
    do throws(AuricleError) {
      let made = try PacketConverter(from: input, to: output)
      if isEncoder {
        try made.setEncoder(settings)
      } else {
        if !cookie.isEmpty { try made.setCookie(cookie) }
        made.trim = trim
      }
      converter = made
    } catch {
      guard error.status == kAudioConverterErr_FormatNotSupported else { throw error }
      return kAudioCodecUnsupportedFormatError
    }
    (self.input, self.output) = (input, output)
    self.cookie = cookie
    forget()
    return noErr
  }

  /// Undoes `initialize`; formats and cookie stay.
  func uninitialize() -> OSStatus {
    converter = nil
    forget()
    return noErr
  }

  /// Forgets all data.
  func reset() throws(AuricleError) -> OSStatus {
    forget()
    try converter?.reset()
    return noErr
  }

  private func forget() {
    packets = []
    (usedCount, isEnded) = (0, false)
  }

  /// Floats of the channels and the rate of packets.
  static func usualSamples(
    of packets: AudioStreamBasicDescription
  ) -> AudioStreamBasicDescription {
    let frame = 4 * packets.mChannelsPerFrame
    return AudioStreamBasicDescription(
      mSampleRate: packets.mSampleRate, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagsNativeFloatPacked, mBytesPerPacket: frame, mFramesPerPacket: 1,
      mBytesPerFrame: frame, mChannelsPerFrame: packets.mChannelsPerFrame, mBitsPerChannel: 32,
      mReserved: 0)
  }

  /// Accepts as much as there is room for; `size` and `count` return the accepted amounts.
  func append(
    _ bytes: UnsafeRawBufferPointer, _ size: UnsafeMutablePointer<UInt32>,
    _ count: UnsafeMutablePointer<UInt32>,
    _ descriptions: UnsafePointer<AudioStreamPacketDescription>?
  ) -> OSStatus {
    guard let converter else { return kAudioCodecStateError }
    let wanted = unsafe Int(count.pointee)
    unsafe (size.pointee, count.pointee) = (0, 0)
    guard bytes.count > 0 else {
      isEnded = true
      return noErr
    }
    let constant = Int(converter.source.mBytesPerPacket)
    if constant > 0 {
      let fitting = min(Self.capacity - usedCount, bytes.count) / constant
      guard bytes.count % constant == 0 else { return kAudio_ParamError }
      unsafe consume(UnsafeRawBufferPointer(rebasing: bytes.prefix(fitting * constant)))
      unsafe (size.pointee, count.pointee) = (UInt32(fitting * constant), UInt32(fitting))
      return noErr
    }
    guard let descriptions = unsafe descriptions else { return kAudio_ParamError }
    for index in 0..<wanted {
      let one = unsafe descriptions[index]
      let (start, length) = (Int(one.mStartOffset), Int(one.mDataByteSize))
      guard start >= 0, length <= bytes.count, start <= bytes.count - length else {
        return kAudio_ParamError
      }
      // A packet that is larger than all of the room has it for itself.
      guard usedCount + length <= Self.capacity || usedCount == 0 else { break }
      packets.append(
        AudioStreamPacketDescription(
          mStartOffset: Int64(usedCount), mVariableFramesInPacket: one.mVariableFramesInPacket,
          mDataByteSize: one.mDataByteSize))
      unsafe consume(UnsafeRawBufferPointer(rebasing: bytes[start..<start + length]))
      unsafe size.pointee += UInt32(length)
      unsafe count.pointee += 1
    }
    return noErr
  }

  private func consume(_ bytes: UnsafeRawBufferPointer) {
    data.reserve(usedCount + bytes.count)
    if let start = bytes.baseAddress {
      unsafe (data.start + usedCount).copyMemory(from: start, byteCount: bytes.count)
    }
    usedCount += bytes.count
  }

  /// Returns packets of the appended data.
  func produce(
    _ target: UnsafeMutableRawPointer, _ size: UnsafeMutablePointer<UInt32>,
    _ count: UnsafeMutablePointer<UInt32>,
    _ descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?,
    _ state: UnsafeMutablePointer<UInt32>
  ) -> OSStatus {
    unsafe state.pointee = kAudioCodecProduceOutputPacketFailure
    guard let converter else { return kAudioCodecStateError }
    let (wanted, room) = unsafe (Int(count.pointee), Int(size.pointee))
    unsafe (size.pointee, count.pointee) = (0, 0)
    guard wanted > 0 else { return kAudio_ParamError }
    let least = isEncoder ? 1 : Int(converter.destination.mBytesPerFrame)
    guard room >= least else { return kAudioCodecNotEnoughBufferSpaceError }
    var (made, bytes, status) = (0, 0, noErr)
    if isEncoder {
      let result = unsafe converter.encode(
        into: target, room: room, packetCount: wanted, descriptions: descriptions
      ) { _ in lendFrames(to: converter) }
      (made, bytes, status) = (result.count, result.byteCount, result.status)
      if status == kAudioConverterErr_InvalidOutputSize {
        return kAudioCodecNotEnoughBufferSpaceError
      }
    } else {
      let width = Int(converter.destination.mBytesPerFrame)
      var list = unsafe AudioBufferList(
        mNumberBuffers: 1,
        mBuffers: AudioBuffer(
          mNumberChannels: converter.destination.mChannelsPerFrame, mDataByteSize: UInt32(room),
          mData: target))
      let result = unsafe converter.decode(into: &list, frameCount: min(wanted, room / width)) {
        _ in lendPackets()
      }
      (made, bytes, status) = (result.count, result.count * width, result.status)
    }
    unsafe (size.pointee, count.pointee) = (UInt32(bytes), UInt32(made))
    guard status == noErr || status == Self.wantsMore else { return status }
    let isFull = made == wanted || !isEncoder && (made + 1) * least > room
    unsafe state.pointee =
      status == Self.wantsMore
      ? kAudioCodecProduceOutputPacketNeedsMoreInputData
      : !isFull && converter.isFinished
        ? kAudioCodecProduceOutputPacketAtEOF : kAudioCodecProduceOutputPacketSuccessHasMore
    return noErr
  }

  /// Lends the converter all appended data; more may be appended meanwhile.
  private func lend() -> Int {
    (data, lent) = (lent, data)
    let count = usedCount
    usedCount = 0
    return count
  }

  private func lendPackets() -> PacketConverter.Answer {
    guard usedCount > 0 else { return isEnded ? .end : .nothing(Self.wantsMore) }
    let byteCount = lend()
    if let constant = converter?.source.mBytesPerPacket, constant > 0 {
      return unsafe .packets(
        PacketConverter.Span(lent.start, size: byteCount, count: byteCount / Int(constant), nil))
    }
    let size = packets.count * MemoryLayout<AudioStreamPacketDescription>.stride
    lentPackets.reserve(size)
    unsafe lentPackets.start.copyMemory(from: packets, byteCount: size)
    let count = packets.count
    packets = []
    return unsafe .packets(
      PacketConverter.Span(
        lent.start, size: byteCount, count: count,
        UnsafePointer(
          lentPackets.start.assumingMemoryBound(to: AudioStreamPacketDescription.self))))
  }

  private func lendFrames(to converter: PacketConverter) -> PCMConverter.Answer {
    guard usedCount > 0 else { return isEnded ? .end : .nothing(Self.wantsMore) }
    let byteCount = lend()
    let list = unsafe converter.pcm.inputList
    unsafe list.pointee.mNumberBuffers = 1
    unsafe list.pointee.mBuffers = AudioBuffer(
      mNumberChannels: converter.source.mChannelsPerFrame, mDataByteSize: UInt32(byteCount),
      mData: lent.start)
    return .frames(byteCount / Int(converter.source.mBytesPerFrame))
  }
}
