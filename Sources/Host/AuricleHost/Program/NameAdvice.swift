// The kind of a name that was written in the wrong place, with its option and its command.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioFiles
import AudioHardware
package import AudioTypes
import AudioUnits
import ChainPresets
import HostSystem
import RunReports
import Workers

extension AuricleInstallation {
  /// Returns a failure about an unknown name as one that says to which kind the name belongs.
  ///
  /// - Returns: Nil for other failures, and for names that nothing has.
  ///
  /// Context: control. May open the unit that speaks in this process.
  package func advised(_ error: any Error) -> AuricleError? {
    let (category, cause): (AuricleError.Category, AuricleError.Cause?)
    switch error {
    case let error as AuricleError: (category, cause) = (error.category, error.cause)
    case let errors as PresetErrors: (category, cause) = (errors.category, errors.cause)
    case let refusal as WorkerRefusal: (category, cause) = (refusal.category, refusal.cause)
    default: return nil
    }
    guard case .unknownName(let name, let kind)? = cause else { return nil }
    guard let found = kindOfName(name, besides: kind) else {
      guard kind == .preset, host.presets.proposal(for: name).isEmpty, isPartOfUnitName(name) else {
        return nil
      }
      return AuricleError(
        category,
        "'\(name)' is no preset, but units have it in their names: auricle list --search "
          + "\(ShellWord.quoted(name)) lists them", cause: cause)
    }
    return AuricleError(
      category, "'\(name)' is no \(kind.rawValue), but \(found.advice(name))", cause: cause)
  }

  /// The kind that a name belongs to, other than the one that was looked for; nil for a name that nothing has.
  private func kindOfName(
    _ name: String, besides sought: AuricleError.NameKind
  ) -> AuricleError.NameKind? {
    let isPath = name.contains("/")
    let tests: [(kind: AuricleError.NameKind, isNamed: () -> Bool)] = [
      (.preset, { self.isPreset(name) }),
      (.component, { self.isComponent(name) }),
      (.container, { AudioContainer(named: name) != nil }),
      (.encoding, { AudioEncoding(named: name) != nil }),
      (.device, { !isPath && DeviceListing.all().contains { $0.name == name } }),
      (.voice, { !isPath && !name.contains(".") && self.isVoice(name) }),
      (.folder, { sought != .fileOrFolder && self.isPlainFolder(name) }),
    ]
    return tests.first { $0.kind != sought && $0.isNamed() }?.kind
  }

  /// Whether a preset has the name, or a file of presets is there.
  private func isPreset(_ name: String) -> Bool {
    guard let path = try? host.presets.path(of: name) else { return false }
    return FileIdentity.of(path)?.kind == .file
      && PresetLibrary.fileEndings.contains(where: path.hasSuffix)
  }

  /// Whether a folder has the name that is no exported preset.
  private func isPlainFolder(_ name: String) -> Bool {
    let path = "./" + name
    return FileIdentity.of(name)?.kind == .folder && (try? host.presets.path(of: path)) == path
  }

  /// Whether a unit has the name, or several have; false where that would begin the first scan.
  private func isComponent(_ name: String) -> Bool {
    guard Self.hasCatalog else { return false }
    do throws(AuricleError) {
      _ = try host.makeRegistry(refusesBlocked: false).resolve(name)
      return true
    } catch {
      if case .unknownName? = error.cause { return false }
      return error.category == .unavailable
    }
  }

  /// Whether a word is one of a unit's name; false where that would begin the first scan.
  private func isPartOfUnitName(_ name: String) -> Bool {
    let word = name.lowercased()
    guard Self.hasCatalog, let lines = try? components(search: name).components else {
      return false
    }
    return lines.contains { $0.name.lowercased().split(separator: " ").contains(word[...]) }
  }

  private func isVoice(_ name: String) -> Bool {
    // The unit only names its voices here.
    NoSoundServer.arrange()
    let wanted = name.lowercased()
    let voices = (try? speechVoices()) ?? []
    return voices.contains { voice in
      ([voice.identifier, voice.name] + voice.languages).contains { $0.lowercased() == wanted }
    }
  }
}

extension AuricleError.NameKind {
  /// The kind with the option that is for such a name, and the command that describes it.
  fileprivate func advice(_ name: String) -> String {
    let word = ShellWord.quoted(name)
    return switch self {
    case .preset: "a preset (--preset \(word)): auricle preset show describes it"
    case .component: "a unit (--unit \(word)): auricle info describes it"
    case .container: "a container (--container \(word)): auricle convert writes such files"
    case .encoding: "an encoding (--encoding \(word)): auricle convert writes such files"
    case .device: "a sound device (--device \(word)): auricle devices describes it"
    case .voice: "a voice (--voice \(word)): auricle say speaks with it"
    case .folder: "a folder: auricle process runs the sound files in it through a chain"
    default: "a \(rawValue)"
    }
  }
}
