// The words of options for results.
// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
import ChainPresets
import CommandOutput
public import ResultSettings
public import RunLedgers
import Workers

extension TailPolicy {
  /// Converts the value of `--tail`: a word, or a time.
  static func argument(_ text: String) throws(RefusedValue) -> TailPolicy {
    switch text.lowercased() {
    case "auto": return .automatic
    case "none": return .none
    case "keep-length": return .keepLength
    default:
      guard let time = TimePosition(text: text), !time.isFromEnd, time.seconds <= 86_400 else {
        throw RefusedValue("auto, none, keep-length or 0 to 86400 seconds")
      }
      return .seconds(time.seconds)
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
