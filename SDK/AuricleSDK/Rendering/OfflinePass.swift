// A host's run of an offline unit over the whole input: to analyse it, or to render.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import Synchronization

/// The amount of work, as the host reports it. Any thread.
struct OfflineJob: ~Copyable {
  let inputFrames = Atomic<UInt64>(0)
  let outputFrames = Atomic<UInt64>(0)
  let startOffset = Atomic<UInt64>(0)
}

/// The progress of a pass. Context: render.
struct OfflinePass: BitwiseCopyable {
  /// The flag of the pass; 0 outside of passes.
  var kind: AudioUnitRenderActionFlags
  /// Frames of the pass before the present cycle.
  var position: UInt64
  /// Frames of the whole input; 0 where the host did not say.
  var inputFrames: UInt64
  /// Whether the unit has analysed input since the pass began.
  var hasAnalyzed: Bool

  @_noLocks init() {
    kind = 0
    position = 0
    inputFrames = 0
    hasAnalyzed = false
  }

  /// Applies the flags of a cycle: another kind of pass begins from the start.
  @_noLocks mutating func begin(_ flags: AudioUnitRenderActionFlags, _ job: borrowing OfflineJob) {
    let passes = kAudioOfflineUnitRenderAction_Preflight | kAudioOfflineUnitRenderAction_Render
    if flags & passes != kind {
      kind = flags & passes
      position = 0
    }
    inputFrames = job.inputFrames.load(ordering: .relaxed)
  }
}

extension RenderState {
  /// Whether a pass renders without the analysing pass that it needs. Context: render.
  var lacksPreflight: Bool {
    @_noLocks get {
      needsPreflight && !pass.hasAnalyzed && pass.kind == kAudioOfflineUnitRenderAction_Render
    }
  }

  /// Sets in a caller's flags whether the pass is done, after so many frames more. Context: render.
  @_noLocks mutating func finishPass(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?, _ frameCount: Int
  ) {
    pass.position += UInt64(frameCount)
    let isPreflight = pass.kind & kAudioOfflineUnitRenderAction_Preflight != 0
    if isPreflight { pass.hasAnalyzed = true }
    let frames =
      isPreflight
      ? job.inputFrames.load(ordering: .relaxed) : job.outputFrames.load(ordering: .relaxed)
    let isDone = pass.kind != 0 && frames > 0 && pass.position >= frames
    guard unsafe isDone || report.pointee.isComplete else { return }
    unsafe flags?.pointee |= kAudioOfflineUnitRenderAction_Complete
    pass.kind = 0
    pass.position = 0
  }
}

extension RenderSlice {
  /// Whether the host has an offline unit analyse its input; the output is not used.
  ///
  /// An `OfflineUnit` that measures first:
  ///
  /// ```swift
  /// for channel in 0..<slice.channelCount {
  ///   var samples = slice.samples(channel)
  ///   if slice.isPreflight {
  ///     for frame in samples.indices { peak = max(peak, samples[frame].magnitude) }
  ///   } else {
  ///     let gain = 1 / max(peak, 1e-6)
  ///     for frame in samples.indices { samples[frame] *= gain }
  ///   }
  /// }
  /// ```
  ///
  /// The corresponding Core Audio flag is `kAudioOfflineUnitRenderAction_Preflight`.
  public var isPreflight: Bool {
    @_noLocks get { unsafe state.pointee.pass.kind & kAudioOfflineUnitRenderAction_Preflight != 0 }
  }

  /// Frames of the whole input of an offline unit; 0 where the host did not say.
  ///
  /// The corresponding property is `kAudioUnitOfflineProperty_InputSize`.
  public var wholeInputFrames: UInt64 {
    @_noLocks get { unsafe state.pointee.pass.inputFrames }
  }

  /// Frames of the pass over the whole input before this slice: 0 in the first slice of a pass.
  public var passPosition: UInt64 {
    @_noLocks get { unsafe state.pointee.pass.position + UInt64(frameOffset) }
  }

  /// Reports that an offline unit is done with the pass before the announced frames are over.
  ///
  /// The host receives `kAudioOfflineUnitRenderAction_Complete` and ends the pass.
  @_noLocks public func reportComplete() {
    unsafe report.pointee.isComplete = true
  }
}
