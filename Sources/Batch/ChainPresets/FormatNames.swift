// The containers and encodings that a preset's output may name, provided by the writer of files.
// SPDX-License-Identifier: Apache-2.0

/// The names of file containers and encodings.
///
/// This module knows no file formats; the caller provides them.
public struct FormatNames: Sendable {
  private let makeContainers: @Sendable () -> [String]
  private let makeEncodings: @Sendable () -> [String]
  /// Containers to suggest. The list is made when it is read: it may ask a library about every format.
  public var containers: [String] { makeContainers() }
  /// Encodings to suggest; made when it is read.
  public var encodings: [String] { makeEncodings() }
  /// Whether a name means a container; names come in lower case.
  public var isContainer: @Sendable (String) -> Bool
  /// Whether a name means an encoding; names come in lower case.
  public var isEncoding: @Sendable (String) -> Bool
  /// Why no input can become a deliverable; nil if one can.
  public var refusal: @Sendable (_ file: Deliverable, _ output: OutputSettings) -> String?

  /// Makes a list of names; without tests for further spellings only the lists count.
  ///
  /// Neither list is made before it is needed.
  ///
  /// Context: any.
  public init(
    containers: @autoclosure @escaping @Sendable () -> [String],
    encodings: @autoclosure @escaping @Sendable () -> [String],
    isContainer: (@Sendable (String) -> Bool)? = nil,
    isEncoding: (@Sendable (String) -> Bool)? = nil,
    refusal: (@Sendable (_ file: Deliverable, _ output: OutputSettings) -> String?)? = nil
  ) {
    makeContainers = containers
    makeEncodings = encodings
    self.isContainer = isContainer ?? { containers().contains($0) }
    self.isEncoding = isEncoding ?? { encodings().contains($0) }
    self.refusal = refusal ?? { _, _ in nil }
  }
}

extension ChainPreset {
  /// Diagnostics of the output's container and encoding names.
  ///
  /// Context: any.
  public func problems(with formats: FormatNames) -> [PresetDiagnostic] {
    var found: [PresetDiagnostic] = []
    func check(
      _ name: Located<String>?, _ what: String, _ names: @autoclosure () -> [String],
      _ isKnown: (String) -> Bool
    ) {
      guard let name, !isKnown(name.value) else { return }
      let known = names()
      var hint = suggestion(for: name.value, in: known)
      if hint.isEmpty { hint = "; it is same, \(alternatives(known))" }
      found.append(
        PresetDiagnostic(
          "there is no \(what) \(quoted(name.value))\(hint)",
          kind: source == nil ? .usage : .preset,
          at: name.position, in: source))
    }
    for settings in [output] + render.map(\.settings) {
      check(settings.container, "container", formats.containers, formats.isContainer)
      check(settings.encoding, "encoding", formats.encodings, formats.isEncoding)
    }
    return found
  }

  /// Diagnostics of deliverables that no input can become: the container does not support their encoding,
  /// sample rate, number of channels or bit rate.
  ///
  /// Command-line options may correct that, so it is no mistake of the preset alone.
  ///
  /// Context: any.
  public func refusedFiles(with formats: FormatNames) -> [PresetDiagnostic] {
    deliverables.compactMap { file in
      guard let refusal = formats.refusal(file, output) else { return nil }
      // An entry of `render` may inherit one of them from `output`: the position shown is the entry's.
      let settings = file.settings
      let positions = [settings.container, settings.encoding].compactMap { $0?.position }
      return PresetDiagnostic(
        refusal, kind: source == nil ? .usage : .preset, at: positions.max(), in: source)
    }
  }
}
