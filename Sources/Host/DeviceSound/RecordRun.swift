// Records from a device: fetches frames from the queue, runs them through the chain, keeps them.
// SPDX-License-Identifier: Apache-2.0

import AudioHardware
import AudioTypes
import AuricleHost
import Glibc
import HostSystem
import Synchronization

/// One recording.
final class RecordRun {
  private let request: RecordRequest
  private let host: HostPlaces
  private let control: PlayControl
  private var lastReport: UInt64 = 0
  private var chain: FedChain?
  private let reaper = OrphanReaper()
  /// When it was first found that the recording is to end; 0 before.
  private var stopTime: UInt64 = 0

  /// Nanoseconds in which the chain may render the rest once the recording is to end.
  private static let restTime: UInt64 = 1_000_000_000

  init(_ request: RecordRequest, _ host: HostPlaces, _ control: PlayControl) {
    self.request = request
    self.host = host
    self.control = control
  }

  /// Seconds of sound that wait for a disk that does not write.
  private static let queueSeconds = 8.0

  private var wanted: PCMRequest {
    var wanted = PCMRequest()
    wanted.sampleRate = request.sampleRate ?? 48_000
    wanted.channelCount = request.channelCount
    wanted.periodFrames = request.periodFrames ?? 1024
    wanted.periodCount = 4
    return wanted
  }

  /// Records until the duration is over, the device ends, or it is stopped.
  func go() throws -> SoundOutcome {
    if let duration = request.duration, !(duration > 0 && duration.isFinite) {
      throw AuricleError(.usage, "the duration is a time above zero, not \(duration) s")
    }
    guard request.output.lowercased().hasSuffix(".wav") else {
      throw AuricleError(
        .usage,
        "recordings are WAVE files: give '\(request.output)' a name that ends in .wav, and make "
          + "another kind of it with auricle convert")
    }
    try Recording.check(request)
    try AuricleInstallation.checkDevice(named: request.device)
    // Faults of the chain, which was typed, come before those of the machine.
    let likely = (rate: wanted.sampleRate, channels: request.channelCount ?? 2)
    chain = try makeChain(sampleRate: likely.rate, channelCount: likely.channels)
    let (session, input) = try openDevice()
    if (input.sampleRate, input.channelCount) != likely {
      try chain?.finish(isHurried: true)
      chain = try makeChain(sampleRate: input.sampleRate, channelCount: input.channelCount)
    }
    let recording = try Recording(request, input, chain)
    do {
      let outcome = try record(session, input, recording)
      try chain?.finish(isHurried: control.shouldStop)
      reaper.reap(sparing: [])
      return outcome
    } catch let error as AuricleError {
      recording.breakOff()
      try? chain?.finish(isHurried: true)
      reaper.reap(sparing: [])
      guard error.category != .software else {
        throw AuricleError(
          .software, "\(error.message); the sound until then is in \(request.output)")
      }
      throw error
    }
  }

  /// Opens the device; the chain ends where there is none.
  private func openDevice() throws -> (DeviceSession, PCMConfiguration) {
    do throws(AuricleError) {
      let session = try DeviceSession(request.device, .input, wanted)
      guard let input = session.engine.input else {
        throw AuricleError(.unavailable, "\(session.name) has no input")
      }
      try session.require(sampleRate: request.sampleRate)
      return (session, input)
    } catch {
      try chain?.finish(isHurried: true)
      throw error
    }
  }

  /// The chain in another process; nil for none.
  private func makeChain(sampleRate: Double, channelCount: Int) throws -> FedChain? {
    guard let wanted = request.chain else { return nil }
    var task = SoundTask(try wanted.read(host.presets), request.isolation)
    task.sampleRate = sampleRate
    task.channelCount = channelCount
    task.frameCapacity = Recording.sliceFrames
    let control = control
    let renderer = try SoundRenderer(
      task, request.isolation, shouldStop: { [unowned self] in isRestOver },
      onMessage: { control.say($0) })
    return try FedChain(
      renderer, channelCount: channelCount, frameCapacity: Recording.sliceFrames)
  }

  /// Whether the chain had its time for the rest.
  private var isRestOver: Bool {
    guard control.shouldStop else { return false }
    let now = SystemClock().now()
    if stopTime == 0 { stopTime = now }
    return now - stopTime > Self.restTime
  }

  private func record(
    _ first: DeviceSession, _ input: PCMConfiguration, _ consume: Recording
  ) throws -> SoundOutcome {
    var session = first
    while true {
      let queue = SoundQueue(
        channelCount: input.channelCount,
        frameCapacity: Int(Self.queueSeconds * input.sampleRate),
        isPatient: !session.engine.isRealTime)
      session.engine.clients.add(queue.recorder)
      try session.startOnce()
      if let warning = session.warning, consume.frameCount == 0 { control.say(warning) }
      let isDone: Bool
      do { isDone = try record(session, queue, consume) } catch {
        // The device's thread uses the queue.
        queue.stop()
        _ = session.stop()
        throw error
      }
      // Frames that the device offers after the end are not missing.
      let missing = queue.missingFrames.load(ordering: .relaxed)
      queue.stop()
      let end = session.stop()
      if !consume.isFull { try drain(queue, consume) }
      let failure = session.failure(end, "the sound until then is in \(request.output)")
      guard let failure, !isDone else {
        try consume.finish()
        return outcome(session, missing: missing, consume)
      }
      guard end == .lost, request.waits else {
        try consume.finish()
        throw failure
      }
      control.say("\(session.name) is gone: waiting for it")
      guard
        let next = DeviceSession.waitForDevice(
          request.device, .input, wanted, shouldStop: { control.shouldStop }),
        next.engine.input?.channelCount == input.channelCount
      else {
        try consume.finish()
        return outcome(session, missing: missing, consume)
      }
      session = next
    }
  }

  /// Records incoming frames; true when the duration is over or it was asked to stop.
  private func record(
    _ session: DeviceSession, _ queue: SoundQueue, _ consume: Recording
  ) throws -> Bool {
    while true {
      let isOver = session.isOver
      let count = try consume.keepSound(from: queue)
      if consume.isFull || control.shouldStop { return true }
      report(session, queue, consume)
      if count == 0 {
        if isOver { return false }
        queue.waitForDevice(milliseconds: 5)
      }
    }
  }

  private func drain(_ queue: SoundQueue, _ consume: Recording) throws {
    while try !consume.isFull && consume.keepSound(from: queue) > 0 {}
  }

  private func outcome(
    _ session: DeviceSession, missing: Int64, _ consume: Recording
  ) -> SoundOutcome {
    var outcome = SoundOutcome(
      of: session, seconds: consume.seconds, isInterrupted: control.shouldStop)
    if missing > 0 {
      outcome.notes.append(
        "the disk or the chain did not keep up: \(missing) frames are missing in \(request.output)")
    }
    return outcome
  }

  private func report(_ session: DeviceSession, _ queue: SoundQueue, _ consume: Recording) {
    let now = SystemClock().now()
    guard now - lastReport > 50_000_000 else { return }
    lastReport = now
    var status = SoundStatus()
    status.position = consume.seconds
    status.seconds = request.duration
    let peaks = queue.drainPeaks()
    status.peaks = [Double(peaks.0), Double(peaks.1)]
    status.preset = request.chain?.presetName
    status.overrunCount = session.engine.overruns
    status.device = session.text
    control.report(status)
  }
}
