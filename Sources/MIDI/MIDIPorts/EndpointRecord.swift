// The record of a virtual endpoint in its file in the folder of ports.
// SPDX-License-Identifier: Apache-2.0

package import HostSystem
package import MIDIMessages

/// A virtual source or destination of any process.
package struct EndpointRecord: Sendable, Equatable {
  /// The name of its file, the same for its whole life.
  package let key: String
  /// Whether it sends; else it receives.
  package let isSource: Bool
  /// The socket of its process, by name.
  package let process: String
  /// The number of its process.
  package let pid: Int
  /// The name of its client.
  package let client: String
  /// Time of its making (ns of the monotonic clock): the order of lists.
  package let made: Int
  /// The protocol of the endpoint.
  package let form: MIDIForm
  /// The properties that were set.
  package var properties: [String: PropertyValue]

  /// The number under which it is found.
  package var uniqueID: Int32 {
    if case .integer(let value)? = properties[PropertyName.uniqueID] { return value }
    return 0
  }

  /// Its name.
  package var name: String {
    if case .text(let value)? = properties[PropertyName.name] { return value }
    return ""
  }

  /// Whether lists leave it out.
  package var isPrivate: Bool { properties[PropertyName.isPrivate] == .integer(1) }

  /// A new one.
  package init(
    key: String, isSource: Bool, process: String, pid: Int, client: String, made: Int,
    form: MIDIForm, properties: [String: PropertyValue]
  ) {
    self.key = key
    self.isSource = isSource
    self.process = process
    self.pid = pid
    self.client = client
    self.made = made
    self.form = form
    self.properties = properties
  }

  /// The content of its file.
  package var json: JSONValue {
    .members([
      ("kind", .string(isSource ? "source" : "destination")), ("process", .string(process)),
      ("pid", JSONValue(pid)), ("client", .string(client)), ("made", JSONValue(made)),
      ("form", JSONValue(Int(form.rawValue))),
      (
        "properties",
        .object(
          properties.sorted { $0.key < $1.key }.map { JSONValue.Member($0.key, $0.value.json) })
      ),
    ])
  }

  /// Reads the content of a file; nil for another file.
  package init?(key: String, json: JSONValue) {
    guard let kind = json["kind"]?.text, kind == "source" || kind == "destination",
      let process = json["process"]?.text, Self.isName(process), let pid = json["pid"]?.integer,
      let client = json["client"]?.text, let made = json["made"]?.integer,
      let form = json["form"]?.integer.flatMap(UInt32.init(exactly:)).flatMap(MIDIForm.init),
      let members = json["properties"]?.members
    else { return nil }
    var properties: [String: PropertyValue] = [:]
    for member in members { properties[member.key] = PropertyValue(json: member.value) }
    self.init(
      key: key, isSource: kind == "source", process: process, pid: pid, client: client, made: made,
      form: form, properties: properties)
  }

  /// Whether a name leads to nothing outside of the folder.
  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count < 64 && !text.contains("/") && !text.hasPrefix(".")
  }
}
