// The functions that make channels and have them speak.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
public import CAudioToolbox

/// Makes a channel that speaks into the default device until it has another destination.
///
/// - Parameter voice: Null for the usual one.
/// - Returns: -240 where no synthesizer is installed, -244 for a voice that is not there.
///
/// Context: control.
@c @implementation
public func NewSpeechChannel(
  _ voice: UnsafeMutablePointer<VoiceSpec>?, _ chan: UnsafeMutablePointer<SpeechChannel?>?
) -> OSErr {
  withResult { () throws(SpeechFailure) in
    guard let chan = unsafe chan else { throw .parameter }
    let made = try Channel()
    // Without a speaking unit there are no voices.
    _ = try Voice.all()
    if let voice = unsafe voice?.pointee { try made.set(voice) }
    Channels.keep(made)
    unsafe chan.pointee = unsafe made.handle
  }
}

/// Stops a channel and disposes of it; that of a unit is forgotten with all that was set of it.
///
/// Context: control; inside of a callback of the channel, too.
@c @implementation
public func DisposeSpeechChannel(_ chan: SpeechChannel?) -> OSErr {
  withResult { () throws(SpeechFailure) in
    let channel = try unsafe Channels.find(chan)
    Channels.forget(channel)
    channel.close()
  }
}

/// Speaks a string that begins with its length, in the usual voice; an empty one ends such speech.
///
/// Context: control.
@c @implementation
public func SpeakString(_ text: ConstStr255Param?) -> OSErr {
  withResult { () throws(SpeechFailure) in
    guard let text = unsafe text else { throw .parameter }
    let count = unsafe Int(text.pointee)
    let channel = try Channels.ofStrings()
    guard count > 0 else { return try channel.stop(at: kImmediate) }
    try channel.speak(
      unsafe ClientText(bytes: UnsafeRawBufferPointer(start: text + 1, count: count)), 0)
  }
}

/// Says bytes: UTF-8, or else MacRoman. Returns at once.
///
/// - Returns: As `SpeakBuffer`.
///
/// Context: control.
@c @implementation
public func SpeakText(
  _ chan: SpeechChannel?, _ textBuf: UnsafeRawPointer?, _ textBytes: UInt
) -> OSErr {
  unsafe SpeakBuffer(chan, textBuf, textBytes, 0)
}

/// As `SpeakText`, with flags. No bytes end the speech.
///
/// - Returns: -242 with `kNoSpeechInterrupt` while it speaks; -241 where the device cannot be had; -240; -50.
///
/// Context: control.
@c @implementation
public func SpeakBuffer(
  _ chan: SpeechChannel?, _ textBuf: UnsafeRawPointer?, _ textBytes: UInt, _ controlFlags: Int32
) -> OSErr {
  withResult { () throws(SpeechFailure) in
    let channel = try unsafe Channels.find(chan)
    guard let textBuf = unsafe textBuf, textBytes > 0 else {
      return try channel.stop(at: kImmediate)
    }
    guard textBytes <= 1 << 28 else { throw .parameter }
    try channel.speak(
      unsafe ClientText(bytes: UnsafeRawBufferPointer(start: textBuf, count: Int(textBytes))),
      controlFlags)
  }
}

/// Speaks a string in place of the present speech. Returns at once.
///
/// - Parameter options: `kSpeechNoEndingProsody`, `kSpeechNoSpeechInterrupt`, `kSpeechPreflightThenPause`; null for
///   none.
/// - Returns: As `SpeakBuffer`.
///
/// Context: control.
@c @implementation
public func SpeakCFString(
  _ chan: SpeechChannel?, _ string: CFStringRef?, _ options: CFDictionaryRef?
) -> OSErr {
  withResult { () throws(SpeechFailure) in
    let channel = try unsafe Channels.find(chan)
    guard let text = unsafe String(cfString: string) else { throw .parameter }
    guard !text.isEmpty else { return try channel.stop(at: kImmediate) }
    var flags: Int32 = 0
    for (key, flag) in [
      ("NoEndingProsody", kNoEndingProsody), ("NoSpeechInterrupt", kNoSpeechInterrupt),
      ("PreflightThenPause", kPreflightThenPause),
    ] where unsafe SpeechValue(entry: key, of: options)?.number ?? 0 != 0 {
      flags |= flag
    }
    try channel.speak(ClientText(text, countsBytes: false), flags)
  }
}

/// Ends the speech of a channel, at once. A program that waits for its end is notified.
///
/// Context: control.
@c @implementation
public func StopSpeech(_ chan: SpeechChannel?) -> OSErr {
  unsafe StopSpeechAt(chan, kImmediate)
}

/// Ends the speech of a channel: at once, or behind the word or the sentence.
///
/// Context: control.
@c @implementation
public func StopSpeechAt(_ chan: SpeechChannel?, _ whereToStop: Int32) -> OSErr {
  withResult { () throws(SpeechFailure) in
    try unsafe Channels.find(chan).stop(at: whereToStop)
  }
}

/// Pauses the speech of a channel: at once, or behind the word or the sentence.
///
/// Context: control.
@c @implementation
public func PauseSpeechAt(_ chan: SpeechChannel?, _ whereToPause: Int32) -> OSErr {
  withResult { () throws(SpeechFailure) in
    try unsafe Channels.find(chan).pause(at: whereToPause)
  }
}

/// Goes on where a channel was held.
///
/// Context: control.
@c @implementation
public func ContinueSpeech(_ chan: SpeechChannel?) -> OSErr {
  withResult { () throws(SpeechFailure) in try unsafe Channels.find(chan).goOn() }
}

/// Counts the channels of this process that speak.
///
/// Context: control.
@c @implementation
public func SpeechBusy() -> Int16 { Int16(clamping: Channels.busyCount) }

/// The same: of other processes nothing is known.
///
/// Context: control.
@c @implementation
public func SpeechBusySystemWide() -> Int16 { SpeechBusy() }

/// 1.0.
///
/// Context: any.
@c @implementation
public func SpeechManagerVersion() -> NumVersion {
  NumVersion(nonRelRev: 0, stage: 0x80, minorAndBugRev: 0, majorRev: 1)
}
