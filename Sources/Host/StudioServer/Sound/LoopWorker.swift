// A sandboxed process that renders a stream of blocks through one chain, while its parameters change.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CHostSystem
import Glibc
import HostSystem

/// A worker for one chain, as the packages of other languages use it. It ends with the thread that made it.
@safe final class LoopWorker {
  private let process: pid_t
  private let handle: Int32
  private let requests: Int32
  private let answers: Int32
  private let blocks: Int32
  private let signs: UnsafeMutableRawPointer
  private var received: [UInt8] = []
  private let memory: UnsafeMutableRawPointer
  private let memorySize: Int
  private let channelCount: Int
  /// The frames of a block.
  let blockFrames: Int
  private var hasEnded = false
  /// The units of the open stream.
  private(set) var stageCount = 0
  /// The longest time without a sign of life, in milliseconds.
  private static let longestSilence: Int32 = 10_000

  /// Starts a worker.
  ///
  /// - Parameters:
  ///   - text: The preset.
  ///   - readable: Files that its plug-ins may read.
  ///   - channelCount: Channels of the chain.
  ///   - blockFrames: Frames of a block.
  ///   - seed: The seed of random values.
  /// - Throws: Why the chain cannot be made.
  init(
    _ program: String, text: String, readable: [String], channelCount: Int, blockFrames: Int,
    seed: Int = 0
  ) throws {
    (self.channelCount, self.blockFrames) = (channelCount, blockFrames)
    memorySize = 4 * channelCount * blockFrames
    let files = (0..<3).map { _ in AuricleMakeSharedMemory(4096) }
    blocks = AuricleMakeSharedMemory(memorySize)
    let beats = AuricleMakeSharedMemory(AuricleHeartbeatSize())
    var (asking, answering): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    let isMade = unsafe AuriclePrivatePipe(&asking) == 0 && AuriclePrivatePipe(&answering) == 0
    let shared = unsafe mmap(
      nil, AuricleHeartbeatSize(), PROT_READ | PROT_WRITE, MAP_SHARED, beats, 0)
    let rows = unsafe mmap(nil, memorySize, PROT_READ | PROT_WRITE, MAP_SHARED, blocks, 0)
    guard isMade, blocks >= 0, let shared = unsafe shared, unsafe shared != MAP_FAILED,
      let rows = unsafe rows, unsafe rows != MAP_FAILED
    else {
      throw systemError(errno, "make", "shared memory")
    }
    unsafe signs = shared
    unsafe memory = rows
    var launch = ProcessLaunch(program, ["serve-arrays", "10,11,12,13,14,-1"])
    launch.files = [
      (asking[0], STDIN_FILENO), (answering[1], STDOUT_FILENO), (files[0], 10), (files[1], 11),
      (blocks, 12), (beats, 13), (files[2], 14),
    ]
    (launch.leadsGroup, launch.hidesCrashes) = (true, true)
    let started = launch.startWithHandle()
    for end in files + [beats, asking[0], answering[1]] { close(end) }
    (process, handle) = (started.process, started.handle)
    (requests, answers) = (asking[1], answering[0])
    guard started.error == 0 else {
      hasEnded = true
      throw systemError(started.error, "start", "a process for plug-ins")
    }
    _ = try ask(
      .members([
        ("text", .string(text)), ("name", "chain"),
        ("readable", .array(readable.map(JSONValue.string))), ("seed", JSONValue(seed)),
      ]))
  }

  deinit {
    if !hasEnded {
      kill(-process, SIGKILL)
      kill(process, SIGKILL)
      var status: Int32 = 0
      retrying { unsafe waitpid(process, &status, 0) }
    }
    for end in [requests, answers, blocks, handle] where end >= 0 { close(end) }
    unsafe munmap(memory, memorySize)
    unsafe munmap(signs, AuricleHeartbeatSize())
  }

  // MARK: A stream

  /// Begins a stream anew: units forget their past.
  ///
  /// - Parameter sampleRate: Frames a second.
  func open(sampleRate: Double) throws {
    let answer = try ask(
      .members([
        ("op", "open"), ("channels", JSONValue(channelCount)), ("frames", JSONValue(blockFrames)),
        ("rate", JSONValue(sampleRate)),
      ]))
    stageCount = answer["stages"]?.elements?.count ?? 0
  }

  /// Has streams that are opened from now on go through another chain of the same units and files.
  ///
  /// - Returns: False where a new process is needed, which also finds the faults of the chain.
  func use(_ text: String) -> Bool {
    (try? ask(.members([("op", "chain"), ("text", .string(text))]))) != nil
  }

  /// A parameter that is set in front of a block.
  struct Change: Equatable {
    /// The number of the unit in the chain, from 0.
    var stage: Int
    var parameter: String
    var value: String
  }

  /// Renders a block of interleaved frames in place.
  ///
  /// - Returns: The latency of the chain in frames.
  func render(_ samples: inout [Float], _ changes: [Change] = []) throws -> Int {
    let count = samples.count / channelCount
    let rows = unsafe memory.assumingMemoryBound(to: Float.self)
    for channel in 0..<channelCount {
      for frame in 0..<count {
        unsafe rows[channel * blockFrames + frame] = samples[frame * channelCount + channel]
      }
    }
    let latency = try renderBlock(count, changes)
    for channel in 0..<channelCount {
      for frame in 0..<count {
        unsafe samples[frame * channelCount + channel] = rows[channel * blockFrames + frame]
      }
    }
    return latency
  }

  /// Renders a block of the same samples in every channel, and appends what came out to a row for each.
  ///
  /// - Returns: The latency of the chain in frames.
  func render(
    _ samples: ArraySlice<Float>, into made: inout [[Float]], _ changes: [Change] = []
  ) throws -> Int {
    let rows = unsafe memory.assumingMemoryBound(to: Float.self)
    unsafe samples.withUnsafeBufferPointer { samples in
      guard let first = samples.baseAddress else { return }
      for channel in 0..<channelCount {
        unsafe (rows + channel * blockFrames).update(from: first, count: samples.count)
      }
    }
    let latency = try renderBlock(samples.count, changes)
    for channel in 0..<channelCount {
      unsafe made[channel].append(
        contentsOf: UnsafeBufferPointer(start: rows + channel * blockFrames, count: samples.count))
    }
    return latency
  }

  /// Renders what lies in the shared memory.
  private func renderBlock(_ count: Int, _ changes: [Change]) throws -> Int {
    let answer = try ask(
      .members([
        ("op", "block"), ("n", JSONValue(count)),
        (
          "set",
          changes.isEmpty
            ? nil
            : .array(
              changes.map {
                .array([JSONValue($0.stage), .string($0.parameter), .string($0.value), 0])
              })
        ),
      ]))
    return answer["latency"]?.integer ?? 0
  }

  // MARK: Lines

  private func ask(_ request: JSONValue) throws -> JSONValue {
    let failure = FileTransfer.writeAll(Array((request.compactText + "\n").utf8), to: requests)
    guard failure == 0 else { throw crash() }
    let line = try line()
    guard let answer = JSONValue(line) else {
      throw StudioFault(
        .software, "\(unit ?? "a unit") has written into the answers of its process")
    }
    if let text = answer["error"]?.text {
      let code = answer["code"]?.integer.flatMap { Int32(exactly: $0) } ?? 70
      let kind = StudioFault.kind(of: AuricleError.Category(rawValue: code) ?? .software)
      throw StudioFault(kind, text, place: unit.map { .members([("unit", .string($0))]) })
    }
    return answer
  }

  private func line() throws -> [UInt8] {
    var block = [UInt8](repeating: 0, count: 1 << 16)
    var last = progress
    while true {
      if let end = received.firstIndex(of: 0x0A) {
        let line = Array(received[..<end])
        received.removeSubrange(...end)
        return line
      }
      var entry = pollfd(fd: answers, events: Int16(POLLIN), revents: 0)
      let ready = retrying { unsafe poll(&entry, 1, Self.longestSilence) }
      if ready == 0 {
        let now = progress
        guard now != last else {
          throw StudioFault(
            .software, "\(unit ?? "a unit") did not answer for 10 seconds",
            place: unit.map { .members([("unit", .string($0))]) })
        }
        last = now
        continue
      }
      let count = retrying { unsafe read(answers, &block, block.count) }
      guard count > 0 else { throw crash() }
      received += block[..<count]
    }
  }

  private var progress: UInt64 {
    var reading = AuricleHeartbeatReading()
    unsafe AuricleHeartbeatRead(signs, &reading)
    return reading.progress
  }

  /// The unit at work, by the signs of life; no more than a hint.
  private var unit: String? {
    var reading = AuricleHeartbeatReading()
    unsafe AuricleHeartbeatRead(signs, &reading)
    guard reading.unit >= 0 else { return nil }
    var name = [CChar](repeating: 0, count: 512)
    guard unsafe AuricleHeartbeatName(signs, reading.unit, &name, name.count) else { return nil }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// The fault of a process that is gone.
  private func crash() -> StudioFault {
    let unit = unit
    var status: Int32 = 0
    kill(-process, SIGKILL)
    let isWaited = hasEnded
    if !isWaited { retrying { unsafe waitpid(process, &status, 0) } }
    hasEnded = true
    let signal = status & 0x7F
    let how = signal == 0 ? "exit \((status >> 8) & 0xFF)" : SignalName.text(signal)
    let place = signal == 0 ? nil : unsafe CrashPlace(heartbeat: signs, signal: signal)?.text
    let words = ([how, place].compactMap(\.self)).joined(separator: ", ")
    return StudioFault(
      .software, "\(unit ?? "a unit") crashed (\(words))",
      place: unit.map { .members([("unit", .string($0))]) })
  }
}
