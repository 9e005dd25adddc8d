// A graph that runs: started, stopped, pulled by hand, reset.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
import AudioUnits
public import CAudioToolbox

extension AudioUnitGraph {
  /// Starts the output unit, which then pulls the graph by its own clock if it has one.
  ///
  /// Subgraphs are started with it, and run as long as their parent does.
  ///
  /// - Throws: `kAudioUnitErr_Uninitialized`; the output unit's error.
  ///
  /// The corresponding Core Audio function is `AUGraphStart`.
  public func start() throws(AuricleError) {
    try locked { () throws(AuricleError) in
      if isInitializedEmpty, !nodes.isEmpty { try initialize() }
      guard isInitializedNow, let unit = headNode?.unit else {
        throw AuricleError(
          .software, status: kAudioUnitErr_Uninitialized, "the graph is not initialized")
      }
      guard startCount == 0 else { return }
      if isDirty { try applyChanges() }
      do throws(AuricleError) {
        for subgraph in subgraphs where subgraph.isInitializedNow { try subgraph.start() }
        try unit.callOutputMethod(kAudioOutputUnitStartSelect, "cannot start")
      } catch {
        for subgraph in subgraphs { try? subgraph.stop() }
        throw error
      }
      startCount = 1
    }
  }

  /// Stops the output unit.
  ///
  /// - Throws: The output unit's error.
  ///
  /// The corresponding Core Audio function is `AUGraphStop`.
  public func stop() throws(AuricleError) {
    try locked { () throws(AuricleError) in
      guard startCount > 0 else { return }
      startCount = 0
      for subgraph in subgraphs { try? subgraph.stop() }
      try headNode?.unit?.callOutputMethod(kAudioOutputUnitStopSelect, "cannot stop")
    }
  }

  /// The graphs behind nodes, in the order of these.
  private var subgraphs: [AudioUnitGraph] { order.compactMap { nodes[$0]?.subgraph } }

  func stopNow() {
    guard startCount > 0 else { return }
    startCount = 0
    try? headNode?.unit?.callOutputMethod(kAudioOutputUnitStopSelect, "cannot stop")
  }

  /// Clears the history of all units, and empties the delay lines.
  ///
  /// Context: control, while nothing renders.
  public func reset() throws(AuricleError) {
    try locked { () throws(AuricleError) in
      for node in participants {
        if let subgraph = node.subgraph { try subgraph.reset() } else { try node.unit?.reset() }
      }
      for plan in plans { for line in plan.lines { line.clear() } }
      sampleTime = 0
    }
  }

  /// Renders one slice of the output unit's bus 0; times advance from slice to slice.
  ///
  /// - Parameters:
  ///   - frameCount: In 1...the output unit's maximum.
  ///   - buffers: As many as the output bus has streams.
  ///   - flags: Render action flags, in and out.
  /// - Returns: 0, or the first error met; `consumeFailure` names the node.
  ///
  /// Changes of latency are followed here, so that a rendering by hand is the same every time.
  ///
  /// Context: the one thread that pulls the graph by hand.
  public func render(
    frameCount: Int, into buffers: UnsafeMutablePointer<AudioBufferList>,
    flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>? = nil
  ) -> OSStatus {
    guard let unit = outputUnit else { return kAUGraphErr_OutputNodeErr }
    var stamp = AudioTimeStamp(sampleTime: sampleTime)
    var own = unsafe flags?.pointee ?? 0
    let status = unsafe unit.render(
      flags: &own, timeStamp: &stamp, frameCount: UInt32(clamping: frameCount), buffers: buffers)
    unsafe flags?.pointee = own
    sampleTime += Double(frameCount)
    follow()
    return status
  }

  /// Aligns branches anew where a latency changed, and frees memory without a use.
  func follow(asksAll: Bool = false) {
    reading {
      guard isInitializedNow else { return }
      // Changes that wait for `update` are not to be applied by the way.
      if !isDirty && refreshLatencies(asksAll: asksAll) { try? applyChanges() }
      reclaim()
    }
  }
}

extension AudioUnit {
  /// Calls start or stop; a unit without the selector has nothing to do.
  fileprivate func callOutputMethod(_ selector: Int16, _ what: String) throws(AuricleError) {
    guard let lookup = unsafe instance.pointee.plugIn.pointee.Lookup,
      let method = unsafe lookup(selector)
    else { return }
    try AuricleError.check(
      unsafe method(UnsafeMutableRawPointer(instance.pointee.plugIn)), "\(name): \(what)")
  }
}
