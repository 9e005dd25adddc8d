// A unit of a program as hosts see it: a unit of the SDK whose kernel is in another process.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AuricleSDK
import CAudioToolbox
import CUnitLink
import Glibc
import HostSystem
import PublishedUnits
import Synchronization
import UnitLink

/// The core of one instance, shared by the closures that the SDK calls.
///
/// @unchecked Sendable because mutable state is under a lock, or used by control threads under the instance's lock.
@safe final class ProgramUnitCore: @unchecked Sendable {
  private let connection: ProgramConnection
  private let name: String
  private let description: AudioComponentDescription
  private let url: String
  private let state = Mutex(Shared())
  private var memory: LinkMemory?
  private var cell: UnsafeMutablePointer<ProgramRenderState>?
  private var format: RenderFormat?

  /// The state that the connection's thread uses as well.
  private struct Shared {
    weak var instance: UnitInstance?
    var isConnected = false
    var block: RemoteBlock?
  }

  /// Knows a connection on which the unit was opened, and the URL of its program.
  init(
    _ connection: ProgramConnection, name: String, url: String,
    _ description: AudioComponentDescription
  ) {
    (self.connection, self.name, self.url) = (connection, name, url)
    self.description = description
  }

  private var hasInput: Bool {
    [kAudioUnitType_RemoteEffect, kAudioUnitType_RemoteMusicEffect].contains(
      description.componentType)
  }

  /// Makes the interface of the instance.
  func makeUnit() -> UnsafeMutablePointer<AudioComponentPlugInInterface> {
    let definition = UnitDefinition(
      parameters: [],
      channelCapabilities: [hasInput ? ChannelCapability(-1, -1) : ChannelCapability(0, -1)],
      inputs: hasInput ? [BusDefinition(name: "Input")] : [],
      outputs: [BusDefinition(name: "Output")], properties: properties, processesInPlace: false)
    let procedures = unsafe KernelProcedures(
      create: { format throws(KernelProcedures.Failure) in try unsafe self.create(format) },
      destroy: { _ in self.destroy() }, reset: { _ in self.reset() }, latencyFrames: { _ in 0 },
      tailSeconds: { _ in nil }, process: processProgram)
    let plugIn = unsafe makeAudioUnit(definition, procedures, description)
    unsafe ProgramInstances.adopt(plugIn, self)
    connection.listen { [weak self] event in self?.note(event) }
    return unsafe plugIn
  }

  // MARK: Life

  /// Knows the instance, for what it posts. Context: control, when the instance was opened.
  fileprivate func meet(_ instance: UnitInstance) { state.withLock { $0.instance = instance } }

  /// Has no event reported any more. Context: control, before the instance is closed.
  func end() {
    connection.listen(nil)
    state.withLock { state in
      state.instance = nil
      state.block = nil
    }
  }

  deinit { connection.close() }

  private func create(
    _ format: RenderFormat
  ) throws(KernelProcedures.Failure) -> UnsafeMutableRawPointer {
    let form = AuricleLinkForm(
      frameCapacity: UInt32(clamping: format.maximumFrames),
      inputChannels: UInt32(clamping: format.inputChannelCount),
      outputChannels: UInt32(clamping: format.channelCount),
      eventCapacity: AuricleLinkForm.usualEventCapacity)
    let memory: LinkMemory
    do throws(AuricleError) { memory = try LinkMemory(form) } catch {
      throw KernelProcedures.Failure(
        status: kAudio_MemFullError, reason: "\(name): \(error.message)")
    }
    // A unit plays for one host at a time: the program waits for one that is about to let go of it.
    let answer = connection.prepare(
      NodeForm(sampleRate: format.sampleRate, form), memory, isOffline: format.isOffline)
    guard answer.status == 0 else {
      throw KernelProcedures.Failure(
        status: answer.status,
        reason: answer.reason.isEmpty
          ? "\(name) could not be initialized" : "\(name): \(answer.reason)")
    }
    self.memory = memory
    self.format = format
    let made = UnsafeMutablePointer<ProgramRenderState>.allocate(capacity: 1)
    unsafe made.initialize(to: ProgramRenderState(memory.link, form, format))
    unsafe cell = unsafe made
    turn(connected: true)
    return UnsafeMutableRawPointer(made)
  }

  private func destroy() {
    connection.release()
    unsafe cell?.pointee.free()
    unsafe cell?.deinitialize(count: 1)
    unsafe cell?.deallocate()
    unsafe cell = nil
    memory = nil
    turn(connected: false)
  }

  /// Notes without sound are the past of the program alone; the host's fades begin anew.
  private func reset() { unsafe cell?.pointee.reset() }

  /// Notes whether the program renders for this host, and notifies listeners of a change.
  private func turn(connected: Bool) {
    let instance = state.withLock { state -> UnitInstance? in
      guard state.isConnected != connected else { return nil }
      state.isConnected = connected
      return state.instance
    }
    instance?.propertyChanged(kAudioUnitProperty_IsInterAppConnected)
  }

  /// Notes what the program did. Context: the connection's thread.
  private func note(_ event: ProgramConnection.Event) {
    switch event {
    case .remoteControl(let code): state.withLock { $0.block }?.call(code)
    case .hangs:
      Self.report("the program of \(name) does not answer: it is silent until it does")
    case .ended:
      // The only place where a program that plays learns of it at once: rendering goes on, in silence.
      if state.withLock({ $0.isConnected }) {
        Self.report("the program of \(name) has ended: it is silent")
      }
      turn(connected: false)
    }
  }

  private static func report(_ text: String) {
    _ = FileTransfer.writeAll(Array("auricle: \(text)\n".utf8), to: STDERR_FILENO)
  }

  // MARK: Properties

  private var properties: [PropertyDefinition] {
    unsafe [
      PropertyDefinition(
        id: kAudioUnitProperty_IsInterAppConnected, size: 4,
        read: { instance, _, data in
          self.meet(instance)
          let isConnected = self.state.withLock { $0.isConnected } && !self.connection.isGone
          unsafe data.storeBytes(of: isConnected ? 1 : 0, as: UInt32.self)
          return 0
        }),
      PropertyDefinition(
        id: kAudioUnitProperty_PeerURL, size: UInt32(MemoryLayout<CFURLRef?>.size),
        read: { _, _, data in
          guard let url = unsafe ProgramURL.object(self.url) else {
            return kAudioUnitErr_PropertyNotInUse
          }
          unsafe data.storeBytes(of: url, as: CFURLRef?.self)
          return 0
        }),
      PropertyDefinition(
        id: kAudioUnitProperty_RemoteControlEventListener, size: 8,
        read: { _, _, data in
          let bits = self.state.withLock { unsafe UInt(bitPattern: $0.block?.pointer) }
          unsafe data.storeBytes(of: bits, as: UInt.self)
          return 0
        },
        write: { instance, _, data, size in
          unsafe self.setListener(instance, data, size)
        }),
      PropertyDefinition(
        id: kAudioOutputUnitProperty_RemoteControlToHost, size: 4,
        read: { _, _, data in
          unsafe data.storeBytes(of: 0, as: UInt32.self)
          return 0
        },
        write: { _, _, data, size in
          guard let data = unsafe data, size == 4 else { return kAudioUnitErr_InvalidPropertyValue }
          let event = unsafe data.loadUnaligned(as: UInt32.self)
          guard (1...3).contains(event) else { return kAudioUnitErr_InvalidPropertyValue }
          return self.connection.send(NodeMessage.event, event)
            ? 0 : kAudioComponentErr_InstanceInvalidated
        }),
    ]
  }

  private func setListener(
    _ instance: UnitInstance, _ data: UnsafeRawPointer?, _ size: UInt32
  ) -> OSStatus {
    guard unsafe data == nil || size == 8 else { return kAudioUnitErr_InvalidPropertyValue }
    let supplied = unsafe data?.loadUnaligned(as: UnsafeRawPointer?.self) ?? nil
    let block = unsafe RemoteBlock(supplied)
    guard unsafe block != nil || supplied == nil else { return kAudio_UnimplementedError }
    state.withLock { $0.block = block }
    guard connection.send(NodeMessage.listens, block == nil ? 0 : 1) else {
      return kAudioComponentErr_InstanceInvalidated
    }
    instance.propertyChanged(kAudioUnitProperty_RemoteControlEventListener)
    return 0
  }
}

/// The instances of this process by their interfaces: their Open and Close pass through here.
enum ProgramInstances {
  private static let cores = Mutex<[UInt: ProgramUnitCore]>([:])
  private typealias Opening =
    @convention(c) (
      UnsafeMutableRawPointer?, AudioComponentInstance?
    ) -> OSStatus
  private typealias Closing = @convention(c) (UnsafeMutableRawPointer?) -> OSStatus

  /// The methods that all interfaces of the SDK have.
  private static let opening = Atomic<UInt>(0)
  private static let closing = Atomic<UInt>(0)

  /// Has an interface tell its core when it is opened and closed.
  static func adopt(
    _ plugIn: UnsafeMutablePointer<AudioComponentPlugInInterface>, _ core: ProgramUnitCore
  ) {
    opening.store(unsafe unsafeBitCast(plugIn.pointee.Open, to: UInt.self), ordering: .releasing)
    closing.store(unsafe unsafeBitCast(plugIn.pointee.Close, to: UInt.self), ordering: .releasing)
    cores.withLock { $0[UInt(bitPattern: plugIn)] = core }
    unsafe plugIn.pointee.Open = { plugIn, handle in unsafe ProgramInstances.open(plugIn, handle) }
    unsafe plugIn.pointee.Close = { plugIn in unsafe ProgramInstances.close(plugIn) }
  }

  private static func open(
    _ plugIn: UnsafeMutableRawPointer?, _ handle: AudioComponentInstance?
  ) -> OSStatus {
    let method = unsafe unsafeBitCast(opening.load(ordering: .acquiring), to: Opening.self)
    let status = unsafe method(plugIn, handle)
    guard status == 0, let plugIn = unsafe plugIn else { return status }
    // A property's reading has the instance.
    let lookup = unsafe plugIn.assumingMemoryBound(to: AudioComponentPlugInInterface.self).pointee
      .Lookup
    if let found = lookup?(kAudioUnitGetPropertySelect) {
      let get = unsafe unsafeBitCast(found, to: AudioUnitGetPropertyProc.self)
      var (word, size) = (UInt32(0), UInt32(4))
      _ = unsafe get(
        plugIn, kAudioUnitProperty_IsInterAppConnected, kAudioUnitScope_Global, 0, &word, &size)
    }
    return status
  }

  private static func close(_ plugIn: UnsafeMutableRawPointer?) -> OSStatus {
    let method = unsafe unsafeBitCast(closing.load(ordering: .acquiring), to: Closing.self)
    let core = cores.withLock { $0[UInt(bitPattern: plugIn)] }
    core?.end()
    let status = unsafe method(plugIn)
    cores.withLock { $0[UInt(bitPattern: plugIn)] = nil }
    return status
  }
}
