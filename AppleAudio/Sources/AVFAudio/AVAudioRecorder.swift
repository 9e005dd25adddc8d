// A recorder into a file.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A receiver of a recorder's events, on the main queue.
public protocol AVAudioRecorderDelegate: AnyObject {
  /// The end of the recording.
  func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool)
  /// A failure of writing.
  func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?)
}
extension AVAudioRecorderDelegate {
  /// Does nothing.
  public func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool)
  {}
  /// Does nothing.
  public func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?) {}
}

/// A recorder of the default input into a file.
open class AVAudioRecorder: NSObject, @unchecked Sendable {
  /// The file.
  public let url: URL
  /// The settings of the file.
  public let settings: [String: Any]
  private let engine = AVAudioEngine()
  private let lock = NSRecursiveLock()
  private let meter = LevelMeter()
  private var file: AVAudioFile?
  private var converter: AVAudioConverter?
  private var frames: AVAudioFramePosition = 0
  private var limit: AVAudioFramePosition?
  private var recording = false
  /// The number of stops: a start at a time is for the recording in which it was set.
  private var stopCount = 0
  /// The observer of the device's end, which ends the recording.
  private var deviceEnd: (any NSObjectProtocol)?

  /// A recorder with the settings of a file.
  public init(url: URL, settings: [String: Any]) throws {
    guard AVAudioFormat(settings: settings) != nil else {
      throw auricleFileError(kAudioFileUnsupportedDataFormatError, url)
    }
    self.url = url
    self.settings = settings
    super.init()
    deviceEnd = NotificationCenter.default.addObserver(
      forName: .AVAudioEngineConfigurationChange, object: engine, queue: nil
    ) { [weak self] _ in
      DispatchQueue.main.async { [weak self] in
        // In a pause nothing ends: the next record starts the device again.
        guard let self, self.isRecording, !self.engine.isRunning else { return }
        self.engine.cycle.deliver()
        self.stop()
      }
    }
  }
  /// A recorder in a format.
  public convenience init(url: URL, format: AVAudioFormat) throws {
    try self.init(url: url, settings: format.settings)
  }
  deinit {
    if let deviceEnd { NotificationCenter.default.removeObserver(deviceEnd) }
    engine.stop()
  }
  private func locked<Result>(_ body: () -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return body()
  }

  /// The receiver of the recorder's events.
  open weak var delegate: (any AVAudioRecorderDelegate)?
  /// The format of the file.
  open var format: AVAudioFormat { AVAudioFormat(settings: settings) ?? AVAudioFormat() }
  /// Whether it records.
  open var isRecording: Bool { locked { recording } }
  /// Seconds recorded; 0 while it is stopped.
  open var currentTime: TimeInterval {
    locked { file == nil ? 0 : Double(frames) / format.sampleRate }
  }
  /// The time of the device, seconds.
  open var deviceCurrentTime: TimeInterval {
    AVAudioTime.seconds(forHostTime: mach_absolute_time())
  }
  /// Whether levels are measured.
  open var isMeteringEnabled = false

  /// Makes the file; false where that fails.
  @discardableResult open func prepareToRecord() -> Bool {
    locked {
      if file != nil { return true }
      guard let made = try? AVAudioFile(forWriting: url, settings: settings) else { return false }
      let input = engine.inputNode.outputFormat(forBus: 0)
      guard input.sampleRate > 0,
        let converter = AVAudioConverter(from: input, to: made.processingFormat)
      else { return false }
      file = made
      self.converter = converter
      frames = 0
      engine.inputNode.installTap(onBus: 0, bufferSize: 1_024, format: nil) {
        [weak self] buffer, _ in self?.write(buffer)
      }
      return true
    }
  }
  private func write(_ buffer: AVAudioPCMBuffer) {
    let failure: (any Error)? = locked {
      guard recording, let file, let converter else { return nil }
      if isMeteringEnabled { meter.add(buffer) }
      let room =
        Double(buffer.frameLength) * file.processingFormat.sampleRate / buffer.format.sampleRate
        + 64
      guard
        let output = AVAudioPCMBuffer(
          pcmFormat: file.processingFormat, frameCapacity: AVAudioFrameCount(room))
      else { return nil }
      var isSupplied = false
      converter.convert(to: output, error: nil) { _, status in
        status.pointee = isSupplied ? .noDataNow : .haveData
        defer { isSupplied = true }
        return isSupplied ? nil : buffer
      }
      if let limit, frames + AVAudioFramePosition(output.frameLength) > limit {
        output.frameLength = AVAudioFrameCount(Swift.max(limit - frames, 0))
      }
      do {
        try file.write(from: output)
        frames += AVAudioFramePosition(output.frameLength)
      } catch { return error }
      if let limit, frames >= limit { DispatchQueue.main.async { [weak self] in self?.stop() } }
      return nil
    }
    guard let failure else { return }
    DispatchQueue.main.async { [weak self] in
      if let self { self.delegate?.audioRecorderEncodeErrorDidOccur(self, error: failure) }
    }
  }
  /// Records; false where that is impossible.
  @discardableResult open func record() -> Bool {
    locked {
      guard prepareToRecord(), engine.isRunning || (try? engine.start()) != nil else {
        return false
      }
      recording = true
      return true
    }
  }
  /// Records so many seconds.
  @discardableResult open func record(forDuration duration: TimeInterval) -> Bool {
    setLimit(duration) && record()
  }
  /// Ends the recording so many seconds from its present length; false where there is no file.
  private func setLimit(_ duration: TimeInterval) -> Bool {
    locked {
      guard prepareToRecord() else { return false }
      limit = frames + AVAudioFramePosition(duration * format.sampleRate)
      return true
    }
  }
  /// Records at a time of the device.
  @discardableResult open func record(atTime time: TimeInterval) -> Bool {
    guard prepareToRecord() else { return false }
    let number = locked { stopCount }
    DispatchQueue.global().asyncAfter(deadline: .now() + Swift.max(time - deviceCurrentTime, 0)) {
      [weak self] in
      guard let self else { return }
      _ = self.locked { self.stopCount == number && self.record() }
    }
    return true
  }
  /// Records so many seconds at a time of the device.
  @discardableResult open func record(atTime time: TimeInterval, forDuration duration: TimeInterval)
    -> Bool
  {
    setLimit(duration) && record(atTime: time)
  }
  /// Pauses; record resumes.
  open func pause() {
    locked { recording = false }
    engine.pause()
  }
  /// Closes the file.
  open func stop() {
    let wasOpen = locked {
      recording = false
      limit = nil
      stopCount += 1
      guard file != nil else { return false }
      engine.inputNode.removeTap(onBus: 0)
      engine.stop()
      file?.close()
      file = nil
      return true
    }
    guard wasOpen else { return }
    DispatchQueue.main.async { [weak self] in
      if let self { self.delegate?.audioRecorderDidFinishRecording(self, successfully: true) }
    }
  }
  /// Removes the file; false where that fails, and while it records.
  @discardableResult open func deleteRecording() -> Bool {
    !isRecording && (try? FileManager.default.removeItem(at: url)) != nil
  }
  /// Reads the levels since the last call.
  open func updateMeters() { meter.update() }
  /// Decibels of the mean, -160 to 0.
  open func averagePower(forChannel channelNumber: Int) -> Float { meter.average(channelNumber) }
  /// Decibels of the peak, -160 to 0.
  open func peakPower(forChannel channelNumber: Int) -> Float { meter.peak(channelNumber) }
}
