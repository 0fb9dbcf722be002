package io.ballast.discovery;

/**
 * Identifies a source of a pool. Independent of settings such as intervals, so that the source's results survive a
 * change of them.
 *
 * @param label distinguishes it from other sources of its pool: {@code dns app.internal}
 */
record SourceName(String pool, String label) {}
