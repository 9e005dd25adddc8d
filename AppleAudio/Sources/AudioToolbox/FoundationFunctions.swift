// Functions of C that exchange objects of Core Foundation.
// SPDX-License-Identifier: Apache-2.0

import CAuricle
import CoreAudio
import CoreAudioTypes
import CoreMIDI

/// The function of C, with objects of Foundation.
@discardableResult
public func AudioOutputUnitPublish(
  _ description: UnsafePointer<AudioComponentDescription>?, _ name: CFString, _ version: UInt32,
  _ unit: AudioUnit?
) -> OSStatus {
  withExtendedLifetime(name) {
    __AudioOutputUnitPublish(description, auricleReference(name), version, unit)
  }
}

/// The function of C, with objects of Foundation.
@discardableResult
public func AudioUnitExtensionSetComponentList(_ `extension`: CFString, _ components: CFArray)
  -> OSStatus
{
  withExtendedLifetime((`extension`, components)) {
    __AudioUnitExtensionSetComponentList(
      auricleReference(`extension`), auricleReference(components))
  }
}

/// The function of C, with objects of Foundation.
@discardableResult
public func AudioUnitExtensionCopyComponentList(_ `extension`: CFString) -> Unmanaged<CFArray>? {
  withExtendedLifetime(`extension`) {
    auricleUnmanaged(__AudioUnitExtensionCopyComponentList(auricleReference(`extension`)))
  }
}

/// The function of C, with objects of Foundation.
@discardableResult
public func AudioComponentCopyName(
  _ component: AudioComponent?, _ name: UnsafeMutablePointer<Unmanaged<CFString>?>?
) -> OSStatus {
  __AudioComponentCopyName(component, auricleOut(name))
}

/// The function of C, with objects of Foundation.
@discardableResult
public func AudioComponentRegister(
  _ description: UnsafePointer<AudioComponentDescription>?, _ name: CFString, _ version: UInt32,
  _ factory: @escaping AudioComponentFactoryFunction
) -> AudioComponent? {
  withExtendedLifetime(name) {
    __AudioComponentRegister(description, auricleReference(name), version, factory)
  }
}

/// The function of C, with objects of Foundation.
@discardableResult
public func AudioComponentCopyConfigurationInfo(
  _ component: AudioComponent?, _ configuration: UnsafeMutablePointer<Unmanaged<CFDictionary>?>?
) -> OSStatus {
  __AudioComponentCopyConfigurationInfo(component, auricleOut(configuration))
}

/// The function of C, with objects of Foundation.
@discardableResult
public func AudioComponentValidate(
  _ component: AudioComponent?, _ parameters: CFDictionary?,
  _ result: UnsafeMutablePointer<AudioComponentValidationResult>?
) -> OSStatus {
  withExtendedLifetime(parameters) {
    __AudioComponentValidate(component, auricleReference(parameters), result)
  }
}

/// The function of C, with objects of Foundation.
@discardableResult
public func AudioFileCreateWithURL(
  _ url: CFURL, _ type: AudioFileTypeID, _ format: UnsafePointer<AudioStreamBasicDescription>?,
  _ flags: AudioFileFlags, _ outFile: UnsafeMutablePointer<AudioFileID?>?
) -> OSStatus {
  withExtendedLifetime(url) {
    __AudioFileCreateWithURL(auricleReference(url), type, format, flags, outFile)
  }
}

/// The function of C, with objects of Foundation.
@discardableResult
public func AudioFileOpenURL(
  _ url: CFURL, _ permissions: AudioFilePermissions, _ typeHint: AudioFileTypeID,
  _ outFile: UnsafeMutablePointer<AudioFileID?>?
) -> OSStatus {
  withExtendedLifetime(url) {
    __AudioFileOpenURL(auricleReference(url), permissions, typeHint, outFile)
  }
}

/// The function of C, with objects of Foundation.
@discardableResult
public func AudioQueueNewOutput(
  _ format: UnsafePointer<AudioStreamBasicDescription>?,
  _ callback: @escaping AudioQueueOutputCallback, _ userData: UnsafeMutableRawPointer?,
  _ callbackRunLoop: CFRunLoop?, _ callbackRunLoopMode: CFString?, _ flags: UInt32,
  _ outQueue: UnsafeMutablePointer<AudioQueueRef?>?
) -> OSStatus {
  withExtendedLifetime(callbackRunLoopMode) {
    __AudioQueueNewOutput(
      format, callback, userData, auricleReference(callbackRunLoop),
      auricleReference(callbackRunLoopMode), flags, outQueue)
  }
}

/// The function of C, with objects of Foundation.
@discardableResult
public func AudioQueueNewInput(
  _ format: UnsafePointer<AudioStreamBasicDescription>?,
  _ callback: @escaping AudioQueueInputCallback, _ userData: UnsafeMutableRawPointer?,
  _ callbackRunLoop: CFRunLoop?, _ callbackRunLoopMode: CFString?, _ flags: UInt32,
  _ outQueue: UnsafeMutablePointer<AudioQueueRef?>?
) -> OSStatus {
  withExtendedLifetime(callbackRunLoopMode) {
    __AudioQueueNewInput(
      format, callback, userData, auricleReference(callbackRunLoop),
      auricleReference(callbackRunLoopMode), flags, outQueue)
  }
}

/// The function of C, with objects of Foundation.
@discardableResult
public func AudioServicesCreateSystemSoundID(
  _ fileURL: CFURL, _ outSound: UnsafeMutablePointer<SystemSoundID>?
) -> OSStatus {
  withExtendedLifetime(fileURL) {
    __AudioServicesCreateSystemSoundID(auricleReference(fileURL), outSound)
  }
}

/// The function of C, with objects of Foundation.
@discardableResult
public func AudioServicesAddSystemSoundCompletion(
  _ sound: SystemSoundID, _ loop: CFRunLoop?, _ mode: CFString,
  _ completion: AudioServicesSystemSoundCompletionProc?, _ clientData: UnsafeMutableRawPointer?
) -> OSStatus {
  withExtendedLifetime(mode) {
    __AudioServicesAddSystemSoundCompletion(
      sound, auricleReference(loop), auricleReference(mode), completion, clientData)
  }
}

/// The function of C, with objects of Foundation.
@discardableResult
public func AUListenerCreate(
  _ proc: @escaping AUParameterListenerProc, _ userData: UnsafeMutableRawPointer?,
  _ runLoop: CFRunLoop?, _ mode: CFString, _ interval: Float32,
  _ listener: UnsafeMutablePointer<AUParameterListenerRef?>?
) -> OSStatus {
  withExtendedLifetime(mode) {
    __AUListenerCreate(
      proc, userData, auricleReference(runLoop), auricleReference(mode), interval, listener)
  }
}

/// The function of C, with objects of Foundation.
@discardableResult
public func AUEventListenerCreate(
  _ proc: @escaping AUEventListenerProc, _ userData: UnsafeMutableRawPointer?,
  _ runLoop: CFRunLoop?, _ mode: CFString, _ interval: Float32, _ valueChangeGranularity: Float32,
  _ listener: UnsafeMutablePointer<AUEventListenerRef?>?
) -> OSStatus {
  withExtendedLifetime(mode) {
    __AUEventListenerCreate(
      proc, userData, auricleReference(runLoop), auricleReference(mode), interval,
      valueChangeGranularity, listener)
  }
}

/// The function of C, with objects of Foundation.
@discardableResult
public func ExtAudioFileOpenURL(_ url: CFURL, _ outFile: UnsafeMutablePointer<ExtAudioFileRef?>?)
  -> OSStatus
{
  withExtendedLifetime(url) { __ExtAudioFileOpenURL(auricleReference(url), outFile) }
}

/// The function of C, with objects of Foundation.
@discardableResult
public func ExtAudioFileCreateWithURL(
  _ url: CFURL, _ type: AudioFileTypeID, _ format: UnsafePointer<AudioStreamBasicDescription>?,
  _ layout: UnsafePointer<AudioChannelLayout>?, _ flags: UInt32,
  _ outFile: UnsafeMutablePointer<ExtAudioFileRef?>?
) -> OSStatus {
  withExtendedLifetime(url) {
    __ExtAudioFileCreateWithURL(auricleReference(url), type, format, layout, flags, outFile)
  }
}

/// The function of C, with objects of Foundation.
@discardableResult
public func MusicSequenceFileLoad(
  _ sequence: MusicSequence?, _ url: CFURL, _ type: MusicSequenceFileTypeID,
  _ flags: MusicSequenceLoadFlags
) -> OSStatus {
  withExtendedLifetime(url) {
    __MusicSequenceFileLoad(sequence, auricleReference(url), type, flags)
  }
}

/// The function of C, with objects of Foundation.
@discardableResult
public func MusicSequenceFileLoadData(
  _ sequence: MusicSequence?, _ data: CFData, _ type: MusicSequenceFileTypeID,
  _ flags: MusicSequenceLoadFlags
) -> OSStatus {
  withExtendedLifetime(data) {
    __MusicSequenceFileLoadData(sequence, auricleReference(data), type, flags)
  }
}

/// The function of C, with objects of Foundation.
@discardableResult
public func MusicSequenceFileCreate(
  _ sequence: MusicSequence?, _ url: CFURL, _ type: MusicSequenceFileTypeID,
  _ flags: MusicSequenceFileFlags, _ resolution: Int16
) -> OSStatus {
  withExtendedLifetime(url) {
    __MusicSequenceFileCreate(sequence, auricleReference(url), type, flags, resolution)
  }
}

/// The function of C, with objects of Foundation.
@discardableResult
public func MusicSequenceFileCreateData(
  _ sequence: MusicSequence?, _ type: MusicSequenceFileTypeID, _ flags: MusicSequenceFileFlags,
  _ resolution: Int16, _ outData: UnsafeMutablePointer<Unmanaged<CFData>?>?
) -> OSStatus {
  __MusicSequenceFileCreateData(sequence, type, flags, resolution, auricleOut(outData))
}

/// The function of C, with objects of Foundation.
@discardableResult
public func MusicSequenceLoadSMFDataWithFlags(
  _ sequence: MusicSequence?, _ data: CFData, _ flags: MusicSequenceLoadFlags
) -> OSStatus {
  withExtendedLifetime(data) {
    __MusicSequenceLoadSMFDataWithFlags(sequence, auricleReference(data), flags)
  }
}

/// The function of C, with objects of Foundation.
@discardableResult
public func MusicSequenceSaveSMFData(
  _ sequence: MusicSequence?, _ outData: UnsafeMutablePointer<Unmanaged<CFData>?>?,
  _ resolution: UInt16
) -> OSStatus {
  __MusicSequenceSaveSMFData(sequence, auricleOut(outData), resolution)
}

/// The function of C, with objects of Foundation.
@discardableResult
public func MusicSequenceGetInfoDictionary(_ sequence: MusicSequence?) -> Unmanaged<CFDictionary>? {
  auricleUnmanaged(__MusicSequenceGetInfoDictionary(sequence))
}
