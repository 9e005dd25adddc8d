// Values, presets and whole states set while another thread renders: each sample is made of values that were set.
// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import AudioTypes
import AudioUnits
import CAudioToolbox
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Contract: changes while rendering")
struct TearingConformanceTests {
  /// Calls `change` in turns until a thread has rendered many slices; every sample goes to `check`.
  private func whileRendering(
    _ test: UnitUnderTest, check: @escaping @Sendable (Float) -> Bool,
    _ change: (_ turn: Int) throws -> Void
  ) throws {
    let rendering = Rendering(test, check)
    rendering.start()
    defer { rendering.end() }
    var turn = 0
    while turn < 200 || rendering.slices.load(ordering: .relaxed) < 400 {
      try change(turn)
      turn += 1
    }
    rendering.end()
    same(rendering.status, 0, "\(test.subject.rawValue), status")
    same(rendering.wrong, [], "\(test.subject.rawValue), samples of no value")
  }

  /// The state of a unit, +1.
  private func state(_ test: UnitUnderTest) throws -> UInt {
    let (status, address) = test.get(kAudioUnitProperty_ClassInfo, UInt.self)
    same(status, 0)
    return try #require(address)
  }

  @Test(
    "a gain is always one of the set ones: values, presets and states",
    arguments: [Subject.calling, .lv2])
  func gains(_ subject: Subject) throws {
    let test = try UnitUnderTest(subject)
    let parameter = try test.firstParameter()
    test.source = { _, _ in 1 }
    // −96, 24 and 0 dB, and the half of the presets.
    let gains = [Float](arrayLiteral: -96, 24, 0, -6.0206).map { powf(10, $0 / 20) }
    func set(_ value: Float) {
      same(unsafe AudioUnitSetParameter(test.handle, parameter.id, 0, 0, value, 0), 0)
    }
    set(-96)
    let quiet = try state(test)
    set(24)
    let loud = try state(test)
    defer {
      for address in [quiet, loud] {
        unsafe UnsafeRawPointer(bitPattern: address).map { unsafe CFRelease($0) }
      }
    }
    let presets = test.unit.factoryPresets
    try test.start()
    try whileRendering(
      test, check: { sample in gains.contains { abs(sample - $0) <= $0 * 1e-4 } }
    ) { turn in
      switch turn % 5 {
      case 0: set(-96)
      case 1: set(24)
      case 2: same(test.set(kAudioUnitProperty_ClassInfo, quiet), 0)
      case 3: same(test.set(kAudioUnitProperty_ClassInfo, loud), 0)
      default:
        if !presets.isEmpty {
          try test.unit.selectPreset(number: presets[turn / 5 % presets.count].number)
        }
      }
    }
  }

  @Test(
    "whatever is set of a unit that plays, its sound is finite and no louder than it may be",
    arguments: Subject.fed)
  func everything(_ subject: Subject) throws {
    var random = SeededGenerator(seed: 1211)
    let test = try UnitUnderTest(subject)
    test.source = { frame, _ in frame % 200 < 100 ? 0.5 : -0.5 }
    let first = try? state(test)
    defer {
      unsafe first.flatMap { unsafe UnsafeRawPointer(bitPattern: $0) }.map { unsafe CFRelease($0) }
    }
    try test.start()
    var writable: [UnitParameter] = []
    for scope: UInt32 in 0...2 {
      writable += ((try? test.unit.parameters(scope: scope, element: 0)) ?? []).filter {
        $0.isWritable && $0.maximum > $0.minimum
      }
    }
    let presets = test.unit.factoryPresets
    try whileRendering(test, check: { $0.isFinite && abs($0) < 200 }) { turn in
      for parameter in writable {
        let value = Float.random(in: parameter.minimum...parameter.maximum, using: &random)
        same(
          unsafe AudioUnitSetParameter(
            test.handle, parameter.id, parameter.scope, parameter.element, value, 0), 0)
      }
      if turn % 3 == 0, let first { same(test.set(kAudioUnitProperty_ClassInfo, first), 0) }
      if turn % 5 == 0, let preset = presets.randomElement(using: &random) {
        try test.unit.selectPreset(number: preset.number)
      }
      if test.info(kAudioUnitProperty_BypassEffect).status == 0 {
        same(test.set(kAudioUnitProperty_BypassEffect, UInt32(turn & 1)), 0)
      }
      if turn % 7 == 0 { same(test.feed(), 0) }
      _ = unsafe (try? state(test)).flatMap { unsafe UnsafeRawPointer(bitPattern: $0) }
        .map { unsafe CFRelease($0) }
    }
  }
}

/// A thread that renders a unit while others set it, as the interface allows.
///
/// @unchecked Sendable because the results are read after the thread has ended.
private final class Rendering: @unchecked Sendable {
  private let test: UnitUnderTest
  private let check: @Sendable (Float) -> Bool
  private let isOver = Atomic<Bool>(false)
  private let done = DispatchSemaphore(value: 0)
  private(set) var status: OSStatus = 0
  private(set) var wrong: [Float] = []
  let slices = Atomic<Int>(0)

  init(_ test: UnitUnderTest, _ check: @escaping @Sendable (Float) -> Bool) {
    self.test = test
    self.check = check
  }

  func start() {
    Thread { [self] in
      while !isOver.load(ordering: .acquiring) {
        let slice = slices.load(ordering: .relaxed)
        let found = test.render(64, at: Double(64 * slice))
        if found != 0 { status = found }
        let strange = test.output(0, 64).filter { !check($0) }
        wrong += strange.prefix(max(0, 8 - wrong.count))
        slices.store(slice + 1, ordering: .relaxed)
      }
      done.signal()
    }.start()
  }

  /// Ends the thread; once more does nothing.
  func end() {
    if !isOver.exchange(true, ordering: .acquiringAndReleasing) { done.wait() }
  }
}
