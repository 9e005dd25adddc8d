// Adds a newly written preset to a bank.
// SPDX-License-Identifier: Apache-2.0

internal import AudioComponents
import HostSystem
internal import LV2Bundles

/// Adds presets to banks.
enum LV2PresetBank {
  /// Adds a bank to the manifest and to the data file of a preset, since hosts search either.
  ///
  /// - Returns: Whether both could be written.
  static func add(_ bank: String, to folder: String, file: String) -> Bool {
    let uri = "urn:auricle:bank:" + CacheFile.plainName(for: bank)
    let label = bank.unicodeScalars.map { scalar in
      scalar == "\\" || scalar == "\"" ? "\\\(scalar)" : String(scalar)
    }.joined()
    let prefixes = """

      @prefix pset: <http://lv2plug.in/ns/ext/presets#> .
      @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .

      """
    let bankText = "<\(uri)> a pset:Bank ; rdfs:label \"\(label)\" .\n"
    for (name, subject) in [("manifest.ttl", file), (file, "")] {
      guard let bytes = LV2Files.contents(ofFile: folder + "/" + name) else { return false }
      let whole = bytes + Array("\(prefixes)<\(subject)> pset:bank <\(uri)> .\n\(bankText)".utf8)
      guard LV2Files.write(whole, to: name, below: folder) else { return false }
    }
    return true
  }
}
