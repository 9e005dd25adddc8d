// Opens the input and the results of a job for a worker.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import CHostSystem
import Glibc
import HostSystem
import ResultSettings
import RunLedgers

/// The open files of a job, closed on deinit; the part files stay with the job.
final class OpenedJob {
  /// The input, the results, and the spool if there is one.
  let descriptors: [Int32]
  /// The message that they are attached to.
  let message: JobMessage
  private let input: Int32
  private let spool: Int32

  fileprivate init(_ message: JobMessage, input: Int32, parts: [PartFile], spool: Int32) {
    self.input = input
    self.spool = spool
    var message = message
    message.hasSpool = spool >= 0
    self.message = message
    descriptors = [input] + parts.map(\.descriptor) + (spool >= 0 ? [spool] : [])
  }

  deinit {
    close(input)
    if spool >= 0 { close(spool) }
  }
}

/// Begins attempts: numbers them, opens inputs, and makes unfinished results beside their destinations.
final class JobOpener {
  private let options: SupervisorOptions
  private let store: ResultStore
  private let forms: RecordForms
  private let queue: JobQueue
  private let disks: InputDisks
  private var attemptCount = 0
  /// Whether units of the chain are run over whole sounds, which are kept in the spool.
  var keepsWholeSounds = false

  init(
    _ options: SupervisorOptions, store: ResultStore, forms: RecordForms, queue: JobQueue,
    isWatch: Bool
  ) {
    self.options = options
    self.store = store
    self.forms = forms
    self.queue = queue
    disks = InputDisks(options, isWatch: isWatch)
  }

  /// Begins an attempt at a job and opens its files; nil when that fails or is not needed, which is
  /// recorded.
  ///
  /// - Throws: When more than this file is affected: a disk is gone or full.
  func open(_ job: Job) throws(AuricleError) -> OpenedJob? {
    if queue.isSettledElsewhere(job.entry) { return nil }
    attemptCount += 1
    job.attempts += 1
    job.number = attemptCount
    guard let input = try openInput(of: job) else { return nil }
    queue.noteState(of: job)
    let outputs: [PartFile]
    var spool: Int32 = -1
    do throws(AuricleError) {
      outputs = try makeOutputs(of: job)
      if options.setup.settings.needsSpool || keepsWholeSounds, let folder = outputs.first?.folder {
        spool = try folder.makeNamelessFile(run: options.run)
      }
    } catch {
      close(input)
      if let error = store.outputFailed(job.entry, error) { throw error }
      return nil
    }
    guard !outputs.isEmpty else {
      close(input)
      return nil
    }
    job.parts = outputs
    return OpenedJob(message(of: job), input: input, parts: outputs, spool: spool)
  }

  private func message(of job: Job) -> JobMessage {
    let entry = job.entry
    var message = JobMessage(
      number: job.number, input: entry.input,
      outputs: entry.outputs.map { forms.shown(entry, $0) })
    message.track = entry.track
    message.segment = entry.segment
    message.variant = entry.variant.map { ($0, entry.key) }
    return message
  }

  /// Opens an input; nil when that fails, or the file is left to reappear.
  private func openInput(of job: Job) throws(AuricleError) -> Int32? {
    let entry = job.entry
    let input: Int32
    do throws(AuricleError) {
      input = try InputFile.open(entry.opens ?? entry.input)
    } catch {
      if error.category == .temporary || disks.isGone(entry.input) {
        throw error.gone("what \(entry.input) lies on")
      }
      if error.category == .noInput, try queue.forgets(entry, now: nil) { return nil }
      store.submit(forms.failure(of: entry, error, .input))
      return nil
    }
    job.opened = FileStamp(descriptor: input)
    do throws(AuricleError) {
      guard try queue.forgets(entry, now: job.opened) else { return input }
    } catch {
      close(input)
      throw error
    }
    close(input)
    return nil
  }

  /// Creates the part files of a job; none if a result exists already.
  private func makeOutputs(of job: Job) throws(AuricleError) -> [PartFile] {
    let entry = job.entry
    var parts: [PartFile] = []
    for (index, output) in entry.outputs.enumerated() {
      let (folder, name) = try store.places.place(of: output)
      if !entry.kept.contains(index), existsUnwanted(folder, name) {
        store.submit(forms.alreadyThere(entry, output))
        return []
      }
      parts.append(
        try PartFile(
          folder: folder, name: name, run: options.run, shownPath: forms.shown(entry, output)))
    }
    return parts
  }

  /// A result that was created after the plan is not touched. An earlier session may have written it: then it
  /// is rendered again, and counts if the bytes are the same.
  private func existsUnwanted(_ folder: OpenFolder, _ name: String) -> Bool {
    guard options.existing != .overwrite, options.backupSuffix == nil,
      !options.mayHaveLeftovers || options.existing == .skip
    else { return false }
    var status = stat()
    return unsafe fstatat(folder.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0
  }
}
