// The network at the far end of a computed port, and as a port that goes by the clock of another.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import Glibc
import NetworkSound
import RealtimeSupport

/// Played frames go to the network.
@safe final class NetworkSink: PortEnd {
  private let device: NetworkDevice
  private var link: SenderLink?
  private var feed: UnsafeMutablePointer<SenderFeed>?

  init(_ device: NetworkDevice) { self.device = device }

  deinit { finish() }

  /// Floats.
  var format: PCMFormat? { .native }
  /// That of the name.
  var sampleRate: Double? { device.sampleRate }
  /// That of the name.
  var channelCount: Int? { device.channelCount }

  /// Opens the sending end.
  func begin(_ configuration: PCMConfiguration) throws(AuricleError) {
    finish()
    let made = try device.sender(
      sampleRate: configuration.sampleRate, channelCount: configuration.channelCount)
    link = made
    unsafe feed = .allocate(capacity: 1)
    unsafe feed?.initialize(to: SenderFeed(made))
  }

  /// Hands frames over.
  func consume(_ bytes: UnsafeRawPointer, frameCount: Int, time: UInt64) -> Int32 {
    unsafe feed?.pointee.write(
      bytes.assumingMemoryBound(to: Float.self), frameCount: frameCount,
      now: RenderClock.nanoseconds())
    return 0
  }

  /// Says farewell.
  func finish() {
    link?.end()
    unsafe feed?.deinitialize(count: 1)
    unsafe feed?.deallocate()
    unsafe feed = nil
    link = nil
  }
}

/// Recorded frames come from the network.
@safe final class NetworkSource: PortEnd {
  private let device: NetworkDevice
  private var link: ReceiverLink?
  private var reader: UnsafeMutablePointer<PlayoutReader>?

  init(_ device: NetworkDevice) { self.device = device }

  deinit { finish() }

  /// Floats.
  var format: PCMFormat? { .native }
  /// Any: the reader brings the stream to it.
  var sampleRate: Double? { nil }
  /// That of the name.
  var channelCount: Int? { device.channelCount }

  /// Opens the receiving end.
  func begin(_ configuration: PCMConfiguration) throws(AuricleError) {
    finish()
    let feed = SoundFeed(
      sampleRate: configuration.sampleRate, channelCount: configuration.channelCount,
      board: SoundBoard())
    link = try device.receiver(feed)
    unsafe reader = .allocate(capacity: 1)
    unsafe reader?.initialize(
      to: PlayoutReader(
        feed, latency: device.latency / 1000, maximumFrames: configuration.bufferFrames))
  }

  /// Reads what came, and silence for what did not.
  func produce(_ bytes: UnsafeMutableRawPointer, frameCount: Int, time: UInt64) -> Int {
    unsafe reader?.pointee.read(
      bytes.assumingMemoryBound(to: Float.self), frameCount: frameCount,
      now: RenderClock.nanoseconds())
    return frameCount
  }

  /// Says farewell.
  func finish() {
    link?.end()
    unsafe reader?.deinitialize(count: 1)
    unsafe reader?.deallocate()
    unsafe reader = nil
    link = nil
  }
}

/// A far end that is used by the clock of another device: it never keeps its owner waiting.
final class FollowingPort: PCMPort {
  let name: String
  let direction: PCMDirection
  private let end: any PortEnd
  private var made: PCMConfiguration?
  private var state = PCMState.open

  init(name: String, direction: PCMDirection, end: any PortEnd) {
    self.name = name
    self.direction = direction
    self.end = end
  }

  /// True.
  var isFollower: Bool { true }

  /// Accepts what the other device has.
  func configure(_ request: PCMRequest) throws(AuricleError) -> PCMConfiguration {
    if let rate = end.sampleRate, rate != request.sampleRate {
      throw AuricleError(
        .badData,
        "\(name) has rate=\(Int(rate)) and the other device \(Int(request.sampleRate)) Hz: leave "
          + "rate= out, or choose a device of that rate")
    }
    let configuration = PCMConfiguration(
      format: .native, isPlanar: false, channelCount: end.channelCount ?? request.channelCount ?? 2,
      sampleRate: request.sampleRate, periodFrames: request.periodFrames,
      bufferFrames: request.periodFrames * max(2, request.periodCount))
    try end.begin(configuration)
    made = configuration
    return configuration
  }

  func prepare() -> Int32 {
    state = .prepared
    return made == nil ? -EBADFD : 0
  }

  func start() -> Int32 {
    state = .running
    return end.start()
  }

  func wait(frameCount: Int, timeout: UInt64) -> PCMWait { .ready }

  /// As many as the other device has.
  func available() -> Int {
    guard direction == .playback, state != .running, let made else { return Int.max / 4 }
    // A buffer is filled before the start.
    return made.bufferFrames
  }

  func transfer(_ block: PCMBlock, from first: Int, frameCount: Int) -> Int {
    guard frameCount > 0 else { return -Int(EAGAIN) }
    if direction == .capture {
      return unsafe end.produce(block.address(frame: first), frameCount: frameCount, time: 0)
    }
    let status = unsafe end.consume(block.address(frame: first), frameCount: frameCount, time: 0)
    return status < 0 ? Int(status) : frameCount
  }

  func status() -> PCMStatus { PCMStatus(state: state) }
  func resume() -> Int32 { -ENOSYS }
  func drop() { state = .open }
  func close() { end.finish() }
  func wake() {}
}
