// One region of a file being read: from its first frame, as often as it loops, at the player's rate.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// Reads one region into planar floats. Context: the reading thread.
@safe struct RegionReader: ~Copyable {
  private let functions: FileFunctions
  private let file: ExtAudioFileRef
  /// Channels of the file.
  let channelCount: Int
  private let startFrame: Int64
  private let framesOfPass: Int64
  private var passesLeft: UInt32
  private let isEndless: Bool
  private var leftOfPass: Int64
  private var hasRead = false
  private let list: UnsafeMutablePointer<AudioBufferList>
  private(set) var status: OSStatus = 0
  private(set) var isDone = false

  /// Opens a region; nil with the error in `status` where it cannot be read.
  init?(
    _ functions: FileFunctions, _ region: ScheduledAudioFileRegion, sampleRate: Double,
    status: inout OSStatus
  ) {
    var file: ExtAudioFileRef?
    guard let handle = unsafe region.mAudioFile else { return nil }
    status = unsafe functions.wrap(handle, 0, &file)
    guard status == 0, let file = unsafe file else { return nil }
    var format = AudioStreamBasicDescription()
    var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
    status = unsafe functions.get(file, kExtAudioFileProperty_FileDataFormat, &size, &format)
    let channels = max(1, format.mChannelsPerFrame)
    let fileRate = format.mSampleRate
    var client = AudioStreamBasicDescription()
    client.mSampleRate = sampleRate
    client.mFormatID = kAudioFormatLinearPCM
    client.mFormatFlags =
      kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked | kAudioFormatFlagIsNonInterleaved
    client.mBytesPerPacket = 4
    client.mFramesPerPacket = 1
    client.mBytesPerFrame = 4
    client.mChannelsPerFrame = channels
    client.mBitsPerChannel = 32
    if status == 0 {
      status = unsafe functions.set(file, kExtAudioFileProperty_ClientDataFormat, size, &client)
    }
    guard status == 0, channels <= 1024 else {
      _ = unsafe functions.dispose(file)
      return nil
    }
    self.functions = functions
    unsafe self.file = unsafe file
    channelCount = Int(channels)
    startFrame = unsafe max(0, region.mStartFrame)
    let frames = unsafe region.mFramesToPlay
    framesOfPass =
      frames == .max
      ? .max : Int64((Double(frames) * sampleRate / max(fileRate, 1)).rounded())
    leftOfPass = framesOfPass
    isEndless = unsafe region.mLoopCount == .max
    passesLeft = unsafe region.mLoopCount
    let bytes = unsafe 8 + Int(channels) * MemoryLayout<AudioBuffer>.stride
    unsafe list = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 8)
      .bindMemory(to: AudioBufferList.self, capacity: 1)
    unsafe list.pointee.mNumberBuffers = channels
    self.status = unsafe functions.seek(file, startFrame)
    isDone = self.status != 0 || framesOfPass <= 0
  }

  deinit {
    _ = unsafe functions.dispose(file)
    unsafe UnsafeMutableRawPointer(list).deallocate()
  }

  /// Reads on, over the ends of passes.
  ///
  /// - Parameters:
  ///   - memory: Room for `channelCount` rows.
  ///   - stride: Frames from one row to the next.
  ///   - count: Frames to read.
  /// - Returns: Frames that were read; fewer at the end of the region.
  mutating func read(
    into memory: UnsafeMutablePointer<Float>, stride: Int, count: Int
  ) -> Int {
    var done = 0
    while done < count, !isDone {
      var frames = UInt32(min(Int64(count - done), leftOfPass))
      for channel in 0..<channelCount {
        let row = unsafe memory + channel * stride + done
        unsafe (UnsafeMutableRawPointer(list) + 8).storeBytes(
          of: AudioBuffer(mNumberChannels: 1, mDataByteSize: frames * 4, mData: row),
          toByteOffset: channel * MemoryLayout<AudioBuffer>.stride, as: AudioBuffer.self)
      }
      status = unsafe functions.read(file, &frames, list)
      guard status == 0 else {
        isDone = true
        break
      }
      if frames > 0 { hasRead = true }
      done += Int(frames)
      leftOfPass -= framesOfPass == .max ? 0 : Int64(frames)
      if frames == 0 || leftOfPass == 0 { endPass() }
    }
    return done
  }

  /// Begins the next pass, or ends the region; a pass without a frame ends it too.
  private mutating func endPass() {
    guard hasRead, isEndless || passesLeft > 0 else {
      isDone = true
      return
    }
    hasRead = false
    if !isEndless { passesLeft -= 1 }
    leftOfPass = framesOfPass
    status = unsafe functions.seek(file, startFrame)
    if status != 0 { isDone = true }
  }
}
