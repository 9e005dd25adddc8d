// A running device: its ports, its clients, and its counters. The cycle is in the files beside this one.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
package import CAudioToolbox
import DriftCompensation
import Synchronization

/// Runs one device: waits for its ports, has clients render whole periods, and mends failures.
///
/// One thread calls `begin`, `cycle` and `end`; others may call members with that context. It
/// starts no thread, so that a test drives it in virtual time.
///
/// @unchecked Sendable because one thread uses it at a time, but for the atomics.
@safe package final class DeviceEngine: @unchecked Sendable {
  /// To the listener; nil for none.
  package let playback: (any PCMPort)?
  /// From the microphone; nil for none.
  package let capture: (any PCMPort)?
  let clock: any DeviceClock
  /// The object that clients receive as the device.
  package let deviceID: AudioObjectID
  /// The clients whose procedures are called.
  package let clients: IOClients
  let borrowedClients: Unmanaged<IOClients>
  /// The ports and the clock for the cycle, borrowed.
  let playbackPort: EnginePort?
  let capturePort: EnginePort?
  let engineClock: EngineClock
  /// The negotiated configuration of the output.
  package private(set) var output: PCMConfiguration?
  /// The negotiated configuration of the input.
  package private(set) var input: PCMConfiguration?
  /// Frames of a cycle.
  package private(set) var periodFrames = 0
  /// Frames a second (Hz).
  package private(set) var sampleRate = 0.0
  private(set) var outputExchange: SampleExchange?
  private(set) var inputExchange: SampleExchange?
  /// The device's sides of them, borrowed.
  private(set) var outputBlock: Unmanaged<PCMBlock>?
  private(set) var inputBlock: Unmanaged<PCMBlock>?
  /// Both exchanges, borrowed.
  private(set) var exchanges = EngineExchanges(output: nil, input: nil)
  var isLinked = false
  /// The ports in the order of waiting: the ones that follow the other's clock first.
  let waitOrder: (first: EnginePort?, second: EnginePort?)

  /// Counts; to be read by the owner's thread, or after the end.
  package var statistics = EngineStatistics()
  /// Counts for other threads.
  let overrunCount = Atomic<Int>(0)
  let breakCount = Atomic<Int>(0)
  let stopRequest = Atomic<Bool>(false)
  /// Whether a stop plays out the device's buffer.
  let drainsAtStop = Atomic<Bool>(false)
  /// The frame after the last one to be played; below 0: there is none.
  let lastFrame = Atomic<Int64>(-1)
  /// Frames done, for other threads.
  let frameCount = Atomic<Int64>(0)
  /// Frames of output at the connectors when that was known the last time.
  let presentedFrame = Atomic<Int64>(0)
  /// The last cycle: its sample time, when it began (ns), and the rate scalar.
  let lastCycle = CycleTime()
  /// Frames between the buffers and the connectors.
  let connectors = Mutex<ConnectorLatency?>(nil)
  /// Frames from a client's output to its input, over a wire; below 0: unknown.
  let roundTrip = Atomic<Int>(-1)
  /// Frames by which played sound comes after recorded sound, in the buffers.
  var outputLead = 0
  /// Called on the device's thread when sound ran out.
  package var onOverrun: (() -> Void)?

  /// Frames passed to the output since the start.
  var outputFrame: Int64 = 0
  var sampleTime = 0.0
  var loop: TimeLoop
  var lastWake: UInt64 = 0
  var wakeGap: UInt64 = 0
  var lastRender: UInt64 = 0
  var lastProgress: UInt64 = 0
  var restartsWithoutProgress = 0
  var idleWakes = 0
  /// Frames of the output that are encoded and not transferred yet.
  var pending = (first: 0, count: 0)
  var isDraining = false
  var drainDeadline: UInt64 = 0
  /// Whether the device has no hardware clock, and when that was found.
  var pace: (start: UInt64, frames: Int64)?
  var startTime: UInt64 = 0
  var startFrames: Int64 = 0

  /// Makes an engine over ports that are not configured.
  package init(
    playback: (any PCMPort)?, capture: (any PCMPort)?, clock: any DeviceClock,
    deviceID: AudioObjectID = 0, clients: IOClients = IOClients()
  ) {
    self.playback = playback
    self.capture = capture
    self.clock = clock
    self.deviceID = deviceID
    self.clients = clients
    unsafe borrowedClients = Unmanaged.passUnretained(clients)
    playbackPort = playback.map { EnginePort($0) }
    capturePort = capture.map { EnginePort($0) }
    engineClock = EngineClock(clock)
    waitOrder =
      capture?.isFollower ?? false ? (capturePort, playbackPort) : (playbackPort, capturePort)
    loop = TimeLoop(periodFrames: 1, sampleRate: 48_000)
  }

  deinit { exchanges.deallocate() }

  /// Negotiates with the ports.
  ///
  /// - Throws: The refusal of a port; `.badData` if the two sides do not agree on a rate.
  ///
  /// Context: control, before the first `begin`.
  package func configure(
    output outputRequest: PCMRequest, input inputRequest: PCMRequest? = nil
  ) throws(AuricleError) {
    if playback?.isFollower ?? false {
      input = try capture?.configure(inputRequest ?? outputRequest)
      output = try playback?.configure(outputRequest.agreeing(with: input))
    } else {
      output = try playback?.configure(outputRequest)
      input = try capture?.configure((inputRequest ?? outputRequest).agreeing(with: output))
    }
    guard let main = output ?? input else {
      throw AuricleError(.unavailable, "the device has neither an output nor an input")
    }
    if let input, input.sampleRate != main.sampleRate {
      throw AuricleError(
        .badData,
        "\(capture?.name ?? "the input") runs at \(Int(input.sampleRate)) Hz and its output at "
          + "\(Int(main.sampleRate)) Hz: choose a rate that both have, of a file by "
          + "rate=\(Int(input.sampleRate))")
    }
    sampleRate = main.sampleRate
    periodFrames = main.periodFrames
    outputLead = output?.bufferFrames ?? 0
    outputExchange = output.map { SampleExchange($0, frameCapacity: periodFrames) }
    inputExchange = input.map { SampleExchange($0, frameCapacity: periodFrames) }
    exchanges.deallocate()
    exchanges = EngineExchanges(output: outputExchange, input: inputExchange)
    unsafe (outputBlock, inputBlock) = unsafe (exchanges.outputBlock, exchanges.inputBlock)
    loop = TimeLoop(periodFrames: periodFrames, sampleRate: sampleRate)
    if let playback, let capture { isLinked = playback.link(capture) }
  }

  /// Asks the thread to stop; it ends within a period, or after the device's buffer was played.
  ///
  /// Context: any thread.
  package func requestStop(drains: Bool = false) {
    drainsAtStop.store(drains, ordering: .releasing)
    stopRequest.store(true, ordering: .releasing)
    playback?.wake()
    capture?.wake()
  }

  /// Whether the thread was asked to stop. Context: any thread.
  package var isStopping: Bool { stopRequest.load(ordering: .acquiring) }

  /// Withdraws the request to stop. Context: in a client's call.
  package func withdrawStop() { stopRequest.store(false, ordering: .releasing) }

  /// Makes the device end once so many frames of output were played. Context: any thread.
  @_noLocks package func finish(afterFrame frame: Int64) {
    lastFrame.store(max(0, frame), ordering: .releasing)
  }

  /// Counts sound that ran out on a device that follows this one. Context: the device's thread.
  func followerRanOut() {
    statistics.otherOverruns += 1
    overrunCount.add(1, ordering: .relaxed)
    onOverrun?()
  }

  /// Times that sound ran out. Context: any thread.
  package var overruns: Int { overrunCount.load(ordering: .relaxed) }

  /// Number of times that the device was started anew, for any reason: each breaks its time line. Context: any
  /// thread.
  package var breaks: Int { breakCount.load(ordering: .relaxed) }

  /// Frames done since the start. Context: any thread.
  package var framesDone: Int64 { frameCount.load(ordering: .relaxed) }

  /// Frames of output that were presented at the last wake; after the end, those certain to have
  /// been.
  /// Context: any thread.
  package var framesPresented: Int64 { presentedFrame.load(ordering: .acquiring) }

  /// The last cycle: its sample time, when it began (ns), and the rate scalar; nil before the first.
  /// Context: any thread.
  package var presentTime: (sample: Double, host: UInt64, scalar: Double)? {
    lastCycle.value
  }

  /// Frames from the present of a cycle to the first frame that it plays. Context: any thread of a device that runs.
  package var outputDelay: Double { Double(outputLead - periodFrames) }

  /// Nanoseconds of the device's clock. Context: any thread of a device whose clock is real.
  package var now: UInt64 { clock.now() }

  /// Whether its seconds are those of the world; false where clients may keep it waiting.
  package var isRealTime: Bool { clock.isReal }

  /// Nanoseconds of a number of frames.
  @_noLocks func nanoseconds(_ frames: Int) -> UInt64 {
    UInt64(Double(frames) * 1e9 / max(1, sampleRate))
  }

  /// The longest wait before the device is checked: ten periods, at least 100 ms.
  var timeout: UInt64 {
    @_noLocks get { max(10 * nanoseconds(periodFrames), 100_000_000) }
  }
}

extension PCMRequest {
  /// The same at the rate and the period of the other side, where there is one.
  fileprivate func agreeing(with other: PCMConfiguration?) -> PCMRequest {
    guard let other else { return self }
    var request = self
    request.sampleRate = other.sampleRate
    request.periodFrames = other.periodFrames
    return request
  }
}
