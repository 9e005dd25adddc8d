// Presets and saved states of an LV2 unit.
// SPDX-License-Identifier: Apache-2.0

internal import AudioTypes
internal import AuricleSDK
internal import CAudioToolbox
internal import ForeignPlugIns
internal import LV2Bundles
import RealtimeSupport

extension LV2UnitCore {
  private static let stateKey = "lv2-state"
  private static let filesKey = "lv2-files"
  private static let folderKey = "lv2-folder"
  private static let textsKey = "lv2-properties"
  private static let programKey = "lv2-program"

  /// Loads a preset of the plug-in's data.
  func loadPreset(_ uri: String, into unit: UnitInstance) -> OSStatus {
    guard
      let state = LV2State.read(
        uri: uri, in: plugin.world, bundle: plugin.description.bundlePath)
    else { return kAudioUnitErr_InvalidPropertyValue }
    if !state.hasProperties { pendingState = nil }
    pendingProgram = nil
    return apply(state, to: unit)
  }

  /// Selects one of the plug-in's programs, and reads the values it sets.
  func selectProgram(_ program: LV2Program, in unit: UnitInstance) {
    pendingProgram = program
    let places = plugin.description.parameterPorts.enumerated().filter {
      $0.element.isInput && $0.element.kind == .control
    }
    guard let instance else {
      for (place, port) in places {
        guard let setting = program.settings.first(where: { $0.symbol == port.symbol }) else {
          continue
        }
        unit.values.setValue(setting.value, at: place)
      }
      return
    }
    whileClosed {
      instance.select(program)
      for (place, _) in places {
        unit.values.setValue(instance.controlValue(place: place), at: place)
      }
    }
  }

  /// The part of a saved state besides parameters: all that the plug-in saves.
  var stateDefinition: StateDefinition {
    StateDefinition(
      save: { unit, saved in
        self.receiveTexts()
        // A plug-in that restores but does not save keeps the last restored state.
        let captured = self.instance == nil ? nil : self.capture(unit, mode: .live)
        let state = captured.flatMap { $0.hasProperties ? $0 : nil } ?? self.pendingState
        if let state, state.hasProperties, let turtle = state.turtle {
          saved.set(LV2UnitCore.stateKey, string: turtle)
          if let folder = state.formerFolder, !state.files.isEmpty {
            saved.set(LV2UnitCore.folderKey, string: folder)
            saved.set(LV2UnitCore.filesKey) { files in
              for (index, file) in state.files.enumerated() {
                files.set("\(index)") { entry in
                  entry.set("path", string: file.path)
                  entry.set("data", data: file.bytes)
                }
              }
            }
          }
        }
        if let program = self.pendingProgram {
          saved.set(LV2UnitCore.programKey, string: program.identity)
        }
        let texts = self.texts.merging(self.options) { text, _ in text }
        if !texts.isEmpty {
          saved.set(LV2UnitCore.textsKey) { values in
            for (uri, text) in texts { values.set(uri, string: text) }
          }
        }
        return 0
      },
      restore: { unit, saved in
        self.pendingProgram = saved.string(LV2UnitCore.programKey).flatMap {
          LV2Program(identity: $0)
        }
        if let program = self.pendingProgram {
          self.whileClosed { self.instance?.select(program) }
        }
        if let turtle = saved.string(LV2UnitCore.stateKey) {
          guard let state = LV2State.read(turtle: turtle, in: self.plugin.world) else {
            return kAudioUnitErr_InvalidPropertyValue
          }
          state.formerFolder = saved.string(LV2UnitCore.folderKey)
          if let files = saved.state(LV2UnitCore.filesKey) {
            while let file = files.state("\(state.files.count)"), let path = file.string("path"),
              let bytes = file.data("data")
            {
              state.files.append((path, bytes))
            }
          }
          let status = self.apply(state, to: unit)
          guard status == 0 else { return status }
        }
        if let values = saved.state(LV2UnitCore.textsKey) {
          for property in self.plugin.description.textProperties where property.isWritable {
            // Skipped if it is part of the state.
            guard let text = values.string(property.uri), self.texts[property.uri] != text else {
              continue
            }
            _ = self.setText(property.uri, text)
          }
          for option in self.plugin.description.settableOptions {
            if let text = values.string(option) { _ = self.setText(option, text) }
          }
        }
        return 0
      })
  }

  /// Writes the current state to a folder as a preset for any LV2 host, with the files it needs.
  ///
  /// - Parameters:
  ///   - folder: An existing folder; it becomes a bundle, or gets one more preset.
  ///   - file: Name of the data file, such as "Loud.ttl".
  ///   - uri: The preset's URI; nil for the file's own.
  ///   - label: The preset's name.
  ///   - bank: The name of the bank it belongs to; nil for none.
  func savePreset(
    of unit: UnitInstance, to folder: String, file: String, uri: String?, label: String,
    bank: String?
  ) -> OSStatus {
    guard !file.isEmpty, !file.contains("/"), LV2Files.exists(folder) else {
      return kAudioUnitErr_InvalidPropertyValue
    }
    // A unit that is not initialised has no plug-in to ask: only port values are saved.
    guard instance != nil || pendingState == nil && textsToSet.isEmpty else {
      return kAudioUnitErr_Uninitialized
    }
    sendPendingSettings(of: unit)
    guard let state = capture(unit, mode: .writing(folder)) else {
      return kAudioUnitErr_InvalidPropertyValue
    }
    let isSaved =
      state.save(to: folder, file: file, uri: uri, label: label)
      && bank.map { LV2PresetBank.add($0, to: folder, file: file) } ?? true
    return isSaved ? 0 : kAudioUnitErr_InvalidFile
  }

  /// Sends the plug-in settings that it would otherwise receive with the next slice.
  private func sendPendingSettings(of unit: UnitInstance) {
    guard let instance, unsafe instance.render.pointee.events.patchInput >= 0 else { return }
    let first = plugin.description.parameterPorts.count
    whileClosed {
      var messages = instance.rings.withdraw()
      let slots = unsafe instance.render.pointee.events.patches
      for (index, property) in plugin.description.numberProperties.enumerated()
      where property.isWritable {
        let value = unit.values.value(at: first + index)
        guard unsafe value != slots.elements[index].known else { continue }
        unsafe slots.elements[index].known = value
        messages.append(LV2MessageRings.setting(property, to: value))
      }
      if !messages.isEmpty { instance.deliver(messages) }
    }
  }
}
