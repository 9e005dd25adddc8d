// The words that the options of results take.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BatchProcessing
import ChainPresets

/// The words of `--tail`.
struct TailArgument: ExpressibleByArgument {
  var policy: TailPolicy

  init?(argument: String) {
    switch argument.lowercased() {
    case "auto": policy = .automatic
    case "none": policy = .none
    case "keep-length": policy = .keepLength
    default:
      guard let time = TimePosition(text: argument), !time.isFromEnd else { return nil }
      policy = .seconds(time.seconds)
    }
  }
}

/// The words of `--latency`.
enum LatencyArgument: String, ExpressibleByArgument, CaseIterable {
  case compensate
  case keep

  var policy: LatencyPolicy { self == .keep ? .keep : .compensate }
}

extension TailPolicy {
  /// What a preset says.
  init(_ tail: OutputSettings.Tail) {
    switch tail {
    case .automatic: self = .automatic
    case .none: self = .none
    case .keepLength: self = .keepLength
    case .seconds(let seconds): self = .seconds(seconds)
    }
  }
}

extension LatencyPolicy {
  /// What a preset says.
  init(_ latency: OutputSettings.Latency) {
    self = latency == .keep ? .keep : .compensate
  }
}

/// The words of `--metadata`.
enum MetadataArgument: String, ExpressibleByArgument, CaseIterable {
  case keep
  case none

  /// The words, for help texts.
  static var words: String { allCases.map(\.rawValue).joined(separator: "|") }
}

/// The words of `--on-exists`.
enum ExistingArgument: String, ExpressibleByArgument, CaseIterable {
  case error
  case skip
  case rename
  case overwrite

  var policy: ExistingPolicy {
    switch self {
    case .error: .error
    case .skip: .skip
    case .rename: .rename
    case .overwrite: .overwrite
    }
  }

  /// The words, for help texts.
  static var words: String { allCases.map(\.rawValue).joined(separator: "|") }
}
