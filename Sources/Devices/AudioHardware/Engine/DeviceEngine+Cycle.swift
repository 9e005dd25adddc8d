// One cycle of a device: wait, check, render whole periods, check the progress.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import DriftCompensation
import Glibc
import RealtimeSupport
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
    // The playing side first: its frames are then in time for the recorded ones.
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

  /// Fills the output before the start: with the clients' sound if nothing is recorded, else with silence.
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

  /// Waits for one period and processes it; nil while the device runs.
  ///
  /// From the wake to the next wait nothing allocates or locks, but where a device is mended or ends.
  ///
  /// Context: the device's thread.
  @_noLocks package func cycle() -> EngineEnd? {
    RealtimeSection.enter()
    let end = turn()
    RealtimeSection.exit()
    return end
  }

  /// One cycle, inside of the section that sanitizers check.
  @_noLocks private func turn() -> EngineEnd? {
    if stopRequest.load(ordering: .acquiring) { return mend(.stop) }
    if isDraining { return mend(.drain) }
    let timeout = timeout
    if let port = waitOrder.first, port.wait(frameCount: periodFrames, timeout: timeout) == .woken {
      return nil
    }
    if let port = waitOrder.second, port.wait(frameCount: periodFrames, timeout: timeout) == .woken
    {
      return nil
    }
    let now = engineClock.now()
    wakeGap = now &- lastWake
    lastWake = now
    var frames = Int.max
    if let playbackPort {
      let room = playbackPort.available()
      if room < 0 { return mend(.playback(room)) }
      storePlayedFrame(room)
      frames = room
    }
    if let capturePort {
      let room = capturePort.available()
      if room < 0 { return mend(.capture(room)) }
      frames = min(frames, room)
    }
    let count = frames / max(1, periodFrames)
    guard count > 0 else { return mend(.idle(now)) }
    idleWakes = 0
    lastProgress = now
    restartsWithoutProgress = 0
    for _ in 0..<count {
      if let end = period() { return end == .stopped ? nil : end }
      if isDraining { break }
    }
    keepPace()
    return nil
  }

  /// Handles the needs of a device that does not simply run: the door out of checked code.
  @_noLocks private func mend(_ need: EngineNeed) -> EngineEnd? {
    let engine = unsafe Unmanaged.passUnretained(self)
    RealtimeSection.exit()
    let end = unsafe _unsafePerformance {
      unsafe engine._withUnsafeGuaranteedRef { $0.attend(to: need) }
    }
    RealtimeSection.enter()
    return end
  }

  private func attend(to need: EngineNeed) -> EngineEnd? {
    switch need {
    case .stop: stop()
    case .drain: drain()
    case .playback(let status): recover(Int32(clamping: status), of: playback)
    case .capture(let status): recover(Int32(clamping: status), of: capture)
    case .idle(let time): checkProgress(time)
    case .restart: restart(isCounted: true)
    }
  }

  /// Reads, renders and writes one period; `.stopped` where it was broken off and mended.
  @_noLocks private func period() -> EngineEnd? {
    guard let capturePort, let inputBlock = unsafe inputBlock else {
      return renderPeriod(from: nil)
    }
    var done = 0
    while done < periodFrames {
      let count = unsafe capturePort.transfer(
        inputBlock, from: done, frameCount: periodFrames - done)
      if count == -Int(ENODATA) { break }
      if count == -Int(EAGAIN) || count == 0 {
        if let end = again(capturePort, periodFrames - done) { return end }
        continue
      }
      guard count > 0 else {
        return mend(.capture(count)) ?? .stopped
      }
      done += count
    }
    if done == 0 { return .inputEnded }
    exchanges.decode(frameCount: done)
    return renderPeriod(from: done)
  }

  /// Waits once more inside of a period, after a transfer that did nothing.
  @_noLocks private func again(_ port: EnginePort, _ frames: Int) -> EngineEnd? {
    switch port.wait(frameCount: min(frames, periodFrames), timeout: timeout) {
    case .ready: return nil
    case .woken: return .stopped
    case .timedOut: return mend(.restart) ?? .stopped
    }
  }

  /// Renders the clients, and writes their sound.
  @_noLocks func renderPeriod(from inputFrames: Int?) -> EngineEnd? {
    let before = engineClock.now()
    let clientCount = callClients(inputFrames, before)
    // The last client has gone since the stop was asked for: silence behind its sound is not played.
    if clientCount == 0, stopRequest.load(ordering: .acquiring) { return .stopped }
    lastRender = engineClock.now() &- before
    statistics.renderTime &+= lastRender
    statistics.longestRender = max(statistics.longestRender, lastRender)
    statistics.periods += 1
    let frames = periodFrames
    statistics.frames += Int64(inputFrames ?? frames)
    frameCount.store(statistics.frames, ordering: .relaxed)
    sampleTime += Double(periodFrames)
    guard playbackPort != nil else { return nil }
    var count = periodFrames
    let last = lastFrame.load(ordering: .acquiring)
    if last >= 0, outputFrame + Int64(count) >= last {
      count = Int(max(0, last - outputFrame))
      beginDraining()
    }
    exchanges.encode(frameCount: count)
    pending = (0, count)
    outputFrame += Int64(count)
    return writePending()
  }

  /// Writes encoded frames; a block that an overrun cut off is written again after it.
  @_noLocks func writePending() -> EngineEnd? {
    guard let playbackPort, let outputBlock = unsafe outputBlock else { return nil }
    while pending.count > 0 {
      let count = unsafe playbackPort.transfer(
        outputBlock, from: pending.first, frameCount: pending.count)
      if count == -Int(EAGAIN) || count == 0 {
        if let end = again(playbackPort, pending.count) { return end }
        continue
      }
      guard count > 0 else {
        return mend(.playback(count)) ?? .stopped
      }
      pending.first += count
      pending.count -= count
    }
    return nil
  }

  /// Stores the last frame that was played, by the room in the output's buffer in frames.
  @_noLocks func storePlayedFrame(_ room: Int) {
    let held = Int64(max(0, (output?.bufferFrames ?? 0) - room) + pending.count)
    presentedFrame.store(max(0, outputFrame - held), ordering: .releasing)
  }

  /// Paces a device without its own clock by the machine's.
  @_noLocks private func keepPace() {
    guard engineClock.isReal else { return }
    let now = engineClock.now()
    if let pace {
      let due = pace.start &+ nanoseconds(Int(statistics.frames - pace.frames))
      if due > now { engineClock.sleep(until: due) }
    } else {
      let done = nanoseconds(Int(statistics.frames - startFrames))
      if done > 2 * (now &- startTime) + 500_000_000 { pace = (now, statistics.frames) }
    }
  }

  /// The end of the whole that an error code means.
  static func end(of status: Int32) -> EngineEnd {
    switch status {
    case -ENODEV, -EBADFD, -ENOENT: .lost
    case -ENODATA: .inputEnded
    default: .failed(-status)
    }
  }
}

/// The needs of a device that cannot simply go on.
private enum EngineNeed {
  case stop
  case drain
  /// A side returned a negated `errno`.
  case playback(Int)
  case capture(Int)
  /// A wake at a time (ns) had nothing to do.
  case idle(UInt64)
  /// A side did not move.
  case restart
}
