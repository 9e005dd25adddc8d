// Channels that speak into files: voices, settings, commands, callbacks, phonemes, word callbacks, stops and pauses.
// SPDX-License-Identifier: Apache-2.0
//
//   Channels FOLDER
#include <ApplicationServices/ApplicationServices.h>

#include "../Await.h"
#include "../Music/Expect.h"

// Callbacks received from a channel.
static struct Told {
  int words, phonemes, dones, errors;
  char text[512];  // the words, with a bar behind each
  OSType sync;
  OSErr error;
  long errorPlace;
  unsigned long positions[16];
  const char *next;
} told;

static void onWord(SpeechChannel channel, SRefCon refCon, CFStringRef text, CFRange range) {
  struct Told *to = refCon;
  (void)channel;
  CFStringRef word = CFStringCreateWithSubstring(NULL, text, range);
  const size_t used = strlen(to->text);
  CFStringGetCString(word, to->text + used, (CFIndex)(sizeof to->text - used - 2), kCFStringEncodingUTF8);
  strcat(to->text, "|");
  CFRelease(word);
}

static void onPlace(SpeechChannel channel, SRefCon refCon, unsigned long position, UInt16 length) {
  struct Told *to = refCon;
  (void)channel, (void)length;
  if (to->words < 16) to->positions[to->words] = position;
  to->words += 1;
}

static void onPhoneme(SpeechChannel channel, SRefCon refCon, SInt16 opcode) {
  (void)channel;
  TRUE_(opcode >= 0 && opcode < 42);
  ((struct Told *)refCon)->phonemes += 1;
}

static void onSync(SpeechChannel channel, SRefCon refCon, OSType message) {
  (void)channel;
  ((struct Told *)refCon)->sync = message;
}

static void onError(SpeechChannel channel, SRefCon refCon, OSErr error, long place) {
  struct Told *to = refCon;
  (void)channel;
  to->error = error;
  to->errorPlace = place;
  to->errors += 1;
}

static void onTextDone(
    SpeechChannel channel, SRefCon refCon, const void **next, unsigned long *count, SInt32 *flags) {
  struct Told *to = refCon;
  (void)channel;
  *next = to->next;
  *count = to->next ? strlen(to->next) : 0;
  *flags = 0;
  to->next = NULL;
}

static void onDone(SpeechChannel channel, SRefCon refCon) {
  (void)channel;
  __atomic_add_fetch(&((struct Told *)refCon)->dones, 1, __ATOMIC_SEQ_CST);
  post();
}

static void wait(int dones) {
  AWAIT(__atomic_load_n(&told.dones, __ATOMIC_SEQ_CST) >= dones);
  TRUE_(told.dones == dones);
}

static char path[2048];
static SpeechChannel channel;

// Has the channel speak into another file.
static void into(const char *folder, const char *name) {
  memset(&told, 0, sizeof told);
  snprintf(path, sizeof path, "%s/%s", folder, name);
  CFURLRef url = CFURLCreateFromFileSystemRepresentation(NULL, (const UInt8 *)path, (CFIndex)strlen(path), false);
  OK(SetSpeechProperty(channel, kSpeechOutputToFileURLProperty, url));
  CFRelease(url);
}

// Says a text and waits; seconds of the file.
static double say(const char *folder, const char *name, const char *text) {
  into(folder, name);
  CFStringRef string = CFStringCreateWithCString(NULL, text, kCFStringEncodingUTF8);
  OK(SpeakCFString(channel, string, NULL));
  wait(1);
  CFRelease(string);
  ExtAudioFileRef file;
  SInt64 frames = 0;
  UInt32 size = sizeof frames;
  CFURLRef url = CFURLCreateFromFileSystemRepresentation(NULL, (const UInt8 *)path, (CFIndex)strlen(path), false);
  OK(ExtAudioFileOpenURL(url, &file));
  CFRelease(url);
  OK(ExtAudioFileGetProperty(file, kExtAudioFileProperty_FileLengthFrames, &size, &frames));
  OK(ExtAudioFileDispose(file));
  return (double)frames / 22050;
}

static void voices(void) {
  SInt16 count = 0;
  VoiceSpec voice, wrong;
  VoiceDescription info;
  OK(CountVoices(&count));
  TRUE_(count > 0);
  OK(GetIndVoice(1, &voice));
  OK(GetIndVoice(count, &voice));
  STATUS(GetIndVoice(0, &voice), voiceNotFound);
  STATUS(GetIndVoice((SInt16)(count + 1), &voice), voiceNotFound);
  OK(GetVoiceDescription(&voice, &info, sizeof info));
  TRUE_(info.length == 362 && info.voice.id == voice.id && info.name[0] > 0 && info.gender <= kFemale);
  OK(GetVoiceDescription(NULL, &info, sizeof info));
  OK(GetVoiceInfo(&info.voice, soVoiceDescription, &info));
  OK(MakeVoiceSpec(1, 2, &wrong));
  STATUS(GetVoiceDescription(&wrong, &info, sizeof info), voiceNotFound);
  STATUS(NewSpeechChannel(&wrong, &channel), voiceNotFound);
  OK(NewSpeechChannel(&voice, &channel));
  VoiceSpec found;
  OK(GetSpeechInfo(channel, soCurrentVoice, &found));
  TRUE_(found.creator == voice.creator && found.id == voice.id);
  OK(DisposeSpeechChannel(channel));
}

static void settings(void) {
  Fixed fixed = 0;
  CFTypeRef object = NULL;
  double number = 0;
  OK(SetSpeechRate(channel, 200 << 16));
  OK(GetSpeechRate(channel, &fixed));
  TRUE_(fixed == 200 << 16);
  OK(SetSpeechPitch(channel, (45 << 16) + 0x8000));
  OK(CopySpeechProperty(channel, kSpeechPitchBaseProperty, &object));
  TRUE_(CFNumberGetValue(object, kCFNumberFloat64Type, &number) && number == 45.5);
  CFRelease(object);
  STATUS(SetSpeechRate(channel, -1), paramErr);
  STATUS(CopySpeechProperty(channel, CFSTR("none"), &object), siUnknownInfoType);
  STATUS(SetSpeechRate(NULL, 1), paramErr);
  OSType mode = modeLiteral;
  OK(SetSpeechInfo(channel, soNumberMode, &mode));
  OK(CopySpeechProperty(channel, kSpeechNumberModeProperty, &object));
  TRUE_(CFEqual(object, kSpeechModeLiteral));
  CFRelease(object);
  OK(SetSpeechProperty(channel, kSpeechResetProperty, NULL));
  OK(GetSpeechRate(channel, &fixed));
  TRUE_(fixed == 180 << 16);
  Handle symbols = NULL;
  OK(GetSpeechInfo(channel, soPhonemeSymbols, &symbols));
  TRUE_(GetHandleSize(symbols) == 2 + 42 * (Size)sizeof(PhonemeInfo));
  TRUE_(((PhonemeDescriptor *)*symbols)->phonemeCount == 42);
  DisposeHandle(symbols);
}

static void callbacks(void) {
  OK(SetSpeechInfo(channel, soRefCon, &told));
  OK(SetSpeechInfo(channel, soWordCallBack, (const void *)onPlace));
  OK(SetSpeechInfo(channel, soPhonemeCallBack, (const void *)onPhoneme));
  OK(SetSpeechInfo(channel, soSyncCallBack, (const void *)onSync));
  OK(SetSpeechInfo(channel, soErrorCallBack, (const void *)onError));
  OK(SetSpeechInfo(channel, soSpeechDoneCallBack, (const void *)onDone));
  OK(SetSpeechInfo(channel, soTextDoneCallBack, (const void *)onTextDone));
  const long long address = (long long)(size_t)onWord;
  CFNumberRef number = CFNumberCreate(NULL, kCFNumberLongLongType, &address);
  OK(SetSpeechProperty(channel, kSpeechWordCFCallBack, number));
  CFRelease(number);
}

static void texts(const char *folder) {
  const double plain = say(folder, "plain.aif", "Take the second exit.");
  TRUE_(plain > 1 && plain < 3);
  TRUE_(strcmp(told.text, "Take|the|second|exit|") == 0 && told.words == 4);
  TRUE_(told.positions[0] == 0 && told.positions[3] == 16);
  TRUE_(told.phonemes > 12 && told.errors == 0);
  // The same text makes the same file.
  TRUE_(say(folder, "again.wav", "Take the second exit.") == plain);
  const double fast = say(folder, "fast.caf", "[[rate 320]]Take the second exit.");
  TRUE_(fast < plain * 0.8 && strcmp(told.text, "Take|the|second|exit|") == 0 && told.positions[1] == 17);
  OK(SetSpeechProperty(channel, kSpeechResetProperty, NULL));
  const double held = say(folder, "held.wav", "Take the second exit. [[slnc 1000; sync 'here']]");
  TRUE_(fabs(held - plain - 1) < 0.001 && told.sync == 0x68657265);
  say(folder, "wrong.wav", "Take [[rate slow]] the second [[none]] exit.");
  TRUE_(told.errors == 2 && told.error == siUnknownInfoType && told.errorPlace == 30);
  SpeechErrorInfo errors;
  OK(GetSpeechInfo(channel, soErrors, &errors));
  TRUE_(errors.count == 2 && errors.oldest == paramErr && errors.oldPos == 5 && errors.newest == siUnknownInfoType);
  OK(GetSpeechInfo(channel, soErrors, &errors));
  TRUE_(errors.count == 0);
  into(folder, "two.wav");
  told.next = "Then turn left.";
  // Places are bytes: the first word has one more of them than letters.
  OK(SpeakText(channel, "\xc3\x84lso take it.", 14));
  wait(1);
  TRUE_(told.words == 6 && told.positions[1] == 6 && strstr(told.text, "Then|turn|left|"));
}

static void phonemes(const char *folder) {
  CFStringRef found = NULL;
  long count = 0;
  Handle handle = NewHandle(0);
  OK(CopyPhonemesFromText(channel, CFSTR("cat"), &found));
  TRUE_(CFEqual(found, CFSTR("k1AEt")));
  CFRelease(found);
  OK(TextToPhonemes(channel, "ship", 4, handle, &count));
  TRUE_(count == 5 && GetHandleSize(handle) == 5 && memcmp(*handle, "S1IHp", 5) == 0);
  DisposeHandle(handle);
  STATUS(UseDictionary(channel, NULL), badDictFormat);
  const void *keys[] = {kSpeechDictionaryEntrySpelling, kSpeechDictionaryEntryPhonemes};
  const void *values[] = {CFSTR("Cat"), CFSTR("S1IHp")};
  CFDictionaryRef entry = CFDictionaryCreate(
      NULL, keys, values, 2, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks);
  CFArrayRef entries = CFArrayCreate(NULL, (const void **)&entry, 1, &kCFTypeArrayCallBacks);
  const void *key = kSpeechDictionaryPronunciations;
  CFDictionaryRef words = CFDictionaryCreate(
      NULL, &key, (const void **)&entries, 1, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks);
  OK(UseSpeechDictionary(channel, words));
  STATUS(UseSpeechDictionary(channel, entry), badDictFormat);
  OK(CopyPhonemesFromText(channel, CFSTR("cat"), &found));
  TRUE_(CFEqual(found, CFSTR("S1IHp")));
  CFRelease(found);
  CFRelease(words);
  CFRelease(entries);
  CFRelease(entry);
  TRUE_(say(folder, "spelled.wav", "[[inpt PHON]]_h1EHlOW_ _k1AEt.") > 0.3 && told.phonemes >= 6);
}

// Texts in which nothing is to be said end all the same; a number is a word, however many it is said with.
static void oddTexts(const char *folder) {
  OK(SetSpeechProperty(channel, kSpeechResetProperty, NULL));
  TRUE_(say(folder, "number.wav", "It has 1234 parts.") > 1 && told.words == 4);
  TRUE_(say(folder, "blank.wav", "  \n ") < 0.2 && told.words == 0);
  TRUE_(say(folder, "commands.wav", "[[rate 200]] [[cmnt nothing]]") < 0.2 && told.words == 0);
}

static void stops(const char *folder) {
  OK(SetSpeechProperty(channel, kSpeechResetProperty, NULL));
  into(folder, "stopped.wav");
  const char *text = "One two three four five six.";
  OK(SpeakBuffer(channel, text, strlen(text), kPreflightThenPause));
  TRUE_(SpeechBusy() == 1);
  SpeechStatusInfo status;
  OK(GetSpeechInfo(channel, soStatus, &status));
  TRUE_(status.outputBusy && status.outputPaused && status.inputBytesLeft == 28);
  STATUS(SpeakBuffer(channel, text, strlen(text), kNoSpeechInterrupt), synthNotReady);
  TRUE_(told.dones == 0);
  OK(StopSpeechAt(channel, kEndOfWord));
  OK(ContinueSpeech(channel));
  wait(1);
  TRUE_(told.words == 1);
  STATUS(StopSpeechAt(channel, 9), paramErr);
  TRUE_(SpeechBusy() == 0);
}

int main(int argc, char **argv) {
  if (argc < 2) return 64;
  voices();
  OK(NewSpeechChannel(NULL, &channel));
  settings();
  callbacks();
  texts(argv[1]);
  phonemes(argv[1]);
  oddTexts(argv[1]);
  stops(argv[1]);
  OK(DisposeSpeechChannel(channel));
  return failures > 0;
}
