// A player of a file.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// A receiver of a player's events, on the main queue.
public protocol AVAudioPlayerDelegate: AnyObject {
  /// The end of the sound, not after stop.
  func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool)
  /// Damage in the file.
  func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?)
}
extension AVAudioPlayerDelegate {
  /// Does nothing.
  public func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {}
  /// Does nothing.
  public func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?) {}
}

/// Peak and mean of channels, written by a render thread.
final class LevelMeter: @unchecked Sendable {
  private let lock = RenderLock()
  private var peaks: [Float] = []
  private var squares: [Double] = []
  private var count = 0
  private var levels: (average: [Float], peak: [Float]) = ([], [])

  func add(_ buffer: AVAudioPCMBuffer) {
    guard let data = buffer.floatChannelData else { return }
    let channels = Int(buffer.format.channelCount)
    lock {
      if peaks.count != channels {
        peaks = Array(repeating: 0, count: channels)
        squares = Array(repeating: 0, count: channels)
      }
      for channel in 0..<channels {
        for frame in 0..<Int(buffer.frameLength) {
          let sample = data[channel][frame * buffer.stride]
          peaks[channel] = Swift.max(peaks[channel], abs(sample))
          squares[channel] += Double(sample * sample)
        }
      }
      count += Int(buffer.frameLength)
    }
  }
  func update() {
    lock {
      guard count > 0 else { return }
      levels.peak = peaks.map(LevelMeter.decibels)
      levels.average = squares.map { LevelMeter.decibels(Float(($0 / Double(count)).squareRoot())) }
      peaks = peaks.map { _ in 0 }
      squares = squares.map { _ in 0 }
      count = 0
    }
  }
  func average(_ channel: Int) -> Float {
    lock { levels.average.indices.contains(channel) ? levels.average[channel] : -160 }
  }
  func peak(_ channel: Int) -> Float {
    lock { levels.peak.indices.contains(channel) ? levels.peak[channel] : -160 }
  }
  private static func decibels(_ value: Float) -> Float {
    value > 0 ? Swift.max(20 * log10(value), -160) : -160
  }
}

/// A player of a file or of data.
open class AVAudioPlayer: NSObject, @unchecked Sendable {
  private let engine = AVAudioEngine()
  private let node = AVAudioPlayerNode()
  private var stretch: AVAudioUnitTimePitch?
  private var speed: Float = 1
  private let file: AVAudioFile
  private let meter = LevelMeter()
  private let copyOfData: URL?
  private let lock = NSRecursiveLock()
  private var isConnected = false
  private var start: AVAudioFramePosition = 0
  private var loopsLeft = 0
  private var turn = 0

  /// A player of a file.
  public convenience init(contentsOf url: URL) throws { try self.init(url, nil) }
  /// A player of a file, whose kind is in its contents.
  public convenience init(contentsOf url: URL, fileTypeHint utiString: String?) throws {
    try self.init(url, nil)
  }
  /// A player of data.
  public convenience init(data: Data) throws { try self.init(data: data, fileTypeHint: nil) }
  /// A player of data, whose kind is in it.
  public convenience init(data: Data, fileTypeHint utiString: String?) throws {
    let copy = FileManager.default.temporaryDirectory.appendingPathComponent(
      "auricle-player-\(UUID().uuidString)")
    try data.write(to: copy)
    do {
      try self.init(copy, copy)
    } catch {
      try? FileManager.default.removeItem(at: copy)
      throw error
    }
  }
  private init(_ url: URL, _ copy: URL?) throws {
    file = try AVAudioFile(forReading: url)
    copyOfData = copy
    super.init()
    engine.attach(node)
  }
  deinit {
    engine.stop()
    if let copyOfData { try? FileManager.default.removeItem(at: copyOfData) }
  }
  private func locked<Result>(_ body: () -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return body()
  }

  /// The receiver of the player's events.
  open weak var delegate: (any AVAudioPlayerDelegate)?
  /// The file; nil for data.
  open var url: URL? { copyOfData == nil ? file.url : nil }
  /// The format of the sound.
  open var format: AVAudioFormat { file.processingFormat }
  /// The format as settings.
  open var settings: [String: Any] { file.fileFormat.settings }
  /// The number of channels.
  open var numberOfChannels: Int { Int(file.processingFormat.channelCount) }
  /// The length, seconds.
  open var duration: TimeInterval { Double(file.length) / file.processingFormat.sampleRate }
  /// Whether it plays.
  open var isPlaying: Bool { node.isPlaying }
  /// The factor of the level.
  open var volume: Float {
    get { node.volume }
    set {
      locked { fade += 1 }
      node.volume = newValue
    }
  }
  private var fade = 0
  /// Leads to a level over seconds.
  open func setVolume(_ volume: Float, fadeDuration duration: TimeInterval) {
    let (from, number) = locked {
      fade += 1
      return (node.volume, fade)
    }
    let steps = Swift.max(Int(duration * 100), 1)
    for step in 1...steps {
      DispatchQueue.global().asyncAfter(deadline: .now() + duration * Double(step) / Double(steps))
      { [weak self] in
        guard let self, self.locked({ self.fade == number }) else { return }
        self.node.volume = from + (volume - from) * Float(step) / Float(steps)
      }
    }
  }
  /// From -1, left, to 1, right.
  open var pan: Float {
    get { node.pan }
    set { node.pan = newValue }
  }
  /// Whether the speed may be changed; set before the player is made ready.
  open var enableRate = false
  /// The factor of the speed, 0.5 to 2.
  open var rate: Float {
    get { speed }
    set {
      speed = Swift.min(Swift.max(newValue, 0.5), 2)
      stretch?.rate = speed
    }
  }
  /// The number of repetitions; below 0 for ever.
  open var numberOfLoops = 0
  /// The time of the device, seconds.
  open var deviceCurrentTime: TimeInterval {
    AVAudioTime.seconds(forHostTime: mach_absolute_time())
  }
  /// The place, seconds.
  open var currentTime: TimeInterval {
    get { locked { Double(place) / file.processingFormat.sampleRate } }
    set {
      locked {
        let wasPlaying = node.isPlaying
        start = Swift.min(
          Swift.max(AVAudioFramePosition(newValue * file.processingFormat.sampleRate), 0),
          file.length)
        turn += 1
        node.stop()
        if wasPlaying { begin(nil) } else { scheduled = false }
      }
    }
  }
  private var scheduled = false
  private var place: AVAudioFramePosition {
    guard node.isPlaying,
      let time = node.lastRenderTime.flatMap({ node.playerTime(forNodeTime: $0) })
    else { return start }
    return Swift.min(start + Swift.max(time.sampleTime, 0), file.length)
  }

  /// Opens the device; false without one.
  @discardableResult open func prepareToPlay() -> Bool {
    locked {
      if !isConnected {
        isConnected = true
        if enableRate {
          let stretch = AVAudioUnitTimePitch()
          stretch.rate = speed
          engine.attach(stretch)
          engine.connect(node, to: stretch, format: file.processingFormat)
          engine.connect(stretch, to: engine.mainMixerNode, format: file.processingFormat)
          self.stretch = stretch
        } else {
          engine.connect(node, to: engine.mainMixerNode, format: file.processingFormat)
        }
      }
      return engine.isRunning || (try? engine.start()) != nil
    }
  }
  /// Plays; false where that is impossible.
  @discardableResult open func play() -> Bool { play(nil) }
  /// Plays at a time of the device; false where that is impossible.
  @discardableResult open func play(atTime time: TimeInterval) -> Bool {
    play(AVAudioTime(hostTime: AVAudioTime.hostTime(forSeconds: time)))
  }
  private func play(_ when: AVAudioTime?) -> Bool {
    locked {
      guard !node.isPlaying else { return true }
      guard prepareToPlay() else { return false }
      loopsLeft = numberOfLoops
      begin(when)
      return true
    }
  }
  private func begin(_ when: AVAudioTime?) {
    if !scheduled {
      schedule()
      scheduled = true
    }
    node.play(at: when)
  }
  private func schedule() {
    turn += 1
    let number = turn
    guard start < file.length else {
      node.scheduleBuffer(
        AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 1)
          ?? { auricleRaise("memory") }()
      ) { [weak self] in
        self?.ended(number)
      }
      return
    }
    node.scheduleSegment(
      file, startingFrame: start, frameCount: AVAudioFrameCount(clamping: file.length - start),
      at: nil
    ) { [weak self] in self?.ended(number) }
  }
  private func ended(_ number: Int) {
    let (isEnd, isWhole) = locked {
      guard number == turn else { return (false, false) }
      start = 0
      scheduled = false
      // Without a device nothing is repeated.
      let isWhole = engine.isRunning
      if loopsLeft != 0, isWhole {
        if loopsLeft > 0 { loopsLeft -= 1 }
        node.stop()
        begin(nil)
        return (false, true)
      }
      turn += 1
      node.stop()
      return (true, isWhole)
    }
    guard isEnd else { return }
    DispatchQueue.main.async { [weak self] in
      if let self { self.delegate?.audioPlayerDidFinishPlaying(self, successfully: isWhole) }
    }
  }
  /// Stops where it is; the device stays open.
  open func pause() {
    locked {
      guard node.isPlaying else { return }
      let here = place
      turn += 1
      node.stop()
      scheduled = false
      start = here
    }
  }
  /// Stops where it is, and lets the device go.
  open func stop() {
    pause()
    locked { engine.stop() }
  }

  /// Whether levels are measured.
  open var isMeteringEnabled = false {
    didSet {
      guard isMeteringEnabled != oldValue else { return }
      if isMeteringEnabled {
        let meter = meter
        node.installTap(onBus: 0, bufferSize: 512, format: file.processingFormat) { buffer, _ in
          meter.add(buffer)
        }
      } else {
        node.removeTap(onBus: 0)
      }
    }
  }
  /// Reads the levels since the last call.
  open func updateMeters() { meter.update() }
  /// Decibels of the mean, -160 to 0.
  open func averagePower(forChannel channelNumber: Int) -> Float { meter.average(channelNumber) }
  /// Decibels of the peak, -160 to 0.
  open func peakPower(forChannel channelNumber: Int) -> Float { meter.peak(channelNumber) }
}
