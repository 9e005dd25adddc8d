// A stream of blocks through one chain, in memory that a parent shares.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CHostSystem
import ChainPresets
import FileRendering
import Glibc
import HostSystem
import PlugInGuard
import UnitChains
import Workers

/// A chain that keeps its state from block to block; parameters change between frames.
@safe final class ArrayStream {
  private let chain: UnitChain
  /// Stages in front of those of the preset, which nobody counts.
  private let levellers: Int
  private let memory: SharedRows
  /// The words in front of the samples; nil where blocks come by lines alone.
  private let handOver: UnsafeMutablePointer<AuricleHandOver>?
  /// The number of the last request that was read.
  private var lastRequest: UInt32 = 0

  /// The reply to the opening of a stream.
  var members: [(String, JSONValue?)] {
    [
      ("latency", JSONValue(chain.latencyFrames)),
      ("stages", .array(chain.stages.dropFirst(levellers).map { .string($0.label) })),
    ]
  }

  /// Makes the chain and maps the memory: a row of `frames` samples for each channel.
  ///
  /// - Parameter levellers: Stages of the maker's chains in front of those of the preset.
  init(
    _ request: JSONValue, _ blocks: Int32, _ maker: ChainMaker, levellers: Int, seed: UInt64?
  ) throws {
    self.levellers = levellers
    let channels = request["channels"]?.integer ?? 1
    let frames = request["frames"]?.integer ?? 4096
    let rate = request["rate"]?.number ?? 48_000
    guard (1...64).contains(channels), (1...65_536).contains(frames), rate >= 1, rate <= 1e7 else {
      throw AuricleError(.usage, "a stream has 1 to 64 channels and blocks of 1 to 65536 frames")
    }
    chain = try maker(
      ChainSpecification(
        sampleRate: rate, channelCount: channels, maximumFrameCount: frames,
        variant: seed.map { VariantRequest(index: 1, seed: $0, key: "") }))
    try chain.refuseWholeSounds()
    let hasHandOver = request["handOver"]?.boolean == true
    memory = try SharedRows(
      blocks, channelCount: channels, frameCount: frames,
      headerSize: hasHandOver ? MemoryLayout<AuricleHandOver>.size : 0)
    unsafe handOver =
      hasHandOver ? memory.header.bindMemory(to: AuricleHandOver.self, capacity: 1) : nil
    if let shared = unsafe handOver { lastRequest = unsafe AuricleHandOverLast(shared) }
  }

  /// Renders the blocks that are asked for in the shared memory, until a line is to be read.
  ///
  /// - Parameter fail: Sends the line about a block that could not be rendered.
  func serveBlocks(fail: (any Error) -> Void) {
    guard let shared = unsafe handOver else { return }
    while true {
      guard unsafe AuricleHandOverAwaitRequest(shared, lastRequest, 100_000_000) else {
        if Self.hasInputEnded { return }
        continue
      }
      lastRequest = unsafe AuricleHandOverLast(shared)
      guard unsafe shared.pointee.kind == 0 else { return }
      do {
        try render(frames: Int(unsafe shared.pointee.count), changes: [])
        unsafe shared.pointee.outcome = 0
        unsafe shared.pointee.detail = UInt32(clamping: chain.latencyFrames)
      } catch {
        unsafe shared.pointee.outcome = 1
        fail(error)
      }
      Heartbeat.enter(.idle, unit: Heartbeat.noUnit)
      unsafe AuricleHandOverAnswer(shared, lastRequest)
    }
  }

  /// Whether the parent has closed standard input; a line that waits there is announced in the shared memory.
  private static var hasInputEnded: Bool {
    var entry = pollfd(fd: STDIN_FILENO, events: 0, revents: 0)
    return unsafe poll(&entry, 1, 0) > 0
  }

  /// Renders a block where it lies, in parts where parameters are set on the way.
  func render(_ request: JSONValue) throws -> [(String, JSONValue?)] {
    let changes = try (request["set"]?.elements ?? []).map { try Change($0) }
      .sorted { $0.frame < $1.frame }
    try render(frames: request["n"]?.integer ?? 0, changes: changes)
    return [("latency", JSONValue(chain.latencyFrames))]
  }

  private func render(frames count: Int, changes: [Change]) throws {
    guard count > 0, count <= chain.maximumFrames else {
      throw AuricleError(.usage, "a block has 1 to \(chain.maximumFrames) frames")
    }
    var done = 0
    for change in changes {
      let frame = min(max(change.frame, 0), count)
      if frame > done { try render(from: done, to: frame) }
      done = max(done, frame)
      try change.apply(to: chain, from: levellers)
    }
    if done < count { try render(from: done, to: count) }
  }

  private func render(from start: Int, to end: Int) throws(AuricleError) {
    let width = chain.channelCount
    let part = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: width)
    defer { unsafe part.deallocate() }
    for channel in 0..<width { unsafe part[channel] = memory.rows[channel] + start }
    let made = try unsafe chain.render(input: UnsafePointer(part), frameCount: end - start)
    for channel in 0..<width {
      unsafe (memory.rows[channel] + start).update(from: made[channel], count: end - start)
    }
  }
}

/// A parameter that is set: the stage by its number or name, the parameter by its name, at a frame of a block.
private struct Change {
  let stage: JSONValue
  let setting: ParameterSetting
  let frame: Int

  init(_ json: JSONValue) throws {
    guard let parts = json.elements, parts.count == 4, let name = parts[1].text,
      let value = parts[2].text
    else { throw AuricleError(.usage, "a change is a stage, a parameter, a value and a frame") }
    stage = parts[0]
    setting = try ParameterSetting(assignment: "\(name)=\(value)")
    frame = parts[3].integer ?? 0
  }

  func apply(to chain: UnitChain, from first: Int) throws {
    let stages = chain.stages.dropFirst(first)
    let found = stages.indices.first { index in
      stage.integer == index - first
        || stage.text.map { stages[index].label.contains($0) } ?? false
    }
    guard let found else {
      throw AuricleError(
        .usage,
        "the chain has no unit \(stage.compactText); there are "
          + stages.map(\.label).joined(separator: ", "))
    }
    try chain.set(setting, ofStage: found)
  }
}
