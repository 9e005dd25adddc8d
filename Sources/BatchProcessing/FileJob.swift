// One file from end to end: read, render, cut, convert, write.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioGraph
import AudioTypes

/// The work on one file.
struct FileJob {
  let file: PlannedFile
  let settings: JobSettings
  let makeChain: BatchRun.ChainMaker

  /// Does it; on an error nothing is left at the destination that was not there before.
  func run(
    shouldStop: () -> Bool, progress: (Double, Double) -> Void
  ) throws(AuricleError) -> FileResult {
    let start = ContinuousClock.now
    let reader = try AudioFileReader(path: file.input)
    let input = reader.format
    let chain = try makeChain(
      ChainRequest(
        sampleRate: input.sampleRate, channelCount: input.channelCount,
        maximumFrameCount: settings.framesPerSlice))
    let outputFormat = try outputFormat(for: input, channelCount: chain.channelCount)

    try FolderMaker.make(Path.folder(of: file.output))
    let sink = try JobSink(
      path: file.output, format: outputFormat, inputRate: input.sampleRate,
      metadata: reader.metadata.scalingPositions(by: outputFormat.sampleRate / input.sampleRate),
      overwrite: settings.overwrite, expectedFrameCount: reader.frameCount,
      framesPerSlice: settings.framesPerSlice)

    var rendering = JobRendering(reader: reader, chain: chain, sink: sink, settings: settings)
    do throws(AuricleError) {
      while try rendering.step() {
        if shouldStop() { throw AuricleError(.interrupted, "interrupted") }
        progress(rendering.fraction, rendering.seconds)
      }
      if rendering.inputFrameCount == 0 {
        throw AuricleError(.badData, "\(file.input) has no sound in it: 0 frames")
      }
      try sink.finish()
    } catch {
      sink.cancel()
      throw error
    }
    let elapsed = (ContinuousClock.now - start).components
    return FileResult(
      input: file.input, output: file.output, inputFormat: input, outputFormat: outputFormat,
      inputFrameCount: rendering.inputFrameCount, outputFrameCount: sink.frameCount,
      latencyFrameCount: rendering.latency, tailFrameCount: rendering.tailFrameCount,
      before: rendering.before, after: sink.levels,
      notes: chain.notes + rendering.notes + sink.notes,
      elapsedSeconds: Double(elapsed.seconds) + Double(elapsed.attoseconds) * 1e-18)
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
