// Starting and stopping a device for its clients, and the notices of its thread's end.
// SPDX-License-Identifier: Apache-2.0

package import AudioHardware
package import AudioTypes
import CAudioToolbox
import Synchronization

extension HardwareDevice {
  /// Starts a client; the device opens the sides that it wants, as far as there are.
  ///
  /// - Throws: Why the device cannot be opened.
  ///
  /// Context: control, outside of every lock.
  package func start(_ client: IOClient, sides: DeviceSides) throws(AuricleError) {
    try locked { () throws(AuricleError) in
      guard isAlive else { throw AuricleError(.unavailable, "\(listing.name) is gone") }
      // Its abilities are queried before it is open.
      if !isRunning { _ = (probe(isInput: false), probe(isInput: true)) }
      let wanted = listing.sides(of: sides)
      try refuseFurtherSides(wanted)
      let all = want(wanted, client.number)
      // A thread that lost its device meanwhile has forgotten all wishes.
      state.withLock { $0.wants[client.number] = wanted }
      clients.add(client)
      do throws(AuricleError) {
        if !isRunning { try startThread(all) }
      } catch {
        clients.remove(number: client.number)
        state.withLock { _ = $0.wants.removeValue(forKey: client.number) }
        goOn()
        throw error
      }
    }
  }

  /// A device is opened anew for a further side, which its own thread cannot wait for.
  private func refuseFurtherSides(_ sides: DeviceSides) throws(AuricleError) {
    let isRefused = state.withLock { state in
      (state.thread?.isCurrent ?? false) && !state.openSides.isSuperset(of: sides)
    }
    guard isRefused else { return }
    throw AuricleError(
      .temporary,
      "\(listing.name) cannot open its other side in a client's call: start that client outside of it"
    )
  }

  /// Lets the earlier clients continue with their sides, if more could not be opened. Context: under `starting`.
  private func goOn() {
    let rest = state.withLock { $0.wants.values.reduce(DeviceSides()) { $0.union($1) } }
    guard !rest.isEmpty else { return }
    do throws(AuricleError) { try startThread(rest) } catch { letGoOfAll() }
  }

  /// Records the sides that a client wants, and ends a thread that has too few sides or is about to
  /// stop.
  ///
  /// - Returns: The sides that all clients want. Context: under `starting`.
  private func want(_ sides: DeviceSides, _ number: UInt) -> DeviceSides {
    let (all, isEnough) = state.withLock { state -> (DeviceSides, Bool) in
      state.wants[number] = sides
      let all = state.wants.values.reduce(sides) { $0.union($1) }
      guard let thread = state.thread, state.openSides.isSuperset(of: all) else {
        return (all, false)
      }
      // A client that stops and starts in one call has its own thread go on.
      if thread.isCurrent { thread.engine.withdrawStop() }
      return (all, !thread.engine.isStopping)
    }
    if !isEnough { stopThread() }
    return all
  }

  /// Stops a client; when it returns, the client is not called any more, but for the call it is made in.
  ///
  /// Context: any, outside of every lock; also in a client's call.
  package func stop(number: UInt) {
    let (thread, isCurrent) = state.withLock { state -> (DeviceThread?, Bool) in
      state.wants.removeValue(forKey: number)
      guard let thread = state.thread else { return (nil, false) }
      // Asked before the last client goes: the device would go on with silence, a file's without a limit.
      if state.wants.isEmpty { thread.engine.requestStop(drains: true) }
      return (thread, thread.isCurrent)
    }
    clients.remove(number: number)
    // A thread cannot wait for itself: it ends when this call does.
    guard !isCurrent else { return }
    starting.withLock { _ in
      if state.withLock({ $0.wants.isEmpty }) { stopThread(knownAs: thread) }
    }
  }

  /// Whether the caller is in a client's call. Context: any.
  package var isCalling: Bool { clients.isCalling }

  /// Waits for the end of the calls that are under way. Context: control, in none of them.
  package func finishCalls() { clients.finishCycle() }

  /// Runs a change while a client that runs is not called; the device itself keeps running.
  ///
  /// - Returns: False in a client's call, which the change would have to wait for.
  ///
  /// Context: control, outside of every lock that a client waits for.
  package func suspend(_ client: IOClient, _ change: () -> Void) -> Bool {
    guard !state.withLock({ $0.thread?.isCurrent ?? false }) else { return false }
    clients.remove(number: client.number)
    change()
    // A device that ended meanwhile has no clients any more.
    state.withLock { if $0.wants[client.number] != nil { clients.add(client) } }
    return true
  }

  /// Stops every client.
  package func stopAll() {
    for number in state.withLock({ Array($0.wants.keys) }) { stop(number: number) }
  }

  func locked<Value>(_ body: () throws(AuricleError) -> Value) throws(AuricleError) -> Value {
    let result = starting.withLock { _ -> Result<Value, AuricleError> in
      do throws(AuricleError) { return .success(try body()) } catch { return .failure(error) }
    }
    return try result.get()
  }

  func startThread(_ sides: DeviceSides) throws(AuricleError) {
    let engine = try makeEngine(sides)
    engine.onOverrun = { [weak self] in
      guard let self else { return }
      self.system.listeners.changed(self.id, kAudioDeviceProcessorOverload)
    }
    let thread = DeviceThread(engine) { [weak self] end in self?.ended(end) }
    state.withLock {
      $0.thread = thread
      $0.openSides = sides
      $0.hasRun = true
    }
    do throws(AuricleError) { try thread.start() } catch {
      state.withLock { $0.thread = nil }
      engine.end()
      throw error
    }
    runningChanged()
  }

  private func makeEngine(_ sides: DeviceSides) throws(AuricleError) -> DeviceEngine {
    if let composition { return try makeEngine(composition, sides, request) }
    do throws(AuricleError) {
      return try engine(sides)
    } catch {
      // Many plug-ins have one side only, and do not say so.
      guard sides == [.input, .output], error.category == .unavailable else { throw error }
      return try engine(.output)
    }
  }

  /// Opens it; a file is continued behind earlier frames.
  private func engine(_ sides: DeviceSides) throws(AuricleError) -> DeviceEngine {
    try DeviceOpening.engine(
      listing.name, sides, request, deviceID: id, clients: clients,
      continues: hasRun)
  }

  /// Ends the thread when it has played all rendered frames, and waits for it.
  ///
  /// - Parameter known: The thread, which may have ended meanwhile and been forgotten.
  func stopThread(knownAs known: DeviceThread? = nil) {
    guard let thread = state.withLock({ $0.thread }) ?? known else { return }
    thread.stop(drains: true)
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

  /// Drops the clients of a thread that ended by itself: the next one must not call them, as they may be gone by
  /// then.
  private func letGoOfAll() {
    // No cycle runs any more, so that nothing is waited for under the lock.
    state.withLock { state in
      for number in state.wants.keys { clients.remove(number: number) }
      state.thread = nil
      state.wants = [:]
    }
    system.listeners.changed(id, kAudioDevicePropertyIOStoppedAbnormally)
    runningChanged()
  }

  /// The thread came to its end. Context: that thread.
  private func ended(_ end: EngineEnd) {
    switch end {
    case .stopped:
      // A stop in a client's call: a client that starts meanwhile waits for this end, and starts
      // the next thread.
      state.withLock { if $0.wants.isEmpty { $0.thread = nil } }
    case .finished, .inputEnded, .failed, .lost:
      letGoOfAll()
      guard end == .lost, listing.kind != "file" else { return }
      die()
      system.list(afterLoss: true)
    }
  }
}
