// A worker that follows a chain while it is edited.
// SPDX-License-Identifier: Apache-2.0

import HostSystem

/// The worker of a chain that changes, made anew only where units or files are new.
struct LoopSession {
  private let program: String
  private let readable: [String]
  private let channelCount: Int
  private let blockFrames: Int
  private let seed: Int
  private var worker: LoopWorker?
  /// The chain without its parameters, and the parameters that the worker was made with.
  private var structure = ""
  private var base: [[String: JSONValue]]?
  private var changes: [LoopWorker.Change] = []
  private var pending: [LoopWorker.Change] = []

  init(
    program: String, readable: [String], channelCount: Int, blockFrames: Int = Loop.blockFrames,
    seed: Int = 0
  ) {
    (self.program, self.readable, self.channelCount) = (program, readable, channelCount)
    (self.blockFrames, self.seed) = (blockFrames, seed)
  }

  /// Goes on with a chain: by its parameters alone where the rest is as before.
  mutating func prepare(_ state: ChainState, _ text: ChainText) throws {
    let shape = text.structure
    let values = Self.parameters(state)
    if let worker, let base, let values, worker.stageCount == values.count, shape == structure,
      let changes = Self.changes(from: base, to: values)
    {
      self.changes = changes
      return
    }
    if worker?.use(text.text) != true {
      forget()
      worker = try LoopWorker(
        program, text: text.text, readable: readable, channelCount: channelCount,
        blockFrames: blockFrames, seed: seed)
    }
    (structure, base, changes) = (shape, values, [])
  }

  /// Whether there is a worker.
  var isOpen: Bool { worker != nil }

  /// Ends the worker.
  mutating func forget() {
    worker = nil
    structure = ""
  }

  mutating func open(_ sampleRate: Double) throws {
    try worker?.open(sampleRate: sampleRate)
    pending = changes
  }

  mutating func render(_ block: inout [Float]) throws -> Int {
    defer { pending = [] }
    return try worker?.render(&block, pending) ?? 0
  }

  /// The output of every channel for one signal in all of them; as long as the signal, without latency.
  mutating func send(_ signal: [Float], sampleRate: Double) throws -> [[Float]] {
    try open(sampleRate)
    guard let worker else { return [] }
    var made = [[Float]](repeating: [], count: channelCount)
    var (place, latency) = (0, 0)
    let silence = [Float](repeating: 0, count: blockFrames)
    // A unit may report its latency when it has run; one that adds to it without end is not followed.
    while place < signal.count + min(latency, 30 * Int(sampleRate)) {
      let end = place + blockFrames
      let block =
        end <= signal.count
        ? signal[place..<end]
        : (Array(signal[min(place, signal.count)...]) + silence).prefix(blockFrames)
      latency = try worker.render(block, into: &made, pending)
      pending = []
      place = end
    }
    return made.map { Array($0.dropFirst(latency).prefix(signal.count)) }
  }

  /// The parameters of each unit that a worker opens; nil where its stages cannot be counted from here.
  private static func parameters(_ state: ChainState) -> [[String: JSONValue]]? {
    state.openedUnits?.map { unit in
      Dictionary(unit.parameters.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    }
  }

  /// The settings that lead from one state to another; nil where one was taken away, or is no plain value.
  private static func changes(
    from base: [[String: JSONValue]], to values: [[String: JSONValue]]
  ) -> [LoopWorker.Change]? {
    guard base.count == values.count else { return nil }
    var changes: [LoopWorker.Change] = []
    for (stage, (before, after)) in zip(base, values).enumerated() {
      guard before.keys.allSatisfy({ after[$0] != nil }) else { return nil }
      for (name, value) in after.sorted(by: { $0.key < $1.key }) where before[name] != value {
        guard let text = value.text else { return nil }
        changes.append(LoopWorker.Change(stage: stage, parameter: name, value: text))
      }
    }
    return changes
  }
}

extension LoopSession {
  /// Renders a part of a sound through the chain, after a second in front of it.
  ///
  /// Context: a thread that lives as long as this takes.
  mutating func render(_ input: FloatSound, _ range: Range<Int>) throws -> [Float] {
    let (channels, frames) = (input.channelCount, blockFrames)
    try open(input.sampleRate)
    let lead = min(range.lowerBound, Int(input.sampleRate))
    var (next, passed) = (range.lowerBound - lead, 0)
    var samples: [Float] = []
    while samples.count < range.count * channels {
      var block = input.frames(next..<(next + frames))
      block += [Float](repeating: 0, count: frames * channels - block.count)
      next += frames
      let latency = try render(&block)
      let skipped = min(max(0, lead + latency - passed), frames)
      passed += frames
      samples += block[(skipped * channels)...]
    }
    return Array(samples[..<(range.count * channels)])
  }
}
