// The deferred renderer: the input, late by its reported latency, pulled in pieces of one size.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import Dispatch
import Glibc
import Synchronization
import TestSupport
import Testing

@Suite("Deferred renderer") struct DeferredRendererTests {
  private func rig(
    pull: UInt32 = 512, extra: UInt32 = 0, wait: UInt32 = 0, offline: Bool = false,
    _ input: [[Float]]
  ) throws -> MultiBusRig {
    let rig = try MultiBusRig(
      "aufc:defr:appl", inputs: [input.count], outputs: [input.count], maximumFrames: 1024
    ) {
      try $0.setProperty(kAudioUnitProperty_DeferredRendererPullSize, pull)
      try $0.setProperty(kAudioUnitProperty_DeferredRendererExtraLatency, extra)
      try $0.setProperty(kAudioUnitProperty_DeferredRendererWaitFrames, wait)
      try $0.setProperty(kAudioUnitProperty_OfflineRender, UInt32(offline ? 1 : 0))
    }
    rig.feeds[0].channels = input
    return rig
  }

  @Test(
    "the input comes later by the latency, bit for bit, whatever the slices; a late thread leaves silence",
    arguments: [(512, 0, 0), (64, 100, 30), (2000, 7, 1), (1, 0, 5)])
  func delay(_ pull: UInt32, _ extra: UInt32, _ wait: UInt32) throws {
    let input = (1...2).map { TestSignal.noise(seed: $0, frameCount: 12_000) }
    let latency = Int(pull + extra + wait)
    for offline in [false, true] {
      for slices in [[1024], [1, 7, 300]] {
        let rig = try rig(pull: pull, extra: extra, wait: wait, offline: offline, input)
        #expect(rig.unit.latency * 48_000 == Double(latency))
        let output = try rig.render(12_000, slices: slices)
        for channel in 0..<2 {
          #expect(output[channel].prefix(latency).allSatisfy { $0 == 0 })
          // A test renders faster than sound is: where the other thread is late there is silence.
          let isRight = zip(output[channel].dropFirst(latency), input[channel]).allSatisfy {
            $0 == $1 || (!offline && $0 == 0)
          }
          #expect(isRight, "\(slices)")
        }
        try rig.unit.uninitialize()
        let pulls = rig.feeds[0].pulls
        #expect(pulls.allSatisfy { $0.frames <= min(Int(pull), 1024) })
        #expect(zip(pulls, pulls.dropFirst()).allSatisfy { $0.time + Double($0.frames) == $1.time })
      }
    }
  }

  /// The shared state of a test and its source that blocks.
  private final class Gate {
    let renderThread = pthread_self()
    let isHeld = DispatchSemaphore(value: 0)
    let mayGoOn = DispatchSemaphore(value: 0)
    let isOpen = Atomic(false)
    /// A change for each pull of the other thread.
    let pulls = Changes()
  }

  @Test(
    "while the other thread is in the middle of a pull, the render thread returns silence and goes on"
  )
  func lateness() throws {
    let rig = try rig(pull: 64, [[0]])
    let gate = Gate()
    let source: AURenderCallback = { context, _, _, _, frames, list in
      guard let context = unsafe context, let samples = unsafe list?.samples(0) else {
        return kAudio_ParamError
      }
      let gate = unsafe Unmanaged<Gate>.fromOpaque(context).takeUnretainedValue()
      for frame in 0..<Int(frames) { unsafe samples[frame] = 1 }
      let isOther = pthread_equal(pthread_self(), gate.renderThread) == 0
      if isOther, !gate.isOpen.load(ordering: .acquiring) {
        gate.isHeld.signal()
        gate.mayGoOn.wait()
      }
      if isOther { gate.pulls.post() }
      return 0
    }
    unsafe try rig.unit.setInputCallback(
      source, refCon: Unmanaged.passUnretained(gate).toOpaque())
    _ = try rig.slice(64)
    gate.isHeld.wait()
    // The block of these frames is the one that is held.
    #expect(try rig.slice(64)[0].allSatisfy { $0 == 0 })
    #expect(try rig.slice(64)[0].allSatisfy { $0 == 0 })
    gate.isOpen.store(true, ordering: .releasing)
    gate.mayGoOn.signal()
    // The other thread catches up with the missing input.
    #expect(try gate.pulls.wait { try rig.slice(64)[0].contains(1) })
    try rig.unit.uninitialize()
  }

  @Test("it begins anew after a reset; errors of the source and late changes are reported")
  func resetAndErrors() throws {
    let input = [TestSignal.noise(seed: 3, frameCount: 8000)]
    let rig = try rig(input)
    let first = try rig.render(4000)
    try rig.unit.reset()
    rig.position = -1024
    rig.feeds[0].pulls = []
    #expect(try rig.render(4000, slices: [1024]).map(\.count) == [4000])
    #expect(first[0].contains { $0 != 0 })
    #expect(throws: AuricleError.self) {
      try rig.unit.setProperty(kAudioUnitProperty_DeferredRendererPullSize, UInt32(64))
    }
    rig.feeds[0].status = -12_345
    let error = #expect(throws: AuricleError.self) { try rig.render(100_000) }
    #expect(error?.status == -12_345)
  }
}
