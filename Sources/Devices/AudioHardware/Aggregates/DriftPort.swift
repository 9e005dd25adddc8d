// A port with its own clock that is used by the clock of another device.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import DriftCompensation
import Glibc

/// One direction of a device that follows another device's clock. Frames in either direction pass a
/// filter. Its ratio moves, so that as much sound waits between the clocks as at first.
///
/// It never keeps its owner waiting: a side that runs dry is silent and counted, while the other
/// device runs.
package final class DriftPort: PCMPort {
  /// The behaviour of a device that follows.
  package struct Traits: Sendable, Equatable {
    /// Whether the speed moves; else sound is left out, or silence put in, when a period has gathered.
    package var compensates = true
    /// The filter, 0 to 127 as Core Audio counts it.
    package var quality: UInt32 = 64
    /// Further frames to be held back.
    package var extraFrames = 0.0
    /// Follows with the usual filter.
    package init() {}
  }

  let inner: any PCMPort
  /// The port whose clock is followed.
  let main: any PCMPort
  let clock: any DeviceClock
  let traits: Traits
  var made: PCMConfiguration?
  var own: PCMConfiguration?
  var exchange: SampleExchange?
  var resampler: DriftResampler?
  var loop = DriftLoop(sampleRate: 48_000)
  var mainTime = TimeLoop(periodFrames: 1, sampleRate: 48_000)
  var ownTime = TimeLoop(periodFrames: 1, sampleRate: 48_000)
  /// The speed that is being moved to: input frames for one output frame.
  var target = 1.0
  /// Frames of the owner, and frames of the device, done since it was prepared.
  var ownersFrames: Int64 = 0
  var devicesFrames: Int64 = 0
  /// Positions at the last measurement; nil before the first.
  var mainMark: Mark?
  var ownMark: Mark?
  var isAligned = false
  var lastMove: UInt64 = 0
  var restartsWithoutProgress = 0
  /// The place in a burst at which the position was read, 0 to 1; whether it was in this cycle, and
  /// the result.
  private var turn = 0.0
  var hasRead = false
  var failure: Int32 = 0

  /// A position, the driver's time of it, and the smoothed time.
  struct Mark {
    var position: Int64
    var stamp: UInt64
    var smoothed: Double
  }

  /// Frames of the device that are held back for jitter and the filter.
  package private(set) var heldFrames = 0
  /// The last error: frames of the device that were held beyond those.
  package internal(set) var error = 0.0
  /// Times that it ran dry, and times that sound was left out or silence put in.
  package internal(set) var overruns = 0
  package internal(set) var jumps = 0
  /// Called on the device's thread when it ran dry.
  package var onOverrun: (() -> Void)?

  /// Makes a port that follows another.
  package init(
    _ inner: any PCMPort, following main: any PCMPort, clock: any DeviceClock,
    traits: Traits = Traits()
  ) {
    self.inner = inner
    self.main = main
    self.clock = clock
    self.traits = traits
  }

  /// The device's name.
  package var name: String { inner.name }
  /// Direction of the sound.
  package var direction: PCMDirection { inner.direction }
  /// True.
  package var isFollower: Bool { true }
  /// The speed of reading, relative to the usual one; 1 where nothing moves.
  package var ratio: Double { target / usualStep }

  /// Input frames for one output frame, by the nominal rates.
  var usualStep: Double {
    guard let made, let own else { return 1 }
    return direction == .capture
      ? own.sampleRate / made.sampleRate : made.sampleRate / own.sampleRate
  }

  /// Asks for the other's rate and a buffer for the reserve of frames; another rate is converted.
  package func configure(_ request: PCMRequest) throws(AuricleError) -> PCMConfiguration {
    let period = request.periodFrames
    var wanted = request
    let reserve = Int((request.sampleRate * Self.lateness).rounded(.up))
    wanted.periodCount = 2 * request.periodCount + 4 + (2 * reserve + 512) / max(1, period)
    let own = try inner.configure(wanted)
    self.own = own
    let seen = PCMConfiguration(
      format: .native, isPlanar: false, channelCount: own.channelCount,
      sampleRate: request.sampleRate, periodFrames: period,
      bufferFrames: period * max(2, request.periodCount))
    made = seen
    let most = max(own.bufferFrames, 2 * period + 64)
    exchange = SampleExchange(own, frameCapacity: most)
    let resampler = DriftResampler(
      channelCount: own.channelCount, step: usualStep, compensates: traits.compensates,
      quality: traits.quality, maximumPush: most, ahead: 2 * (most + reserve))
    self.resampler = resampler
    let filter =
      direction == .capture ? Double(resampler.reach) : Double(resampler.reach) / usualStep
    heldFrames = min(
      own.periodFrames + Int(own.sampleRate * Self.lateness + filter + traits.extraFrames),
      own.bufferFrames / 2)
    // A position that moves by bursts is less exact: all is slower.
    loop = DriftLoop(sampleRate: seen.sampleRate, width: own.isBatch ? 0.0025 : 0.005)
    let width = own.isBatch ? 0.008 : 0.05
    mainTime = TimeLoop(periodFrames: period, sampleRate: seen.sampleRate, width: width)
    ownTime = TimeLoop(
      periodFrames: period, sampleRate: own.sampleRate, width: width,
      limit: own.isBatch ? .infinity : 200_000)
    target = usualStep
    return seen
  }

  /// The lateness of a thread's wakes (s), as measured on a busy machine.
  private static let lateness = 0.005

  /// Begins with the reserve of frames as silence.
  package func prepare() -> Int32 {
    let status = inner.prepare()
    guard status == 0 else { return status }
    resampler?.reset()
    (ownersFrames, devicesFrames) = (0, 0)
    beginAnew()
    if direction == .playback { return writeSilence(heldFrames) }
    resampler?.pushSilence(heldFrames)
    return 0
  }

  /// Forgets where both clocks were.
  func beginAnew() {
    mainTime.reset()
    ownTime.reset()
    loop.reset()
    (mainMark, ownMark, isAligned, failure) = (nil, nil, false, 0)
  }

  /// Writes silence to a device that does not run yet.
  func writeSilence(_ frameCount: Int) -> Int32 {
    guard let exchange else { return -EBADFD }
    exchange.block.clear()
    var left = frameCount
    while left > 0 {
      let count = inner.transfer(
        exchange.block, from: 0, frameCount: min(left, exchange.frameCapacity))
      guard count > 0 else { return count == 0 ? 0 : Int32(clamping: count) }
      devicesFrames += Int64(count)
      left -= count
    }
    return 0
  }

  /// Starts the device's clock.
  package func start() -> Int32 { inner.start() }

  /// Returns at once: the other device is waited for.
  ///
  /// Where the position moves by bursts it is read now, at another moment of the burst each time.
  /// The mean of such positions has no beat with the other's periods.
  package func wait(frameCount: Int, timeout: UInt64) -> PCMWait {
    guard let made, let own, own.isBatch, let resampler, main.available() < made.periodFrames
    else { return .ready }
    turn = (turn + 0.6180339887).truncatingRemainder(dividingBy: 1)
    let span = min(1e6, 0.5e9 * Double(made.periodFrames) / made.sampleRate)
    clock.sleep(until: clock.now() &+ UInt64(turn * span))
    failure = measure(resampler)
    hasRead = true
    return .ready
  }

  /// As many as the other has.
  package func available() -> Int { Int.max / 4 }

  /// The state of the device; a run that went dry is mended here.
  package func status() -> PCMStatus {
    var status = inner.status()
    if [.overrun, .suspended].contains(status.state) { status.state = .running }
    status.position = nil
    status.stamp = 0
    return status
  }

  /// It starts anew instead.
  package func resume() -> Int32 { -ENOSYS }
  /// Stops at once.
  package func drop() { inner.drop() }
  /// Closes the device.
  package func close() { inner.close() }
  /// Ends a wait of the owner.
  package func wake() { inner.wake() }
}
