// Renders a chain for the device of another process, and obeys commands meanwhile.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AuricleHost
import ChainPresets
import DeviceSound
import FileRendering
import Glibc
import HostSystem
import IsolatedUnits
import PlugInGuard
import RealtimeSupport
import Synchronization
import UnitChains
import WatchedProcesses

/// Live sound in the process that renders it. Context: one control thread.
final class LiveRun {
  let setup: LiveSetup
  let render: LiveRender
  /// The units in other processes; nil where there are none.
  let isolation: LiveUnits?
  private let slices: LiveSlices
  /// Every chain that the render thread may still use; the last is the newest.
  private(set) var chains: [LiveChain]
  /// The newest chain, before it was passed to the render thread; nil when that has it.
  private var waiting: LiveChain?
  var ramps: [LiveRamp] = []
  private let notes: LiveNotes
  /// The targets of controllers and programs; parameters that wait for a controller.
  var map = ControllerMap()
  var lessons: [(stage: String, parameter: String)] = []
  private var lastReport: UInt64 = 0
  private var announced = (overruns: [Int: Int](), failures: 0, time: UInt64(0))
  private var slowUnit: String?
  private var reported = (slices: 0, time: UInt64(0))

  /// Opens the units of a chain and brings them to the state of the setup.
  init(
    _ setup: LiveSetup, _ preset: ChainPreset, _ registry: AudioComponentRegistry,
    _ isolation: LiveUnits?
  ) throws {
    self.setup = setup
    self.isolation = isolation
    let plan = try LivePlan(
      preset, isolation?.units.registry(over: registry) ?? registry, playsNotes: setup.playsNotes)
    let first = try Self.build(plan.resolved, plan.channels, setup, isolation)
    chains = [first]
    notes = try LiveNotes(sampleRate: setup.task.sampleRate, isRealTime: setup.isRealTime)
    render = LiveRender(
      first, notes, channelCount: setup.task.channelCount, frameCapacity: setup.task.frameCapacity,
      sampleRate: setup.task.sampleRate, isRealTime: setup.isRealTime,
      clock: isolation?.clock ?? SliceClock())
    slices = try LiveSlices(setup, render.client, notes)
    consume(setup.playsNotes ? try ControllerMap(plan) : ControllerMap())
    for place in stride(from: 0, to: setup.lessons.count - 1, by: 2) {
      _ = try perform(.learn(setup.lessons[place], setup.lessons[place + 1]))
    }
    if setup.playsNotes, newest.receivers.isEmpty, plan.controllers.isEmpty {
      say(
        "no unit of the chain plays notes: name an instrument first (auricle list aumu), then effects"
      )
    }
    for line in setup.lines {
      let answer = answer(line)
      if answer.hasPrefix("error") { say("'\(line)' cannot be done again: \(answer)") }
    }
  }

  /// Sends a sentence to the parent.
  func say(_ text: String) { _ = ParentSocket.send(LiveFrame.said, Array(text.utf8)) }

  /// Sends what happened to units in other processes since the last call.
  func sayNews() { for sentence in isolation?.removeSentences() ?? [] { say(sentence) } }

  /// The newest chain.
  var newest: LiveChain { chains[chains.count - 1] }

  private static func build(
    _ resolved: ResolvedChain, _ channels: [UInt16], _ setup: LiveSetup, _ isolation: LiveUnits?
  ) throws(AuricleError) -> LiveChain {
    let wanted = ChainSpecification(
      sampleRate: setup.task.sampleRate, channelCount: setup.task.channelCount,
      maximumFrameCount: setup.task.frameCapacity)
    let chain = try resolved.makeChain(wanted)
    try chain.refuseWholeSounds()
    isolation?.units.join(chain.neighbours.map { ($0.front, $0.back) })
    return try LiveChain(resolved, chain: chain, channels: channels)
  }

  /// Fades to a chain that is made anew of a changed one.
  func consume(_ resolved: ResolvedChain) throws(AuricleError) {
    hand(over: try Self.build(resolved, newest.channels, setup, isolation))
  }

  private func hand(over chain: LiveChain) {
    // The parent has the settings of the channels.
    if setup.playsNotes { _ = ParentSocket.send(LiveFrame.settings) }
    // A chain that was never fetched is replaced.
    if let waiting { chains.removeAll { $0 === waiting } }
    chains.append(chain)
    waiting = chain
    ramps = []
    announced.overruns = [:]
    offer()
  }

  private func offer() {
    if let old = render.collectRetired() { chains.removeAll { $0 === old } }
    if let next = waiting, render.offer(next) { waiting = nil }
  }

  /// Renders until the parent asks for the end.
  func go(_ parent: inout ParentSocket) throws(WatchedFrame.Fault) {
    while true {
      let frame = try parent.next(milliseconds: ramps.isEmpty && waiting == nil ? 50 : 5)
      switch frame?.kind {
      case LiveFrame.line?:
        _ = ParentSocket.send(LiveFrame.answer, Array(answer(frame?.text ?? "").utf8))
      case LiveFrame.moved?: move(frame?.text ?? "")
      case LiveFrame.muted?: render.isMuted.store(frame?.bytes.first == 1, ordering: .relaxed)
      case SoundFrame.quit?: return
      default: break
      }
      offer()
      moveRamps()
      report()
    }
  }

  /// Starts the render thread. Context: control, once.
  func start() throws(AuricleError) { try slices.start() }

  /// Waits for the end of the render thread. Context: control, once.
  func join() { slices.join() }

  private func moveRamps() {
    let now = RenderClock.nanoseconds()
    ramps.removeAll { $0.move(now) }
  }

  // MARK: Reports

  private func report() {
    let now = RenderClock.nanoseconds()
    guard now - lastReport > 50_000_000 else { return }
    lastReport = now
    if let thread = slices.removeThread() {
      _ = ParentSocket.send(LiveFrame.thread, Array("\(thread)".utf8))
    }
    watchUnits(now)
    sayNews()
    var status = LiveStatus()
    status.isPaused = render.isMuted.load(ordering: .relaxed)
    status.isBypassed = render.isBypassed.load(ordering: .relaxed)
    status.gain = Double(render.playedGain)
    let peaks = render.readPeaks()
    status.peaks = [Double(peaks.0), Double(peaks.1)].map { $0.isFinite ? $0 : 0 }
    status.slowUnit = slowUnit
    status.latencyFrames = newest.chain.latencyFrames
    status.load = load()
    _ = ParentSocket.send(LiveFrame.status, status.bytes)
  }

  /// The part of a slice's time that rendering needed since the last call.
  private func load() -> Double {
    let count = render.sliceCount.load(ordering: .relaxed)
    let time = render.renderTime.load(ordering: .relaxed)
    defer { reported = (count, time) }
    let period = Double(setup.task.frameCapacity) / setup.task.sampleRate * 1e9
    guard count > reported.slices, period > 0 else { return 0 }
    return Double(time - reported.time) / Double(count - reported.slices) / period
  }

  /// Reports units that fail or are too slow, and passes slow ones over where that was asked for.
  private func watchUnits(_ now: UInt64) {
    let failures = render.failedSlices.load(ordering: .relaxed)
    if failures > announced.failures, now - announced.time > 1_000_000_000 {
      let reason = newest.chain.consumeLiveFailure()?.message ?? "a unit failed"
      say("\(reason): \(failures - announced.failures) slices are silent")
      (announced.failures, announced.time) = (failures, now)
    }
    for clock in newest.clocks {
      let count = clock.overruns.load(ordering: .relaxed)
      let before = announced.overruns[clock.stage] ?? 0
      guard count > before else { continue }
      announced.overruns[clock.stage] = count
      let label = newest.resolved.stages[clock.stage].label
      slowUnit = label
      if setup.guards, count >= Self.tolerated {
        say("\(label) was too slow \(count) times: it is bypassed")
        _ = try? perform(.bypassStage("\(clock.stage + 1)", true))
        return
      }
      if before == 0 {
        say(
          "\(label) is too slow for the period: bypass slow units with --guard, or use a longer --period"
        )
      }
    }
  }

  /// The number of times that a unit may be too slow before it is bypassed.
  private static let tolerated = 3
}
