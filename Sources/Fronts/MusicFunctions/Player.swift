// A player: its transport, and the side of it that is called slice by slice.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import Glibc
import MusicSequences
import RealtimeSupport
import Synchronization

/// Plays one sequence.
///
/// `phase` names the user of `core`: the thread that plays while it is `playing`, else the holder of `transport`.
///
/// @unchecked Sendable because of that, and because the rest is atomic.
@safe final class Player: @unchecked Sendable {
  /// The settings of a player.
  struct Transport {
    /// The handle of its sequence; 0 for none.
    var sequence: UInt = 0
    /// The graph that calls it; 0 for none.
    var graph: UInt = 0
    /// Whether it started the graph.
    var startedGraph = false
    /// Whether its tracks play to endpoints.
    var usesSender = false
    /// Whether a program steps it, by the frames of units that it renders.
    var isStepped = false
    /// Whether tracks of endpoints sound where a program steps it.
    var playsEndpoints = false
    /// The beat while it does not play.
    var beat = 0.0
    var startBeat = 0.0
    var rate = 1.0
    var sampleRate = 44_100.0
  }

  private enum Phase {
    static let idle = 0
    static let playing = 1
    static let changing = 2
  }

  let transport = Mutex(Transport())
  let core = UnsafeMutablePointer<PlayerCore>.allocate(capacity: 1)
  /// The units that a program renders, each with the events of its tracks.
  let lanes = UnsafeMutablePointer<PlayerLanes>.allocate(capacity: 1)
  private let phase = Atomic<Int>(Phase.idle)
  private let isInside = Atomic<Bool>(false)
  private let sliceEnd = RenderSignal()
  private let playingThread = Atomic<UInt>(0)
  private let skipped = Atomic<Int>(0)
  private let publishedTime = PublishedTime()

  /// The number of threads that were begun to play.
  let drives = Atomic<Int>(0)
  /// The handle of its sequence, for readers that do not wait for the transport.
  let held = Atomic<UInt>(0)

  // The sequence that the playing thread reads; changed with the core.
  private var sequence: UInt = 0
  private var callback: MusicSequenceUserCallback?
  private var callbackData: UnsafeMutableRawPointer?
  private var frameLength = 0.0
  // The request of a callback on the playing thread.
  private var wantsStop = false
  private var wantedBeat: Double?
  private var wantsRefresh = false

  init() {
    unsafe core.initialize(to: PlayerCore())
    unsafe lanes.initialize(to: PlayerLanes())
  }

  deinit {
    unsafe core.pointee.free()
    unsafe core.deallocate()
    unsafe lanes.pointee.free()
    unsafe lanes.deallocate()
  }

  /// Whether it was started and not stopped.
  var isPlaying: Bool { phase.load(ordering: .acquiring) != Phase.idle }

  /// Whether it holds a sequence. Context: any.
  func holds(_ sequence: UInt) -> Bool { held.load(ordering: .acquiring) == sequence }

  /// Ends a beginning that failed. Context: control, under `transport`.
  func endBeginning(_ transport: inout Transport) {
    changing(to: Phase.idle) {}
    settle(&transport)
  }

  /// Whether the caller is inside of a callback of this player.
  var isCalledBack: Bool {
    isInside.load(ordering: .acquiring)
      && playingThread.load(ordering: .acquiring) == UInt(pthread_self())
  }

  /// Runs a body while nobody plays; events that a slice misses meanwhile come a slice later.
  private func changing(to next: Int? = nil, _ body: () -> Void) {
    let before = phase.exchange(Phase.changing, ordering: .sequentiallyConsistent)
    let isOver = { !self.isInside.load(ordering: .sequentiallyConsistent) }
    while !sliceEnd.wait(nanoseconds: 1_000_000_000, until: isOver) {}
    body()
    phase.store(next ?? before, ordering: .sequentiallyConsistent)
  }

  /// Adopts the present sequence, at a beat or where it is. Context: control, or the playing thread
  /// between slices.
  private func adopt(_ score: Score, at beat: Double?) {
    unsafe callback = unsafe score.callback
    unsafe callbackData = unsafe score.callbackData
    sequence = score.sequence
    for (unit, plan) in score.plans where unit == 0 {
      unsafe core.pointee.adopt(plan, at: beat)
    }
    unsafe lanes.pointee.adopt(
      score.plans.filter { $0.unit != 0 }, at: beat, core.pointee,
      sink(mach_absolute_time(), frames: 0))
  }

  // MARK: Transport. Context: control, under `transport`.

  /// Begins to play the score of a sequence.
  func begin(_ score: Score, _ transport: inout Transport, sampleRate: Double) {
    transport.sampleRate = sampleRate
    transport.startBeat = transport.beat
    let (beat, rate) = (transport.beat, transport.rate)
    if score.usesEndpoints, !transport.usesSender {
      MIDISender.shared.begin()
      transport.usesSender = true
    }
    changing(to: Phase.playing) {
      skipped.store(0, ordering: .relaxed)
      frameLength = 1e9 / sampleRate
      adopt(score, at: beat)
      unsafe core.pointee.set(rate: rate, sampleRate: sampleRate)
      publishedTime.begin(beat: beat, seconds: unsafe core.pointee.seconds)
      unsafe lanes.pointee.hasClock = false
      (wantsStop, wantsRefresh, wantedBeat) = (false, false, nil)
    }
  }

  /// Ends sounding notes, and stays where it is.
  func stop() {
    if isCalledBack {
      wantsStop = true
      return
    }
    transport.withLock { transport in
      guard isPlaying else { return }
      changing(to: Phase.idle) {
        silence()
      }
      transport.beat = publishedTime.beat
      settle(&transport)
    }
  }

  /// Ends all notes.
  private func silence() {
    let sink = sink(mach_absolute_time(), frames: 0)
    unsafe core.pointee.silence(sink)
    unsafe lanes.pointee.silence(sink)
  }

  /// Lets go of the sender.
  private func settle(_ transport: inout Transport) {
    if transport.usesSender { MIDISender.shared.end() }
    transport.usesSender = false
  }

  /// Goes to a beat.
  func set(_ beat: Double) {
    if isCalledBack {
      wantedBeat = beat
      return
    }
    transport.withLock { transport in
      transport.beat = beat
      guard isPlaying, let score = Score(transport) else { return }
      transport.startBeat = beat
      changing {
        adopt(score, at: beat)
        publishedTime.begin(beat: beat, seconds: unsafe core.pointee.seconds)
      }
    }
  }

  /// Plays faster or slower.
  func set(rate: Double) {
    transport.withLock { transport in
      transport.rate = rate
      let sampleRate = transport.sampleRate
      guard isPlaying else { return }
      changing { unsafe core.pointee.set(rate: rate, sampleRate: sampleRate) }
    }
  }

  /// The sequence was changed.
  func refresh() {
    guard isPlaying else { return }
    if isCalledBack {
      wantsRefresh = true
      return
    }
    transport.withLock { transport in
      guard isPlaying, let score = Score(transport) else { return }
      changing { adopt(score, at: nil) }
    }
  }

  /// Where it is.
  var beat: Double { isPlaying ? publishedTime.beat : transport.withLock { $0.beat } }

  /// The host's time of a slice's start, and the sequence's seconds then; nil while it does not play.
  var clock: (hostTime: UInt64, seconds: Double)? { isPlaying ? publishedTime.clock : nil }

  // MARK: Slices. Context: the thread that plays.

  func sink(_ hostTime: UInt64, frames: Int) -> UnitSink {
    unsafe UnitSink(
      hostTime: hostTime, frameLength: frameLength, frameCount: frames, sequence: sequence,
      callback: callback, callbackData: callbackData)
  }

  /// Plays a slice of so many frames that begins at a time of the host's clock.
  func slice(_ frames: Int, at hostTime: UInt64) {
    inside(frames) {
      playLate(frames, at: hostTime)
      play(frames, at: hostTime)
    }
  }

  /// Plays the frames that came while the sequence was changed.
  func playLate(_ frames: Int, at hostTime: UInt64) {
    let late = skipped.exchange(0, ordering: .relaxed)
    if late > 0 { unsafe core.pointee.advance(late, sink(hostTime, frames: frames), isLate: true) }
  }

  func play(_ frames: Int, at hostTime: UInt64) {
    let seconds = unsafe core.pointee.seconds
    unsafe core.pointee.advance(frames, sink(hostTime, frames: frames))
    publishedTime.publish(unsafe core.pointee.beat, hostTime, seconds)
  }

  /// Runs a body that plays, unless the sequence is changed just now: then its frames are late.
  func inside(_ frames: Int, _ body: () -> Void) {
    isInside.store(true, ordering: .sequentiallyConsistent)
    defer {
      isInside.store(false, ordering: .sequentiallyConsistent)
      sliceEnd.post()
    }
    switch phase.load(ordering: .sequentiallyConsistent) {
    case Phase.playing: break
    case Phase.changing:
      skipped.add(frames, ordering: .relaxed)
      return
    default: return
    }
    playingThread.store(UInt(pthread_self()), ordering: .releasing)
    body()
    if wantsStop || wantsRefresh || wantedBeat != nil { doWhatWasWanted() }
  }

  /// Does the requests of this thread's callbacks, now that the slice is over.
  private func doWhatWasWanted() {
    if let beat = wantedBeat {
      unsafe core.pointee.go(to: beat)
      unsafe lanes.pointee.go(to: beat)
      publishedTime.begin(beat: beat, seconds: unsafe core.pointee.seconds)
    }
    if wantsRefresh, let score = transport.withLockIfAvailable({ Score($0) }) ?? nil {
      adopt(score, at: nil)
      wantsRefresh = false
    }
    if wantsStop {
      silence()
      let isStopped = transport.withLockIfAvailable { transport -> Bool in
        transport.beat = publishedTime.beat
        settle(&transport)
        return true
      }
      if isStopped == true {
        phase.store(Phase.idle, ordering: .sequentiallyConsistent)
        wantsStop = false
      }
    }
    wantedBeat = nil
  }
}
