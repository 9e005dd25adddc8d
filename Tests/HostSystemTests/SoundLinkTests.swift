// Slices between a device's thread and processes that render them: order, fades, events, and processes that are gone.
// SPDX-License-Identifier: Apache-2.0

import CHostSystem
import Glibc
import HostSystem
import Testing

/// A process that is played by a thread of the test: it multiplies its input, and adds the first byte of its events.
@safe private final class Renderer: @unchecked Sendable {
  let memory: UnsafeMutableRawPointer
  let link: OpaquePointer
  private let form: AuricleSliceForm
  private var thread: pthread_t?

  init(_ form: AuricleSliceForm, gain: Float) throws {
    self.form = form
    unsafe memory = .allocate(byteCount: AuricleSharedSoundSize(form), alignment: 64)
    unsafe memset(memory, 0, AuricleSharedSoundSize(form))
    unsafe link = try #require(unsafe AuricleSoundLinkMake(memory, form))
    thread = startThread { self.run(gain) }
  }

  private func run(_ gain: Float) {
    var number: UInt32 = 0
    while case let frames = unsafe AuricleSharedSoundTake(memory, form, &number), frames > 0 {
      var (place, count): (UInt32, UInt32) = (0, 0)
      var added: Float = 0
      while let bytes = unsafe AuricleSharedSoundEvent(memory, form, &place, &count) {
        added += unsafe Float(bytes.load(as: UInt8.self))
      }
      for frame in 0..<Int(frames) {
        let sample = unsafe AuricleSharedSoundInput(memory, form)[frame]
        unsafe AuricleSharedSoundOutput(memory, form)[frame] = sample * gain + added
      }
      unsafe AuricleSharedSoundAnswer(memory, number)
    }
  }

  func end() {
    unsafe AuricleSoundLinkEnd(link)
    if let thread { pthread_join(thread, nil) }
    unsafe AuricleSoundLinkFree(link)
    unsafe memory.deallocate()
  }
}

@Suite struct SoundLinkTests {
  private let form = AuricleSliceForm(frameCapacity: 64, inputWidth: 1, outputWidth: 1)

  private func slice(_ mixer: OpaquePointer, _ input: Float, event: UInt8? = nil) -> [Float] {
    let samples = [Float](repeating: input, count: 64)
    var output = [Float](repeating: 9, count: 64)
    unsafe AuricleSoundMixerBegin(mixer)
    if var event { unsafe #expect(AuricleSoundMixerAddEvent(mixer, &event, 1)) }
    unsafe AuricleSoundMixerRun(mixer, samples, 64, &output, 64)
    return output
  }

  @Test func slicesPassAndTheNextProcessFadesIn() throws {
    let mixer = try unsafe #require(unsafe AuricleSoundMixerMake(form, 128, 0))
    defer { unsafe AuricleSoundMixerFree(mixer) }
    #expect(unsafe slice(mixer, 1).allSatisfy { $0 == 0 }, "nobody renders yet")
    let (first, second) = (try Renderer(form, gain: 1), try Renderer(form, gain: 3))
    #expect(unsafe AuricleSoundMixerOffer(mixer, first.link))
    #expect(unsafe slice(mixer, 0.5).allSatisfy { $0 == 0.5 })
    #expect(unsafe slice(mixer, 0.5, event: 2).allSatisfy { $0 == 2.5 }, "an event comes once")
    #expect(unsafe slice(mixer, 0.5).allSatisfy { $0 == 0.5 })
    #expect(unsafe AuricleSoundMixerOffer(mixer, second.link))
    #expect(unsafe !AuricleSoundMixerOffer(mixer, second.link), "one fades in at a time")
    let fade = unsafe slice(mixer, 1) + slice(mixer, 1)
    for (frame, sample) in fade.enumerated() {
      #expect(abs(sample - (1 + 2 * Float(frame + 1) / 128)) < 1e-5)
    }
    #expect(unsafe AuricleSoundMixerTakeRetired(mixer) == first.link)
    #expect(unsafe slice(mixer, 1).allSatisfy { $0 == 3 })
    first.end()
    second.end()
  }

  @Test func whatIsNoNumberAndWhoIsGoneAreSilent() throws {
    let mixer = try unsafe #require(unsafe AuricleSoundMixerMake(form, 1, 0))
    defer { unsafe AuricleSoundMixerFree(mixer) }
    let broken = try Renderer(form, gain: .nan)
    #expect(unsafe AuricleSoundMixerOffer(mixer, broken.link))
    #expect(unsafe slice(mixer, 1).allSatisfy { $0 == 0 })
    unsafe AuricleSoundLinkAbandon(broken.link)
    #expect(unsafe slice(mixer, 1).allSatisfy { $0 == 0 })
    #expect(unsafe AuricleSoundMixerMissed(mixer) == 1)
    broken.end()
  }

  @Test func aDeviceWaitsForNoProcessThatDoesNotAnswer() throws {
    let mixer = try unsafe #require(unsafe AuricleSoundMixerMake(form, 1, 1000))
    defer { unsafe AuricleSoundMixerFree(mixer) }
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: AuricleSharedSoundSize(form), alignment: 64)
    unsafe memset(memory, 0, AuricleSharedSoundSize(form))
    let link = try unsafe #require(unsafe AuricleSoundLinkMake(memory, form))
    #expect(unsafe AuricleSoundMixerOffer(mixer, link))
    #expect(unsafe slice(mixer, 1).allSatisfy { $0 == 0 } && slice(mixer, 1).allSatisfy { $0 == 0 })
    #expect(unsafe AuricleSoundLinkWaiting(link) > 0)
    #expect(unsafe AuricleSoundMixerMissed(mixer) == 2)
    unsafe AuricleSoundLinkFree(link)
    unsafe memory.deallocate()
  }
}
