// What is to be run: many files, a run to go on with, a folder to watch, one file.
// SPDX-License-Identifier: Apache-2.0

public import AudioFiles

/// A run of many files.
public struct RunRequest: Sendable {
  /// Where results go.
  public enum Destination: Sendable, Equatable {
    /// Into this folder, which is made when it is missing.
    case folder(String)
    /// Into the places of their inputs; originals are kept with `.bak` added to their names.
    case inPlace
  }

  /// The chain.
  public var chain: ChainRequest
  /// Audio files, and folders that are searched for them.
  public var inputs: [String]
  /// A file with more inputs, one a line or parted by zero bytes; `-` for standard input; nil for none.
  public var list: String?
  /// Where results go.
  public var destination: Destination
  /// What results are to be.
  public var results = ResultRequest()
  /// How it is worked at.
  public var work = WorkRequest()
  /// How many variants of each file are made; nil for one.
  public var variantCount: Int?
  /// The seed of random values; nil for 0.
  public var seed: UInt64?
  /// Where a report is written, a name that ends in .html, .json, .csv or .txt; nil for none.
  public var report: String?
  /// What the samples of inputs without a header are; nil for inputs that tell.
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

/// A run that was cut off and goes on as it was begun: what is said again has to be the same.
public struct ResumeRequest: Sendable {
  /// The output folder of the run.
  public var folder: String
  /// The chain, if it is to be compared; nil to leave that.
  public var chain: ChainRequest?
  /// What results are to be, as far as that is to be compared.
  public var results = ResultRequest()
  /// How it is worked at from now on.
  public var work = WorkRequest()
  /// The number of variants, if it is to be compared.
  public var variantCount: Int?
  /// The seed, if it is to be compared.
  public var seed: UInt64?
  /// Where a report is written; nil for where the run was begun with.
  public var report: String?

  /// The run in a folder.
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
  /// How long a file has to stay as it is before it is taken, in seconds.
  public var settleTime = 2.0
  /// Whether the folder is read again and again even where the system reports changes.
  public var polls = false
  /// What results are to be.
  public var results = ResultRequest()
  /// How it is worked at.
  public var work = WorkRequest()

  /// A folder, and where what comes into it goes.
  public init(folder: String, output: String, chain: ChainRequest) {
    self.folder = folder
    self.output = output
    self.chain = chain
  }
}

/// One file, without a ledger.
public struct SingleFileRequest: Sendable {
  /// Where sound comes from or goes to.
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
  /// What the result is to be.
  public var results = ResultRequest()
  /// How it is worked at.
  public var work = WorkRequest()
  /// The number of variants, one at most.
  public var variantCount: Int?
  /// The seed of random values; nil for 0.
  public var seed: UInt64?
  /// What the samples of an input without a header are; nil for one that tells.
  public var rawInput: AudioFileFormat?

  /// One sound through a chain.
  public init(chain: ChainRequest, input: Place, output: Place) {
    self.chain = chain
    self.input = input
    self.output = output
  }
}
