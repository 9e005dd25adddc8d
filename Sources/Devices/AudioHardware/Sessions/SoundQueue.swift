// Sound between a device's thread and the thread that makes or keeps it.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import Glibc
import RealtimeSupport
package import Synchronization

/// A ring of interleaved frames, with what the device's thread tells of itself.
///
/// @unchecked Sendable because each end of the ring belongs to one thread, and the rest is atomic or fixed.
package final class SoundQueue: @unchecked Sendable {
  /// Channels of a frame.
  package let channelCount: Int
  /// Whether the device waits for the other thread instead of going on without sound.
  package let isPatient: Bool
  private let ring: SPSCRing
  /// Bytes ever put in, and the number of them that are not to be heard any more.
  private let discarded = Atomic<UInt64>(0)
  private var written: UInt64 = 0
  private var read: UInt64 = 0
  /// Whether silence is played meanwhile.
  package let isPaused = Atomic<Bool>(false)
  /// Whether nothing more is put in.
  package let hasEnded = Atomic<Bool>(false)
  /// Whether nobody waits any more.
  package let isStopped = Atomic<Bool>(false)
  /// Linear, as the bits of a float.
  private let gainBits = Atomic<UInt32>(Float(1).bitPattern)
  private var presentGain: Float = 1
  /// Frames that were heard or kept.
  package let frameCount = Atomic<Int64>(0)
  /// Frames that were missing.
  package let missingFrames = Atomic<Int64>(0)
  /// Frames that the device asked for, silence and all.
  package let deviceFrames = Atomic<Int64>(0)
  /// Where in them sound and silence begin.
  private let marks = SoundMarks()
  /// The highest sample of the first two channels since it was asked for, as the bits of floats.
  private let leftPeak = Atomic<UInt32>(0)
  private let rightPeak = Atomic<UInt32>(0)
  /// Told when the last frame was put into the device: frames of its output.
  package var onLastFrame: ((Int64) -> Void)?

  /// Makes an empty queue. Context: control.
  package init(channelCount: Int, frameCapacity: Int, isPatient: Bool) {
    self.channelCount = channelCount
    self.isPatient = isPatient
    ring = SPSCRing(minimumCapacity: frameCapacity * channelCount * 4)
  }

  /// The linear gain of what is played.
  package var gain: Float {
    get { Float(bitPattern: gainBits.load(ordering: .relaxed)) }
    set { gainBits.store(newValue.bitPattern, ordering: .relaxed) }
  }

  /// The peaks of two channels since the last call, linear.
  package func takePeaks() -> (Float, Float) {
    (
      Float(bitPattern: leftPeak.exchange(0, ordering: .relaxed)),
      Float(bitPattern: rightPeak.exchange(0, ordering: .relaxed))
    )
  }

  /// Frames that wait. Context: either thread; it may be out of date at once.
  package var waitingFrames: Int { ring.consumer.availableToRead / (4 * channelCount) }

  /// Frames that were heard when the device had played so many of those that it asked for. Context: any thread.
  package func framesHeard(ofDevice played: Int64) -> Int64 {
    marks.soundFrames(before: min(played, deviceFrames.load(ordering: .acquiring)))
  }

  /// Forgets everything that was put in so far. Context: the thread that puts in.
  package func discard() { discarded.store(written, ordering: .releasing) }

  /// Puts frames in; false while there is no room. Context: the one thread that does.
  package func put(_ samples: UnsafePointer<Float>, frameCount: Int) -> Bool {
    let size = frameCount * channelCount * 4
    guard unsafe ring.producer.write(samples, count: size) else { return false }
    written += UInt64(size)
    return true
  }

  /// Takes frames out, as many as there are up to a number. Context: the one thread that does.
  package func take(_ samples: UnsafeMutablePointer<Float>, frameCount: Int) -> Int {
    let limit = discarded.load(ordering: .acquiring)
    while read < limit {
      let step = min(Int(limit - read), frameCount * channelCount * 4)
      guard unsafe ring.consumer.read(into: samples, count: step) else { break }
      read += UInt64(step)
    }
    let count = min(frameCount, ring.consumer.availableToRead / (4 * channelCount))
    let size = count * channelCount * 4
    guard count > 0, unsafe ring.consumer.read(into: samples, count: size) else { return 0 }
    read += UInt64(size)
    return count
  }

  fileprivate func meter(_ samples: UnsafePointer<Float>, _ frames: Int) {
    for channel in 0..<min(2, channelCount) {
      var peak: Float = 0
      for frame in 0..<frames {
        peak = max(peak, unsafe abs(samples[frame * channelCount + channel]))
      }
      if channel == 0 { note(peak, leftPeak) } else { note(peak, rightPeak) }
    }
  }

  private func note(_ peak: Float, _ cell: borrowing Atomic<UInt32>) {
    if peak > Float(bitPattern: cell.load(ordering: .relaxed)) {
      cell.store(peak.bitPattern, ordering: .relaxed)
    }
  }

  /// Fills a period of the output. Context: the device's thread.
  fileprivate func play(_ samples: UnsafeMutablePointer<Float>, _ frames: Int) {
    let before = deviceFrames.load(ordering: .relaxed)
    var count = 0
    defer {
      // Within a period silence comes behind sound.
      if count > 0 { marks.begin(isSound: true, at: before) }
      if count < frames { marks.begin(isSound: false, at: before + Int64(count)) }
      deviceFrames.store(before + Int64(frames), ordering: .releasing)
    }
    guard !isPaused.load(ordering: .acquiring) else { return }
    while true {
      count += unsafe take(samples + count * channelCount, frameCount: frames - count)
      if count == frames { break }
      if hasEnded.load(ordering: .acquiring) {
        // What was put in before the end was told.
        count += unsafe take(samples + count * channelCount, frameCount: frames - count)
        if count < frames { onLastFrame?(before + Int64(count)) }
        break
      }
      guard isPatient, !isStopped.load(ordering: .acquiring) else {
        missingFrames.add(Int64(frames - count), ordering: .relaxed)
        break
      }
      usleep(200)
    }
    let target = gain
    if target != 1 || presentGain != 1 {
      let step = (target - presentGain) / Float(max(1, count))
      for frame in 0..<count {
        presentGain += step
        for channel in 0..<channelCount {
          unsafe samples[frame * channelCount + channel] *= presentGain
        }
      }
      presentGain = target
    }
    unsafe meter(samples, count)
    frameCount.add(Int64(count), ordering: .relaxed)
  }

  /// Keeps a period of the input. Context: the device's thread.
  fileprivate func record(_ samples: UnsafePointer<Float>, _ frames: Int) {
    unsafe meter(samples, frames)
    while unsafe !put(samples, frameCount: frames) {
      guard isPatient, !isStopped.load(ordering: .acquiring) else {
        missingFrames.add(Int64(frames), ordering: .relaxed)
        return
      }
      usleep(200)
    }
    frameCount.add(Int64(frames), ordering: .relaxed)
  }

  /// The client that plays from the queue; it must outlive the device's thread.
  package var player: IOClient {
    unsafe IOClient(
      { _, _, _, _, output, _, context in
        guard let context = unsafe context, let output = unsafe output,
          let samples = unsafe output.pointee.mBuffers.mData
        else { return 0 }
        let queue = unsafe Unmanaged<SoundQueue>.fromOpaque(context).takeUnretainedValue()
        let frames = unsafe Int(output.pointee.mBuffers.mDataByteSize) / (4 * queue.channelCount)
        unsafe queue.play(samples.assumingMemoryBound(to: Float.self), frames)
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
        let queue = unsafe Unmanaged<SoundQueue>.fromOpaque(context).takeUnretainedValue()
        let frames = unsafe Int(input.pointee.mBuffers.mDataByteSize) / (4 * queue.channelCount)
        unsafe queue.record(samples.assumingMemoryBound(to: Float.self), frames)
        return 0
      }, Unmanaged.passUnretained(self).toOpaque(), number: 1)
  }
}
