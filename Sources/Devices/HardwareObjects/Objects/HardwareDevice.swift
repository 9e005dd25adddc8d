// One device as an object: its identity and settings, and its thread while anyone plays or records.
// SPDX-License-Identifier: Apache-2.0

package import AudioHardware
import AudioTypes
package import CAudioToolbox
import Glibc
import Synchronization

/// A device of the system object.
///
/// @unchecked Sendable because changing state is under its lock; the lock is held neither during calls of
/// clients nor while waiting for the thread.
package final class HardwareDevice: @unchecked Sendable {
  /// The numbers of objects for a device: its own, its streams', its controls'.
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
    /// Whether its sound server does not run; nil where that was not asked yet.
    var isUnserved: Bool?
    var sampleRate: Double?
    var periodFrames: UInt32 = 512
    var hogOwner: pid_t = -1
    var cycleUsage: Float = 1
    var stereo: [Bool: (UInt32, UInt32)] = [:]
    var sides: [Bool: DeviceProbe?] = [:]
    var formats: [Bool: PCMFormat] = [:]
    var thread: DeviceThread?
    var openSides: DeviceSides = []
    /// Whether it was open before.
    var hasRun = false
    /// Frames between its buffers and its connectors, as the last run reported.
    var latency = ConnectorLatency()
    /// The sides that each running client wants open, by its number.
    var wants: [UInt: DeviceSides] = [:]
  }

  let state: Mutex<State>
  let mixing = Mutex(Mixing())
  /// Starting and stopping, one at a time.
  let starting = Mutex<Void>(())

  init(_ listing: DeviceListing, system: HardwareSystem, firstID: AudioObjectID) {
    state = Mutex(State(listing: listing))
    self.system = system
    id = firstID
    outputStream = firstID + 1
    inputStream = firstID + 2
  }

  /// The entry of the list of devices.
  package var listing: DeviceListing { state.withLock { $0.listing } }
  /// The kind of aggregate devices in the list.
  static let aggregateKind = "aggregate"

  /// The name that is the same on every day: ALSA's name, which has the card's own name in it.
  package var uid: String { listing.name }

  /// Whether its seconds are those of the world; false where clients may keep it waiting. Context: control.
  package var isRealTime: Bool {
    if let composition { return runsInRealTime(composition) }
    return (try? DeviceKinds.device(named: listing.name).isRealTime) ?? true
  }
  /// Whether it is there.
  package var isAlive: Bool { state.withLock { $0.isAlive } }
  /// Whether it was open before.
  var hasRun: Bool { state.withLock { $0.hasRun } }
  /// Whether its thread runs.
  package var isRunning: Bool { state.withLock { $0.thread != nil } }

  /// The abilities of a side; nil where there is none, or it cannot be opened. Probed once.
  package func probe(isInput: Bool) -> DeviceProbe? {
    guard isInput ? listing.hasInput : listing.hasOutput else { return nil }
    if let known = state.withLock({ $0.sides[isInput] }) { return known }
    // A device that runs cannot be opened again; its running settings are known.
    let found =
      if let composition {
        probe(composition, isInput: isInput)
      } else {
        try? DeviceProbe(listing.name, isInput ? .capture : .playback)
      }
    state.withLock { $0.sides[isInput] = .some(found) }
    return found
  }

  /// Whether it reaches a sound server that does not run. Asked once until `askAnew`. Context: control.
  var isUnserved: Bool {
    guard listing.needsServer, !listing.isDefault, !isRunning else { return false }
    if let known = state.withLock({ $0.isUnserved }) { return known }
    let found = probe(isInput: false) == nil && probe(isInput: true) == nil
    state.withLock { $0.isUnserved = found }
    return found
  }

  /// Marks a device whose server did not run to be probed anew.
  func askAnew() {
    state.withLock { state in
      guard state.isUnserved == true else { return }
      state.isUnserved = nil
      state.sides = [:]
    }
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

  var request: PCMRequest {
    var request = PCMRequest()
    request.sampleRate = sampleRate
    request.periodFrames = Int(periodFrames)
    return request
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
    guard sides.allSatisfy({ $0.accepts(sampleRate: rate) }) else {
      throw .init(kAudioDeviceUnsupportedFormatError)
    }
    guard rate != sampleRate else { return }
    apply { $0.sampleRate = rate }
    system.listeners.changed(id, kAudioDevicePropertyNominalSampleRate)
    system.listeners.changed(id, kAudioDevicePropertyStreamFormat)
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
    guard periodFrames != before else { return }
    for selector in [
      kAudioDevicePropertyBufferFrameSize, kAudioDevicePropertyBufferSize,
      kAudioDevicePropertySafetyOffset,
    ] {
      system.listeners.changed(id, selector)
    }
  }

  /// Changes the starting settings of a thread, around a stop and a start if it runs.
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
