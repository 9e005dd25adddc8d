// One cycle of a device: wait, look, render whole periods, look at the progress.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import DriftCompensation
import Glibc
import Synchronization

extension DeviceEngine {
  /// Prepares, fills and starts the device; nil when it runs.
  ///
  /// Context: the device's thread.
  package func begin() -> EngineEnd? {
    let end = startPorts()
    lastProgress = clock.now()
    return end
  }

  /// Prepares, fills and starts both sides.
  func startPorts() -> EngineEnd? {
    pending = (0, 0)
    loop.reset()
    for port in [playback, capture] {
      let status = port?.prepare() ?? 0
      guard status == 0 else { return Self.end(of: status) }
      if isLinked { break }
    }
    if let end = fill() { return end }
    // The side that plays first: what it plays is then in time for what is recorded.
    if let playback {
      let status = playback.start()
      guard status == 0 else { return Self.end(of: status) }
    }
    if let capture, !isLinked || playback == nil || capture.status().state != .running {
      let status = capture.start()
      guard status == 0 else { return Self.end(of: status) }
    }
    measureLatency()
    let now = clock.now()
    lastWake = now
    startTime = now
    startFrames = statistics.frames
    pace = nil
    return nil
  }

  /// Fills the output before the start: with what clients render where nothing is recorded, else with silence.
  private func fill() -> EngineEnd? {
    guard let playback, let output, let outputExchange else { return nil }
    var left = output.bufferFrames
    while left > 0 {
      let count = min(left, periodFrames)
      // A buffer that is no multiple of the period is filled to whole periods.
      guard count == periodFrames else { break }
      if capture == nil {
        if let end = renderPeriod(from: nil) { return end }
        if isDraining { break }
      } else {
        outputExchange.block.clear()
        pending = (0, count)
        if let end = writePending() { return end }
        outputFrame += Int64(count)
      }
      let room = playback.available()
      guard room >= 0 else { return Self.end(of: Int32(room)) }
      left = min(left - count, room)
    }
    return nil
  }

  /// Waits for one period and does what there is; nil while it goes on.
  ///
  /// Context: the device's thread.
  package func cycle() -> EngineEnd? {
    if stopRequest.load(ordering: .acquiring) { return .stopped }
    if isDraining { return drain() }
    for port in waitOrder {
      switch port.wait(frameCount: periodFrames, timeout: timeout) {
      case .woken: return stopRequest.load(ordering: .acquiring) ? .stopped : nil
      case .timedOut, .ready: break
      }
    }
    let now = clock.now()
    wakeGap = now &- lastWake
    lastWake = now
    var frames = Int.max
    for port in [playback, capture].compactMap(\.self) {
      let room = port.available()
      if room < 0 { return recover(Int32(clamping: room), of: port) }
      if port === playback { noteHeard(room) }
      frames = min(frames, room)
    }
    var periods = frames / max(1, periodFrames)
    guard periods > 0 else { return lookAtProgress(now) }
    idleWakes = 0
    lastProgress = now
    restartsWithoutProgress = 0
    while periods > 0 {
      if let end = period(now) { return end == .stopped ? nil : end }
      if isDraining || isStopping { break }
      periods -= 1
    }
    return keepPace()
  }

  /// Reads, renders and writes one period; `.stopped` where it was broken off and mended.
  private func period(_ now: UInt64) -> EngineEnd? {
    var frames: Int?
    if let capture, let inputExchange {
      var done = 0
      while done < periodFrames {
        let count = capture.transfer(
          inputExchange.block, from: done, frameCount: periodFrames - done)
        if count == -Int(ENODATA) { break }
        if count == -Int(EAGAIN) || count == 0 {
          if let end = again(capture, periodFrames - done) { return end }
          continue
        }
        guard count > 0 else { return recover(Int32(clamping: count), of: capture) ?? .stopped }
        done += count
      }
      if done == 0 { return .inputEnded }
      inputExchange.decode(frameCount: done)
      frames = done
    }
    return renderPeriod(from: frames)
  }

  /// Waits once more inside of a period, after a transfer that did nothing.
  private func again(_ port: any PCMPort, _ frames: Int) -> EngineEnd? {
    switch port.wait(frameCount: min(frames, periodFrames), timeout: timeout) {
    case .ready: return nil
    case .woken: return .stopped
    case .timedOut: return restart(counting: \.restarts) ?? .stopped
    }
  }

  /// Has clients render, and writes what they made.
  func renderPeriod(from inputFrames: Int?) -> EngineEnd? {
    let before = clock.now()
    let clientCount = callClients(inputFrames, before)
    // The last client has gone since the stop was asked for: silence behind its sound is not played.
    if clientCount == 0, isStopping { return .stopped }
    lastRender = clock.now() &- before
    statistics.renderTime &+= lastRender
    statistics.longestRender = max(statistics.longestRender, lastRender)
    statistics.periods += 1
    statistics.frames += Int64(inputFrames ?? periodFrames)
    frameCount.store(statistics.frames, ordering: .relaxed)
    sampleTime += Double(periodFrames)
    guard playback != nil, let outputExchange else { return nil }
    var count = periodFrames
    let last = lastFrame.load(ordering: .acquiring)
    if last >= 0, outputFrame + Int64(count) >= last {
      count = Int(max(0, last - outputFrame))
      beginDraining()
    }
    outputExchange.encode(frameCount: count)
    pending = (0, count)
    outputFrame += Int64(count)
    return writePending()
  }

  /// Writes what is encoded; a block that an overrun cut off is written again after it.
  func writePending() -> EngineEnd? {
    guard let playback, let outputExchange else { return nil }
    while pending.count > 0 {
      let count = playback.transfer(
        outputExchange.block, from: pending.first, frameCount: pending.count)
      if count == -Int(EAGAIN) || count == 0 {
        if let end = again(playback, pending.count) { return end }
        continue
      }
      guard count > 0 else {
        return recover(Int32(clamping: count), of: playback) ?? .stopped
      }
      pending.first += count
      pending.count -= count
    }
    return nil
  }

  /// Notes what was heard while the output has room for so many frames.
  func noteHeard(_ room: Int) {
    let held = Int64(max(0, (output?.bufferFrames ?? 0) - room) + pending.count)
    heardFrame.store(max(0, outputFrame - held), ordering: .releasing)
  }

  /// A device without a clock of its own is paced by the machine's.
  private func keepPace() -> EngineEnd? {
    guard clock.isReal else { return nil }
    let now = clock.now()
    if let pace {
      let due = pace.start &+ nanoseconds(Int(statistics.frames - pace.frames))
      if due > now { clock.sleep(until: due) }
    } else {
      let done = nanoseconds(Int(statistics.frames - startFrames))
      if done > 2 * (now &- startTime) + 500_000_000 { pace = (now, statistics.frames) }
    }
    return nil
  }

  /// What an error code means for the whole.
  static func end(of status: Int32) -> EngineEnd {
    switch status {
    case -ENODEV, -EBADFD, -ENOENT: .lost
    case -ENODATA: .inputEnded
    default: .failed(-status)
    }
  }
}
