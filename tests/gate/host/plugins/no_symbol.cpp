// A shared object, but no plugin.
extern "C" int something_else() {
  return 0;
}
