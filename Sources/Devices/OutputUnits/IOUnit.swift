// An output unit: a client's formats on one side, a device on the other.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import CAudioToolbox
import Glibc
import HardwareObjects
import HostSystem
import PublishedUnits
import RealtimeSupport
import Synchronization

/// One instance of `def `, `sys `, `ahal`, `rioc` or `vpio`.
///
/// Element 0 goes to the device, element 1 comes from it: each is a `ConversionHalf`. Starting and stopping happen
/// under `transport`, which no render waits for; `state` is held for moments only.
///
/// @unchecked Sendable because all that changes is under these locks or atomic.
@safe final class IOUnit: @unchecked Sendable {
  let description: AudioComponentDescription
  let output: ConversionHalf
  let input: ConversionHalf
  /// The number of its client on a device.
  let number: UInt
  let cycle = DeviceCycle()
  let receivers = MIDIReceivers()

  struct State {
    var device: HardwareDevice?
    /// Whether a host chose the device, so that it does not follow the default.
    var isChosen = false
    var hasOutput = true
    var hasInput = false
    var isInitialized = false
    /// Whether a host initialized it and changed something after, which its next start prepares.
    var isLoosened = false
    var isRunning = false
    /// Whether it ran when the default device went, and resumes with the next.
    var awaitsDevice = false
    var outputMap: [Int32] = []
    var inputMap: [Int32] = []
    var maximumFrames: UInt32 = 4096
    /// Frames that the halves are prepared for; 0 before.
    var preparedFrames: UInt32 = 0
    /// Changes that are posted when the halves are prepared again; nil while they are posted at once.
    var heldChanges: [PropertyChange]?
    var listeners: [UnitListener] = []
    /// The device's listeners, to be removed when it is another.
    var watched: [PropertyListeners.Listener] = []
    /// Whether the device's side of a half was ever set.
    var isBound = false
    var voice = VoiceState()
    var node = NodeState()
  }

  let state = Mutex(State())
  let transport = Mutex<Void>(())
  private let handleBits = Atomic<UInt>(0)

  private static let next = Atomic<UInt>(0x10_0000)

  /// Makes one; nil where there is no memory for it.
  init?(_ description: AudioComponentDescription) {
    guard let output = ConversionHalf(description, isInput: false),
      let input = ConversionHalf(description, isInput: true)
    else { return nil }
    self.description = description
    self.output = output
    self.input = input
    number = Self.next.add(1, ordering: .relaxed).newValue
    if isVoice { state.withLock { $0.hasInput = true } }
  }

  /// Whether it only plays, on a device that is the default.
  var followsDefault: Bool {
    [kAudioUnitSubType_DefaultOutput, kAudioUnitSubType_SystemOutput].contains(
      description.componentSubType)
  }

  /// The host's handle.
  var handle: AudioUnitHandle? {
    unsafe UnsafeMutablePointer(bitPattern: handleBits.load(ordering: .acquiring))
  }

  /// Keeps the handle, and finds the device.
  func open(_ handle: AudioUnitHandle?) -> OSStatus {
    handleBits.store(UInt(bitPattern: handle), ordering: .releasing)
    for half in [output, input] {
      let status = unsafe half.open(handle)
      guard status == 0 else { return status }
    }
    cycle.connect(self)
    unsafe input.set(
      kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, value: cycle.source)
    bindDefault()
    watchDefault()
    if isRemote { PublishedUnits.add(self, handle: UInt(bitPattern: handle)) }
    return 0
  }

  /// Stops, and releases the device; in a call of it, what that call still uses is released after it.
  func close() {
    if isRemote {
      // A host may still be on its way out when the program has no unit any more.
      state.withLock { $0.listeners = [] }
      unsafe PublishedUnits.remove(handle: UInt(bitPattern: handle))
    }
    _ = stop()
    for listener in state.withLock({ state in
      defer { state.watched = [] }
      return state.watched
    }) {
      HardwareSystem.shared.listeners.remove(listener)
    }
    HardwareSystem.shared.listeners.remove(defaultListener)
    guard isInCall else {
      uninitialize()
      return
    }
    let thread = startThread {
      self.finishCalls()
      self.uninitialize()
    }
    if let thread { pthread_detach(thread) } else { _ = unsafe Unmanaged.passRetained(self) }
  }

  /// Whether the caller is in a call of its device or host. Context: any.
  private var isInCall: Bool {
    let (binding, device) = state.withLock { ($0.node.binding, $0.device) }
    return binding?.isCalling ?? false || device?.isCalling ?? false
  }

  /// Waits for the end of the calls that are under way. Context: control, in none of them.
  private func finishCalls() {
    let (binding, device) = state.withLock { ($0.node.binding, $0.device) }
    binding?.shut()
    device?.finishCalls()
  }

  /// The half of an element; nil for one that there is not.
  func half(_ element: AudioUnitElement) -> ConversionHalf? {
    switch element {
    case 0: output
    case 1 where !followsDefault: input
    default: nil
    }
  }

  // MARK: Life

  /// Prepares the halves in use for the device.
  func initialize() -> OSStatus {
    transport.withLock { _ in state.withLock { $0.isInitialized } ? 0 : prepare() }
  }

  /// Prepares the halves in use where the device has their sides. Context: under `transport`.
  func prepare() -> OSStatus {
    if let binding = state.withLock({ $0.node.binding }) { return prepare(for: binding) }
    let (hasOutput, hasInput, device) = state.withLock {
      ($0.hasOutput, $0.hasInput, $0.device)
    }
    guard hasOutput || hasInput, let device, device.isAlive else {
      return kAudioUnitErr_FailedInitialization
    }
    adoptFormats(of: device)
    if hasOutput, device.channelCount(isInput: false) == 0 {
      return kAudioUnitErr_FailedInitialization
    }
    if hasInput, device.channelCount(isInput: true) == 0 {
      return kAudioUnitErr_FailedInitialization
    }
    return prepareHalves(device)
  }

  /// Initializes the halves for the present device.
  func prepareHalves(_ device: HardwareDevice) -> OSStatus {
    let (hasOutput, hasInput) = state.withLock { ($0.hasOutput, $0.hasInput) }
    let most = max(state.withLock { $0.maximumFrames }, device.periodFrames)
    for (half, isUsed) in [(output, hasOutput), (input, hasInput)] where isUsed {
      let status = prepare(half, frames: most)
      guard status == 0 else {
        output.uninitialize()
        return status
      }
    }
    let voice = prepareVoice(device, frameCapacity: Int(max(most, Self.largestPeriod)))
    guard voice == 0 else {
      output.uninitialize()
      input.uninitialize()
      return voice
    }
    cycle.prepare(
      sampleRate: device.sampleRate, output: output, input: input, frameCapacity: Int(most))
    state.withLock {
      ($0.isInitialized, $0.isLoosened) = (true, false)
      $0.preparedFrames = most
    }
    return 0
  }

  /// Sets a map. A channel goes to the one of its number: surplus channels of one side are silent, or dropped. One
  /// channel plays on both sides of a device.
  /// Initializes a half for slices of so many frames, with the map of its channels.
  func prepare(_ half: ConversionHalf, frames: UInt32) -> OSStatus {
    half.set(kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, value: frames)
    setMap(state.withLock { half.isInput ? $0.inputMap : $0.outputMap }, of: half)
    return half.initialize()
  }

  /// A channel goes to the one of its number: what one side has more of is silent, or dropped. One channel plays on
  /// both sides of a device.
  private func setMap(_ map: [Int32], of half: ConversionHalf) {
    let inputs = Int32(half.format(kAudioUnitScope_Input).mChannelsPerFrame)
    let outputs = Int32(half.format(kAudioUnitScope_Output).mChannelsPerFrame)
    var wanted = map
    if wanted.isEmpty, inputs != outputs { wanted = (0..<outputs).map { $0 < inputs ? $0 : -1 } }
    if map.isEmpty, !half.isInput, inputs == 1, outputs >= 2 { wanted[1] = 0 }
    unsafe wanted.withUnsafeBytes { bytes in
      _ = unsafe half.set(
        kAudioOutputUnitProperty_ChannelMap, kAudioUnitScope_Output, bytes.baseAddress,
        UInt32(bytes.count))
    }
  }

  /// The largest period that a device can be set to.
  static let largestPeriod: UInt32 = 65_536

  /// Stops, and frees the memory of rendering.
  ///
  /// - Returns: `kAudioUnitErr_CannotDoInCurrentContext` in a call of its device, which still uses the memory.
  @discardableResult func uninitialize() -> OSStatus {
    _ = stop()
    guard !isInCall else { return kAudioUnitErr_CannotDoInCurrentContext }
    transport.withLock { _ in
      guard
        state.withLock({ state in
          defer {
            (state.isInitialized, state.isLoosened) = (false, false)
            state.preparedFrames = 0
          }
          return state.isInitialized
        })
      else { return }
      output.uninitialize()
      input.uninitialize()
    }
    return 0
  }
}

/// A property of an element that changed.
struct PropertyChange: Equatable {
  var property: AudioUnitPropertyID
  var scope: AudioUnitScope
  var element: AudioUnitElement
}

/// A host that listens to a property.
@safe struct UnitListener: @unchecked Sendable {
  // @unchecked Sendable because it is a C function and a pointer, which the host keeps valid.
  let property: AudioUnitPropertyID
  let procedure: AudioUnitPropertyListenerProc
  let context: UnsafeMutableRawPointer?
}
