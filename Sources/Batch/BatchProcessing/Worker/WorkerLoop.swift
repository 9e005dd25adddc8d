// A worker's jobs, one after the other, each from the same state of the process.
// SPDX-License-Identifier: Apache-2.0

import AudioGraph
import AudioPictures
import AudioTypes
import CHostSystem
import Glibc
import PlugInGuard
import RealtimeSupport

/// Receives jobs, does them, and tells how they went.
struct WorkerLoop {
  private let channel: WorkerChannel
  private let settings: JobSettings
  private let seed: UInt64?
  private let pool: ChainPool
  private let mayStay: Bool
  private var health: WorkerHealth
  private var threads: ThreadCensus
  private let environment = EnvironmentGuard()
  /// The chain of the last job, closed only once its result was told.
  private var used: (chain: any RenderChain, request: ChainRequest)?
  /// How large pictures are made of every file; nil for none.
  var pictures: PictureSize?

  init(
    channel: WorkerChannel, settings: JobSettings, seed: UInt64?, pool: ChainPool, mayStay: Bool,
    memoryLimit: Int, usualThreads: Int
  ) {
    self.channel = channel
    self.settings = settings
    self.seed = seed
    self.pool = pool
    self.mayStay = mayStay
    health = WorkerHealth(memoryLimit: memoryLimit)
    threads = ThreadCensus(usualCount: usualThreads)
  }

  /// Works until the supervisor closes its end.
  mutating func run(drawnValues: (VariantRequest) -> [DrawnFigure]) {
    while let message = try? channel.receive(waits: true, takesFiles: true) {
      if message.kind == .examine {
        examine(message.body)
        continue
      }
      guard message.kind == .job else { return }
      let hasSpool = message.body["spool"]?.boolean == true
      let paths = (message.body["outputs"]?.elements ?? []).compactMap(\.text)
      guard !paths.isEmpty,
        message.descriptors.count == 1 + paths.count + (hasSpool ? 1 : 0)
      else { return }
      if let count = threads.strangers {
        guard refuse(message, for: count) else { return }
        continue
      }
      let answer = perform(message, paths, hasSpool: hasSpool, drawnValues)
      Heartbeat.enter(.idle, unit: Heartbeat.noUnit)
      guard channel.send(WorkerMessage(kind: .finished, body: answer)) else {
        // The supervisor ends its workers: one that still lives has lost its socket to a unit.
        Heartbeat.enter(.render, unit: Self.onlyUnit)
        return
      }
      AuricleHeartbeatSetJob(0)
      if !mayStay { return }
      // What a unit does while it is closed costs no file.
      let format = used.map { ChainFormat($0.request) }
      used = nil
      threads.look(after: format, kept: pool.keptFormats)
    }
  }

  /// Leaves a job to another process: what threads that are left do to files nobody knows.
  private func refuse(_ message: WorkerMessage, for threadCount: Int) -> Bool {
    for descriptor in message.descriptors { close(descriptor) }
    return channel.send(
      WorkerMessage(
        kind: .finished,
        body: .members([
          ("job", message.body["job"]), ("again", true), ("threads", JSONValue(threadCount)),
        ])))
  }

  /// Compares chains, in a process that does nothing else.
  private func examine(_ body: JSONValue) {
    guard let format = ChainFormat(json: body) else { return }
    let channel = channel
    let examination = ChainExamination(
      request: ChainRequest(
        sampleRate: format.sampleRate, channelCount: format.channelCount,
        maximumFrameCount: settings.framesPerSlice,
        variant: seed.map { VariantRequest(index: 1, seed: $0, key: "") }
      ).examined(in: format),
      others: (body["others"]?.elements ?? []).compactMap(OtherFormat.init),
      makeChain: pool.makeChain,
      tell: {
        _ = channel.send(WorkerMessage(kind: .examined, body: .members($0.members)))
      })
    var changes: ProcessStateChanges = []
    withProtectedProcessState(changes: &changes) {
      switch body["look"]?.text.flatMap(ChainLook.init) {
      case .new: examination.compareNewChains()
      case .another: examination.compareAnother()
      case .reset: examination.compareReset()
      case .differing, nil: examination.compareResetChains(blocks: body["blocks"]?.integer ?? 1)
      }
    }
  }

  private mutating func perform(
    _ message: WorkerMessage, _ paths: [String], hasSpool: Bool,
    _ drawnValues: (VariantRequest) -> [DrawnFigure]
  ) -> JSONValue {
    let number = message.body["job"]?.integer ?? 0
    AuricleHeartbeatSetJob(UInt64(clamping: number))
    // Said, not only shown: what units can overwrite is no proof.
    _ = channel.send(WorkerMessage(kind: .started, body: .members([("job", JSONValue(number))])))
    environment.restore()
    threads.begin()
    let outputs = Array(message.descriptors[1...paths.count])
    let spool: Int32 = hasSpool ? message.descriptors[paths.count + 1] : -1
    // The reader of the job closes its own.
    let input = pictures == nil ? -1 : fcntl(message.descriptors[0], F_DUPFD_CLOEXEC, 3)
    defer { if input >= 0 { close(input) } }
    let files = message.descriptors.map(OpenFile.init)
    /// Whether the results are still what they were: units may close files that are not theirs.
    func areOurs() -> Bool {
      zip(outputs, files[1...]).allSatisfy { OpenFile($0) == $1 }
        && (spool < 0 || OpenFile(spool) == files[paths.count + 1])
    }
    defer {
      for (descriptor, file) in zip(message.descriptors, files).dropFirst()
      where OpenFile(descriptor) == file { close(descriptor) }
    }
    var variant: VariantRequest?
    if let seed {
      variant = VariantRequest(
        index: message.body["variant"]?.integer ?? 1, seed: seed,
        key: message.body["key"]?.text ?? "")
    }
    var used: (chain: any RenderChain, request: ChainRequest)?
    var firstLatency = 0
    let pool = pool
    pool.habits = ChainHabits(message.body["habits"])
    pool.memory = message.body["memory"]?.text.flatMap(ChainMemory.init) ?? .changing
    let job = FileJob(
      input: message.body["input"]?.text ?? "input", outputs: paths, settings: settings,
      ends: .descriptors(input: message.descriptors[0], outputs: outputs, spool: spool),
      variant: variant,
      makeChain: { request throws(AuricleError) in
        let chain = try pool.take(request)
        used = (chain, request)
        firstLatency = chain.latencyFrames
        return chain
      })
    var members: [(String, JSONValue?)] = [("job", JSONValue(number))]
    /// The answer with what the chain was made for.
    func answer(_ members: [(String, JSONValue?)]) -> JSONValue {
      let format = pool.lastRequest.map { JSONValue.members(ChainFormat($0).members) }
      return .members(members + [("chain", format)])
    }
    var changes: ProcessStateChanges = []
    var isTold = false
    do throws(JobFailure) {
      let channel = channel
      var result = try withProtectedProcessState(changes: &changes) {
        () throws(JobFailure) -> FileResult in
        try job.run(
          shouldStop: { false },
          observe: { progress in
            AuricleHeartbeatSetFrames(
              UInt64(progress.frameCount), UInt64(progress.totalFrameCount ?? 0), progress.frameRate
            )
            guard !isTold else { return }
            isTold = true
            _ = channel.send(
              WorkerMessage(
                kind: .started,
                body: answer([
                  ("job", JSONValue(number)), ("rendered", true),
                  ("seconds", progress.inputSeconds.map { JSONValue($0) }),
                ])))
          })
      }
      // A length that is not what was written is not believed, and 1 TiB of nothing not read.
      guard areOurs(), outputs.map(Self.byteCount) == result.byteCounts else {
        return answer(members + Self.robbery)
      }
      if let variant { result.drawnValues = drawnValues(variant) }
      let stored = outputs.map(Self.stored)
      guard zip(stored, result.byteCounts).allSatisfy({ $0?.byteCount ?? $1 == $1 }) else {
        return answer(members + Self.robbery)
      }
      for index in result.others.indices { result.others[index].stored = stored[index + 1] }
      members += result.jsonMembers(output: paths[0])
      if let stored = stored[0] {
        members += [
          ("bytes", JSONValue(stored.byteCount)), ("xxh64", .string(stored.checksumText)),
        ]
      }
      // One that learned its delay from this file would align the next otherwise than a new one does.
      if let used, used.chain.latencyFrames == firstLatency,
        threads.mayKeep(ChainFormat(used.request), beside: pool.keptFormats)
      {
        threads.isKept = pool.giveBack(used.chain, for: used.request)
      }
      if let pictures {
        members += WorkPictures.members(
          input: input, output: outputs[0], size: pictures, settings: settings)
      }
    } catch {
      if pool.isSpent {
        return answer(members + [("again", true), ("touched", pool.isTouched ? true : nil)])
      }
      let isRobbed = !areOurs() || outputs.contains(where: OpenFile.isTurned)
      members +=
        isRobbed && error.kind == .output || error.kind != .unit && Self.isRobbery(error.error)
        ? Self.robbery : failure(error)
    }
    self.used = used
    if !mayStay || !health.isGood() || changes.contains(.floatingPoint) {
      members.append(("retires", true))
    }
    return answer(members)
  }

  // MARK: Units that take what is not theirs

  /// The unit of a chain that has but one, beside the joints of its graph; else none.
  private static var onlyUnit: Int32 {
    var found: [Int32] = []
    var name = [CChar](repeating: 0, count: 200)
    for number in 0..<16 as Range<Int32> {
      guard unsafe AuricleHeartbeatName(nil, number, &name, name.count) else { break }
      let text = String(
        decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      if !text.hasSuffix(":Auri)") { found.append(number) }
    }
    return found.count == 1 ? found[0] : Heartbeat.noUnit
  }

  /// Whether an error comes of files that a unit closed, or of so many it opened that none is left:
  /// a worker itself has few.
  private static func isRobbery(_ error: AuricleError) -> Bool {
    let message = error.message.lowercased()
    return [EBADF, EMFILE].contains { message.hasSuffix(Path.reason($0).lowercased()) }
  }

  /// The answer when the files of a job were closed, changed, made longer or shorter under it.
  private static var robbery: [(String, JSONValue?)] {
    [
      ("kind", "unit"), ("error", "a unit meddled with the files of the process it works in"),
      ("code", JSONValue(Int(AuricleError.Category.software.rawValue))),
      ("unit", JSONValue(Int(onlyUnit))), ("phase", "render"), ("retires", true),
      ("meddled", true),
    ]
  }

  private func failure(_ failure: JobFailure) -> [(String, JSONValue?)] {
    var reading = AuricleHeartbeatReading()
    unsafe AuricleHeartbeatRead(nil, &reading)
    let isBlamed = reading.blamed >= 0
    let unit = isBlamed ? reading.blamed : reading.unit
    let phase = isBlamed ? reading.blamedPhase : reading.phase
    return [
      ("kind", .string(failure.kind.rawValue)), ("error", .string(failure.error.message)),
      ("code", JSONValue(Int(failure.error.category.rawValue))),
      ("status", JSONValue(Int(failure.error.status))), ("unit", JSONValue(Int(unit))),
      ("phase", .string("\(WorkPhase(rawValue: phase) ?? .idle)")),
    ]
  }

  private static func byteCount(_ output: Int32) -> Int {
    var status = stat()
    return unsafe fstat(output, &status) == 0 ? Int(status.st_size) : -1
  }

  private static func stored(_ output: Int32) -> StoredFile? {
    var hash: UInt64 = 0
    var count: UInt64 = 0
    guard unsafe AuricleXXH64File(output, &hash, &count) == 0 else { return nil }
    return StoredFile(byteCount: Int(clamping: count), checksum: hash)
  }
}
