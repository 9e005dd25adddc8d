// Requests: many files, a run to resume, a folder to watch, one file.
// SPDX-License-Identifier: Apache-2.0

public import AudioFiles

/// A run of many files.
public struct RunRequest: Sendable {
  /// Where results go.
  public enum Destination: Sendable, Equatable {
    /// This folder, which is created when it is missing.
    case folder(String)
    /// Results replace their inputs; originals are kept with `.bak` added to their names.
    case inPlace
  }

  /// The chain.
  public var chain: ChainRequest
  /// Audio files, and folders that are searched for them.
  public var inputs: [String]
  /// A file with more inputs, separated by newlines or zero bytes; `-` for standard input; nil for none.
  public var list: String?
  /// Where results go.
  public var destination: Destination
  /// The requested results.
  public var results = ResultRequest()
  /// The options of the work.
  public var work = WorkRequest()
  /// The number of variants of each file; nil for one.
  public var variantCount: Int?
  /// The seed of random values; nil for 0.
  public var seed: UInt64?
  /// The path of the report, ending in .html, .json, .csv or .txt; nil for none.
  public var report: String?
  /// The format of the samples of inputs without a header; nil for inputs with one.
  public var rawInput: AudioFileFormat?

  /// A run of these inputs through a chain.
  public init(chain: ChainRequest, inputs: [String], destination: Destination) {
    self.chain = chain
    self.inputs = inputs
    self.destination = destination
  }

  /// The output folder; nil in place.
  var output: String? {
    if case .folder(let path) = destination { path } else { nil }
  }
}

/// A run to resume as it was begun: repeated settings have to be the same.
public struct ResumeRequest: Sendable {
  /// The output folder of the run.
  public var folder: String
  /// The chain to compare; nil to skip that.
  public var chain: ChainRequest?
  /// The result settings to compare.
  public var results = ResultRequest()
  /// Workers and limits from now on.
  public var work = WorkRequest()
  /// The number of variants, if it is to be compared.
  public var variantCount: Int?
  /// The seed, if it is to be compared.
  public var seed: UInt64?
  /// The path of the report; nil for the one the run was begun with.
  public var report: String?

  /// Resumes the run of a folder.
  public init(folder: String) { self.folder = folder }
}

/// A folder to watch.
public struct FolderWatchRequest: Sendable {
  /// The folder.
  public var folder: String
  /// The folder of results.
  public var output: String
  /// The chain.
  public var chain: ChainRequest
  /// The time that a file must stay unchanged before it is processed, in seconds.
  public var settleTime = 2.0
  /// Whether to poll even if the system reports changes.
  public var polls = false
  /// The requested results.
  public var results = ResultRequest()
  /// The options of the work.
  public var work = WorkRequest()

  /// Watches a folder, with results in another.
  public init(folder: String, output: String, chain: ChainRequest) {
    self.folder = folder
    self.output = output
    self.chain = chain
  }
}

/// One file, without a ledger.
public struct SingleFileRequest: Sendable {
  /// The source or destination of sound.
  public enum Place: Sendable, Equatable {
    /// A file.
    case file(String)
    /// An open file, which is read to its end or written to.
    case descriptor(Int32)
  }

  /// The chain.
  public var chain: ChainRequest
  /// The sound.
  public var input: Place
  /// The result.
  public var output: Place
  /// The requested result.
  public var results = ResultRequest()
  /// The options of the work.
  public var work = WorkRequest()
  /// The number of variants, at most one.
  public var variantCount: Int?
  /// The seed of random values; nil for 0.
  public var seed: UInt64?
  /// The format of an input without a header; nil for one with a header.
  public var rawInput: AudioFileFormat?

  /// Renders one file through a chain.
  public init(chain: ChainRequest, input: Place, output: Place) {
    self.chain = chain
    self.input = input
    self.output = output
  }
}
