// All files of a plan, one after the other; a file that fails never stops the others.
// SPDX-License-Identifier: Apache-2.0

public import AudioGraph
public import AudioTypes

/// What a run has to say while it goes on.
public enum BatchEvent: Sendable {
  /// The file with this index is being opened.
  case started(index: Int, file: PlannedFile)
  /// So much of the file is done: a fraction, and seconds of sound.
  case advanced(index: Int, file: PlannedFile, fraction: Double, seconds: Double)
  /// The file is written.
  case finished(index: Int, result: FileResult)
  /// The file failed; nothing of it was left behind.
  case failed(index: Int, failure: FileFailure)
}

/// How a run ended.
public struct BatchSummary: Sendable {
  /// Files written.
  public var doneCount = 0
  /// Files and folders that failed, in their order.
  public var failures: [FileFailure] = []
  /// Whether the run was asked to stop before its end.
  public var wasInterrupted = false
  /// Seconds of sound written.
  public var seconds = 0.0

  /// The exit code category of the run, nil when all went well: the failure's own when there was
  /// just that one file, "some failed" otherwise.
  public var category: AuricleError.Category? {
    if wasInterrupted { return .interrupted }
    guard let first = failures.first else { return nil }
    if doneCount == 0, failures.count == 1 { return first.error.category }
    return .someFilesFailed
  }
}

/// Runs every file of a plan through a chain.
public struct BatchRun {
  /// Makes a fresh chain for a file, so that no file hears the one before it.
  public typealias ChainMaker = (ChainRequest) throws(AuricleError) -> any RenderChain

  private let plan: BatchPlan
  private let settings: JobSettings
  private let makeChain: ChainMaker

  /// Prepares a run; nothing is touched yet.
  public init(plan: BatchPlan, settings: JobSettings, makeChain: @escaping ChainMaker) {
    self.plan = plan
    self.settings = settings
    self.makeChain = makeChain
  }

  /// Does the work.
  ///
  /// - Parameters:
  ///   - shouldStop: Asked between slices; true ends the run, removing what is unfinished.
  ///   - observe: Told what happens, on the calling thread.
  ///
  /// Context: control.
  public func run(
    shouldStop: () -> Bool = { false }, observe: (BatchEvent) -> Void = { _ in }
  ) -> BatchSummary {
    var summary = BatchSummary()
    for failure in plan.failures {
      summary.failures.append(failure)
      observe(.failed(index: -1, failure: failure))
    }
    for (index, file) in plan.files.enumerated() {
      if shouldStop() {
        summary.wasInterrupted = true
        break
      }
      observe(.started(index: index, file: file))
      let job = FileJob(
        input: file.input, outputs: [file.output] + file.others, settings: settings, ends: .paths,
        makeChain: makeChain)
      do throws(JobFailure) {
        let result = try job.run(
          shouldStop: shouldStop,
          observe: {
            observe(
              .advanced(index: index, file: file, fraction: $0.fraction, seconds: $0.seconds))
          })
        summary.doneCount += 1
        summary.seconds += result.outputDuration
        observe(.finished(index: index, result: result))
      } catch {
        if error.kind == .interruption {
          summary.wasInterrupted = true
          break
        }
        let failure = FileFailure(input: file.input, error: error.error)
        summary.failures.append(failure)
        observe(.failed(index: index, failure: failure))
      }
    }
    return summary
  }
}

/// What a chain is made for.
public struct ChainRequest: Sendable {
  /// Frames a second.
  public var sampleRate: Double
  /// Channels of the input.
  public var channelCount: Int
  /// The most frames rendered at once.
  public var maximumFrameCount: Int
  /// The variant to make; nil without random values.
  public var variant: VariantRequest?
  /// Frames of the input; nil where it does not tell them.
  public var inputFrameCount: Int?
  /// The frame of the file that the sound begins with.
  public var inputStart = 0
}

/// Which variant of a file is to be made.
public struct VariantRequest: Sendable, Equatable {
  /// Its number, from 1.
  public var index: Int
  /// The seed of the whole run.
  public var seed: UInt64
  /// What tells the file from others: its path within the folder that was named.
  public var key: String

  /// Names a variant.
  public init(index: Int, seed: UInt64, key: String) {
    self.index = index
    self.seed = seed
    self.key = key
  }
}
