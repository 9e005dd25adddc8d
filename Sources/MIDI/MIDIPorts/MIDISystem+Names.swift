// Endpoints as people name them, and refusals as sentences.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes

extension MIDISystem {
  /// The system of this process, for a program that reports errors to people.
  ///
  /// - Throws: `.inputOutput` where the folder of ports cannot be used.
  ///
  /// Context: control.
  package static func forPeople() throws(AuricleError) -> MIDISystem {
    do throws(MIDIError) { return try shared() } catch { throw PortFolder.refusal(error) }
  }

  /// The source, or destination, of a name: its unique number, its whole name, or a part of it that no other has, in any
  /// case.
  ///
  /// - Throws: `.unavailable` where there is none; `.usage` where there are several.
  ///
  /// Context: control.
  package func endpoint(
    named wanted: String, isSource: Bool
  ) throws(AuricleError) -> (ref: MIDIRef, record: EndpointRecord) {
    let all = endpoints(areSources: isSource).compactMap { ref in record(ref).map { (ref, $0) } }
    let kind = isSource ? "source" : "destination"
    let text = wanted.lowercased()
    let names = all.map { $0.1.name.lowercased() }
    let found =
      [
        all.indices.filter { "\(all[$0].1.uniqueID)" == wanted },
        all.indices.filter { names[$0] == text }, all.indices.filter { names[$0].contains(text) },
      ].first { !$0.isEmpty } ?? []
    if let first = found.first, found.count == 1 { return all[first] }
    let listed = (found.isEmpty ? Array(all.indices) : found).map {
      "\(all[$0].1.name) (\(all[$0].1.uniqueID))"
    }
    guard found.isEmpty else {
      throw AuricleError(
        .usage,
        "several MIDI \(kind)s are called '\(wanted)': \(listed.joined(separator: ", ")); give a number"
      )
    }
    throw AuricleError(
      .unavailable,
      "there is no MIDI \(kind) '\(wanted)'; there "
        + (listed.isEmpty ? "is none at all" : "are \(listed.joined(separator: ", "))")
        + " (auricle midi list)")
  }
}

extension PortFolder {
  /// The sentence for a folder that cannot be used.
  package static func refusal(_ error: MIDIError) -> AuricleError {
    AuricleError(
      .inputOutput, status: error.status,
      "cannot use the folder of MIDI ports, \(usualPath): it is to be a folder of yours alone; "
        + "set XDG_RUNTIME_DIR to one in which you may write")
  }
}
