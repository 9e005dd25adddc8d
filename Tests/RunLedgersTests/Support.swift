// Shared by the tests of plans and ledgers: a folder with a plan, a run and its records.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import FileRendering
import Foundation
import Glibc
import HostSystem
import ResultSettings
import RunLedgers
import TestSupport

/// A folder with inputs, and plans of them.
struct PlanBench {
  let folder: TemporaryFolder
  /// Where plans are written: out of the way of inputs.
  private let plans: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder("auricle-plan")
    plans = try TemporaryFolder("auricle-plan-file")
  }

  /// A request for results in `out`.
  func request(_ inputs: String...) -> PlanRequest {
    PlanRequest(inputs: inputs.map { folder($0) }, destination: .folder(folder("out")))
  }

  /// Every file of a plan, with outputs as paths below `out`, and the plan's totals.
  func plan(_ request: PlanRequest) throws -> (entries: [PlanEntry], totals: PlanTotals) {
    var root: String?
    if case .folder(let path) = request.destination { root = path }
    let plan = try DryPlan(request, at: plans("plan-\(UUID().uuidString)"), root: root)
    var entries: [PlanEntry] = []
    try plan.forEach { (entry) throws(AuricleError) in entries.append(entry) }
    if let root {
      for index in entries.indices {
        entries[index].output = Path.below(root, entries[index].output) ?? entries[index].output
        entries[index].others = entries[index].others.map { Path.below(root, $0) ?? $0 }
      }
    }
    return (entries, plan.totals)
  }

  /// The names of the results that are to be made.
  func outputs(_ request: PlanRequest) throws -> [String] {
    try plan(request).entries.filter { $0.error == nil && !$0.isSkipped }.flatMap(\.outputs)
  }

  /// Returns the error of a refused plan; nil when it is not refused.
  func refusal(_ request: PlanRequest) throws -> AuricleError? {
    do {
      _ = try plan(request)
      return nil
    } catch let error as AuricleError {
      return error
    }
  }

  func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder(name), withDestinationPath: target)
  }
}

/// A run in an output folder.
struct RunBench {
  let folder: TemporaryFolder
  let run: RunFolder

  /// Makes `in/0.wav`, `in/1.wav` …, and a run with a plan of them.
  init(fileCount: Int) throws {
    folder = try TemporaryFolder("auricle-run")
    for index in 0..<fileCount { try folder.write("sound \(index)", to: "in/\(index).wav") }
    try folder.makeFolder("in")
    run = try RunFolder.create(in: folder("out"))
  }

  /// A manifest whose plan is on the disk.
  func planned() throws -> RunManifest {
    var manifest = self.manifest
    let plan = try run.plan(manifest.planRequest(), outputRoot: folder("out"))
    (manifest.totals, manifest.planChecksum) = plan
    try run.write(manifest)
    return manifest
  }

  /// A manifest without a plan.
  var manifest: RunManifest {
    var manifest = RunManifest(
      run: run.run, tool: "1.0", workingFolder: folder.path, presetName: "voice",
      preset: #"{"chain":[]}"#, settings: JobSettings(), inputs: [folder("in")])
    manifest.output = folder("out")
    return manifest
  }

  /// A record of a file; a result of that name is written for one that is done.
  func record(
    _ index: Int, _ status: FileRecord.Status, origin: FileRecord.Origin? = nil
  ) throws -> FileRecord {
    let output = folder("out/\(index).wav")
    var record = FileRecord(
      index: index, status: status, input: folder("in/\(index).wav"), output: output)
    record.inputByteCount = 10
    if status == .done {
      let text = "result \(index)"
      try folder.write(text, to: "out/\(index).wav")
      let format = AudioFileFormat(
        container: .wav, encoding: .float32, sampleRate: 48_000, channelCount: 1)
      record.result = FileResult(
        input: record.input, output: output, inputFormat: format, outputFormat: format,
        inputFrameCount: 48_000, outputFrameCount: 48_000)
      record.stored = storedFile(output)
    } else if status != .skipped {
      record.error = AuricleError(.inputOutput, "cannot read \(record.input): it is damaged")
      record.origin = origin ?? .input
    }
    return record
  }

  /// Reads the state from the ledgers.
  func state(fileCount: Int) throws -> RunState { try RunState(run, fileCount: fileCount) }

  /// The path of a ledger.
  func ledger(_ number: Int) -> String { run.path + "/ledger-\(number).jsonl" }
}

/// The length and checksum of a file.
func storedFile(_ path: String) -> StoredFile? {
  guard let place = OpenFolder(opening: Path.folder(of: path)) else { return nil }
  return StoredFile.of(folder: place.descriptor, name: Path.lastComponent(path))
}

extension OpenFolder {
  /// Opens a folder.
  convenience init?(opening path: String) {
    let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    self.init(descriptor: descriptor, path: path)
  }
}

/// The bytes of a file; empty when it cannot be read.
func bytes(of path: String) -> [UInt8] {
  (try? Data(contentsOf: URL(fileURLWithPath: path))).map(Array.init) ?? []
}

/// Replaces the bytes of a file.
func write(_ bytes: [UInt8], to path: String) throws {
  try Data(bytes).write(to: URL(fileURLWithPath: path))
}

/// Removes a file.
func removeFile(_ path: String) throws {
  try FileManager.default.removeItem(atPath: path)
}
