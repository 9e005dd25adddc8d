// Runs a chain between the input and the output of a device, and does what is asked meanwhile.
// SPDX-License-Identifier: Apache-2.0

import AudioHardware
import AudioTypes
import AuricleHost
import ChainPresets
import FileRendering
import Glibc
import Synchronization
import UnitChains

/// One run of live sound. Context: one control thread.
final class LiveRun {
  let request: LiveRequest
  let host: HostPlaces
  let control: PlayControl
  let session: DeviceSession
  let render: LiveRender
  /// Every chain that the device's thread may still use; the last is the newest.
  private(set) var chains: [LiveChain]
  /// The newest chain, before it was given to the device's thread; nil when that took it.
  private var waiting: LiveChain?
  var presetName: String?
  var ramps: [LiveRamp] = []
  /// The MIDI sources that play; nil for none.
  let keyboards: LiveKeyboards?
  let notes: LiveNotes
  /// What controllers move, and programs call; parameters that wait for a controller.
  var map = ControllerMap()
  var lessons: [(stage: String, parameter: String)] = []
  var hasQuit = false
  /// Told what was done, to be done again after a crash.
  let onChange: (LiveCommand) -> Void
  private var lastReport: UInt64 = 0
  private var told = (overruns: [Int: Int](), failures: 0, time: UInt64(0))
  private var beginning: UInt64 = 0

  init(
    _ request: LiveRequest, _ host: HostPlaces, _ control: PlayControl,
    onChange: @escaping (LiveCommand) -> Void
  ) throws {
    self.request = request
    self.host = host
    self.control = control
    self.onChange = onChange
    var wanted = PCMRequest()
    wanted.sampleRate = request.sampleRate ?? 48_000
    wanted.periodFrames = request.periodFrames
    wanted.periodCount = request.periodCount
    let name = request.output ?? request.input ?? DeviceListing.defaultName
    let plan = try LivePlan(request.chain, host, playsNotes: !request.keyboards.isEmpty)
    // Instruments need no sound that comes in.
    let plays = plan.isBand && request.input == nil
    session =
      plays
      ? try DeviceSession(name, .output, wanted)
      : try DeviceSession(output: name, input: request.input ?? name, wanted)
    try session.require(sampleRate: request.sampleRate)
    let engine = session.engine
    do {
      guard engine.output != nil, plays || engine.input != nil else {
        throw AuricleError(
          .unavailable,
          "\(session.name) has not both an input and an output: choose others with "
            + "--input and --output")
      }
      presetName = request.chain?.presetName
      let first = try Self.build(plan.resolved, plan.channels, request, engine)
      chains = [first]
      notes = try LiveNotes(sampleRate: engine.sampleRate, isRealTime: engine.isRealTime)
      keyboards =
        request.keyboards.isEmpty ? nil : try LiveKeyboards(request.keyboards, notes)
      render = LiveRender(
        first, notes, channelCount: request.channelCount, frameCapacity: engine.periodFrames,
        sampleRate: engine.sampleRate, isRealTime: engine.isRealTime)
    } catch {
      engine.end()
      throw error
    }
    do {
      take(try controllerMap(of: plan))
      for words in request.lessons { _ = try perform(.learn(words.stage, words.parameter)) }
    } catch {
      keyboards?.end()
      engine.end()
      throw error
    }
    if keyboards != nil, newest.receivers.isEmpty, plan.controllers.isEmpty {
      control.say(
        "nothing in the chain takes notes: name an instrument first (auricle list aumu), effects behind it"
      )
    }
    engine.clients.add(render.client)
  }

  /// The newest chain.
  var newest: LiveChain { chains[chains.count - 1] }

  private static func build(
    _ resolved: ResolvedChain, _ channels: [UInt16], _ request: LiveRequest, _ engine: DeviceEngine
  ) throws(AuricleError) -> LiveChain {
    let wanted = ChainSpecification(
      sampleRate: engine.sampleRate, channelCount: request.channelCount,
      maximumFrameCount: engine.periodFrames)
    return try LiveChain(resolved, chain: try resolved.makeChain(wanted), channels: channels)
  }

  /// Fades to the chain of a preset, whose controllers count from now on.
  func take(_ chain: ChainRequest) throws {
    let plan = try LivePlan(chain, host, playsNotes: keyboards != nil)
    let made = try Self.build(plan.resolved, plan.channels, request, session.engine)
    // What is wrong is found before anything is faded.
    let found = try controllerMap(of: plan)
    hand(over: made)
    take(found)
  }

  /// The controllers of a plan; none where nobody plays them.
  private func controllerMap(of plan: LivePlan) throws -> ControllerMap {
    try keyboards == nil ? ControllerMap() : ControllerMap(plan)
  }

  /// Fades to a chain that is made anew of a changed one.
  func take(_ resolved: ResolvedChain) throws(AuricleError) {
    hand(over: try Self.build(resolved, newest.channels, request, session.engine))
  }

  private func hand(over chain: LiveChain) {
    keyboards?.prepare(chain.receivers)
    // One that was never taken is replaced.
    if let waiting { chains.removeAll { $0 === waiting } }
    chains.append(chain)
    waiting = chain
    ramps = []
    told.overruns = [:]
    offer()
  }

  private func offer() {
    if let old = render.takeRetired() { chains.removeAll { $0 === old } }
    if let next = waiting, render.offer(next) { waiting = nil }
  }

  /// Runs until it is stopped, or the device ends.
  func go(socket: ControlSocket?, answer: (String) -> String) throws -> SoundOutcome {
    try session.startOnce()
    beginning = SystemClock().now()
    if let warning = session.warning { control.say(warning) }
    while !session.isOver, !hasQuit, !control.shouldStop {
      if let socket {
        socket.serve(milliseconds: 5, answer: answer)
      } else {
        usleep(5000)
      }
      while let command = control.take() { obey(command) }
      serveKeyboards()
      offer()
      moveRamps()
      report()
    }
    keyboards?.end()
    let end = session.stop()
    if let failure = session.failure(end, "the sound has ended") { throw failure }
    return SoundOutcome(
      of: session, seconds: Double(session.engine.framesDone) / session.engine.sampleRate,
      isInterrupted: control.shouldStop)
  }

  private func moveRamps() {
    let now = SystemClock().now()
    ramps.removeAll { $0.move(now) }
  }

  private func obey(_ command: PlayCommand) {
    switch command {
    case .togglePause:
      render.isMuted.store(!render.isMuted.load(ordering: .relaxed), ordering: .relaxed)
    case .seek: break
    case .changeGain(let decibels):
      let present = 20 * log10(Double(render.playedGain))
      _ = try? perform(.gain(min(24, max(-60, present + decibels))))
    case .nextPreset:
      guard let next = host.presets.name(after: presetName) else { return }
      do { _ = try perform(.preset(next)) } catch {
        presetName = next
        control.say("\(next) cannot be used: \(error)")
      }
    case .toggleBypass:
      _ = try? perform(.bypass(!render.isBypassed.load(ordering: .relaxed)))
    case .quit: hasQuit = true
    }
  }

  // MARK: What is told

  private func report() {
    let now = SystemClock().now()
    guard now - lastReport > 50_000_000 else { return }
    lastReport = now
    watchUnits(now)
    var status = SoundStatus()
    status.position = Double(now - beginning) / 1e9
    status.isPaused = render.isMuted.load(ordering: .relaxed)
    status.isBypassed = render.isBypassed.load(ordering: .relaxed)
    status.gain = Double(render.playedGain)
    let peaks = render.takePeaks()
    status.peaks = [Double(peaks.0), Double(peaks.1)]
    status.preset = presetName
    status.overrunCount = session.engine.overruns
    status.device = session.text
    control.report(status)
  }

  /// Tells of units that fail or are too slow, and passes slow ones over where that was asked for.
  private func watchUnits(_ now: UInt64) {
    let failures = render.failedSlices.load(ordering: .relaxed)
    if failures > told.failures, now - told.time > 1_000_000_000 {
      let reason = newest.chain.consumeLiveFailure()?.message ?? "a unit failed"
      control.say("\(reason): \(failures - told.failures) slices are silent")
      (told.failures, told.time) = (failures, now)
    }
    for clock in newest.clocks {
      let count = clock.overruns.load(ordering: .relaxed)
      let before = told.overruns[clock.stage] ?? 0
      guard count > before else { continue }
      told.overruns[clock.stage] = count
      let label = newest.resolved.stages[clock.stage].label
      if request.guards, count >= Self.tolerated {
        control.say("\(label) was too slow \(count) times: it is passed over")
        _ = try? perform(.bypassStage("\(clock.stage + 1)", true))
        return
      }
      if before == 0 {
        control.say(
          "\(label) took longer than there is time: give --guard to pass it over, or a longer --period"
        )
      }
    }
  }

  /// How often a unit may be too slow before it is passed over.
  private static let tolerated = 3
}
