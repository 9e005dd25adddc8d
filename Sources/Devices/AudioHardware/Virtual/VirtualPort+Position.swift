// The position of computed hardware: where it is at a time, and when it will be somewhere.
// SPDX-License-Identifier: Apache-2.0

import Glibc

extension VirtualPort {
  /// Frames a nanosecond.
  var speed: Double {
    (configuration?.sampleRate ?? 48_000) * (1 + traits.partsPerMillion * 1e-6) * 1e-9
  }

  /// The position at a time.
  private func position(at time: UInt64) -> Int64 {
    if isHanging || time < stalledUntil || time <= epoch { return hardware }
    var frames = base + Int64(Double(time - epoch) * speed + 1e-6)
    if traits.burst > 1 { frames -= frames % Int64(traits.burst) }
    return max(frames, hardware)
  }

  /// Returns the time at which the position will be at a frame; nil for never.
  func time(of frame: Int64) -> UInt64? {
    guard state == .running, !isHanging else { return nil }
    var wanted = frame
    if traits.burst > 1 {
      let rest = wanted % Int64(traits.burst)
      if rest > 0 { wanted += Int64(traits.burst) - rest }
    }
    let when = epoch &+ UInt64(max(0, (Double(wanted - base) / speed).rounded(.up)))
    return max(when, stalledUntil)
  }

  /// Moves to the present.
  func update() {
    guard state == .running else { return }
    let now = clock.now()
    if stalledUntil > 0, now >= stalledUntil {
      (epoch, base, stalledUntil) = (stalledUntil, hardware, 0)
    }
    var target = position(at: now)
    while nextFault < traits.faults.count, before + target >= traits.faults[nextFault].frame {
      let fault = traits.faults[nextFault]
      nextFault += 1
      let place = max(hardware, fault.frame - before)
      advance(to: min(target, place))
      guard state == .running else { return }
      apply(fault.kind, now)
      guard state == .running else { return }
      target = position(at: now)
    }
    advance(to: target)
  }

  private func apply(_ kind: PortFault.Kind, _ now: UInt64) {
    switch kind {
    case .overrun: state = .overrun
    case .stall(let length):
      stalledUntil = now &+ length
    case .hang: isHanging = true
    case .suspend: (state, resumesUntilAwake) = (.suspended, nil)
    case .sleep(let count): (state, resumesUntilAwake) = (.suspended, count)
    case .disconnect: state = .disconnected
    case .short(let limit): transferLimit = limit
    case .emptyWakes(let count): emptyWakes = count
    }
  }

  /// Moves the position on, and runs out where there is nothing to play or no room.
  private func advance(to target: Int64) {
    guard let configuration else { return }
    if direction == .playback {
      let reached = min(target, application)
      deliver(to: reached)
      hardware = reached
      if target > application { state = .overrun }
    } else {
      hardware = target
      if hardware - application > Int64(configuration.bufferFrames) { state = .overrun }
    }
  }

  /// Passes played frames to the far end.
  private func deliver(to position: Int64) {
    guard let ring, let configuration else { return }
    while delivered < position {
      let start = Int(delivered % Int64(configuration.bufferFrames))
      let count = min(Int(position - delivered), configuration.bufferFrames - start)
      let time = epoch &+ UInt64(max(0, Double(delivered - base) / speed))
      let status = unsafe end.consume(ring.address(frame: start), frameCount: count, time: time)
      if status < 0, failure == 0 { failure = status }
      delivered += Int64(count)
    }
  }

  /// Waits for the position.
  package func wait(frameCount: Int, timeout: UInt64) -> PCMWait {
    let deadline = clock.now() &+ timeout
    while true {
      update()
      if emptyWakes > 0 {
        emptyWakes -= 1
        return .ready
      }
      if hasEnded || failure < 0 { return .ready }
      switch state {
      case .open, .overrun, .suspended, .disconnected, .ended: return .ready
      case .prepared, .running:
        if available() >= frameCount { return .ready }
      }
      guard clock.now() < deadline else { return .timedOut }
      clock.sleep(until: min(nextTime(frameCount) ?? deadline, deadline))
    }
  }

  /// Returns the time at which so many frames can be transferred, or the next fault comes.
  private func nextTime(_ frameCount: Int) -> UInt64? {
    guard let configuration else { return nil }
    let wanted =
      direction == .playback
      ? application + Int64(frameCount - configuration.bufferFrames)
      : application + Int64(frameCount)
    var when = time(of: wanted)
    if nextFault < traits.faults.count {
      let fault = time(of: max(traits.faults[nextFault].frame - before, hardware))
      if let fault { when = min(when ?? fault, fault) }
    }
    // Never a moment that is over: the position rounds down.
    return when.map { max($0, clock.now() &+ 1) }
  }

  /// Frames that can be transferred.
  package func available() -> Int {
    if failure < 0 { return Int(failure) }
    update()
    guard let configuration else { return -Int(EBADFD) }
    switch state {
    case .overrun: return -Int(EPIPE)
    case .suspended: return -Int(ESTRPIPE)
    case .disconnected: return -Int(ENODEV)
    case .open: return -Int(EBADFD)
    case .ended: return -Int(ENODATA)
    case .prepared, .running:
      if hasEnded { return -Int(ENODATA) }
      return direction == .playback
        ? configuration.bufferFrames - Int(application - hardware) : Int(hardware - application)
    }
  }

  /// Copies frames to or from the ring of the hardware.
  package func transfer(_ block: PCMBlock, from first: Int, frameCount: Int) -> Int {
    clock.settle()
    let room = available()
    guard room >= 0 else { return room }
    guard let ring, let configuration else { return -Int(EBADFD) }
    let count = min(frameCount, room, transferLimit)
    guard count > 0 else { return -Int(EAGAIN) }
    if direction == .capture {
      let time = epoch &+ UInt64(max(0, Double(application - base) / speed))
      let produced = unsafe end.produce(block.address(frame: first), frameCount: count, time: time)
      if produced < 0 {
        failure = Int32(produced)
        return produced
      }
      if produced < count { hasEnded = true }
      application += Int64(produced)
      return produced == 0 ? -Int(ENODATA) : produced
    }
    let bytes = block.channelCount * block.sampleBytes
    var done = 0
    while done < count {
      let start = Int(application % Int64(configuration.bufferFrames))
      let part = min(count - done, configuration.bufferFrames - start)
      unsafe ring.address(frame: start).copyMemory(
        from: block.address(frame: first + done), byteCount: part * bytes)
      application += Int64(part)
      done += part
    }
    return count
  }
}
