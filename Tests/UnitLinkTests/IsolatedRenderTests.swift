// The host's side of a unit in another process: wet while it answers, dry with a fade while it does not.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import CUnitLink
import Glibc
import HostSystem
import TestSupport
import Testing
import UnitLink

/// The input: a steady tone whose phase is the frame.
private let inputCallback: AURenderCallback = { _, _, stamp, _, frameCount, buffers in
  guard let buffers = unsafe buffers, let stamp = unsafe stamp else { return -1 }
  let start = unsafe Int(stamp.pointee.mSampleTime)
  guard let row = unsafe buffers.pointee.mBuffers.mData?.assumingMemoryBound(to: Float.self) else {
    return -1
  }
  for frame in 0..<Int(frameCount) { unsafe row[frame] = tone(start + frame) }
  return 0
}

private func tone(_ frame: Int) -> Float { 0.5 * sinf(Float(frame) * 0.01) }

private let (slice, fade) = (64, 240)

/// A unit that turns its input around, served on a thread.
private final class Mirror: @unchecked Sendable {
  let host: LinkMemory
  private let unit: LinkMemory
  private var thread: pthread_t?

  init(_ form: AuricleIsolatedForm) throws {
    var form = form
    host = try LinkMemory(unsafe AuricleIsolatedLinkForm(&form))
    unit = try LinkMemory(received: dup(host.descriptor), host.form)
    thread = startThread { [unit] in
      while unsafe !AuricleLinkIsAbandoned(unit.link) {
        var turn = AuricleLinkTurn()
        guard unsafe AuricleLinkTake(unit.link, 10_000_000, &turn) else { continue }
        for frame in 0..<Int(turn.frameCount) {
          unsafe AuricleLinkOutput(unit.link, 0)[frame] = -AuricleLinkInput(unit.link, 0)[frame]
        }
        var answer = AuricleLinkAnswer()
        answer.kind = UInt32(kAuricleLinkAnswer_Done)
        unsafe AuricleLinkAnswerTurn(unit.link, &answer)
      }
    }
  }

  /// Ends as a process does that is killed.
  func die() {
    unit.abandon()
    if let thread { pthread_join(thread, nil) }
    thread = nil
    host.abandon()
  }
}

@Suite struct IsolatedRenderTests {
  private func makeForm(isPipelined: Bool, passesInput: Bool = true) -> AuricleIsolatedForm {
    var form = AuricleIsolatedForm()
    (form.maximumFrames, form.sampleRate) = (UInt32(slice), 48_000)
    (form.inputBuses, form.outputBuses) = (1, 1)
    (form.inputChannels.0, form.outputChannels.0) = (1, 1)
    (form.passesInput, form.fetchesInput, form.isPipelined) = (passesInput, true, isPipelined)
    form.fadeFrames = UInt32(fade)
    return form
  }

  /// Renders slices from a frame on.
  private func render(
    _ unit: OpaquePointer, from start: Int, slices: Int
  ) -> [Float] {
    var samples: [Float] = []
    var row = [Float](repeating: 9, count: slice)
    for index in 0..<slices {
      var stamp = AudioTimeStamp()
      stamp.mSampleTime = Double(start + index * slice)
      stamp.mFlags = 1
      var flags: UInt32 = 0
      let status = unsafe row.withUnsafeMutableBytes { bytes in
        var list = unsafe AudioBufferList(
          mNumberBuffers: 1,
          mBuffers: AudioBuffer(
            mNumberChannels: 1, mDataByteSize: UInt32(bytes.count), mData: bytes.baseAddress))
        return unsafe AuricleIsolatedRender(unit, &flags, &stamp, 0, UInt32(slice), &list)
      }
      #expect(status == 0)
      samples += row
    }
    return samples
  }

  private func largestStep(_ samples: [Float]) -> Float {
    zip(samples, samples.dropFirst()).map { abs($1 - $0) }.max() ?? 0
  }

  @Test(arguments: [false, true])
  func aUnitThatDiesIsDryWithAFadeAndComesBack(isPipelined: Bool) throws {
    guard let unit = unsafe AuricleIsolatedMake(nil) else { return }
    defer { unsafe AuricleIsolatedFree(unit) }
    var form = makeForm(isPipelined: isPipelined)
    #expect(unsafe AuricleIsolatedPrepare(unit, &form))
    let callback = unsafe unsafeBitCast(inputCallback, to: UnsafeMutableRawPointer.self)
    #expect(unsafe AuricleIsolatedSetCallback(unit, 0, callback, nil))
    let first = try Mirror(form)
    #expect(unsafe AuricleIsolatedExchange(unit, first.host.link) == nil)
    var samples = unsafe render(unit, from: 0, slices: 20)
    _ = OtherPrograms.wait { unsafe AuricleLinkWaiting(first.host.link) == 0 }
    first.die()
    samples += unsafe render(unit, from: 20 * slice, slices: 20)
    unsafe _ = AuricleIsolatedExchange(unit, nil)
    samples += unsafe render(unit, from: 40 * slice, slices: 10)
    let second = try Mirror(form)
    unsafe _ = AuricleIsolatedExchange(unit, second.host.link)
    samples += unsafe render(unit, from: 50 * slice, slices: 30)

    let late = isPipelined ? slice : 0
    func dry(_ frame: Int) -> Float { frame < late ? 0 : tone(frame - late) }
    // A tone's steps, and those of a fade over all of its range: nothing clicks.
    #expect(largestStep(samples) < 0.01 + 1.2 / Float(fade))
    if !isPipelined { for frame in 0..<20 * slice { #expect(samples[frame] == -dry(frame)) } }
    for frame in (21 * slice + fade)..<50 * slice { #expect(samples[frame] == dry(frame)) }
    if !isPipelined {
      for frame in (50 * slice + fade)..<80 * slice { #expect(samples[frame] == -dry(frame)) }
    }
    #expect(unsafe AuricleIsolatedMissed(unit) >= 29)
    unsafe _ = AuricleIsolatedExchange(unit, nil)
    second.die()
  }

  @Test(arguments: [false, true])
  func anotherProcessBetweenTwoSlicesLeavesNoEmptyBlock(isPipelined: Bool) throws {
    guard let unit = unsafe AuricleIsolatedMake(nil) else { return }
    defer { unsafe AuricleIsolatedFree(unit) }
    var form = makeForm(isPipelined: isPipelined)
    #expect(unsafe AuricleIsolatedPrepare(unit, &form))
    let callback = unsafe unsafeBitCast(inputCallback, to: UnsafeMutableRawPointer.self)
    #expect(unsafe AuricleIsolatedSetCallback(unit, 0, callback, nil))
    let (first, second) = (try Mirror(form), try Mirror(form))
    unsafe _ = AuricleIsolatedExchange(unit, first.host.link)
    var samples: [Float] = []
    for index in 0..<20 {
      samples += unsafe render(unit, from: index * slice, slices: 1)
      _ = OtherPrograms.wait { unsafe AuricleLinkWaiting(first.host.link) == 0 }
    }
    unsafe _ = AuricleIsolatedExchange(unit, second.host.link)
    samples += unsafe render(unit, from: 20 * slice, slices: 10)
    #expect(largestStep(samples) < 0.01 + 1.2 / Float(fade))
    unsafe _ = AuricleIsolatedExchange(unit, nil)
    first.die()
    second.die()
  }

  @Test func anInstrumentThatDiesFadesToSilence() throws {
    guard let unit = unsafe AuricleIsolatedMake(nil) else { return }
    defer { unsafe AuricleIsolatedFree(unit) }
    var form = makeForm(isPipelined: false, passesInput: false)
    #expect(unsafe AuricleIsolatedPrepare(unit, &form))
    let callback = unsafe unsafeBitCast(inputCallback, to: UnsafeMutableRawPointer.self)
    #expect(unsafe AuricleIsolatedSetCallback(unit, 0, callback, nil))
    let mirror = try Mirror(form)
    unsafe _ = AuricleIsolatedExchange(unit, mirror.host.link)
    var samples = unsafe render(unit, from: 0, slices: 3)
    mirror.die()
    samples += unsafe render(unit, from: 3 * slice, slices: 10)
    #expect(largestStep(samples) < 0.01 + 1.2 / Float(fade))
    #expect(samples.dropFirst(3 * slice + fade).allSatisfy { $0 == 0 })
    unsafe _ = AuricleIsolatedExchange(unit, nil)
  }

  @Test func aLateUnitIsNotWaitedForPastTheDeadline() throws {
    guard let clock = unsafe AuricleSliceClockMake(), let unit = unsafe AuricleIsolatedMake(clock)
    else { return }
    var form = makeForm(isPipelined: false)
    #expect(unsafe AuricleIsolatedPrepare(unit, &form))
    let callback = unsafe unsafeBitCast(inputCallback, to: UnsafeMutableRawPointer.self)
    #expect(unsafe AuricleIsolatedSetCallback(unit, 0, callback, nil))
    // Nobody serves it.
    let host = try LinkMemory(unsafe AuricleIsolatedLinkForm(&form))
    unsafe _ = AuricleIsolatedExchange(unit, host.link)
    let begun = AuricleLinkNow()
    unsafe AuricleSliceClockBegin(clock, 1_000_000)
    let samples = unsafe render(unit, from: 0, slices: 4)
    #expect(samples == (0..<4 * slice).map(tone))
    #expect(host.figures.missed == 4 && host.figures.answered == 0)
    // The unit learns until when it is waited for, so that one in it which is late costs no more than itself.
    let other = try LinkMemory(received: dup(host.descriptor), host.form)
    var turn = AuricleLinkTurn()
    #expect(unsafe AuricleLinkTakePrepared(other.link, &turn))
    #expect(turn.deadline >= begun + 650_000 && turn.deadline == AuricleSliceDeadline())
    #expect(unsafe AuricleLinkWaiting(host.link) > 0)
    unsafe _ = AuricleIsolatedExchange(unit, nil)
    unsafe AuricleIsolatedFree(unit)
    unsafe AuricleSliceClockFree(clock)
  }
}
