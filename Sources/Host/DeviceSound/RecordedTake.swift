// The file that is recorded, and the chain in front of it.
// SPDX-License-Identifier: Apache-2.0

import AudioHardware
import AudioTypes
import FileRendering
import Glibc
import HostSystem

/// A recording of frames from a queue through the chain into a file that is always whole.
///
/// Context: one control thread.
final class Recording {
  private let writer: WaveWriter
  private let chain: FedChain?
  private let channelCount: Int
  private let sampleRate: Double
  private let limit: Int64?
  private let exchange: SampleExchange
  private let rows: PlanarBuffer
  private var samples: [Float]
  /// Frames of the chain's latency that are still to be left out.
  private var early: Int
  /// Frames fetched from the device.
  private var used: Int64 = 0

  /// The most frames that go through the chain at once.
  static let sliceFrames = 1024

  /// - Parameter chain: The chain in front of the file; nil for none.
  init(_ request: RecordRequest, _ input: PCMConfiguration, _ chain: FedChain?) throws {
    channelCount = input.channelCount
    sampleRate = input.sampleRate
    limit = request.duration.map { Int64(($0 * input.sampleRate).rounded()) }
    let format = try Self.format(request, input)
    self.chain = chain
    early = chain?.latencyFrames ?? 0
    let kept = PCMConfiguration(
      format: format, isPlanar: false, channelCount: input.channelCount,
      sampleRate: input.sampleRate, periodFrames: Self.sliceFrames, bufferFrames: Self.sliceFrames)
    exchange = SampleExchange(kept, frameCapacity: Self.sliceFrames)
    rows = PlanarBuffer(channelCount: input.channelCount, frameCapacity: Self.sliceFrames)
    samples = Array(repeating: 0, count: Self.sliceFrames * input.channelCount)
    writer = try WaveWriter(
      path: request.output, format: format, sampleRate: input.sampleRate,
      channelCount: input.channelCount, request.overwrites ? .replaces : .refuses)
  }

  /// Refuses an encoding that recordings do not have, and a name that is in use.
  ///
  /// - Throws: `.usage`, `.inputOutput`.
  static func check(_ request: RecordRequest) throws(AuricleError) {
    _ = try format(of: request.encoding)
    if FileIdentity.exists(request.output), !request.overwrites {
      throw WaveWriter.alreadyThere(request.output)
    }
    let folder = AtomicFile.split(request.output).folder
    if FileIdentity.of(folder) == nil { throw FileIdentity.absence(of: folder, .folder) }
  }

  /// The format of an encoding; nil for none.
  private static func format(of encoding: String?) throws(AuricleError) -> PCMFormat? {
    switch encoding {
    case "pcm16": .signed16Little
    case "pcm24": .packed24Little
    case "pcm32": .signed32Little
    case "float32": .float32Little
    case let other?:
      throw AuricleError(.usage, "--encoding takes pcm16, pcm24, pcm32 or float32, not '\(other)'")
    case nil: nil
    }
  }

  /// The bits of the device; float after a chain.
  private static func format(
    _ request: RecordRequest, _ input: PCMConfiguration
  ) throws(AuricleError) -> PCMFormat {
    if let chosen = try Self.format(of: request.encoding) { return chosen }
    if request.chain != nil || input.format.isFloat { return .float32Little }
    switch input.format.bitCount {
    case 16: return .signed16Little
    case 24: return .packed24Little
    default: return .signed32Little
    }
  }

  /// Frames kept.
  var frameCount: Int64 { writer.frameCount }
  /// Seconds kept.
  var seconds: Double { Double(writer.frameCount) / sampleRate }
  /// Whether the duration is over.
  var isFull: Bool { limit.map { writer.frameCount >= $0 } ?? false }

  /// Records the waiting frames, up to a slice; returns their number.
  func keepSound(from queue: SoundQueue) throws -> Int {
    let count = unsafe samples.withUnsafeMutableBufferPointer { buffer -> Int in
      guard let start = buffer.baseAddress else { return 0 }
      return unsafe queue.dequeue(start, frameCount: Self.sliceFrames)
    }
    guard count > 0 else { return 0 }
    used += Int64(count)
    try keep(count)
    return count
  }

  private func keep(_ count: Int) throws {
    guard let chain else { return try store(from: 0, count) }
    for channel in 0..<channelCount {
      let row = unsafe rows.rows[channel]
      for frame in 0..<count { unsafe row[frame] = samples[frame * channelCount + channel] }
    }
    let made = try unsafe chain.render(rows.rows, frameCount: count)
    for channel in 0..<channelCount {
      let row = unsafe made[channel]
      for frame in 0..<count { samples[frame * channelCount + channel] = unsafe row[frame] }
    }
    let skipped = min(early, count)
    early -= skipped
    try store(from: skipped, count - skipped)
  }

  private func store(from first: Int, _ count: Int) throws(AuricleError) {
    var count = count
    if let limit { count = min(count, Int(clamping: limit - writer.frameCount)) }
    guard count > 0 else { return }
    for index in 0..<(count * channelCount) {
      unsafe exchange.samples[index] = samples[first * channelCount + index]
    }
    exchange.setFrameCount(count)
    exchange.encode(frameCount: count)
    let status = unsafe writer.write(exchange.block.address(frame: 0), frameCount: count)
    guard status == 0 else {
      writer.close()
      throw systemError(status, "write", writer.path)
    }
  }

  /// Keeps the frames that the chain still holds, and closes the file.
  func finish() throws {
    if chain != nil {
      var left = Int(clamping: used - writer.frameCount)
      while left > 0, !isFull {
        let count = min(left, Self.sliceFrames)
        for index in 0..<(count * channelCount) { samples[index] = 0 }
        try keep(count)
        left -= count
      }
    }
    writer.close()
  }

  /// Closes the file with the sound so far.
  func breakOff() { writer.close() }
}
