// Conversion of sound from one format to another.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AUDIOCONVERTER_H
#define AURICLE_AUDIOCONVERTER_H

#include "../CoreAudioTypes/AudioChannelLayouts.h"
#include "../CoreAudioTypes/AudioFormats.h"
#include "AudioFormat.h"

typedef struct OpaqueAudioConverter *AudioConverterRef;
typedef UInt32 AudioConverterPropertyID;

typedef UInt32 AudioConverterOptions;
AURICLE_ENUM(AudioConverterOptions) {
  kAudioConverterOption_Unbuffered = 0x10000,  // nothing is kept inside: the functions of buffers alone
};

AURICLE_ENUM(AudioConverterPropertyID) {
  // Sizes, in bytes; of one buffer where channels have buffers of their own.
  kAudioConverterPropertyMinimumInputBufferSize = 0x6d696273,  // 'mibs', UInt32
  kAudioConverterPropertyMinimumOutputBufferSize = 0x6d6f6273,  // 'mobs', UInt32
  kAudioConverterPropertyMaximumInputBufferSize = 0x78696273,  // 'xibs', UInt32
  kAudioConverterPropertyMaximumInputPacketSize = 0x78697073,  // 'xips', UInt32
  kAudioConverterPropertyMaximumOutputPacketSize = 0x786f7073,  // 'xops', UInt32
  kAudioConverterPropertyCalculateInputBufferSize = 0x63696273,  // 'cibs', UInt32: bytes out in, bytes in out
  kAudioConverterPropertyCalculateOutputBufferSize = 0x636f6273,  // 'cobs', UInt32: bytes in in, bytes out out

  // The sample rate.
  kAudioConverterSampleRateConverterAlgorithm = 0x73726369,  // 'srci', older than the next
  kAudioConverterSampleRateConverterComplexity = 0x73726361,  // 'srca', OSType
  kAudioConverterSampleRateConverterQuality = 0x73726371,  // 'srcq', UInt32 from 0 to 127
  kAudioConverterSampleRateConverterInitialPhase = 0x73726370,  // 'srcp', Float64, in frames
  kAudioConverterPrimeMethod = 0x70726d6d,  // 'prmm', UInt32
  kAudioConverterPrimeInfo = 0x7072696d,  // 'prim', AudioConverterPrimeInfo

  // Channels.
  kAudioConverterChannelMap = 0x63686d70,  // 'chmp', SInt32 for each channel out; -1: silence
  kAudioConverterInputChannelLayout = 0x69636c20,  // 'icl ', AudioChannelLayout
  kAudioConverterOutputChannelLayout = 0x6f636c20,  // 'ocl ', AudioChannelLayout
  kAudioConverterPropertyPerformDownmix = 0x646d6978,  // 'dmix', UInt32: whether channels are mixed
  kAudioConverterPropertyChannelMixMap = 0x6d6d6170,  // 'mmap', Float32[in][out]

  // Samples.
  kAudioConverterPropertyBitDepthHint = 0x61636264,  // 'acbd', SInt32; below 0: floats
  kAudioConverterPropertyDithering = 0x64697468,  // 'dith', UInt32
  kAudioConverterPropertyDitherBitDepth = 0x64626974,  // 'dbit', UInt32

  // Formats.
  kAudioConverterCurrentOutputStreamDescription = 0x61636f64,  // 'acod', AudioStreamBasicDescription
  kAudioConverterCurrentInputStreamDescription = 0x61636964,  // 'acid', AudioStreamBasicDescription
  kAudioConverterPropertyFormatList = 0x666c7374,  // 'flst', AudioFormatListItem[]
  kAudioConverterPropertySettings = 0x61637073,  // 'acps', CFArrayRef

  // Codecs.
  kAudioConverterPropertyInputCodecParameters = 0x69636470,  // 'icdp', bytes
  kAudioConverterPropertyOutputCodecParameters = 0x6f636470,  // 'ocdp', bytes
  kAudioConverterCodecQuality = 0x63647175,  // 'cdqu', UInt32 from 0 to 127
  kAudioConverterDecompressionMagicCookie = 0x646d6763,  // 'dmgc', bytes
  kAudioConverterCompressionMagicCookie = 0x636d6763,  // 'cmgc', bytes
  kAudioConverterEncodeBitRate = 0x62726174,  // 'brat', UInt32, bits a second
  kAudioConverterEncodeAdjustableSampleRate = 0x616a7372,  // 'ajsr', Float64
  kAudioConverterApplicableEncodeBitRates = 0x61656272,  // 'aebr', AudioValueRange[]
  kAudioConverterAvailableEncodeBitRates = 0x76656272,  // 'vebr', AudioValueRange[]
  kAudioConverterApplicableEncodeSampleRates = 0x61657372,  // 'aesr', AudioValueRange[]
  kAudioConverterAvailableEncodeSampleRates = 0x76657372,  // 'vesr', AudioValueRange[]
  kAudioConverterAvailableEncodeChannelLayoutTags = 0x6165636c,  // 'aecl', UInt32[]
  kAudioConverterPropertyCanResumeFromInterruption = 0x63726669,  // 'crfi', UInt32
};

// The cost of a sample rate conversion; the quality is any number between.
AURICLE_ENUM(UInt32) {
  kAudioConverterQuality_Max = 127,
  kAudioConverterQuality_High = 96,
  kAudioConverterQuality_Medium = 64,
  kAudioConverterQuality_Low = 32,
  kAudioConverterQuality_Min = 0,
};

AURICLE_ENUM(UInt32) {
  kAudioConverterSampleRateConverterComplexity_Linear = 0x6c696e65,  // 'line', between two samples
  kAudioConverterSampleRateConverterComplexity_Normal = 0x6e6f726d,  // 'norm'
  kAudioConverterSampleRateConverterComplexity_Mastering = 0x62617473,  // 'bats'
  kAudioConverterSampleRateConverterComplexity_MinimumPhase = 0x6d696e70,  // 'minp', nothing rings before
};

// The assumed frames before the first one, and behind the last one.
AURICLE_ENUM(UInt32) {
  kConverterPrimeMethod_Pre = 0,  // the first leadingFrames of the input are read for the filter alone
  kConverterPrimeMethod_Normal = 1,  // silence before, trailingFrames read ahead: the output is in place
  kConverterPrimeMethod_None = 2,  // silence before, nothing read ahead: the output is late
};

AURICLE_ENUM(UInt32) {
  kDitherAlgorithm_TPDF = 1,  // triangular noise of a step each way
  kDitherAlgorithm_NoiseShaping = 2,  // with the noise moved up, where it is less audible
};

// Frames of the input that a filter reads beside the one in its middle.
typedef struct AudioConverterPrimeInfo {
  UInt32 leadingFrames;
  UInt32 trailingFrames;
} AudioConverterPrimeInfo;

AURICLE_ENUM(OSStatus) {
  kAudioConverterErr_FormatNotSupported = 0x666d743f,  // 'fmt?'
  kAudioConverterErr_OperationNotSupported = 0x6f703f3f,  // 'op', two question marks
  kAudioConverterErr_PropertyNotSupported = 0x70726f70,  // 'prop'
  kAudioConverterErr_InvalidInputSize = 0x696e737a,  // 'insz', not a whole number of packets
  kAudioConverterErr_InvalidOutputSize = 0x6f74737a,  // 'otsz', too small
  kAudioConverterErr_UnspecifiedError = 0x77686174,  // 'what'
  kAudioConverterErr_BadPropertySizeError = 0x2173697a,  // '!siz'
  kAudioConverterErr_RequiresPacketDescriptionsError = 0x21706b64,  // '!pkd'
  kAudioConverterErr_InputSampleRateOutOfRange = 0x21697372,  // '!isr'
  kAudioConverterErr_OutputSampleRateOutOfRange = 0x216f7372,  // '!osr'
  kAudioConverterErr_HardwareInUse = 0x68776975,  // 'hwiu'
  kAudioConverterErr_NoHardwarePermission = 0x7065726d,  // 'perm'
};

// Provides input: packets comes with the least number wanted and goes with the number there is, more or
// less. The buffers of data are made to point at it. It stays unchanged until the next call, or until
// the converter is reset or disposed of. No packets and noErr end the stream. No packets and any other
// status mean "not now": finished output is returned with that status, and the converter continues later.
typedef OSStatus (*AudioConverterComplexInputDataProc)(
    AudioConverterRef converter, UInt32 *packets, AudioBufferList *data,
    AudioStreamPacketDescription **packetDescriptions, void *userData);

// The same of a procedure that neither waits nor allocates.
typedef AudioConverterComplexInputDataProc AudioConverterComplexInputDataProcRealtimeSafe;

// The same of one buffer, in bytes, for AudioConverterFillBuffer.
typedef OSStatus (*AudioConverterInputDataProc)(
    AudioConverterRef converter, UInt32 *dataSize, void **data, void *userData);

AURICLE_BEGIN_DECLS

// A converter is used by one thread at a time. Its functions refuse a handle that is none, or disposed
// of, with kAudio_ParamError.
extern OSStatus AudioConverterNew(
    const AudioStreamBasicDescription *sourceFormat,
    const AudioStreamBasicDescription *destinationFormat, AudioConverterRef *converter);
extern OSStatus AudioConverterNewSpecific(
    const AudioStreamBasicDescription *sourceFormat,
    const AudioStreamBasicDescription *destinationFormat, UInt32 classDescriptionCount,
    const AudioClassDescription *classDescriptions, AudioConverterRef *converter);
extern OSStatus AudioConverterNewWithOptions(
    const AudioStreamBasicDescription *sourceFormat,
    const AudioStreamBasicDescription *destinationFormat, AudioConverterOptions options,
    AudioConverterRef *converter);
extern OSStatus AudioConverterDispose(AudioConverterRef converter);
// Forgets sound and the end of the stream; settings stay.
extern OSStatus AudioConverterReset(AudioConverterRef converter);

extern OSStatus AudioConverterGetPropertyInfo(
    AudioConverterRef converter, AudioConverterPropertyID property, UInt32 *size,
    Boolean *isWritable);
extern OSStatus AudioConverterGetProperty(
    AudioConverterRef converter, AudioConverterPropertyID property, UInt32 *size, void *data);
extern OSStatus AudioConverterSetProperty(
    AudioConverterRef converter, AudioConverterPropertyID property, UInt32 size, const void *data);

// For formats with the same rate: all of one buffer, or of a list, at once.
extern OSStatus AudioConverterConvertBuffer(
    AudioConverterRef converter, UInt32 inputSize, const void *input, UInt32 *outputSize,
    void *output);
extern OSStatus AudioConverterConvertComplexBuffer(
    AudioConverterRef converter, UInt32 frameCount, const AudioBufferList *input,
    AudioBufferList *output);

// Returns as many packets as are wanted and fit, made from the procedure's input; fewer at the end of
// the stream.
extern OSStatus AudioConverterFillComplexBuffer(
    AudioConverterRef converter, AudioConverterComplexInputDataProc procedure, void *userData,
    UInt32 *packets, AudioBufferList *output, AudioStreamPacketDescription *packetDescriptions);
// The same between linear formats; 'op' and two question marks where packets are decoded or made.
extern OSStatus AudioConverterFillComplexBufferRealtimeSafe(
    AudioConverterRef converter, AudioConverterComplexInputDataProcRealtimeSafe procedure,
    void *userData, UInt32 *packets, AudioBufferList *output,
    AudioStreamPacketDescription *packetDescriptions);
// Does the same, with the dependencies of each packet; packets of no encoder here depend on others.
extern OSStatus AudioConverterFillComplexBufferWithPacketDependencies(
    AudioConverterRef converter, AudioConverterComplexInputDataProc procedure, void *userData,
    UInt32 *packets, AudioBufferList *output, AudioStreamPacketDescription *packetDescriptions,
    AudioStreamPacketDependencyDescription *packetDependencies);
// The same of one buffer, in bytes.
extern OSStatus AudioConverterFillBuffer(
    AudioConverterRef converter, AudioConverterInputDataProc procedure, void *userData,
    UInt32 *outputSize, void *output);

#if defined(__BLOCKS__) && !defined(__swift__)
// Loads the codecs, so that the first converter need not. The block is called on its own thread, with 'fmt?'
// where codecs are not installed; flags are 0, reserved is NULL, and the block may be.
extern void AudioConverterPrepare(UInt32 flags, void *reserved, void (^completion)(OSStatus));
#endif

AURICLE_END_DECLS

#endif
