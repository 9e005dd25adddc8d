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
  private var length: PassLength
  private var passesLeft: UInt32
  private let isEndless: Bool
  private var leftOfPass: Int64
  private var hasRead = false
  /// The last frame that was read, a sample a channel.
  private let lastFrame: UnsafeMutablePointer<Float>
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
    isEndless = unsafe region.mLoopCount == .max
    passesLeft = unsafe region.mLoopCount
    var frames: Int64? = unsafe region.mFramesToPlay == .max ? nil : Int64(region.mFramesToPlay)
    if passesLeft > 0, fileRate != sampleRate, fileRate > 0 {
      var total: Int64 = 0
      size = 8
      // A pass ends at the end of the file: between frames of the output.
      if unsafe functions.get(file, kExtAudioFileProperty_FileLengthFrames, &size, &total) == 0,
        total > startFrame
      {
        frames = min(frames ?? .max, total - startFrame)
      }
    }
    length = PassLength(frames: frames, ratio: sampleRate / max(fileRate, 1))
    leftOfPass = length.next()
    unsafe lastFrame = .allocate(capacity: Int(channels))
    unsafe lastFrame.initialize(repeating: 0, count: Int(channels))
    let bytes = unsafe 8 + Int(channels) * MemoryLayout<AudioBuffer>.stride
    unsafe list = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 8)
      .bindMemory(to: AudioBufferList.self, capacity: 1)
    unsafe list.pointee.mNumberBuffers = channels
    self.status = unsafe functions.seek(file, startFrame)
    isDone = self.status != 0
    if leftOfPass == 0 { endPass() }
  }

  deinit {
    _ = unsafe functions.dispose(file)
    unsafe UnsafeMutableRawPointer(list).deallocate()
    unsafe lastFrame.deallocate()
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
      if frames == 0, hasRead, leftOfPass <= 1 {
        // The rate filter's output was half a frame shorter than the pass.
        frames = 1
        for channel in 0..<channelCount {
          unsafe memory[channel * stride + done] = lastFrame[channel]
        }
      }
      done += Int(frames)
      if frames > 0 {
        hasRead = true
        for channel in 0..<channelCount {
          unsafe lastFrame[channel] = memory[channel * stride + done - 1]
        }
      }
      if leftOfPass != .max { leftOfPass -= Int64(frames) }
      if frames == 0 || leftOfPass == 0 { endPass() }
    }
    return done
  }

  /// Begins the next pass that has a frame, or ends the region; a file without a frame there ends it too.
  private mutating func endPass() {
    guard hasRead || leftOfPass == 0, length.isAny else {
      isDone = true
      return
    }
    hasRead = false
    repeat {
      guard isEndless || passesLeft > 0 else {
        isDone = true
        return
      }
      if !isEndless { passesLeft -= 1 }
      leftOfPass = length.next()
    } while leftOfPass == 0
    status = unsafe functions.seek(file, startFrame)
    if status != 0 { isDone = true }
  }
}
