// A unit that this process runs for another: its calls, and the thread that renders it.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import CUnitLink
import Glibc
import HostSystem
import PlugInGuard
import UnitLink

/// One unit that is served.
///
/// @unchecked Sendable because the server's thread owns it, and the render thread has the served unit alone.
@safe final class ServedUnit: @unchecked Sendable {
  let number: UInt32
  let unit: AudioUnit
  let calls: OpaquePointer
  private let work: Int32
  private var memory: LinkMemory?
  private var served: OpaquePointer?
  private var thread: pthread_t?
  /// Called first on the thread that renders.
  private var begin: @Sendable () -> Void = {}
  /// The units that are rendered by one thread, this one among them; nil for none but this.
  private var group: ServedGroup?
  /// Sends a report of the thread that serves requests.
  private let send: @Sendable (UnitReport) -> Void

  /// - Parameters:
  ///   - reports: Where reports of other threads wait.
  ///   - send: Sends one of the thread that serves requests.
  init?(
    number: UInt32, _ unit: AudioUnit, reports: UnitReports,
    send: @escaping @Sendable (UnitReport) -> Void
  ) {
    guard let calls = unsafe AuricleServedCallsMake(unit.instance.pointee.plugIn) else {
      return nil
    }
    (self.number, self.unit, self.send) = (number, unit, send)
    unsafe self.calls = unsafe calls
    // The host reads the number in the name of the unit at work.
    work = Heartbeat.register("\(number) \(unit.name)")
    unsafe AuricleServedSetReports(
      calls,
      AuricleServedReports(
        number: number,
        send: { context, property, scope, element in
          guard let context = unsafe context else { return }
          let unit = unsafe Unmanaged<ServedUnit>.fromOpaque(context).takeUnretainedValue()
          unit.send(
            UnitReport(unit: unit.number, property: property, scope: scope, element: element))
        }, context: Unmanaged.passUnretained(self).toOpaque(), queue: reports.queue,
        bell: reports.hammer))
  }

  deinit {
    stop()
    unsafe AuricleServedCallsFree(calls)
  }

  /// Does something with the unit named as the one at work.
  func during<Result>(_ phase: WorkPhase, _ body: () -> Result) -> Result {
    Heartbeat.enter(phase, unit: work)
    defer { Heartbeat.enter(.idle, unit: Heartbeat.noUnit) }
    return body()
  }

  /// Initializes the unit; a status and the form of its slices.
  func initialize() -> (OSStatus, AuricleIsolatedForm) {
    var form = AuricleIsolatedForm()
    var status = during(.initialize) { unsafe AuricleServedInitialize(calls) }
    guard status == 0 else { return (status, form) }
    let (described, rate) = unsafe servedForm(&status)
    form.sampleRate = rate
    unsafe form.maximumFrames = described.maximumFrames
    unsafe form.inputBuses = described.inputBuses
    unsafe form.outputBuses = described.outputBuses
    unsafe form.inputChannels = described.inputChannels
    unsafe form.outputChannels = described.outputChannels
    return (status, form)
  }

  private func servedForm(_ status: inout OSStatus) -> (form: AuricleServedForm, rate: Double) {
    var form = unsafe AuricleServedForm()
    var rate = 0.0
    status = unsafe AuricleServedDescribe(calls, &form, &rate)
    unsafe form.mark = { context, isInside in
      guard let context = unsafe context else { return }
      let work = Int32(truncatingIfNeeded: UInt(bitPattern: context) &- 1)
      if isInside != 0 {
        Heartbeat.enter(.render, unit: work)
      } else {
        Heartbeat.enter(.idle, unit: Heartbeat.noUnit)
      }
    }
    unsafe form.markContext = UnsafeMutableRawPointer(bitPattern: UInt(work) &+ 1)
    return unsafe (form, rate)
  }

  /// Renders turns of a connection from here on; a status.
  ///
  /// - Parameters:
  ///   - sources: Bit b: input bus b has a source.
  ///   - begin: Called first on the thread that renders.
  func connect(
    _ memory: LinkMemory, _ sources: UInt64, _ begin: @escaping @Sendable () -> Void
  ) -> OSStatus {
    stop()
    var status: OSStatus = 0
    var (form, _) = unsafe servedForm(&status)
    guard status == 0 else { return status }
    guard let made = unsafe AuricleServedMake(memory.link, &form) else {
      return kAudio_MemFullError
    }
    self.memory = memory
    unsafe served = unsafe made
    during(.initialize) {
      unsafe AuricleServedConnect(calls, UnsafeMutableRawPointer(made), sources)
    }
    self.begin = begin
    resume()
    return thread == nil ? kAudio_MemFullError : 0
  }

  /// Whether it renders turns.
  var isConnected: Bool { unsafe served != nil }

  /// Begins the thread that renders turns.
  private func resume() {
    guard let memory, let made = unsafe served, thread == nil else { return }
    unsafe AuricleLinkResume(memory.link)
    let bits = UInt(bitPattern: made)
    let begin = begin
    thread = startThread(letting: [SIGXCPU]) {
      begin()
      if let served = unsafe OpaquePointer(bitPattern: bits) { unsafe AuricleServedRun(served) }
    }
  }

  /// Ends that thread behind the turn that it renders.
  private func pause() {
    memory?.abandon()
    if let thread { pthread_join(thread, nil) }
    thread = nil
  }

  /// Units that one thread renders, each with the sound of the one before.
  private final class ServedGroup {
    let units: [ServedUnit]
    init(_ units: [ServedUnit]) { self.units = units }
  }

  /// Has units rendered in one turn, one behind the other, or one in a turn apart; false where one of them renders nothing.
  static func join(_ units: [ServedUnit]) -> Bool {
    guard !units.isEmpty, units.allSatisfy(\.isConnected) else { return false }
    guard units.count > 1 else {
      units[0].part()
      return true
    }
    for unit in units {
      unit.part()
      unit.pause()
    }
    let group = ServedGroup(units)
    for (front, back) in zip(units, units.dropFirst()) {
      guard let made = unsafe front.served, let memory = back.memory else { continue }
      unsafe AuricleServedJoin(made, back.served)
      unsafe AuricleLinkResume(memory.link)
    }
    for unit in units { unit.group = group }
    units[0].resume()
    return units[0].thread != nil
  }

  /// Has the units of its group rendered each by a thread again.
  private func part() {
    guard let units = group?.units else { return }
    units[0].pause()
    for unit in units {
      if let made = unsafe unit.served { unsafe AuricleServedJoin(made, nil) }
      unit.group = nil
    }
    for unit in units { unit.resume() }
  }

  /// Ends the rendering of turns.
  func stop() {
    part()
    pause()
    if let made = unsafe served {
      unsafe AuricleServedConnect(calls, nil, 0)
      unsafe AuricleServedFree(made)
    }
    unsafe served = nil
    memory = nil
  }
}
