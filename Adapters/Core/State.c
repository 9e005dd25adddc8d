// States as property lists: ClassInfo to XML, and XML or binary lists to ClassInfo.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "Chain.h"
#include "Internal.h"

enum { kMaximumDepth = 64, kMaximumState = 1 << 28 };

// ---- Writing.

struct Writer {
  const struct Foundation *cf;
  char *bytes;
  size_t length, capacity;
  bool hasFailed;
};

static void put(struct Writer *writer, const char *text, size_t count) {
  if (writer->length + count + 1 > writer->capacity) {
    const size_t wanted = 2 * (writer->length + count) + 256;
    char *grown = realloc(writer->bytes, wanted);
    if (grown == NULL) {
      writer->hasFailed = true;
      return;
    }
    writer->bytes = grown;
    writer->capacity = wanted;
  }
  memcpy(writer->bytes + writer->length, text, count);
  writer->length += count;
  writer->bytes[writer->length] = 0;
}

static void putText(struct Writer *writer, const char *text) { put(writer, text, strlen(text)); }

static void putIndent(struct Writer *writer, int depth) {
  for (int i = 0; i < depth; i++) put(writer, "\t", 1);
}

// Writes a string of any length, with XML's reserved characters as names.
static void putEscaped(struct Writer *writer, CFStringRef string) {
  const struct Foundation *cf = writer->cf;
  const CFIndex length = cf->CFStringGetLength(string);
  CFIndex used = 0;
  char *text = malloc((size_t)length * 3 + 1);
  if (text == NULL) {
    writer->hasFailed = true;
    return;
  }
  cf->CFStringGetBytes(string, (CFRange){0, length}, kCFStringEncodingUTF8, '?', false, (UInt8 *)text, length * 3, &used);
  for (CFIndex i = 0; i < used; i++) {
    const unsigned char byte = (unsigned char)text[i];
    if (byte == '&') putText(writer, "&amp;");
    else if (byte == '<') putText(writer, "&lt;");
    else if (byte == '>') putText(writer, "&gt;");
    else if (byte >= 0x20 || byte == '\n' || byte == '\t') put(writer, text + i, 1);
    else put(writer, " ", 1);
  }
  free(text);
}

static const char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void putBase64(struct Writer *writer, const UInt8 *bytes, CFIndex count, int depth) {
  for (CFIndex i = 0; i < count; i += 3) {
    if (i > 0 && i % 51 == 0) putText(writer, "\n"), putIndent(writer, depth);
    const UInt32 word = (UInt32)bytes[i] << 16 | (i + 1 < count ? bytes[i + 1] << 8 : 0) | (i + 2 < count ? bytes[i + 2] : 0);
    const char group[4] = {kDigits[word >> 18], kDigits[word >> 12 & 63], i + 1 < count ? kDigits[word >> 6 & 63] : '=',
                           i + 2 < count ? kDigits[word & 63] : '='};
    put(writer, group, 4);
  }
}

static void putNumber(struct Writer *writer, CFNumberRef number) {
  char text[64];
  if (writer->cf->CFNumberIsFloatType(number)) {
    double value = 0;
    writer->cf->CFNumberGetValue(number, kCFNumberFloat64Type, &value);
    snprintf(text, sizeof text, "<real>%.17g</real>\n", value);
    for (char *place = text; *place != 0; place++)
      if (*place == ',') *place = '.';
  } else {
    SInt64 value = 0;
    writer->cf->CFNumberGetValue(number, kCFNumberSInt64Type, &value);
    snprintf(text, sizeof text, "<integer>%lld</integer>\n", (long long)value);
  }
  putText(writer, text);
}

static void putValue(struct Writer *writer, CFTypeRef value, int depth);

// Whether a key comes before another.
static int compareKeys(const struct Foundation *cf, CFStringRef one, CFStringRef other) {
  char first[kTextSize], second[kTextSize];
  copyText(cf, one, first, sizeof first);
  copyText(cf, other, second, sizeof second);
  return strcmp(first, second);
}

static void putDictionary(struct Writer *writer, CFDictionaryRef dictionary, int depth) {
  const struct Foundation *cf = writer->cf;
  const CFIndex count = cf->CFDictionaryGetCount(dictionary);
  const void **keys = calloc((size_t)count * 2 + 1, sizeof *keys), **values = keys + count;
  if (keys == NULL) {
    writer->hasFailed = true;
    return;
  }
  cf->CFDictionaryGetKeysAndValues(dictionary, keys, values);
  // In order, so that the same state is the same bytes.
  for (CFIndex i = 1; i < count; i++)
    for (CFIndex place = i; place > 0 && compareKeys(cf, keys[place - 1], keys[place]) > 0; place--) {
      const void *key = keys[place], *value = values[place];
      keys[place] = keys[place - 1], values[place] = values[place - 1];
      keys[place - 1] = key, values[place - 1] = value;
    }
  putText(writer, "<dict>\n");
  for (CFIndex i = 0; i < count; i++) {
    putIndent(writer, depth + 1);
    putText(writer, "<key>");
    putEscaped(writer, keys[i]);
    putText(writer, "</key>\n");
    putValue(writer, values[i], depth + 1);
  }
  putIndent(writer, depth);
  putText(writer, "</dict>\n");
  free(keys);
}

static void putArray(struct Writer *writer, CFArrayRef array, int depth) {
  putText(writer, "<array>\n");
  for (CFIndex i = 0; i < writer->cf->CFArrayGetCount(array); i++)
    putValue(writer, writer->cf->CFArrayGetValueAtIndex(array, i), depth + 1);
  putIndent(writer, depth);
  putText(writer, "</array>\n");
}

static void putValue(struct Writer *writer, CFTypeRef value, int depth) {
  const struct Foundation *cf = writer->cf;
  const CFTypeID type = value == NULL || depth > kMaximumDepth ? 0 : cf->CFGetTypeID(value);
  putIndent(writer, depth);
  if (type == cf->CFBooleanGetTypeID()) {
    putText(writer, cf->CFBooleanGetValue(value) ? "<true/>\n" : "<false/>\n");
  } else if (type == cf->CFStringGetTypeID()) {
    putText(writer, "<string>");
    putEscaped(writer, value);
    putText(writer, "</string>\n");
  } else if (type == cf->CFNumberGetTypeID()) {
    putNumber(writer, value);
  } else if (type == cf->CFDataGetTypeID()) {
    putText(writer, "<data>\n");
    putIndent(writer, depth);
    putBase64(writer, cf->CFDataGetBytePtr(value), cf->CFDataGetLength(value), depth);
    putText(writer, "\n");
    putIndent(writer, depth);
    putText(writer, "</data>\n");
  } else if (type == cf->CFDictionaryGetTypeID()) {
    putDictionary(writer, value, depth);
  } else if (type == cf->CFArrayGetTypeID()) {
    putArray(writer, value, depth);
  } else {
    // A date or an object of another kind is no state.
    writer->hasFailed = true;
  }
}

static CFDictionaryRef copyClassInfo(struct Unit *unit) {
  CFDictionaryRef state = NULL;
  UInt32 size = sizeof state;
  const OSStatus status = getProperty(unit, kAudioUnitProperty_ClassInfo, kAudioUnitScope_Global, 0, &state, &size);
  return status == kAudio_NoError ? state : NULL;
}

char *writeList(const struct Foundation *cf, CFTypeRef list, size_t *length) {
  struct Writer writer = {.cf = cf};
  putText(
      &writer,
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n"
      "<plist version=\"1.0\">\n");
  putValue(&writer, list, 0);
  putText(&writer, "</plist>\n");
  if (writer.hasFailed) {
    free(writer.bytes);
    return NULL;
  }
  *length = writer.length;
  return writer.bytes;
}

// The key of a state that was saved while the unit was bypassed: hosts restore the bypass with the other parameters. Units
// pass over it.
static const char kBypassedKey[] = "<key>auricle-bypassed</key>";

// Adds the key to a list whose root is a dictionary.
static char *addBypass(char *bytes, size_t *length) {
  static const char value[] = "<true/>", opening[] = "<dict>";
  const size_t added = sizeof kBypassedKey - 1 + sizeof value - 1;
  char *place = bytes == NULL ? NULL : memmem(bytes, *length, opening, sizeof opening - 1);
  char *grown = place == NULL ? NULL : malloc(*length + added + 1);
  if (grown == NULL) return bytes;
  const size_t begin = (size_t)(place - bytes) + sizeof opening - 1;
  memcpy(grown, bytes, begin);
  memcpy(grown + begin, kBypassedKey, sizeof kBypassedKey - 1);
  memcpy(grown + begin + sizeof kBypassedKey - 1, value, sizeof value - 1);
  memcpy(grown + begin + added, bytes + begin, *length - begin);
  grown[*length + added] = 0;
  *length += added;
  free(bytes);
  return grown;
}

static bool saysBypass(const char *bytes, size_t length) {
  return memmem(bytes, length, kBypassedKey, sizeof kBypassedKey - 1) != NULL;
}

char *saveState(struct Unit *unit, size_t *length) {
  if (unit->chain != NULL) return saveChain(unit, length);
  CFDictionaryRef state = copyClassInfo(unit);
  if (state == NULL) return NULL;
  char *bytes = writeList(unit->cf, state, length);
  unit->cf->CFRelease(state);
  return unit->canBypass && isBypassed(unit) ? addBypass(bytes, length) : bytes;
}

bool hasOwnState(struct Unit *unit) {
  static const char *const common[] = {"version", "type", "subtype", "manufacturer", "name", "data", "render-quality", "preset-number"};
  CFDictionaryRef state = copyClassInfo(unit);
  const CFIndex count = state == NULL ? 0 : unit->cf->CFDictionaryGetCount(state);
  const void **keys = calloc((size_t)count * 2 + 1, sizeof *keys);
  bool isOwn = false;
  if (state != NULL && keys != NULL) unit->cf->CFDictionaryGetKeysAndValues(state, keys, keys + count);
  for (CFIndex i = 0; keys != NULL && i < count; i++) {
    char key[kTextSize];
    bool isCommon = false;
    copyText(unit->cf, keys[i], key, sizeof key);
    for (size_t word = 0; word < sizeof common / sizeof *common; word++) isCommon |= strcmp(key, common[word]) == 0;
    isOwn |= !isCommon;
  }
  free(keys);
  if (state != NULL) unit->cf->CFRelease(state);
  return isOwn;
}

// ---- Reading XML.

struct Reader {
  const struct Foundation *cf;
  const char *place, *end;
};

static void skipSpace(struct Reader *reader) {
  while (reader->place < reader->end && strchr(" \t\r\n", *reader->place) != NULL && *reader->place != 0) reader->place++;
}

static bool skipPast(struct Reader *reader, const char *mark) {
  const size_t count = strlen(mark);
  for (; reader->end - reader->place >= (ptrdiff_t)count; reader->place++)
    if (memcmp(reader->place, mark, count) == 0) {
      reader->place += count;
      return true;
    }
  return false;
}

static bool startsWith(const struct Reader *reader, const char *mark) {
  const size_t count = strlen(mark);
  return reader->end - reader->place >= (ptrdiff_t)count && memcmp(reader->place, mark, count) == 0;
}

// Skips all between elements: space, comments, instructions, the type of the document.
static bool skipMisc(struct Reader *reader) {
  for (;;) {
    skipSpace(reader);
    if (startsWith(reader, "<!--")) {
      if (!skipPast(reader, "-->")) return false;
    } else if (startsWith(reader, "<?")) {
      if (!skipPast(reader, "?>")) return false;
    } else if (startsWith(reader, "<!DOCTYPE")) {
      const char *bracket = memchr(reader->place, '[', (size_t)(reader->end - reader->place));
      const char *close = memchr(reader->place, '>', (size_t)(reader->end - reader->place));
      // A type with declarations could name entities: no state has one.
      if (close == NULL || (bracket != NULL && bracket < close)) return false;
      reader->place = close + 1;
    } else {
      return true;
    }
  }
}

// Reads "<name …>" or "<name …/>".
static bool readTag(struct Reader *reader, char *name, size_t size, bool *isEmpty) {
  size_t length = 0;
  if (!skipMisc(reader) || !startsWith(reader, "<")) return false;
  reader->place++;
  while (reader->place < reader->end && strchr(" \t\r\n/>", *reader->place) == NULL && length + 1 < size) name[length++] = *reader->place++;
  if (length == 0 && startsWith(reader, "/")) {
    name[length++] = *reader->place++;
    while (reader->place < reader->end && *reader->place != '>' && length + 1 < size) name[length++] = *reader->place++;
  }
  name[length] = 0;
  while (reader->place < reader->end && *reader->place != '>') reader->place++;
  if (reader->place == reader->end || length == 0) return false;
  *isEmpty = reader->place[-1] == '/' && name[0] != '/';
  reader->place++;
  return true;
}

// The character of "&name;" at a place; advances past it.
static int readEntity(struct Reader *reader, char *bytes) {
  static const struct {
    const char *name;
    char byte;
  } known[] = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (startsWith(reader, known[i].name)) {
      reader->place += strlen(known[i].name);
      bytes[0] = known[i].byte;
      return 1;
    }
  if (!startsWith(reader, "&#")) return 0;
  const bool isHex = reader->place + 2 < reader->end && reader->place[2] == 'x';
  char digits[12] = "";
  const char *place = reader->place + (isHex ? 3 : 2);
  for (size_t i = 0; place < reader->end && *place != ';' && i + 1 < sizeof digits; i++) digits[i] = *place++, digits[i + 1] = 0;
  const unsigned long code = strtoul(digits, NULL, isHex ? 16 : 10);
  if (place == reader->end || *place != ';' || code == 0 || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return 0;
  reader->place = place + 1;
  if (code < 0x80) return bytes[0] = (char)code, 1;
  const int size = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  unsigned long rest = code;
  for (int i = size - 1; i > 0; i--, rest >>= 6) bytes[i] = (char)(0x80 | (rest & 0x3F));
  bytes[0] = (char)((0xF00 >> size) | rest);
  return size;
}

// The text up to the end of an element, its entities resolved; to be freed.
static char *readContent(struct Reader *reader, const char *name, bool isEmpty, size_t *length) {
  char closing[kTextSize], tag[64];
  bool isAnEmpty;
  char *text = malloc((size_t)(reader->end - reader->place) + 8);
  *length = 0;
  if (text == NULL || isEmpty) return text;
  while (reader->place < reader->end && *reader->place != '<') {
    const int size = *reader->place == '&' ? readEntity(reader, text + *length) : 0;
    if (size == 0) text[*length] = *reader->place++;
    *length += size == 0 ? 1 : (size_t)size;
  }
  text[*length] = 0;
  snprintf(closing, sizeof closing, "/%s", name);
  if (readTag(reader, tag, sizeof tag, &isAnEmpty) && strcmp(tag, closing) == 0) return text;
  free(text);
  return NULL;
}

static CFDataRef dataOfBase64(const struct Foundation *cf, const char *text, size_t length) {
  UInt8 *bytes = malloc(length + 4);
  size_t count = 0;
  UInt32 word = 0, digits = 0;
  if (bytes == NULL) return NULL;
  for (size_t i = 0; i < length && text[i] != '='; i++) {
    const char *digit = text[i] == 0 ? NULL : strchr(kDigits, text[i]);
    if (digit == NULL) continue;
    word = word << 6 | (UInt32)(digit - kDigits);
    if (++digits % 4 == 0) bytes[count++] = (UInt8)(word >> 16), bytes[count++] = (UInt8)(word >> 8), bytes[count++] = (UInt8)word;
  }
  if (digits % 4 == 2) bytes[count++] = (UInt8)(word >> 4);
  if (digits % 4 == 3) bytes[count++] = (UInt8)(word >> 10), bytes[count++] = (UInt8)(word >> 2);
  CFDataRef data = cf->CFDataCreate(NULL, bytes, (CFIndex)count);
  free(bytes);
  return data;
}

static CFTypeRef numberOfInteger(const struct Foundation *cf, SInt64 value) {
  const SInt32 narrow = (SInt32)value;
  return narrow == value ? cf->CFNumberCreate(NULL, kCFNumberSInt32Type, &narrow) : cf->CFNumberCreate(NULL, kCFNumberSInt64Type, &value);
}

static CFTypeRef readElement(struct Reader *reader, const char *name, bool isEmpty, int depth);

static CFTypeRef readDictionary(struct Reader *reader, bool isEmpty, int depth) {
  const struct Foundation *cf = reader->cf;
  CFMutableDictionaryRef dictionary =
      cf->CFDictionaryCreateMutable(NULL, 0, cf->kCFTypeDictionaryKeyCallBacks, cf->kCFTypeDictionaryValueCallBacks);
  char name[64];
  bool isAnEmpty;
  while (!isEmpty && dictionary != NULL && readTag(reader, name, sizeof name, &isAnEmpty)) {
    if (strcmp(name, "/dict") == 0) return dictionary;
    CFTypeRef key = strcmp(name, "key") == 0 ? readElement(reader, "key", isAnEmpty, depth) : NULL;
    CFTypeRef value = key != NULL && readTag(reader, name, sizeof name, &isAnEmpty) ? readElement(reader, name, isAnEmpty, depth) : NULL;
    if (value != NULL) cf->CFDictionarySetValue(dictionary, key, value);
    if (key != NULL) cf->CFRelease(key);
    if (value == NULL) break;
    cf->CFRelease(value);
  }
  if (isEmpty || dictionary == NULL) return dictionary;
  cf->CFRelease(dictionary);
  return NULL;
}

static CFTypeRef readArray(struct Reader *reader, bool isEmpty, int depth) {
  const struct Foundation *cf = reader->cf;
  CFMutableArrayRef array = cf->CFArrayCreateMutable(NULL, 0, cf->kCFTypeArrayCallBacks);
  char name[64];
  bool isAnEmpty;
  while (!isEmpty && array != NULL && readTag(reader, name, sizeof name, &isAnEmpty)) {
    if (strcmp(name, "/array") == 0) return array;
    CFTypeRef value = readElement(reader, name, isAnEmpty, depth);
    if (value == NULL) break;
    cf->CFArrayAppendValue(array, value);
    cf->CFRelease(value);
  }
  if (isEmpty || array == NULL) return array;
  cf->CFRelease(array);
  return NULL;
}

static CFTypeRef readElement(struct Reader *reader, const char *name, bool isEmpty, int depth) {
  const struct Foundation *cf = reader->cf;
  CFTypeRef value = NULL;
  size_t length = 0;
  if (depth > kMaximumDepth) return NULL;
  if (strcmp(name, "dict") == 0) return readDictionary(reader, isEmpty, depth + 1);
  if (strcmp(name, "array") == 0) return readArray(reader, isEmpty, depth + 1);
  char *text = readContent(reader, name, isEmpty, &length);
  if (text == NULL) return NULL;
  if (strcmp(name, "true") == 0 || strcmp(name, "false") == 0) {
    value = cf->CFRetain(name[0] == 't' ? *cf->kCFBooleanTrue : *cf->kCFBooleanFalse);
  } else if (strcmp(name, "string") == 0 || strcmp(name, "key") == 0) {
    value = cf->CFStringCreateWithBytes(NULL, (const UInt8 *)text, (CFIndex)length, kCFStringEncodingUTF8, false);
  } else if (strcmp(name, "integer") == 0) {
    text[length] = 0;
    value = numberOfInteger(cf, strtoll(text, NULL, 0));
  } else if (strcmp(name, "real") == 0) {
    text[length] = 0;
    const double number = readNumber(text, NULL);
    value = cf->CFNumberCreate(NULL, kCFNumberFloat64Type, &number);
  } else if (strcmp(name, "data") == 0) {
    value = dataOfBase64(cf, text, length);
  }
  free(text);
  return value;
}

static CFTypeRef readXML(struct Reader *reader) {
  char name[64];
  bool isEmpty;
  if (startsWith(reader, "\xEF\xBB\xBF")) reader->place += 3;
  if (!readTag(reader, name, sizeof name, &isEmpty) || strcmp(name, "plist") != 0 || isEmpty) return NULL;
  if (!readTag(reader, name, sizeof name, &isEmpty)) return NULL;
  CFTypeRef value = readElement(reader, name, isEmpty, 0);
  if (value == NULL) return NULL;
  // A list that is cut off is no state.
  if (readTag(reader, name, sizeof name, &isEmpty) && strcmp(name, "/plist") == 0) return value;
  reader->cf->CFRelease(value);
  return NULL;
}

// ---- Reading binary lists.

struct Binary {
  const struct Foundation *cf;
  const UInt8 *bytes;
  UInt64 length, table, count, budget;
  UInt8 offsetSize, referenceSize;
};

static UInt64 bigEndian(const UInt8 *bytes, UInt32 size) {
  UInt64 value = 0;
  for (UInt32 i = 0; i < size; i++) value = value << 8 | bytes[i];
  return value;
}

static CFTypeRef readObject(struct Binary *list, UInt64 number, int depth);

// A list of references: objects of an array, or keys and values of a dictionary.
static CFTypeRef readContainer(struct Binary *list, UInt64 place, UInt64 count, bool isDictionary, int depth) {
  const struct Foundation *cf = list->cf;
  const UInt64 size = list->referenceSize;
  if (count > list->length / size / (isDictionary ? 2 : 1) || place > list->table - count * size * (isDictionary ? 2 : 1)) return NULL;
  CFMutableArrayRef array = isDictionary ? NULL : cf->CFArrayCreateMutable(NULL, 0, cf->kCFTypeArrayCallBacks);
  CFMutableDictionaryRef dictionary =
      isDictionary ? cf->CFDictionaryCreateMutable(NULL, 0, cf->kCFTypeDictionaryKeyCallBacks, cf->kCFTypeDictionaryValueCallBacks) : NULL;
  for (UInt64 i = 0; i < count; i++) {
    CFTypeRef first = readObject(list, bigEndian(list->bytes + place + i * size, (UInt32)size), depth);
    CFTypeRef second = isDictionary && first != NULL ? readObject(list, bigEndian(list->bytes + place + (count + i) * size, (UInt32)size), depth) : NULL;
    const bool isSound = isDictionary ? second != NULL && cf->CFGetTypeID(first) == cf->CFStringGetTypeID() : first != NULL;
    if (isSound && isDictionary) cf->CFDictionarySetValue(dictionary, first, second);
    else if (isSound) cf->CFArrayAppendValue(array, first);
    if (first != NULL) cf->CFRelease(first);
    if (second != NULL) cf->CFRelease(second);
    if (isSound) continue;
    cf->CFRelease(isDictionary ? (CFTypeRef)dictionary : (CFTypeRef)array);
    return NULL;
  }
  return isDictionary ? (CFTypeRef)dictionary : (CFTypeRef)array;
}

// A number of a binary list: whole ones of up to 8 bytes, real ones of 4 and 8.
static CFTypeRef readBinaryNumber(struct Binary *list, UInt64 place, UInt8 kind, UInt32 power) {
  const UInt32 size = 1u << power;
  if (power > 4 || list->table - place < size) return NULL;
  // In 16 bytes the last eight are the number.
  const UInt64 bits = bigEndian(list->bytes + place + (size == 16 ? 8 : 0), size == 16 ? 8 : size);
  if (kind == 1) return numberOfInteger(list->cf, (SInt64)bits);
  if (size != 4 && size != 8) return NULL;
  const UInt32 narrow = (UInt32)bits;
  float single;
  double number;
  memcpy(&single, &narrow, sizeof single);
  memcpy(&number, &bits, sizeof number);
  if (size == 4) number = single;
  return list->cf->CFNumberCreate(NULL, kCFNumberFloat64Type, &number);
}

static CFTypeRef readObject(struct Binary *list, UInt64 number, int depth) {
  const struct Foundation *cf = list->cf;
  if (number >= list->count || depth > kMaximumDepth || list->budget == 0) return NULL;
  list->budget -= 1;
  UInt64 place = bigEndian(list->bytes + list->table + number * list->offsetSize, list->offsetSize);
  if (place < 8 || place >= list->table) return NULL;
  const UInt8 kind = list->bytes[place] >> 4;
  UInt64 count = list->bytes[place] & 0xF;
  place += 1;
  if (kind == 0) return count == 8 ? cf->CFRetain(*cf->kCFBooleanFalse) : count == 9 ? cf->CFRetain(*cf->kCFBooleanTrue) : NULL;
  if (kind == 1 || kind == 2) return readBinaryNumber(list, place, kind, (UInt32)count);
  if (count == 0xF) {
    const UInt32 size = place < list->table && list->bytes[place] >> 4 == 1 ? 1u << (list->bytes[place] & 0xF) : 0;
    if (size == 0 || size > 8 || list->table - place - 1 < size) return NULL;
    count = bigEndian(list->bytes + place + 1, size);
    place += 1 + size;
  }
  if (count > list->length) return NULL;
  const UInt64 left = list->table - place;
  if (kind == 4) return count > left ? NULL : cf->CFDataCreate(NULL, list->bytes + place, (CFIndex)count);
  if (kind == 5) return count > left ? NULL : cf->CFStringCreateWithBytes(NULL, list->bytes + place, (CFIndex)count, kCFStringEncodingASCII, false);
  if (kind == 6)
    return count > left / 2 ? NULL : cf->CFStringCreateWithBytes(NULL, list->bytes + place, (CFIndex)count * 2, kCFStringEncodingUTF16BE, false);
  if (kind == 0xA || kind == 0xD) return readContainer(list, place, count, kind == 0xD, depth + 1);
  return NULL;
}

static CFTypeRef readBinaryList(const struct Foundation *cf, const UInt8 *bytes, size_t length) {
  if (length < 40) return NULL;
  const UInt8 *trailer = bytes + length - 32;
  struct Binary list = {
      .cf = cf, .bytes = bytes, .length = length, .offsetSize = trailer[6], .referenceSize = trailer[7],
      .count = bigEndian(trailer + 8, 8), .table = bigEndian(trailer + 24, 8), .budget = 100000};
  const bool isSound = list.offsetSize >= 1 && list.offsetSize <= 8 && list.referenceSize >= 1 && list.referenceSize <= 8 &&
                       list.table >= 9 && list.table <= length - 32 && list.count <= (length - 32 - list.table) / list.offsetSize;
  return isSound ? readObject(&list, bigEndian(trailer + 16, 8), 0) : NULL;
}

bool restoreState(struct Unit *unit, const char *bytes, size_t length) {
  const struct Foundation *cf = unit->cf;
  struct Reader reader = {cf, bytes, bytes + length};
  if (length < 8 || length > kMaximumState) return false;
  CFTypeRef state = memcmp(bytes, "bplist00", 8) == 0 ? readBinaryList(cf, (const UInt8 *)bytes, length) : readXML(&reader);
  if (state == NULL) return false;
  const bool isRestored =
      unit->chain != NULL ? restoreChain(unit, state) :
      cf->CFGetTypeID(state) == cf->CFDictionaryGetTypeID() &&
      setProperty(unit, kAudioUnitProperty_ClassInfo, kAudioUnitScope_Global, 0, &state, sizeof state) == kAudio_NoError;
  cf->CFRelease(state);
  if (isRestored && unit->chain == NULL) bypassUnit(unit, saysBypass(bytes, length));
  return isRestored;
}
