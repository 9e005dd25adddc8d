// Strings, and addresses of files.
// SPDX-License-Identifier: Apache-2.0
#include "Objects.h"

extern __attribute__((visibility("hidden"))) int constantStringClass[64];

struct Text textOf(CFStringRef string) {
  const struct Object *object = (const struct Object *)string;
  if (typeOf(object) != kStringType) return (struct Text){NULL, NULL, 0};
  if (object->isa != (const void *)constantStringClass) {
    const struct String *own = (const struct String *)string;
    return (struct Text){own->units, NULL, own->length};
  }
  const struct __AuricleConstantString *constant = (const void *)string;
  // The bit of the info word that says UTF-16.
  const bool isWide = (constant->info & 0x10) != 0;
  return (struct Text){isWide ? constant->text : NULL, isWide ? NULL : constant->text, constant->length};
}

CFStringRef makeString(UniChar *units, CFIndex length) {
  struct String *string = makeObject(sizeof *string, kStringType);
  if (string == NULL) {
    free(units);
    return NULL;
  }
  string->units = units;
  string->length = string->capacity = length;
  return (CFStringRef)string;
}

static UniChar *newUnits(CFIndex count) { return malloc((size_t)(count > 0 ? count : 1) * sizeof(UniChar)); }

// Writes a character as one or two units; returns how many.
static int writeUnits(UInt32 character, UniChar *units) {
  if (character < 0x10000) {
    units[0] = (UniChar)character;
    return 1;
  }
  units[0] = (UniChar)(0xD800 + ((character - 0x10000) >> 10));
  units[1] = (UniChar)(0xDC00 + ((character - 0x10000) & 0x3FF));
  return 2;
}

// Reads a character of UTF-8, at most `left` bytes; returns its bytes, or 0 for malformed ones.
static int readUTF8(const UInt8 *bytes, CFIndex left, UInt32 *character) {
  const UInt8 first = bytes[0];
  if (first < 0x80) {
    *character = first;
    return 1;
  }
  const int size = first >= 0xF0 && first < 0xF5 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 0;
  if (size == 0 || first >= 0xF5 || left < size) return 0;
  UInt32 value = first & (0xFF >> (size + 1));
  for (int i = 1; i < size; i++) {
    if ((bytes[i] & 0xC0) != 0x80) return 0;
    value = value << 6 | (bytes[i] & 0x3F);
  }
  static const UInt32 least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (value < least[size] || value > 0x10FFFF || (value >= 0xD800 && value < 0xE000)) return 0;
  *character = value;
  return size;
}

static CFStringRef stringOfUTF8(const UInt8 *bytes, CFIndex count) {
  UniChar *units = newUnits(count);
  CFIndex length = 0;
  for (CFIndex place = 0; units != NULL && place < count;) {
    UInt32 character;
    const int size = readUTF8(bytes + place, count - place, &character);
    if (size == 0) {
      free(units);
      return NULL;
    }
    place += size;
    length += writeUnits(character, units + length);
  }
  return units == NULL ? NULL : makeString(units, length);
}

static bool isWide(CFStringEncoding encoding) {
  return encoding == kCFStringEncodingUTF16 || encoding == kCFStringEncodingUTF16LE || encoding == kCFStringEncodingUTF16BE;
}

static CFStringRef stringOfUTF16(const UInt8 *bytes, CFIndex count, bool isBigEndian) {
  UniChar *units = newUnits(count / 2);
  for (CFIndex i = 0; units != NULL && i < count / 2; i++)
    units[i] = (UniChar)(isBigEndian ? bytes[2 * i] << 8 | bytes[2 * i + 1] : bytes[2 * i] | bytes[2 * i + 1] << 8);
  return units == NULL ? NULL : makeString(units, count / 2);
}

CFStringRef CFStringCreateWithBytes(
    CFAllocatorRef allocator, const UInt8 *bytes, CFIndex count, CFStringEncoding encoding, Boolean isExternal) {
  (void)allocator, (void)isExternal;
  if (count < 0 || (bytes == NULL && count > 0)) return NULL;
  if (encoding == kCFStringEncodingUTF8) return stringOfUTF8(bytes, count);
  if (isWide(encoding)) return stringOfUTF16(bytes, count, encoding == kCFStringEncodingUTF16BE);
  const bool isASCII = encoding == kCFStringEncodingASCII || encoding == kCFStringEncodingMacRoman;
  UniChar *units = newUnits(count);
  for (CFIndex i = 0; units != NULL && i < count; i++) {
    if (isASCII && bytes[i] > 0x7F) {
      free(units);
      return NULL;
    }
    units[i] = bytes[i];
  }
  return units == NULL ? NULL : makeString(units, count);
}

CFStringRef CFStringCreateWithCString(CFAllocatorRef allocator, const char *text, CFStringEncoding encoding) {
  return text == NULL ? NULL : CFStringCreateWithBytes(allocator, (const UInt8 *)text, (CFIndex)strlen(text), encoding, false);
}

CFStringRef CFStringCreateWithCStringNoCopy(
    CFAllocatorRef allocator, const char *text, CFStringEncoding encoding, CFAllocatorRef deallocator) {
  CFStringRef string = CFStringCreateWithCString(allocator, text, encoding);
  if (string != NULL && deallocator == NULL) free((void *)text);
  return string;
}

CFStringRef CFStringCreateWithCharacters(CFAllocatorRef allocator, const UniChar *characters, CFIndex count) {
  (void)allocator;
  UniChar *units = count < 0 ? NULL : newUnits(count);
  if (units == NULL) return NULL;
  memcpy(units, characters, (size_t)count * sizeof *units);
  return makeString(units, count);
}

CFStringRef CFStringCreateWithSubstring(CFAllocatorRef allocator, CFStringRef string, CFRange range) {
  (void)allocator;
  const struct Text text = textOf(string);
  if (range.location < 0 || range.length < 0 || range.location > text.length - range.length) return NULL;
  UniChar *units = newUnits(range.length);
  for (CFIndex i = 0; units != NULL && i < range.length; i++) units[i] = unitAt(&text, range.location + i);
  return units == NULL ? NULL : makeString(units, range.length);
}

CFStringRef CFStringCreateCopy(CFAllocatorRef allocator, CFStringRef string) {
  return string == NULL ? NULL
                        : CFStringCreateWithSubstring(allocator, string, CFRangeMake(0, CFStringGetLength(string)));
}

CFMutableStringRef CFStringCreateMutableCopy(CFAllocatorRef allocator, CFIndex maximumLength, CFStringRef string) {
  (void)maximumLength;
  return (CFMutableStringRef)CFStringCreateCopy(allocator, string);
}

CFMutableStringRef CFStringCreateMutable(CFAllocatorRef allocator, CFIndex maximumLength) {
  (void)allocator, (void)maximumLength;
  UniChar *units = newUnits(0);
  return units == NULL ? NULL : (CFMutableStringRef)makeString(units, 0);
}

void CFStringAppend(CFMutableStringRef reference, CFStringRef added) {
  struct String *string = (struct String *)reference;
  CFStringRef kept = CFStringCreateCopy(NULL, added);
  if (kept == NULL) return;
  const struct Text text = textOf(kept);
  UniChar *units = realloc(string->units, (size_t)(string->length + text.length + 1) * sizeof *units);
  if (units != NULL) {
    string->units = units;
    memcpy(units + string->length, text.units, (size_t)text.length * sizeof *units);
    string->length += text.length;
  }
  CFRelease(kept);
}

void CFStringAppendCString(CFMutableStringRef string, const char *added, CFStringEncoding encoding) {
  CFStringRef made = CFStringCreateWithCString(NULL, added, encoding);
  if (made == NULL) return;
  CFStringAppend(string, made);
  CFRelease(made);
}

CFTypeID CFStringGetTypeID(void) { return kStringType; }
CFIndex CFStringGetLength(CFStringRef string) { return textOf(string).length; }
const char *CFStringGetCStringPtr(CFStringRef string, CFStringEncoding encoding) {
  (void)string, (void)encoding;
  return NULL;
}
const UniChar *CFStringGetCharactersPtr(CFStringRef string) { return textOf(string).units; }

UniChar CFStringGetCharacterAtIndex(CFStringRef string, CFIndex index) {
  const struct Text text = textOf(string);
  return index < 0 || index >= text.length ? 0 : unitAt(&text, index);
}

void CFStringGetCharacters(CFStringRef string, CFRange range, UniChar *buffer) {
  const struct Text text = textOf(string);
  for (CFIndex i = 0; i < range.length; i++) {
    const CFIndex place = range.location + i;
    buffer[i] = place < 0 || place >= text.length ? 0 : unitAt(&text, place);
  }
}

// Writes the character at a place in an encoding; returns its bytes, 0 where it has none there. `used` is its units.
static int writeCharacter(const struct Text *text, CFIndex place, CFIndex end, CFStringEncoding encoding, UInt8 *bytes, int *used) {
  UInt32 character = unitAt(text, place);
  *used = 1;
  if (isWide(encoding)) {
    const bool isBigEndian = encoding == kCFStringEncodingUTF16BE;
    bytes[isBigEndian] = (UInt8)character;
    bytes[!isBigEndian] = (UInt8)(character >> 8);
    return 2;
  }
  if (character >= 0xD800 && character < 0xE000) {
    const UInt32 low = character < 0xDC00 && place + 1 < end ? unitAt(text, place + 1) : 0;
    if (low < 0xDC00 || low > 0xDFFF) return 0;
    character = 0x10000 + ((character - 0xD800) << 10) + (low - 0xDC00);
    *used = 2;
  }
  if (encoding != kCFStringEncodingUTF8) {
    const UInt32 limit = encoding == kCFStringEncodingISOLatin1 || encoding == kCFStringEncodingWindowsLatin1 ? 0x100 : 0x80;
    bytes[0] = (UInt8)character;
    return character < limit;
  }
  if (character < 0x80) {
    bytes[0] = (UInt8)character;
    return 1;
  }
  const int size = character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
  for (int i = size - 1; i > 0; i--, character >>= 6) bytes[i] = (UInt8)(0x80 | (character & 0x3F));
  bytes[0] = (UInt8)((0xF00 >> size) | character);
  return size;
}

CFIndex CFStringGetBytes(
    CFStringRef string, CFRange range, CFStringEncoding encoding, UInt8 lossByte, Boolean isExternal, UInt8 *buffer,
    CFIndex bufferSize, CFIndex *usedByteCount) {
  (void)isExternal;
  const struct Text text = textOf(string);
  CFIndex place = range.location, bytes = 0;
  const CFIndex end = range.location + range.length < text.length ? range.location + range.length : text.length;
  while (place >= 0 && place < end) {
    UInt8 character[4];
    int used, size = writeCharacter(&text, place, end, encoding, character, &used);
    if (size == 0) {
      if (lossByte == 0) break;
      character[0] = lossByte;
      size = 1;
    }
    if (buffer != NULL && bytes + size > bufferSize) break;
    if (buffer != NULL) memcpy(buffer + bytes, character, (size_t)size);
    bytes += size;
    place += used;
  }
  if (usedByteCount != NULL) *usedByteCount = bytes;
  return place - range.location;
}

Boolean CFStringGetCString(CFStringRef string, char *buffer, CFIndex bufferSize, CFStringEncoding encoding) {
  CFIndex used = 0;
  const CFIndex length = CFStringGetLength(string);
  if (buffer == NULL || bufferSize < 1) return false;
  const CFIndex done = CFStringGetBytes(string, CFRangeMake(0, length), encoding, 0, false, (UInt8 *)buffer, bufferSize - 1, &used);
  buffer[used] = 0;
  return done == length;
}

CFIndex CFStringGetMaximumSizeForEncoding(CFIndex length, CFStringEncoding encoding) {
  return length * (encoding == kCFStringEncodingUTF8 ? 3 : isWide(encoding) ? 2 : 1);
}

CFStringEncoding CFStringGetSystemEncoding(void) { return kCFStringEncodingUTF8; }

static UniChar folded(UniChar unit) { return unit >= 'A' && unit <= 'Z' ? unit + 32 : unit; }

CFComparisonResult CFStringCompare(CFStringRef string1, CFStringRef string2, CFStringCompareFlags options) {
  const struct Text one = textOf(string1), other = textOf(string2);
  for (CFIndex i = 0; i < one.length && i < other.length; i++) {
    UniChar first = unitAt(&one, i), second = unitAt(&other, i);
    if (options & kCFCompareCaseInsensitive) first = folded(first), second = folded(second);
    if (first != second) return first < second ? kCFCompareLessThan : kCFCompareGreaterThan;
  }
  return one.length == other.length ? kCFCompareEqualTo : one.length < other.length ? kCFCompareLessThan : kCFCompareGreaterThan;
}

// Whether a string has another at a place.
static bool hasAt(CFStringRef string, CFIndex place, CFStringRef part) {
  const struct Text text = textOf(string), wanted = textOf(part);
  if (place < 0 || place > text.length - wanted.length) return false;
  for (CFIndex i = 0; i < wanted.length; i++)
    if (unitAt(&text, place + i) != unitAt(&wanted, i)) return false;
  return true;
}

Boolean CFStringHasPrefix(CFStringRef string, CFStringRef prefix) { return hasAt(string, 0, prefix); }
Boolean CFStringHasSuffix(CFStringRef string, CFStringRef suffix) {
  return hasAt(string, CFStringGetLength(string) - CFStringGetLength(suffix), suffix);
}

double CFStringGetDoubleValue(CFStringRef string) {
  char text[64];
  CFStringGetCString(string, text, sizeof text, kCFStringEncodingUTF8);
  return strtod(text, NULL);
}
SInt32 CFStringGetIntValue(CFStringRef string) { return (SInt32)CFStringGetDoubleValue(string); }

Boolean CFStringGetFileSystemRepresentation(CFStringRef string, char *buffer, CFIndex bufferSize) {
  return CFStringGetCString(string, buffer, bufferSize, kCFStringEncodingUTF8);
}
CFStringRef CFStringCreateWithFileSystemRepresentation(CFAllocatorRef allocator, const char *path) {
  return CFStringCreateWithCString(allocator, path, kCFStringEncodingUTF8);
}

CFTypeID CFURLGetTypeID(void) { return kURLType; }

CFURLRef CFURLCreateFromFileSystemRepresentation(
    CFAllocatorRef allocator, const UInt8 *path, CFIndex length, Boolean isDirectory) {
  (void)allocator;
  struct URL *url = path == NULL || length < 1 ? NULL : makeObject(sizeof *url, kURLType);
  if (url == NULL) return NULL;
  url->path = strndup((const char *)path, (size_t)length);
  url->isFolder = isDirectory;
  if (url->path != NULL) return (CFURLRef)url;
  free(url);
  return NULL;
}

Boolean CFURLGetFileSystemRepresentation(CFURLRef reference, Boolean resolves, UInt8 *buffer, CFIndex bufferSize) {
  (void)resolves;
  const struct URL *url = (const struct URL *)reference;
  if (typeOf(url) != kURLType || (CFIndex)strlen(url->path) >= bufferSize) return false;
  strcpy((char *)buffer, url->path);
  return true;
}

CFURLRef CFURLCreateWithFileSystemPath(CFAllocatorRef allocator, CFStringRef path, CFURLPathStyle style, Boolean isDirectory) {
  char text[4096];
  if (style != kCFURLPOSIXPathStyle || !CFStringGetCString(path, text, sizeof text, kCFStringEncodingUTF8)) return NULL;
  return CFURLCreateFromFileSystemRepresentation(allocator, (const UInt8 *)text, (CFIndex)strlen(text), isDirectory);
}

CFStringRef CFURLCopyFileSystemPath(CFURLRef url, CFURLPathStyle style) {
  return style != kCFURLPOSIXPathStyle || typeOf(url) != kURLType
             ? NULL
             : CFStringCreateWithCString(NULL, ((const struct URL *)url)->path, kCFStringEncodingUTF8);
}

Boolean CFURLHasDirectoryPath(CFURLRef url) { return typeOf(url) == kURLType && ((const struct URL *)url)->isFolder; }
CFURLRef CFURLCopyAbsoluteURL(CFURLRef url) { return url == NULL ? NULL : CFRetain(url); }
