// One file from end to end: read, render, cut, convert, write.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioGraph
import AudioTypes
import CHostSystem
import Glibc
import PlugInGuard
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
    /// It opens its files, and gives the results their names.
    case paths
    /// It was given its files, and closes the input; somebody else names the results. `spool` is a file for
    /// what has to be gone through twice, or -1.
    case descriptors(input: Int32, outputs: [Int32], spool: Int32)
  }

  let input: String
  /// One path for each of the files that the settings name.
  let outputs: [String]
  let settings: JobSettings
  let ends: Ends
  /// The variant to make; nil without random values.
  var variant: VariantRequest?
  let makeChain: BatchRun.ChainMaker

  /// Does it; on an error nothing is left at the destinations that was not there before.
  func run(
    shouldStop: () -> Bool, observe: (_ progress: JobProgress) -> Void
  ) throws(JobFailure) -> FileResult {
    let start = ContinuousClock.now
    defer { if case .descriptors(let input, _, _) = ends { close(input) } }
    Heartbeat.enter(.read, unit: Heartbeat.noUnit)
    var (reader, seed) = try attempt(.input) { () throws(AuricleError) in try openInput() }
    let range = try attempt(.input) { () throws(AuricleError) in
      try InputRange(settings, of: reader)
    }
    let format = reader.format
    Heartbeat.enter(.prepare, unit: Heartbeat.noUnit)
    let chain = try attempt(.unit) { () throws(AuricleError) in
      try makeChain(
        ChainRequest(
          sampleRate: format.sampleRate,
          channelCount: settings.chainChannelCount(for: format.channelCount),
          maximumFrameCount: settings.framesPerSlice, variant: variant,
          inputFrameCount: range.count, inputStart: range.start))
    }
    Heartbeat.enter(.write, unit: Heartbeat.noUnit)
    var output = try attempt(.output) { () throws(AuricleError) in
      try openOutput(reader, range, chain, seed)
    }
    var rendering = JobRendering(
      reader: reader, chain: chain, range: range, output: output, settings: settings)
    var isSecondTime = false
    do throws(AuricleError) {
      while try rendering.step() || rendering.hasLearnedLatency && !isSecondTime {
        if shouldStop() { throw AuricleError(.interrupted, "interrupted") }
        observe(JobProgress(rendering, output))
        guard rendering.hasLearnedLatency, !isSecondTime else { continue }
        isSecondTime = true
        output.cancel()
        try forget(chain)
        (reader, seed) = try openInput()
        output = try openOutput(reader, range, chain, seed)
        rendering = JobRendering(
          reader: reader, chain: chain, range: range, output: output, settings: settings)
      }
      if rendering.inputFrameCount == 0 {
        throw AuricleError(.badData, "\(input) has no sound in it")
      }
      Heartbeat.enter(.verify, unit: Heartbeat.noUnit)
      try output.finish { (share) throws(AuricleError) in
        if shouldStop() { throw AuricleError(.interrupted, "interrupted") }
        observe(JobProgress(rendering, output, finished: share))
      }
    } catch {
      output.cancel()
      throw JobFailure(kind: Self.kind(of: error), error: error)
    }
    return result(rendering, chain, output, reader, since: start)
  }

  /// Makes a chain and the files ready for another rendering. Units keep in mind how late they are.
  private func forget(_ chain: any RenderChain) throws(AuricleError) {
    Heartbeat.enter(.prepare, unit: Heartbeat.noUnit)
    try chain.reset()
    Heartbeat.enter(.write, unit: Heartbeat.noUnit)
    guard case .descriptors(_, let outputs, _) = ends else { return }
    for (descriptor, path) in zip(outputs, self.outputs) where ftruncate(descriptor, 0) != 0 {
      throw systemError(errno, "write", path)
    }
  }

  private func result(
    _ rendering: JobRendering, _ chain: any RenderChain, _ output: JobOutput,
    _ reader: AudioFileReader, since start: ContinuousClock.Instant
  ) -> FileResult {
    let elapsed = (ContinuousClock.now - start).components
    let first = output.files[0]
    var result = FileResult(
      input: input, output: outputs[0], inputFormat: reader.format, outputFormat: first.format,
      inputFrameCount: rendering.inputFrameCount, outputFrameCount: first.frameCount,
      latencyFrameCount: rendering.latency, tailFrameCount: rendering.tailFrameCount,
      before: rendering.before, after: first.levels,
      loudnessBefore: rendering.loudnessBefore, loudnessAfter: first.loudness,
      levelChange: first.change, name: first.settings.name,
      notes: once(
        reader.notes + videoNotes(reader, output) + widening(reader, chain) + chain.notes
          + rendering.notes + output.notes
          + LevelNotes.notes(before: rendering.before, of: output)),
      toleratedDamage: reader.toleratedDamage,
      elapsedSeconds: Double(elapsed.seconds) + Double(elapsed.attoseconds) * 1e-18)
    result.byteCounts = output.files.map(\.byteCount)
    result.others = output.files.dropFirst().map { file in
      DeliverableResult(
        name: file.settings.name, path: file.path, format: file.format,
        frameCount: file.frameCount, levels: file.levels, loudness: file.loudness,
        levelChange: file.change)
    }
    return result
  }

  /// Notes without those that say the same: ten units of one kind in a chain need one.
  private func once(_ notes: [String]) -> [String] {
    var told: Set<String> = []
    return notes.filter { told.insert($0).inserted }
  }

  /// That of a video its sound alone came out, where the result looks like another video.
  private func videoNotes(_ reader: AudioFileReader, _ output: JobOutput) -> [String] {
    let mayHoldVideo = output.files.contains { [.m4a, .mka].contains($0.format.container) }
    return reader.holdsVideo && mayHoldVideo
      ? ["its moving pictures are left out: results hold sound alone"] : []
  }

  /// That one channel went into a chain of two.
  private func widening(_ reader: AudioFileReader, _ chain: any RenderChain) -> [String] {
    reader.format.channelCount == 1 && chain.channelCount == 2
      ? ["1 channel on both of 2, before the chain"] : []
  }

  /// Whose fault an error of the rendering loop is: it tells what it does before it does it.
  private static func kind(of error: AuricleError) -> JobFailure.Kind {
    if error.category == .interrupted { return .interruption }
    if error.category == .badData || error.category == .noInput { return .input }
    switch Heartbeat.phase {
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

  /// Opens the input; with it what the noise of dithers depends on: the beginning of its content.
  private func openInput() throws(AuricleError) -> (AudioFileReader, UInt64) {
    let descriptor: Int32 =
      if case .descriptors(let input, _, _) = ends {
        fcntl(input, F_DUPFD_CLOEXEC, 3)
      } else {
        try InputFile.open(input)
      }
    var seed = Self.identity(of: descriptor)
    if let variant { seed = seed &+ UInt64(variant.index) &* 0xD134_2543_DE82_EF95 }
    let reader = try AudioFileReader(
      descriptor: descriptor, path: input, raw: settings.rawInput,
      readsMetadata: settings.keepsMetadata, track: settings.track,
      isTolerant: settings.isTolerant)
    if reader.holdsVideo, outputs.contains(input) {
      throw AuricleError(
        .badData,
        "\(input) holds moving pictures, which results do not: give --output instead of --in-place")
    }
    return (reader, seed)
  }

  /// XXH64 of the first 64 KiB and the length of a file: the same wherever it lies.
  private static func identity(of descriptor: Int32) -> UInt64 {
    guard isRegular(descriptor) else { return 0 }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = max(0, unsafe pread(descriptor, &bytes, bytes.count, 0))
    var status = stat()
    let size = unsafe fstat(descriptor, &status) == 0 ? UInt64(status.st_size) : 0
    let hash = unsafe bytes.withUnsafeBytes { unsafe AuricleXXH64($0.baseAddress, count) }
    return hash ^ (size &* 0x9E37_79B9_7F4A_7C15)
  }

  /// Whether a descriptor is a regular file, which can be read from any place.
  private static func isRegular(_ descriptor: Int32) -> Bool {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  private func openOutput(
    _ reader: AudioFileReader, _ range: InputRange, _ chain: any RenderChain, _ seed: UInt64
  ) throws(AuricleError) -> JobOutput {
    var files: [DeliverableOutput] = []
    for (index, deliverable) in settings.deliverables.enumerated() {
      guard outputs.indices.contains(index) else { break }
      let place: DeliverableOutput.Place
      switch ends {
      case .paths:
        try FolderMaker.make(Path.folder(of: outputs[index]))
        place = .path(overwrite: settings.overwrite)
      case .descriptors(_, let outputs, _):
        place = .descriptor(outputs[index])
      }
      files.append(
        try DeliverableOutput(
          deliverable, place: place, path: outputs[index], input: reader.format,
          channelCount: chain.channelCount,
          channelMap: reader.format.channelCount == chain.channelCount
            ? reader.metadata.channelMap : [],
          seed: seed &+ UInt64(index) &* 0xA24B_AED4_963E_E407,
          measuresLoudness: settings.measuresLoudness))
    }
    guard !files.isEmpty else { throw AuricleError(.software, "no place for the result is named") }
    let path = outputs[0]
    let ends = ends
    return try JobOutput(
      files, channelCount: chain.channelCount,
      metadata: reader.metadata.beginning(
        atFrame: range.start, count: range.end.flatMap { _ in range.count }),
      expectedFrameCount: range.count, settings: settings
    ) {
      var isOwner = true
      if case .descriptors(_, _, let spool) = ends, spool >= 0 { isOwner = false }
      return SoundSpool(channelCount: chain.channelCount, path: path, ownsFile: isOwner) {
        () throws(AuricleError) in
        if case .descriptors(_, _, let spool) = ends, spool >= 0 { return spool }
        return try NamelessFile.make(in: Path.folder(of: path))
      }
    }
  }
}
