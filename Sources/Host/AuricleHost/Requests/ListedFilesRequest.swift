// A request for files that are named one by one with their results.
// SPDX-License-Identifier: Apache-2.0

/// Files and texts, each with the places of its results, without a ledger.
public struct ListedFilesRequest: Sendable {
  /// One of them.
  public struct Item: Sendable, Equatable {
    /// The input to render.
    public enum Input: Sendable, Equatable {
      /// A file.
      case file(String)
      /// A text that is said.
      case text(String)
    }

    /// Its name in messages.
    public var name: String
    /// The input to render.
    public var input: Input
    /// The files to write, one for each deliverable; their folders are made.
    public var outputs: [String]
    /// The track that is played alone, from 1; nil for all.
    public var track: Int?

    /// Names an input and its results.
    public init(name: String, input: Input, outputs: [String], track: Int? = nil) {
      self.name = name
      self.input = input
      self.outputs = outputs
      self.track = track
    }
  }

  /// The chain.
  public var chain: ChainRequest
  /// The files.
  public var items: [Item]
  /// The requested results.
  public var results = ResultRequest()
  /// The options of the work.
  public var work = WorkRequest()
  /// The seed of random values; nil for 0.
  public var seed: UInt64?

  /// Renders files through a chain.
  public init(chain: ChainRequest, items: [Item]) {
    self.chain = chain
    self.items = items
  }
}
