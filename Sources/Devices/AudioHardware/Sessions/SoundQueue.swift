// Sound between a device's thread and the thread that makes or keeps it.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import RealtimeSupport
package import Synchronization

/// A ring of interleaved frames, with the figures of the device's thread.
///
/// @unchecked Sendable because each end of the ring belongs to one thread, and the rest is atomic or fixed.
@safe package final class SoundQueue: @unchecked Sendable {
  /// Channels of a frame.
  package let channelCount: Int
  /// Whether the device waits for the other thread instead of going on without sound.
  package let isPatient: Bool
  private let ring: SPSCRing
  private let producer: SPSCRingProducer
  private let consumer: SPSCRingConsumer
  /// Posted by the other thread: for a device that waits.
  private let supply = RenderSignal()
  private let supplyWords: RenderSignalWords
  /// Posted by the device's thread after each period.
  private let progress = RenderSignal()
  private let progressWords: RenderSignalWords
  /// Bytes ever put in, and the number of them that are not to be played any more.
  private let discarded = Atomic<UInt64>(0)
  private var written: UInt64 = 0
  private var readBytes: UInt64 = 0
  /// Whether silence is played meanwhile.
  private let isPaused = Atomic<Bool>(false)
  /// Whether nothing more is put in.
  private let hasEnded = Atomic<Bool>(false)
  /// Whether nobody waits any more.
  private let isStopped = Atomic<Bool>(false)
  /// Linear, as the bits of a float.
  private let gainBits = Atomic<UInt32>(Float(1).bitPattern)
  private var presentGain: Float = 1
  /// The periods that the other thread knows of.
  private var lastProgress: UInt32 = 0
  /// Frames that were played or kept.
  package let frameCount = Atomic<Int64>(0)
  /// Frames that were missing.
  package let missingFrames = Atomic<Int64>(0)
  /// Frames that the device asked for, silence and all.
  package let deviceFrames = Atomic<Int64>(0)
  /// Places in them at which sound and silence begin.
  private let marks = SoundMarks()
  private let marksReference: Unmanaged<SoundMarks>
  /// Nanoseconds for which a device that may wait does so.
  private static let maximumWait: UInt64 = 600_000_000_000
  /// The highest sample of the first two channels since it was asked for, as the bits of floats.
  private let leftPeak = Atomic<UInt32>(0)
  private let rightPeak = Atomic<UInt32>(0)
  /// The engine that ends behind the last frame.
  private var engine: Unmanaged<DeviceEngine>?

  /// Makes an empty queue. Context: control.
  package init(channelCount: Int, frameCapacity: Int, isPatient: Bool) {
    self.channelCount = channelCount
    self.isPatient = isPatient
    ring = SPSCRing(minimumCapacity: frameCapacity * channelCount * 4)
    (producer, consumer) = (ring.producer, ring.consumer)
    unsafe marksReference = Unmanaged.passUnretained(marks)
    (supplyWords, progressWords) = (supply.words, progress.words)
  }

  /// Makes an engine end behind the last frame; it outlives its thread. Context: control, before it runs.
  package func connect(_ engine: DeviceEngine) {
    unsafe self.engine = Unmanaged.passUnretained(engine)
  }

  /// Waits until the device has done a period, at most so many milliseconds. Context: the other thread.
  package func waitForDevice(milliseconds: UInt64) {
    progress.wait(since: lastProgress, nanoseconds: milliseconds * 1_000_000)
    lastProgress = progress.mark
  }

  /// Sets whether nothing more is put in. Context: the thread that puts in.
  package func setEnded(_ isOn: Bool) {
    hasEnded.store(isOn, ordering: .releasing)
    supply.post()
  }

  /// Whether silence is played meanwhile. Context: any.
  package var isSilenced: Bool { isPaused.load(ordering: .relaxed) }

  /// Makes a waiting device continue without the other thread. Context: any.
  package func stop() {
    isStopped.store(true, ordering: .releasing)
    supply.post()
  }

  /// Plays silence, or resumes. Context: any.
  package func setPaused(_ isOn: Bool) {
    isPaused.store(isOn, ordering: .releasing)
    supply.post()
  }

  /// The linear gain of played frames.
  package var gain: Float {
    get { Float(bitPattern: gainBits.load(ordering: .relaxed)) }
    set { gainBits.store(newValue.bitPattern, ordering: .relaxed) }
  }

  /// The peaks of two channels since the last call, linear.
  package func drainPeaks() -> (Float, Float) {
    (
      Float(bitPattern: leftPeak.exchange(0, ordering: .relaxed)),
      Float(bitPattern: rightPeak.exchange(0, ordering: .relaxed))
    )
  }

  /// Frames that wait. Context: either thread; it may be out of date at once.
  package var waitingFrames: Int { consumer.availableToRead / (4 * channelCount) }

  /// Frames of sound among the first frames that the device played. Context: any thread.
  package func framesPresented(ofDevice played: Int64) -> Int64 {
    marks.soundFrames(before: min(played, deviceFrames.load(ordering: .acquiring)))
  }

  /// Forgets everything that was put in so far. Context: the thread that puts in.
  package func discard() { discarded.store(written, ordering: .releasing) }

  /// Puts frames in; false while there is no room. Context: the one thread that does.
  package func put(_ samples: UnsafePointer<Float>, frameCount: Int) -> Bool {
    guard unsafe write(samples, frameCount) else { return false }
    supplyWords.post()
    return true
  }

  @_noLocks private func write(_ samples: UnsafePointer<Float>, _ frameCount: Int) -> Bool {
    let size = frameCount * channelCount * 4
    guard unsafe producer.write(samples, count: size) else { return false }
    written += UInt64(size)
    return true
  }

  /// Reads frames, as many as there are up to a number. Context: the one thread that does.
  package func dequeue(_ samples: UnsafeMutablePointer<Float>, frameCount: Int) -> Int {
    let count = unsafe read(samples, frameCount)
    supplyWords.post()
    return count
  }

  @_noLocks private func read(
    _ samples: UnsafeMutablePointer<Float>, _ frameCount: Int
  ) -> Int {
    let limit = discarded.load(ordering: .acquiring)
    while readBytes < limit {
      let step = min(Int(limit - readBytes), frameCount * channelCount * 4)
      guard unsafe consumer.read(into: samples, count: step) else { break }
      readBytes += UInt64(step)
    }
    let count = min(frameCount, consumer.availableToRead / (4 * channelCount))
    let size = count * channelCount * 4
    guard count > 0, unsafe consumer.read(into: samples, count: size) else { return 0 }
    readBytes += UInt64(size)
    return count
  }

  @_noLocks private func meter(_ samples: UnsafePointer<Float>, _ frames: Int) {
    for channel in 0..<min(2, channelCount) {
      var peak: Float = 0
      for frame in 0..<frames {
        peak = max(peak, unsafe abs(samples[frame * channelCount + channel]))
      }
      if channel == 0 { note(peak, leftPeak) } else { note(peak, rightPeak) }
    }
  }

  @_noLocks private func note(_ peak: Float, _ cell: borrowing Atomic<UInt32>) {
    if peak > Float(bitPattern: cell.load(ordering: .relaxed)) {
      cell.store(peak.bitPattern, ordering: .relaxed)
    }
  }

  /// Fills a period of the output. Context: the device's thread.
  @_noLocks fileprivate func play(_ samples: UnsafeMutablePointer<Float>, _ frames: Int) {
    let before = deviceFrames.load(ordering: .relaxed)
    let count = unsafe isPaused.load(ordering: .acquiring) ? 0 : fill(samples, frames, before)
    if count > 0 { unsafe shape(samples, count) }
    // Within a period silence comes behind sound.
    if count > 0 { noteSound(true, before) }
    if count < frames { noteSound(false, before + Int64(count)) }
    deviceFrames.store(before + Int64(frames), ordering: .releasing)
    progressWords.post()
  }

  @_noLocks private func noteSound(_ isSound: Bool, _ frame: Int64) {
    unsafe marksReference._withUnsafeGuaranteedRef { $0.begin(isSound: isSound, at: frame) }
  }

  /// Reads a period, or the available part of it; a device that may wait does so for the rest.
  @_noLocks private func fill(
    _ samples: UnsafeMutablePointer<Float>, _ frames: Int, _ before: Int64
  ) -> Int {
    var count = 0
    while true {
      let mark = supplyWords.mark
      let isLast = hasEnded.load(ordering: .acquiring)
      count += unsafe read(samples + count * channelCount, frames - count)
      if count == frames { return count }
      if isLast {
        if let engine = unsafe engine {
          unsafe engine._withUnsafeGuaranteedRef { $0.finish(afterFrame: before + Int64(count)) }
        }
        return count
      }
      progressWords.post()
      guard isPatient, !isStopped.load(ordering: .acquiring),
        supplyWords.wait(since: mark, nanoseconds: Self.maximumWait)
      else {
        missingFrames.add(Int64(frames - count), ordering: .relaxed)
        return count
      }
    }
  }

  /// Applies the gain, in a ramp where it changed, and measures the peaks.
  @_noLocks private func shape(_ samples: UnsafeMutablePointer<Float>, _ count: Int) {
    let target = Float(bitPattern: gainBits.load(ordering: .relaxed))
    var gain = presentGain
    let isFlat = target == 1 && gain == 1
    if !isFlat {
      let step = (target - gain) / Float(max(1, count))
      for frame in 0..<count {
        gain += step
        for channel in 0..<channelCount { unsafe samples[frame * channelCount + channel] *= gain }
      }
      presentGain = target
    }
    unsafe meter(samples, count)
    frameCount.add(Int64(count), ordering: .relaxed)
  }

  /// Keeps a period of the input. Context: the device's thread.
  @_noLocks fileprivate func record(_ samples: UnsafePointer<Float>, _ frames: Int) {
    unsafe meter(samples, frames)
    while true {
      let mark = supplyWords.mark
      let isKept = unsafe write(samples, frames)
      if isKept { frameCount.add(Int64(frames), ordering: .relaxed) }
      progressWords.post()
      if isKept { return }
      guard isPatient, !isStopped.load(ordering: .acquiring),
        supplyWords.wait(since: mark, nanoseconds: Self.maximumWait)
      else {
        missingFrames.add(Int64(frames), ordering: .relaxed)
        return
      }
    }
  }

  /// The client that plays from the queue; it must outlive the device's thread.
  package var player: IOClient {
    unsafe IOClient(
      { _, _, _, _, output, _, context in
        guard let context = unsafe context, let output = unsafe output,
          let samples = unsafe output.pointee.mBuffers.mData
        else { return 0 }
        let queue = unsafe Unmanaged<SoundQueue>.fromOpaque(context)
        unsafe queue._withUnsafeGuaranteedRef {
          let frames = unsafe Int(output.pointee.mBuffers.mDataByteSize) / (4 * $0.channelCount)
          unsafe $0.play(samples.assumingMemoryBound(to: Float.self), frames)
        }
        return 0
      }, Unmanaged.passUnretained(self).toOpaque(), number: 1)
  }

  /// The client that records into the queue.
  package var recorder: IOClient {
    unsafe IOClient(
      { _, _, input, _, _, _, context in
        guard let context = unsafe context, let input = unsafe input,
          let samples = unsafe input.pointee.mBuffers.mData
        else { return 0 }
        let queue = unsafe Unmanaged<SoundQueue>.fromOpaque(context)
        unsafe queue._withUnsafeGuaranteedRef {
          let frames = unsafe Int(input.pointee.mBuffers.mDataByteSize) / (4 * $0.channelCount)
          unsafe $0.record(samples.assumingMemoryBound(to: Float.self), frames)
        }
        return 0
      }, Unmanaged.passUnretained(self).toOpaque(), number: 1)
  }
}
