// The parent's side of a process that renders sound: a file that is played, or a chain that samples go through.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import ChainPresets
import FileRendering
import WatchedProcesses

/// A process that renders sound, without the rights of the user. Context: one control thread.
final class SoundRenderer {
  private let conversation: WatchedConversation

  /// Starts a process for a task.
  ///
  /// - Parameter shouldStop: Asked often; true ends all waiting.
  init(
    _ task: SoundTask, _ isolation: SoundIsolation, shouldStop: @escaping () -> Bool,
    onMessage: @escaping (String) -> Void
  ) throws(AuricleError) {
    conversation = try WatchedConversation(
      arguments: [SoundServer.command], limits: isolation.limits, shouldStop: shouldStop,
      onPrint: PrintedLines(onMessage).report)
    try conversation.send(SoundFrame.task, task.bytes)
  }

  /// Sends a frame and waits for a header; frames of earlier places are passed over.
  func header(after kind: UInt8? = nil, _ bytes: [UInt8] = []) throws -> SoundHeader {
    if let kind { try conversation.send(kind, bytes) }
    while true {
      let frame = try next()
      guard frame.kind == SoundFrame.ready else { continue }
      guard let header = SoundHeader(frame.bytes) else {
        throw AuricleError(
          .software, "\(conversation.culprit) did not report the format of its sound")
      }
      return header
    }
  }

  /// Sends samples, and waits for as many.
  func render(_ samples: [UInt8]) throws -> [UInt8] {
    try conversation.send(SoundFrame.samples, samples)
    while true {
      let frame = try next()
      if frame.kind == SoundFrame.rendered { return frame.bytes }
    }
  }

  /// The next samples of a file; nil at its end.
  func samples() throws -> [UInt8]? {
    while true {
      let frame = try next()
      if frame.kind == SoundFrame.over { return nil }
      if frame.kind == SoundFrame.rendered { return frame.bytes }
    }
  }

  private func next() throws -> WatchedFrame {
    let frame = try conversation.next()
    if frame.kind == SoundFrame.refused { throw SoundRefusal.error(frame.bytes) }
    return frame
  }

  /// Has the units closed, and ends the process.
  ///
  /// - Throws: `.software` with the unit that crashed or hangs meanwhile; nothing where it is hurried.
  func finish(isHurried: Bool) throws(AuricleError) {
    try conversation.finish(
      asking: SoundFrame.quit, done: SoundFrame.done, isHurried: isHurried)
  }
}

/// Lines that units print: each once.
package final class PrintedLines {
  private let pass: (String) -> Void
  private var known: Set<String> = []

  /// Passes lines on.
  package init(_ pass: @escaping (String) -> Void) { self.pass = pass }

  /// Passes a line on that is new. Context: one thread.
  package func report(_ line: String) {
    guard known.count < 1000, known.insert(line).inserted else { return }
    // The library's own lines about units say whose they are.
    let own = "auricle: "
    pass(line.hasPrefix(own) ? String(line.dropFirst(own.count)) : "a unit says: \(line)")
  }
}

/// A file that a process plays: frames of the offline result, slice by slice.
final class PlayedSource {
  /// The form of its sound.
  let header: SoundHeader
  private let renderer: SoundRenderer
  private let buffer: PlanarBuffer

  var sampleRate: Double { header.sampleRate }
  var channelCount: Int { header.channelCount }
  var seconds: Double? { header.seconds }
  var startSeconds: Double { header.startSeconds }

  /// Opens the file of a process at a place.
  init(_ renderer: SoundRenderer, at place: SoundPlace) throws {
    self.renderer = renderer
    header = try renderer.header(after: SoundFrame.open, place.bytes)
    buffer = PlanarBuffer(
      channelCount: header.channelCount, frameCapacity: PlanarBytes.mostFrames)
  }

  /// Renders the next slice; false when all is done.
  func step(
    _ consume: (UnsafeMutablePointer<UnsafeMutablePointer<Float>>, Int) throws -> Void
  ) throws -> Bool {
    guard let bytes = try renderer.samples() else { return false }
    let count = PlanarBytes.read(bytes, into: buffer, channelCount: channelCount)
    for channel in 0..<channelCount {
      unsafe buffer.cursor[channel] = unsafe buffer.rows[channel]
    }
    if count > 0 { try unsafe consume(buffer.cursor, count) }
    return true
  }
}

/// A chain in a process, for sound that is recorded.
final class FedChain {
  /// Frames by which its sound is late.
  let latencyFrames: Int
  private let renderer: SoundRenderer
  private let rows: PlanarBuffer
  private let channelCount: Int

  /// Waits until the chain is made.
  init(_ renderer: SoundRenderer, channelCount: Int, frameCapacity: Int) throws {
    self.renderer = renderer
    self.channelCount = channelCount
    latencyFrames = try renderer.header().latencyFrames
    rows = PlanarBuffer(channelCount: channelCount, frameCapacity: frameCapacity)
  }

  /// Renders frames; the rows stay valid until the next call.
  func render(
    _ input: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws -> UnsafeMutablePointer<UnsafeMutablePointer<Float>> {
    let made = try renderer.render(
      unsafe PlanarBytes.bytes(of: input, channelCount: channelCount, frameCount: frameCount))
    let count = PlanarBytes.read(made, into: rows, channelCount: channelCount)
    guard count == frameCount else {
      throw AuricleError(
        .software, "the chain rendered \(count) frames instead of \(frameCount): leave units out")
    }
    return unsafe rows.rows
  }

  /// Closes the units.
  func finish(isHurried: Bool) throws(AuricleError) { try renderer.finish(isHurried: isHurried) }
}
