// Processes one file from end to end: read, render, trim, convert, write.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioGraph
package import AudioTypes
import CHostSystem
import Glibc
import HostSystem
import PlugInGuard
import RealtimeSupport
package import ResultSettings
import UnitChains

/// The failure of a job, and its cause.
package struct JobFailure: Error {
  /// The cause of a failure.
  package enum Kind: String, Sendable {
    /// The input is missing, damaged or of no known kind.
    case input
    /// A unit could not be made, returned an error, or rendered a value that is not finite.
    case unit
    /// The result could not be written.
    case output
    /// The work was interrupted.
    case interruption
  }

  /// Its cause.
  package var kind: Kind
  /// Its error.
  package var error: AuricleError
}

/// The open files of a job. The job closes the input; the caller names the results.
package struct OpenEnds {
  /// The input.
  package let input: Int32
  /// The results, one for each deliverable.
  package let outputs: [Int32]
  /// The spool file; -1 when none is needed.
  package let spool: Int32

  /// Names open files.
  package init(input: Int32, outputs: [Int32], spool: Int32 = -1) {
    self.input = input
    self.outputs = outputs
    self.spool = spool
  }
}

/// The work on one file.
package struct FileJob {
  let input: String
  let outputs: [String]
  let settings: JobSettings
  let ends: OpenEnds
  private let variant: VariantRequest?
  /// The drawn settings.
  private let drawnFigures: [DrawnFigure]
  private let makeChain: ChainMaker
  /// Opens inputs that are no audio files; nil for audio files.
  private let openSound: SoundOpener?

  /// Describes the work.
  ///
  /// - Parameters:
  ///   - input: The path of the input, for messages.
  ///   - outputs: The paths of the results, for messages.
  ///   - settings: The settings.
  ///   - ends: The open files.
  ///   - variant: The variant to make; nil without random values.
  ///   - openSound: Opens an input that is no audio file; nil for one that is.
  ///   - makeChain: Makes the chain.
  package init(
    input: String, outputs: [String], settings: JobSettings, ends: OpenEnds,
    variant: VariantRequest? = nil, openSound: SoundOpener? = nil, makeChain: @escaping ChainMaker
  ) {
    self.input = input
    self.outputs = outputs
    (self.settings, drawnFigures) = settings.drawn(variant)
    self.ends = ends
    self.variant = variant
    self.openSound = openSound
    self.makeChain = makeChain
  }

  /// Processes the file.
  ///
  /// - Parameters:
  ///   - shouldStop: Asked between slices; true ends the work.
  ///   - observe: Receives progress, on the calling thread.
  ///
  /// Context: control.
  package func run(
    shouldStop: () -> Bool, observe: (_ progress: JobProgress) -> Void
  ) throws(JobFailure) -> FileResult {
    let start = ContinuousClock.now
    defer { close(ends.input) }
    Heartbeat.enter(.read, unit: Heartbeat.noUnit)
    let reader: any SoundInput
    let seed: UInt64
    do throws(AuricleError) { (reader, seed) = try openInput() } catch {
      throw JobFailure(kind: Self.kind(of: error), error: error)
    }
    if settings.copiesPackets, variant == nil, let file = reader as? AudioFileReader,
      let copy = try attempt(
        .output,
        { () throws(AuricleError) in
          try copyPackets(file, since: start, shouldStop: shouldStop)
        })
    {
      return copy
    }
    return try render(reader, seed: seed, since: start, shouldStop, observe)
  }

  /// Renders the input through the chain.
  private func render(
    _ reader: any SoundInput, seed: UInt64, since start: ContinuousClock.Instant,
    _ shouldStop: () -> Bool, _ observe: (_ progress: JobProgress) -> Void
  ) throws(JobFailure) -> FileResult {
    var (reader, seed) = (reader, seed)
    let (range, figures, note) = try attempt(.input) { () throws(AuricleError) in
      try InputRange(settings, of: reader).cropped(settings, variant)
    }
    let level = try inputLevel(&reader, range, shouldStop)
    Heartbeat.enter(.prepare, unit: Heartbeat.noUnit)
    let chain = try attempt(.unit) { () throws(AuricleError) in
      try makeChain(specification(reader.format, range))
    }
    let partNotes = try readAhead(
      &reader, &seed, for: chain, range, factor: level.factor, shouldStop)
    Heartbeat.enter(.write, unit: Heartbeat.noUnit)
    var output = try attempt(.output) { () throws(AuricleError) in
      try openOutput(reader, range, chain, seed)
    }
    var rendering = JobRendering(
      reader: reader, chain: chain, range: range, output: output, settings: settings,
      inputFactor: level.factor, mayBeginAgain: true)
    var learned: String?
    do throws(AuricleError) {
      while try rendering.step() || rendering.hasLearnedLatency {
        if shouldStop() { throw AuricleError(.interrupted, "interrupted") }
        observe(JobProgress(rendering, output))
        guard let note = rendering.learnedNote else { continue }
        learned = note
        output.cancel()
        try forget(chain)
        (reader, seed) = try openInput()
        output = try openOutput(reader, range, chain, seed)
        rendering = JobRendering(
          reader: reader, chain: chain, range: range, output: output, settings: settings,
          inputFactor: level.factor)
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
    var result = result(rendering, chain, output, reader, since: start)
    if settings.inputLoudness != nil { result.inputGain = level.gain }
    result.drawnValues = figures + drawnFigures
    result.notes += once([level.note, note, learned].compactMap(\.self) + partNotes)
    return result
  }

  /// The specification of a file's chain.
  private func specification(_ format: AudioFileFormat, _ range: InputRange) -> ChainSpecification {
    ChainSpecification(
      sampleRate: format.sampleRate,
      channelCount: settings.chainChannelCount(for: format.channelCount),
      maximumFrameCount: settings.framesPerSlice, variant: variant, inputFrameCount: range.count,
      inputStart: range.start)
  }

  /// Prepares a chain and the files for another rendering. Units remember their latency.
  private func forget(_ chain: UnitChain) throws(AuricleError) {
    Heartbeat.enter(.prepare, unit: Heartbeat.noUnit)
    try chain.reset()
    Heartbeat.enter(.write, unit: Heartbeat.noUnit)
    for (descriptor, path) in zip(ends.outputs, outputs) where ftruncate(descriptor, 0) != 0 {
      throw systemError(errno, "write", path)
    }
  }

  private func result(
    _ rendering: JobRendering, _ chain: UnitChain, _ output: JobOutput,
    _ reader: any SoundInput, since start: ContinuousClock.Instant
  ) -> FileResult {
    let elapsed = (ContinuousClock.now - start).components
    let first = output.files[0]
    // Notes and texts have no sound before.
    let isFile = settings.song == nil
    var result = FileResult(
      input: input, output: outputs[0], inputFormat: reader.format, outputFormat: first.format,
      inputFrameCount: rendering.inputFrameCount, outputFrameCount: first.frameCount,
      latencyFrameCount: rendering.latency, tailFrameCount: rendering.tailFrameCount,
      before: isFile ? rendering.before : Levels(peak: 0, rms: 0), after: first.levels,
      loudnessBefore: isFile ? rendering.loudnessBefore : nil, loudnessAfter: first.loudness,
      levelChange: first.change, name: first.settings.name,
      notes: once(
        reader.notes + VideoKeeping.notes(reader, output, settings) + widening(reader, chain)
          + chain.notes
          + rendering.notes + output.notes
          + LevelNotes.notes(before: rendering.before, of: output)),
      toleratedDamage: reader.toleratedDamage,
      elapsedSeconds: Double(elapsed.seconds) + Double(elapsed.attoseconds) * 1e-18)
    result.byteCounts = output.files.map(\.byteCount)
    result.checksums = output.files.map(\.storedChecksum)
    result.others = output.files.dropFirst().map { file in
      DeliverableResult(
        name: file.settings.name, path: file.path, format: file.format,
        frameCount: file.frameCount, levels: file.levels, loudness: file.loudness,
        levelChange: file.change)
    }
    return result
  }

  /// Removes repeated notes: ten equal units in a chain need one note.
  private func once(_ notes: [String]) -> [String] {
    var reported: Set<String> = []
    return notes.filter { reported.insert($0).inserted }
  }

  /// A note that a mono file was rendered by a stereo chain.
  private func widening(_ reader: any SoundInput, _ chain: UnitChain) -> [String] {
    reader.format.channelCount == 1 && chain.channelCount == 2
      ? ["1 channel on both of 2, before the chain"] : []
  }

  /// The cause of an error of the rendering loop, which records each step before it begins.
  static func kind(of error: AuricleError) -> JobFailure.Kind {
    if error.category == .interrupted { return .interruption }
    if error.category == .badData || error.category == .noInput { return .input }
    switch Heartbeat.phase {
    case .read: return .input
    case .write, .verify: return .output
    default: return .unit
    }
  }

  func attempt<Value>(
    _ kind: JobFailure.Kind, _ body: () throws(AuricleError) -> Value
  ) throws(JobFailure) -> Value {
    do throws(AuricleError) { return try body() } catch {
      throw JobFailure(kind: kind, error: error)
    }
  }

  /// Opens the input; also returns the seed of dither noise, from the beginning of its content.
  func openInput() throws(AuricleError) -> (any SoundInput, UInt64) {
    let descriptor = fcntl(ends.input, F_DUPFD_CLOEXEC, 3)
    var seed = Self.identity(of: descriptor)
    if let variant { seed = seed &+ UInt64(variant.index) &* 0xD134_2543_DE82_EF95 }
    if let openSound { return (try openSound(descriptor, input, settings, variant), seed) }
    let reader = try AudioFileReader(
      descriptor: descriptor, path: input, raw: settings.rawInput,
      readsMetadata: settings.keepsMetadata, track: settings.track,
      isTolerant: settings.isTolerant)
    if outputs.contains(input) { try VideoKeeping.refuseLoss(reader, settings) }
    return (reader, seed)
  }

  /// XXH64 of the first 64 KiB and the length of a file: independent of its path.
  private static func identity(of descriptor: Int32) -> UInt64 {
    guard isRegular(descriptor) else { return 0 }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = max(0, unsafe pread(descriptor, &bytes, bytes.count, 0))
    var status = stat()
    let size = unsafe fstat(descriptor, &status) == 0 ? UInt64(status.st_size) : 0
    let hash = unsafe bytes.withUnsafeBytes { unsafe AuricleXXH64($0.baseAddress, count) }
    return hash ^ (size &* 0x9E37_79B9_7F4A_7C15)
  }

  /// Whether a descriptor is a regular file, which allows random access.
  private static func isRegular(_ descriptor: Int32) -> Bool {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  private func openOutput(
    _ reader: any SoundInput, _ range: InputRange, _ chain: UnitChain, _ seed: UInt64
  ) throws(AuricleError) -> JobOutput {
    var files: [DeliverableOutput] = []
    var input = reader.format
    let keepsBitRate = settings.deliverables.contains { $0.bitRate == nil && $0.keepsBitRate }
    if keepsBitRate { input.bitRate = reader.soundBitRate() }
    for (index, deliverable) in settings.deliverables.enumerated() {
      guard outputs.indices.contains(index), ends.outputs.indices.contains(index) else { break }
      let file = try DeliverableOutput(
        deliverable, file: ends.outputs[index], path: outputs[index], input: input,
        channelCount: chain.channelCount,
        channelMap: reader.format.channelCount == chain.channelCount
          ? reader.metadata.channelMap : [],
        seed: seed &+ UInt64(index) &* 0xA24B_AED4_963E_E407,
        measuresLoudness: settings.measuresLoudness)
      file.video = VideoKeeping.tracks(of: reader, forFileNamed: file.path, settings)
      file.replacesInput = file.path == self.input
      try range.checkProportion(to: file.format.sampleRate, of: reader)
      files.append(file)
    }
    guard !files.isEmpty else {
      throw AuricleError(.software, "the job names no file for its result")
    }
    return try JobOutput(
      files, channelCount: chain.channelCount,
      metadata: reader.metadata.beginning(
        atFrame: range.start, count: range.end.flatMap { _ in range.count }),
      expectedFrameCount: settings.tail == .keepLength
        ? range.count : chain.wholeFrameCount ?? range.count,
      settings: settings
    ) {
      SoundSpool(
        channelCount: chain.channelCount, path: outputs[0], file: ends.spool,
        of: 1 + chain.wholeSoundCount)
    }
  }
}
