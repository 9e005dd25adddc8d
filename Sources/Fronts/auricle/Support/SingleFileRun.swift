// One file to one place, standard input and output among them: no folder, so no ledger.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioFiles
import AudioTypes
import BatchProcessing
import CHostSystem
import ChainPresets
import Foundation

/// Runs one file.
struct SingleFileRun {
  let session: BatchSession
  let preset: ChainPreset
  let settings: JobSettings

  func go() throws {
    guard session.run.fromFile == nil else {
      throw AuricleError(.usage, "--output-file and '-' take no list: use --output")
    }
    if let variants = session.run.variants, variants > 1, session.place.outputFile != nil {
      throw AuricleError(.usage, "--output-file takes one result, not \(variants): use --output")
    }
    guard session.run.report == nil, !session.work.pictures else {
      throw AuricleError(
        .usage, "--report and --pictures tell of a run in a folder: use --output")
    }
    guard let output = session.place.outputFile else {
      throw AuricleError(
        .usage,
        "standard input needs one place to go to: --output-file FILE, or - for standard output")
    }
    if session.inputs.count != 1 {
      throw AuricleError(
        .usage,
        "--output-file takes exactly one input, and \(session.inputs.count) are named: use --output"
      )
    }
    let toOutput = output == "-"
    if toOutput, session.format == .json {
      throw AuricleError(.usage, "standard output is for the sound: leave --format json out")
    }
    Interruption.install()
    let folder = try ScratchFolder()
    defer { folder.remove() }
    let isPiped = session.inputs == ["-"]
    let spool = folder.path + "/input"
    if isPiped { _ = try folder.spool(to: spool) }
    // Planned as a file is that has a name: the result's place is looked at in the same way.
    var request = PlanRequest(
      inputs: isPiped ? [spool] : session.inputs,
      destination: .file(toOutput ? folder.path + "/result" : output))
    request.existing = session.output.existing
    request.isRecursive = session.work.recursive
    request.shouldStop = { Interruption.isRequested }
    let plan: BatchPlan
    do throws(AuricleError) { plan = try BatchPlan(request) } catch { throw session.refused(error) }
    guard var entry = plan.entries.first else {
      throw AuricleError(.noInput, "there is nothing to do")
    }
    if isPiped {
      entry.input = "standard input"
      entry.opens = spool
    }
    if toOutput {
      entry.output = folder.path + "/result"
      entry.showsOutput = "standard output"
    }
    if session.run.dryRun {
      StandardStreams.writeMessage("\(entry.input) → \(entry.showsOutput ?? entry.output)")
      return
    }
    if preset.hasRandomValues {
      entry.variant = 1
      entry.key = (entry.input as NSString).lastPathComponent
    }
    try run(entry, toOutput: toOutput, folder)
  }

  private func run(_ entry: PlanEntry, toOutput: Bool, _ folder: ScratchFolder) throws {
    var options = session.options(
      settings, chain: session.chain.source(of: preset),
      run: String(UInt32.random(in: 0...(.max)), radix: 36))
    options.existing = session.output.existing
    options.workerCount = 1
    options.setup.sandbox.scratchFolder = folder.makeFolder("scratch")
    if preset.hasRandomValues { options.setup.seed = session.run.seed ?? 0 }
    let supervisor = try Supervisor(options: options, source: ListedJobs([entry]))
    var context = RunContext()
    context.presetName = session.presetName
    context.output = toOutput ? nil : entry.output
    context.byteCount = entry.byteCount
    var report = ProcessReport(
      context, fileCount: 1, format: session.format, isQuiet: session.isQuiet)
    report.supervisor = supervisor
    report.begin()
    report.tellsResults = !toOutput
    let summary = supervisor.run(shouldStop: { Interruption.isRequested }) {
      (event) throws(AuricleError) in report.handle(event)
    }
    if toOutput, summary.count(.done) == 1 { try deliver(folder.path + "/result") }
    report.finish(summary)
    if summary.exitCode != 0 { throw ExitCode(summary.exitCode) }
  }
}

/// Gives a result to whoever reads standard output.
private func deliver(_ path: String) throws(AuricleError) {
  switch StandardStreams.copyToResults(path) {
  case 0: return
  case EPIPE:
    throw AuricleError(
      .inputOutput, "whoever reads standard output went away before the end of the sound")
  case let failure:
    let reason = unsafe String(cString: strerror(failure))
    throw AuricleError(.inputOutput, "cannot write the sound to standard output: \(reason)")
  }
}

/// A folder for one run, removed at its end.
struct ScratchFolder {
  let path: String

  init() throws(AuricleError) {
    let base = FileManager.default.temporaryDirectory.path
    var template = Array((base + "/auricle-XXXXXX").utf8CString)
    guard unsafe mkdtemp(&template) != nil else {
      throw systemError(errno, "write into", base)
    }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Makes a folder in it; nil when that cannot be.
  func makeFolder(_ name: String) -> String? {
    unsafe mkdir(path + "/" + name, 0o700) == 0 ? path + "/" + name : nil
  }

  func remove() { _ = unsafe AuricleRemoveFolder(path) }

  /// Waits for bytes from standard input: a pipe may give none for hours.
  private func waitForInput() throws(AuricleError) {
    var one = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    while !Interruption.isRequested {
      if unsafe poll(&one, 1, 100) > 0 { return }
    }
    throw AuricleError(
      .interrupted,
      "interrupted while standard input was being read: nothing was begun; give the command again")
  }

  /// Writes standard input into a file; how many bytes came.
  func spool(to file: String) throws(AuricleError) -> Int {
    let descriptor = unsafe open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw systemError(errno, "write", file) }
    defer { close(descriptor) }
    var block = [UInt8](repeating: 0, count: 1 << 16)
    var total = 0
    while true {
      try waitForInput()
      let count = unsafe read(STDIN_FILENO, &block, block.count)
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw systemError(errno, "read", "standard input") }
      if count == 0 { return total }
      var offset = 0
      while offset < count {
        let step = unsafe block.withUnsafeBytes {
          unsafe write(descriptor, $0.baseAddress?.advanced(by: offset), count - offset)
        }
        if step < 0, errno == EINTR { continue }
        guard step > 0 else { throw systemError(errno, "write", file) }
        offset += step
      }
      total += count
    }
  }
}
