// Players of buffers and files, behind each other or at a time.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The options of a scheduled buffer.
public struct AVAudioPlayerNodeBufferOptions: OptionSet, Sendable {
  /// The number of C.
  public let rawValue: UInt
  /// Options by their number.
  public init(rawValue: UInt) { self.rawValue = rawValue }
  /// Again and again, until another interrupts.
  public static let loops = AVAudioPlayerNodeBufferOptions(rawValue: 1)
  /// Replaces the playing and scheduled sound.
  public static let interrupts = AVAudioPlayerNodeBufferOptions(rawValue: 2)
  /// Replaces the playing and scheduled sound, at the end of a pass.
  public static let interruptsAtLoop = AVAudioPlayerNodeBufferOptions(rawValue: 4)
}

/// The moment of a completion handler's call.
public enum AVAudioPlayerNodeCompletionCallbackType: Int, Sendable {
  /// The player has read the data.
  case dataConsumed = 0
  /// The player has rendered the data.
  case dataRendered = 1
  /// The data have left the loudspeaker.
  case dataPlayedBack = 2
}

/// Called when the scheduled sound is done.
public typealias AVAudioPlayerNodeCompletionHandler =
  @Sendable (AVAudioPlayerNodeCompletionCallbackType) -> Void

/// A player.
open class AVAudioPlayerNode: AVAudioNode, AVAudioMixing, @unchecked Sendable {
  private static let callbackQueue = DispatchQueue(label: "org.auricle.player-callbacks")
  private let lock = RenderLock()
  private var items: [PlayerItem] = []
  private var finished: [PlayerItem] = []
  /// Items that were rendered, and whose sound is still on its way.
  private var sounding: [PlayerItem] = []
  /// Host ticks from the output's time to the loudspeaker.
  private var latencyTicks: UInt64 = 0
  private var playing = false
  /// Frames of the timeline so far.
  private var position: AVAudioFramePosition = 0
  /// The node's sample time that the timeline's position belongs to; nil before the first cycle.
  private var anchor: (node: Double, position: AVAudioFramePosition)?
  private var startTime: AVAudioTime?
  private let wake = DispatchSource.makeUserDataAddSource(queue: AVAudioPlayerNode.callbackQueue)

  /// A player without anything to play.
  public override init() {
    super.init(inputs: 0, outputs: 1)
    items.reserveCapacity(256)
    finished.reserveCapacity(256)
    sounding.reserveCapacity(256)
    wake.setEventHandler { [weak self] in self?.callBack() }
    wake.resume()
  }
  deinit { wake.cancel() }
  override func makeFace() -> AUAudioUnit? {
    AVAudioNode.unitFace(kAudioUnitType_Generator, kAudioUnitSubType_ScheduledSoundPlayer)
  }

  private func callBack() {
    let done = lock {
      let done = finished
      finished.removeAll(keepingCapacity: true)
      return done
    }
    for item in done { item.completion?() }
  }

  // MARK: Scheduling

  private func schedule(
    _ item: PlayerItem, at when: AVAudioTime?, _ options: AVAudioPlayerNodeBufferOptions = [],
    _ type: AVAudioPlayerNodeCompletionCallbackType = .dataConsumed
  ) {
    item.waitsForSound = type == .dataPlayedBack
    if let when {
      if when.isSampleTimeValid {
        item.start = when.sampleTime
      } else if when.isHostTimeValid {
        item.startHostTime = when.hostTime
      }
    }
    item.loops = options.contains(.loops)
    lock {
      if options.contains(.interrupts) {
        finishAll()
      } else if options.contains(.interruptsAtLoop), let first = items.first {
        finished += items.dropFirst()
        items.removeLast(items.count - 1)
        first.loops = false
      }
      items.append(item)
    }
    wake.add(data: 1)
  }
  /// Schedules a buffer behind the others.
  open func scheduleBuffer(
    _ buffer: AVAudioPCMBuffer, completionHandler: AVAudioNodeCompletionHandler? = nil
  ) {
    scheduleBuffer(buffer, at: nil, options: [], completionHandler: completionHandler)
  }
  /// Schedules a buffer at a time.
  open func scheduleBuffer(
    _ buffer: AVAudioPCMBuffer, at when: AVAudioTime?, options: AVAudioPlayerNodeBufferOptions = [],
    completionHandler: AVAudioNodeCompletionHandler? = nil
  ) {
    schedule(buffer, when, options, .dataConsumed, completionHandler)
  }
  private func schedule(
    _ buffer: AVAudioPCMBuffer, _ when: AVAudioTime?, _ options: AVAudioPlayerNodeBufferOptions,
    _ type: AVAudioPlayerNodeCompletionCallbackType, _ completion: (() -> Void)?
  ) {
    let format = outputFormat(forBus: 0)
    auricleRequire(
      format.channelCount == buffer.format.channelCount,
      "_outputFormat.channelCount == buffer.format.channelCount")
    auricleRequire(
      format.sampleRate == buffer.format.sampleRate,
      "_outputFormat.sampleRate == buffer.format.sampleRate")
    schedule(BufferItem(AVAudioPlayerNode.floats(buffer), completion), at: when, options, type)
  }
  /// A buffer of other samples as floats.
  private static func floats(_ buffer: AVAudioPCMBuffer) -> AVAudioPCMBuffer {
    guard buffer.format.commonFormat != .pcmFormatFloat32 else { return buffer }
    let standard = AVAudioFormat.auricleStandard(
      buffer.format.sampleRate, buffer.format.channelCount)
    guard let converted = AVAudioPCMBuffer(pcmFormat: standard, frameCapacity: buffer.frameLength),
      let converter = AVAudioConverter(from: buffer.format, to: standard)
    else { return buffer }
    try? converter.convert(to: converted, from: buffer)
    return converted
  }
  /// Schedules a buffer behind the others, with a handler of a kind.
  open func scheduleBuffer(
    _ buffer: AVAudioPCMBuffer,
    completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType,
    completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
  ) {
    scheduleBuffer(
      buffer, at: nil, options: [], completionCallbackType: callbackType,
      completionHandler: completionHandler)
  }
  /// Schedules a buffer at a time, with a handler of a kind.
  open func scheduleBuffer(
    _ buffer: AVAudioPCMBuffer, at when: AVAudioTime?, options: AVAudioPlayerNodeBufferOptions = [],
    completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType,
    completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
  ) {
    schedule(
      buffer, when, options, callbackType,
      completionHandler.map { handler in { handler(callbackType) } })
  }
  /// Schedules a buffer at a time, and returns when it is done in a kind of way.
  @discardableResult open func scheduleBuffer(
    _ buffer: AVAudioPCMBuffer, at when: AVAudioTime? = nil,
    options: AVAudioPlayerNodeBufferOptions = [],
    completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType
  ) async -> AVAudioPlayerNodeCompletionCallbackType {
    await withCheckedContinuation { done in
      schedule(buffer, when, options, callbackType) { done.resume(returning: callbackType) }
    }
  }
  /// Schedules a buffer, and returns when it is done.
  open func scheduleBuffer(
    _ buffer: AVAudioPCMBuffer, at when: AVAudioTime? = nil,
    options: AVAudioPlayerNodeBufferOptions = []
  ) async {
    await withCheckedContinuation { done in
      scheduleBuffer(buffer, at: when, options: options) { done.resume() }
    }
  }

  /// Schedules a part of a file at a time; it is cut at the file's end.
  open func scheduleSegment(
    _ file: AVAudioFile, startingFrame startFrame: AVAudioFramePosition,
    frameCount numberFrames: AVAudioFrameCount,
    at when: AVAudioTime?, completionHandler: AVAudioNodeCompletionHandler? = nil
  ) {
    schedule(file, startFrame, numberFrames, when, .dataConsumed, completionHandler)
  }
  private func schedule(
    _ file: AVAudioFile, _ startFrame: AVAudioFramePosition, _ numberFrames: AVAudioFrameCount,
    _ when: AVAudioTime?, _ type: AVAudioPlayerNodeCompletionCallbackType,
    _ completion: (() -> Void)?
  ) {
    auricleRequire(numberFrames > 0, "numberFrames > 0")
    let count = Swift.max(Swift.min(Int(numberFrames), Int(file.length - startFrame)), 0)
    guard count > 0,
      let item = FileItem(file.url, startFrame, count, outputFormat(forBus: 0), completion)
    else {
      schedule(PlayerItem(completion), at: when, [], type)
      return
    }
    schedule(item, at: when, [], type)
  }
  /// Schedules a part of a file at a time, with a handler of a kind.
  open func scheduleSegment(
    _ file: AVAudioFile, startingFrame startFrame: AVAudioFramePosition,
    frameCount numberFrames: AVAudioFrameCount,
    at when: AVAudioTime?,
    completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType,
    completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
  ) {
    schedule(
      file, startFrame, numberFrames, when, callbackType,
      completionHandler.map { handler in { handler(callbackType) } })
  }
  /// Schedules a part of a file at a time, and returns when it is done in a kind of way.
  @discardableResult open func scheduleSegment(
    _ file: AVAudioFile, startingFrame startFrame: AVAudioFramePosition,
    frameCount numberFrames: AVAudioFrameCount, at when: AVAudioTime?,
    completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType
  ) async -> AVAudioPlayerNodeCompletionCallbackType {
    await withCheckedContinuation { done in
      schedule(file, startFrame, numberFrames, when, callbackType) {
        done.resume(returning: callbackType)
      }
    }
  }
  /// Schedules a part of a file, and returns when it is done.
  open func scheduleSegment(
    _ file: AVAudioFile, startingFrame startFrame: AVAudioFramePosition,
    frameCount numberFrames: AVAudioFrameCount,
    at when: AVAudioTime?
  ) async {
    await withCheckedContinuation { done in
      scheduleSegment(file, startingFrame: startFrame, frameCount: numberFrames, at: when) {
        done.resume()
      }
    }
  }
  /// Schedules a whole file at a time.
  open func scheduleFile(
    _ file: AVAudioFile, at when: AVAudioTime?,
    completionHandler: AVAudioNodeCompletionHandler? = nil
  ) {
    schedule(file, when, .dataConsumed, completionHandler)
  }
  private func schedule(
    _ file: AVAudioFile, _ when: AVAudioTime?, _ type: AVAudioPlayerNodeCompletionCallbackType,
    _ completion: (() -> Void)?
  ) {
    guard file.length > 0 else { return schedule(PlayerItem(completion), at: when, [], type) }
    schedule(file, 0, AVAudioFrameCount(clamping: file.length), when, type, completion)
  }
  /// Schedules a whole file at a time, with a handler of a kind.
  open func scheduleFile(
    _ file: AVAudioFile, at when: AVAudioTime?,
    completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType,
    completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
  ) {
    schedule(
      file, when, callbackType, completionHandler.map { handler in { handler(callbackType) } })
  }
  /// Schedules a whole file, and returns when it is done in a kind of way.
  @discardableResult open func scheduleFile(
    _ file: AVAudioFile, at when: AVAudioTime?,
    completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType
  ) async -> AVAudioPlayerNodeCompletionCallbackType {
    await withCheckedContinuation { done in
      schedule(file, when, callbackType) { done.resume(returning: callbackType) }
    }
  }
  /// Schedules a whole file, and returns when it is done.
  open func scheduleFile(_ file: AVAudioFile, at when: AVAudioTime?) async {
    await withCheckedContinuation { done in scheduleFile(file, at: when) { done.resume() } }
  }
  /// Reads ahead of the schedule.
  open func prepare(withFrameCount frameCount: AVAudioFrameCount) {
    for item in lock({ items }) { item.fill() }
  }

  // MARK: Playing

  /// Whether the player plays, also where nothing is scheduled.
  open var isPlaying: Bool { lock { playing } }
  /// Plays at once.
  open func play() { play(at: nil) }
  /// Plays from a time on: of the host, or of the output's samples.
  open func play(at when: AVAudioTime?) {
    auricleRequire(
      owner?.acceptsStarts ?? false, "_engine->IsRunning(): player started when engine not running")
    auricleRequire(
      locked { !outputs[0].links.isEmpty || outputs[0].tap != nil },
      "player started when in a disconnected state")
    let latency = AVAudioTime.hostTime(forSeconds: outputPresentationLatency)
    lock {
      guard !playing, owner?.running ?? false else { return }
      playing = true
      latencyTicks = latency
      startTime = when
      anchor = nil
    }
  }
  /// Stops at its position; play resumes from there.
  open func pause() {
    lock {
      playing = false
      anchor = nil
    }
  }
  /// Stops, and drops the schedule.
  open func stop() {
    lock {
      playing = false
      finishAll()
      position = 0
      anchor = nil
      startTime = nil
    }
    wake.add(data: 1)
  }
  override open func reset() {
    lock { finishAll() }
    wake.add(data: 1)
  }
  /// Drops all items, whose completions are called. Context: under the lock.
  private func finishAll() {
    finished += sounding
    finished += items
    sounding.removeAll(keepingCapacity: true)
    items.removeAll(keepingCapacity: true)
  }
  override func engineDidStop() { stop() }

  /// A time of the node as one of the player, which is 0 at play; nil while it does not play.
  open func playerTime(forNodeTime nodeTime: AVAudioTime) -> AVAudioTime? {
    guard nodeTime.isSampleTimeValid else { return nil }
    let state = lock { playing ? (anchor, position) : nil }
    guard let (anchor, position) = state else { return nil }
    let rate = outputFormat(forBus: 0).sampleRate
    guard let anchor else { return AVAudioTime(sampleTime: position, atRate: rate) }
    let sample =
      anchor.position
      + AVAudioFramePosition(Double(nodeTime.sampleTime) * rate / nodeTime.sampleRate - anchor.node)
    return nodeTime.isHostTimeValid
      ? AVAudioTime(hostTime: nodeTime.hostTime, sampleTime: sample, atRate: rate)
      : AVAudioTime(sampleTime: sample, atRate: rate)
  }
  /// A time of the player as one of the node; nil while it does not play.
  open func nodeTime(forPlayerTime playerTime: AVAudioTime) -> AVAudioTime? {
    guard playerTime.isSampleTimeValid, let anchor = lock({ playing ? anchor : nil }) else {
      return nil
    }
    return AVAudioTime(
      sampleTime: AVAudioFramePosition(anchor.node) + playerTime.sampleTime - anchor.position,
      atRate: outputFormat(forBus: 0).sampleRate)
  }

  // MARK: Rendering

  override func render(
    _ bus: Int, _ time: UnsafePointer<AudioTimeStamp>, _ frames: Int,
    _ list: UnsafeMutableAudioBufferListPointer
  ) -> OSStatus {
    clear(list, frames)
    let waits = cycle?.manual?.mode == .offline
    lock {
      defer { finishSound(time, frames, waits) }
      guard playing else { return }
      var offset = 0
      if let startTime {
        // Offline there is no clock: a time of the host is now.
        let isHosts = startTime.isHostTimeValid && !startTime.isSampleTimeValid
        let delay =
          waits && isHosts ? 0 : framesUntil(startTime, time, outputFormats[0].sampleRate)
        guard delay < frames else { return }
        offset = Swift.max(delay, 0)
        self.startTime = nil
      }
      if anchor == nil { anchor = (time.pointee.mSampleTime + Double(offset), position) }
      fillCycle(time, frames, list, offset, waits)
    }
    return noErr
  }
  private func hostTime(_ time: UnsafePointer<AudioTimeStamp>, _ frames: Int) -> UInt64 {
    time.pointee.mHostTime
      + AVAudioTime.hostTime(forSeconds: Double(frames) / outputFormats[0].sampleRate)
  }
  /// Passes on items whose sound has left: offline with this cycle, on a device with those before it.
  private func finishSound(_ time: UnsafePointer<AudioTimeStamp>, _ frames: Int, _ isOffline: Bool)
  {
    guard !sounding.isEmpty else { return }
    let now = hostTime(time, isOffline ? frames : 0)
    var count = 0
    while count < sounding.count, sounding[count].endHostTime + latencyTicks <= now {
      finished.append(sounding[count])
      count += 1
    }
    guard count > 0 else { return }
    sounding.removeFirst(count)
    wake.add(data: 1)
  }
  /// Frames until a time of the host or of the output.
  private func framesUntil(
    _ start: AVAudioTime, _ now: UnsafePointer<AudioTimeStamp>, _ rate: Double
  ) -> Int {
    if start.isHostTimeValid, !start.isSampleTimeValid {
      let isLater = start.hostTime > now.pointee.mHostTime
      guard isLater else { return 0 }
      return Int(
        (AVAudioTime.seconds(forHostTime: start.hostTime - now.pointee.mHostTime) * rate).rounded())
    }
    return Int(
      (Double(start.sampleTime) * rate / start.sampleRate - now.pointee.mSampleTime).rounded())
  }
  private func fillCycle(
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: Int,
    _ list: UnsafeMutableAudioBufferListPointer, _ first: Int,
    _ waits: Bool
  ) {
    var offset = first
    var hasFinished = false
    while offset < frames, let item = items.first {
      if !item.hasBegun {
        if let host = item.startHostTime {
          let delay =
            waits
            ? 0 : framesUntil(AVAudioTime(hostTime: host), time, outputFormats[0].sampleRate)
          item.start = position + AVAudioFramePosition(Swift.max(delay - offset, 0))
          item.startHostTime = nil
        }
        if let start = item.start, start > position {
          let gap = Swift.min(Int(start - position), frames - offset)
          offset += gap
          position += AVAudioFramePosition(gap)
          continue
        }
        item.hasBegun = true
      }
      let count = item.read(list, offset, frames - offset, waits)
      offset += count
      position += AVAudioFramePosition(count)
      if item.isExhausted {
        let done = items.removeFirst()
        if done.waitsForSound {
          done.endHostTime = hostTime(time, offset)
          sounding.append(done)
        } else {
          finished.append(done)
          hasFinished = true
        }
      } else if count == 0 {
        break
      }
    }
    position += AVAudioFramePosition(frames - offset)
    if hasFinished { wake.add(data: 1) }
  }
}
