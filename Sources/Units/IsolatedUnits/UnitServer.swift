// A process for units of another: opens them, calls them as requests say, renders them.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
package import AudioUnits
import CAudioToolbox
import CUnitLink
import Glibc
import HostSystem
import PlugInGuard
import Synchronization
package import UnitLink

/// One unit that is served.
///
/// @unchecked Sendable because the server's thread owns it, and the render thread has the served unit alone.
@safe private final class ServedUnit: @unchecked Sendable {
  let number: UInt32
  let unit: AudioUnit
  let calls: OpaquePointer
  private let work: Int32
  private var memory: LinkMemory?
  private var served: OpaquePointer?
  private var thread: pthread_t?
  private let report: @Sendable (UInt32, UInt32, UInt32, UInt32) -> Void

  init?(
    number: UInt32, _ unit: AudioUnit,
    report: @escaping @Sendable (UInt32, UInt32, UInt32, UInt32) -> Void
  ) {
    guard let calls = unsafe AuricleServedCallsMake(unit.instance.pointee.plugIn) else {
      return nil
    }
    (self.number, self.unit, self.report) = (number, unit, report)
    unsafe self.calls = unsafe calls
    // The host reads the number in the name of the unit at work.
    work = Heartbeat.register("\(number) \(unit.name)")
    unsafe AuricleServedSetReporter(
      calls,
      { context, property, scope, element in
        let unit = unsafe Unmanaged<ServedUnit>.fromOpaque(context).takeUnretainedValue()
        unit.report(unit.number, property, scope, element)
      }, Unmanaged.passUnretained(self).toOpaque())
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
    let bits = UInt(bitPattern: made)
    thread = startThread(letting: [SIGXCPU]) {
      begin()
      if let served = unsafe OpaquePointer(bitPattern: bits) { unsafe AuricleServedRun(served) }
    }
    return thread == nil ? kAudio_MemFullError : 0
  }

  /// Ends the rendering of turns.
  func stop() {
    memory?.abandon()
    if let thread { pthread_join(thread, nil) }
    thread = nil
    if let made = unsafe served {
      unsafe AuricleServedConnect(calls, nil, 0)
      unsafe AuricleServedFree(made)
    }
    unsafe served = nil
    memory = nil
  }
}

/// Serves the units of another process until that ends.
///
/// Context: control, in a process for units, behind the sandbox.
///
/// @unchecked Sendable because one thread alone serves, and only sending is for others.
package final class UnitServer: @unchecked Sendable {
  /// Opens a unit by the unique name of its component.
  package typealias Opener = (String) throws -> AudioUnit

  private let socket: LinkSocket
  private let sending = Mutex(())
  private let open: Opener
  private let raise: @Sendable () -> Void
  private var units: [UInt32: ServedUnit] = [:]

  /// Makes a server.
  ///
  /// - Parameters:
  ///   - raise: Has the thread that calls it get the priority of rendering in real time.
  ///   - open: Opens a unit by the unique name of its component.
  package init(
    _ socket: LinkSocket, raise: @escaping @Sendable () -> Void, open: @escaping Opener
  ) {
    (self.socket, self.raise, self.open) = (socket, raise, open)
  }

  /// Serves requests until nobody sends any.
  package func run() {
    while let message = try? socket.receive() {
      let reply = answer(message)
      guard send(LinkMessage(message.kind, number: message.number, reply)) else { return }
    }
  }

  private func send(_ message: LinkMessage) -> Bool {
    sending.withLock { _ in
      (try? socket.send(message)) != nil
    }
  }

  private static func reply(_ status: OSStatus, _ latency: Double = 0) -> MessageWriter {
    var writer = MessageWriter()
    writer.add(status)
    writer.add(latency)
    return writer
  }

  private func answer(_ message: LinkMessage) -> [UInt8] {
    var files = message.files
    defer { files.forEach { close($0) } }
    var reader = MessageReader(message.bytes)
    guard let number = reader.next(UInt32.self) else { return Self.reply(kAudio_ParamError).bytes }
    if message.kind == UnitRequest.open { return openUnit(number, reader.nextText() ?? "") }
    guard let unit = units[number] else { return Self.reply(kAudio_ParamError).bytes }
    switch message.kind {
    case UnitRequest.initialize:
      let (status, form) = unit.initialize()
      var writer = Self.reply(status, unit.unit.latency)
      writer.add(form)
      return writer.bytes
    case UnitRequest.connect:
      guard let form = reader.next(AuricleLinkForm.self), let isRealTime = reader.nextFlag(),
        let sources = reader.next(UInt64.self), let file = files.popLast(),
        let memory = try? LinkMemory(received: file, form)
      else { return Self.reply(kAudio_ParamError).bytes }
      let nothing: @Sendable () -> Void = {}
      return Self.reply(unit.connect(memory, sources, isRealTime ? raise : nothing)).bytes
    case UnitRequest.close:
      units[number] = nil
      return Self.reply(0).bytes
    default: return call(unit, message)
    }
  }

  private func openUnit(_ number: UInt32, _ name: String) -> [UInt8] {
    do {
      let made = try open(name)
      let served = ServedUnit(number: number, made) { [self] number, property, scope, element in
        var writer = MessageWriter()
        for word in [number, property, scope, element] { writer.add(word) }
        _ = send(LinkMessage(UnitProcessWords.changed, writer.bytes))
      }
      guard let served else { return Self.reply(kAudio_MemFullError).bytes }
      units[number] = served
      var writer = Self.reply(0, made.latency)
      unsafe writer.add(AuricleServedSelectors(served.calls))
      return writer.bytes
    } catch {
      let failure = error as? AuricleError
      let status = failure?.status ?? kAudio_ParamError
      var writer = Self.reply(status == 0 ? kAudio_ParamError : status)
      writer.add(failure?.message ?? "")
      return writer.bytes
    }
  }

  private func call(_ unit: ServedUnit, _ message: LinkMessage) -> [UInt8] {
    if message.kind == UInt16(kAuricleUnitRequest_Uninitialize) { unit.stop() }
    var reply = unsafe AuricleLinkBytes()
    defer { unsafe AuricleLinkBytesFree(&reply) }
    let rest = Array(message.bytes.dropFirst(4))
    unit.during(.instantiate) {
      unsafe AuricleServedCall(unit.calls, message.kind, rest, rest.count, &reply)
    }
    return unsafe Array(UnsafeBufferPointer(start: reply.bytes, count: reply.count))
  }
}
