package io.ballast.discovery;

/**
 * Which source of which pool. It stays the same when the configuration says something else of how the source is asked
 * or believed, so what is known by it stays too.
 *
 * @param label what tells it from the others of its pool, in words: {@code dns app.internal}
 */
record SourceName(String pool, String label) {}
