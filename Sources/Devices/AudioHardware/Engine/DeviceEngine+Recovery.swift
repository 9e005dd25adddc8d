// Recovery of a device that runs dry, sleeps, stops moving or goes.
// SPDX-License-Identifier: Apache-2.0

import DriftCompensation
import Glibc
import Synchronization

extension DeviceEngine {
  /// Mends the failure of a negated `errno`; nil when the device runs again.
  func recover(_ status: Int32, of port: (any PCMPort)?) -> EngineEnd? {
    guard let port else { return Self.end(of: status) }
    switch status {
    case -EPIPE:
      countOverrun()
      return restart(isCounted: false)
    case -ESTRPIPE:
      statistics.suspends += 1
      return wakeUp(port)
    case -EAGAIN, -EINTR: return nil
    case -ENODATA: return .inputEnded
    case -ENODEV, -ENOENT: return .lost
    default:
      // Some drivers return another code first; the state is right.
      switch port.status().state {
      case .disconnected: return .lost
      case .ended: return .inputEnded
      case .suspended: return wakeUp(port)
      case .overrun:
        countOverrun()
        return restart(isCounted: false)
      case .running, .prepared, .open:
        restartsWithoutProgress += 1
        guard restartsWithoutProgress <= 3 else { return .failed(-status) }
        return restart(isCounted: true)
      }
    }
  }

  /// Counts an overrun by its cause: a late wake, a long render, or neither.
  private func countOverrun() {
    let buffer = nanoseconds(max(output?.bufferFrames ?? 0, input?.bufferFrames ?? 0))
    let period = nanoseconds(periodFrames)
    // Several wakes that are a little late add up; a thread may be held up between its wake and the transfer, too.
    let gap = max(wakeGap, clock.now() &- lastWake)
    if lastRender > period, lastRender &+ period > buffer / 2 {
      statistics.longRenders += 1
    } else if gap > period &+ period / 2 {
      statistics.lateWakes += 1
    } else {
      statistics.otherOverruns += 1
    }
    overrunCount.add(1, ordering: .relaxed)
    onOverrun?()
  }

  /// Goes on after the machine slept: resumes where the device can, at most five times, else starts anew.
  private func wakeUp(_ port: any PCMPort) -> EngineEnd? {
    var tries = 0
    while tries < 5 {
      let status = port.resume()
      if status == 0, port.status().state == .running {
        // The time of the recovery is neither lateness nor a standstill.
        lastWake = clock.now()
        lastProgress = lastWake
        return nil
      }
      guard status == -EAGAIN else { break }
      tries += 1
      clock.sleep(until: clock.now() &+ 200_000_000)
    }
    return restart(isCounted: false)
  }

  /// Starts both sides anew, and writes the frames again that were cut off.
  ///
  /// - Parameter isCounted: Whether it had stopped moving.
  func restart(isCounted: Bool) -> EngineEnd? {
    if isCounted { statistics.restarts += 1 }
    breakCount.add(1, ordering: .relaxed)
    let kept = pending
    playback?.drop()
    capture?.drop()
    let wasDraining = isDraining
    var end: EngineEnd?
    for attempt in 0..<5 {
      end = kept.count > 0 && capture == nil ? startWithPending(kept) : startPorts()
      // A device that was just dropped may need a moment.
      guard case .failed = end else { break }
      clock.sleep(until: clock.now() &+ UInt64(attempt + 1) * 10_000_000)
    }
    // One that cannot be made ready any more, or runs dry at every start, is gone, as the server behind a plug-in may be.
    if case .failed(let number) = end,
      number == EPIPE || [playback, capture].contains(where: { ($0?.prepare() ?? 0) < 0 })
    {
      end = .lost
    }
    isDraining = isDraining || wasDraining
    lastWake = clock.now()
    return end
  }

  /// Starts with the block that was not accepted, before anything new is rendered.
  private func startWithPending(_ kept: (first: Int, count: Int)) -> EngineEnd? {
    guard let playback else { return startPorts() }
    let status = playback.prepare()
    guard status == 0 else { return Self.end(of: status) }
    loop.reset()
    pending = kept
    while pending.count > 0, let outputExchange {
      let count = playback.transfer(
        outputExchange.block, from: pending.first, frameCount: pending.count)
      guard count > 0 else { return Self.end(of: Int32(clamping: count)) }
      pending.first += count
      pending.count -= count
    }
    while !isDraining, playback.available() >= periodFrames {
      if let end = renderPeriod(from: nil) { return end }
    }
    let started = playback.start()
    guard started == 0 else { return Self.end(of: started) }
    startTime = clock.now()
    startFrames = statistics.frames
    return nil
  }

  /// After a wake with nothing to do: never spins, and restarts a device that does not move.
  func checkProgress(_ now: UInt64) -> EngineEnd? {
    statistics.emptyWakes += 1
    idleWakes += 1
    if let playback, let end = attend(to: playback) { return end }
    if let capture, let end = attend(to: capture) { return end }
    if idleWakes >= 3 { clock.sleep(until: now &+ nanoseconds(periodFrames) / 2) }
    guard now &- lastProgress > 1_000_000_000 else { return nil }
    restartsWithoutProgress += 1
    guard restartsWithoutProgress <= 3 else { return .lost }
    lastProgress = now
    return restart(isCounted: true)
  }

  /// Recovers a port that does not run, and returns the outcome; nil for one that runs.
  private func attend(to port: any PCMPort) -> EngineEnd?? {
    switch port.status().state {
    case .disconnected: .some(.lost)
    case .ended: .some(.inputEnded)
    case .overrun: .some(recover(-EPIPE, of: port))
    case .suspended: .some(recover(-ESTRPIPE, of: port))
    case .open, .prepared, .running: .none
    }
  }

  /// Ends as asked: at once, or when all rendered frames were played.
  func stop() -> EngineEnd? {
    guard drainsAtStop.load(ordering: .acquiring), playback != nil else { return .stopped }
    if !isDraining { beginDraining() }
    let end = drain()
    return end == .finished ? .stopped : end
  }

  /// Stops rendering; the frames in the device are still played.
  @_noLocks func beginDraining() {
    isDraining = true
    let held = (output?.bufferFrames ?? 0) + periodFrames
    // Twice the frames that it can hold, and a second: no device needs longer.
    drainDeadline = engineClock.now() &+ 2 * nanoseconds(held) &+ 1_000_000_000
  }

  /// Waits until everything was played.
  func drain() -> EngineEnd? {
    guard let playback, let output else { return .finished }
    if let end = writePending() { return end == .stopped ? nil : end }
    let room = playback.available()
    if room == -Int(ENODEV) { return .lost }
    if room >= 0 { storePlayedFrame(room) }
    // Running dry is how it ends.
    if room < 0 || room >= output.bufferFrames { return .finished }
    guard clock.now() < drainDeadline else { return .finished }
    _ = playback.wait(frameCount: output.bufferFrames, timeout: nanoseconds(periodFrames))
    if playback.available() < output.bufferFrames, clock.isReal {
      clock.sleep(until: clock.now() &+ min(nanoseconds(periodFrames) / 2, 20_000_000))
    }
    return nil
  }

  /// Stops the ports and lets them go. Context: the device's thread.
  package func end() {
    playback?.close()
    capture?.close()
  }

  /// Begins, runs until the end, and closes. Context: the device's thread.
  package func run() -> EngineEnd {
    var end = begin()
    while end == nil { end = cycle() }
    self.end()
    return end ?? .stopped
  }
}
