// The formats that units are exported to, and how their bundles are laid out.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes

/// A format of other hosts.
package enum ExportFormat: String, CaseIterable, Sendable {
  case lv2, clap, vst3

  /// The name of its adapter.
  var adapter: String { rawValue.uppercased() }

  /// The folder of the adapter and its files, below the output.
  func folder(named name: String) -> String {
    switch self {
    case .lv2: "\(name).lv2"
    case .clap: name
    case .vst3: "\(name).vst3/Contents/\(ExportLibraries.machine)-linux"
    }
  }

  /// The name of the file that a host opens.
  func file(named name: String) -> String { self == .clap ? "\(name).clap" : "\(name).so" }

  /// Reads a list such as "lv2,clap".
  ///
  /// - Throws: `.usage` for a word that is no format.
  ///
  /// Context: any.
  package static func list(_ text: String) throws(AuricleError) -> [ExportFormat] {
    var formats: [ExportFormat] = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let format = ExportFormat(rawValue: word.lowercased()) else {
        let known = allCases.map(\.rawValue).joined(separator: ", ")
        throw AuricleError(.usage, "'\(word)' is no format for exports: choose from \(known)")
      }
      if !formats.contains(format) { formats.append(format) }
    }
    return formats
  }
}
