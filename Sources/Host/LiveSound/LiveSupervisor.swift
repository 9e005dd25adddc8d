// Live sound in the process that has the device, the control socket and the MIDI sources; others run the plug-ins.
// SPDX-License-Identifier: Apache-2.0

import AudioHardware
import AudioTypes
import AuricleHost
import ChainPresets
import DeviceSound
import Glibc
import HostSystem
import RealtimeSupport
import WatchedProcesses
import Workers

/// One run of live sound. Context: one control thread.
final class LiveSupervisor {
  let request: LiveRequest
  let host: HostPlaces
  let control: PlayControl
  let session: DeviceSession
  let mixer: LiveMixer
  /// The MIDI sources that play; nil for none.
  let keyboards: LiveKeyboards?
  private let notes: LiveNotes
  private let reaper = OrphanReaper()
  private let prints: PrintedLines
  /// The process that plays, or fades in.
  private(set) var present: LiveProcess
  /// Whether the mixer has the present process; until then, one that fades in comes to its end first.
  private var isOffered = false
  /// The processes that fade out, or have faded.
  private var former: [LiveProcess] = []
  /// The preset that plays; nil for units and for no chain.
  private(set) var presetName: String?
  /// The changes, in order, each once.
  var state: [(key: String, line: String)] = []
  /// The peaks of two channels since `stats` was asked for, linear.
  var heldPeaks = [0.0, 0.0]
  /// Presets that controllers called, and that are not in use yet.
  var calledPresets: [String] = []
  var hasQuit = false
  private var crashes: [ContinuousClock.Instant] = []
  private var lastReport: UInt64 = 0
  private var beginning: UInt64 = 0

  /// The most crashes in ten seconds after which a chain begins again.
  private static let mostCrashes = 5
  /// Milliseconds between two reports, and between two checks for the end of a fade.
  private static let (reportMilliseconds, fadeMilliseconds): (UInt64, UInt64) = (50, 10)

  /// Opens the units, then the device: a fault of what was typed comes before those of the machine, and costs no device
  /// a sound.
  init(_ request: LiveRequest, _ host: HostPlaces, _ control: PlayControl) throws {
    self.request = request
    self.host = host
    self.control = control
    prints = PrintedLines { control.say($0) }
    let preset = try request.chain?.read(host.presets)
    let isBand = !request.keyboards.isEmpty && preset?.playsNotes(in: host.makeRegistry()) == true
    let names = LiveDeviceNames(request, isBand: isBand)
    let likely = Self.setup(request, preset, try LiveDeviceForm(likelyOf: names, request), [])
    let trial = try Self.start(likely, request, control, prints)
    do throws(AuricleError) { session = try names.open(request) } catch {
      try trial.process.finish(isHurried: true)
      throw error
    }
    presetName = request.chain?.presetName
    do {
      notes = try LiveNotes(
        sampleRate: session.engine.sampleRate, isRealTime: session.engine.isRealTime)
      keyboards =
        request.keyboards.isEmpty ? nil : try LiveKeyboards(request.keyboards, notes)
    } catch {
      session.engine.end()
      try trial.process.finish(isHurried: true)
      throw error
    }
    do {
      let setup = Self.setup(request, preset, LiveDeviceForm(session.engine), [])
      mixer = try LiveMixer(
        setup.form, notes, sampleRate: session.engine.sampleRate,
        isRealTime: session.engine.isRealTime)
      var first = trial
      if setup != likely {
        try trial.process.finish(isHurried: true)
        first = try Self.start(setup, request, control, prints)
      }
      present = Self.connect(first, control, keyboards)
    } catch {
      keyboards?.end()
      session.engine.end()
      try trial.process.finish(isHurried: true)
      throw error
    }
    isOffered = mixer.offer(present)
    session.engine.clients.add(mixer.client)
  }

  /// The setup of a process for a device.
  private static func setup(
    _ request: LiveRequest, _ preset: ChainPreset?, _ device: LiveDeviceForm, _ lines: [String]
  ) -> LiveSetup {
    var task = SoundTask(preset, request.isolation)
    task.sampleRate = device.sampleRate
    task.channelCount = request.channelCount
    task.frameCapacity = device.periodFrames
    return LiveSetup(
      task: task, inputWidth: device.inputWidth, outputWidth: device.outputWidth,
      isRealTime: device.isRealTime, playsNotes: !request.keyboards.isEmpty,
      isolate: request.isolate?.rawValue ?? preset?.isolate ?? LiveIsolation.chain.rawValue,
      isPipelined: device.isRealTime && device.periodFrames < 128, guards: request.guards,
      lessons: request.lessons.flatMap { [$0.stage, $0.parameter] }, lines: lines)
  }

  /// A process whose units are open, the controllers that it wants, and its messages until then.
  private struct Started {
    let process: LiveProcess
    var mapping: LiveMapping?
    var messages: [String] = []
  }

  /// Starts a process and waits until its units are open.
  private static func start(
    _ setup: LiveSetup, _ request: LiveRequest, _ control: PlayControl, _ prints: PrintedLines
  ) throws -> Started {
    var started = Started(
      process: try LiveProcess(
        setup, request.isolation, shouldStop: { control.shouldStop }, onPrint: prints.report))
    while true {
      let frame = try started.process.conversation.next()
      switch frame.kind {
      case SoundFrame.ready: return started
      case SoundFrame.refused: throw SoundRefusal.error(frame.bytes)
      case LiveFrame.said: started.messages.append(frame.text)
      case LiveFrame.mapped: started.mapping = LiveMapping(frame.bytes)
      default: break
      }
    }
  }

  /// Connects a process with the MIDI sources, and passes its messages on.
  private static func connect(
    _ started: Started, _ control: PlayControl, _ keyboards: LiveKeyboards?
  ) -> LiveProcess {
    for message in started.messages { control.say(message) }
    started.process.prepare(keyboards?.settings ?? [])
    if let mapping = started.mapping { keyboards?.use(mapping) }
    return started.process
  }

  // MARK: Exchanges

  /// Fades to the chain of a preset, in a process with other rights.
  func change(to name: String) throws {
    let preset = try ChainRequest.preset(name).read(host.presets)
    let kept = state.filter { ["gain", "bypass"].contains($0.key) }
    var setup = Self.setup(request, preset, LiveDeviceForm(session.engine), kept.map(\.line))
    setup.lessons = []
    try begin(setup)
    (presetName, state) = (name, kept)
  }

  /// Starts a process in place of the present one and has it faded in.
  private func begin(_ setup: LiveSetup) throws {
    let made = Self.connect(
      try Self.start(setup, request, control, prints), control, keyboards)
    if isOffered {
      former.append(present)
    } else {
      // Nothing of it was played.
      try? present.finish(isHurried: true)
    }
    present = made
    isOffered = mixer.offer(made)
  }

  /// Begins again after a unit ended the process, where that is wanted.
  private func beginAgain(_ failure: AuricleError) throws {
    present.abandon()
    let sentence = present.conversation.failureText
    guard !sentence.isEmpty else { throw failure }
    let remedy = present.conversation.remedy
    guard request.restarts, !control.shouldStop else {
      throw AuricleError(.software, "\(sentence): \(remedy), or restart it with --restart")
    }
    let now = ContinuousClock.now
    crashes = crashes.filter { now - $0 < .seconds(10) } + [now]
    guard crashes.count <= Self.mostCrashes else {
      throw AuricleError(
        .software, "\(sentence), \(crashes.count) times in ten seconds: \(remedy)")
    }
    control.say("\(sentence): it begins again")
    let chain = presetName.map { ChainRequest.preset($0) } ?? request.chain
    let preset = try chain?.read(host.presets)
    let device = LiveDeviceForm(session.engine)
    try begin(Self.setup(request, preset, device, state.map(\.line)))
  }

  /// Ends the processes that have faded out, and has the present one faded in when its turn comes.
  private func retire() {
    if !isOffered { isOffered = mixer.offer(present) }
    if let link = unsafe mixer.removeRetired() {
      for process in former where unsafe process.link == link {
        try? process.finish(isHurried: true)
      }
      former.removeAll { unsafe $0.link == link }
      reaper.reap(sparing: (former + [present]).map(\.conversation.process.id))
    }
    for process in former where !process.isAbandoned {
      do throws(AuricleError) {
        while try process.conversation.poll() != nil {}
        if process.waitingSeconds > request.isolation.limits.stall { process.abandon() }
      } catch { process.abandon() }
    }
  }

  // MARK: The run

  /// Runs until it is stopped, or the device ends.
  func go(_ socket: ControlSocket?) throws -> SoundOutcome {
    do {
      try session.startOnce()
      beginning = RenderClock.nanoseconds()
      if let warning = session.warning { control.say(warning) }
      while !session.isOver, !hasQuit, !control.shouldStop { try step(socket) }
      keyboards?.end()
      // A device must not wait for a unit that hangs.
      if control.shouldStop { abandonAll() }
      let end = session.stop()
      let outcome = SoundOutcome(
        of: session, seconds: Double(session.engine.framesDone) / session.engine.sampleRate,
        isInterrupted: control.shouldStop)
      try finish(isHurried: control.shouldStop)
      if let failure = session.failure(end, "the sound has ended") { throw failure }
      return outcome
    } catch {
      keyboards?.end()
      abandonAll()
      _ = session.stop()
      try? finish(isHurried: true)
      if control.shouldStop, (error as? AuricleError)?.category == .interrupted {
        return SoundOutcome(
          of: session, seconds: Double(session.engine.framesDone) / session.engine.sampleRate,
          isInterrupted: true)
      }
      throw error
    }
  }

  private func abandonAll() { for process in former + [present] { process.abandon() } }

  private func finish(isHurried: Bool) throws(AuricleError) {
    for process in former { try? process.finish(isHurried: true) }
    former = []
    defer { reaper.reap(sparing: []) }
    try present.finish(isHurried: isHurried) { control.say($0) }
  }

  private func step(_ socket: ControlSocket?) throws {
    waitForNews(socket)
    socket?.serve { answer($0) }
    serveKeyboards()
    do throws(AuricleError) {
      while let frame = try present.conversation.poll() { receive(frame) }
      let limit = request.isolation.limits.stall
      if present.waitingSeconds > limit { throw present.conversation.hang(afterSeconds: limit) }
    } catch { try beginAgain(error) }
    while let name = calledPresets.popLast() { useCalled(name) }
    retire()
    report()
    while let command = control.consume() { obey(command) }
  }

  /// Waits for lines of clients, frames and prints of processes, and messages of MIDI sources; at most until the next
  /// report, and not as long while a process fades out.
  private func waitForNews(_ socket: ControlSocket?) {
    let processes = former.filter { !$0.isAbandoned } + [present]
    var sources = processes.flatMap(\.conversation.process.sources)
    if let keyboards { sources.append(keyboards.news.descriptor) }
    var entries = socket?.entries ?? []
    entries += sources.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let wait = former.isEmpty ? Self.reportMilliseconds : Self.fadeMilliseconds
    _ = unsafe poll(&entries, nfds_t(entries.count), Int32(wait))
  }

  /// Handles a frame that nobody waits for.
  func receive(_ frame: WatchedFrame) {
    switch frame.kind {
    case LiveFrame.said: control.say(frame.text)
    case LiveFrame.changed: note(frame.text)
    case LiveFrame.status:
      present.status = LiveStatus(frame.bytes) ?? present.status
      heldPeaks = zip(heldPeaks, present.status.peaks).map { max($0, $1) }
    case LiveFrame.mapped: if let mapping = LiveMapping(frame.bytes) { keyboards?.use(mapping) }
    case LiveFrame.preset: calledPresets.append(frame.text)
    case LiveFrame.settings: keyboards?.resendSettings()
    case LiveFrame.thread:
      if let thread = Int32(frame.text) {
        RealtimePriority.raise(process: present.conversation.process.id, thread: thread)
      }
    default: break
    }
  }

  /// Keeps the lines that lead to the present state of the chain.
  private func note(_ line: String) {
    guard let (key, line) = try? LiveCommand(line: line).stateLine, key != "preset" else { return }
    state.removeAll { $0.key == key }
    state.append((key, line))
  }

  private func report() {
    let now = RenderClock.nanoseconds()
    guard now - lastReport >= Self.reportMilliseconds * 1_000_000 else { return }
    lastReport = now
    let status = present.status
    var sound = SoundStatus()
    sound.position = Double(now - beginning) / 1e9
    sound.isPaused = status.isPaused
    sound.isBypassed = status.isBypassed
    sound.gain = status.gain
    sound.peaks = status.peaks
    sound.preset = presetName
    sound.overrunCount = session.engine.overruns + mixer.missedCount
    sound.device = session.text
    sound.load = status.load
    sound.slowUnit = status.slowUnit
    sound.latencyMilliseconds = latencyMilliseconds
    control.report(sound)
  }

  /// Milliseconds from the input to the output, with the chain's own.
  private var latencyMilliseconds: Double? {
    let engine = session.engine
    guard let frames = engine.roundTripFrames else { return nil }
    return Double(frames + present.status.latencyFrames) * 1000 / engine.sampleRate
  }
}
