// Matches settings that are no parameters: impulse files, models, look-ahead, designs of filters.
// SPDX-License-Identifier: Apache-2.0

public import AudioUnits
import HostSystem

/// A text to set, by the property's URI.
public struct ResolvedText: Sendable, Hashable {
  /// The property.
  public let property: UnitTextProperty
  /// Its value; a path does not depend on the preset's folder.
  public var text: String
  /// The values that one is drawn of for each variant; empty where none is drawn.
  public let choices: [String]
  /// Its place among the settings of the preset's entry.
  public let settingIndex: Int
}

extension UnitTextProperty {
  /// A value as a person writes it: `3 ms`, `matched`, `true`.
  ///
  /// Context: any.
  public func shown(_ text: String) -> String {
    guard let parameter, let value = Float(text) else { return text }
    return parameter.text(for: value)
  }
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
      guard property.isWritable else {
        add(
          "\(quoted(property.name)) is read-only and cannot be set",
          at: setting.name.position)
        continue
      }
      if texts.contains(where: { $0.property == property }) {
        add("\(quoted(property.name)) is set twice", at: setting.name.position)
      }
      guard let values = values(of: setting, property), let first = values.first else { continue }
      texts.append(
        ResolvedText(
          property: property, text: first, choices: setting.random == nil ? [] : values,
          settingIndex: index))
    }
    return (texts, rest)
  }

  /// The one value of a setting, or the candidates of a drawn one; nil where one is wrong.
  private mutating func values(
    of setting: ParameterSetting, _ property: UnitTextProperty
  ) -> [String]? {
    switch setting.random {
    case nil: return value(setting.value, property).map { [$0] }
    case .choices(let texts):
      let values = texts.compactMap { value($0, property) }
      return values.count == texts.count ? values : nil
    case .folder(let folder) where property.isPath:
      return soundFiles(in: folder.value, at: folder.position)
    case .folder:
      add(
        "\(quoted(property.name)) is a text; a file of a folder is drawn for those that are paths",
        at: setting.name.position)
    case .range:
      let kind = property.isPath ? "file" : property.parameter == nil ? "text" : "fixed setting"
      add(
        "\(quoted(property.name)) is a \(kind): draw it with {choose: [A, "
          + "B]}\(property.isPath ? " or {folder: PATH}" : "")", at: setting.name.position)
    }
    return nil
  }

  private mutating func value(_ text: Located<String>, _ property: UnitTextProperty) -> String? {
    if let parameter = property.parameter {
      do throws(PresetErrors) {
        return "\(try text.value(for: parameter, source: preset.source))"
      } catch {
        diagnostics += error.diagnostics
        return nil
      }
    }
    guard property.isPath else { return text.value }
    // The plug-in opens it from wherever it is.
    return existingFile(text.value, at: text.position).flatMap(FileIdentity.realPath)
  }

  /// The audio files of a folder, by paths that do not depend on the preset's.
  mutating func soundFiles(in folder: String, at position: SourcePosition?) -> [String]? {
    let place = placeOfFile(folder)
    guard let real = FileIdentity.realPath(place) else {
      add("there is no folder \(quoted(folder))", at: position)
      return nil
    }
    let files = SoundFolder.files(in: real)
    if files.isEmpty {
      add("the folder \(quoted(folder)) holds no audio files", at: position)
      return nil
    }
    return files.map { Path.joining(real, $0) }
  }
}
