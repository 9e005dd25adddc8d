// An output unit that is published: other programs host it, and are its device meanwhile.
// SPDX-License-Identifier: Apache-2.0

import AudioHardware
import CAudioToolbox
import CUnitLink
import HardwareObjects
import PublishedUnits
import Synchronization

/// The settings of a program for hosts, also while there is none.
///
/// @unchecked Sendable because the procedures and their data belong to the program, which keeps them valid.
@safe struct NodeState: @unchecked Sendable {
  /// The host that renders the unit; nil while it has its device.
  var binding: HostBinding?
  /// The block that receives remote-control events of the host.
  var listener: RemoteBlock?
}

/// The program's receivers of MIDI, as the render thread reads them.
final class MIDIReceivers: Sendable {
  private let event = Atomic<UInt>(0)
  private let sysEx = Atomic<UInt>(0)
  private let data = Atomic<UInt>(0)

  /// The receivers; set while nothing plays, or with data that fits the old ones as well.
  var callbacks: AudioOutputUnitMIDICallbacks {
    get {
      typealias Callbacks = AudioOutputUnitMIDICallbacks
      var made = unsafe Callbacks()
      unsafe made.MIDIEventProc = unsafe unsafeBitCast(
        event.load(ordering: .acquiring), to: type(of: made.MIDIEventProc))
      unsafe made.MIDISysExProc = unsafe unsafeBitCast(
        sysEx.load(ordering: .acquiring), to: type(of: made.MIDISysExProc))
      unsafe made.userData = UnsafeMutableRawPointer(bitPattern: data.load(ordering: .acquiring))
      return unsafe made
    }
    set {
      event.store(0, ordering: .releasing)
      sysEx.store(0, ordering: .releasing)
      data.store(UInt(bitPattern: unsafe newValue.userData), ordering: .releasing)
      event.store(unsafe unsafeBitCast(newValue.MIDIEventProc, to: UInt.self), ordering: .releasing)
      sysEx.store(unsafe unsafeBitCast(newValue.MIDISysExProc, to: UInt.self), ordering: .releasing)
    }
  }
}

extension IOUnit: PublishedUnit {
  /// Whether a program may publish it.
  var isRemote: Bool { description.componentSubType == kAudioUnitSubType_RemoteIO }

  /// Goes over to a host: stops, and is initialized with the host's form.
  func connect(to host: NodeHost) -> OSStatus {
    let binding = HostBinding(host)
    host.attachment = binding
    _ = stop()
    uninitialize()
    let status = transport.withLock { _ -> OSStatus in
      state.withLock { state in
        state.node.binding = binding
        state.heldChanges = []
      }
      let status = prepare(for: binding)
      if status != 0 { leave() }
      return status
    }
    postHeldChanges()
    if status == 0 { hostChanged(kAudioUnitProperty_IsInterAppConnected) }
    return status
  }

  /// Returns to the device: stopped, and not initialized.
  func disconnect(from host: NodeHost) {
    guard state.withLock({ $0.node.binding?.host === host }) else { return }
    _ = stop()
    uninitialize()
    transport.withLock { _ in
      state.withLock { $0.heldChanges = [] }
      leave()
    }
    postHeldChanges()
    hostChanged(kAudioUnitProperty_IsInterAppConnected)
  }

  /// Forgets the host, and adopts the formats of the device again. Context: under `transport`.
  private func leave() {
    let device = state.withLock { state in
      state.node.binding?.host.attachment = nil
      state.node.binding = nil
      return state.device
    }
    if let device, device.isAlive { adoptFormats(of: device) }
  }

  /// Initializes the halves for a host. Context: under `transport`.
  func prepare(for binding: HostBinding) -> OSStatus {
    let (hasOutput, hasInput) = state.withLock { ($0.hasOutput, $0.hasInput) }
    let isPlayer = hasOutput && binding.outputWidth > 0
    let isRecorder = hasInput && binding.inputWidth > 0
    guard isPlayer || isRecorder else { return kAudioUnitErr_FailedInitialization }
    for half in [output, input] where (half.isInput ? isRecorder : isPlayer) {
      adopt(binding.format(isInput: half.isInput), half)
    }
    let most = max(state.withLock { $0.maximumFrames }, binding.host.form.link.frameCapacity)
    for (half, isUsed) in [(output, isPlayer), (input, isRecorder)] where isUsed {
      let status = prepare(half, frames: most)
      guard status == 0 else {
        output.uninitialize()
        input.uninitialize()
        return status
      }
    }
    cycle.prepare(
      sampleRate: binding.host.form.sampleRate, output: output, input: input,
      frameCapacity: Int(most))
    state.withLock {
      ($0.isInitialized, $0.isLoosened, $0.preparedFrames) = (true, false, most)
    }
    return 0
  }

  /// Sets the host's format; a client that has the rate of the device goes on with that of the host.
  private func adopt(_ format: AudioStreamBasicDescription, _ half: ConversionHalf) {
    let before = half.format(half.deviceScope)
    half.set(kAudioUnitProperty_StreamFormat, half.deviceScope, value: format)
    let isFirst = state.withLock { state in
      defer { if half.isInput || !state.hasInput { state.isBound = true } }
      return !state.isBound
    }
    var client = half.format(half.clientScope)
    guard isFirst || client.mSampleRate == before.mSampleRate else { return }
    client.mSampleRate = format.mSampleRate
    half.set(kAudioUnitProperty_StreamFormat, half.clientScope, value: client)
  }

  /// Joins the devices' thread priorities. Context: the host's render thread.
  func beginRendering() { _ = RealtimePriority.raiseDirectly() }

  /// Passes a message to the program. Context: the host's render thread.
  func play(_ event: AuricleLinkEvent, _ bytes: UnsafePointer<UInt8>, frameCount: UInt32) {
    let receivers = unsafe receivers.callbacks
    switch event.kind {
    case UInt32(kAuricleLinkEvent_MIDI):
      let message = event.message
      guard message.0 >= 0x80 else { return }
      unsafe receivers.MIDIEventProc?(
        receivers.userData, UInt32(message.0), UInt32(message.1 & 0x7F), UInt32(message.2 & 0x7F),
        event.frame)
    case UInt32(kAuricleLinkEvent_SysEx) where event.byteCount > 0:
      unsafe receivers.MIDISysExProc?(receivers.userData, bytes, event.byteCount)
    default: break
    }
  }

  /// Renders a slice for the host.
  func render(_ turn: AuricleLinkTurn, for host: NodeHost) -> (status: OSStatus, isSilent: Bool) {
    guard let binding = host.attachment as? HostBinding else {
      return (kAudioUnitErr_Uninitialized, true)
    }
    return binding.render(turn, cycle)
  }

  /// Notifies listeners.
  func hostChanged(_ property: AudioUnitPropertyID) { changed(property) }

  /// The icon of the host.
  var hostIcon: String? {
    state.withLock { $0.node.binding?.host.hello.hostIcon }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Passes an event to the program's block.
  func receive(_ event: UInt32) { state.withLock { $0.node.listener }?.call(event) }
}

extension IOUnit {
  /// The properties of output units between programs, which units of remote I/O have.
  static let ofNodes: Set<AudioUnitPropertyID> = [
    kAudioUnitProperty_IsInterAppConnected, kAudioUnitProperty_HostCallbacks,
    kAudioUnitProperty_RemoteControlEventListener, kAudioUnitProperty_PeerURL,
    kAudioOutputUnitProperty_MIDICallbacks,
    kAudioOutputUnitProperty_HostReceivesRemoteControlEvents,
    kAudioOutputUnitProperty_RemoteControlToHost, kAudioOutputUnitProperty_HostTransportState,
    kAudioOutputUnitProperty_NodeComponentDescription,
  ]

  /// The size of such a property, and whether it can be set.
  func nodeInfo(_ property: AudioUnitPropertyID) -> (size: UInt32, isWritable: Bool) {
    func size<Value>(_ type: Value.Type) -> UInt32 { UInt32(MemoryLayout<Value>.size) }
    return switch property {
    case kAudioUnitProperty_HostCallbacks: unsafe (size(HostCallbackInfo.self), false)
    case kAudioUnitProperty_RemoteControlEventListener: (8, true)
    case kAudioUnitProperty_PeerURL: unsafe (size(CFURLRef?.self), false)
    case kAudioOutputUnitProperty_MIDICallbacks:
      unsafe (size(AudioOutputUnitMIDICallbacks.self), true)
    case kAudioOutputUnitProperty_RemoteControlToHost: (4, true)
    case kAudioOutputUnitProperty_NodeComponentDescription:
      (size(AudioComponentDescription.self), false)
    default: (4, false)
    }
  }

  /// Copies the value of such a property.
  func nodeGet(_ property: AudioUnitPropertyID, _ data: UnsafeMutableRawPointer) -> OSStatus {
    func store(_ word: UInt32) -> OSStatus {
      unsafe data.storeBytes(of: word, as: UInt32.self)
      return 0
    }
    let host = state.withLock { $0.node.binding?.host }
    switch property {
    case kAudioUnitProperty_IsInterAppConnected: return store(host == nil ? 0 : 1)
    case kAudioOutputUnitProperty_HostTransportState: return store(0)
    case kAudioOutputUnitProperty_HostReceivesRemoteControlEvents:
      return store(host?.listens.load(ordering: .acquiring) == true ? 1 : 0)
    case kAudioOutputUnitProperty_MIDICallbacks:
      unsafe data.storeBytes(of: receivers.callbacks, as: AudioOutputUnitMIDICallbacks.self)
      return 0
    case kAudioUnitProperty_RemoteControlEventListener:
      let pointer = state.withLock { unsafe UInt(bitPattern: $0.node.listener?.pointer) }
      unsafe data.storeBytes(of: pointer, as: UInt.self)
      return 0
    case kAudioUnitProperty_HostCallbacks:
      guard let host else { return kAudioUnitErr_PropertyNotInUse }
      unsafe data.storeBytes(of: host.callbacks, as: HostCallbackInfo.self)
      return 0
    case kAudioUnitProperty_PeerURL:
      guard let host, let url = unsafe ProgramURL.object(host.hello.hostURL) else {
        return kAudioUnitErr_PropertyNotInUse
      }
      unsafe data.storeBytes(of: url, as: CFURLRef?.self)
      return 0
    case kAudioOutputUnitProperty_NodeComponentDescription:
      guard let host else { return kAudioUnitErr_PropertyNotInUse }
      unsafe data.storeBytes(of: host.hello.description, as: AudioComponentDescription.self)
      return 0
    default: return kAudioUnitErr_PropertyNotInUse
    }
  }

  /// Sets such a property; null removes a receiver.
  func nodeSet(
    _ property: AudioUnitPropertyID, _ data: UnsafeRawPointer?, _ size: UInt32
  ) -> OSStatus {
    let (wanted, isWritable) = nodeInfo(property)
    guard isWritable else { return kAudioUnitErr_PropertyNotWritable }
    guard unsafe data == nil || size == wanted else { return kAudioUnitErr_InvalidPropertyValue }
    switch property {
    case kAudioOutputUnitProperty_MIDICallbacks:
      unsafe receivers.callbacks =
        unsafe data?.loadUnaligned(as: AudioOutputUnitMIDICallbacks.self)
        ?? AudioOutputUnitMIDICallbacks()
    case kAudioUnitProperty_RemoteControlEventListener:
      let supplied = unsafe data?.loadUnaligned(as: UnsafeRawPointer?.self) ?? nil
      let block = unsafe RemoteBlock(supplied)
      guard unsafe block != nil || supplied == nil else { return kAudio_UnimplementedError }
      state.withLock { $0.node.listener = block }
    default:
      guard let data = unsafe data else { return kAudioUnitErr_InvalidPropertyValue }
      let event = unsafe data.loadUnaligned(as: UInt32.self)
      // 1: play and pause, 2: record, 3: back to the start.
      guard (1...3).contains(event) else { return kAudioUnitErr_InvalidPropertyValue }
      return state.withLock { $0.node.binding?.host }?.send(event) ?? kAudioUnitErr_NoConnection
    }
    changed(property)
    return 0
  }
}
