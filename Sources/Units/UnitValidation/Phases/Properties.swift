// Properties that every unit of a type has, and its formats.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox

extension UnitValidation {
  /// Checks every property of a fresh unit.
  func checkProperties() {
    checkRequired()
    checkRecommended()
    checkInputs()
    checkUnknown()
    checkSettable()
    checkHostProperties()
    checkDefaultFormats()
    figure("latency", unit.latency, "s")
    if let tail = unit.tailTime { figure("tail", tail, "s") }
  }

  /// The properties that a type must have, by name.
  private func checkRequired() {
    var wanted: [(AudioUnitPropertyID, AudioUnitScope, String)] = [
      (kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, "MaximumFramesPerSlice"),
      (kAudioUnitProperty_LastRenderError, kAudioUnitScope_Global, "LastRenderError"),
      (kAudioUnitProperty_ParameterList, kAudioUnitScope_Global, "ParameterList"),
      (kAudioUnitProperty_ClassInfo, kAudioUnitScope_Global, "ClassInfo"),
      (kAudioUnitProperty_PresentPreset, kAudioUnitScope_Global, "PresentPreset"),
    ]
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      wanted.append((kAudioUnitProperty_ElementCount, scope, "ElementCount"))
      guard unit.busCount(scope: scope) > 0 else { continue }
      wanted.append((kAudioUnitProperty_StreamFormat, scope, "StreamFormat"))
      wanted.append((kAudioUnitProperty_SampleRate, scope, "SampleRate"))
    }
    if type == kAudioUnitType_Output {
      wanted.append((kAudioOutputUnitProperty_IsRunning, 0, "IsRunning"))
    }
    if type == kAudioUnitType_OfflineEffect {
      wanted.append((kAudioUnitOfflineProperty_InputSize, 0, "OfflineInputSize"))
      wanted.append((kAudioUnitOfflineProperty_OutputSize, 0, "OfflineOutputSize"))
    }
    for (id, scope, name) in wanted {
      expect(
        unit.hasProperty(id, scope: scope), .required, "\(name) is missing on scope \(scope)",
        [.count("property", Int(id)), .count("scope", Int(scope))])
    }
  }

  /// The properties that a type should have, by name.
  private func checkRecommended() {
    var wanted: [(AudioUnitPropertyID, String)] = []
    if isEffect || type == kAudioUnitType_MusicDevice {
      wanted.append((kAudioUnitProperty_Latency, "Latency"))
    }
    // Instruments of a widely used framework have none, and hosts play them.
    if type == kAudioUnitType_MusicDevice {
      wanted.append((kMusicDeviceProperty_InstrumentCount, "InstrumentCount"))
    }
    if isEffect {
      // An LV2 plug-in cannot report its tail: the unit made of it leaves the property out.
      if !unit.hasProperty(kAuricleProperty_ComponentIdentifier) {
        wanted.append((kAudioUnitProperty_TailTime, "TailTime"))
      }
      wanted.append((kAudioUnitProperty_BypassEffect, "BypassEffect"))
    }
    for (id, name) in wanted {
      expect(
        unit.hasProperty(id), .recommended,
        "\(name) is missing, which a unit of its type should have", [.count("property", Int(id))])
    }
  }

  private func checkInputs() {
    for element in 0..<UInt32(unit.busCount(scope: kAudioUnitScope_Input)) {
      for (id, name) in [
        (kAudioUnitProperty_SetRenderCallback, "SetRenderCallback"),
        (kAudioUnitProperty_MakeConnection, "MakeConnection"),
      ] {
        let info = try? unit.propertyInfo(id, scope: kAudioUnitScope_Input, element: element)
        expect(
          info?.isWritable == true, .inputs, "\(name) cannot be set of input \(element)",
          [.count("property", Int(id)), .count("input", Int(element))])
      }
    }
    // The inputs of an LV2 plug-in are as many as it has.
    if type == kAudioUnitType_Mixer, !unit.hasProperty(kAuricleProperty_ComponentIdentifier) {
      let info = try? unit.propertyInfo(
        kAudioUnitProperty_ElementCount, scope: kAudioUnitScope_Input)
      expect(
        info?.isWritable == true, .mixerInputs, "the number of a mixer's inputs cannot be set")
    }
  }

  /// Checks that an unknown property is refused by its info, and when it is read.
  private func checkUnknown() {
    let nobody: AudioUnitPropertyID = 0x7FFF_0000
    let isReported = unit.hasProperty(nobody)
    let isRead = (try? unit.property(nobody, as: UInt32.self)) != nil
    expect(
      !isReported && !isRead, .unknown, "it answers property \(nobody), which nobody has",
      [.count("property", Int(nobody))])
  }

  /// Checks that the properties which a host sets first are kept.
  private func checkSettable() {
    for frames in [37, 4096, 512] {
      do throws(AuricleError) {
        try unit.setMaximumFramesPerSlice(frames)
        expect(
          unit.maximumFramesPerSlice == frames, .slice,
          "MaximumFramesPerSlice was set to \(frames), and is \(unit.maximumFramesPerSlice)",
          [.count("set", frames), .count("found", unit.maximumFramesPerSlice)])
      } catch {
        fault(.slice, "MaximumFramesPerSlice cannot be set to \(frames): \(error.message)")
      }
    }
    guard isEffect, unit.hasProperty(kAudioUnitProperty_BypassEffect) else { return }
    for isBypassed in [true, false] {
      do throws(AuricleError) {
        try unit.setBypassed(isBypassed)
        expect(
          unit.isBypassed == isBypassed, .bypass,
          "BypassEffect was set to \(isBypassed ? 1 : 0), and is \(unit.isBypassed ? 1 : 0)")
      } catch {
        fault(.bypass, "BypassEffect cannot be set: \(error.message)")
      }
    }
  }

  /// A fresh unit goes at 44,100 Hz, with numbers of channels that it says it can do.
  private func checkDefaultFormats() {
    var counts: [Int] = []
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      for element in 0..<UInt32(unit.busCount(scope: scope)) {
        guard let format = try? unit.streamFormat(scope: scope, element: element) else {
          // A bus of MIDI alone has none.
          if type != kAudioUnitType_MIDIProcessor {
            fault(.formatIsReported, "bus \(element) of scope \(scope) reports no format")
          }
          continue
        }
        expect(
          format.sampleRate == 44_100 || format.channelCount == 0, .defaultRate,
          "bus \(element) of scope \(scope) goes at \(format.sampleRate) Hz at first, not 44100",
          [UnitFault.Evidence("sampleRate", .number(format.sampleRate))])
        if element == 0 { counts.append(format.channelCount) }
      }
    }
    guard counts.count == 2, isEffect else { return }
    expect(
      unit.supports(inputChannels: counts[0], outputChannels: counts[1]), .defaultChannels,
      "its first formats, \(counts[0]) to \(counts[1]) channels, are none that it declares",
      [.count("inputs", counts[0]), .count("outputs", counts[1])])
  }
}
