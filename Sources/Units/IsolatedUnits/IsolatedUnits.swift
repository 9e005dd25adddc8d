// The units of a host that run in other processes: which process has which, what happens when one ends.
// SPDX-License-Identifier: Apache-2.0

package import AudioComponents
package import AudioTypes
package import AudioUnits
import CAudioToolbox
import CUnitLink
import Glibc
import HostSystem
import MacSystem
import PlugInGuard
import Synchronization
import UnitLink

/// The figures of a process for units.
package struct IsolationFigures: Sendable {
  /// The names of its units.
  package var names: [String] = []
  /// Nanoseconds of a slice there and back: the median, and the longest.
  package var median: UInt64 = 0
  package var longest: UInt64 = 0
  /// Slices without a unit, its deaths, and its new beginnings.
  package var misses: UInt64 = 0
  package var deaths = 0
  package var restarts = 0
  /// Turns of a slice: units that are rendered one behind the other have one.
  package var turns = 0
  /// States of units that changed by themselves, as they were asked for.
  package var states = 0
}

/// Opens units in other processes, and has them begin again.
///
/// Context: control, any thread; `SliceClock` and the units' render functions aside.
package final class IsolatedUnits: Sendable {
  private let starter: UnitStarter
  private let options: IsolationOptions
  private let state = Mutex(State())
  /// The thread that begins units again.
  private let keeper = LinkMonitor()
  private let isOver = Atomic<Bool>(false)
  /// The ways in which processes ended.
  private let ends = Mutex<[UInt32: UnitProcessEnd]>([:])
  /// Ends of processes that nothing was said about yet.
  private let unreported = Atomic<Int>(0)
  /// Rings when one was reported, and at the end.
  private let reported = ThreadSignal()
  /// The thread that asks units for their states: one that hangs keeps nobody else.
  private let observer = LinkMonitor()

  /// The units that are rendered in one turn.
  let joins = Mutex<[JoinedUnits]>([])

  private struct State {
    var processes: [UnitProcess] = []
    var units: [UInt32: IsolatedUnit] = [:]
    var lastNumber: UInt32 = 0
    /// For the number of a unit, that of the unit behind it.
    var backs: [UInt32: UInt32] = [:]
    /// A process without units, for the next that begins again.
    var spare: UnitProcess?
    var isWatching = false
    /// The last ends of processes with several units none of which was at work.
    var unexplained: [ContinuousClock.Instant] = []
  }

  /// The most processes that a unit is tried in when it begins again.
  private static let mostTries = 3
  /// The most deaths in `span` after which a unit stays out.
  private static let (mostDeaths, span) = (3, Duration.seconds(600))

  /// Makes a host of units in other processes.
  ///
  /// - Parameters:
  ///   - starter: Where processes come from.
  ///   - options: Which share one, and what they do when one ends.
  package init(_ starter: UnitStarter, _ options: IsolationOptions) {
    (self.starter, self.options) = (starter, options)
  }

  /// Ends all processes; units that are open are dry from here on, and nothing more is said. Context: control.
  package func end() {
    // What ended already is reported first.
    let deadline = ContinuousClock.now + .seconds(2)
    while ContinuousClock.now < deadline {
      let mark = reported.mark
      guard unreported.load(ordering: .acquiring) > 0 else { break }
      reported.wait(since: mark, milliseconds: 2000)
    }
    isOver.store(true, ordering: .releasing)
    reported.ring()
    let (processes, units) = state.withLock { state in
      defer { (state.processes, state.spare) = ([], nil) }
      return (state.processes + [state.spare].compactMap(\.self), Array(state.units.values))
    }
    for unit in units { unit.abandon() }
    for process in processes {
      process.forget()
      process.isGone.store(true, ordering: .releasing)
      _ = starter.end(process.id)
    }
  }

  // MARK: Components

  /// The components of a registry; those that are not ours open in other processes.
  ///
  /// Context: control.
  package func registry(over registry: AudioComponentRegistry) -> AudioComponentRegistry {
    guard options.grouping != .none else { return registry }
    return AudioComponentRegistry(sources: [IsolatedSource(registry: registry, units: self)])
  }

  /// Opens an instance of a component in another process.
  ///
  /// - Throws: `.unavailable` with the reason of the process, `.software` for a unit that ended it.
  ///
  /// Context: control.
  package func instantiate(_ component: AudioComponent) throws(AuricleError) -> AudioUnit {
    try self.component(component).instantiate()
  }

  /// A component whose instances are in other processes.
  ///
  /// Context: control.
  package func component(_ component: AudioComponent) -> AudioComponent {
    let (name, uniqueName) = (component.name, component.uniqueName)
    return unsafe AudioComponent(
      description: component.description, name: name, version: component.version,
      origin: component.origin, location: component.location, tags: component.tags,
      summary: component.summary
    ) { [self] (description) throws(AuricleError) in
      unsafe try open(name, uniqueName, description.componentType)
    }
  }

  private func open(
    _ name: String, _ uniqueName: String, _ type: OSType
  ) throws(AuricleError) -> UnsafeMutablePointer<AudioComponentPlugInInterface> {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    let unit = try IsolatedUnit(
      number: number, name: name, uniqueName: uniqueName, type: type, options: options,
      onDisconnect: { [self] in part($0) }, onClose: { [self] in forget($0) })
    let process = try place()
    state.withLock { $0.units[number] = unit }
    do throws(AuricleError) {
      let made = unsafe try unit.open(in: process)
      watchForHangs()
      return unsafe made
    } catch {
      state.withLock { $0.units[number] = nil }
      guard process.isGone.load(ordering: .acquiring) else { throw error }
      throw AuricleError(
        .software, status: kAudioComponentErr_InstanceInvalidated,
        "\(name) \(end(of: process).text): leave it out")
    }
  }

  /// The way a process ended, which is ended where it has not.
  private func end(of process: UnitProcess) -> UnitProcessEnd {
    ends.withLock { ends in
      if let known = ends[process.id] { return known }
      let end = starter.end(process.id)
      ends[process.id] = end
      return end
    }
  }

  /// The process for a unit that is opened.
  private func place() throws(AuricleError) -> UnitProcess {
    let found = state.withLock { state -> UnitProcess? in
      let usable = state.processes.filter { !$0.isGone.load(ordering: .acquiring) }
      if options.grouping == .chain { return usable.first }
      // One whose units were closed again.
      return usable.first { $0.unitCount.load(ordering: .relaxed) == 0 }
    }
    if let found { return found }
    return try next()
  }

  /// The spare, or a new process; another spare is started meanwhile.
  private func next() throws(AuricleError) -> UnitProcess {
    let spare = state.withLock { state in
      defer { state.spare = nil }
      return state.spare
    }
    var process = spare
    if process?.isGone.load(ordering: .acquiring) != false { process = try start() }
    if let process { state.withLock { $0.processes.append(process) } }
    keeper.run { [self] in warmUp() }
    guard let process else { throw AuricleError(.temporary, "no process for plug-ins was started") }
    return process
  }

  private func warmUp() {
    guard !isOver.load(ordering: .acquiring), state.withLock({ $0.spare == nil }) else { return }
    guard let made = try? start() else { return }
    let isKept = state.withLock { state in
      guard state.spare == nil else { return false }
      state.spare = made
      return true
    }
    if !isKept { made.abandon() }
  }

  private func start() throws(AuricleError) -> UnitProcess {
    let process = UnitProcess(
      try starter.start(), onChange: { [self] in pass($0) }, onEnd: { [self] in noteEnd($0) })
    process.watch()
    return process
  }

  private func forget(_ unit: IsolatedUnit) {
    forgetNeighbours(of: unit.number)
    state.withLock { $0.units[unit.number] = nil }
  }

  /// The unit in another process behind a unit; nil for one of this process.
  func unit(of unit: AudioUnit) -> IsolatedUnit? {
    state.withLock { state in
      state.units.values.first { unsafe $0.interface == unit.instance.pointee.plugIn }
    }
  }

  /// Notes which unit is behind which; each has one place.
  func noteNeighbours(_ pairs: [(front: UInt32, back: UInt32)]) {
    state.withLock { state in
      for (front, back) in pairs
      where front != back && state.backs[front] == nil && !state.backs.values.contains(back) {
        state.backs[front] = back
      }
    }
  }

  /// Has no unit in front of or behind one.
  func forgetNeighbours(of number: UInt32) {
    state.withLock { state in
      state.backs = state.backs.filter { $0.key != number && $0.value != number }
    }
  }

  /// Those of some units that are open, and who of them is behind whom.
  func neighbours(
    among numbers: Set<UInt32>
  ) -> (units: [UInt32: IsolatedUnit], backs: [UInt32: UInt32]) {
    state.withLock { state in
      (
        state.units.filter { numbers.contains($0.key) },
        state.backs.filter { numbers.contains($0.key) && numbers.contains($0.value) }
      )
    }
  }

  /// Passes a report of a unit on to its listeners.
  private func pass(_ message: LinkMessage) {
    let isOwn = message.kind == UnitProcessWords.changedByItself
    guard isOwn || message.kind == UnitProcessWords.changed,
      let report = UnitReport(message.bytes), let unit = state.withLock({ $0.units[report.unit] })
    else { return }
    // What a request changes, the host knows.
    if isOwn, IsolatedUnit.isOfState(report.property) { unit.noteChange() }
    unit.callListeners(report.property, report.scope, report.element)
  }

  // MARK: Ends

  /// Has the units of a process that ended dry at once, and begins them again on another thread.
  private func noteEnd(_ process: UnitProcess) {
    let (lost, wasSpare) = state.withLock { state in
      state.processes.removeAll { $0 === process }
      let wasSpare = state.spare === process
      if wasSpare { state.spare = nil }
      return (state.units.values.filter { $0.process === process }, wasSpare)
    }
    // One that ends as it begins would do so for ever.
    let isReplaced = wasSpare && ContinuousClock.now - process.start > .seconds(1)
    // In front of the end of waiting, behind which the sound may be over at once.
    unreported.add(1, ordering: .acquiringAndReleasing)
    if !options.restarts {
      for unit in lost { unsafe AuricleIsolatedInvalidate(unit.render) }
    }
    for unit in lost { unit.abandon(process) }
    keeper.run { [self] in
      // One that was tried in it may be elsewhere by now.
      let lost = lost.filter { $0.process === process }.sorted { $0.number < $1.number }
      let isReported = noteDeaths(process, lost)
      unreported.subtract(1, ordering: .acquiringAndReleasing)
      reported.ring()
      if isReported { replace(lost, process) }
      if isReplaced { warmUp() }
    }
  }

  /// Counts and reports the deaths of units with their process; false where there are none.
  private func noteDeaths(_ process: UnitProcess, _ lost: [IsolatedUnit]) -> Bool {
    // Calls of others overwrite the last one that the process noted: a turn that was begun says more.
    let atWork = lost.first { $0.isAtWork }
    for unit in lost { unit.lose() }
    let end = end(of: process)
    guard !isOver.load(ordering: .acquiring), !lost.isEmpty else { return false }
    let guilty =
      lost.count == 1
      ? lost[0]
      : lost.first { $0.number == end.crashed } ?? atWork ?? lost.first { $0.number == end.unit }
    let now = ContinuousClock.now
    let parts = guilty == nil && noteUnexplainedEnd(now)
    for unit in lost where guilty == nil || unit === guilty {
      unit.counts.withLock { counts in
        counts.deathCount += 1
        if guilty == nil {
          counts.isAlone = counts.isAlone || parts
        } else {
          counts.deaths = counts.deaths.filter { now - $0 < Self.span } + [now]
          counts.isOut = counts.deaths.count >= Self.mostDeaths
          counts.isAlone = counts.isAlone || lost.count > 1
        }
      }
    }
    report(lost, guilty, end, parts: parts)
    return true
  }

  /// Notes the end of a process with several units, none of which was at work; whether each is to be alone from now on, so
  /// that the next end is one unit's.
  private func noteUnexplainedEnd(_ now: ContinuousClock.Instant) -> Bool {
    state.withLock { state in
      state.unexplained = state.unexplained.filter { now - $0 < Self.span } + [now]
      return state.unexplained.count >= Self.mostDeaths
    }
  }

  /// Says a sentence about what happened.
  func say(_ sentence: String) { options.say(sentence) }

  /// Reports that a unit's instance is of no use any more.
  private func invalidate(_ unit: IsolatedUnit, _ process: UnitProcess) {
    unsafe AuricleIsolatedInvalidate(unit.render)
    guard let instance = unit.instance else { return }
    options.onInvalidation(instance, process.systemID)
  }

  private func replace(_ lost: [IsolatedUnit], _ process: UnitProcess) {
    guard options.restarts else {
      for unit in lost { invalidate(unit, process) }
      return
    }
    beginAgain(lost)
  }

  private func report(
    _ lost: [IsolatedUnit], _ guilty: IsolatedUnit?, _ end: UnitProcessEnd, parts: Bool
  ) {
    guard let guilty else {
      // A plug-in that is there for each channel has one name.
      var names: [String] = []
      for unit in lost where !names.contains(unit.name) { names.append(unit.name) }
      let isOne = names.count == 1
      let outcome =
        !options.restarts
        ? (isOne ? "it is invalid" : "they are invalid")
        : parts
          ? "each begins again in a process alone" : isOne ? "it begins again" : "they begin again"
      let rest = isOne ? " while it was not at work" : ", none of them at work"
      return say("\(names.joined(separator: ", ")) \(end.text)\(rest): \(outcome)")
    }
    let outcome =
      !options.restarts
      ? "it is invalid"
      : guilty.counts.withLock { $0.isOut }
        ? "the third time in ten minutes: it stays out" : "it begins again"
    say("\(guilty.name) \(end.text): \(outcome)")
  }

  /// Opens units again: those that share a process together, others alone.
  private func beginAgain(_ lost: [IsolatedUnit]) {
    var shared: UnitProcess?
    let together = lost.filter { !$0.counts.withLock { $0.isAlone } }
    let back = together.filter { beginAgain($0, &shared) }
    // Before they sound: nothing changes for a slice that is under way.
    joinNeighbours(Set(back.map(\.number)))
    for unit in back.reversed() { unit.resume() }
    for unit in lost where unit.counts.withLock({ $0.isAlone }) {
      if beginAgain(unit, &shared) { unit.resume() }
    }
  }

  /// Opens a unit again, which is dry until `resume`; false where that is not to be.
  private func beginAgain(_ unit: IsolatedUnit, _ shared: inout UnitProcess?) -> Bool {
    let (isOut, isAlone) = unit.counts.withLock { ($0.isOut, $0.isAlone) }
    let joins = options.grouping == .chain && !isAlone
    // A spare may have ended as the process before did, and nobody noticed yet.
    for _ in 0..<Self.mostTries {
      let isKnown = state.withLock { $0.units[unit.number] != nil }
      guard !isOut, isKnown, !isOver.load(ordering: .acquiring) else { return false }
      if shared?.isGone.load(ordering: .acquiring) == true { shared = nil }
      var process = joins ? shared ?? sharedProcess() : nil
      if process == nil { process = try? next() }
      guard let process else {
        options.say("\(unit.name) cannot begin again: no process for plug-ins was started")
        return false
      }
      if joins { shared = process }
      if unit.reopen(in: process) { return true }
      guard process.isGone.load(ordering: .acquiring) else { break }
    }
    options.say("\(unit.name) cannot begin again: it stays out")
    unit.counts.withLock { $0.isOut = true }
    return false
  }

  /// The process that units share, where there is one.
  private func sharedProcess() -> UnitProcess? {
    state.withLock { state in
      let alone = Set(
        state.units.values.filter { $0.counts.withLock { $0.isAlone } }
          .compactMap { $0.process.map(ObjectIdentifier.init) })
      return state.processes.first {
        !$0.isGone.load(ordering: .acquiring) && !alone.contains(ObjectIdentifier($0))
      }
    }
  }

  /// Ends processes whose units do not answer for too long.
  private func watchForHangs() {
    let begins = state.withLock { state in
      defer { state.isWatching = true }
      return !state.isWatching
    }
    guard begins else { return }
    let reported = reported
    let thread = startThread { [weak self] in
      while let self, !self.isOver.load(ordering: .acquiring) {
        let limit = UInt64(self.options.hangSeconds * 1e9)
        let hanging = self.state.withLock { Array($0.units.values) }.filter { $0.waiting > limit }
        for unit in hanging { self.endHanging(unit) }
        self.observe()
        // A deadline that passes is no event: each unit is checked twenty times a second.
        reported.wait(since: reported.mark, milliseconds: 50)
      }
    }
    if let thread { pthread_detach(thread) }
  }

  /// Has units whose states changed by themselves asked for them, a while behind the last change, and parts late ones from
  /// their neighbours.
  private func observe() {
    let units = state.withLock { Array($0.units.values) }
    reportLate(units)
    let ready = units.filter { $0.wantsSnapshot }
    let mayBeLate = joins.withLock { !$0.isEmpty }
    guard !ready.isEmpty || mayBeLate else { return }
    observer.run { [self] in
      for unit in ready { unit.keepState() }
      separateLate()
    }
  }

  private func endHanging(_ unit: IsolatedUnit) {
    unit.process?.abandon()
  }

  // MARK: Figures

  /// The figures of each process with units, in the order in which they were started.
  package var figures: [IsolationFigures] {
    let (processes, units) = state.withLock { state in
      (state.processes, state.units.values.sorted { $0.number < $1.number })
    }
    var found = processes.map { process in
      figures(of: units.filter { $0.process === process })
    }
    // Those that are out, or on their way back.
    found += units.filter { $0.process == nil }.map { figures(of: [$0]) }
    return found.filter { !$0.names.isEmpty }
  }

  private func figures(of units: [IsolatedUnit]) -> IsolationFigures {
    var figures = IsolationFigures()
    let inTurns = joins.withLock { all in all.filter(\.isMade).flatMap { $0.units.dropFirst() } }
    for unit in units {
      if unit.process != nil, !inTurns.contains(where: { $0 === unit }) { figures.turns += 1 }
      figures.names.append(unit.name)
      let counts = unit.counts.withLock { $0 }
      figures.states += unit.ownChanges.withLock { $0.snapshotCount }
      // Units that share a process end and begin again with it.
      figures.deaths = max(figures.deaths, counts.deathCount)
      figures.restarts = max(figures.restarts, counts.restartCount)
      figures.misses += unsafe AuricleIsolatedMissed(unit.render)
      guard let link = unit.figures else { continue }
      figures.median = max(figures.median, link.median)
      figures.longest = max(figures.longest, link.longest)
    }
    return figures
  }
}

/// The components of a registry, those that are not ours in other processes.
private struct IsolatedSource: AudioComponentSource {
  let registry: AudioComponentRegistry
  let units: IsolatedUnits

  func discover() -> ComponentDiscovery {
    let found = registry.components + registry.leftOut
    return ComponentDiscovery(
      components: found.map { component in
        component.origin == .builtIn || component.location == .process
          ? component : units.component(component)
      })
  }
}
