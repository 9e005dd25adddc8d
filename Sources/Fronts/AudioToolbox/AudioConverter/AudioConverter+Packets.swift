// Packets in the functions of AudioConverter.h that convert.
// SPDX-License-Identifier: Apache-2.0

import AudioConverters
import AudioTypes
import CAudioToolbox
import RealtimeSupport

/// Fills a list with frames of the packets from `ask`.
func decode(
  _ open: OpenConverter, _ codec: PacketConverter, _ frames: UnsafeMutablePointer<UInt32>,
  _ output: UnsafeMutablePointer<AudioBufferList>, ask: (Int) -> PacketConverter.Answer
) -> OSStatus {
  guard !open.isUnbuffered else { return kAudioConverterErr_OperationNotSupported }
  let format = codec.pcm.output
  let wanted = unsafe Int(frames.pointee)
  unsafe frames.pointee = 0
  guard wanted > 0 else { return noErr }
  guard unsafe hasMemory(output, format) else { return kAudio_ParamError }
  var room = wanted
  for index in 0..<format.bufferCount {
    let size = unsafe Int(output.buffer(index).pointee.mDataByteSize)
    room = min(room, size / format.byteCount(frameCount: 1))
  }
  guard room > 0 else { return kAudioConverterErr_InvalidOutputSize }
  let filled = unsafe codec.decode(into: output, frameCount: room) { wanted in
    let size = wanted * packetRoom(codec.source)
    let memory = unsafe open.lend(byteCount: size)
    unsafe codec.packetList.pointee = unsafe AudioBufferList(
      mNumberBuffers: 1,
      mBuffers: AudioBuffer(
        mNumberChannels: codec.source.mChannelsPerFrame,
        mDataByteSize: memory == nil ? 0 : UInt32(size), mData: memory))
    open.isBusy = true
    let answer = ask(wanted)
    open.isBusy = false
    return answer
  }
  unsafe frames.pointee = UInt32(filled.count)
  unsafe setSizes(output, format, frameCount: filled.count)
  return filled.status
}

/// Bytes that a packet of a format has, or at most where packets differ in size.
private func packetRoom(_ format: AudioStreamBasicDescription) -> Int {
  format.mBytesPerPacket > 0
    ? Int(format.mBytesPerPacket) : 2048 * Int(max(1, format.mChannelsPerFrame))
}

/// The packets of a procedure: as many as it says, or as its buffer holds where these are fewer.
func packetSpan(
  _ codec: PacketConverter, _ count: Int,
  _ descriptions: UnsafePointer<AudioStreamPacketDescription>?
) -> PacketConverter.Answer {
  let list = unsafe codec.packetList
  guard unsafe list.pointee.mNumberBuffers == 1, let data = unsafe list.pointee.mBuffers.mData
  else { return .nothing(kAudio_ParamError) }
  let size = unsafe Int(list.pointee.mBuffers.mDataByteSize)
  guard size > 0 else { return .nothing(kAudioConverterErr_InvalidInputSize) }
  let constant = Int(codec.source.mBytesPerPacket)
  guard constant > 0 else {
    guard let descriptions = unsafe descriptions else {
      return .nothing(kAudioConverterErr_RequiresPacketDescriptionsError)
    }
    return unsafe .packets(PacketConverter.Span(data, size: size, count: count, descriptions))
  }
  guard size % constant == 0 else { return .nothing(kAudioConverterErr_InvalidInputSize) }
  return unsafe .packets(
    PacketConverter.Span(data, size: size, count: min(count, size / constant), nil))
}

/// Fills a buffer with packets of the frames from `ask`.
func encode(
  _ open: OpenConverter, _ codec: PacketConverter, _ packets: UnsafeMutablePointer<UInt32>,
  _ output: UnsafeMutablePointer<AudioBufferList>,
  _ descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?,
  ask: (Int) -> (OSStatus, Int)
) -> OSStatus {
  guard !open.isUnbuffered else { return kAudioConverterErr_OperationNotSupported }
  var wanted = unsafe Int(packets.pointee)
  unsafe packets.pointee = 0
  guard wanted > 0 else { return noErr }
  guard unsafe output.pointee.mNumberBuffers == 1, let data = unsafe output.pointee.mBuffers.mData
  else { return kAudio_ParamError }
  // Without descriptions nobody would know where the second of several packets is.
  if unsafe descriptions == nil, codec.destination.mBytesPerPacket == 0 { wanted = 1 }
  let made = unsafe codec.encode(
    into: data, room: Int(output.pointee.mBuffers.mDataByteSize), packetCount: wanted,
    descriptions: descriptions
  ) { frames in frameAnswer(open, frames, ask) }
  unsafe packets.pointee = UInt32(made.count)
  unsafe output.pointee.mBuffers.mDataByteSize = UInt32(made.byteCount)
  unsafe output.pointee.mBuffers.mNumberChannels = codec.destination.mChannelsPerFrame
  return made.status
}

/// Converts all of a buffer where a packet is a frame: the laws of G.711.
func convertFrames(
  _ codec: PacketConverter, _ open: OpenConverter, _ inputSize: UInt32,
  _ input: UnsafeRawPointer?, _ outputSize: UnsafeMutablePointer<UInt32>,
  _ output: UnsafeMutableRawPointer?
) throws(AuricleError) -> OSStatus {
  let packets = codec.isEncoding ? codec.destination : codec.source
  let linear = codec.isEncoding ? codec.pcm.input : codec.pcm.output
  guard packets.mFramesPerPacket == 1, packets.mBytesPerPacket > 0, linear.bufferCount == 1,
    !codec.pcm.changesRate
  else { return kAudioConverterErr_OperationNotSupported }
  let sizes = (Int(packets.mBytesPerPacket), linear.byteCount(frameCount: 1))
  let (from, to) = codec.isEncoding ? (sizes.1, sizes.0) : sizes
  guard Int(inputSize) % from == 0 else { return kAudioConverterErr_InvalidInputSize }
  let count = Int(inputSize) / from
  guard unsafe count * to <= Int(outputSize.pointee) else {
    return kAudioConverterErr_InvalidOutputSize
  }
  unsafe outputSize.pointee = UInt32(count * to)
  guard count > 0 else { return noErr }
  guard let input = unsafe input, let output = unsafe output else { return kAudio_ParamError }
  try codec.reset()
  var isSupplied = false
  let data = unsafe UnsafeMutableRawPointer(mutating: input)
  let status: OSStatus
  if codec.isEncoding {
    status = unsafe codec.encode(
      into: output, room: count * to, packetCount: count, descriptions: nil
    ) { _ in
      guard !isSupplied else { return .end }
      isSupplied = true
      unsafe codec.pcm.inputList.pointee.mNumberBuffers = 1
      unsafe codec.pcm.inputList.pointee.mBuffers = AudioBuffer(
        mNumberChannels: UInt32(linear.channelCount), mDataByteSize: inputSize, mData: data)
      return .frames(count)
    }.status
  } else {
    var list = unsafe AudioBufferList(
      mNumberBuffers: 1,
      mBuffers: AudioBuffer(
        mNumberChannels: UInt32(linear.channelCount), mDataByteSize: UInt32(count * to),
        mData: output))
    status = unsafe codec.decode(into: &list, frameCount: count) { _ in
      guard !isSupplied else { return .end }
      isSupplied = true
      return unsafe .packets(
        PacketConverter.Span(data, size: Int(inputSize), count: count, nil))
    }.status
  }
  try codec.reset()
  return status
}
