// Frames out of a file, in the client's format.
// SPDX-License-Identifier: Apache-2.0

package import AudioFilePackets
import AudioTypes
package import CAudioToolbox
import RealtimeSupport

extension ExtendedFile {
  /// Reads frames of the client's format; sets the sizes of the list.
  ///
  /// - Returns: The number of frames; 0 at the end of the sound.
  package func read(
    _ list: UnsafeMutablePointer<AudioBufferList>, frameCount: UInt32
  ) throws(AudioFileFailure) -> UInt32 {
    guard !isWriting else { throw .order }
    guard let samples = clientSamples else { throw .clientFormat }
    let room = try unsafe frames(list, samples)
    let wanted = min(Int(frameCount), room)
    try passDropped(samples)
    let count = try unsafe readSome(list, samples, min(wanted, framesLeft))
    clientFrames += Int64(count)
    for index in 0..<samples.bufferCount {
      unsafe list.buffer(index).pointee.mDataByteSize = UInt32(samples.byteCount(frameCount: count))
    }
    return UInt32(count)
  }

  /// Frames of the client that the sound has still.
  private var framesLeft: Int {
    frameLimit.map { Int(max(0, $0 - clientFrames)) } ?? .max
  }

  /// Frames that every buffer of a list has room for.
  func frames(
    _ list: UnsafeMutablePointer<AudioBufferList>, _ samples: SampleFormat
  ) throws(AudioFileFailure) -> Int {
    guard unsafe list.bufferCount == samples.bufferCount else { throw .parameter }
    var room = Int.max
    for index in 0..<samples.bufferCount {
      let buffer = unsafe list.buffer(index).pointee
      guard unsafe buffer.mData != nil || buffer.mDataByteSize == 0 else { throw .parameter }
      room = unsafe min(room, Int(buffer.mDataByteSize) / samples.byteCount(frameCount: 1))
    }
    return room
  }

  /// Reads frames that only bring the decoder, or the filter of the rate, to the place.
  private func passDropped(_ samples: SampleFormat) throws(AudioFileFailure) {
    guard droppedFrames > 0 else { return }
    let block = 4096
    let size = samples.byteCount(frameCount: block)
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: size * samples.bufferCount, alignment: 16)
    let bytes = AudioBufferList.byteSize(bufferCount: samples.bufferCount)
    let list = unsafe UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 16)
      .assumingMemoryBound(to: AudioBufferList.self)
    defer {
      unsafe memory.deallocate()
      unsafe UnsafeMutableRawPointer(list).deallocate()
    }
    unsafe list.pointee.mNumberBuffers = UInt32(samples.bufferCount)
    while droppedFrames > 0 {
      for index in 0..<samples.bufferCount {
        unsafe list.buffer(index).initialize(
          to: AudioBuffer(
            mNumberChannels: UInt32(samples.channelsPerBuffer), mDataByteSize: UInt32(size),
            mData: memory + index * size))
      }
      let wanted = Int(min(droppedFrames, Int64(block)))
      let count = try unsafe readSome(list, samples, wanted)
      droppedFrames = count == 0 ? 0 : droppedFrames - Int64(count)
    }
  }

  /// Reads frames; throws a failure once all frames before it were returned.
  private func readSome(
    _ list: UnsafeMutablePointer<AudioBufferList>, _ samples: SampleFormat, _ wanted: Int
  ) throws(AudioFileFailure) -> Int {
    guard wanted > 0 else { return 0 }
    if let pendingFailure {
      self.pendingFailure = nil
      throw pendingFailure
    }
    guard let converter else { return try unsafe readPlain(list, samples, wanted) }
    for index in 0..<samples.bufferCount {
      unsafe list.buffer(index).pointee.mDataByteSize = UInt32(
        samples.byteCount(frameCount: wanted))
    }
    var count = UInt32(wanted)
    let status = unsafe converter.fill(
      list, packetCount: &count, descriptions: nil, from: passFromFile,
      Unmanaged.passUnretained(self).toOpaque())
    if status != noErr {
      guard count > 0 else { throw AudioFileFailure(status) }
      pendingFailure = AudioFileFailure(status)
    }
    return Int(count)
  }

  /// Reads frames of a file whose format is the client's.
  private func readPlain(
    _ list: UnsafeMutablePointer<AudioBufferList>, _ samples: SampleFormat, _ wanted: Int
  ) throws(AudioFileFailure) -> Int {
    guard let memory = unsafe list.buffer(0).pointee.mData else { throw .parameter }
    let delivery = try file.value { (file) throws(AudioFileFailure) in
      try unsafe file.readPackets(
        from: nextPacket, count: UInt32(wanted),
        into: UnsafeMutableRawBufferPointer(
          start: memory, count: samples.byteCount(frameCount: wanted))
      ) { _, _ in }
    }
    nextPacket += Int64(delivery.packetCount)
    return Int(delivery.packetCount)
  }

  /// Passes packets of the file to the converter.
  fileprivate func pass(
    _ packets: UnsafeMutablePointer<UInt32>, _ list: UnsafeMutablePointer<AudioBufferList>,
    _ outDescriptions: UnsafeMutablePointer<UnsafeMutablePointer<AudioStreamPacketDescription>?>?
  ) throws(AudioFileFailure) {
    let wanted = unsafe max(1, packets.pointee)
    unsafe packets.pointee = 0
    let descriptions = unsafe buffer.descriptions
    let size = Int(fileFormat.mBytesPerPacket)
    var bytes = try unsafe buffer.bytes(holding: size > 0 ? size : packetSizeBound())
    let count =
      size > 0 ? min(Int(wanted), bytes.count / size) : min(Int(wanted), descriptions.count)
    let delivery: PacketFile.Delivery
    do throws(AudioFileFailure) {
      delivery = try unsafe readPackets(count, into: bytes)
    } catch {
      // A packet beyond the count of its format is known from the table alone.
      guard error == .parameter, size == 0 else { throw error }
      unsafe bytes = buffer.bytes(holding: try largestPacket())
      delivery = try unsafe readPackets(count, into: bytes)
    }
    nextPacket += Int64(delivery.packetCount)
    unsafe list.pointee.mNumberBuffers = 1
    unsafe list.buffer(0).pointee = AudioBuffer(
      mNumberChannels: fileFormat.mChannelsPerFrame, mDataByteSize: delivery.byteCount,
      mData: bytes.baseAddress)
    if fileFormat.mBytesPerPacket == 0 || fileFormat.mFramesPerPacket == 0 {
      unsafe outDescriptions?.pointee = descriptions.baseAddress
    }
    unsafe packets.pointee = delivery.packetCount
  }

  private func readPackets(
    _ count: Int, into bytes: UnsafeMutableRawBufferPointer
  ) throws(AudioFileFailure) -> PacketFile.Delivery {
    let descriptions = unsafe buffer.descriptions
    return try file.value { (file) throws(AudioFileFailure) in
      try unsafe file.readPackets(from: nextPacket, count: UInt32(count), into: bytes) {
        if $0 < descriptions.count { unsafe descriptions[$0] = $1 }
      }
    }
  }

  private func packetSizeBound() throws(AudioFileFailure) -> Int {
    Int(try file.value { (file) throws(AudioFileFailure) in file.packetSizeBound() })
  }

  private func largestPacket() throws(AudioFileFailure) -> Int {
    Int(try file.value { (file) throws(AudioFileFailure) in try file.largestPacket() })
  }
}

/// The procedure of a converter that reads.
private let passFromFile: AudioConverterComplexInputDataProc = {
  _, packets, list, descriptions, userData in
  guard let packets = unsafe packets, let list = unsafe list, let userData = unsafe userData else {
    return kAudio_ParamError
  }
  let file = unsafe Unmanaged<ExtendedFile>.fromOpaque(userData).takeUnretainedValue()
  do throws(AudioFileFailure) {
    try unsafe file.pass(packets, list, descriptions)
    return noErr
  } catch {
    return error.status
  }
}
