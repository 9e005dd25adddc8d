// Frames of the client's format into a file.
// SPDX-License-Identifier: Apache-2.0

package import AudioFilePackets
import AudioTypes
package import CAudioToolbox
import RealtimeSupport

/// The status by which the procedure of a writing converter reports that there is no input now.
private let nothingNow: OSStatus = 0x4E6F_7721  // 'Now!'

extension ExtendedFile {
  /// Writes frames of the client's format; a partial packet waits for the next ones.
  package func write(
    _ list: UnsafeMutablePointer<AudioBufferList>, frameCount: UInt32
  ) throws(AudioFileFailure) {
    guard isWriting else { throw .order }
    guard let samples = clientSamples else { throw .clientFormat }
    guard try unsafe frames(list, samples) >= Int(frameCount) else { throw .parameter }
    guard frameCount > 0 else { return }
    if converter != nil {
      unsafe input = (list, frameCount)
      defer { unsafe input = nil }
      clientFrames += Int64(frameCount)
      return try pump()
    }
    guard let memory = unsafe list.buffer(0).pointee.mData else { throw .parameter }
    try file.use { (file) throws(AudioFileFailure) in
      try unsafe file.writePackets(frameCount, from: nextPacket, memory)
    }
    nextPacket += Int64(frameCount)
    clientFrames += Int64(frameCount)
  }

  /// Ends the sound: the encoder's pending packets, its padding, and its last cookie.
  func finish() throws(AudioFileFailure) {
    guard let converter, clientFrames > 0 else { return }
    isFlushing = true
    try pump()
    guard fileFormat.mFormatID != kAudioFormatLinearPCM else { return }
    try storeTable(converter)
    try storeCookie()
  }

  /// Writes packets until the converter has no more.
  private func pump() throws(AudioFileFailure) {
    guard let converter else { return }
    let fixed = Int(fileFormat.mBytesPerPacket)
    let largest = fixed > 0 ? fixed : largestPacket(converter)
    let bytes = unsafe buffer.bytes(holding: largest)
    let descriptions = unsafe buffer.descriptions
    let isDescribed = fixed == 0 || fileFormat.mFramesPerPacket == 0
    let most = min(bytes.count / max(1, largest), isDescribed ? descriptions.count : .max)
    while true {
      let list = unsafe buffer.list
      unsafe list.pointee = AudioBufferList(
        mNumberBuffers: 1,
        mBuffers: AudioBuffer(
          mNumberChannels: fileFormat.mChannelsPerFrame, mDataByteSize: UInt32(bytes.count),
          mData: bytes.baseAddress))
      var count = UInt32(clamping: most)
      let status = unsafe converter.fill(
        list, packetCount: &count, descriptions: isDescribed ? descriptions.baseAddress : nil,
        from: passFromClient, Unmanaged.passUnretained(self).toOpaque())
      if count > 0 { try unsafe append(count, bytes, list.buffer(0).pointee.mDataByteSize) }
      if status == nothingNow { return }
      try AudioFileFailure.check(status)
      if count == 0 { return }
    }
  }

  private func append(
    _ count: UInt32, _ bytes: UnsafeMutableRawBufferPointer, _ size: UInt32
  ) throws(AudioFileFailure) {
    guard let start = bytes.baseAddress else { throw .unspecified }
    let isFixed = fileFormat.mBytesPerPacket > 0
    let descriptions = unsafe UnsafeBufferPointer(
      rebasing: UnsafeBufferPointer(buffer.descriptions)[..<(isFixed ? 0 : Int(count))])
    try file.use { (file) throws(AudioFileFailure) in
      if isFixed {
        try unsafe file.writePackets(count, from: nextPacket, start)
      } else {
        _ = try unsafe file.appendPackets(
          from: nextPacket, UnsafeRawBufferPointer(start: start, count: Int(size)), descriptions)
      }
    }
    nextPacket += Int64(count)
  }

  /// The largest packet of an encoder, in bytes.
  private func largestPacket(_ converter: any FileConverter) -> Int {
    let bytes = converter.value(of: kAudioConverterPropertyMaximumOutputPacketSize) ?? []
    guard bytes.count == 4 else { return TransferBuffer.usualSize }
    return Int(unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(as: UInt32.self) })
  }

  /// Records the encoder's padding of the sound in the file.
  private func storeTable(_ converter: any FileConverter) throws(AudioFileFailure) {
    let bytes = converter.value(of: kAudioConverterPrimeInfo) ?? []
    var prime = AudioConverterPrimeInfo()
    if bytes.count == MemoryLayout<AudioConverterPrimeInfo>.size {
      prime = unsafe bytes.withUnsafeBytes {
        unsafe $0.loadUnaligned(as: AudioConverterPrimeInfo.self)
      }
    }
    let override = tableOverride
    try file.use { (file) throws(AudioFileFailure) in
      guard file.stores(kAudioFilePropertyPacketTableInfo) else { return }
      let total = try file.totalFrameCount()
      let leading = min(Int64(prime.leadingFrames), total)
      let trailing = min(Int64(prime.trailingFrames), total - leading)
      let made = AudioFilePacketTableInfo(
        mNumberValidFrames: total - leading - trailing,
        mPrimingFrames: Int32(clamping: leading), mRemainderFrames: Int32(clamping: trailing))
      guard let override else { return try file.setTrim(made) }
      var table = Self.resolved(override, made, total: total)
      table.mRemainderFrames = Int32(
        clamping: total - Int64(table.mPrimingFrames) - table.mNumberValidFrames)
      try file.setTrim(table)
    }
  }

  /// Passes the client's frames to the converter, once.
  fileprivate func pass(
    _ packets: UnsafeMutablePointer<UInt32>, _ list: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    unsafe packets.pointee = 0
    guard let input = unsafe input, let samples = clientSamples else {
      return isFlushing ? noErr : nothingNow
    }
    unsafe self.input = nil
    unsafe list.pointee.mNumberBuffers = UInt32(samples.bufferCount)
    for index in 0..<samples.bufferCount {
      let supplied = unsafe input.list.buffer(index).pointee
      unsafe list.buffer(index).pointee = AudioBuffer(
        mNumberChannels: UInt32(samples.channelsPerBuffer),
        mDataByteSize: UInt32(samples.byteCount(frameCount: Int(input.frameCount))),
        mData: supplied.mData)
    }
    unsafe packets.pointee = input.frameCount
    return noErr
  }
}

/// The procedure of a converter that writes.
private let passFromClient: AudioConverterComplexInputDataProc = { _, packets, list, _, userData in
  guard let packets = unsafe packets, let list = unsafe list, let userData = unsafe userData else {
    return kAudio_ParamError
  }
  let file = unsafe Unmanaged<ExtendedFile>.fromOpaque(userData).takeUnretainedValue()
  return unsafe file.pass(packets, list)
}
