// A chain to be exported: stages behind the codes and the name of one unit.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import CAudioToolbox
import HostSystem

/// A chain of units as one plug-in.
package struct ExportedStages: Sendable {
  /// A unit with its state.
  package struct Stage: Sendable {
    let unit: ExportedUnit
    let label: String
    let mix: Double
    let state: [UInt8]

    /// Describes a stage.
    ///
    /// - Parameter state: The bytes of an `.aupreset` file.
    package init(unit: ExportedUnit, label: String, mix: Double, state: [UInt8]) {
      self.unit = unit
      self.label = label
      self.mix = mix
      self.state = state
    }
  }

  /// The title.
  let title: String
  let stages: [Stage]
  private let maker: String
  private let summary: String
  private let tags: [String]
  private let version: Int

  /// Describes a chain.
  ///
  /// - Throws: `.badData` where a stage after the first makes its own sound.
  package init(
    title: String, maker: String, summary: String, tags: [String], version: Int, stages: [Stage]
  ) throws(AuricleError) {
    self.title = ExportedUnit.line(title)
    self.maker = ExportedUnit.line(maker.isEmpty ? "Auricle" : maker)
    self.summary = ExportedUnit.line(summary)
    self.tags = tags.map(ExportedUnit.line)
    self.version = version
    self.stages = stages
    for stage in stages.dropFirst() where Self.sources.contains(stage.unit.codes[0].rawValue) {
      throw AuricleError(
        .badData, "the chain \"\(title)\" cannot be one plug-in: \(stage.label) has no input")
    }
  }

  private static let sources = [kAudioUnitType_MusicDevice, kAudioUnitType_Generator]

  /// The lines of the chain in the list of contents.
  ///
  /// - Parameters:
  ///   - number: Its number in the bundle, from 1.
  ///   - binaries: The place of each stage's binary.
  func lines(number: Int, binaries: [String]) -> String {
    let first = stages.first?.unit.codes.first?.rawValue
    let keeps = [kAudioUnitType_MusicDevice, kAudioUnitType_Generator, kAudioUnitType_MusicEffect]
    let type = FourCharacterCode(
      rawValue: first.map { keeps.contains($0) ? $0 : kAudioUnitType_Effect }
        ?? kAudioUnitType_Effect)
    var text =
      "unit \(ExportedUnit.word(type)) \(subtype) AuCh\nname \(maker): \(title)\nversion \(version << 16)\n"
    if !tags.isEmpty { text += "tags \(tags.joined(separator: ","))\n" }
    if !summary.isEmpty { text += "description \(summary.prefix(1000))\n" }
    for (index, stage) in stages.enumerated() {
      text += stage.unit.lines(binary: binaries[index], as: "stage")
      text +=
        "label \(ExportedUnit.line(stage.label))\nmix \(Int((stage.mix * 1_000_000).rounded()))\n"
      text += "state \(stateFile(number: number, stage: index))\n"
    }
    return text
  }

  /// The name of the file of a stage's state.
  func stateFile(number: Int, stage: Int) -> String {
    "chain-\(number)-stage-\(stage + 1).aupreset"
  }

  /// A code that follows from the title alone.
  private var subtype: String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
    return String(SHA256.sum(Array(title.utf8)).prefix(4).map { letters[Int($0) % letters.count] })
  }
}
