// Processes a worker's jobs one by one, each from the same state of the process.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import CHostSystem
import FileRendering
import Glibc
import PlugInGuard
import RealtimeSupport
import ResultSettings
import RunLedgers
import UnitChains

/// Receives jobs, does them, and reports their outcomes.
struct WorkerLoop {
  private let channel: WorkerChannel
  private let setup: WorkerSetup
  private let pool: ChainPool
  /// Opens inputs that are no audio files; nil for audio files.
  private let openSound: SoundOpener?
  private var health: WorkerHealth
  private var threads: LeakedThreads
  private let environment = EnvironmentGuard()
  private let processState = ProcessStateGuard()
  /// Whether the pages that only the start needed were returned.
  private var hasReleased = false

  /// Frames after which a sound is long enough for that to pay: the pages cost more than a short sound.
  private static let longSound = 1 << 20

  init(
    channel: WorkerChannel, setup: WorkerSetup, pool: ChainPool, openSound: SoundOpener? = nil
  ) {
    self.openSound = openSound
    self.channel = channel
    self.setup = setup
    self.pool = pool
    health = WorkerHealth(memoryLimit: setup.sandbox.memoryLimit)
    threads = LeakedThreads(usualCount: setup.usualThreads)
  }

  /// Works until the supervisor closes its end.
  mutating func run(drawnValues: (VariantRequest) -> [DrawnFigure]) {
    while true {
      do throws(WorkerChannel.Failure) {
        switch try channel.receive(waits: true, acceptsFiles: true) {
        case (.probe(let probe), _): compareChains(probe)
        case (.job(let job), let files):
          guard work(on: job, files, drawnValues) else { return }
        default: return
        }
      } catch {
        WorkerProgram.refuse(error, on: channel)
        return
      }
    }
  }

  /// Does a job, or leaves it to another process; false when this worker has to end.
  private mutating func work(
    on job: JobMessage, _ descriptors: [Int32], _ drawnValues: (VariantRequest) -> [DrawnFigure]
  ) -> Bool {
    if let count = threads.count {
      // Leftover threads might affect files.
      for descriptor in descriptors { close(descriptor) }
      return channel.send(.finished(JobAnswer(job: job.number, .notBegun(.threadsLeft(count)))))
    }
    // Released only after the result was reported: a crash while a unit is closed costs no file.
    var used: UnitChain?
    let answer = perform(job, JobFiles(descriptors, of: job), &used, drawnValues)
    Heartbeat.enter(.idle, unit: Heartbeat.noUnit)
    guard channel.send(.finished(answer)) else {
      // The supervisor ends its workers: if this one still lives, a unit has closed its socket.
      Heartbeat.enter(.render, unit: Self.onlyUnit ?? Heartbeat.noUnit)
      return false
    }
    AuricleHeartbeatSetJob(0)
    if !setup.mayStay { return false }
    used = nil
    threads.update()
    return true
  }

  /// Compares chains, in a process that does nothing else.
  private func compareChains(_ probe: ProbeMessage) {
    let channel = channel
    let comparison = ChainComparison(
      request: ChainSpecification(
        sampleRate: probe.format.sampleRate, channelCount: probe.format.channelCount,
        maximumFrameCount: setup.settings.framesPerSlice
      ).probed(in: probe.format),
      others: probe.others, makeChain: pool.makeChain,
      report: { _ = channel.send(.probed($0)) })
    var changes: ProcessStateChanges = []
    withProtectedProcessState(changes: &changes) { comparison.run(probe.stage) }
  }

  // MARK: One job

  private mutating func perform(
    _ job: JobMessage, _ files: JobFiles, _ used: inout UnitChain?,
    _ drawnValues: (VariantRequest) -> [DrawnFigure]
  ) -> JobAnswer {
    AuricleHeartbeatSetJob(UInt64(clamping: job.number))
    // Sent as a message as well: units can overwrite the heartbeat.
    _ = channel.send(.started(job: job.number))
    environment.restore()
    // The reader of the job closes its own.
    let pictured = setup.pictures == nil ? -1 : fcntl(files.input, F_DUPFD_CLOEXEC, 3)
    defer {
      if pictured >= 0 { close(pictured) }
      files.close()
    }
    pool.permission = job.reuse
    var changes: ProcessStateChanges = []
    var outcome: JobAnswer.Outcome
    do throws(JobFailure) {
      var result = try render(job, files, &used, &changes)
      if var variant = variant(of: job) {
        variant.sampleRate = result.inputFormat.sampleRate
        result.drawnValues.insert(contentsOf: drawnValues(variant), at: 0)
      }
      outcome = finish(result, files)
      if case .done(var file) = outcome {
        if let size = setup.pictures {
          file.pictures = WorkPictures.make(
            input: pictured, output: files.outputs[0], size: size, settings: setup.settings)
          outcome = .done(file)
        }
      }
    } catch {
      outcome =
        pool.isSpent ? .notBegun(.chainUsed(memoryChanged: pool.isRefuted)) : failure(error, files)
    }
    var answer = JobAnswer(job: job.number, outcome)
    answer.format = pool.lastRequest.map { ChainFormat($0) }
    switch outcome {
    case .notBegun: used = nil
    case .tampered: answer.retires = true
    case .done, .failed:
      answer.retires = !setup.mayStay || !health.isGood() || changes.contains(.floatingPoint)
    }
    return answer
  }

  private func variant(of job: JobMessage) -> VariantRequest? {
    setup.seed.map {
      VariantRequest(index: job.variant?.number ?? 1, seed: $0, key: job.variant?.key ?? "")
    }
  }

  /// Reads, renders and writes; reports once when units have rendered.
  private mutating func render(
    _ job: JobMessage, _ files: JobFiles, _ used: inout UnitChain?,
    _ changes: inout ProcessStateChanges
  ) throws(JobFailure) -> FileResult {
    let (channel, pool) = (channel, pool)
    var made: UnitChain?
    defer { used = made }
    var settings = setup.settings.within(job.segment)
    settings.track = job.track ?? settings.track
    let work = FileJob(
      input: job.input, outputs: job.outputs, settings: settings,
      ends: OpenEnds(input: files.input, outputs: files.outputs, spool: files.spool),
      variant: variant(of: job), openSound: openSound,
      makeChain: { request throws(AuricleError) in
        let chain = try pool.chain(for: request)
        made = chain
        return chain
      })
    var isReported = false
    var hasReleased = hasReleased
    defer { self.hasReleased = hasReleased }
    return try processState.run(changes: &changes) { () throws(JobFailure) -> FileResult in
      try work.run(
        shouldStop: { false },
        observe: { progress in
          AuricleHeartbeatSetFrames(
            UInt64(progress.frameCount), UInt64(progress.totalFrameCount ?? 0), progress.frameRate)
          if progress.frameCount > Self.longSound, !hasReleased {
            hasReleased = true
            LibraryMemory.release()
          }
          guard !isReported else { return }
          isReported = true
          var message = RenderingMessage(job: job.number, seconds: progress.inputSeconds)
          message.format = pool.lastRequest.map { ChainFormat($0) }
          _ = channel.send(.rendering(message))
        })
    }
  }

  /// Reads the results back from the disk.
  private func finish(_ result: FileResult, _ files: JobFiles) -> JobAnswer.Outcome {
    // A file of another length than written is not read: it may be 1 TiB of zeros.
    guard files.areUntouched, files.byteCounts == result.byteCounts else {
      return .tampered(unit: Self.onlyUnit)
    }
    let stored = files.outputs.indices.map { index in
      // A file that was read as a whole is not read again: its checksum is that of the verified bytes.
      result.checksums[index].map { StoredFile(byteCount: result.byteCounts[index], checksum: $0) }
        ?? Self.stored(files.outputs[index])
    }
    guard zip(stored, result.byteCounts).allSatisfy({ $0?.byteCount ?? $1 == $1 }) else {
      return .tampered(unit: Self.onlyUnit)
    }
    var result = result
    for index in result.others.indices { result.others[index].stored = stored[index + 1] }
    return .done(FinishedFile(result: result, stored: stored[0]))
  }

  private func failure(_ failure: JobFailure, _ files: JobFiles) -> JobAnswer.Outcome {
    let isWriting = failure.kind == .output
    if isWriting && (!files.areUntouched || files.haveOtherFlags)
      || failure.kind != .unit && Self.isOfDescriptors(failure.error)
    {
      return .tampered(unit: Self.onlyUnit)
    }
    var reading = AuricleHeartbeatReading()
    unsafe AuricleHeartbeatRead(nil, &reading)
    let isBlamed = reading.blamed >= 0
    let unit = isBlamed ? reading.blamed : reading.unit
    let phase = isBlamed ? reading.blamedPhase : reading.phase
    return .failed(
      FailedFile(
        kind: failure.kind, error: failure.error, unit: unit >= 0 ? unit : nil,
        phase: WorkPhase(rawValue: phase) ?? .idle))
  }

  /// Whether an error comes from descriptors that a unit closed, or from so many it opened that none is left:
  /// a worker itself has few.
  private static func isOfDescriptors(_ error: AuricleError) -> Bool {
    [.errno(EBADF), .errno(EMFILE)].contains(error.cause)
  }

  /// The only unit of a chain, not counting the host's internal ones; nil if there are more.
  private static var onlyUnit: Int32? {
    var found: [Int32] = []
    var name = [CChar](repeating: 0, count: 200)
    for number in 0..<16 as Range<Int32> {
      guard unsafe AuricleHeartbeatName(nil, number, &name, name.count) else { break }
      if !AuricleHeartbeatIsInternal(number) { found.append(number) }
    }
    return found.count == 1 ? found[0] : nil
  }

  private static func stored(_ output: Int32) -> StoredFile? {
    var hash: UInt64 = 0
    var count: UInt64 = 0
    guard unsafe AuricleXXH64File(output, &hash, &count) == 0 else { return nil }
    return StoredFile(byteCount: Int(clamping: count), checksum: hash)
  }
}
