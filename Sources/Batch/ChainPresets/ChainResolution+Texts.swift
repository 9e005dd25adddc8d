// Matches text and path settings with a unit's properties: impulse files, models, samples.
// SPDX-License-Identifier: Apache-2.0

public import AudioUnits
import Glibc

/// A text to set, by the property's URI.
public struct ResolvedText: Sendable, Hashable {
  /// The property.
  public let property: UnitTextProperty
  /// Its value; a path does not depend on the preset's folder.
  public let text: String
  /// Its place among the settings of the preset's entry.
  public let settingIndex: Int
}

extension ChainResolver {
  /// Separates the settings that name text properties; the rest name parameters.
  mutating func texts(
    _ entry: UnitEntry, _ facts: UnitFacts
  ) -> (texts: [ResolvedText], rest: [ParameterSetting]) {
    var texts: [ResolvedText] = []
    var rest: [ParameterSetting] = []
    for (index, setting) in entry.parameters.enumerated() {
      let name = setting.name.value
      let wanted = comparableName(name)
      let property =
        facts.texts.first { $0.uri == name || $0.symbol == name }
        ?? facts.texts.first { comparableName($0.name) == wanted }
      guard let property else {
        rest.append(setting)
        continue
      }
      guard setting.random == nil else {
        add(
          "\(quoted(property.name)) is a \(property.isPath ? "file" : "text"), of which no random one is "
            + "taken; write one, in a preset for each",
          at: setting.name.position)
        continue
      }
      guard property.isWritable else {
        add(
          "\(quoted(property.name)) is told by the unit and cannot be set",
          at: setting.name.position)
        continue
      }
      if texts.contains(where: { $0.property == property }) {
        add("\(quoted(property.name)) is set twice", at: setting.name.position)
      }
      var text = setting.value.value
      if property.isPath {
        guard let path = existingFile(text, at: setting.value.position) else { continue }
        // The plug-in may have another working folder.
        guard let real = unsafe realpath(path, nil) else { continue }
        text = unsafe String(cString: real)
        unsafe free(real)
      }
      texts.append(ResolvedText(property: property, text: text, settingIndex: index))
    }
    return (texts, rest)
  }
}
