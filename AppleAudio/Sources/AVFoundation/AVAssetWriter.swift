// Writers: buffers of samples into a new file; and exports of whole assets.
// SPDX-License-Identifier: Apache-2.0

import AVFAudio
import Foundation

/// An input of a writer.
open class AVAssetWriterInput: NSObject, @unchecked Sendable {
  /// The kind of samples.
  public let mediaType: AVMediaType
  /// Settings of the format in the file; nil for that of the samples.
  public let outputSettings: [String: Any]?
  private let hint: CMFormatDescription?
  fileprivate weak var writer: AVAssetWriter?
  private let lock = NSLock()
  private var file: AVAudioFile?
  private var isFinished = false
  /// Whether samples come from a device. A file takes them at any speed.
  open var expectsMediaDataInRealTime = false

  /// An input of samples.
  public init(
    mediaType: AVMediaType, outputSettings: [String: Any]?,
    sourceFormatHint: CMFormatDescription? = nil
  ) {
    auricleRequire(mediaType == .audio, "mediaType == AVMediaTypeAudio")
    self.mediaType = mediaType
    self.outputSettings = outputSettings
    hint = sourceFormatHint
  }
  /// Whether samples may be appended.
  open var isReadyForMoreMediaData: Bool {
    writer?.status == .writing && !lock.withLock { isFinished }
  }
  /// Calls a block on a queue when samples may be appended, until the input is finished.
  open func requestMediaDataWhenReady(on queue: DispatchQueue, using block: @escaping () -> Void) {
    let call = DispatchWorkItem { [weak self] in
      block()
      if let self, self.isReadyForMoreMediaData {
        self.requestMediaDataWhenReady(on: queue, using: block)
      }
    }
    queue.async(execute: call)
  }
  /// Appends samples; false where they cannot be written, with a reason in the writer's `error`.
  @discardableResult open func append(_ sampleBuffer: CMSampleBuffer) -> Bool {
    guard isReadyForMoreMediaData, let writer else { return false }
    do {
      try lock.withLock {
        if file == nil { file = try writer.makeFile(settings(sampleBuffer.sound.format)) }
        guard let file else { return }
        if file.processingFormat != sampleBuffer.sound.format {
          try file.auricleProcess(in: sampleBuffer.sound.format, encoding: outputSettings)
        }
        try file.write(from: sampleBuffer.sound)
      }
      return true
    } catch {
      writer.fail(error)
      return false
    }
  }
  private func settings(_ format: AVAudioFormat) -> [String: Any] {
    outputSettings ?? hint?.format.settings ?? format.settings
  }
  /// Says that no more samples come.
  open func markAsFinished() { lock.withLock { isFinished = true } }
  fileprivate func close() throws {
    try lock.withLock {
      isFinished = true
      if file == nil, let settings = outputSettings ?? hint?.format.settings {
        file = try writer?.makeFile(settings)
      }
      file?.close()
      file = nil
    }
  }
}

/// A writer of a file.
open class AVAssetWriter: NSObject, @unchecked Sendable {
  /// The state of a writer.
  public enum Status: Int, Sendable {
    /// It has not begun.
    case unknown = 0
    /// It writes.
    case writing = 1
    /// The file is whole.
    case completed = 2
    /// It failed.
    case failed = 3
    /// The program ended it.
    case cancelled = 4
  }
  /// The file.
  public let outputURL: URL
  /// The kind of file.
  public let outputFileType: AVFileType
  private let container: AudioFileTypeID
  private let lock = NSLock()
  private var state = (status: Status.unknown, error: (any Error)?.none)
  /// The inputs: one, since a file has one track.
  open private(set) var inputs: [AVAssetWriterInput] = []

  /// A writer of a file that does not exist yet.
  public init(outputURL: URL, fileType outputFileType: AVFileType) throws {
    guard let container = outputFileType.container else {
      throw auricleError(kAudioFileUnsupportedFileTypeError)
    }
    self.outputURL = outputURL
    self.outputFileType = outputFileType
    self.container = container
  }
  /// The state.
  open var status: Status { lock.withLock { state.status } }
  /// The reason of a failure.
  open var error: (any Error)? { lock.withLock { state.error } }
  /// Whether the input may be added: the first one, before the start.
  open func canAdd(_ input: AVAssetWriterInput) -> Bool { status == .unknown && inputs.isEmpty }
  /// Adds the input.
  open func add(_ input: AVAssetWriterInput) {
    auricleRequire(canAdd(input), "the writer can add the input")
    input.writer = self
    inputs.append(input)
  }
  /// Begins to write; false where it cannot, with a reason in `error`.
  @discardableResult open func startWriting() -> Bool {
    guard status == .unknown, !inputs.isEmpty else { return false }
    guard !FileManager.default.fileExists(atPath: outputURL.path) else {
      fail(auricleError(kAudioFilePermissionsError))
      return false
    }
    lock.withLock { state.status = .writing }
    return true
  }
  /// Begins the samples' timeline. The file begins with the first sample.
  open func startSession(atSourceTime startTime: CMTime) {
    auricleRequire(status == .writing, "status == AVAssetWriterStatusWriting")
  }
  /// Finishes the file, and calls a handler then.
  open func finishWriting(completionHandler handler: @escaping @Sendable () -> Void) {
    DispatchQueue.global().async {
      self.finish()
      handler()
    }
  }
  /// Finishes the file.
  open func finishWriting() async {
    await withCheckedContinuation { done in finishWriting { done.resume() } }
  }
  private func finish() {
    guard status == .writing else { return }
    do {
      for input in inputs { try input.close() }
      lock.withLock { state.status = .completed }
    } catch {
      fail(error)
    }
  }
  /// Ends writing, and removes the file.
  open func cancelWriting() {
    guard status == .writing else { return }
    lock.withLock { state.status = .cancelled }
    for input in inputs { try? input.close() }
    try? FileManager.default.removeItem(at: outputURL)
  }
  fileprivate func makeFile(_ settings: [String: Any]) throws -> AVAudioFile {
    let type = [AVAudioFileTypeKey: container as Any]
    return try AVAudioFile(forWriting: outputURL, settings: settings.merging(type) { $1 })
  }
  fileprivate func fail(_ error: any Error) { lock.withLock { state = (.failed, error) } }
}

/// The preset of an MPEG-4 file with sound.
public let AVAssetExportPresetAppleM4A = "AVAssetExportPresetAppleM4A"

/// An export of an asset's sound into a file of a preset.
open class AVAssetExportSession: NSObject, @unchecked Sendable {
  /// The state of an export.
  public enum Status: Int, Sendable {
    /// It has not begun.
    case unknown = 0
    /// It waits.
    case waiting = 1
    /// It runs.
    case exporting = 2
    /// The file is whole.
    case completed = 3
    /// It failed.
    case failed = 4
    /// The program ended it.
    case cancelled = 5
  }
  /// The asset.
  public let asset: AVAsset
  /// The preset.
  public let presetName: String
  /// The file.
  open var outputURL: URL?
  /// The kind of file.
  open var outputFileType: AVFileType?
  /// The part of the asset to export; nil for all.
  open var timeRange: CMTimeRange?
  private let lock = NSLock()
  private var state = (status: Status.unknown, error: (any Error)?.none)

  /// An export of an asset; nil for a preset that does not exist.
  public init?(asset: AVAsset, presetName: String) {
    guard AVAssetExportSession.allExportPresets().contains(presetName) else { return nil }
    self.asset = asset
    self.presetName = presetName
  }
  /// The presets that exist.
  open class func allExportPresets() -> [String] { [AVAssetExportPresetAppleM4A] }
  /// The kinds of file that the preset makes.
  open var supportedFileTypes: [AVFileType] { [.m4a] }
  /// The kinds of file that the preset makes of the asset.
  open var compatibleFileTypes: [AVFileType] {
    get async { asset.isPlayable ? supportedFileTypes : [] }
  }
  /// Passes the kinds of file that the preset makes of the asset to a handler.
  open func determineCompatibleFileTypes(
    completionHandler handler: @escaping ([AVFileType]) -> Void
  ) { handler(asset.isPlayable ? supportedFileTypes : []) }
  /// The state.
  open var status: Status { lock.withLock { state.status } }
  /// The reason of a failure.
  open var error: (any Error)? { lock.withLock { state.error } }

  /// Exports, and calls a handler then.
  open func exportAsynchronously(completionHandler handler: @escaping @Sendable () -> Void) {
    lock.withLock { state.status = .exporting }
    DispatchQueue.global().async {
      do {
        try self.write()
        self.lock.withLock { self.state.status = .completed }
      } catch {
        self.lock.withLock { self.state = (.failed, error) }
      }
      handler()
    }
  }
  /// Exports into a file of a kind.
  open func export(to url: URL, as fileType: AVFileType) async throws {
    outputURL = url
    outputFileType = fileType
    await withCheckedContinuation { done in exportAsynchronously { done.resume() } }
    if let error { throw error }
  }
  private func write() throws {
    guard let outputURL, let track = asset.tracks.first, let type = outputFileType,
      supportedFileTypes.contains(type)
    else { throw auricleError(kAudioFileUnsupportedFileTypeError) }
    let reader = try AVAssetReader(asset: asset)
    reader.timeRange = timeRange
    let output = AVAssetReaderTrackOutput(
      track: track, outputSettings: [AVFormatIDKey: kAudioFormatLinearPCM])
    let settings: [String: Any] = [
      AVFormatIDKey: kAudioFormatMPEG4AAC,
      AVSampleRateKey: Swift.min(track.format.sampleRate, 48_000),
      AVNumberOfChannelsKey: Swift.min(track.format.channelCount, 2),
    ]
    let writer = try AVAssetWriter(outputURL: outputURL, fileType: type)
    let input = AVAssetWriterInput(mediaType: .audio, outputSettings: settings)
    writer.add(input)
    reader.add(output)
    guard reader.startReading(), writer.startWriting() else {
      throw reader.error ?? writer.error ?? auricleError(kAudio_ParamError)
    }
    while let buffer = output.copyNextSampleBuffer(), input.append(buffer) {}
    try input.close()
    if let error = reader.error ?? writer.error { throw error }
  }
}
