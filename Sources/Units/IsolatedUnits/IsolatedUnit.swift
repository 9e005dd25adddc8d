// A unit in another process, on the control side of its host: its requests, and the way back to its state.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import CUnitLink
import Glibc
import Synchronization
import UnitLink

/// One unit in another process.
///
/// @unchecked Sendable because the mutex guards what changes, and the pointers are valid as long as this object lives.
@safe final class IsolatedUnit: @unchecked Sendable {
  /// Its number in requests.
  let number: UInt32
  /// The name of its component, for people.
  let name: String
  /// The name that resolves to its component in another process.
  let uniqueName: String
  private let type: OSType
  let render: OpaquePointer
  private(set) var plugIn: OpaquePointer?
  private let state: Mutex<State>
  private let options: IsolationOptions
  private let onDisconnect: @Sendable (IsolatedUnit) -> Void
  private let onClose: @Sendable (IsolatedUnit) -> Void

  /// Deaths, all and those of the last ten minutes, and new beginnings.
  let counts = Mutex(Counts())
  let ownChanges = Mutex(OwnChanges())
  let lateness = Mutex(Lateness())

  struct Counts {
    var deaths: [ContinuousClock.Instant] = []
    var deathCount = 0
    var restartCount = 0
    /// Figures of processes that are gone.
    var misses: UInt64 = 0
    var isOut = false
    /// Whether it has a process alone, because it ended one that it shared.
    var isAlone = false
  }

  /// A property that was set, and which of all it was.
  struct SetProperty: Sendable {
    var key: [UInt8]
    var bytes: [UInt8]
    var number: Int
  }

  private struct State {
    var process: UnitProcess?
    var memory: LinkMemory?
    var isInitialized = false
    /// The form that the host renders in.
    var form: AuricleIsolatedForm?
    /// The properties that were set, in order, each once, and how many were.
    var log: [SetProperty] = []
    var setCount = 0
  }

  init(
    number: UInt32, name: String, uniqueName: String, type: OSType, options: IsolationOptions,
    onDisconnect: @escaping @Sendable (IsolatedUnit) -> Void,
    onClose: @escaping @Sendable (IsolatedUnit) -> Void
  ) throws(AuricleError) {
    guard let render = unsafe AuricleIsolatedMake(options.clock?.pointer) else {
      throw AuricleError(.temporary, "\(name): there is no memory for a unit in another process")
    }
    (self.number, self.name, self.uniqueName, self.type) = (number, name, uniqueName, type)
    (self.options, self.onDisconnect, self.onClose) = (options, onDisconnect, onClose)
    unsafe self.render = unsafe render
    state = Mutex(State())
  }

  deinit {
    if let plugIn = unsafe plugIn { unsafe AuricleIsolatedPlugInFree(plugIn) }
    unsafe AuricleIsolatedFree(render)
  }

  // MARK: Life

  /// Opens it in a process and makes its interface.
  ///
  /// - Throws: `.unavailable` with the reason of the process.
  func open(in process: UnitProcess) throws(AuricleError) -> UnsafeMutablePointer<
    AudioComponentPlugInInterface
  > {
    let selectors = try openRemote(process)
    let owner = unsafe AuricleIsolatedOwner(
      context: Unmanaged.passRetained(self).toOpaque(), transact: transactRequest,
      initialize: initializeUnit, uninitialize: uninitializeUnit, noteProperty: noteUnitProperty,
      close: closeUnit)
    guard let made = unsafe AuricleIsolatedPlugInMake(render, number, selectors, owner) else {
      unsafe Unmanaged.passUnretained(self).release()
      throw AuricleError(.temporary, "\(name): there is no memory for a unit in another process")
    }
    unsafe plugIn = unsafe made
    return unsafe UnsafeMutableRawPointer(made).assumingMemoryBound(
      to: AudioComponentPlugInInterface.self)
  }

  private func openRemote(_ process: UnitProcess) throws(AuricleError) -> UInt32 {
    var request = MessageWriter()
    request.add(number)
    request.add(uniqueName)
    process.unitCount.add(1, ordering: .relaxed)
    guard let reply = process.request(UnitRequest.open, request.bytes) else {
      throw AuricleError(
        .unavailable, status: kAudioComponentErr_InstanceInvalidated,
        "\(name) ended its process while it was opened: leave it out")
    }
    var reader = MessageReader(reply)
    let status = reader.next(Int32.self) ?? kAudio_ParamError
    _ = reader.next(Double.self)
    guard status == 0, let selectors = reader.next(UInt32.self) else {
      process.unitCount.subtract(1, ordering: .relaxed)
      let reason = reader.nextText() ?? ""
      throw AuricleError(
        .unavailable, status: status,
        reason.isEmpty ? "\(name): the unit cannot be opened" : reason)
    }
    state.withLock { $0.process = process }
    watchState(process)
    return selectors
  }

  /// Has the unit report changes of its state.
  private func watchState(_ process: UnitProcess) {
    for property in [kAudioUnitProperty_ClassInfo, kAudioUnitProperty_PresentPreset] {
      var request = MessageWriter()
      request.add(number)
      request.add(property)
      _ = process.request(UInt16(kAuricleUnitRequest_Listen), request.bytes)
    }
  }

  /// The properties that its host set, in their order.
  var properties: [SetProperty] { state.withLock { $0.log } }

  /// The place in its host's changes.
  var moment: OwnChanges.Moment {
    OwnChanges.Moment(
      parameters: unsafe plugIn.map { unsafe AuricleIsolatedPlugInChanges($0) } ?? 0,
      properties: state.withLock { $0.setCount })
  }

  /// The address of the instance that its host has; nil before it is open.
  var instance: UInt? {
    unsafe plugIn.flatMap { unsafe AuricleIsolatedPlugInInstance($0) }.map {
      UInt(bitPattern: $0)
    }
  }

  /// The interface that its host has; nil before it is open.
  var interface: UnsafeMutablePointer<AudioComponentPlugInInterface>? {
    unsafe plugIn.map {
      unsafe UnsafeMutableRawPointer($0).assumingMemoryBound(to: AudioComponentPlugInInterface.self)
    }
  }

  /// The process that it is in; nil for none.
  var process: UnitProcess? { state.withLock { $0.process } }

  /// The figures of its connection; nil for none.
  var figures: AuricleLinkFigures? { state.withLock { $0.memory?.figures } }

  /// Nanoseconds since the slice that is not answered.
  var waiting: UInt64 {
    state.withLock { state in
      state.memory.map { unsafe AuricleLinkWaiting($0.link) } ?? 0
    }
  }

  /// Whether it began its part of a turn and is not done, or ended with its process in it.
  var isAtWork: Bool {
    state.withLock { state in
      state.memory.map { unsafe AuricleLinkIsAtWork($0.link) } ?? false
    }
  }

  /// Takes it from its process, which is gone: from the next slice on it is dry.
  func lose() {
    onDisconnect(self)
    unsafe _ = AuricleIsolatedExchange(render, nil)
    let misses = state.withLock { state in
      let misses = state.memory?.figures.missed ?? 0
      state.memory = nil
      state.process = nil
      return misses
    }
    counts.withLock { $0.misses += misses }
  }

  /// Ends the waiting for its process at once. Context: any.
  func abandon() { state.withLock { $0.memory?.abandon() } }

  /// Ends the waiting for a process at once, if it is in that. Context: any.
  func abandon(_ process: UnitProcess) {
    state.withLock { if $0.process === process { $0.memory?.abandon() } }
  }

  // MARK: Requests

  /// Sends a request; the reply, or nil where the process is gone.
  func transact(_ kind: UInt16, _ bytes: [UInt8]) -> [UInt8]? {
    process?.request(kind, bytes)
  }

  /// Makes the unit ready to render; a status.
  func initialize() -> OSStatus {
    guard let process else { return kAudioComponentErr_InstanceInvalidated }
    let status = initialize(in: process)
    guard status == 0 else { return status }
    state.withLock { $0.isInitialized = true }
    exchange()
    return 0
  }

  private func initialize(in process: UnitProcess) -> OSStatus {
    var request = MessageWriter()
    request.add(number)
    guard let reply = process.request(UnitRequest.initialize, request.bytes) else {
      return kAudioComponentErr_InstanceInvalidated
    }
    var reader = MessageReader(reply)
    let status = reader.next(Int32.self) ?? kAudio_ParamError
    let latency = reader.next(Double.self) ?? 0
    guard status == 0 else { return status }
    guard var form = reader.next(AuricleIsolatedForm.self) else {
      return kAudioComponentErr_InstanceInvalidated
    }
    unsafe AuricleIsolatedNoteLatency(render, latency)
    complete(&form)
    return connect(process, form)
  }

  /// Adds to a form what the host decides.
  private func complete(_ form: inout AuricleIsolatedForm) {
    let rate = form.sampleRate.isFinite ? max(1, min(form.sampleRate, 1e8)) : 48_000
    form.passesInput = ![
      kAudioUnitType_MusicDevice, kAudioUnitType_Generator, kAudioUnitType_MIDIProcessor,
      kAudioUnitType_FormatConverter, kAudioUnitType_OfflineEffect,
      kAudioUnitType_RemoteInstrument, kAudioUnitType_RemoteGenerator, kAudioUnitType_RemoteEffect,
      kAudioUnitType_RemoteMusicEffect,
    ].contains(type)
    form.fetchesInput = ![kAudioUnitType_FormatConverter, kAudioUnitType_OfflineEffect].contains(
      type)
    form.isPipelined = options.isPipelined && form.fetchesInput
    form.fadeFrames = UInt32(max(1, rate / 200))
    let latency = unsafe AuricleIsolatedLatency(render) * rate
    form.latencyFrames = UInt32(max(0, min(latency.rounded(), 1_048_576)))
  }

  /// Has the next slices go to its process.
  private func exchange() {
    state.withLock { state in
      if let memory = state.memory { unsafe _ = AuricleIsolatedExchange(render, memory.link) }
    }
  }

  /// Has it sound again behind `reopen`.
  func resume() {
    exchange()
    counts.withLock { $0.restartCount += 1 }
  }

  /// Gives the unit a connection, which `exchange` gives to the render side.
  private func connect(_ process: UnitProcess, _ form: AuricleIsolatedForm) -> OSStatus {
    var form = form
    let memory: LinkMemory
    // A new process renders in the form that the host renders in already.
    if let known = state.withLock({ $0.isInitialized ? $0.form : nil }) {
      guard Self.buses(of: known) == Self.buses(of: form) else {
        return kAudioUnitErr_FormatNotSupported
      }
      form = known
    } else {
      guard unsafe AuricleIsolatedPrepare(render, &form) else { return kAudio_MemFullError }
      state.withLock { $0.form = form }
    }
    do throws(AuricleError) { memory = try LinkMemory(unsafe AuricleIsolatedLinkForm(&form)) } catch
    {
      return kAudio_MemFullError
    }
    var request = MessageWriter()
    request.add(number)
    request.add(memory.form)
    request.add(options.clock != nil)
    unsafe request.add(AuricleIsolatedSources(render))
    guard
      let reply = process.request(UnitRequest.connect, request.bytes, files: [memory.descriptor])
    else { return kAudioComponentErr_InstanceInvalidated }
    var reader = MessageReader(reply)
    let status = reader.next(Int32.self) ?? kAudio_ParamError
    guard status == 0 else { return status }
    state.withLock { $0.memory = memory }
    return 0
  }

  /// The slices and the channels of a form.
  private static func buses(of form: AuricleIsolatedForm) -> [UInt32] {
    var (inputs, outputs) = (form.inputChannels, form.outputChannels)
    let channels = unsafe withUnsafeBytes(of: &inputs) { inputs in
      unsafe withUnsafeBytes(of: &outputs) { outputs in
        let rows = unsafe [
          (inputs, form.inputBuses), (outputs, form.outputBuses),
        ]
        return unsafe rows.flatMap { bytes, count in
          unsafe Array(bytes.bindMemory(to: UInt32.self).prefix(Int(min(count, 64))))
        }
      }
    }
    return [form.maximumFrames, form.inputBuses, form.outputBuses] + channels
  }

  /// Frees what `initialize` made; a status.
  func uninitialize() -> OSStatus {
    onDisconnect(self)
    unsafe _ = AuricleIsolatedExchange(render, nil)
    state.withLock { state in
      state.memory = nil
      state.isInitialized = false
    }
    var request = MessageWriter()
    request.add(number)
    guard let reply = transact(UInt16(kAuricleUnitRequest_Uninitialize), request.bytes) else {
      return 0
    }
    var reader = MessageReader(reply)
    return reader.next(Int32.self) ?? 0
  }

  /// Notes a property that was set; a state or preset takes the place of those before.
  func note(_ bytes: [UInt8]) {
    // The number of the unit, then the property, its scope and its element.
    let key = Array(bytes.dropFirst(4).prefix(12))
    state.withLock { state in
      state.log.removeAll { $0.key == key }
      state.setCount += 1
      state.log.append(SetProperty(key: key, bytes: bytes, number: state.setCount))
    }
    let property = MessageReader.first(UInt32.self, of: key) ?? 0
    if AuricleIsolatedPropertyIsState(property) {
      forgetSnapshot()
    } else if state.withLock({ $0.isInitialized }) {
      // A file that it reads, a message of its window: its state is another one soon.
      noteChange()
    }
  }

  /// Closes the unit, whose interface is not used any more.
  func close() {
    onDisconnect(self)
    unsafe _ = AuricleIsolatedExchange(render, nil)
    let process = state.withLock { state in
      state.memory = nil
      defer { state.process = nil }
      return state.process
    }
    if let process {
      var request = MessageWriter()
      request.add(number)
      _ = process.request(UnitRequest.close, request.bytes)
      process.unitCount.subtract(1, ordering: .relaxed)
    }
    onClose(self)
  }

  // MARK: Back

  /// Opens it in another process, with its properties, parameters and listeners; false where it cannot be. It is dry until
  /// `resume`.
  func reopen(in process: UnitProcess) -> Bool {
    let isInitialized = state.withLock { $0.isInitialized }
    var listeners = unsafe AuricleLinkBytes()
    if let plugIn = unsafe plugIn {
      unsafe AuricleIsolatedPlugInListeners(plugIn, &listeners)
    }
    defer { unsafe AuricleLinkBytesFree(&listeners) }
    guard (try? openRemote(process)) != nil else { return false }
    restore(in: process)
    unsafe send(listeners, UInt16(kAuricleUnitRequest_Listen), process)
    guard !process.isGone.load(ordering: .acquiring) else { return false }
    return isInitialized ? initialize(in: process) == 0 : true
  }

  /// Sends requests that lie behind each other, each behind its count of bytes.
  func send(_ requests: AuricleLinkBytes, _ kind: UInt16, _ process: UnitProcess) {
    let bytes = unsafe Array(UnsafeBufferPointer(start: requests.bytes, count: requests.count))
    var reader = MessageReader(bytes)
    while let request = reader.nextBytes() { _ = process.request(kind, request) }
  }

  /// Calls the listeners of a property.
  func callListeners(_ property: UInt32, _ scope: UInt32, _ element: UInt32) {
    guard let plugIn = unsafe plugIn else { return }
    unsafe AuricleIsolatedPlugInCallListeners(plugIn, property, scope, element)
  }
}

// MARK: The interface's calls

private func unit(_ context: UnsafeMutableRawPointer?) -> IsolatedUnit? {
  unsafe context.map { unsafe Unmanaged<IsolatedUnit>.fromOpaque($0).takeUnretainedValue() }
}

private let transactRequest:
  @convention(c) (
    UnsafeMutableRawPointer, UInt16, UnsafePointer<UInt8>, Int,
    UnsafeMutablePointer<AuricleLinkBytes>
  ) -> Int32 = { context, kind, bytes, count, reply in
    let request = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
    guard let found = unsafe unit(context)?.transact(kind, request) else {
      return kAudioComponentErr_InstanceInvalidated
    }
    unsafe AuricleLinkBytesAdd(reply, found, found.count)
    return 0
  }

private let initializeUnit: @convention(c) (UnsafeMutableRawPointer) -> Int32 = {
  unsafe unit($0)?.initialize() ?? kAudio_ParamError
}

private let uninitializeUnit: @convention(c) (UnsafeMutableRawPointer) -> Int32 = {
  unsafe unit($0)?.uninitialize() ?? kAudio_ParamError
}

private let noteUnitProperty:
  @convention(c) (UnsafeMutableRawPointer, UnsafePointer<UInt8>, Int) -> Void = {
    context, bytes, count in
    unsafe unit(context)?.note(Array(UnsafeBufferPointer(start: bytes, count: count)))
  }

private let closeUnit: @convention(c) (UnsafeMutableRawPointer) -> Void = { context in
  unsafe Unmanaged<IsolatedUnit>.fromOpaque(context).takeRetainedValue().close()
}
