// Plays a file: renders ahead of the device on the calling thread, and obeys commands meanwhile.
// SPDX-License-Identifier: Apache-2.0

import AudioHardware
import AudioTypes
import AuricleHost
import ChainPresets
import Glibc
import HostSystem
import Synchronization

/// One playing of a file.
final class PlayRun {
  private let request: PlayRequest
  private let host: HostPlaces
  private let control: PlayControl
  private var session: DeviceSession?
  private var queue = SoundQueue(channelCount: 1, frameCapacity: 16, isPatient: true)
  private var renderer: SoundRenderer?
  private let reaper = OrphanReaper()
  private var file: PlayedSource?
  private var feed: PlayFeed?
  private var presetName: String?
  private var isBypassed = false
  private var hasQuit = false
  /// Seconds of the file at which the present feed began, and frames passed to the device before it.
  private var origin = (seconds: 0.0, frames: Int64(0))
  /// Seconds that were passed to devices that are gone.
  private var secondsBefore = 0.0
  private var lastReport: UInt64 = 0

  init(_ request: PlayRequest, _ host: HostPlaces, _ control: PlayControl) {
    self.request = request
    self.host = host
    self.control = control
    presetName = request.chain?.presetName
  }

  /// Plays to the end, or until it is stopped.
  func go() throws -> SoundOutcome {
    do {
      let outcome = try play()
      try close(isHurried: control.shouldStop || hasQuit)
      return outcome
    } catch {
      queue.stop()
      _ = session?.stop()
      try? close(isHurried: true)
      throw error
    }
  }

  /// Has the units closed; no process of theirs goes on.
  private func close(isHurried: Bool) throws(AuricleError) {
    let last = renderer
    renderer = nil
    try last?.finish(isHurried: isHurried)
    reaper.reap(sparing: [])
  }

  private func play() throws -> SoundOutcome {
    guard request.start >= 0, request.start.isFinite else {
      throw AuricleError(.usage, "the start is a time in the file, not \(request.start) s")
    }
    try AuricleInstallation.checkDevice(named: request.device)
    let file = try open(at: request.start)
    self.file = file
    var wanted = PCMRequest()
    wanted.sampleRate = file.sampleRate
    wanted.channelCount = nil
    // A player has time: its thread may wake late, and plug-ins run better in longer slices.
    wanted.periodFrames = request.periodFrames ?? 1024
    wanted.periodCount = 4
    var session = try openDevice(wanted, file.channelCount)
    if let warning = try begin(session, file) { control.say(warning) }
    while true {
      let isDone = try playThrough()
      let end = session.stop()
      if !isDone || hasQuit { break }
      guard end == .lost, request.waits else {
        if let error = session.failure(end, "the rest of the sound is lost") { throw error }
        break
      }
      control.say("\(session.name) is gone: waiting for it")
      let position = position
      guard
        let next = DeviceSession.waitForDevice(
          request.device, .output, wanted, shouldStop: { control.shouldStop })
      else { break }
      secondsBefore += seconds(of: session)
      session = next
      let again = try open(at: min(position, file.seconds ?? position))
      self.file = again
      _ = try begin(session, again)
    }
    return outcome(session)
  }

  /// Seconds of sound that were passed to a device.
  private func seconds(of session: DeviceSession) -> Double {
    Double(queue.frameCount.load(ordering: .relaxed)) / session.engine.sampleRate
  }

  private func outcome(_ session: DeviceSession) -> SoundOutcome {
    var outcome = SoundOutcome(
      of: session, seconds: secondsBefore + seconds(of: session),
      isInterrupted: control.shouldStop)
    let missing = queue.missingFrames.load(ordering: .relaxed)
    if missing > 0 {
      let milliseconds = Int(Double(missing) * 1000 / session.engine.sampleRate)
      outcome.notes.append(
        "the chain did not keep up: \(max(1, milliseconds)) ms of silence were played in between")
    }
    return outcome
  }

  /// A device uses the channels of the file where it can.
  private func openDevice(
    _ wanted: PCMRequest, _ channels: Int
  ) throws(AuricleError) -> DeviceSession {
    var exact = wanted
    exact.channelCount = channels
    do throws(AuricleError) {
      return try DeviceSession(request.device, .output, exact)
    } catch {
      guard error.category == .badData else { throw error }
      return try DeviceSession(request.device, .output, wanted)
    }
  }

  /// Makes the queue and starts the thread; the warning about its priority.
  private func begin(_ session: DeviceSession, _ file: PlayedSource) throws -> String? {
    self.session = session
    let engine = session.engine
    guard let output = engine.output else { return nil }
    // A quarter of a second: changes are audible soon.
    let capacity = max(4 * output.bufferFrames, Int(output.sampleRate / 4))
    let queue = SoundQueue(
      channelCount: output.channelCount, frameCapacity: capacity, isPatient: !engine.isRealTime)
    queue.connect(engine)
    queue.gain = self.queue.gain
    self.queue = queue
    engine.clients.add(queue.player)
    let feed = try PlayFeed(file, queue, sampleRate: output.sampleRate)
    self.feed = feed
    origin = (file.startSeconds, 0)
    // Some sound is there before the device asks for it: the queue is full, or half of it.
    feed.onFull = { () throws(AuricleError) in try session.startOnce() }
    while queue.waitingFrames < capacity / 2, !session.hasStarted, !control.shouldStop {
      guard try !step(feed, session) else { continue }
      if request.loops { break }
      self.feed = nil
      queue.setEnded(true)
      break
    }
    try session.startOnce()
    return session.warning
  }

  /// Renders until the device has come to its end; false when it was broken off.
  private func playThrough() throws -> Bool {
    guard let session else { return false }
    while !session.isOver {
      if control.shouldStop { return abort() }
      while let command = control.consume() { try obey(command) }
      if hasQuit { return abort() }
      report()
      guard let feed, !queue.isSilenced else {
        queue.waitForDevice(milliseconds: 5)
        continue
      }
      if try step(feed, session) || control.shouldStop { continue }
      if request.loops {
        try restart(at: 0, discarding: false)
      } else {
        self.feed = nil
        queue.setEnded(true)
      }
    }
    report(isLast: true)
    return true
  }

  /// Renders a slice; false when all is done, or when it was asked to stop.
  private func step(_ feed: PlayFeed, _ session: DeviceSession) throws -> Bool {
    do {
      return try feed.step { self.control.shouldStop || session.isOver }
    } catch let error as AuricleError where error.category == .interrupted {
      return false
    }
  }

  private func abort() -> Bool {
    queue.stop()
    return false
  }

  /// Seconds of the file that are playing now.
  private var position: Double {
    place(behind: queue.framesPresented(ofDevice: session?.engine.framesPresented ?? 0))
  }

  /// Seconds of the file that the device gets next: changes are audible from there on.
  private var nextPosition: Double { place(behind: queue.frameCount.load(ordering: .relaxed)) }

  private func place(behind frames: Int64) -> Double {
    let rate = session?.engine.sampleRate ?? 48_000
    return origin.seconds + Double(max(0, frames - origin.frames)) / rate
  }

  private func obey(_ command: PlayCommand) throws {
    switch command {
    case .togglePause:
      let isPaused = queue.isSilenced
      queue.setPaused(!isPaused)
    case .seek(let seconds):
      let last = file?.seconds ?? .infinity
      let target = max(0, position + seconds)
      guard target < last else { return }
      try restart(at: target, discarding: true)
    case .changeGain(let decibels):
      let changed = Double(queue.gain) * pow(10, decibels / 20)
      queue.gain = Float(min(max(changed, 0.001), 4))
    case .nextPreset: try useNextPreset()
    case .toggleBypass:
      isBypassed.toggle()
      try restart(at: nextPosition, discarding: true)
    case .quit: hasQuit = true
    }
  }

  /// Switches to the next usable preset. Each has a process with other rights.
  private func useNextPreset() throws {
    let before = (presetName, isBypassed, renderer)
    isBypassed = false
    for next in host.presets.names(after: presetName) where !control.shouldStop {
      presetName = next
      renderer = nil
      do { return try restart(at: nextPosition, discarding: true) } catch {
        control.say("\(next) cannot be used: \(PresetFailure.sentence(error))")
      }
    }
    (presetName, isBypassed, renderer) = before
    try restart(at: nextPosition, discarding: true)
  }

  /// Begins at a place of the file with the present chain.
  private func restart(at seconds: Double, discarding: Bool) throws {
    guard let session else { return }
    let next = try open(at: seconds)
    let waiting = discarding ? 0 : queue.waitingFrames
    if discarding { queue.discard() }
    file = next
    feed = try PlayFeed(next, queue, sampleRate: session.engine.sampleRate)
    queue.setEnded(false)
    origin = (
      next.startSeconds, queue.frameCount.load(ordering: .relaxed) + Int64(waiting)
    )
  }

  /// The file from a place on, through the chain that is wanted now.
  private func open(at seconds: Double) throws -> PlayedSource {
    let renderer = try self.renderer ?? start()
    self.renderer = renderer
    return try PlayedSource(
      renderer, at: SoundPlace(seconds: seconds, isBypassed: isBypassed))
  }

  private func start() throws -> SoundRenderer {
    let control = control
    var task = SoundTask(try presentChain?.read(host.presets), request.isolation)
    task.file = request.file
    return try SoundRenderer(
      task, request.isolation, shouldStop: { control.shouldStop }, onMessage: { control.say($0) })
  }

  private var presentChain: ChainRequest? {
    presetName.map { .preset($0) } ?? request.chain
  }

  private func report(isLast: Bool = false) {
    let now = SystemClock().now()
    guard isLast || now - lastReport > 50_000_000 else { return }
    lastReport = now
    var status = SoundStatus()
    status.position = position
    status.seconds = file?.seconds
    status.isPaused = queue.isSilenced
    status.isBypassed = isBypassed
    status.gain = Double(queue.gain)
    let peaks = queue.drainPeaks()
    status.peaks = [Double(peaks.0), Double(peaks.1)]
    status.preset = presetName
    status.overrunCount = session?.engine.overruns ?? 0
    status.device = session?.text ?? ""
    control.report(status)
  }
}
