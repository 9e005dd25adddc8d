// The messages between a supervisor and its worker, as values.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
package import FileRendering
package import PlugInGuard
package import ResultSettings
package import RunLedgers

/// A message between a supervisor and its worker; `WorkerMessage+Coding.swift` defines its encoding.
package enum WorkerMessage: Sendable {
  /// To a worker, first: the chain, the settings, the sandbox.
  case setup(WorkerSetup)
  /// To a worker: a file to process; its input, results and spool are attached as open files.
  case job(JobMessage)
  /// To a worker that has made no chain: compare chains of a format.
  case probe(ProbeMessage)
  /// From a worker: the units of the chain, before any is opened, and the files that the preset names if they
  /// were requested.
  case units([UnitIdentity], sideFiles: [PresetFile])
  /// From a worker: the chain can be made, and jobs are accepted; with the sandbox in force, and the chain's
  /// figures if they were requested.
  case ready(sandbox: SandboxState, figures: ChainFigures?)
  /// From a worker: the chain cannot be made.
  case refused(WorkerRefusal)
  /// From a worker: it has begun the job with this number.
  case started(job: Int)
  /// From a worker: units have rendered for its job.
  case rendering(RenderingMessage)
  /// From a worker: a job is done, failed, or was not begun.
  case finished(JobAnswer)
  /// From a worker: the result of a probe.
  case probed(ProbeAnswer)
}

/// A file to process.
package struct JobMessage: Sendable {
  /// Its number, unique in the run.
  package var number: Int
  /// The path of the input in messages.
  package var input: String
  /// The paths of the results in messages, one for each deliverable.
  package var outputs: [String]
  /// The track of a song that is played alone, from 1; nil for that of the settings.
  package var track: Int?
  /// The part of the input that is done; nil for all of it.
  package var segment: SoundSegment?
  /// Whether a spool file is attached.
  package var hasSpool = false
  /// The variant, from 1, and the key its values are drawn with; nil without variants.
  package var variant: (number: Int, key: String)?
  /// The permission of the worker after its first file.
  package var reuse = ReusePermission()

  /// The number of open files that are attached.
  package var fileCount: Int { 1 + outputs.count + (hasSpool ? 1 : 0) }

  init(number: Int, input: String, outputs: [String]) {
    self.number = number
    self.input = input
    self.outputs = outputs
  }
}

/// A request to compare chains.
package struct ProbeMessage: Sendable {
  /// The format they are made for.
  package let format: ChainFormat
  /// The stage of the probe.
  package let stage: ProbeStage
  /// The formats of the run that were probed earlier.
  var others: [OtherFormat] = []
}

/// Units have rendered for a job.
package struct RenderingMessage: Sendable {
  /// Its number.
  package var job: Int
  /// The format the chain was made for.
  package var format: ChainFormat?
  /// The length of the input in seconds; nil if unknown.
  package var seconds: Double?

  /// Makes the message for a job.
  package init(job: Int, seconds: Double? = nil) {
    self.job = job
    self.seconds = seconds
  }
}

/// The outcome of a job, as a worker reports it.
package struct JobAnswer: Sendable {
  /// The outcome.
  package enum Outcome: Sendable {
    /// Its results are complete.
    case done(FinishedFile)
    /// It failed.
    case failed(FailedFile)
    /// A unit tampered with the open files of the process; `unit` is set if only one can have done it.
    case tampered(unit: Int32?)
    /// Another process has to do the job.
    case notBegun(Reason)
  }

  /// Why a worker has not begun a job.
  package enum Reason: Sendable, Equatable {
    /// This many threads were left in the process.
    case threadsLeft(Int)
    /// Earlier files may be audible in it; `memoryChanged` says that static memory changed against the
    /// verdict.
    case chainUsed(memoryChanged: Bool)
  }

  /// Its number.
  package var job: Int
  /// The outcome.
  package var outcome: Outcome
  /// Whether the worker accepts no more jobs.
  package var retires: Bool
  /// The format its chain was made for.
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
  /// The first result as stored on the disk; nil when it could not be read back.
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
  /// Its cause.
  package var kind: JobFailure.Kind
  /// Its error.
  package var error: AuricleError
  /// The number of the unit that was running; nil for none.
  package var unit: Int32?
  /// The step the unit was in.
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
