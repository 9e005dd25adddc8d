// Sound through a port that follows another's clock, and the measurement of both clocks.
// SPDX-License-Identifier: Apache-2.0

import DriftCompensation
import Glibc

extension DriftPort {
  /// Writes or reads frames by the other device's clock, always as many as asked for.
  package func transfer(_ block: PCMBlock, from first: Int, frameCount: Int) -> Int {
    guard let exchange, let resampler, frameCount > 0 else { return -Int(EBADFD) }
    var status = hasRead ? failure : measure(resampler)
    hasRead = false
    guard status == 0 else { return Int(status) }
    let samples = unsafe block.address(frame: first).assumingMemoryBound(to: Float.self)
    if direction == .capture {
      status = read(exchange, resampler)
      if status == 0 {
        let missing = unsafe resampler.pull(samples, frameCount: frameCount, to: target)
        if missing > 0, isAligned { countOverrun() }
      }
    } else {
      unsafe resampler.push(samples, frameCount: frameCount)
      status = write(exchange, resampler, frameCount)
    }
    guard status == 0 else { return Int(status) }
    ownersFrames += Int64(frameCount)
    return frameCount
  }

  /// Reads everything that the device has recorded.
  private func read(_ exchange: SampleExchange, _ resampler: DriftResampler) -> Int32 {
    while true {
      let room = inner.available()
      if room < 0 { return mend(Int32(clamping: room)) }
      guard room > 0 else { return 0 }
      let count = inner.transfer(
        exchange.block, from: 0, frameCount: min(room, exchange.frameCapacity))
      if count == 0 || count == -Int(EAGAIN) { return 0 }
      guard count > 0 else { return mend(Int32(clamping: count)) }
      exchange.decode(frameCount: count)
      unsafe resampler.push(exchange.samples, frameCount: count)
      devicesFrames += Int64(count)
    }
  }

  /// Writes everything in the filter to the device; frames that it has no room for are lost.
  private func write(
    _ exchange: SampleExchange, _ resampler: DriftResampler, _ frameCount: Int
  ) -> Int32 {
    while true {
      let usual = Int(Double(frameCount) / max(0.01, target))
      let made = unsafe resampler.pullAll(
        exchange.samples, capacity: exchange.frameCapacity, to: target, over: usual)
      guard made > 0 else { return 0 }
      exchange.encode(frameCount: made)
      var done = 0
      while done < made {
        let count = inner.transfer(exchange.block, from: done, frameCount: made - done)
        if count == 0 || count == -Int(EAGAIN) { break }
        guard count > 0 else { return mend(Int32(clamping: count)) }
        devicesFrames += Int64(count)
        done += count
      }
      guard made == exchange.frameCapacity else { return 0 }
    }
  }

  // MARK: Failures

  private func countOverrun() {
    overruns += 1
    onOverrun?()
  }

  /// Starts a device anew that ran dry or slept; a negated `errno` where that cannot be.
  private func mend(_ status: Int32) -> Int32 {
    guard status == -EPIPE || status == -ESTRPIPE else { return status }
    countOverrun()
    return startAnew()
  }

  private func startAnew() -> Int32 {
    inner.drop()
    let status = inner.prepare()
    guard status == 0 else { return status }
    devicesFrames = 0
    beginAnew()
    if direction == .playback, let made, let resampler {
      let filtered = Int(resampler.backlog / resampler.step)
      let queued = writeSilence(max(0, heldFrames + made.bufferFrames - filtered))
      guard queued == 0 else { return queued }
    }
    return inner.start()
  }

  // MARK: Measuring

  /// Compares both clocks, and sets the speed by the surplus of frames.
  func measure(_ resampler: DriftResampler) -> Int32 {
    let (there, here) = (main.status(), inner.status())
    guard let made, let own, there.state == .running, here.state == .running,
      let mainPosition = there.position, let ownPosition = here.position
    else { return 0 }
    let now = clock.now()
    let passed = Double(mainPosition - (mainMark?.position ?? mainPosition))
    // Once a cycle, however many periods it has.
    if mainMark != nil, passed < Double(made.periodFrames) / 2 { return 0 }
    Self.move(&mainMark, &mainTime, mainPosition, there.stamp, now)
    if ownPosition != ownMark?.position {
      Self.move(&ownMark, &ownTime, ownPosition, here.stamp, now)
      (lastMove, restartsWithoutProgress) = (now, 0)
    } else if now &- lastMove > 1_000_000_000 {
      restartsWithoutProgress += 1
      guard restartsWithoutProgress <= 3 else { return -ENODEV }
      countOverrun()
      return startAnew()
    }
    guard let mainMark, let ownMark, resampler.isSteady else { return 0 }
    let ahead = (mainMark.smoothed - ownMark.smoothed) * ownTime.measuredRate * 1e-9
    let present = Double(ownMark.position) + ahead
    let waiting = present - Double(devicesFrames)
    let owed = Double(mainMark.position - ownersFrames)
    let step = resampler.step
    let held =
      direction == .capture
      ? resampler.backlog + waiting - owed * step : (resampler.backlog + owed) / step - waiting
    error = held - Double(heldFrames)
    follow(passed, tolerated: Double(own.periodFrames), resampler)
    return 0
  }

  /// Moves the speed; jumps where there is more to mend than a speed should.
  private func follow(_ passed: Double, tolerated: Double, _ resampler: DriftResampler) {
    if abs(error) > (isAligned ? tolerated : 1) {
      let frames = direction == .capture ? error : error * resampler.step
      resampler.jump(by: Int(frames.rounded()))
      if isAligned { jumps += 1 }
    } else if traits.compensates, passed > 0 {
      target = usualStep * loop.update(error: error, frames: passed)
    }
    isAligned = true
  }

  /// Notes a position and its time: the driver's where that can be true.
  private static func move(
    _ mark: inout Mark?, _ loop: inout TimeLoop, _ position: Int64, _ stamp: UInt64, _ now: UInt64
  ) {
    let last = mark?.stamp ?? 0
    let isTrue = stamp > last && stamp <= now && now - stamp < 100_000_000
    let time = isTrue ? stamp : now
    let frames = Double(position - (mark?.position ?? position))
    let smoothed = frames > 0 ? loop.update(Double(time), frames: frames) : Double(time)
    mark = Mark(position: position, stamp: time, smoothed: smoothed)
  }
}
