// The functions of AudioConverter.h that convert.
// SPDX-License-Identifier: Apache-2.0

import AudioConverters
import AudioTypes
public import CAudioToolbox
import RealtimeSupport

/// Converts all of a buffer between formats of one rate.
///
/// Context: control.
@c @implementation
public func AudioConverterConvertBuffer(
  _ converter: AudioConverterRef?, _ inputSize: UInt32, _ input: UnsafeRawPointer?,
  _ outputSize: UnsafeMutablePointer<UInt32>?, _ output: UnsafeMutableRawPointer?
) -> OSStatus {
  unsafe withConverter(converter) { (open) throws(AuricleError) in
    guard let outputSize = unsafe outputSize, unsafe input != nil || inputSize == 0 else {
      return kAudio_ParamError
    }
    if let packets = open.packets {
      return try unsafe convertFrames(packets, open, inputSize, input, outputSize, output)
    }
    let converter = open.converter
    guard !converter.changesRate, converter.input.bufferCount == 1,
      converter.output.bufferCount == 1
    else { return kAudioConverterErr_OperationNotSupported }
    let frameSize = converter.input.byteCount(frameCount: 1)
    guard Int(inputSize) % frameSize == 0 else { return kAudioConverterErr_InvalidInputSize }
    let frameCount = Int(inputSize) / frameSize
    let size = converter.output.byteCount(frameCount: frameCount)
    guard unsafe size <= Int(outputSize.pointee) else {
      return kAudioConverterErr_InvalidOutputSize
    }
    guard unsafe output != nil || size == 0 else { return kAudio_ParamError }
    // The input is only read.
    var from = unsafe AudioBufferList(
      mNumberBuffers: 1,
      mBuffers: AudioBuffer(
        mNumberChannels: UInt32(converter.input.channelCount), mDataByteSize: inputSize,
        mData: UnsafeMutableRawPointer(mutating: input)))
    var into = unsafe AudioBufferList(
      mNumberBuffers: 1,
      mBuffers: AudioBuffer(
        mNumberChannels: UInt32(converter.output.channelCount), mDataByteSize: UInt32(size),
        mData: output))
    try unsafe converter.convert(&from, into: &into, frameCount: frameCount)
    unsafe outputSize.pointee = UInt32(size)
    return noErr
  }
}

/// Converts frames of a list between formats of one rate.
///
/// Context: control.
@c @implementation
public func AudioConverterConvertComplexBuffer(
  _ converter: AudioConverterRef?, _ frameCount: UInt32, _ input: UnsafePointer<AudioBufferList>?,
  _ output: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus {
  unsafe withConverter(converter) { (open) throws(AuricleError) in
    guard let input = unsafe input, let output = unsafe output else { return kAudio_ParamError }
    let converter = open.converter
    guard !converter.changesRate, open.packets == nil else {
      return kAudioConverterErr_OperationNotSupported
    }
    let from = unsafe UnsafeMutablePointer(mutating: input)
    let frames = Int(frameCount)
    guard unsafe hasMemory(from, converter.input), unsafe hasMemory(output, converter.output) else {
      return kAudio_ParamError
    }
    guard unsafe SampleConversion.holds(from, converter.input, frameCount: frames) else {
      return kAudioConverterErr_InvalidInputSize
    }
    guard unsafe SampleConversion.holds(output, converter.output, frameCount: frames) else {
      return kAudioConverterErr_InvalidOutputSize
    }
    try unsafe converter.convert(from, into: output, frameCount: frames)
    unsafe setSizes(output, converter.output, frameCount: frames)
    return noErr
  }
}

/// Fills a list with frames of a procedure, until it is full or the procedure has nothing more.
///
/// Context: control.
@c @implementation
public func AudioConverterFillComplexBuffer(
  _ converter: AudioConverterRef?, _ procedure: AudioConverterComplexInputDataProc?,
  _ userData: UnsafeMutableRawPointer?, _ packets: UnsafeMutablePointer<UInt32>?,
  _ output: UnsafeMutablePointer<AudioBufferList>?,
  _ packetDescriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
) -> OSStatus {
  unsafe withConverter(converter) { open in
    guard let procedure = unsafe procedure, let packets = unsafe packets,
      let output = unsafe output
    else { return kAudio_ParamError }
    if let codec = open.packets, !codec.isEncoding {
      return unsafe decode(open, codec, packets, output) { wanted in
        var count = UInt32(clamping: wanted)
        var descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
        let status = unsafe procedure(
          converter, &count, codec.packetList, &descriptions, userData)
        guard status == noErr else { return .nothing(status) }
        return unsafe count == 0
          ? .end : packetSpan(codec, Int(count), UnsafePointer(descriptions))
      }
    }
    if let codec = open.packets {
      return unsafe encode(open, codec, packets, output, packetDescriptions) { wanted in
        var count = UInt32(clamping: wanted)
        var descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
        let status = unsafe procedure(
          converter, &count, open.converter.inputList, &descriptions, userData)
        return (status, Int(count))
      }
    }
    return unsafe fill(open, packets, output) { wanted in
      var count = UInt32(clamping: wanted)
      var descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
      let status = unsafe procedure(
        converter, &count, open.converter.inputList, &descriptions, userData)
      return (status, Int(count))
    }
  }
}

/// Fills a buffer with the output of a procedure, in bytes.
///
/// Context: control.
@c @implementation
public func AudioConverterFillBuffer(
  _ converter: AudioConverterRef?, _ procedure: AudioConverterInputDataProc?,
  _ userData: UnsafeMutableRawPointer?, _ outputSize: UnsafeMutablePointer<UInt32>?,
  _ output: UnsafeMutableRawPointer?
) -> OSStatus {
  unsafe withConverter(converter) { open in
    guard let procedure = unsafe procedure, let outputSize = unsafe outputSize else {
      return kAudio_ParamError
    }
    let (input, result) = (open.converter.input, open.converter.output)
    guard input.bufferCount == 1, result.bufferCount == 1, open.packets == nil else {
      return kAudioConverterErr_OperationNotSupported
    }
    var list = unsafe AudioBufferList(
      mNumberBuffers: 1,
      mBuffers: AudioBuffer(
        mNumberChannels: UInt32(result.channelCount), mDataByteSize: outputSize.pointee,
        mData: output))
    let frameSize = input.byteCount(frameCount: 1)
    var packets = unsafe outputSize.pointee / UInt32(result.byteCount(frameCount: 1))
    guard unsafe packets > 0 || outputSize.pointee == 0 else {
      return kAudioConverterErr_InvalidOutputSize
    }
    let status = unsafe fill(open, &packets, &list) { wanted in
      var size = UInt32(clamping: wanted * frameSize)
      var data: UnsafeMutableRawPointer?
      let status = unsafe procedure(converter, &size, &data, userData)
      unsafe open.converter.inputList.buffers[0].mData = data
      unsafe open.converter.inputList.buffers[0].mDataByteSize = size
      // A fraction of a frame is refused as in lists.
      return (status, (Int(size) + frameSize - 1) / frameSize)
    }
    unsafe outputSize.pointee = list.mBuffers.mDataByteSize
    return status
  }
}

/// Fills a list with the frames that `ask` puts into the converter's. It receives a number of
/// frames, and returns a status and a number.
private func fill(
  _ open: OpenConverter, _ packets: UnsafeMutablePointer<UInt32>,
  _ output: UnsafeMutablePointer<AudioBufferList>, ask: (Int) -> (OSStatus, Int)
) -> OSStatus {
  let converter = open.converter
  guard !open.isUnbuffered else { return kAudioConverterErr_OperationNotSupported }
  let wanted = unsafe Int(packets.pointee)
  guard unsafe hasMemory(output, converter.output) || wanted == 0 else {
    unsafe packets.pointee = 0
    return kAudio_ParamError
  }
  var room = wanted
  for index in 0..<(wanted == 0 ? 0 : converter.output.bufferCount) {
    let size = unsafe Int(output.buffer(index).pointee.mDataByteSize)
    room = min(room, size / converter.output.byteCount(frameCount: 1))
  }
  guard room > 0 || wanted == 0 else {
    unsafe packets.pointee = 0
    return kAudioConverterErr_InvalidOutputSize
  }
  let filled = unsafe converter.fill(output, frameCount: room) { frames in
    frameAnswer(open, frames, ask)
  }
  unsafe packets.pointee = UInt32(filled.count)
  if wanted > 0 { unsafe setSizes(output, converter.output, frameCount: filled.count) }
  return filled.status
}

/// Has a procedure supply frames, and checks them.
func frameAnswer(
  _ open: OpenConverter, _ frames: Int, _ ask: (Int) -> (OSStatus, Int)
) -> PCMConverter.Answer {
  let converter = open.converter
  unsafe lend(open, frames, converter.inputList, converter.input)
  open.isBusy = true
  let (status, count) = ask(frames)
  open.isBusy = false
  guard status == noErr else { return .nothing(status) }
  return count == 0 ? .end : unsafe check(converter.inputList, converter.input, count)
}

/// The frames of a procedure: as many as it says, or as its buffers hold where these are fewer.
private func check(
  _ list: UnsafeMutablePointer<AudioBufferList>, _ format: SampleFormat, _ count: Int
) -> PCMConverter.Answer {
  guard unsafe hasMemory(list, format) else { return .nothing(kAudio_ParamError) }
  let frameSize = format.byteCount(frameCount: 1)
  var frames = count
  for index in 0..<format.bufferCount {
    let size = unsafe Int(list.buffer(index).pointee.mDataByteSize)
    guard size > 0, size % frameSize == 0 else {
      return .nothing(kAudioConverterErr_InvalidInputSize)
    }
    frames = min(frames, size / frameSize)
  }
  return .frames(frames)
}

/// Whether a list has the buffers of a format, each with memory.
func hasMemory(
  _ list: UnsafeMutablePointer<AudioBufferList>, _ format: SampleFormat
) -> Bool {
  guard unsafe list.bufferCount == format.bufferCount else { return false }
  return (0..<format.bufferCount).allSatisfy { unsafe list.buffer($0).pointee.mData != nil }
}

/// Makes a list ready for a procedure: the buffers of the format, with memory for the requested frames.
private func lend(
  _ open: OpenConverter, _ frames: Int, _ list: UnsafeMutablePointer<AudioBufferList>,
  _ format: SampleFormat
) {
  let size = format.byteCount(frameCount: frames)
  let memory = unsafe open.lend(byteCount: size * format.bufferCount)
  unsafe list.pointee.mNumberBuffers = UInt32(format.bufferCount)
  for index in 0..<format.bufferCount {
    unsafe list.buffer(index).pointee = AudioBuffer(
      mNumberChannels: UInt32(format.channelsPerBuffer),
      mDataByteSize: unsafe memory == nil ? 0 : UInt32(size),
      mData: memory.map { unsafe $0 + index * size })
  }
}

func setSizes(
  _ list: UnsafeMutablePointer<AudioBufferList>, _ format: SampleFormat, frameCount: Int
) {
  for index in 0..<format.bufferCount {
    unsafe list.buffer(index).pointee.mDataByteSize = UInt32(
      format.byteCount(frameCount: frameCount))
  }
}
