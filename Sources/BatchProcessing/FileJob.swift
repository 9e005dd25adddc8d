// One file from end to end: read, render, cut, convert, write.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioGraph
import AudioTypes
import RealtimeSupport

/// Why a job failed, and whose fault that is.
struct JobFailure: Error {
  /// Whose fault a failure is.
  enum Kind: String {
    /// The input is missing, damaged or of no known kind.
    case input
    /// A unit could not be made, gave an error, or made a value that is no number.
    case unit
    /// The result could not be written.
    case output
    /// The work was interrupted.
    case interruption
  }

  var kind: Kind
  var error: AuricleError
}

/// The work on one file.
struct FileJob {
  /// Where a job reads and writes.
  enum Ends {
    /// It opens its files, and gives the result its name.
    case paths
    /// It was given its files; somebody else names the result.
    case descriptors(input: Int32, output: Int32)
  }

  let file: PlannedFile
  let settings: JobSettings
  let ends: Ends
  let makeChain: BatchRun.ChainMaker

  /// Does it; on an error nothing is left at the destination that was not there before.
  func run(
    shouldStop: () -> Bool, progress: (_ rendering: JobRendering) -> Void
  ) throws(JobFailure) -> FileResult {
    let start = ContinuousClock.now
    WorkBeacon.enter(.read, unit: WorkBeacon.noUnit)
    let reader = try attempt(.input) { () throws(AuricleError) in try openInput() }
    let input = reader.format
    WorkBeacon.enter(.prepare, unit: WorkBeacon.noUnit)
    let chain = try attempt(.unit) { () throws(AuricleError) in
      try makeChain(
        ChainRequest(
          sampleRate: input.sampleRate, channelCount: input.channelCount,
          maximumFrameCount: settings.framesPerSlice))
    }
    WorkBeacon.enter(.write, unit: WorkBeacon.noUnit)
    let (outputFormat, sink) = try attempt(.output) {
      () throws(AuricleError) -> (AudioFileFormat, JobSink) in
      let format = try self.outputFormat(for: input, channelCount: chain.channelCount)
      return (format, try openOutput(format, reader))
    }
    var rendering = JobRendering(reader: reader, chain: chain, sink: sink, settings: settings)
    do throws(AuricleError) {
      while try rendering.step() {
        if shouldStop() { throw AuricleError(.interrupted, "interrupted") }
        progress(rendering)
      }
      if rendering.inputFrameCount == 0 {
        throw AuricleError(.badData, "\(file.input) has no sound in it: 0 frames")
      }
      WorkBeacon.enter(.verify, unit: WorkBeacon.noUnit)
      try sink.finish()
    } catch {
      sink.cancel()
      throw JobFailure(kind: Self.kind(of: error), error: error)
    }
    let elapsed = (ContinuousClock.now - start).components
    return FileResult(
      input: file.input, output: file.output, inputFormat: input, outputFormat: outputFormat,
      inputFrameCount: rendering.inputFrameCount, outputFrameCount: sink.frameCount,
      latencyFrameCount: rendering.latency, tailFrameCount: rendering.tailFrameCount,
      before: rendering.before, after: sink.levels,
      loudnessBefore: rendering.loudnessBefore, loudnessAfter: sink.loudness,
      notes: chain.notes + rendering.notes + sink.notes, toleratedDamage: reader.toleratedDamage,
      elapsedSeconds: Double(elapsed.seconds) + Double(elapsed.attoseconds) * 1e-18)
  }

  /// Whose fault an error of the rendering loop is: it tells what it does before it does it.
  private static func kind(of error: AuricleError) -> JobFailure.Kind {
    if error.category == .interrupted { return .interruption }
    if error.category == .badData || error.category == .noInput { return .input }
    switch WorkBeacon.phase {
    case .read: return .input
    case .write, .verify: return .output
    default: return .unit
    }
  }

  private func attempt<Value>(
    _ kind: JobFailure.Kind, _ body: () throws(AuricleError) -> Value
  ) throws(JobFailure) -> Value {
    do throws(AuricleError) { return try body() } catch {
      throw JobFailure(kind: kind, error: error)
    }
  }

  private func openInput() throws(AuricleError) -> AudioFileReader {
    let descriptor: Int32 =
      if case .descriptors(let input, _) = ends { input } else { try InputFile.open(file.input) }
    return try AudioFileReader(
      descriptor: descriptor, path: file.input, isTolerant: settings.isTolerant)
  }

  private func openOutput(
    _ format: AudioFileFormat, _ reader: AudioFileReader
  ) throws(AuricleError) -> JobSink {
    let place: JobSink.Place
    switch ends {
    case .paths:
      try FolderMaker.make(Path.folder(of: file.output))
      place = .path(overwrite: settings.overwrite)
    case .descriptors(_, let output):
      place = .descriptor(output)
    }
    return try JobSink(
      place, path: file.output, format: format, inputRate: reader.format.sampleRate,
      metadata: reader.metadata.scalingPositions(
        by: format.sampleRate / reader.format.sampleRate),
      expectedFrameCount: reader.frameCount, framesPerSlice: settings.framesPerSlice,
      measuresLoudness: settings.measuresLoudness)
  }

  /// What to write: the input's format, but for what the settings change.
  private func outputFormat(
    for input: AudioFileFormat, channelCount: Int
  ) throws(AuricleError) -> AudioFileFormat {
    var format = input
    format.channelCount = channelCount
    if let rate = settings.sampleRate { format.sampleRate = rate }
    if let container = settings.container, container != input.container {
      format.container = container
      format.byteOrder = .standard
      guard let nearest = container.encoding(nearest: input.encoding) else {
        throw AuricleError(.usage, "\(container.name) files can only be read, not written")
      }
      format.encoding = nearest
    }
    if let encoding = settings.encoding { format.encoding = encoding }
    try format.checkWritable()
    return format
  }
}
