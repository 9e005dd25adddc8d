// What a supervisor and its worker say to each other, as values.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
package import FileRendering
package import PlugInGuard
package import RunLedgers

/// A message between a supervisor and its worker; `WorkerMessage+Coding.swift` says how it is written.
package enum WorkerMessage: Sendable {
  /// To a worker, first: the chain, the settings, the sandbox.
  case setup(WorkerSetup)
  /// To a worker: a file to do; its input, its results and its spool are sent along as open files.
  case job(JobMessage)
  /// To a worker that has made no chain: chains of a format are to be compared.
  case probe(ProbeMessage)
  /// From a worker: the units of the chain, before any of them is opened, and the files that its
  /// preset names where these were asked for.
  case units([UnitIdentity], sideFiles: [PresetFile])
  /// From a worker: the chain can be made, jobs are welcome. What the sandbox reached, and how late
  /// the chain is where that was asked for.
  case ready(sandbox: String, figures: ChainFigures?)
  /// From a worker: the chain cannot be made.
  case refused(WorkerRefusal)
  /// From a worker: it is at the job with this number.
  case started(job: Int)
  /// From a worker: units have rendered for its job.
  case rendering(RenderingMessage)
  /// From a worker: a job is done, has failed, or was not begun.
  case finished(JobAnswer)
  /// From a worker: what was found out about chains.
  case probed(ProbeAnswer)
}

/// A file to do.
package struct JobMessage: Sendable {
  /// Its number; none is used twice.
  package var number: Int
  /// The input as messages name it.
  package var input: String
  /// The results as messages name them, one for each that the settings ask for.
  package var outputs: [String]
  /// Whether a file comes along for what is gone through twice.
  package var hasSpool = false
  /// The variant, from 1, and what its values are drawn by; nil without variants.
  package var variant: (number: Int, key: String)?
  /// What is allowed after the first file of a process.
  package var reuse = ReusePermission()

  /// How many open files come along.
  package var fileCount: Int { 1 + outputs.count + (hasSpool ? 1 : 0) }

  init(number: Int, input: String, outputs: [String]) {
    self.number = number
    self.input = input
    self.outputs = outputs
  }
}

/// Chains that are to be compared.
package struct ProbeMessage: Sendable {
  /// What they are made for.
  package let format: ChainFormat
  /// What is done with them.
  package let stage: ProbeStage
  /// The other formats of the run that were probed before.
  var others: [OtherFormat] = []
}

/// Units have rendered for a job.
package struct RenderingMessage: Sendable {
  /// Its number.
  package var job: Int
  /// What the chain was made for.
  package var format: ChainFormat?
  /// The length of the input in seconds; nil where it is not known.
  package var seconds: Double?

  /// Tells it of a job.
  package init(job: Int, seconds: Double? = nil) {
    self.job = job
    self.seconds = seconds
  }
}

/// What became of a job in a worker.
package struct JobAnswer: Sendable {
  /// What became of it.
  package enum Outcome: Sendable {
    /// Its results are complete.
    case done(FinishedFile)
    /// It failed.
    case failed(FailedFile)
    /// A unit laid hands on the open files of the process; the unit is told where it can be only one.
    case tampered(unit: Int32?)
    /// Another process has to do it.
    case notBegun(Reason)
  }

  /// Why a worker has not begun a job.
  package enum Reason: Sendable, Equatable {
    /// So many threads were left in the process.
    case threadsLeft(Int)
    /// What was done before could be heard; whether libraries kept something, against what was found.
    case chainUsed(memoryChanged: Bool)
  }

  /// Its number.
  package var job: Int
  /// What became of it.
  package var outcome: Outcome
  /// Whether the worker is to get no more.
  package var retires: Bool
  /// What its chain was made for.
  package var format: ChainFormat?

  /// Answers a job.
  package init(job: Int, _ outcome: Outcome, retires: Bool = false) {
    self.job = job
    self.outcome = outcome
    self.retires = retires
  }
}

/// The results of a job.
package struct FinishedFile: Sendable {
  /// Its figures.
  package var result: FileResult
  /// The first result as it lies on the disk; nil when it could not be read back.
  package var stored: StoredFile?
  /// Its pictures; nil without any.
  var pictures: FilePictures?

  /// Results without pictures.
  package init(result: FileResult, stored: StoredFile?) {
    self.result = result
    self.stored = stored
  }
}

/// Why a job failed.
package struct FailedFile: Sendable {
  /// Whose fault it is.
  package var kind: JobFailure.Kind
  /// What went wrong.
  package var error: AuricleError
  /// The number of the unit that was at work; nil for none.
  package var unit: Int32?
  /// What was being done with it.
  package var phase: WorkPhase

  /// Describes a failure.
  package init(
    kind: JobFailure.Kind, error: AuricleError, unit: Int32? = nil, phase: WorkPhase = .idle
  ) {
    self.kind = kind
    self.error = error
    self.unit = unit
    self.phase = phase
  }
}
