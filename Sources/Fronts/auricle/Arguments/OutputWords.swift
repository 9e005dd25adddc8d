// The words of options for results.
// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
import ChainPresets
public import ResultSettings
public import RunLedgers
import Workers

extension TailPolicy: ExpressibleByArgument {
  /// The words of `--tail`, or a time.
  public init?(argument: String) {
    switch argument.lowercased() {
    case "auto": self = .automatic
    case "none": self = .none
    case "keep-length": self = .keepLength
    default:
      guard let time = TimePosition(text: argument), !time.isFromEnd else { return nil }
      self = .seconds(time.seconds)
    }
  }
}

extension LatencyPolicy: ExpressibleByArgument {}

extension ExistingPolicy: ExpressibleByArgument {
  /// Refuses `--overwrite` beside another policy.
  static func check(overwrite: Bool, onExists: ExistingPolicy?) throws {
    if overwrite, let onExists, onExists != .overwrite {
      throw ValidationError("Give either --overwrite or --on-exists \(onExists.rawValue).")
    }
  }
}

/// The words of `--video`.
enum VideoArgument: String, ExpressibleByArgument, CaseIterable {
  case keep
  case drop
}

/// The words of `--metadata`.
enum MetadataArgument: String, ExpressibleByArgument, CaseIterable {
  case keep
  case none
}
