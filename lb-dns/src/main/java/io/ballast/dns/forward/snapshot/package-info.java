/**
 * The file that saves the cache for the next process.
 *
 * <ul>
 *   <li>{@link io.ballast.dns.forward.snapshot.SavedAnswer}: an answer, as a message;
 *   <li>{@link io.ballast.dns.forward.snapshot.SnapshotWriter} and
 *   {@link io.ballast.dns.forward.snapshot.SnapshotReader}: the file.
 * </ul>
 */
@NullMarked
package io.ballast.dns.forward.snapshot;

import org.jspecify.annotations.NullMarked;
