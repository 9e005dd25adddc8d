// A window of GTK 2 or 3, whose library is loaded when a plug-in's window needs it, and the application of Qt 5.
// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>
#include <stdlib.h>

#include "Window.h"

// What of poll's events a loop of GLib waits for.
enum { kInput = POLLIN | POLLHUP | POLLERR };

static struct {
  void* library;
  void* window;
  int (*init)(int*, char***);
  void* (*make)(int type);
  void (*set_title)(void*, const char*);
  void (*add)(void*, void*);
  void (*show)(void*);
  void (*resize)(void*, int, int);
  void (*size)(void*, int*, int*);
  void (*destroy)(void*);
  unsigned long (*connect)(void*, const char*, void (*)(void), void*, void*, int);
  int (*iterate)(void*, int);
  int (*depth)(void);
  unsigned (*add_timer)(unsigned, int (*)(void*), void*);
  unsigned (*add_descriptor)(int, int, int (*)(int, int, void*), void*);
  void* (*native)(void*);
  void (*handle)(void (*)(void*, void*), void*, void (*)(void*));
  void (*pass)(void*);
} gtk;
// Whether the loop that runs is the program's, and not one of a plug-in's dialog.
static bool is_own_loop;

// dlsym returns an untyped pointer; C may make a function of it.
#define FIND(member, name)                                                                           \
  do {                                                                                               \
    *(void**)&gtk.member = dlsym(gtk.library, name);                                                 \
    if (!gtk.member) refuse(kExit_Unavailable, "the library of GTK has no function %s: install it anew", name); \
  } while (0)

// The answer that the window is not to be destroyed yet.
static int note_close(void) {
  is_closed = true;
  return 1;
}

// The beginning of all events of GDK, in GTK 2 and 3.
typedef struct {
  int type;
  void* window;
} Event;
enum { kDelete = 0 };

// Sees requests to close before GTK does, which ignores them while a dialog is open.
static void pass_event(void* pointer, void* data) {
  (void)data;
  const Event* event = pointer;
  if (event->type == kDelete && gtk.window && event->window == gtk.native(gtk.window)) is_closed = true;
  gtk.pass(pointer);
}

// Serves the unit's program where a dialog has a loop of events that does not return.
static int turn_over(void* data) {
  (void)data;
  if (is_own_loop && gtk.depth() == 1) return 1;
  if (!serve() || is_closed) leave();
  return 1;
}

static int wake(int descriptor, int events, void* data) {
  (void)descriptor;
  (void)events;
  return turn_over(data);
}

static void find_functions(void) {
  FIND(init, "gtk_init_check");
  FIND(make, "gtk_window_new");
  FIND(set_title, "gtk_window_set_title");
  FIND(add, "gtk_container_add");
  FIND(show, "gtk_widget_show_all");
  FIND(resize, "gtk_window_resize");
  FIND(size, "gtk_window_get_size");
  FIND(destroy, "gtk_widget_destroy");
  FIND(connect, "g_signal_connect_data");
  FIND(iterate, "g_main_context_iteration");
  FIND(depth, "g_main_depth");
  FIND(add_timer, "g_timeout_add");
  FIND(add_descriptor, "g_unix_fd_add");
  FIND(native, "gtk_widget_get_window");
  FIND(handle, "gdk_event_handler_set");
  FIND(pass, "gtk_main_do_event");
}

void toolkit_make(int version, const char* title) {
  const char* const name = version == 2 ? "libgtk-x11-2.0.so.0" : "libgtk-3.so.0";
  // Windows in GTK 3 reach for the server directly.
  setenv("GDK_BACKEND", "x11", 1);
  gtk.library = dlopen(name, RTLD_NOW | RTLD_GLOBAL);
  if (!gtk.library)
    refuse(
      kExit_Unavailable, "the window is made with GTK %d, which is not installed (%s): install %s", version, dlerror(),
      version == 2 ? "libgtk2.0-0" : "libgtk-3-0");
  find_functions();
  int count = 1;
  char name_text[] = "auricle-window";
  char* words[] = {name_text, NULL};
  char** arguments = words;
  if (!gtk.init(&count, &arguments)) {
    const char* display = getenv("DISPLAY");
    refuse(
      kExit_Unavailable, "there is no display to show a window on (DISPLAY is %s): start an X server or Xwayland",
      display && *display ? display : "not set");
  }
  gtk.window = gtk.make(0);
  gtk.set_title(gtk.window, title);
  gtk.connect(gtk.window, "delete-event", (void (*)(void))note_close, NULL, NULL, 0);
  gtk.handle(pass_event, NULL, NULL);
  gtk.add_timer(kTurn, turn_over, NULL);
  gtk.add_descriptor(kLink, kInput, wake, NULL);
}

void toolkit_start_qt(void) {
  // QApplication(int& count, char** words, int flags): it keeps a reference to the count. Qt has no functions in C.
  static const char constructor[] = "_ZN12QApplicationC1ERiPPci";
  static _Alignas(16) unsigned char application[256];
  static char name[] = "auricle-window";
  static char* words[] = {name, NULL};
  static int count = 1;
  // Its events come by the loop of GLib, which GTK runs.
  unsetenv("QT_NO_GLIB");
  setenv("QT_QPA_PLATFORM", "xcb", 1);
  void* const library = dlopen("libQt5Widgets.so.5", RTLD_NOW | RTLD_GLOBAL);
  if (!library)
    refuse(
      kExit_Unavailable, "the window is made with Qt 5, which is not installed (%s): install libqt5widgets5", dlerror());
  void (*make)(void*, int*, char**, int);
  *(void**)&make = dlsym(library, constructor);
  if (!make) refuse(kExit_Unavailable, "the library of Qt 5 has no function %s: install it anew", constructor);
  make(application, &count, words, 0x050000);
}

bool toolkit_is_open(void) { return gtk.window != NULL; }

void toolkit_hold(void* widget) {
  gtk.add(gtk.window, widget);
  gtk.show(gtk.window);
}

void toolkit_resize(int width, int height) {
  if (gtk.window && width > 0 && height > 0 && width <= 16384 && height <= 16384) gtk.resize(gtk.window, width, height);
}

void toolkit_size(int* width, int* height) { gtk.size(gtk.window, width, height); }

void toolkit_turn(void) {
  is_own_loop = true;
  // The timer ends the first wait, and each turn has an end, whatever a window draws.
  gtk.iterate(NULL, 1);
  for (int i = 0; i < 200 && gtk.iterate(NULL, 0); ++i) {
  }
  is_own_loop = false;
}

void toolkit_end(void) {
  if (gtk.window) gtk.destroy(gtk.window);
  gtk.window = NULL;
}
