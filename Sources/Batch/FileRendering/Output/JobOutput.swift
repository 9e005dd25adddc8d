// All deliverables of a rendering: some written at once, others after the whole rendering.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import PlugInGuard
import RealtimeSupport
import ResultSettings

/// The destination of a rendering's frames.
final class JobOutput: RenderedSink {
  /// The files, in the order of the settings.
  package let files: [DeliverableOutput]
  private let streaming: [DeliverableOutput]
  private let waiting: [DeliverableOutput]
  private let spool: SoundSpool?
  private var metadata: AudioFileMetadata
  private let expectedFrameCount: Int?
  private var hasBegun = false
  private let threshold: Float?
  private let channelCount: Int
  /// The first and the last frame above the silence threshold.
  private var sound: (first: Int, last: Int)?
  private var frameCount = 0
  private var ownNotes: [String] = []

  /// Opens the files that are written at once.
  ///
  /// - Parameters:
  ///   - metadata: The metadata of the input range.
  ///   - expectedFrameCount: Frames of the input according to its header.
  ///   - spool: Makes a spool if one is needed.
  package init(
    _ files: [DeliverableOutput], channelCount: Int, metadata: AudioFileMetadata,
    expectedFrameCount: Int?, settings: JobSettings, spool: () -> SoundSpool
  ) throws(AuricleError) {
    self.files = files
    self.channelCount = channelCount
    self.metadata = metadata
    self.expectedFrameCount = expectedFrameCount
    threshold = settings.silenceThreshold.map { Levels.amplitude(decibels: $0) }
    streaming = files.filter { settings.silenceThreshold == nil && !$0.settings.needsWhole }
    waiting = files.filter { settings.silenceThreshold != nil || $0.settings.needsWhole }
    self.spool = settings.needsSpool ? spool() : nil
    // If latency is kept, marks move with the sound; the offset is known with the first frame.
    if settings.latency == .compensate { try begin() }
  }

  /// Sets the offset of the output to the input in frames; call it before the first frame.
  func setDelay(_ frames: Int) {
    guard !hasBegun else { return }
    metadata = metadata.movingPositions(by: frames, scalingBy: 1)
  }

  private func begin() throws(AuricleError) {
    guard !hasBegun else { return }
    hasBegun = true
    do throws(AuricleError) {
      for file in streaming {
        try file.begin(metadata: metadata, frameCount: expectedFrameCount)
      }
    } catch {
      cancel()
      throw error
    }
  }

  /// Notes about the files.
  package var notes: [String] {
    ownNotes
      + files.flatMap { file in
        file.notes.map { note in file.settings.name.map { "\($0): \(note)" } ?? note }
      }
  }

  /// Writes frames of the rendering.
  package func write(_ rows: ChannelRows, _ count: Int) throws(AuricleError) {
    try begin()
    if let threshold { unsafe findSound(rows, count, threshold) }
    try unsafe spool?.append(rows, count)
    for file in streaming { try unsafe file.write(rows, count) }
    frameCount += count
  }

  private func findSound(_ rows: ChannelRows, _ count: Int, _ threshold: Float) {
    let last = unsafe LevelMeter.endOfSound(
      rows, channelCount: channelCount, frameCount: count, floor: threshold)
    guard last > 0 else { return }
    if sound == nil {
      var first = last - 1
      for channel in 0..<channelCount {
        let row = unsafe rows[channel]
        for index in 0..<first where unsafe abs(row[index]) > threshold {
          first = index
          break
        }
      }
      sound = (frameCount + first, 0)
    }
    sound?.last = frameCount + last
  }

  /// Whether a second pass follows the rendering.
  var isGoneThroughAgain: Bool { spool != nil && !waiting.isEmpty }

  /// Completes all files; `observe` receives the fraction done, 0 to 1, and throws to end the work.
  package func finish(observe: (_ share: Double) throws(AuricleError) -> Void) throws(AuricleError)
  {
    try begin()
    for file in streaming { try file.finish() }
    guard let spool else { return }
    var part = 0..<frameCount
    if threshold != nil {
      if let sound {
        part = sound.first..<sound.last
      } else {
        ownNotes.append("the whole sound is below the level of silence: nothing is trimmed")
      }
    }
    let metadata = metadata.beginning(
      atFrame: part.lowerBound, count: threshold == nil ? nil : part.count)
    for (index, file) in waiting.enumerated() {
      try file.write(spool, part, metadata: metadata) { (share) throws(AuricleError) in
        Heartbeat.enter(.write, unit: Heartbeat.noUnit)
        try observe((Double(index) + share) / Double(waiting.count))
      }
    }
  }

  /// Removes the unfinished files.
  package func cancel() { for file in files { file.cancel() } }
}
