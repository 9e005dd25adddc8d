// Records of plug-ins that only the code in their files describes.
// SPDX-License-Identifier: Apache-2.0

package import HostSystem

/// One plug-in of a file.
package struct PlugInRecord: Equatable, Sendable {
  /// The format's own name for it, which no other plug-in has.
  package var identifier = ""
  /// Its name, without its maker.
  package var name = ""
  /// Its maker.
  package var maker = ""
  /// Free text about it.
  package var summary = ""
  /// Its version, 0xMMMMmmbb.
  package var version: UInt32 = 0
  /// The type of the component that it becomes.
  package var componentType: UInt32 = 0
  /// Words to find it by.
  package var tags: [String] = []
  /// Defects in spite of which it is used, a sentence each.
  package var remarks: [String] = []
  /// Whether its latency is known only when it runs.
  package var hasLatencyToMeasure = false
  /// Further knowledge of the format, in its own coding.
  package var details: ArraySlice<UInt8> = []

  /// An empty record.
  package init() {}
}

/// One file, or bundle, with plug-ins.
package struct PlugInFileRecord: Equatable, Sendable {
  /// Its path.
  package var path: String
  /// The stamps of the files read; any change makes the record stale.
  package var stamps: [PathStamp]
  /// Its plug-ins.
  package var plugIns: [PlugInRecord] = []
  /// One sentence for each defect, without the path.
  package var problems: [String] = []

  /// A record of a file in which nothing was found yet.
  ///
  /// Context: control.
  package init(path: String) {
    self.path = path
    stamps = [PathStamp(of: path)]
  }

  /// Adds a sentence on a defect, unless the record has the same one.
  ///
  /// Context: control.
  package mutating func addProblem(_ sentence: String) {
    if !problems.contains(sentence) { problems.append(sentence) }
  }

  /// The record of a file that could not be read; it is kept until the file changes.
  ///
  /// Context: control.
  package init(path: String, problem: String) {
    self.init(path: path)
    problems = [problem]
  }
}

extension ByteCoder {
  /// Writes or reads the record of a file.
  package mutating func file(_ file: inout PlugInFileRecord) {
    text(&file.path)
    list(&file.stamps, of: PathStamp.blank) { $0.stamp(&$1) }
    list(&file.plugIns, of: PlugInRecord()) { $0.plugIn(&$1) }
    texts(&file.problems)
  }

  private mutating func plugIn(_ plugIn: inout PlugInRecord) {
    text(&plugIn.identifier)
    text(&plugIn.name)
    text(&plugIn.maker)
    text(&plugIn.summary)
    number(&plugIn.version)
    number(&plugIn.componentType)
    texts(&plugIn.tags)
    texts(&plugIn.remarks)
    flag(&plugIn.hasLatencyToMeasure)
    data(&plugIn.details)
  }
}

extension PlugInFileRecord {
  /// The bytes of the record, for the process that asked for it.
  package var encoded: [UInt8] {
    var copy = self
    var coder = ByteCoder()
    coder.file(&copy)
    return Array(coder.bytes)
  }

  /// The record in bytes of another process; nil when they are none.
  package init?(_ bytes: [UInt8]) {
    self.init(path: "")
    var coder = ByteCoder(bytes[...])
    coder.file(&self)
    guard coder.isComplete else { return nil }
  }
}
