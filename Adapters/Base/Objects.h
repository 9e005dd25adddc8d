// The objects behind Core Foundation's references, where the Swift runtime is not brought along.
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <CoreFoundation/CoreFoundation.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// Numbers of types; 0 is no object's.
enum { kNullType = 1, kBooleanType, kNumberType, kStringType, kDataType, kArrayType, kDictionaryType, kURLType, kAllocatorType };

// The beginning of every object; its first words lie as in a constant string of a unit.
struct Object {
  const void *isa;
  atomic_long count;  // of references; an object that is no longer counted has kImmortal
  uint64_t type;
};

enum { kImmortal = 1L << 40 };

struct String {
  struct Object object;
  UniChar *units;  // UTF-16
  CFIndex length, capacity;
};

struct Number {
  struct Object object;
  CFNumberType numberType;
  bool isReal;
  SInt64 integer;
  double real;
};

struct Bytes {
  struct Object object;
  UInt8 *bytes;
  CFIndex length, capacity;
};

struct Array {
  struct Object object;
  CFArrayCallBacks callBacks;
  const void **values;
  CFIndex count, capacity;
};

struct Dictionary {
  struct Object object;
  CFDictionaryKeyCallBacks keyCallBacks;
  CFDictionaryValueCallBacks valueCallBacks;
  const void **keys, **values;
  CFIndex count, capacity;
};

struct URL {
  struct Object object;
  char *path;
  bool isFolder;
};

// The units of a string, a constant one of a unit's data too; `narrow` is non-null for one of bytes.
struct Text {
  const UniChar *units;
  const UInt8 *narrow;
  CFIndex length;
};
struct Text textOf(CFStringRef string);

static inline UniChar unitAt(const struct Text *text, CFIndex index) {
  return text->narrow ? text->narrow[index] : text->units[index];
}

CFStringRef makeString(UniChar *units, CFIndex length);  // owns the units
void *makeObject(size_t size, uint64_t type);
uint64_t typeOf(CFTypeRef object);
// Grows a list by one place; false without memory.
bool growList(void **list, CFIndex count, CFIndex *capacity, size_t size);
