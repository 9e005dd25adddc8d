// Formats and buffers of samples, as readers and writers of assets pass them.
// SPDX-License-Identifier: Apache-2.0

import AVFAudio
import Foundation

/// A span of time.
public struct CMTimeRange: Hashable, Sendable {
  /// The first moment.
  public var start: CMTime
  /// The length.
  public var duration: CMTime
  /// A span from a moment on.
  public init(start: CMTime, duration: CMTime) {
    self.start = start
    self.duration = duration
  }
  /// A span between two moments.
  public init(start: CMTime, end: CMTime) { self.init(start: start, duration: end - start) }
  /// The moment after the last.
  public var end: CMTime { start + duration }
  /// Whether a moment lies in the span.
  public func containsTime(_ time: CMTime) -> Bool { time >= start && time < end }
}
/// A span from a moment on.
public func CMTimeRangeMake(start: CMTime, duration: CMTime) -> CMTimeRange {
  CMTimeRange(start: start, duration: duration)
}

/// The format of the sound of a track or of a buffer.
public final class CMFormatDescription: NSObject, @unchecked Sendable {
  let format: AVAudioFormat
  init(_ format: AVAudioFormat) { self.format = format }
  /// The format of C.
  public var audioStreamBasicDescription: AudioStreamBasicDescription? { format.raw }
}
/// The format of sound.
public typealias CMAudioFormatDescription = CMFormatDescription
/// The format of C of a description, valid as long as that.
public func CMAudioFormatDescriptionGetStreamBasicDescription(_ desc: CMAudioFormatDescription)
  -> UnsafePointer<AudioStreamBasicDescription>?
{ desc.format.streamDescription }

extension AVAudioFormat {
  /// The format as one of tracks and sample buffers.
  public var formatDescription: CMAudioFormatDescription { CMFormatDescription(self) }
  /// A format of a track or of a sample buffer.
  public convenience init(cmAudioFormatDescription formatDescription: CMAudioFormatDescription) {
    self.init(
      raw: formatDescription.format.raw, layout: formatDescription.format.channelLayout)
  }
}

/// The bytes of a sample buffer.
public final class CMBlockBuffer: NSObject, @unchecked Sendable {
  let bytes: Data
  init(_ bytes: Data) { self.bytes = bytes }
  /// The number of bytes.
  public var dataLength: Int { bytes.count }
  /// Returns a copy of the bytes.
  public func dataBytes() throws -> Data { bytes }
}
/// The number of bytes of a buffer.
public func CMBlockBufferGetDataLength(_ theBuffer: CMBlockBuffer) -> Int { theBuffer.dataLength }
/// Copies bytes of a buffer; -12704 where they lie outside of it.
@discardableResult public func CMBlockBufferCopyDataBytes(
  _ theSourceBuffer: CMBlockBuffer, atOffset offsetToData: Int, dataLength: Int,
  destination: UnsafeMutableRawPointer
) -> OSStatus {
  guard offsetToData >= 0, dataLength >= 0,
    dataLength <= theSourceBuffer.bytes.count - offsetToData
  else { return -12704 }
  theSourceBuffer.bytes.withUnsafeBytes { bytes in
    if let start = bytes.baseAddress { memcpy(destination, start + offsetToData, dataLength) }
  }
  return noErr
}

/// Samples of a track with their time.
public final class CMSampleBuffer: NSObject, @unchecked Sendable {
  let sound: AVAudioPCMBuffer
  /// The time of the first sample.
  public let presentationTimeStamp: CMTime
  init(_ sound: AVAudioPCMBuffer, _ time: CMTime) {
    self.sound = sound
    presentationTimeStamp = time
  }
  /// The number of frames.
  public var numSamples: Int { Int(sound.frameLength) }
  /// The length.
  public var duration: CMTime {
    CMTime(value: CMTimeValue(numSamples), timescale: CMTimeScale(sound.format.sampleRate))
  }
  /// The format of the samples.
  public var formatDescription: CMFormatDescription? { CMFormatDescription(sound.format) }
  /// The bytes of the samples, channel behind channel where they are not interleaved.
  public var dataBuffer: CMBlockBuffer? {
    var bytes = Data()
    for buffer in UnsafeMutableAudioBufferListPointer(sound.mutableAudioBufferList) {
      if let start = buffer.mData {
        bytes.append(Data(bytes: start, count: Int(buffer.mDataByteSize)))
      }
    }
    return CMBlockBuffer(bytes)
  }
  /// Copies frames into a list of the same format.
  public func copyPCMData(
    fromRange range: Range<Int>, into list: UnsafeMutablePointer<AudioBufferList>
  ) throws {
    try auricleCheck(
      CMSampleBufferCopyPCMDataIntoAudioBufferList(
        self, at: Int32(range.lowerBound), frameCount: Int32(range.count), into: list))
  }
}
/// The number of frames of a buffer.
public func CMSampleBufferGetNumSamples(_ sbuf: CMSampleBuffer) -> Int { sbuf.numSamples }
/// The bytes of a buffer.
public func CMSampleBufferGetDataBuffer(_ sbuf: CMSampleBuffer) -> CMBlockBuffer? {
  sbuf.dataBuffer
}
/// The format of a buffer.
public func CMSampleBufferGetFormatDescription(_ sbuf: CMSampleBuffer) -> CMFormatDescription? {
  sbuf.formatDescription
}
/// The time of a buffer's first sample.
public func CMSampleBufferGetPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
  sbuf.presentationTimeStamp
}
/// The length of a buffer.
public func CMSampleBufferGetDuration(_ sbuf: CMSampleBuffer) -> CMTime { sbuf.duration }
/// Copies frames of a buffer into a list of the same format; -12731 where they are not all there or do not fit.
@discardableResult public func CMSampleBufferCopyPCMDataIntoAudioBufferList(
  _ sbuf: CMSampleBuffer, at frameOffset: Int32, frameCount numFrames: Int32,
  into bufferList: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus {
  let source = UnsafeMutableAudioBufferListPointer(sbuf.sound.mutableAudioBufferList)
  let target = UnsafeMutableAudioBufferListPointer(bufferList)
  let width = Int(sbuf.sound.format.raw.mBytesPerFrame)
  let (start, count) = (Int(frameOffset) * width, Int(numFrames) * width)
  guard frameOffset >= 0, numFrames >= 0, frameOffset + numFrames <= Int32(sbuf.numSamples),
    source.count == target.count, target.allSatisfy({ Int($0.mDataByteSize) >= count })
  else { return -12731 }
  for (index, buffer) in source.enumerated() {
    guard let from = buffer.mData, let to = target[index].mData else { continue }
    memcpy(to, from + start, count)
  }
  return noErr
}
