// The drive of a player: the render notification of a graph's output, or a thread where there is only MIDI.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import Glibc
import HostSystem
import MusicSequences
import Synchronization

/// Called around each slice of the graph's output. Context: render.
private let rendered: AURenderCallback = { context, flags, time, _, frames, _ in
  guard let context = unsafe context, let flags = unsafe flags,
    unsafe flags.pointee & kAudioUnitRenderAction_PreRender != 0
  else { return noErr }
  var hostTime: UInt64 = 0
  if let time = unsafe time, unsafe time.pointee.mFlags & kAudioTimeStampHostTimeValid != 0 {
    hostTime = unsafe time.pointee.mHostTime
  }
  if hostTime == 0 { hostTime = mach_absolute_time() }
  unsafe Unmanaged<Player>.fromOpaque(context)._withUnsafeGuaranteedRef {
    $0.slice(Int(frames), at: hostTime)
  }
  return noErr
}

extension Player {
  private var context: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

  /// The time source that a thread has: microseconds.
  private static let threadRate = 1e6

  /// Makes ready: opens and initialises the graph, and listens to its output.
  ///
  /// Context: control, under `transport`. Throws the graph's error; -10854 without a sequence.
  func prepare(_ transport: inout Transport) throws(MusicFailure) {
    guard transport.sequence != 0 else { throw MusicFailure(status: kAudioToolboxErr_NoSequence) }
    let graph = unsafe try wantedGraph(transport.sequence)
    if UInt(bitPattern: graph) != transport.graph { leaveGraph(&transport) }
    guard let graph = unsafe graph else {
      transport.sampleRate = Self.threadRate
      return
    }
    func check(_ status: OSStatus) throws(MusicFailure) {
      if status != noErr { throw MusicFailure(status: status) }
    }
    var (isOpen, isInitialized) = (false, false)
    try unsafe check(AUGraphIsOpen(graph, &isOpen))
    if !isOpen { try unsafe check(AUGraphOpen(graph)) }
    try unsafe check(AUGraphIsInitialized(graph, &isInitialized))
    if !isInitialized { try unsafe check(AUGraphInitialize(graph)) }
    guard let head = unsafe SequenceGraph.head(of: graph) else {
      throw MusicFailure(status: kAUGraphErr_OutputNodeErr)
    }
    if transport.graph == 0 {
      try unsafe check(AUGraphAddRenderNotify(graph, rendered, context))
      transport.graph = UInt(bitPattern: graph)
    }
    var place = PlayDestination(track: 0, unit: 0, endpoint: 0, frameRatio: 1)
    unsafe SequenceGraph.fill(&place, graph, head, 1)
    transport.sampleRate = place.frameRatio > 1 ? place.frameRatio : 44_100
  }

  /// The graph to play into; nil where all tracks play to endpoints and no graph was set.
  private func wantedGraph(_ sequence: UInt) throws(MusicFailure) -> AUGraph? {
    var (graph, needsOne) = (UInt(0), true)
    let status = withMusic { (objects) throws(MusicFailure) in
      let kept = try unsafe objects.sequence(MusicSequence(bitPattern: sequence))
      graph = kept.graph
      let playing = kept.model.tracks.filter { !$0.events.isEmpty }
      needsOne =
        playing.isEmpty
        || !playing.allSatisfy { if case .endpoint = $0.destination { true } else { false } }
    }
    guard status == noErr else { throw MusicFailure(status: kAudioToolboxErr_NoSequence) }
    if graph != 0 { return unsafe AUGraph(bitPattern: graph) }
    return needsOne ? unsafe try SequenceGraph.graph(of: sequence) : nil
  }

  /// Starts to play, and the graph with it.
  func start() -> OSStatus {
    transport.withLock { transport -> OSStatus in
      guard !isPlaying else { return noErr }
      transport.isStepped = false
      do throws(MusicFailure) {
        try prepare(&transport)
      } catch {
        return error.status
      }
      guard let score = Score(transport) else { return kAudioToolboxErr_NoSequence }
      begin(score, &transport, sampleRate: transport.sampleRate)
      guard transport.graph != 0 else {
        return startThread() ? noErr : kAudioToolboxErr_InvalidPlayerState
      }
      var isRunning = false
      let graph = unsafe AUGraph(bitPattern: transport.graph)
      unsafe AUGraphIsRunning(graph, &isRunning)
      guard !isRunning else { return noErr }
      let status = unsafe AUGraphStart(graph)
      transport.startedGraph = status == noErr
      if status != noErr { endBeginning(&transport) }
      return status
    }
  }

  /// Makes ready without playing.
  func preroll() -> OSStatus {
    transport.withLock { transport -> OSStatus in
      guard !isPlaying else { return noErr }
      do throws(MusicFailure) {
        try prepare(&transport)
        return noErr
      } catch {
        return error.status
      }
    }
  }

  /// Sets a sequence, or none.
  func setSequence(_ sequence: UInt) -> OSStatus {
    transport.withLock { transport -> OSStatus in
      guard !isPlaying else { return kAudioToolboxErr_InvalidPlayerState }
      leaveGraph(&transport)
      transport.sequence = sequence
      held.store(sequence, ordering: .releasing)
      return noErr
    }
  }

  /// Listens no more, and stops the graph if it was started for this player.
  func leaveGraph(_ transport: inout Transport) {
    guard transport.graph != 0 else { return }
    let graph = unsafe AUGraph(bitPattern: transport.graph)
    if transport.startedGraph { unsafe AUGraphStop(graph) }
    unsafe AUGraphRemoveRenderNotify(graph, rendered, context)
    transport.graph = 0
    transport.startedGraph = false
  }

  /// Plays from a thread, a few milliseconds ahead of the time.
  private func startThread() -> Bool {
    let number = drives.add(1, ordering: .acquiringAndReleasing).newValue
    let thread = HostSystem.startThread { [self] in
      let start = mach_absolute_time()
      var done: UInt64 = 0
      while isPlaying, drives.load(ordering: .acquiring) == number {
        let wanted = (mach_absolute_time() - start) / 1000 + 10_000
        slice(Int(wanted - done), at: start + done * 1000)
        done = wanted
        // The time is what it waits for: slices follow the clock.
        usleep(4000)
      }
    }
    guard let thread else { return false }
    pthread_detach(thread)
    return true
  }
}
