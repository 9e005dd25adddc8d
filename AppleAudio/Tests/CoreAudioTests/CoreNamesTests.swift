// Names of C as programs in Swift write them.
// SPDX-License-Identifier: Apache-2.0

import AudioUnit
import Testing

struct CoreNamesTests {
  @Test func enumsAndOptionsHaveNames() {
    let options: AudioUnitParameterOptions = [.flag_IsReadable, .flag_IsWritable]
    #expect(options.rawValue == 0xC000_0000)
    #expect(AudioUnitParameterUnit.hertz.rawValue == 8 && MIDIProtocolID._2_0.rawValue == 2)
    #expect(MIDIObjectType.externalDevice.rawValue == 16 && MIDICVStatus.noteOn.rawValue == 9)
    #expect(MIDIMessageType.channelVoice2.rawValue == 4 && MIDISysExStatus.complete.rawValue == 0)
    #expect(
      AudioFilePermissions.readPermission.rawValue == 1 && AudioFileFlags.eraseFile.rawValue == 1)
    #expect(
      MusicSequenceType.beats.rawValue == 0x6265_6174
        && MusicSequenceFileTypeID.midiType.rawValue == 0x6D69_6469)
    #expect(AudioUnitRenderActionFlags.unitRenderAction_OutputIsSilence.rawValue == 16)
    #expect(
      MusicSequenceLoadFlags.smf_ChannelsToTracks.rawValue == 1
        && MusicSequenceFileFlags.eraseFile.rawValue == 1)
    let unknown = MIDIObjectType(rawValue: 77)
    #expect(unknown?.rawValue == 77)
    #expect(
      kAudioFormatLinearPCM == 0x6C70_636D as UInt32
        && MIDINotificationMessageID.msgInternalStart.rawValue == 0x1000)
  }

  @Test func banksAreNumbersToComputeWith() {
    let bank: Int = kAUSampler_DefaultMelodicBankMSB
    #expect(bank == 0x79 && kAUSampler_DefaultPercussionBankMSB == 0x78)
    #expect(kAUSampler_DefaultBankLSB == 0)
  }

  @Test func buffersOfC() {
    #expect(MemoryLayout<AudioBufferList>.size == 24 && MemoryLayout<AURenderEvent>.size >= 48)
    #expect(
      MemoryLayout<MIDIPacket>.offset(of: \.data) == 10
        && MemoryLayout<MIDIPacket>.offset(of: \.length) == 8)
    let list = AudioBufferList.allocate(maximumBuffers: 3)
    defer { free(list.unsafeMutablePointer) }
    #expect(list.count == 3 && AudioBufferList.sizeInBytes(maximumBuffers: 3) == 56)
    var samples: [Float] = [1, 2, 3, 4]
    samples.withUnsafeMutableBufferPointer { samples in
      list[1] = AudioBuffer(samples, numberOfChannels: 2)
      #expect(list[1].mDataByteSize == 16)
      let again = UnsafeMutableBufferPointer<Float>(list[1])
      #expect(Array(again) == [1, 2, 3, 4])
    }
    list.count = 2
    #expect(list.map { Int($0.mDataByteSize) } == [0, 16])
    #expect(
      UnsafeMutableAudioBufferListPointer(nil as UnsafeMutablePointer<AudioBufferList>?) == nil)
  }

  @Test func objectsOfCoreFoundation() throws {
    let text = "Grüße, 音" as CFString
    #expect(CFStringGetLength(OpaquePointer(Unmanaged.passUnretained(text).toOpaque())) == 8)
    var description = AudioComponentDescription(
      componentType: kAudioUnitType_Effect, componentSubType: 0, componentManufacturer: 0,
      componentFlags: 0,
      componentFlagsMask: 0)
    let component = try #require(AudioComponentFindNext(nil, &description))
    var name: Unmanaged<CFString>?
    #expect(AudioComponentCopyName(component, &name) == noErr)
    #expect(name.map { String(describing: $0.takeRetainedValue()) }?.contains(":") == true)
  }

  @Test func booleansOfDarwin() {
    var player: MusicPlayer?
    NewMusicPlayer(&player)
    var isPlaying: DarwinBoolean = true
    #expect(MusicPlayerIsPlaying(player!, &isPlaying) == noErr)
    #expect(!isPlaying.boolValue && isPlaying == false)
    DisposeMusicPlayer(player!)
  }

  @Test func darwinsFoundation() {
    #expect(NSEC_PER_SEC == 1_000_000_000 && autoreleasepool { 3 } == 3)
    #expect(abs(CFAbsoluteTimeGetCurrent() - Date().timeIntervalSinceReferenceDate) < 5)
    let dictionary = NSMutableDictionary(
      objects: [1, 2], forKeys: ["a" as NSString, "b" as NSString])
    dictionary.setObject(3, forKey: "c" as NSString)
    #expect(
      dictionary.count == 3
        && NSMutableDictionary(dictionary: dictionary as NSDictionary).count == 3)
  }
}
