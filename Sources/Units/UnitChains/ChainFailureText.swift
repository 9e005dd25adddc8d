// The sentences about a failed rendering of a chain: the stage, the place, and the remedy.
// SPDX-License-Identifier: Apache-2.0

import AudioGraph
import AudioTypes
import CAudioToolbox

extension UnitChain {
  /// The failure of the last render as a sentence.
  func failure(_ status: OSStatus) -> AuricleError {
    guard let failed = graph.consumeFailure() else {
      return ChainFailureText.status("the chain", status, frame: frame)
    }
    if let value = failed.value {
      return ChainFailureText.notFinite(
        failed.label, frame: frame + value.frame, channel: value.channel)
    }
    return ChainFailureText.status(failed.label, failed.status, frame: frame)
  }
}

/// The sentences about a rendering that failed.
enum ChainFailureText {
  /// A value that is no number; nil names the input.
  static func notFinite(_ label: String?, frame: Int, channel: Int) -> AuricleError {
    let who = label ?? "the input"
    let verb = label == nil ? "has" : "made"
    let advice =
      label == nil ? "repair the file" : "leave the unit out or change its settings for this file"
    return AuricleError(
      label == nil ? .badData : .someFilesFailed, status: kAudioUnitErr_InvalidParameterValue,
      "\(who) \(verb) a value that is not a finite number (frame \(frame), channel "
        + "\(channel + 1)): \(advice)")
  }

  /// A unit whose program ended, or did not answer any more.
  static func programEnded(_ label: String, frame: Int) -> AuricleError {
    AuricleError(
      .someFilesFailed, status: kAudioComponentErr_InstanceInvalidated,
      "\(label): the program that plays it has ended or hangs (at frame \(frame)): start it, and "
        + "process the file again")
  }

  /// A render function that returned an error.
  static func status(_ label: String, _ status: OSStatus, frame: Int) -> AuricleError {
    if status == BufferGuard.status {
      return AuricleError(
        .someFilesFailed, status: status,
        "\(label) wrote beyond the end of its output (slice from frame \(frame)): what it made "
          + "cannot be trusted")
    }
    return AuricleError(
      .someFilesFailed, status: status,
      "\(label): rendering failed at frame \(frame): \(AudioStatus(rawValue: status))")
  }
}
