// Properties of LV2 units beyond those of every unit.
// SPDX-License-Identifier: Apache-2.0

internal import AudioTypes
internal import AuricleSDK
internal import CAudioToolbox
internal import LV2Bundles
internal import Synchronization

extension LV2UnitCore {
  private static let pointerSize = unsafe UInt32(MemoryLayout<UnsafeRawPointer>.size)

  /// The definitions.
  var properties: [PropertyDefinition] {
    presetProperties + hintProperties + textDefinitions + optionProperties + layoutProperties
      + bypassProperties + messageProperties
  }

  private var presetProperties: [PropertyDefinition] {
    let presets = plugin.description.presets
    let hasInterface = plugin.description.hasUserInterface
    return unsafe [
      PropertyDefinition(
        id: kAuricleProperty_ComponentIdentifier, size: LV2UnitCore.pointerSize,
        read: { _, _, data in
          unsafe data.storeBytes(
            of: makeCFString(self.plugin.description.uri), as: CFStringRef?.self)
          return 0
        }),
      PropertyDefinition(
        id: kAuricleProperty_PresetURI, size: LV2UnitCore.pointerSize,
        read: { _, _, _ in kAudioUnitErr_PropertyNotInUse },
        write: { unit, _, data, size in
          guard size == LV2UnitCore.pointerSize, let data = unsafe data,
            let uri = unsafe String(cfString: data.load(as: CFStringRef?.self))
          else { return kAudioUnitErr_InvalidPropertyValue }
          return self.loadPreset(uri, into: unit)
        }),
      PropertyDefinition(
        id: kAuricleProperty_PresetURIs, size: LV2UnitCore.pointerSize,
        read: { _, _, data in
          unsafe data.storeBytes(
            of: makeCFArray(presets.map(\.uri)), as: CFArrayRef?.self)
          return 0
        }),
      PropertyDefinition(
        id: kAuricleProperty_LatencyIsKnown, size: 4,
        read: { _, _, data in
          unsafe data.storeBytes(of: self.latencyIsKnown ? 1 : 0, as: UInt32.self)
          return 0
        }),
      PropertyDefinition(
        id: kAuricleProperty_HasUserInterface, size: 4,
        read: { _, _, data in
          unsafe data.storeBytes(of: hasInterface ? 1 : 0, as: UInt32.self)
          return 0
        }),
      PropertyDefinition(
        id: kAuricleProperty_SavePreset, size: LV2UnitCore.pointerSize,
        read: { _, _, _ in kAudioUnitErr_PropertyNotInUse },
        write: { unit, _, data, size in
          guard size == LV2UnitCore.pointerSize, let data = unsafe data,
            let values = unsafe CFTexts.dictionary(data.load(as: CFDictionaryRef?.self)),
            let folder = values["folder"], let file = values["file"], let label = values["label"]
          else { return kAudioUnitErr_InvalidPropertyValue }
          return self.savePreset(
            of: unit, to: folder, file: file, uri: values["uri"], label: label,
            bank: values["bank"])
        }),
    ]
  }

  /// Hints for hosts that choose slice sizes, or values before the sample rate.
  private var hintProperties: [PropertyDefinition] {
    let description = plugin.description
    var ids: [AudioUnitPropertyID] = []
    if description.prefersWholeBlocks { ids.append(kAuricleProperty_WantsWholeSlices) }
    if description.ports.contains(where: \.isScaledBySampleRate) {
      ids.append(kAuricleProperty_RangesFollowSampleRate)
    }
    return ids.map { id in
      unsafe PropertyDefinition(
        id: id, size: 4,
        read: { _, _, data in
          unsafe data.storeBytes(of: 1, as: UInt32.self)
          return 0
        })
    }
  }

  /// Text and path properties and options, if the plug-in has any.
  private var textDefinitions: [PropertyDefinition] {
    let properties = plugin.description.textProperties
    let options = plugin.description.settableOptions
    let symbols = options.map { plugin.description.symbol(ofOption: $0) }
    guard !properties.isEmpty || !options.isEmpty else { return [] }
    return unsafe [
      PropertyDefinition(
        id: kAuricleProperty_TextProperties, size: LV2UnitCore.pointerSize,
        read: { _, _, data in
          self.receiveTexts()
          var values: [String: String] = [:]
          for property in properties { values[property.symbol] = self.texts[property.uri] }
          let known = self.instance?.options(options) ?? self.options
          for (option, symbol) in zip(options, symbols) { values[symbol] = known[option] }
          unsafe data.storeBytes(of: CFTexts.makeDictionary(values), as: CFDictionaryRef?.self)
          return 0
        },
        write: { _, _, data, size in
          guard size == LV2UnitCore.pointerSize, let data = unsafe data,
            let values = unsafe CFTexts.dictionary(data.load(as: CFDictionaryRef?.self))
          else { return kAudioUnitErr_InvalidPropertyValue }
          // All or none: a wrong name changes nothing.
          let names = Set(
            properties.filter(\.isWritable).flatMap { [$0.uri, $0.symbol] } + options + symbols)
          guard values.keys.allSatisfy(names.contains) else {
            return kAudioUnitErr_InvalidPropertyValue
          }
          for name in values.keys.sorted() {
            guard self.setText(name, values[name] ?? "") else {
              return kAudioUnitErr_CannotDoInCurrentContext
            }
          }
          return 0
        }),
      PropertyDefinition(
        id: kAuricleProperty_TextPropertyList, size: LV2UnitCore.pointerSize,
        read: { _, _, data in
          let list = properties.map { property in
            [
              "uri": property.uri, "symbol": property.symbol, "name": property.name,
              "type": property.range.rawValue.lowercased(),
              "access": property.isWritable ? "write" : "read",
            ]
          }
          let further = zip(options, symbols).map { option, symbol in
            ["uri": option, "symbol": symbol, "name": symbol, "type": "string", "access": "write"]
          }
          unsafe data.storeBytes(of: CFTexts.makeArray(list + further), as: CFArrayRef?.self)
          return 0
        }),
    ]
  }

  /// Options that can be read and set at run time, if the plug-in has any.
  private var optionProperties: [PropertyDefinition] {
    let names = plugin.description.options
    guard !names.isEmpty else { return [] }
    return unsafe [
      PropertyDefinition(
        id: kAuricleProperty_Options, size: LV2UnitCore.pointerSize,
        read: { _, _, data in
          let values = self.instance?.options(names) ?? self.options
          unsafe data.storeBytes(of: CFTexts.makeDictionary(values), as: CFDictionaryRef?.self)
          return 0
        },
        write: { _, _, data, size in
          guard size == LV2UnitCore.pointerSize, let data = unsafe data,
            let values = unsafe CFTexts.dictionary(data.load(as: CFDictionaryRef?.self)),
            values.keys.allSatisfy(names.contains)
          else { return kAudioUnitErr_InvalidPropertyValue }
          return self.setOptions(values) ? 0 : kAudioUnitErr_InvalidPropertyValue
        })
    ]
  }

  /// Sets options by their URIs; false when the plug-in refuses one of them.
  func setOptions(_ values: [String: String]) -> Bool {
    var isAccepted = true
    whileClosed { isAccepted = instance?.setOptions(values) ?? true }
    if isAccepted { options.merge(values) { $1 } }
    return isAccepted
  }

  /// The layouts of the buses' channels: each bus has one.
  private var layoutProperties: [PropertyDefinition] {
    let scopes = [kAudioUnitScope_Input, kAudioUnitScope_Output]
    return scopes.flatMap { scope in
      let tag = { @Sendable (element: AudioUnitElement) -> UInt32 in
        self.layout.layoutTag(isInput: scope == kAudioUnitScope_Input, bus: Int(element))
      }
      return unsafe [
        PropertyDefinition(
          id: kAudioUnitProperty_SupportedChannelLayoutTags, scope: scope, size: 4,
          read: { _, element, data in
            unsafe data.storeBytes(of: tag(element), as: UInt32.self)
            return 0
          }),
        PropertyDefinition(
          id: kAudioUnitProperty_AudioChannelLayout, scope: scope, size: 12,
          read: { _, element, data in
            unsafe data.storeBytes(of: tag(element), as: UInt32.self)
            unsafe data.storeBytes(of: 0, toByteOffset: 4, as: UInt64.self)
            return 0
          },
          write: { _, element, data, size in
            // The layout is the plug-in's: the host cannot remove it.
            guard let data = unsafe data else { return 0 }
            guard size >= 12 else { return kAudioUnitErr_InvalidPropertyValue }
            return unsafe data.load(as: UInt32.self) == tag(element)
              ? 0 : kAudioUnitErr_InvalidPropertyValue
          }),
      ]
    }
  }

  /// A plug-in with an enabled port bypasses itself: without a click, and with its latency.
  private var bypassProperties: [PropertyDefinition] {
    guard plugin.description.ports.contains(where: { $0.role == .enabled }) else { return [] }
    return unsafe [
      PropertyDefinition(
        id: kAudioUnitProperty_BypassEffect, size: 4,
        read: { _, _, data in
          let isBypassed = unsafe self.isBypassed.pointee.load(ordering: .relaxed)
          unsafe data.storeBytes(of: isBypassed ? 1 : 0, as: UInt32.self)
          return 0
        },
        write: { _, _, data, size in
          guard size == 4, let data = unsafe data else {
            return kAudioUnitErr_InvalidPropertyValue
          }
          let value = unsafe data.load(as: UInt32.self)
          unsafe self.isBypassed.pointee.store(value != 0, ordering: .relaxed)
          return 0
        })
    ]
  }
}
