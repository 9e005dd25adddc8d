// The option that chooses among plug-ins of one name in several formats.
// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser
import AuricleHost

/// The format for names of units.
package struct UnitFormatArguments: ParsableArguments {
  package init() {}

  @Option(
    name: .customLong("format-of"),
    help: ArgumentHelp(
      "The format of units whose name occurs in several: native, lv2, clap, vst3, ladspa or program.",
      valueName: "format"),
    completion: .list(["native", "lv2", "clap", "vst3", "ladspa", "program"]))
  package var format: String?

  /// Refuses an unknown format, and one where no unit is named.
  package func check(names: [String]) throws {
    guard let format else { return }
    let known = AuricleInstallation.formatNames
    guard known.contains(format) else {
      let list = known.dropLast().joined(separator: ", ") + " or " + (known.last ?? "")
      throw ValidationError("--format-of takes \(list), not '\(format)'.")
    }
    if names.isEmpty {
      throw ValidationError("--format-of belongs to the name of a unit: name one, too.")
    }
  }

  /// Returns a unit's name with the format that was chosen; a text with a colon names one unit already.
  package func named(_ text: String) -> String {
    guard let format, !text.isEmpty, !text.contains(":") || text.contains(": ") else { return text }
    return "\(format):\(text)"
  }
}
