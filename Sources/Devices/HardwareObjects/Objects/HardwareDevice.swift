// One device as an object: what it is, how it is set, and its thread while anyone plays or records.
// SPDX-License-Identifier: Apache-2.0

package import AudioHardware
package import AudioTypes
package import CAudioToolbox
import Glibc
import Synchronization

/// A device of the system object.
///
/// @unchecked Sendable because what changes is under its lock; the lock is held neither while clients are called
/// nor while the thread is waited for.
package final class HardwareDevice: @unchecked Sendable {
  /// How many numbers of objects a device takes: its own, its streams', its controls'.
  static let numberCount = 3 + DeviceControl.numberCount

  /// The number of the object; those of its streams and controls follow.
  package let id: AudioObjectID
  /// The stream that plays.
  package let outputStream: AudioObjectID
  /// The stream that records.
  package let inputStream: AudioObjectID
  unowned let system: HardwareSystem
  let clients = IOClients()

  struct State {
    var listing: DeviceListing
    var composition: AggregateDescription?
    var parts: [AudioObjectID] = []
    var isAlive = true
    var sampleRate: Double?
    var periodFrames: UInt32 = 512
    var hogOwner: pid_t = -1
    var cycleUsage: Float = 1
    var stereo: [Bool: (UInt32, UInt32)] = [:]
    var sides: [Bool: DeviceProbe?] = [:]
    var formats: [Bool: PCMFormat] = [:]
    var thread: DeviceThread?
    var openSides: DeviceOpening.Sides = []
    /// Frames between its buffers and its connectors, as the last run told.
    var latency = ConnectorLatency()
    /// What each running client wants open, by its number.
    var wants: [UInt: DeviceOpening.Sides] = [:]
  }

  let state: Mutex<State>
  let mixing = Mutex(Mixing())
  /// Starting and stopping, one at a time.
  private let transport = Mutex<Void>(())

  init(_ listing: DeviceListing, system: HardwareSystem, firstID: AudioObjectID) {
    state = Mutex(State(listing: listing))
    self.system = system
    id = firstID
    outputStream = firstID + 1
    inputStream = firstID + 2
  }

  /// What it was listed as.
  package var listing: DeviceListing { state.withLock { $0.listing } }
  /// What aggregate devices are listed as.
  static let aggregateKind = "aggregate"

  /// What names it on every day: ALSA's name, which has the card's own name in it.
  package var uid: String { listing.name }

  /// Whether its seconds are those of the world; false where clients may keep it waiting. Context: control.
  package var isRealTime: Bool {
    if let composition { return runsInRealTime(composition) }
    guard case .file(let file)? = try? DeviceName(listing.name) else { return true }
    return !file.isFree
  }
  /// Whether it is there.
  package var isAlive: Bool { state.withLock { $0.isAlive } }
  /// Whether its thread runs.
  package var isRunning: Bool { state.withLock { $0.thread != nil } }

  /// What a side can do; nil where there is none, or it cannot be opened. Asked once.
  package func probe(isInput: Bool) -> DeviceProbe? {
    guard isInput ? listing.hasInput : listing.hasOutput else { return nil }
    if let known = state.withLock({ $0.sides[isInput] }) { return known }
    // A device that runs cannot be opened again; what it runs with is known.
    let found =
      if let composition {
        probe(composition, isInput: isInput)
      } else {
        try? DeviceProbe(listing.name, isInput ? .capture : .playback)
      }
    state.withLock { $0.sides[isInput] = .some(found) }
    return found
  }

  /// Channels of a side as clients see them; 0 for none.
  package func channelCount(isInput: Bool) -> Int {
    if let made = engine.flatMap({ isInput ? $0.input : $0.output }) { return made.channelCount }
    return probe(isInput: isInput)?.usual?.channelCount ?? 0
  }

  /// The running engine.
  package var engine: DeviceEngine? { state.withLock { $0.thread?.engine } }

  /// The nominal rate (Hz).
  package var sampleRate: Double {
    if let engine { return engine.sampleRate }
    if let chosen = state.withLock({ $0.sampleRate }) { return chosen }
    return (probe(isInput: false) ?? probe(isInput: true))?.usual?.sampleRate ?? 48_000
  }

  /// Frames of a cycle.
  package var periodFrames: UInt32 {
    if let engine { return UInt32(engine.periodFrames) }
    let wanted = state.withLock { $0.periodFrames }
    guard let range = (probe(isInput: false) ?? probe(isInput: true))?.periods else {
      return wanted
    }
    return UInt32(clamping: min(max(Int(wanted), range.lowerBound), range.upperBound))
  }

  private var request: PCMRequest {
    var request = PCMRequest()
    request.sampleRate = sampleRate
    request.periodFrames = Int(periodFrames)
    return request
  }

  // MARK: Running

  /// Starts a client; the device opens the sides that it wants, as far as there are.
  ///
  /// - Throws: Why the device cannot be opened.
  ///
  /// Context: control, outside of every lock.
  package func start(_ client: IOClient, sides: DeviceOpening.Sides) throws(AuricleError) {
    try locked { () throws(AuricleError) in
      guard isAlive else { throw AuricleError(.unavailable, "\(listing.name) is gone") }
      let wanted = listing.sides(of: sides)
      let (before, all) = state.withLock { state -> (DeviceOpening.Sides, DeviceOpening.Sides) in
        (state.openSides, state.wants.values.reduce(wanted) { $0.union($1) })
      }
      // What it can do is asked before it is open.
      if !isRunning { _ = (probe(isInput: false), probe(isInput: true)) }
      if isRunning, !before.isSuperset(of: all) { stopThread() }
      clients.add(client)
      state.withLock { $0.wants[client.number] = wanted }
      do throws(AuricleError) {
        if !isRunning { try startThread(all) }
      } catch {
        clients.remove(number: client.number)
        state.withLock { _ = $0.wants.removeValue(forKey: client.number) }
        throw error
      }
    }
  }

  /// Stops a client; when it returns, the client is not called any more, but for the call it is made in.
  ///
  /// Context: any, outside of every lock; also in a client's call.
  package func stop(number: UInt) {
    clients.remove(number: number)
    let isCurrent = state.withLock { state -> Bool in
      state.wants.removeValue(forKey: number)
      return state.thread?.isCurrent ?? false
    }
    if isCurrent {
      // The thread ends by itself when nobody is left; it cannot be waited for here.
      if state.withLock({ $0.wants.isEmpty }) { state.withLock { $0.thread?.engine.requestStop() } }
      return
    }
    transport.withLock { _ in if state.withLock({ $0.wants.isEmpty }) { stopThread() } }
  }

  /// Stops every client.
  package func stopAll() {
    for number in state.withLock({ Array($0.wants.keys) }) { stop(number: number) }
  }

  private func locked<Value>(_ body: () throws(AuricleError) -> Value) throws(AuricleError) -> Value
  {
    let result = transport.withLock { _ -> Result<Value, AuricleError> in
      do throws(AuricleError) { return .success(try body()) } catch { return .failure(error) }
    }
    return try result.get()
  }

  private func startThread(_ sides: DeviceOpening.Sides) throws(AuricleError) {
    let engine = try makeEngine(sides)
    engine.onOverrun = { [weak self] in
      guard let self else { return }
      self.system.listeners.changed(self.id, kAudioDeviceProcessorOverload)
    }
    let thread = DeviceThread(engine) { [weak self] end in self?.ended(end) }
    state.withLock {
      $0.thread = thread
      $0.openSides = sides
    }
    do throws(AuricleError) { try thread.start() } catch {
      state.withLock { $0.thread = nil }
      engine.end()
      throw error
    }
    runningChanged()
  }

  private func makeEngine(_ sides: DeviceOpening.Sides) throws(AuricleError) -> DeviceEngine {
    if let composition { return try makeEngine(composition, sides, request) }
    do throws(AuricleError) {
      return try DeviceOpening.engine(
        listing.name, sides, request, deviceID: id, clients: clients)
    } catch {
      // Many plug-ins have one side only, and do not say so.
      guard sides == [.input, .output], error.category == .unavailable else { throw error }
      return try DeviceOpening.engine(
        listing.name, .output, request, deviceID: id, clients: clients)
    }
  }

  private func stopThread() {
    guard let thread = state.withLock({ $0.thread }) else { return }
    thread.stop()
    state.withLock {
      if $0.thread === thread { $0.thread = nil }
      $0.latency = thread.engine.connectorLatency ?? $0.latency
    }
    runningChanged()
  }

  private func runningChanged() {
    system.listeners.changed(id, kAudioDevicePropertyDeviceIsRunning)
    system.listeners.changed(id, kAudioDevicePropertyDeviceIsRunningSomewhere)
  }

  /// The thread came to its end. Context: that thread.
  private func ended(_ end: EngineEnd) {
    switch end {
    case .stopped:
      // Asked for in a client's call: whoever started meanwhile starts the next thread.
      state.withLock { if $0.wants.isEmpty { $0.thread = nil } }
    case .finished, .inputEnded, .failed, .lost:
      // The next thread is not to call those who ended with this one, and may be gone by then.
      for number in state.withLock({ Array($0.wants.keys) }) { clients.remove(number: number) }
      state.withLock {
        $0.thread = nil
        $0.wants = [:]
      }
      system.listeners.changed(id, kAudioDevicePropertyIOStoppedAbnormally)
      runningChanged()
      guard end == .lost, listing.kind != "file" else { return }
      die()
      system.list(afterLoss: true)
    }
  }

  /// The device is gone.
  func die() {
    let wasAlive = state.withLock { state -> Bool in
      defer { state.isAlive = false }
      return state.isAlive
    }
    guard wasAlive else { return }
    closeMixer()
    system.listeners.changed(id, kAudioDevicePropertyDeviceIsAlive)
  }

  // MARK: Settings

  /// Sets the nominal rate (Hz); a device that runs is started anew.
  func setSampleRate(_ rate: Double) throws(HardwareError) {
    guard rate.isFinite, rate >= 1, rate <= 768_000 else {
      throw .init(kAudioDeviceUnsupportedFormatError)
    }
    let sides = [probe(isInput: false), probe(isInput: true)].compactMap(\.self)
    guard sides.allSatisfy({ $0.takes(sampleRate: rate) }) else {
      throw .init(kAudioDeviceUnsupportedFormatError)
    }
    guard rate != sampleRate else { return }
    apply { $0.sampleRate = rate }
    system.listeners.changed(id, kAudioDevicePropertyNominalSampleRate)
    for stream in [outputStream, inputStream] {
      system.listeners.changed(stream, kAudioStreamPropertyVirtualFormat)
      system.listeners.changed(stream, kAudioStreamPropertyPhysicalFormat)
    }
  }

  /// Sets the frames of a cycle; a device that runs is started anew.
  func setPeriodFrames(_ frames: UInt32) throws(HardwareError) {
    guard frames > 0 else { throw .illegal }
    let before = periodFrames
    apply { $0.periodFrames = frames }
    if periodFrames != before { system.listeners.changed(id, kAudioDevicePropertyBufferFrameSize) }
  }

  /// Changes what a thread is started with, around a stop and a start where it runs.
  func apply(_ change: (inout State) -> Void) {
    let isCurrent = state.withLock { $0.thread?.isCurrent ?? false }
    guard isRunning, !isCurrent else { return state.withLock { change(&$0) } }
    try? locked { () throws(AuricleError) in
      let sides = state.withLock { $0.openSides }
      stopThread()
      state.withLock { change(&$0) }
      try startThread(sides)
    }
  }
}
