// The latency that a plug-in reports, and from when on it is used.
// SPDX-License-Identifier: Apache-2.0

/// The latency of one instance of a plug-in, run by run. Context: render, unless noted.
///
/// Some plug-ins report their latency only after they have run for some time. An instance that replaces
/// another, made in the same way, has the same latency from its first run on: the other's value is used until
/// this one has run for as long as the other needed to report it.
///
/// After each run, with the latency that the plug-in reports:
///
/// ```swift
/// latencyHistory.add(reportedByPlugIn, frameCount)
/// slice.reportLatency(frames: latencyHistory.reported)
/// ```
public struct LatencyHistory: BitwiseCopyable {
  /// The value reported after the last run.
  private var own = 0
  private var frames = 0
  private var runs = 0
  /// Frames and runs before the last change of the reported value.
  private var settledFrames = 0
  private var settledRuns = 0
  /// The value of the former instance, and for how many frames and runs it is used.
  private var former = 0
  private var formerFrames = 0
  private var formerRuns = 0

  /// Makes an empty history.
  @_noLocks public init() {}

  /// Adds the latency that the plug-in reports after a run.
  ///
  /// - Parameters:
  ///   - latency: Frames, from 0.
  ///   - frameCount: Frames of the run.
  @_noLocks public mutating func add(_ latency: Int, _ frameCount: Int) {
    frames += frameCount
    runs += 1
    guard latency != own else { return }
    own = latency
    settledFrames = frames
    settledRuns = runs
  }

  /// The effective latency in frames: that of the former instance until this one has had time to report its value.
  public var reported: Int {
    @_noLocks get { believesFormer ? former : own }
  }

  private var believesFormer: Bool {
    @_noLocks get { own == 0 && formerRuns > 0 && (frames <= formerFrames || runs <= formerRuns) }
  }

  /// Inherits the value of another instance. Context: control, while neither runs.
  ///
  /// - Parameter other: The history of the instance that this one replaces, made in the same way.
  public mutating func inherit(_ other: LatencyHistory) {
    former = other.reported
    formerFrames = max(other.settledFrames, other.believesFormer ? other.formerFrames : 0)
    formerRuns = max(other.settledRuns, other.believesFormer ? other.formerRuns : 0)
  }
}
