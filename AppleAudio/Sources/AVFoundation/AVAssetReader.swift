// Readers: the sound of an asset in buffers of samples.
// SPDX-License-Identifier: Apache-2.0

import AVFAudio
import Foundation

/// An output of a reader.
open class AVAssetReaderOutput: NSObject, @unchecked Sendable {
  /// Whether each buffer has its own memory, which it always has here.
  open var alwaysCopiesSampleData = true
  fileprivate weak var reader: AVAssetReader?
  fileprivate override init() {}
  /// The kind of samples.
  open var mediaType: AVMediaType { .audio }
  /// Returns the next samples; nil at the end, and where the reader does not read.
  open func copyNextSampleBuffer() -> CMSampleBuffer? { nil }
  fileprivate func open(_ range: CMTimeRange?) throws {}
}

/// The samples of a track, in a linear format.
open class AVAssetReaderTrackOutput: AVAssetReaderOutput, @unchecked Sendable {
  private static let frames: AVAudioFrameCount = 8_192
  /// The track.
  public let track: AVAssetTrack
  /// Settings of the linear format; nil for that of the file.
  public let outputSettings: [String: Any]?
  private var file: AVAudioFile?
  private var framesLeft = AVAudioFramePosition.max
  private var time = CMTime.zero

  /// The samples of a track; settings have to be of a linear format.
  public init(track: AVAssetTrack, outputSettings: [String: Any]?) {
    self.track = track
    self.outputSettings = outputSettings
  }
  /// The format of the samples; nil where it is not linear.
  fileprivate var format: AVAudioFormat? {
    var settings = track.format.settings
    if let outputSettings {
      if track.format.commonFormat == .otherFormat { settings[AVLinearPCMBitDepthKey] = 16 }
      settings.merge(outputSettings) { $1 }
    }
    return AVAudioFormat(settings: settings).flatMap {
      $0.raw.mFormatID == kAudioFormatLinearPCM ? $0 : nil
    }
  }
  fileprivate override func open(_ range: CMTimeRange?) throws {
    guard let url = track.asset?.url, let format else {
      throw auricleError(kAudioFileUnsupportedDataFormatError)
    }
    let file = try AVAudioFile(forReading: url)
    try file.auricleProcess(in: format, encoding: nil)
    time = CMTime(value: 0, timescale: CMTimeScale(format.sampleRate))
    if let range, range.start.isNumeric {
      let first = (range.start.seconds * file.fileFormat.sampleRate).rounded()
      file.framePosition = Swift.min(Swift.max(AVAudioFramePosition(first), 0), file.length)
      time = CMTime(seconds: range.start.seconds, preferredTimescale: time.timescale)
    }
    if let range, range.duration.isNumeric {
      framesLeft = AVAudioFramePosition((range.duration.seconds * format.sampleRate).rounded())
    }
    self.file = file
  }
  open override func copyNextSampleBuffer() -> CMSampleBuffer? {
    guard let reader, reader.status == .reading, let file else { return nil }
    let count = AVAudioFrameCount(
      Swift.min(framesLeft, AVAudioFramePosition(AVAssetReaderTrackOutput.frames)))
    guard count > 0,
      let buffer = AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: count)
    else {
      reader.finish(self, nil)
      return nil
    }
    do {
      try file.read(into: buffer)
    } catch {
      reader.finish(self, error)
      return nil
    }
    guard buffer.frameLength > 0 else {
      reader.finish(self, nil)
      return nil
    }
    framesLeft -= AVAudioFramePosition(buffer.frameLength)
    defer { time.value += CMTimeValue(buffer.frameLength) }
    return CMSampleBuffer(buffer, time)
  }
}

/// A reader of an asset.
open class AVAssetReader: NSObject, @unchecked Sendable {
  /// The state of a reader.
  public enum Status: Int, Sendable {
    /// It has not begun.
    case unknown = 0
    /// It reads.
    case reading = 1
    /// All samples were read.
    case completed = 2
    /// It failed.
    case failed = 3
    /// The program ended it.
    case cancelled = 4
  }
  /// The asset.
  public let asset: AVAsset
  private let lock = NSLock()
  private var state = (status: Status.unknown, error: (any Error)?.none)
  private var unfinished: Set<AVAssetReaderOutput> = []
  /// The outputs.
  open private(set) var outputs: [AVAssetReaderOutput] = []
  /// The part of the asset to read; nil for all.
  open var timeRange: CMTimeRange?

  /// A reader of an asset; fails where its file has no sound.
  public init(asset: AVAsset) throws {
    _ = try asset.contents()
    self.asset = asset
  }
  /// The state.
  open var status: Status { lock.withLock { state.status } }
  /// The reason of a failure.
  open var error: (any Error)? { lock.withLock { state.error } }
  /// Whether an output may be added: before the start, for samples in a linear format.
  open func canAdd(_ output: AVAssetReaderOutput) -> Bool {
    status == .unknown && (output as? AVAssetReaderTrackOutput)?.format != nil
  }
  /// Adds an output.
  open func add(_ output: AVAssetReaderOutput) {
    auricleRequire(canAdd(output), "the reader can add the output")
    output.reader = self
    outputs.append(output)
  }
  /// Begins to read; false where it cannot, with a reason in `error`.
  @discardableResult open func startReading() -> Bool {
    guard status == .unknown else { return false }
    do {
      for output in outputs { try output.open(timeRange) }
    } catch {
      lock.withLock { state = (.failed, error) }
      return false
    }
    lock.withLock {
      unfinished = Set(outputs)
      state.status = .reading
    }
    return true
  }
  /// Ends reading.
  open func cancelReading() {
    lock.withLock { if state.status == .reading { state.status = .cancelled } }
  }
  fileprivate func finish(_ output: AVAssetReaderOutput, _ error: (any Error)?) {
    lock.withLock {
      unfinished.remove(output)
      guard state.status == .reading else { return }
      if let error {
        state = (.failed, error)
      } else if unfinished.isEmpty {
        state.status = .completed
      }
    }
  }
}
