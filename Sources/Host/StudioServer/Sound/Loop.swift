// A loop for the turning of knobs: rendered from the place that is played on, in slices.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import HostSystem
import Synchronization

/// A part of a file through a chain that changes.
final class Loop: Sendable {
  /// The newest chain, and where the page plays.
  private struct Wish {
    var revision = 0
    var state = ChainState()
    var text = ChainText(ChainState())
    var place = 0
    var isClosed = false
  }

  /// The rendered frames.
  private struct Made {
    var samples: [Float] = []
    var revision = -1
    /// The first frame of this rendering, and how many frames behind it are there, around the end of the loop.
    var from = 0
    var count = 0
    var fault: StudioFault?
    var latency = 0
    /// Revisions that were looked at, whatever came of them.
    var tried = -1
  }

  let id: String
  let chain: String
  let setting: String?
  let input: FloatSound
  /// The frames of the file.
  let range: Range<Int>
  let reference: String
  /// The loudness of the file's part in front of the chain, in LUFS; nil where there is none.
  let loudness: Double?
  private let wish = Mutex(Wish())
  private let made = Mutex(Made())
  private let bell = WakeUp()
  /// Changes of the wish and of the rendered frames.
  private let changes = ChangeCount()

  /// Frames that are rendered at once.
  static let blockFrames = 4096
  /// Seconds that are rendered and thrown away in front of a place: what units remember.
  private static let leadSeconds = 1.0
  /// Seconds that are rendered in any case: the page has played on since it said where it is.
  private static let leastSeconds = 0.25

  init(
    id: String, chain: String, setting: String?, input: FloatSound, range: Range<Int>,
    reference: String
  ) {
    (self.id, self.chain, self.setting) = (id, chain, setting)
    (self.input, self.range, self.reference) = (input, range, reference)
    loudness = LoopLevels.loudness(input.frames(range), input)
  }

  /// Asks for a chain.
  func want(_ revision: Int, _ state: ChainState, _ text: ChainText) {
    wish.withLock { wish in
      guard revision > wish.revision else { return }
      (wish.revision, wish.state, wish.text) = (revision, state, text)
    }
    bell.signal()
    changes.note()
  }

  /// Notes where the page plays.
  func play(at frame: Int) {
    wish.withLock { $0.place = min(max(frame, 0), max(range.count - 1, 0)) }
  }

  /// Ends it.
  func close() {
    wish.withLock { $0.isClosed = true }
    bell.signal()
    changes.note()
  }

  /// The loop as pages see it.
  var json: JSONValue {
    let made = made.withLock { ($0.latency, $0.revision) }
    return .members([
      ("id", .string(id)), ("chain", .string(chain)), ("file", .string(reference)),
      ("setting", setting.map(JSONValue.string) ?? .null), ("frames", JSONValue(range.count)),
      ("channels", JSONValue(input.channelCount)), ("sampleRate", JSONValue(input.sampleRate)),
      ("from", JSONValue(Double(range.lowerBound) / input.sampleRate)),
      ("to", JSONValue(Double(range.upperBound) / input.sampleRate)),
      ("latency", JSONValue(made.0)), ("revision", JSONValue(made.1)),
    ])
  }

  /// The message about the rendered frames.
  var news: JSONValue {
    made.withLock { made in
      .members([
        ("type", "loop"), ("loop", .string(id)), ("revision", JSONValue(made.tried)),
        ("from", JSONValue(made.from)), ("count", JSONValue(made.count)),
        ("error", made.fault?.json ?? .null),
      ])
    }
  }

  /// The newest rendering of all frames; nil while it is not complete.
  var whole: [Float]? {
    made.withLock { $0.count == range.count && $0.fault == nil ? $0.samples : nil }
  }

  /// Frames of the loop for the chain as it is now, or a newer one; waits until they are there.
  ///
  /// - Throws: The fault of the chain; `.temporary` where it takes longer than `seconds`.
  ///
  /// Context: a thread that may block.
  func frames(
    from frame: Int, count: Int, within seconds: Double
  ) throws -> (samples: [Float], revision: Int) {
    let channels = input.channelCount
    let deadline = Date(timeIntervalSinceNow: seconds)
    let revision = wish.withLock { $0.revision }
    while true {
      let seen = changes.count
      guard !wish.withLock({ $0.isClosed }) else {
        throw StudioFault(.notFound, "there is no loop \(id) any more")
      }
      let found = made.withLock { made -> Result<([Float], Int), StudioFault>? in
        guard made.tried >= revision else { return nil }
        if let fault = made.fault { return .failure(fault) }
        let behind = (frame - made.from + range.count) % max(range.count, 1)
        // Frames on both sides of the place that was begun with are there with the last one.
        guard made.count == range.count || behind + count <= made.count else { return nil }
        let first = made.samples[(frame * channels)..<(min(frame + count, range.count) * channels)]
        let rest = max(0, frame + count - range.count)
        return .success((Array(first) + made.samples[..<(rest * channels)], made.revision))
      }
      if let found { return try found.get() }
      guard changes.wait(beyond: seen, until: deadline) else {
        throw StudioFault(.temporary, "the loop is not rendered yet: ask again")
      }
    }
  }

  // MARK: Rendering

  /// Renders until `close`. Context: a separate thread, with which the worker ends.
  func run(_ program: String, readable: [String], onSlice: () -> Void) {
    var session = LoopSession(
      program: program, readable: readable, channelCount: input.channelCount)
    while true {
      let (isClosed, revision) = wish.withLock { ($0.isClosed, $0.revision) }
      if isClosed { return }
      guard made.withLock({ $0.tried }) < revision else {
        bell.wait(milliseconds: -1)
        continue
      }
      let (state, text, place) = wish.withLock { ($0.state, $0.text, $0.place) }
      do {
        try session.prepare(state, text)
        try render(&session, revision, from: place, onSlice)
      } catch {
        var fault = StageFinder.placed(StudioFault(error), text, state)
        if let unit = fault.place?["unit"]?.text,
          let stage = StageFinder.stage(of: unit, in: state)
        {
          fault.place = .members([("stage", .string(stage)), ("unit", .string(unit))])
        }
        session.forget()
        made.withLock { ($0.fault, $0.tried, $0.count) = (fault, revision, 0) }
        changes.note()
        onSlice()
      }
    }
  }

  /// Whether a rendering is to end. One that is outdated still makes what plays next: else nothing would be heard of
  /// values that change faster than it is made.
  private func isOver(_ revision: Int) -> Bool {
    let (isClosed, newest) = wish.withLock { ($0.isClosed, $0.revision) }
    let least = min(range.count, Int(Self.leastSeconds * input.sampleRate))
    return isClosed
      || newest != revision && made.withLock { $0.revision == revision && $0.count >= least }
  }

  private func render(
    _ session: inout LoopSession, _ revision: Int, from place: Int, _ onSlice: () -> Void
  ) throws {
    let channels = input.channelCount
    made.withLock { made in
      if made.samples.count != range.count * channels {
        made.samples = Array(repeating: 0, count: range.count * channels)
      }
    }
    for part in [place..<range.count, 0..<place] where !part.isEmpty {
      try render(part, &session, revision, onSlice)
      if isOver(revision) { return }
    }
  }

  /// Renders frames of the loop after a second of the file in front of them.
  private func render(
    _ part: Range<Int>, _ session: inout LoopSession, _ revision: Int, _ onSlice: () -> Void
  ) throws {
    let channels = input.channelCount
    let start = range.lowerBound + part.lowerBound
    let lead = min(start, Int(Self.leadSeconds * input.sampleRate))
    try session.open(input.sampleRate)
    var (next, passed, done) = (start - lead, 0, 0)
    while done < part.count {
      var block = input.frames(next..<(next + Self.blockFrames))
      block += [Float](repeating: 0, count: Self.blockFrames * channels - block.count)
      next += Self.blockFrames
      let latency = try session.render(&block)
      // The results of the frames in front, and of the delay, are thrown away.
      let skipped = min(max(0, lead + latency - passed), Self.blockFrames)
      passed += Self.blockFrames
      let count = min(Self.blockFrames - skipped, part.count - done)
      if isOver(revision) { return }
      guard count > 0 else { continue }
      made.withLock { made in
        // The frames of the last rendering are there until the first of this one are.
        if made.revision != revision {
          (made.from, made.count, made.fault) = (part.lowerBound, 0, nil)
          (made.revision, made.tried) = (revision, revision)
        }
        let place = (part.lowerBound + done) * channels
        made.samples.replaceSubrange(
          place..<(place + count * channels),
          with: block[(skipped * channels)..<((skipped + count) * channels)])
        made.count += count
        made.latency = latency
      }
      done += count
      changes.note()
      onSlice()
    }
  }
}
