// The device's call: input through the chain to the output, with fades where something is exchanged.
// SPDX-License-Identifier: Apache-2.0

import AudioHardware
import CAudioToolbox
import FileRendering
import IsolatedUnits
import RealtimeSupport
import Synchronization
import UnitChains

/// Runs the present chain, and fades to the next one.
///
/// @unchecked Sendable because the device's thread uses the fields that are not atomic, and control hands over
/// by atomics.
@safe final class LiveRender: @unchecked Sendable {
  private let channelCount: Int
  private let frameCapacity: Int
  private let sampleRate: Double
  /// The input, and a copy for each chain that may change it.
  private let memory: [PlanarBuffer]
  private let dry: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let wet: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let next: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// Borrowed: control keeps chains until they are retired.
  private var present: Unmanaged<LiveChain>
  /// The chain that is faded in, and how far that is in frames.
  private var fading: Unmanaged<LiveChain>?
  private var faded = 0
  private let fadeFrames: Int
  private var gain: Float = 1
  private var wetPart: Float = 1

  private let offered = Atomic<UInt>(0)
  private let retired = Atomic<UInt>(0)
  /// Linear, as the bits of a float.
  private let gainBits = Atomic<UInt32>(Float(1).bitPattern)
  /// Whether the input goes past the chain.
  let isBypassed = Atomic<Bool>(false)
  /// Whether silence is played.
  let isMuted = Atomic<Bool>(false)
  private let leftPeak = Atomic<UInt32>(0)
  private let rightPeak = Atomic<UInt32>(0)
  /// Slices, those of them that failed, and nanoseconds of all and of the longest.
  let sliceCount = Atomic<Int>(0)
  let failedSlices = Atomic<Int>(0)
  let renderTime = Atomic<UInt64>(0)
  let longestRender = Atomic<UInt64>(0)
  /// Nanoseconds in which a slice has to be done; 0 where the device waits.
  private let budget: UInt64

  private let notes: LiveNotes
  private let borrowedNotes: Unmanaged<LiveNotes>
  /// The time of units in other processes; nil where there are none.
  private let clock: SliceClock?
  private let borrowedClock: Unmanaged<SliceClock>?

  init(
    _ chain: LiveChain, _ notes: LiveNotes, channelCount: Int, frameCapacity: Int,
    sampleRate: Double, isRealTime: Bool, clock: SliceClock? = nil
  ) {
    unsafe present = Unmanaged.passUnretained(chain)
    self.notes = notes
    unsafe borrowedNotes = Unmanaged.passUnretained(notes)
    self.channelCount = channelCount
    self.frameCapacity = frameCapacity
    self.sampleRate = sampleRate
    self.clock = clock
    unsafe borrowedClock = clock.map { unsafe Unmanaged.passUnretained($0) }
    memory = (0..<3).map { _ in
      PlanarBuffer(channelCount: channelCount, frameCapacity: frameCapacity)
    }
    unsafe (dry, wet, next) = unsafe (memory[0].rows, memory[1].rows, memory[2].rows)
    fadeFrames = max(1, Int(sampleRate / 50))
    budget = isRealTime ? UInt64(Double(frameCapacity) * 1e9 / max(1, sampleRate)) : 0
  }

  // MARK: Control

  /// Has a chain faded in; false while another still is. The caller keeps it until it is retired.
  func offer(_ chain: LiveChain) -> Bool {
    let bits = unsafe UInt(bitPattern: Unmanaged.passUnretained(chain).toOpaque())
    return offered.compareExchange(expected: 0, desired: bits, ordering: .acquiringAndReleasing)
      .exchanged
  }

  /// The chain that was faded out since the last call; nil for none.
  func collectRetired() -> LiveChain? {
    let bits = retired.exchange(0, ordering: .acquiringAndReleasing)
    guard let pointer = unsafe UnsafeMutableRawPointer(bitPattern: bits) else { return nil }
    return unsafe Unmanaged<LiveChain>.fromOpaque(pointer).takeUnretainedValue()
  }

  /// The linear gain of the output.
  var playedGain: Float {
    @_noLocks get { Float(bitPattern: gainBits.load(ordering: .relaxed)) }
    set { gainBits.store(newValue.bitPattern, ordering: .relaxed) }
  }

  /// The peaks of two channels since the last call, linear.
  func readPeaks() -> (Float, Float) {
    (
      Float(bitPattern: leftPeak.exchange(0, ordering: .relaxed)),
      Float(bitPattern: rightPeak.exchange(0, ordering: .relaxed))
    )
  }

  /// The client of the device; this must outlive the device's thread.
  var client: IOClient {
    unsafe IOClient(
      { _, _, input, _, output, _, context in
        guard let context = unsafe context, let output = unsafe output else { return 0 }
        unsafe Unmanaged<LiveRender>.fromOpaque(context)._withUnsafeGuaranteedRef {
          unsafe $0.run(input, output)
        }
        return 0
      }, Unmanaged.passUnretained(self).toOpaque(), number: 1)
  }

  // MARK: The device's thread

  @_noLocks private func run(
    _ input: UnsafePointer<AudioBufferList>?, _ output: UnsafeMutablePointer<AudioBufferList>
  ) {
    let begin = RenderClock.nanoseconds()
    guard let target = unsafe output.pointee.mBuffers.mData else { return }
    let width = unsafe Int(output.pointee.mBuffers.mNumberChannels)
    let all = unsafe Int(output.pointee.mBuffers.mDataByteSize) / (4 * max(1, width))
    let frames = min(all, frameCapacity)
    if let borrowedClock = unsafe borrowedClock {
      let time = budget > 0 ? UInt64(Double(frames) * 1e9 / sampleRate) : 0
      unsafe borrowedClock._withUnsafeGuaranteedRef { $0.begin(time) }
    }
    unsafe spread(input, frames)
    unsafe present._withUnsafeGuaranteedRef { $0.beginSlice() }
    acceptOffer()
    let (played, faded) = unsafe (present, fading)
    unsafe borrowedNotes._withUnsafeGuaranteedRef {
      unsafe $0.deliver(to: played, faded, frameCount: frames)
    }
    let rows = unsafe renderChains(frames)
    let samples = unsafe target.assumingMemoryBound(to: Float.self)
    unsafe gather(rows, into: samples, frames, width)
    let time = RenderClock.nanoseconds() &- begin
    sliceCount.add(1, ordering: .relaxed)
    renderTime.add(time, ordering: .relaxed)
    if time > longestRender.load(ordering: .relaxed) {
      longestRender.store(time, ordering: .relaxed)
    }
    if budget > 0, time > budget { unsafe present._withUnsafeGuaranteedRef { $0.noteOverrun() } }
  }

  /// Splits the device's channels; one is copied to all, missing ones are silent.
  @_noLocks private func spread(_ input: UnsafePointer<AudioBufferList>?, _ frames: Int) {
    let buffer = unsafe input?.pointee.mBuffers
    let width = unsafe Int(buffer?.mNumberChannels ?? 0)
    let source = unsafe buffer?.mData?.assumingMemoryBound(to: Float.self)
    let there = unsafe min(frames, Int(buffer?.mDataByteSize ?? 0) / (4 * max(1, width)))
    for channel in 0..<channelCount {
      let row = unsafe dry[channel]
      let place = width == 1 ? 0 : channel
      guard let source = unsafe source, place < width else {
        unsafe row.update(repeating: 0, count: frames)
        continue
      }
      for frame in 0..<there { unsafe row[frame] = source[frame * width + place] }
      unsafe (row + there).update(repeating: 0, count: frames - there)
    }
  }

  @_noLocks private func render(
    _ chain: Unmanaged<LiveChain>, _ rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>>,
    _ frames: Int
  ) -> UnsafeMutablePointer<UnsafeMutablePointer<Float>> {
    for channel in 0..<channelCount {
      unsafe SampleCopy.copy(from: dry[channel], to: rows[channel], count: frames)
    }
    let result = unsafe chain._withUnsafeGuaranteedRef {
      unsafe $0.render(UnsafePointer(rows), frameCount: frames)
    }
    guard unsafe result.status != 0 else { return unsafe result.rows }
    failedSlices.add(1, ordering: .relaxed)
    for channel in 0..<channelCount {
      unsafe rows[channel].update(repeating: 0, count: frames)
    }
    return unsafe rows
  }

  /// Begins to fade to a chain that is offered.
  @_noLocks private func acceptOffer() {
    if unsafe fading == nil, retired.load(ordering: .acquiring) == 0 {
      let bits = offered.exchange(0, ordering: .acquiringAndReleasing)
      if let pointer = unsafe UnsafeMutableRawPointer(bitPattern: bits) {
        unsafe fading = Unmanaged<LiveChain>.fromOpaque(pointer)
        faded = 0
      }
    }
  }

  /// The present chain, and the next one while that is faded in.
  @_noLocks private func renderChains(_ frames: Int) -> UnsafeMutablePointer<
    UnsafeMutablePointer<Float>
  > {
    let rows = unsafe render(present, wet, frames)
    guard let fading = unsafe fading else { return unsafe rows }
    let others = unsafe render(fading, next, frames)
    for channel in 0..<channelCount {
      let (from, to) = unsafe (rows[channel], others[channel])
      for frame in 0..<frames {
        let part = min(1, Float(faded + frame + 1) / Float(fadeFrames))
        unsafe from[frame] += (to[frame] - from[frame]) * part
      }
    }
    faded += frames
    guard faded >= fadeFrames else { return unsafe rows }
    // Control keeps both; it frees the old one at the report of the exchange.
    unsafe retired.store(UInt(bitPattern: present.toOpaque()), ordering: .releasing)
    unsafe present = unsafe fading
    unsafe self.fading = nil
    return unsafe rows
  }

  /// Puts the channels together, past the chain or through it, at their gain.
  @_noLocks private func gather(
    _ rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>>,
    into samples: UnsafeMutablePointer<Float>, _ frames: Int, _ width: Int
  ) {
    let step = Float(100 / sampleRate)
    let wantedWet: Float = isBypassed.load(ordering: .relaxed) ? 0 : 1
    let wanted = isMuted.load(ordering: .relaxed) ? 0 : playedGain
    let (wetBefore, gainBefore) = (wetPart, gain)
    var peaks = (Float(0), Float(0))
    for channel in channelCount..<max(channelCount, width) {
      for frame in 0..<frames { unsafe samples[frame * width + channel] = 0 }
    }
    for channel in 0..<min(width, channelCount) {
      wetPart = wetBefore
      gain = gainBefore
      let (made, past) = unsafe (rows[channel], dry[channel])
      var peak: Float = 0
      for frame in 0..<frames {
        if wetPart != wantedWet { wetPart = moved(wetPart, to: wantedWet, by: step) }
        if gain != wanted { gain = moved(gain, to: wanted, by: step) }
        var sample = unsafe made[frame]
        if wetPart != 1 { sample = unsafe past[frame] + (sample - past[frame]) * wetPart }
        if gain != 1 { sample *= gain }
        unsafe samples[frame * width + channel] = sample
        peak = max(peak, abs(sample))
      }
      if channel == 0 { peaks.0 = peak } else if channel == 1 { peaks.1 = peak }
    }
    keep(peaks.0, in: leftPeak)
    keep(peaks.1, in: rightPeak)
  }
}

/// A value that moved towards another by a step.
@inline(__always)
@_noLocks private func moved(_ value: Float, to wanted: Float, by step: Float) -> Float {
  value < wanted ? min(wanted, value + step) : max(wanted, value - step)
}

/// Keeps a peak in a cell that has a lower one.
@_noLocks private func keep(_ peak: Float, in cell: borrowing Atomic<UInt32>) {
  if peak > Float(bitPattern: cell.load(ordering: .relaxed)) {
    cell.store(peak.bitPattern, ordering: .relaxed)
  }
}
