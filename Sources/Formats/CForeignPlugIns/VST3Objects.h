// Objects that a VST3 host makes: streams, attribute lists, messages. Each is counted by its references.
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdlib.h>

#include "VST3.h"

// A part of an object: one of its tables, and the object.
typedef struct {
  const void* table;
  void* owner;
} AuricleVST3Part;

// Stores a reference to a part where the identifier is the one named.
static inline bool auricle_vst3_found(
  const AuricleVST3ID* name, const AuricleVST3ID* id, void* part, void** object) {
  if (!auricle_vst3_same(name, id)) return false;
  *object = part;
  return true;
}

static inline uint32_t auricle_vst3_count_up(uint32_t* count) {
  return __atomic_add_fetch(count, 1, __ATOMIC_RELAXED);
}
static inline uint32_t auricle_vst3_count_down(uint32_t* count) {
  return __atomic_sub_fetch(count, 1, __ATOMIC_ACQ_REL);
}

static inline size_t auricle_vst3_length(const uint16_t* text) {
  size_t count = 0;
  while (text[count]) ++count;
  return count;
}

// Attributes.

enum { kVST3Attribute_Integer = 1, kVST3Attribute_Number, kVST3Attribute_Text, kVST3Attribute_Data };
typedef struct AuricleVST3Attribute {
  struct AuricleVST3Attribute* next;
  char* id;
  int kind;
  int64_t integer;
  double number;
  void* data;
  uint32_t byte_count;
} AuricleVST3Attribute;

typedef struct {
  const void* table;
  uint32_t references;
  AuricleVST3Attribute* first;
} AuricleVST3List;

static inline AuricleVST3Attribute* auricle_vst3_attribute(AuricleVST3List* list, const char* id, int kind) {
  if (!id) return NULL;
  for (AuricleVST3Attribute* entry = list->first; entry; entry = entry->next)
    if (entry->kind == kind && !strcmp(entry->id, id)) return entry;
  return NULL;
}

// The attribute to write, made where there is none; null without memory.
static inline AuricleVST3Attribute* auricle_vst3_new_attribute(AuricleVST3List* list, const char* id, int kind) {
  AuricleVST3Attribute* entry = auricle_vst3_attribute(list, id, kind);
  if (entry || !id) return entry;
  entry = (AuricleVST3Attribute*)calloc(1, sizeof *entry);
  if (!entry) return NULL;
  entry->id = strdup(id);
  if (!entry->id) {
    free(entry);
    return NULL;
  }
  entry->kind = kind;
  entry->next = list->first;
  list->first = entry;
  return entry;
}

static inline AuricleVST3Result auricle_vst3_set_bytes(
  AuricleVST3List* list, const char* id, int kind, const void* bytes, uint32_t count) {
  if (!id || (!bytes && count > 0)) return kVST3_InvalidArgument;
  void* copy = malloc(count > 0 ? count : 1);
  AuricleVST3Attribute* entry = copy ? auricle_vst3_new_attribute(list, id, kind) : NULL;
  if (!entry) {
    free(copy);
    return kVST3_OutOfMemory;
  }
  if (count > 0) memcpy(copy, bytes, count);
  free(entry->data);
  entry->data = copy;
  entry->byte_count = count;
  return kVST3_OK;
}

static inline AuricleVST3Result auricle_vst3_list_query(void* self, const AuricleVST3ID* id, void** object) {
  if (!object) return kVST3_InvalidArgument;
  *object = NULL;
  if (!auricle_vst3_found(&kVST3ID_AttributeList, id, self, object) &&
      !auricle_vst3_found(&kVST3ID_Unknown, id, self, object))
    return kVST3_NoInterface;
  auricle_vst3_count_up(&((AuricleVST3List*)self)->references);
  return kVST3_OK;
}
static inline uint32_t auricle_vst3_list_retain(void* self) {
  return auricle_vst3_count_up(&((AuricleVST3List*)self)->references);
}
static inline uint32_t auricle_vst3_list_release(void* self) {
  AuricleVST3List* list = (AuricleVST3List*)self;
  const uint32_t count = auricle_vst3_count_down(&list->references);
  if (count > 0) return count;
  while (list->first) {
    AuricleVST3Attribute* entry = list->first;
    list->first = entry->next;
    free(entry->data);
    free(entry->id);
    free(entry);
  }
  free(list);
  return 0;
}
static inline AuricleVST3Result auricle_vst3_set_integer(void* self, const char* id, int64_t value) {
  AuricleVST3Attribute* entry = auricle_vst3_new_attribute((AuricleVST3List*)self, id, kVST3Attribute_Integer);
  if (!entry) return kVST3_InvalidArgument;
  entry->integer = value;
  return kVST3_OK;
}
static inline AuricleVST3Result auricle_vst3_get_integer(void* self, const char* id, int64_t* value) {
  AuricleVST3Attribute* entry = auricle_vst3_attribute((AuricleVST3List*)self, id, kVST3Attribute_Integer);
  if (!entry || !value) return kVST3_InvalidArgument;
  *value = entry->integer;
  return kVST3_OK;
}
static inline AuricleVST3Result auricle_vst3_set_number(void* self, const char* id, double value) {
  AuricleVST3Attribute* entry = auricle_vst3_new_attribute((AuricleVST3List*)self, id, kVST3Attribute_Number);
  if (!entry) return kVST3_InvalidArgument;
  entry->number = value;
  return kVST3_OK;
}
static inline AuricleVST3Result auricle_vst3_get_number(void* self, const char* id, double* value) {
  AuricleVST3Attribute* entry = auricle_vst3_attribute((AuricleVST3List*)self, id, kVST3Attribute_Number);
  if (!entry || !value) return kVST3_InvalidArgument;
  *value = entry->number;
  return kVST3_OK;
}
static inline AuricleVST3Result auricle_vst3_set_text(void* self, const char* id, const uint16_t* text) {
  if (!text) return kVST3_InvalidArgument;
  const uint32_t bytes = (uint32_t)(auricle_vst3_length(text) + 1) * 2;
  return auricle_vst3_set_bytes((AuricleVST3List*)self, id, kVST3Attribute_Text, text, bytes);
}
static inline AuricleVST3Result auricle_vst3_get_text(
  void* self, const char* id, uint16_t* text, uint32_t byte_count) {
  AuricleVST3Attribute* entry = auricle_vst3_attribute((AuricleVST3List*)self, id, kVST3Attribute_Text);
  if (!entry || !text || byte_count < 2) return kVST3_InvalidArgument;
  const uint32_t room = byte_count / 2 * 2, count = entry->byte_count < room ? entry->byte_count : room;
  memcpy(text, entry->data, count);
  text[count / 2 - 1] = 0;
  return kVST3_OK;
}
static inline AuricleVST3Result auricle_vst3_set_data(
  void* self, const char* id, const void* data, uint32_t byte_count) {
  return auricle_vst3_set_bytes((AuricleVST3List*)self, id, kVST3Attribute_Data, data, byte_count);
}
static inline AuricleVST3Result auricle_vst3_get_data(
  void* self, const char* id, const void** data, uint32_t* byte_count) {
  AuricleVST3Attribute* entry = auricle_vst3_attribute((AuricleVST3List*)self, id, kVST3Attribute_Data);
  if (!entry || !data || !byte_count) return kVST3_InvalidArgument;
  *data = entry->data;
  *byte_count = entry->byte_count;
  return kVST3_OK;
}

// An empty list with one reference; null without memory.
static inline AuricleVST3List* auricle_vst3_make_list(void) {
  static const struct {
    AuricleVST3Result (*query)(void*, const AuricleVST3ID*, void**);
    uint32_t (*retain)(void*);
    uint32_t (*release)(void*);
    AuricleVST3Result (*set_integer)(void*, const char*, int64_t);
    AuricleVST3Result (*get_integer)(void*, const char*, int64_t*);
    AuricleVST3Result (*set_number)(void*, const char*, double);
    AuricleVST3Result (*get_number)(void*, const char*, double*);
    AuricleVST3Result (*set_text)(void*, const char*, const uint16_t*);
    AuricleVST3Result (*get_text)(void*, const char*, uint16_t*, uint32_t);
    AuricleVST3Result (*set_data)(void*, const char*, const void*, uint32_t);
    AuricleVST3Result (*get_data)(void*, const char*, const void**, uint32_t*);
  } table = {
    auricle_vst3_list_query, auricle_vst3_list_retain, auricle_vst3_list_release, auricle_vst3_set_integer,
    auricle_vst3_get_integer, auricle_vst3_set_number, auricle_vst3_get_number, auricle_vst3_set_text,
    auricle_vst3_get_text, auricle_vst3_set_data, auricle_vst3_get_data,
  };
  AuricleVST3List* list = (AuricleVST3List*)calloc(1, sizeof *list);
  if (!list) return NULL;
  list->table = &table;
  list->references = 1;
  return list;
}

// Messages.

typedef struct {
  const void* table;
  uint32_t references;
  char* id;
  AuricleVST3List* attributes;
} AuricleVST3Letter;

static inline AuricleVST3Result auricle_vst3_letter_query(void* self, const AuricleVST3ID* id, void** object) {
  if (!object) return kVST3_InvalidArgument;
  *object = NULL;
  if (!auricle_vst3_found(&kVST3ID_Message, id, self, object) &&
      !auricle_vst3_found(&kVST3ID_Unknown, id, self, object))
    return kVST3_NoInterface;
  auricle_vst3_count_up(&((AuricleVST3Letter*)self)->references);
  return kVST3_OK;
}
static inline uint32_t auricle_vst3_letter_retain(void* self) {
  return auricle_vst3_count_up(&((AuricleVST3Letter*)self)->references);
}
static inline uint32_t auricle_vst3_letter_release(void* self) {
  AuricleVST3Letter* letter = (AuricleVST3Letter*)self;
  const uint32_t count = auricle_vst3_count_down(&letter->references);
  if (count > 0) return count;
  auricle_vst3_list_release(letter->attributes);
  free(letter->id);
  free(letter);
  return 0;
}
static inline const char* auricle_vst3_letter_id(void* self) { return ((AuricleVST3Letter*)self)->id; }
static inline void auricle_vst3_letter_set_id(void* self, const char* id) {
  AuricleVST3Letter* letter = (AuricleVST3Letter*)self;
  char* copy = id ? strdup(id) : NULL;
  free(letter->id);
  letter->id = copy;
}
static inline void* auricle_vst3_letter_attributes(void* self) { return ((AuricleVST3Letter*)self)->attributes; }

// A message with one reference; null without memory.
static inline AuricleVST3Letter* auricle_vst3_make_letter(void) {
  static const struct {
    AuricleVST3Result (*query)(void*, const AuricleVST3ID*, void**);
    uint32_t (*retain)(void*);
    uint32_t (*release)(void*);
    const char* (*id)(void*);
    void (*set_id)(void*, const char*);
    void* (*attributes)(void*);
  } table = {
    auricle_vst3_letter_query, auricle_vst3_letter_retain, auricle_vst3_letter_release,
    auricle_vst3_letter_id, auricle_vst3_letter_set_id, auricle_vst3_letter_attributes,
  };
  AuricleVST3Letter* letter = (AuricleVST3Letter*)calloc(1, sizeof *letter);
  AuricleVST3List* list = letter ? auricle_vst3_make_list() : NULL;
  if (!list) {
    free(letter);
    return NULL;
  }
  letter->table = &table;
  letter->references = 1;
  letter->attributes = list;
  return letter;
}

// Streams: bytes in memory, from a position on.

enum { kVST3StreamLimit = 1 << 28 };
typedef struct {
  const void* table;  // Fields of the stream itself.
  AuricleVST3Part sizes, facts;
  uint32_t references;
  uint8_t* bytes;
  int64_t size, capacity, position;
  int32_t piece;  // The most bytes that one call moves; 0 for any number.
  AuricleVST3List* attributes;
} AuricleVST3Memory;

static inline int32_t auricle_vst3_piece(const AuricleVST3Memory* memory, int32_t count) {
  return memory->piece > 0 && count > memory->piece ? memory->piece : count;
}

static inline AuricleVST3Result auricle_vst3_memory_find(
  AuricleVST3Memory* memory, const AuricleVST3ID* id, void** object) {
  if (!object) return kVST3_InvalidArgument;
  *object = NULL;
  if (!auricle_vst3_found(&kVST3ID_Stream, id, memory, object) &&
      !auricle_vst3_found(&kVST3ID_Unknown, id, memory, object) &&
      !auricle_vst3_found(&kVST3ID_SizeableStream, id, &memory->sizes, object) &&
      !auricle_vst3_found(&kVST3ID_StreamAttributes, id, &memory->facts, object))
    return kVST3_NoInterface;
  auricle_vst3_count_up(&memory->references);
  return kVST3_OK;
}
static inline uint32_t auricle_vst3_memory_drop(AuricleVST3Memory* memory) {
  const uint32_t count = auricle_vst3_count_down(&memory->references);
  if (count > 0) return count;
  auricle_vst3_list_release(memory->attributes);
  free(memory->bytes);
  free(memory);
  return 0;
}
static inline AuricleVST3Result auricle_vst3_memory_query(void* self, const AuricleVST3ID* id, void** object) {
  return auricle_vst3_memory_find((AuricleVST3Memory*)self, id, object);
}
static inline uint32_t auricle_vst3_memory_retain(void* self) {
  return auricle_vst3_count_up(&((AuricleVST3Memory*)self)->references);
}
static inline uint32_t auricle_vst3_memory_release(void* self) {
  return auricle_vst3_memory_drop((AuricleVST3Memory*)self);
}
static inline AuricleVST3Result auricle_vst3_memory_read(void* self, void* bytes, int32_t count, int32_t* got) {
  AuricleVST3Memory* memory = (AuricleVST3Memory*)self;
  count = auricle_vst3_piece(memory, count);
  const int64_t left = memory->size - memory->position;
  const int64_t length = count < 0 || left < 0 ? 0 : left < count ? left : count;
  if (got) *got = (int32_t)length;
  if (count < 0 || (length > 0 && !bytes)) return kVST3_InvalidArgument;
  if (length > 0) memcpy(bytes, memory->bytes + memory->position, (size_t)length);
  memory->position += length;
  return kVST3_OK;
}

// Makes room for a size; new bytes are zero. False beyond the limit, or without memory.
static inline bool auricle_vst3_memory_grow(AuricleVST3Memory* memory, int64_t size) {
  if (size > kVST3StreamLimit) return false;
  if (size > memory->capacity) {
    const int64_t wanted = size < 4096 ? 4096 : size + size / 2;
    uint8_t* grown = (uint8_t*)realloc(memory->bytes, (size_t)wanted);
    if (!grown) return false;
    memory->bytes = grown;
    memory->capacity = wanted;
  }
  if (size > memory->size) {
    memset(memory->bytes + memory->size, 0, (size_t)(size - memory->size));
    memory->size = size;
  }
  return true;
}
static inline AuricleVST3Result auricle_vst3_memory_write(
  void* self, const void* bytes, int32_t count, int32_t* put) {
  AuricleVST3Memory* memory = (AuricleVST3Memory*)self;
  if (put) *put = 0;
  if (count < 0 || (count > 0 && !bytes)) return kVST3_InvalidArgument;
  if (count == 0) return kVST3_OK;
  count = auricle_vst3_piece(memory, count);
  if (!auricle_vst3_memory_grow(memory, memory->position + count)) return kVST3_OutOfMemory;
  memcpy(memory->bytes + memory->position, bytes, (size_t)count);
  memory->position += count;
  if (put) *put = count;
  return kVST3_OK;
}
static inline AuricleVST3Result auricle_vst3_memory_seek(
  void* self, int64_t position, int32_t mode, int64_t* result) {
  AuricleVST3Memory* memory = (AuricleVST3Memory*)self;
  const int64_t start = mode == 0 ? 0 : mode == 1 ? memory->position : mode == 2 ? memory->size : -1;
  if (start < 0 || position < -start || position > kVST3StreamLimit - start) return kVST3_InvalidArgument;
  memory->position = start + position;
  if (result) *result = memory->position;
  return kVST3_OK;
}
static inline AuricleVST3Result auricle_vst3_memory_position(void* self, int64_t* position) {
  if (!position) return kVST3_InvalidArgument;
  *position = ((AuricleVST3Memory*)self)->position;
  return kVST3_OK;
}
static inline AuricleVST3Memory* auricle_vst3_memory_of(void* part) {
  return (AuricleVST3Memory*)((AuricleVST3Part*)part)->owner;
}
static inline AuricleVST3Result auricle_vst3_memory_part_query(void* self, const AuricleVST3ID* id, void** object) {
  return auricle_vst3_memory_find(auricle_vst3_memory_of(self), id, object);
}
static inline uint32_t auricle_vst3_memory_part_retain(void* self) {
  return auricle_vst3_count_up(&auricle_vst3_memory_of(self)->references);
}
static inline uint32_t auricle_vst3_memory_part_release(void* self) {
  return auricle_vst3_memory_drop(auricle_vst3_memory_of(self));
}
static inline AuricleVST3Result auricle_vst3_memory_size(void* self, int64_t* size) {
  if (!size) return kVST3_InvalidArgument;
  *size = auricle_vst3_memory_of(self)->size;
  return kVST3_OK;
}
static inline AuricleVST3Result auricle_vst3_memory_set_size(void* self, int64_t size) {
  AuricleVST3Memory* memory = auricle_vst3_memory_of(self);
  if (size < 0) return kVST3_InvalidArgument;
  if (!auricle_vst3_memory_grow(memory, size)) return kVST3_OutOfMemory;
  memory->size = size;
  return kVST3_OK;
}
static inline AuricleVST3Result auricle_vst3_memory_file(void* self, uint16_t* name) {
  (void)self;
  if (name) *name = 0;
  return kVST3_False;
}
static inline void* auricle_vst3_memory_facts(void* self) { return auricle_vst3_memory_of(self)->attributes; }

// A stream of a copy of bytes with one reference, at its start; null without memory.
//
// `kind`: the purpose that a plug-in may ask for, "Project" for a saved state; null for none.
static inline AuricleVST3Memory* auricle_vst3_make_memory(const void* bytes, int64_t count, const char* kind) {
  static const struct {
    AuricleVST3Result (*query)(void*, const AuricleVST3ID*, void**);
    uint32_t (*retain)(void*);
    uint32_t (*release)(void*);
    AuricleVST3Result (*read)(void*, void*, int32_t, int32_t*);
    AuricleVST3Result (*write)(void*, const void*, int32_t, int32_t*);
    AuricleVST3Result (*seek)(void*, int64_t, int32_t, int64_t*);
    AuricleVST3Result (*position)(void*, int64_t*);
  } stream = {
    auricle_vst3_memory_query, auricle_vst3_memory_retain, auricle_vst3_memory_release,
    auricle_vst3_memory_read, auricle_vst3_memory_write, auricle_vst3_memory_seek, auricle_vst3_memory_position,
  };
  static const struct {
    AuricleVST3Result (*query)(void*, const AuricleVST3ID*, void**);
    uint32_t (*retain)(void*);
    uint32_t (*release)(void*);
    AuricleVST3Result (*size)(void*, int64_t*);
    AuricleVST3Result (*set_size)(void*, int64_t);
  } sizes = {
    auricle_vst3_memory_part_query, auricle_vst3_memory_part_retain, auricle_vst3_memory_part_release,
    auricle_vst3_memory_size, auricle_vst3_memory_set_size,
  };
  static const struct {
    AuricleVST3Result (*query)(void*, const AuricleVST3ID*, void**);
    uint32_t (*retain)(void*);
    uint32_t (*release)(void*);
    AuricleVST3Result (*file)(void*, uint16_t*);
    void* (*attributes)(void*);
  } facts = {
    auricle_vst3_memory_part_query, auricle_vst3_memory_part_retain, auricle_vst3_memory_part_release,
    auricle_vst3_memory_file, auricle_vst3_memory_facts,
  };
  AuricleVST3Memory* memory = (AuricleVST3Memory*)calloc(1, sizeof *memory);
  AuricleVST3List* attributes = memory ? auricle_vst3_make_list() : NULL;
  if (!attributes) {
    free(memory);
    return NULL;
  }
  memory->table = &stream;
  memory->sizes = (AuricleVST3Part){&sizes, memory};
  memory->facts = (AuricleVST3Part){&facts, memory};
  memory->references = 1;
  memory->attributes = attributes;
  if (count > 0 && !auricle_vst3_memory_grow(memory, count)) {
    auricle_vst3_memory_drop(memory);
    return NULL;
  }
  if (count > 0) memcpy(memory->bytes, bytes, (size_t)count);
  if (kind) {
    uint16_t text[32];
    size_t length = 0;
    for (; kind[length] && length < 31; ++length) text[length] = (uint8_t)kind[length];
    text[length] = 0;
    auricle_vst3_set_text(attributes, "StateType", text);
  }
  return memory;
}

static inline AuricleVST3Stream* auricle_vst3_stream(AuricleVST3Memory* memory) {
  return (AuricleVST3Stream*)memory;
}
