// Pictures of chains, measured in processes that stay between two pictures: a slider redraws at once.
// SPDX-License-Identifier: Apache-2.0

import ChainPlots
import Dispatch
import HostSystem
import Synchronization

/// The sessions that measure for pictures, one for each thing that is drawn.
final class PlotShelf: Sendable {
  private struct State {
    var sessions: [String: PlotSession] = [:]
    /// The keys of the sessions, the one that was used last at the end.
    var order: [String] = []
  }

  private let state = Mutex(State())
  private let program: String
  private let readable: [String]
  /// Each has a process.
  private static let mostSessions = 4

  init(program: String, readable: [String]) { (self.program, self.readable) = (program, readable) }

  /// Draws a chain.
  ///
  /// - Parameters:
  ///   - subject: A name for the chain or stage in the picture; its process is kept for the next one.
  ///   - job: The kind of picture, and the chain.
  /// - Throws: The failure of the chain.
  ///
  /// Context: a thread that may block.
  func figure(
    of subject: String, _ job: PlotSession.Job
  ) throws -> PlotFigure {
    // A session that ends just now does nothing more: the next one does it.
    while true {
      if let made = session(subject).measure(job) { return try made.get() }
    }
  }

  /// The session of a subject.
  private func session(_ subject: String) -> PlotSession {
    let (session, isNew, old) = state.withLock { state -> (PlotSession, Bool, PlotSession?) in
      state.order.removeAll { $0 == subject }
      state.order.append(subject)
      if let known = state.sessions[subject], !known.hasEnded { return (known, false, nil) }
      let made = PlotSession()
      state.sessions[subject] = made
      guard state.order.count > Self.mostSessions else { return (made, true, nil) }
      return (made, true, state.sessions.removeValue(forKey: state.order.removeFirst()))
    }
    old?.close()
    let (program, readable) = (program, readable)
    if isNew { WorkThreads.start { session.run(program, readable: readable) } }
    return session
  }

  /// Ends the sessions of a chain.
  func close(ofChain chain: String) {
    let ended = state.withLock { state in
      let keys = state.order.filter { $0.hasPrefix("\(chain) ") }
      state.order.removeAll(where: keys.contains)
      return keys.compactMap { state.sessions.removeValue(forKey: $0) }
    }
    for session in ended { session.close() }
  }
}

/// A thread with a process that measures one picture after the other.
final class PlotSession: Sendable {
  /// A picture that is asked for.
  struct Job: Sendable {
    var kind: PlotKind
    /// The name in the title.
    var name: String
    var chain: ChainState
    var text: ChainText
  }

  /// A job, and the one who waits for it.
  private final class Order: Sendable {
    let job: Job
    let isDone = DispatchSemaphore(value: 0)
    let result = Mutex<Result<PlotFigure, any Error>?>(nil)
    init(_ job: Job) { self.job = job }
  }

  private struct State {
    var orders: [Order] = []
    var hasEnded = false
  }

  private let state = Mutex(State())
  private let bell = WakeUp()
  /// Milliseconds after which a process that nobody needs ends.
  private static let idleTime: Int32 = 60_000
  private static let blockFrames = 4096

  /// Whether it does nothing more.
  var hasEnded: Bool { state.withLock { $0.hasEnded } }

  /// Measures; nil where the session has ended.
  func measure(_ job: Job) -> Result<PlotFigure, any Error>? {
    let order = Order(job)
    let isTaken = state.withLock { state in
      if !state.hasEnded { state.orders.append(order) }
      return !state.hasEnded
    }
    guard isTaken else { return nil }
    bell.signal()
    order.isDone.wait()
    return order.result.withLock { $0 }
  }

  /// Ends it, behind the picture at work.
  func close() {
    state.withLock { $0.hasEnded = true }
    bell.signal()
  }

  /// Measures pictures in the order of their requests, until there was none for a minute. Context: a separate thread.
  func run(_ program: String, readable: [String]) {
    let subject = PlottedChain(program: program, readable: readable, blockFrames: Self.blockFrames)
    while true {
      let (order, hasEnded) = state.withLock { state in
        (state.orders.isEmpty ? nil : state.orders.removeFirst(), state.hasEnded)
      }
      if let order {
        let result = Result { try subject.figure(order.job) }
        order.result.withLock { $0 = result }
        order.isDone.signal()
      } else if hasEnded {
        return
      } else if !bell.wait(milliseconds: Self.idleTime) {
        state.withLock { if $0.orders.isEmpty { $0.hasEnded = true } }
      }
    }
  }
}

/// A chain in the process of a session. Context: one thread.
private final class PlottedChain: PlotSubject {
  private(set) var name = ""
  var label: String { name }
  private var session: LoopSession
  private var sampleRate = 48_000.0

  init(program: String, readable: [String], blockFrames: Int) {
    // The seed and the channels of `auricle plot`.
    session = LoopSession(
      program: program, readable: readable, channelCount: 2, blockFrames: blockFrames, seed: 1)
  }

  func figure(_ job: PlotSession.Job) throws -> PlotFigure {
    let request = PlotRequest(job.kind, of: [])
    name = job.name
    sampleRate = request.sampleRate
    do {
      try session.prepare(job.chain, job.text)
      return try PlotFigure(request, of: self)
    } catch {
      session.forget()
      throw error
    }
  }

  func run(_ signal: [Float]) throws -> [[Float]] {
    try session.send(signal, sampleRate: sampleRate)
  }
}
