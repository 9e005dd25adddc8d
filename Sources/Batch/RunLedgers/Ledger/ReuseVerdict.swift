// The verdict of a probe on how a worker goes from one file to the next, for chains of one format.
// SPDX-License-Identifier: Apache-2.0

package import FileRendering
public import HostSystem

/// The format that a chain is made for.
package struct ChainFormat: Hashable, Sendable {
  /// Frames a second.
  package var sampleRate: Double
  /// Channels in and out.
  package var channelCount: Int

  package init(sampleRate: Double, channelCount: Int) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
  }

  package init(_ request: ChainSpecification) {
    self.init(sampleRate: request.sampleRate, channelCount: request.channelCount)
  }

  package var members: [(String, JSONValue?)] {
    [("sampleRate", JSONValue(sampleRate)), ("channels", JSONValue(channelCount))]
  }

  package init?(json: JSONValue) {
    guard let rate = json["sampleRate"]?.number, rate > 0, rate < 1e9,
      let channels = json["channels"]?.integer, (1...4096).contains(channels)
    else { return nil }
    self.init(sampleRate: rate, channelCount: channels)
  }
}

/// The way of a worker from one file to the next, so that no file affects the next.
public enum ReusePolicy: String, Sendable, CaseIterable {
  /// It closes the chain and makes a new one for the next file.
  case reopen
  /// It does one file: the next gets another process.
  case process
}

/// Changes that chains leave in the static memory of their plug-ins' libraries.
public enum StaticMemory: String, Sendable, CaseIterable {
  /// Nothing: it is as it was when they were loaded.
  case unchanged
  /// Only the changes of the first chain of a process, such as tables that are filled once.
  case initialized
  /// Every chain may change it.
  case changing
}

/// The result of a probe of chains of one format; stored in the run's ledger.
public struct ReuseVerdict: Sendable, Equatable {
  /// Frames a second.
  public var sampleRate: Double
  /// Channels in and out.
  public var channelCount: Int
  /// The policy between files.
  public package(set) var policy: ReusePolicy
  /// Whether the chain sounds different in every process, because units use random numbers or the time.
  public package(set) var isRandom = false
  /// Their changes of static memory.
  public package(set) var memory = StaticMemory.changing
  /// The checksum of the first part of the probe signal, rendered by the first chain of a fresh process; nil
  /// if no chain has rendered.
  package var prefix: UInt64?

  package var format: ChainFormat {
    ChainFormat(sampleRate: sampleRate, channelCount: channelCount)
  }

  package init(_ format: ChainFormat, _ policy: ReusePolicy) {
    sampleRate = format.sampleRate
    channelCount = format.channelCount
    self.policy = policy
  }

  /// The members of the verdict as JSON: `sampleRate`, `channels`, `policy`, `memory`, `random`; `prefix`,
  /// the checksum that identifies chains of this format.
  public var members: [(String, JSONValue?)] {
    format.members + [
      ("policy", .string(policy.rawValue)), ("memory", .string(memory.rawValue)),
      ("random", .boolean(isRandom)), ("prefix", prefix.map { .string(Hexadecimal.text($0)) }),
    ]
  }

  /// Reads a verdict; nil when something is missing.
  package init?(json: JSONValue) {
    guard let format = ChainFormat(json: json),
      let policy = json["policy"]?.text.flatMap(ReusePolicy.init),
      let memory = json["memory"]?.text.flatMap(StaticMemory.init)
    else { return nil }
    self.init(format, policy)
    self.memory = memory
    isRandom = json["random"]?.boolean ?? false
    prefix = json["prefix"]?.text.flatMap(Hexadecimal.number)
  }
}
