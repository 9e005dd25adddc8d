// Conversions between any linear PCM and planar 32-bit float, sample by sample.
// SPDX-License-Identifier: Apache-2.0

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
enum { kNativeIsBigEndian = 1 };
#else
enum { kNativeIsBigEndian = 0 };
#endif

enum { kFractionShift = 7, kFractionMask = 0x3F, kMostChannels = 1024 };

static bool readLayout(const AudioStreamBasicDescription *format, struct SampleLayout *layout) {
  const UInt32 flags = format->mFormatFlags, bits = format->mBitsPerChannel;
  const bool isFloat = flags & kAudioFormatFlagIsFloat;
  const bool isPlanar = flags & kAudioFormatFlagIsNonInterleaved;
  const UInt32 channels = format->mChannelsPerFrame;
  if (format->mFormatID != kAudioFormatLinearPCM || format->mFramesPerPacket > 1 ||
      channels < 1 || channels > kMostChannels || bits < 1 || bits > (isFloat ? 64 : 32))
    return false;
  const UInt32 samples = isPlanar ? 1 : channels;
  const UInt32 frame = format->mBytesPerFrame > 0 ? format->mBytesPerFrame : format->mBytesPerPacket;
  if (format->mBytesPerPacket != 0 && format->mBytesPerPacket != frame) return false;
  if (frame % samples != 0) return false;
  const UInt32 bytes = frame > 0 ? frame / samples : (bits + 7) / 8;
  const UInt32 fraction = flags >> kFractionShift & kFractionMask;
  if (isFloat) {
    if ((bits != 32 && bits != 64) || bytes * 8 != bits || fraction != 0 ||
        (flags & kAudioFormatFlagIsSignedInteger))
      return false;
  } else if (
      bytes < 1 || bytes > 4 || bits > bytes * 8 || fraction > bits ||
      ((flags & kAudioFormatFlagIsPacked) && bits != bytes * 8)) {
    return false;
  }
  *layout = (struct SampleLayout){
      .channelCount = channels,
      .byteCount = bytes,
      .bitCount = bits,
      .fractionBits = isFloat ? 0 : fraction > 0 ? fraction : bits - 1,
      .isFloat = isFloat,
      .isPlanar = isPlanar,
      .isBigEndian = flags & kAudioFormatFlagIsBigEndian,
      .isSigned = isFloat || (flags & kAudioFormatFlagIsSignedInteger),
      .isHigh = bits == bytes * 8 || (flags & kAudioFormatFlagIsAlignedHigh)};
  layout->isCanonical = isFloat && bits == 32 && layout->isBigEndian == kNativeIsBigEndian &&
                        (isPlanar || channels == 1);
  return true;
}

static AudioStreamBasicDescription formatOf(const struct SampleLayout *layout, Float64 sampleRate) {
  UInt32 flags = layout->isFloat    ? (UInt32)kAudioFormatFlagIsFloat
                 : layout->isSigned ? (UInt32)kAudioFormatFlagIsSignedInteger
                                    : 0;
  if (layout->isBigEndian) flags |= kAudioFormatFlagIsBigEndian;
  if (layout->isPlanar) flags |= kAudioFormatFlagIsNonInterleaved;
  if (layout->bitCount == layout->byteCount * 8) flags |= kAudioFormatFlagIsPacked;
  else if (layout->isHigh) flags |= kAudioFormatFlagIsAlignedHigh;
  if (!layout->isFloat && layout->fractionBits != layout->bitCount - 1)
    flags |= layout->fractionBits << kFractionShift;
  return (AudioStreamBasicDescription){
      .mSampleRate = sampleRate,
      .mFormatID = kAudioFormatLinearPCM,
      .mFormatFlags = flags == 0 ? (UInt32)kAudioFormatFlagsAreAllClear : flags,
      .mBytesPerPacket = strideOf(layout),
      .mFramesPerPacket = 1,
      .mBytesPerFrame = strideOf(layout),
      .mChannelsPerFrame = layout->channelCount,
      .mBitsPerChannel = layout->bitCount};
}

// The bytes of a sample as a number, the least significant byte first.
static UInt64 loadWord(const struct SampleLayout *layout, const UInt8 *bytes) {
  UInt64 word = 0;
  for (UInt32 i = 0; i < layout->byteCount; i++)
    word |= (UInt64)bytes[layout->isBigEndian ? layout->byteCount - 1 - i : i] << (8 * i);
  return word;
}

static void storeWord(const struct SampleLayout *layout, UInt64 word, UInt8 *bytes) {
  for (UInt32 i = 0; i < layout->byteCount; i++)
    bytes[layout->isBigEndian ? layout->byteCount - 1 - i : i] = (UInt8)(word >> (8 * i));
}

// Bits below those of an integer.
static UInt32 paddingOf(const struct SampleLayout *layout) {
  return layout->isHigh ? layout->byteCount * 8 - layout->bitCount : 0;
}

static Float32 decodeSample(const struct SampleLayout *layout, const UInt8 *bytes) {
  UInt64 word = loadWord(layout, bytes);
  if (layout->isFloat) {
    if (layout->bitCount == 32) {
      const UInt32 half = (UInt32)word;
      Float32 value;
      memcpy(&value, &half, sizeof value);
      return value;
    }
    Float64 value;
    memcpy(&value, &word, sizeof value);
    return (Float32)value;
  }
  const UInt64 range = UINT64_C(1) << layout->bitCount;
  word = (word >> paddingOf(layout)) & (range - 1);
  SInt64 number = (SInt64)word;
  if (!layout->isSigned) number -= (SInt64)(range / 2);
  else if (word >= range / 2) number -= (SInt64)range;
  return (Float32)ldexp((Float64)number, -(int)layout->fractionBits);
}

static void encodeSample(const struct SampleLayout *layout, Float32 sample, UInt8 *bytes) {
  UInt64 word = 0;
  if (layout->isFloat) {
    if (layout->bitCount == 32) {
      UInt32 half;
      memcpy(&half, &sample, sizeof half);
      word = half;
    } else {
      const Float64 value = sample;
      memcpy(&word, &value, sizeof word);
    }
  } else {
    const UInt64 range = UINT64_C(1) << layout->bitCount;
    const Float64 least = -(Float64)(range / 2), greatest = (Float64)(range / 2) - 1;
    Float64 value = isnan(sample) ? 0 : rint(ldexp(sample, (int)layout->fractionBits));
    value = value < least ? least : value > greatest ? greatest : value;
    SInt64 number = (SInt64)value;
    if (!layout->isSigned) number += (SInt64)(range / 2);
    word = ((UInt64)number & (range - 1)) << paddingOf(layout);
  }
  storeWord(layout, word, bytes);
}

// The buffer of a channel, and how far into it the channel's first sample lies.
static const AudioBuffer *bufferOf(
    const struct SampleLayout *layout, const AudioBufferList *list, UInt32 channel, UInt32 *offset) {
  *offset = layout->isPlanar ? 0 : channel * layout->byteCount;
  return &list->mBuffers[layout->isPlanar ? channel : 0];
}

static void decodeChannel(
    const struct SampleLayout *layout, const AudioBufferList *list, UInt32 channel,
    UInt32 frameCount, Float32 *samples) {
  UInt32 offset;
  const AudioBuffer *buffer = bufferOf(layout, list, channel, &offset);
  const UInt32 stride = strideOf(layout), held = buffer->mDataByteSize / stride;
  const UInt8 *bytes = (const UInt8 *)buffer->mData + offset;
  for (UInt32 i = 0; i < frameCount; i++)
    samples[i] = i < held ? decodeSample(layout, bytes + (size_t)i * stride) : 0;
}

static void encodeChannel(
    const struct SampleLayout *layout, const Float32 *samples, UInt32 channel, UInt32 frameCount,
    const AudioBufferList *list) {
  UInt32 offset;
  const AudioBuffer *buffer = bufferOf(layout, list, channel, &offset);
  const UInt32 stride = strideOf(layout);
  UInt8 *bytes = (UInt8 *)buffer->mData + offset;
  for (UInt32 i = 0; i < frameCount; i++)
    encodeSample(layout, samples[i], bytes + (size_t)i * stride);
}
