// The rights and limits of the process that renders sound for a device, and its task.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
package import AuricleHost
package import ChainPresets
import Foundation
import ResultSettings
public import RunLedgers
package import WatchedProcesses
package import Workers

/// Rights and limits of the process that runs plug-ins while sound is played or recorded.
public struct SoundIsolation: Sendable {
  /// The files and calls that plug-ins may use.
  public var sandbox = SandboxLevel.strict
  /// Seconds without a sign of life after which a unit hangs; nil for the usual.
  public var stallLimit: Double?

  /// Strict, with the usual limit.
  public init() {}

  /// The limits.
  package var limits: StallLimits { StallLimits(stall: stallLimit) }
}

/// The task of a process that renders sound for another.
package struct SoundTask: Codable, Equatable, Sendable {
  /// The name and the text of a preset; nil for units, and for no chain.
  private var presetName: String?
  private var presetText: String?
  /// The text of units in series.
  private var units: String?
  private var sandbox: String
  /// A file that is played; nil for a chain that is fed.
  package var file: String?
  /// The format of a chain that is fed: frames a second (Hz), channels, the most frames of a slice.
  package var sampleRate = 0.0
  package var channelCount = 0
  package var frameCapacity = 0

  /// A chain, or none, with the rights of its units.
  package init(_ preset: ChainPreset?, _ isolation: SoundIsolation) {
    sandbox = isolation.sandbox.rawValue
    switch preset.map(ChainRequest.source) {
    case .text(let name, let text): (presetName, presetText) = (name, text)
    case .units(let text): units = text
    case .preset, nil: break
    }
  }

  /// Reads a task; nil for other bytes.
  package init?(_ bytes: [UInt8]) {
    guard let found = try? JSONDecoder().decode(SoundTask.self, from: Data(bytes)) else {
      return nil
    }
    self = found
  }

  /// The task as it is sent.
  package var bytes: [UInt8] { (try? JSONEncoder().encode(self)).map(Array.init) ?? [] }

  /// Whether it has a chain.
  package var hasChain: Bool { presetText != nil || units != nil }

  /// The host of the chain. Context: control, in the process that renders.
  package var worker: ChainWorker {
    var request = SandboxRequest()
    request.level = SandboxLevel(rawValue: sandbox) ?? .strict
    let nothing = ChainPreset(name: "none", units: [])
    let source: ChainSource =
      presetText.map { .text(name: presetName ?? "", $0) } ?? units.map { .units($0) }
      ?? ChainRequest.source(of: nothing)
    return ChainWorker(
      setup: WorkerSetup(chain: source, settings: JobSettings(), sandbox: request))
  }
}

/// The kinds of frames between a process that renders sound and its parent.
package enum SoundFrame {
  /// To the process: its task, a place of the file, samples for the chain, the request to end.
  package static let (task, open, samples, quit) = (
    UInt8(ascii: "T"), UInt8(ascii: "O"), UInt8(ascii: "B"), UInt8(ascii: "Q")
  )
  /// From the process: it is ready, samples, the end of the file, a refusal, its end.
  package static let (ready, rendered, over, refused, done) = (
    UInt8(ascii: "R"), UInt8(ascii: "S"), UInt8(ascii: "E"), UInt8(ascii: "F"), UInt8(ascii: "D")
  )
}

/// A refusal of a process that renders sound.
package struct SoundRefusal: Codable {
  /// The exit code, the lines for the user, and the first fault in a sentence.
  private let code: Int32
  private let text: String
  /// Whether the text is complete as it is.
  private let isWhole: Bool
  /// The code of the cause, if there is one.
  private let cause: String?

  /// Describes a failure.
  package init(_ error: AuricleError) {
    (code, text, isWhole) = (error.category.rawValue, error.message, false)
    cause = error.cause?.code
  }

  /// Describes a refusal of a chain.
  package init(_ refusal: WorkerRefusal) {
    (code, text, isWhole) = (refusal.category.rawValue, refusal.text, true)
    cause = refusal.cause?.code
  }

  /// The refusal as it is sent.
  package var bytes: [UInt8] { (try? JSONEncoder().encode(self)).map(Array.init) ?? [] }

  /// The failure that a process sent.
  package static func error(_ bytes: [UInt8]) -> any Error {
    guard let found = try? JSONDecoder().decode(SoundRefusal.self, from: Data(bytes)) else {
      return AuricleError(.software, "the chain was refused without a reason: leave units out")
    }
    let category = AuricleError.Category(rawValue: found.code) ?? .software
    let cause = found.cause.flatMap(AuricleError.Cause.init(code:))
    return found.isWhole
      ? WorkerRefusal(text: found.text, category: category, cause: cause)
      : AuricleError(category, found.text, cause: cause)
  }
}
