// A worker for one chain whose sound comes and goes through shared memory: the other side of the Python package.
// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioFiles
import AudioTypes
import AuricleHost
import CHostSystem
import ChainPresets
import FileRendering
import Foundation
import Glibc
import HostSystem
import PlugInGuard
import ResultSettings
import RunLedgers
import UnitChains
import Workers

/// The part of a program that runs when a package of another language has started it for a chain.
public enum ArrayProcess {
  /// Serves a chain and ends the process, if it was started for one; otherwise returns at once.
  ///
  /// Context: control; the first thing in `main`, before other threads are started.
  public static func serveIfChild() {
    let words = ProgramArguments.words
    if words.count == 3, words[0] == "read-crash" { _exit(writeCrash(words[1], signal: words[2])) }
    guard words.count == 2, words[0] == "serve-arrays" else { return }
    // Destructors of plug-ins are skipped.
    _exit(ArrayWorker.run(words[1], results: HostProcess.divert()))
  }

  /// Writes the place of the crash of such a process, read from its signs of life; nothing where it noted none.
  private static func writeCrash(_ heartbeat: String, signal: String) -> Int32 {
    guard let heartbeat = Int32(heartbeat), let signal = Int32(signal) else {
      return AuricleError.Category.usage.rawValue
    }
    let memory = unsafe mmap(nil, AuricleHeartbeatSize(), PROT_READ, MAP_SHARED, heartbeat, 0)
    guard let memory = unsafe memory, unsafe memory != MAP_FAILED,
      let place = unsafe CrashPlace(heartbeat: memory, signal: signal)
    else { return 0 }
    return FileTransfer.writeAll(Array(place.text.utf8), to: STDOUT_FILENO)
  }
}

/// Serves one chain: a line of JSON asks, a line answers, and sound lies in memory that both have open.
///
/// The first line is the setup. `sound` renders a whole planar sound in place, in the first memory, with the frames behind
/// its end in the second. `render` is for the others: a WAV file in the first memory becomes one in the second.
/// `open`, `block` and `close` are a stream of planar blocks in the third; `chain` has the preset of those that are opened
/// from then on, of the same units and files. A failed request is answered with `error`, `code` and `kind`; a unit that
/// crashes ends the process.
struct ArrayWorker {
  /// The open files that the parent hands over, by their numbers.
  struct Ends {
    let input: Int32
    let output: Int32
    let blocks: Int32
    let heartbeat: Int32
    let spool: Int32
    /// The handle of the parent's process, readable when that has ended; -1 where the kernel has none.
    let parent: Int32

    init?(_ text: String) {
      let numbers = text.split(separator: ",").compactMap { Int32($0) }
      guard numbers.count == 6 else { return nil }
      (input, output, blocks, heartbeat) = (numbers[0], numbers[1], numbers[2], numbers[3])
      (spool, parent) = (numbers[4], numbers[5])
    }

    /// All of them.
    var all: [Int32] { [input, output, blocks, heartbeat, spool, parent] }
  }

  private let ends: Ends
  private let results: Int32
  private let settings: JobSettings
  private let maker: ChainMaker
  private let host: ChainWorker
  private let seed: UInt64
  /// The chain of streams; nil until the first is opened, where its preset expects a loudness.
  private var streamChain: StreamChain?
  /// The chain of sounds that are rendered in place.
  private let keptChain: KeptChain
  private let processState = ProcessStateGuard()
  private var stream: ArrayStream?
  private var hasRendered = false
  /// Whether sounds are left in memory while they are read: a unit learns its latency on the way.
  private var keepsInput = false

  /// Serves until standard input ends; the exit code.
  ///
  /// Context: control; the first thing in `main`.
  static func run(_ ends: String, results: Int32) -> Int32 {
    guard let ends = Ends(ends) else { return AuricleError.Category.usage.rawValue }
    for end in ends.all { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let memory = unsafe mmap(
      nil, AuricleHeartbeatSize(), PROT_READ | PROT_WRITE, MAP_SHARED, ends.heartbeat, 0)
    if let memory = unsafe memory, unsafe memory != MAP_FAILED {
      unsafe AuricleHeartbeatUse(memory)
      AuricleNoteCrashes()
    }
    guard let line = readLine(), let setup = JSONValue(text: line) else {
      return AuricleError.Category.usage.rawValue
    }
    do {
      var (worker, answer) = try prepare(setup, ends, results)
      guard worker.answer(answer) else { return 0 }
      while true {
        worker.stream?.serveBlocks { _ = worker.answer(failure($0)) }
        guard let line = readLine(), worker.serve(JSONValue(text: line) ?? .null) else { break }
      }
      return 0
    } catch {
      _ = write(failure(error), to: results)
      return 0
    }
  }

  /// Ends this process when its parent has ended, also while a unit hangs.
  ///
  /// The kernel's own signal comes with the end of the parent's thread, which in Python may be a short one. The thread
  /// here is started in the sandbox: one from before would not be in it.
  ///
  /// - Parameter parent: The handle of the parent's process; -1 to wait for the end of standard input instead, which
  ///   processes that the parent forked may hold open.
  private static func end(with parent: Int32) {
    let made = startThread {
      var entry =
        parent >= 0
        ? pollfd(fd: parent, events: Int16(POLLIN), revents: 0)
        : pollfd(fd: STDIN_FILENO, events: 0, revents: 0)
      retrying { unsafe poll(&entry, 1, -1) }
      kill(getpid(), SIGKILL)
    }
    if let made { pthread_detach(made) }
  }

  /// Finds the units, enters the sandbox and makes the chain's maker.
  private static func prepare(
    _ setup: JSONValue, _ ends: Ends, _ results: Int32
  ) throws -> (ArrayWorker, [(String, JSONValue?)]) {
    let host = HostPlaces()
    let preset: ChainPreset
    if let text = setup["text"]?.text {
      preset = try ChainPreset(text: text, name: setup["name"]?.text ?? "chain")
    } else {
      preset = try host.presets.preset(setup["preset"]?.text ?? "")
    }
    let settings = try ArraySettings(setup).settings(for: preset)
    var sandbox = SandboxRequest()
    sandbox.level = setup["sandbox"]?.text.flatMap(SandboxLevel.init) ?? .strict
    sandbox.readablePaths = (setup["readable"]?.elements ?? []).compactMap(\.text)
    if let limit = setup["memoryLimit"]?.integer { sandbox.memoryLimit = limit }
    var worker = ChainWorker(
      setup: WorkerSetup(
        chain: ChainRequest.source(of: preset), settings: settings, sandbox: sandbox))
    LibraryMemory.begin()
    let units = try worker.units()
    let reached = WorkerSandbox.enter(sandbox, readablePaths: worker.readablePaths)
    end(with: ends.parent)
    ZeroedMemory.beginForGood()
    let maker = try worker.chainMaker()
    LibraryMemory.release()
    let seed = UInt64(clamping: setup["seed"]?.integer ?? 0)
    var served = ArrayWorker(
      ends: ends, results: results, settings: settings, maker: maker, host: worker, seed: seed)
    if preset.inputLoudness == nil {
      served.streamChain = StreamChain(maker: maker, levellers: 0, seed: served.drawnSeed)
    }
    return (
      served,
      [
        ("units", .array(units.map(\.json))), ("preset", .string(preset.canonicalJSON)),
        ("sandbox", .string(reached.text)),
      ]
    )
  }

  private init(
    ends: Ends, results: Int32, settings: JobSettings, maker: @escaping ChainMaker,
    host: ChainWorker, seed: UInt64
  ) {
    (self.ends, self.results, self.settings) = (ends, results, settings)
    (self.maker, self.host, self.seed) = (maker, host, seed)
    keptChain = KeptChain(makeChain: maker)
  }

  /// The seed of the random values of whole sounds; nil where there are none.
  private var drawnSeed: UInt64? { host.drawsValues ? seed : nil }

  /// Serves a request line; false when it is not to go on.
  private mutating func serve(_ request: JSONValue) -> Bool {
    var members: [(String, JSONValue?)] = []
    do {
      switch request["op"]?.text {
      case "sound": members = try renderInPlace(request)
      case "render": members = try render(request)
      case "open":
        stream = nil
        let chain = try streamChain ?? StreamChain(host, seed: seed)
        streamChain = chain
        let opened = try ArrayStream(
          request, ends.blocks, chain.maker, levellers: chain.levellers, seed: chain.seed)
        stream = opened
        members = opened.members
      case "block":
        guard let stream else { throw AuricleError(.usage, "no stream is open") }
        members = try stream.render(request)
      case "close": stream = nil
      case "chain":
        streamChain = try StreamChain(host.replacing(request["text"]?.text ?? ""), seed: seed)
      default: throw AuricleError(.software, "the worker knows no such request")
      }
    } catch {
      members = Self.failure(error)
    }
    Heartbeat.enter(.idle, unit: Heartbeat.noUnit)
    return answer(members)
  }

  /// Renders the WAV file of the first memory into the second. The first goes back to the system on the way, where the
  /// size of its frames is known; `again` asks for the same once more.
  private mutating func render(
    _ request: JSONValue
  ) throws -> [(String, JSONValue?)] {
    guard ftruncate(ends.output, 0) == 0 else { throw systemError(errno, "write", "memory") }
    for end in [ends.input, ends.output, ends.spool] { lseek(end, 0, SEEK_SET) }
    let variant = drawnSeed.map {
      VariantRequest(
        index: request["variant"]?.integer ?? 1, seed: $0, key: request["key"]?.text ?? "")
    }
    guard ftruncate(ends.spool, 0) == 0 else { throw systemError(errno, "write", "memory") }
    let job = FileJob(
      input: "the array", outputs: ["the result"], settings: settings,
      ends: OpenEnds(
        input: fcntl(ends.input, F_DUPFD_CLOEXEC, 3), outputs: [ends.output],
        spool: settings.needsSpool ? ends.spool : -1),
      variant: variant, makeChain: maker)
    let frameSize = keepsInput ? 0 : request["frameSize"]?.integer ?? 0
    var memory = InputMemory(ends.input, frameSize: frameSize)
    let result: FileResult
    do {
      var changes: ProcessStateChanges = []
      result = try processState.run(changes: &changes) { () throws(JobFailure) -> FileResult in
        try job.run(
          shouldStop: { memory.isNeededAgain },
          observe: {
            AuricleHeartbeatSetFrames(
              UInt64($0.frameCount), UInt64($0.totalFrameCount ?? 0), $0.frameRate)
            memory.follow($0)
          })
      }
    } catch {
      guard memory.isNeededAgain else { throw error }
      keepsInput = true
      return [("again", true)]
    }
    return [("bytes", JSONValue(result.byteCounts[0])), ("stale", noteRendering() ? true : nil)]
  }

  /// Notes that a sound was rendered; whether that needs a new process.
  ///
  /// A chain that leaves something in the memory of libraries may change the next one.
  private mutating func noteRendering() -> Bool {
    let isFirst = !hasRendered
    hasRendered = true
    let isStale = !isFirst && !LibraryMemory.isUntouched
    if isFirst { LibraryMemory.settle() }
    return isStale
  }

  /// Renders the planar sound of the first memory in place, with the frames behind its end in the second.
  ///
  /// The answer is `asFile` where only a file can be rendered so; the memory is then as it was.
  private mutating func renderInPlace(_ request: JSONValue) throws -> [(String, JSONValue?)] {
    let channels = request["channels"]?.integer ?? 0
    let frames = request["frames"]?.integer ?? 0
    let rate = request["rate"]?.number ?? 0
    try PlanarSound.check(channelCount: channels, frameCount: frames, sampleRate: rate)
    guard drawnSeed == nil else { return [("asFile", true)] }
    let memory = try SharedRows(ends.input, channelCount: channels, frameCount: frames)
    let sound = unsafe PlanarSound(
      rows: memory.rows, channelCount: channels, frameCount: frames, sampleRate: rate)
    let (settings, keptChain) = (settings, keptChain)
    var changes: ProcessStateChanges = []
    var isDone = false
    // A chain in the middle of a sound is of no use for the next.
    defer { if !isDone { keptChain.forget() } }
    let result = try processState.run(changes: &changes) {
      () throws(JobFailure) -> PlanarSound.Result? in
      try sound.render(
        settings, shouldStop: { false },
        observe: { AuricleHeartbeatSetFrames(UInt64($0), UInt64(frames), rate) },
        makeChain: { request throws(AuricleError) in try keptChain.chain(for: request) })
    }
    isDone = true
    guard let result else { return [("asFile", true)] }
    let tail = result.tail[0].count
    if tail > 0 { try SharedRows.write(result.tail, to: ends.output) }
    return [
      ("frames", JSONValue(result.frameCount)), ("tail", JSONValue(tail)),
      ("stale", noteRendering() ? true : nil),
    ]
  }

  private func answer(_ members: [(String, JSONValue?)]) -> Bool {
    Self.write(members, to: results)
  }

  private static func write(_ members: [(String, JSONValue?)], to results: Int32) -> Bool {
    let line = Array((JSONValue.members(members).compactText + "\n").utf8)
    return FileTransfer.writeAll(line, to: results) == 0
  }

  /// The answer that something cannot be done.
  private static func failure(_ error: any Error) -> [(String, JSONValue?)] {
    func members(
      _ text: String, _ category: AuricleError.Category, _ kind: String
    ) -> [(String, JSONValue?)] {
      [
        ("error", .string(text)), ("code", .integer(Int64(category.rawValue))),
        ("kind", .string(kind)),
      ]
    }
    switch error {
    case let failure as JobFailure:
      return members(failure.error.message, failure.error.category, failure.kind.rawValue)
    case let refusal as WorkerRefusal: return members(refusal.text, refusal.category, "preset")
    case let errors as PresetErrors:
      return members(PresetFailure.text(errors), errors.category, "preset")
    case let error as AuricleError: return members(error.message, error.category, "unit")
    default: return members("\(error)", .software, "unit")
    }
  }
}

/// The chain of a stream.
private struct StreamChain {
  let maker: ChainMaker
  /// Stages of the maker's chains in front of those of the preset.
  let levellers: Int
  /// The seed of random values; nil where the preset has none.
  let seed: UInt64?

  init(maker: @escaping ChainMaker, levellers: Int, seed: UInt64?) {
    (self.maker, self.levellers, self.seed) = (maker, levellers, seed)
  }

  /// The chain of a host, as sound arrives in it.
  init(_ host: ChainWorker, seed: UInt64) throws(WorkerRefusal) {
    (maker, levellers) = try host.arrivingChainMaker()
    self.seed = host.drawsValues ? seed : nil
  }
}

/// The settings of results in memory: 32-bit floating point, as the preset and the caller say.
private struct ArraySettings {
  private let setup: JSONValue

  init(_ setup: JSONValue) { self.setup = setup }

  func settings(for preset: ChainPreset) throws(AuricleError) -> JobSettings {
    var request = ResultRequest()
    request.container = .set(.wav)
    request.encoding = .set(.float32)
    request.keepsMetadata = false
    if let text = setup["tail"]?.text {
      switch text {
      case "auto": request.tail = .automatic
      case "none": request.tail = TailPolicy.none
      case "keep-length": request.tail = .keepLength
      default:
        throw AuricleError(
          .usage, "tail takes auto, none, keep-length or seconds, not '\(text)'")
      }
    } else if let seconds = setup["tail"]?.number, seconds.isFinite, seconds >= 0 {
      request.tail = .seconds(seconds)
    }
    if let text = setup["latency"]?.text {
      guard let latency = LatencyPolicy(rawValue: text) else {
        throw AuricleError(.usage, "latency takes compensate or keep, not '\(text)'")
      }
      request.latency = latency
    }
    if let loudness = setup["loudness"]?.number { request.loudness = .set(loudness) }
    if let peak = setup["truePeak"]?.number { request.truePeak = .set(peak) }
    if let rate = setup["sampleRate"]?.number { request.sampleRate = .set(rate) }
    request.framesPerSlice = setup["framesPerSlice"]?.integer
    let settings = try request.settings(for: preset)
    guard settings.deliverables.count == 1 else {
      throw AuricleError(
        .usage,
        "the preset makes \(settings.deliverables.count) files for each sound: an array is one")
    }
    return settings
  }
}
