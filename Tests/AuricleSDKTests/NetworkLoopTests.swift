// The inner loops of the reverb's networks against their matrix.
// SPDX-License-Identifier: Apache-2.0

import CRealtime
import Foundation
import TestSupport
import Testing

@Suite("Inner loops of networks")
struct NetworkLoopTests {
  private static let stride = 40

  /// Rows of memory for lines, with a pointer to each.
  @safe private final class Rows {
    let memory: UnsafeMutablePointer<Float>
    let pointers: [UnsafeMutablePointer<Float>]

    init(_ count: Int, seed: UInt64?) {
      let stride = NetworkLoopTests.stride
      unsafe memory = .allocate(capacity: count * stride)
      unsafe memory.initialize(repeating: 0, count: count * stride)
      let memory = unsafe memory
      unsafe pointers = unsafe (0..<count).map { unsafe memory + $0 * stride }
      guard let seed else { return }
      for line in 0..<count {
        let noise = TestSignal.noise(seed: seed + UInt64(line), frameCount: stride)
        for frame in 0..<stride { unsafe memory[line * stride + frame] = noise[frame] }
      }
    }

    deinit { unsafe memory.deallocate() }

    func row(_ line: Int, _ count: Int) -> [Float] {
      unsafe Array(UnsafeBufferPointer(start: pointers[line], count: count))
    }
  }

  /// A number of the Hadamard matrix: 1 or −1.
  private func sign(_ row: Int, _ column: Int) -> Double {
    (row & column).nonzeroBitCount & 1 == 0 ? 1 : -1
  }

  /// The change of a pole or a gain in a frame.
  private func change(_ line: Int) -> Float { Float(line) / 4000 - 1e-3 }

  private func run(
    _ lines: Int, _ count: Int, wide: Bool, phase: Int?
  ) -> (outputs: Rows, rings: Rows, [Float]) {
    AuricleLoopsSetWidest(wide ? 1 : 0)
    let (sources, outputs) = (Rows(lines, seed: 100), Rows(lines, seed: nil))
    let (rings, feeds) = (Rows(lines, seed: nil), Rows(2, seed: 300))
    var states = (0..<lines).map { Float($0) / 20 }
    let poles = (0..<lines).map { 0.1 + Float($0) / 40 }
    let gains = (0..<lines).map { 0.5 - Float($0) / 60 }
    // The other network is there as well, and of no account.
    let (other, otherOutputs) = (Rows(16, seed: 400), Rows(16, seed: nil))
    var otherStates = [Float](repeating: 0, count: 16)
    let otherValues = [Float](repeating: 0.25, count: 16)
    let changes = phase == nil ? nil : Rows(1, seed: nil)
    for line in 0..<16 { unsafe changes?.memory[line] = change(line) }
    func damped(
      _ sources: Rows, _ outputs: Rows, _ states: UnsafeMutablePointer<Float>,
      _ poles: UnsafePointer<Float>, _ gains: UnsafePointer<Float>,
      _ body: (UnsafePointer<AuricleDampedLines>) -> Void
    ) {
      unsafe sources.pointers.withUnsafeBufferPointer { list in
        guard let list = list.baseAddress else { return }
        var lines = unsafe AuricleDampedLines(
          sources: list, outputs: outputs.memory, states: states, poles: poles, gains: gains,
          poleChanges: changes.map { unsafe UnsafePointer($0.memory) },
          gainChanges: changes.map { unsafe UnsafePointer($0.memory) })
        unsafe body(&lines)
      }
    }
    unsafe damped(sources, outputs, &states, poles, gains) { mine in
      unsafe damped(other, otherOutputs, &otherStates, otherValues, otherValues) { theirs in
        unsafe AuricleNetworksDamp(
          lines == 16 ? mine : theirs, lines == 16 ? theirs : mine, Self.stride, phase ?? 0, count)
      }
    }
    if lines == 16 {
      unsafe AuricleNetworkMix16(
        outputs.memory, Self.stride, feeds.pointers[0], feeds.pointers[1], rings.pointers, count)
    } else {
      unsafe AuricleNetworkMix8(
        outputs.memory, Self.stride, feeds.pointers[0], feeds.pointers[1], rings.pointers, count)
    }
    return (outputs, rings, states)
  }

  @Test(
    "lines are damped, turned by the matrix and fed", arguments: [8, 16], [32, 31, 30, 29, 5, 1])
  func network(_ lines: Int, _ count: Int) {
    // Once with poles and gains that stay, once with such that change, in the midst of an interval.
    for phase in [nil, 0, 7] { check(lines, count, phase: phase) }
  }

  private func check(_ lines: Int, _ count: Int, phase: Int?) {
    let (outputs, rings, states) = run(lines, count, wide: true, phase: phase)
    let (others, otherRings, otherStates) = run(lines, count, wide: false, phase: phase)
    #expect(states == otherStates)
    let (sources, feeds) = (Rows(lines, seed: 100), Rows(2, seed: 300))
    var damped = [[Double]](repeating: [], count: lines)
    for line in 0..<lines {
      var state = Double(Float(line) / 20)
      for (frame, sample) in sources.row(line, count).enumerated() {
        let moved = phase.map { Double(change(line)) * Double($0 + frame) } ?? 0
        state =
          (Double(0.1 + Float(line) / 40) + moved) * state
          + (Double(0.5 - Float(line) / 60) + moved) * Double(sample)
        damped[line].append(state)
      }
      #expect(abs(Double(states[line]) - state) < 1e-5)
    }
    for line in 0..<lines {
      let (found, fed) = (outputs.row(line, count), rings.row(line, count))
      #expect(found == others.row(line, count) && fed == otherRings.row(line, count))
      let feed = feeds.row(line < lines / 2 ? 0 : 1, count)
      var size = 0.0
      for frame in 0..<count {
        var wanted = 0.0
        for other in 0..<lines { wanted += sign(line, other) * damped[other][frame] }
        #expect(abs(Double(found[frame]) - wanted) < 1e-5)
        // Each line receives its feed by as much, with its own sign.
        guard abs(feed[frame]) > 0.05 else { continue }
        let delivered = Double(fed[frame] - found[frame]) / Double(feed[frame])
        size = size == 0 ? delivered : size
        #expect(abs(delivered - size) < 1e-3)
        #expect(abs(abs(size) - (lines == 16 ? 0.353_553 : 0.5)) < 1e-3)
      }
    }
  }

  /// The weights of neighbours of samples 0 to 2 frames further behind.
  private func movingWeights() -> [Float] {
    var table = [Float](repeating: .nan, count: AuricleMovingRows * AuricleMovingRow)
    unsafe AuricleFillMovingWeights(&table)
    return table
  }

  @Test("moving lines are read in straight lines between their frames", arguments: [0, 7, 31])
  func moving(_ phase: Int) {
    let count = 32 - phase
    let source = Rows(2, seed: 7)
    let rows = [UInt64(17), 18].map { TestSignal.noise(seed: $0, frameCount: 2 * AuricleMovingRow) }
    func run(_ wide: Bool) -> Rows {
      AuricleLoopsSetWidest(wide ? 1 : 0)
      let (output, weights) = (Rows(2, seed: nil), Rows(2, seed: nil))
      let lines = unsafe (0..<2).map { line in
        for (index, weight) in rows[line].enumerated() {
          unsafe weights.pointers[line][index] = weight
        }
        return unsafe AuricleMovingLine(
          source: source.memory + line, output: output.pointers[line],
          weights: weights.pointers[line])
      }
      unsafe AuricleReadMovingLines(lines, lines.count, phase, count)
      return output
    }
    let (output, other) = (run(true), run(false))
    for line in 0..<2 {
      #expect(output.row(line, count) == other.row(line, count))
      for frame in 0..<count {
        let wanted = (0..<AuricleMovingTaps).reduce(0.0) { sum, tap in
          let change = Double(rows[line][AuricleMovingRow + tap]) * Double(phase + frame)
          return unsafe sum
            + (Double(rows[line][tap]) + change) * Double(source.memory[line + frame + tap])
        }
        #expect(abs(Double(output.row(line, count)[frame]) - wanted) < 1e-4)
      }
    }
  }

  @Test("reading between frames keeps frequencies below 0.35 of the rate, and amplifies nothing")
  func movingGains() {
    let table = movingWeights()
    for row in 0..<AuricleMovingRows {
      let weights = table[(row * AuricleMovingRow)...].prefix(AuricleMovingTaps).map { Double($0) }
      // The middle one is a frame behind.
      let behind = Double(row) / 64 - 1
      for step in 0...256 {
        let turn = Double.pi * Double(step) / 256
        var (re, im) = (0.0, 0.0)
        for (tap, weight) in weights.enumerated() {
          let angle = turn * (Double(tap) - 6 + behind)
          re += weight * cos(angle)
          im += weight * sin(angle)
        }
        #expect((re * re + im * im).squareRoot() < 1 + 1e-7, "row \(row), \(step) of 256")
        if step <= 160 { #expect(hypot(re - 1, im) < 3e-3, "row \(row), \(step) of 256") }
        if step <= 180 { #expect(hypot(re - 1, im) < 0.03, "row \(row), \(step) of 256") }
      }
    }
    #expect(table[64 * AuricleMovingRow + 6] == 1 && table[7] == 1)
  }

  @Test("movements stay within their depth, and change by less than a frame in an interval")
  func movement() {
    let table = Rows(60, seed: nil)
    let weights = (Rows(10, seed: nil), Rows(10, seed: nil))
    unsafe AuricleFillMovingWeights(table.memory)
    func run(_ wide: Bool) -> [AuricleMovement] {
      AuricleLoopsSetWidest(wide ? 1 : 0)
      var movement = AuricleMovement()
      let rows = wide ? weights.0 : weights.1
      movement.phases = (0, 0.13, 0.25, 0.37, 0.5, 0.63, 0.77, 0.99)
      movement.speeds = (1e-4, 2e-4, 3e-4, 4e-4, 5e-4, 6e-4, 7e-4, 8e-4)
      return (0..<20_000).map { index in
        unsafe AuricleMove(
          &movement, 1.2, 16, index == 0 ? 1 : 0, 32, table.memory, rows.memory)
        return movement
      }
    }
    let (found, other) = (run(true), run(false))
    var last = found[0].starts.7
    for (one, two) in zip(found, other) {
      #expect(one.starts.7 == two.starts.7 && one.slopes.3 == two.slopes.3)
      #expect(one.starts.7 == last && one.ends.7 >= 0 && one.ends.7 <= 32)
      #expect(abs(one.ends.7 - one.starts.7) <= 0.9)
      #expect(abs(Double(one.whole.7) + Double(one.fractions.7) - one.starts.7) < 1e-5)
      #expect(abs(Double(one.slopes.7) * 32 - (one.ends.7 - one.starts.7)) < 1e-5)
      last = one.ends.7
    }
    for line in 0..<10 {
      #expect(weights.0.row(line, Self.stride) == weights.1.row(line, Self.stride))
    }
    // The last line's weights are those of where it is at the end of the last interval.
    let behind = Double(last) - Double(found[19_999].whole.7) - 1
    let rows = unsafe UnsafeBufferPointer(
      start: weights.0.memory + 14 * AuricleMovingRow, count: 2 * AuricleMovingRow)
    for tap in 0..<AuricleMovingTaps {
      let found = unsafe rows[tap] + 32 * rows[AuricleMovingRow + tap]
      let away = Double.pi * (Double(tap) - 6 + behind)
      #expect(abs(Double(found) - sin(away) / away) < 0.1)
    }
  }
}
