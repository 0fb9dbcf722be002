/**
 * Common parts of logs: serving threads put entries into a ring, and one thread writes them.
 *
 * <ul>
 *   <li>{@link io.ballast.core.log.RecordRing}: passes entries from one thread to another without a lock;
 *   <li>{@link io.ballast.core.log.LogLoop}: the thread that reads the entries from the ring;
 *   <li>{@link io.ballast.core.log.LogTarget}: the destination;
 *   <li>{@link io.ballast.core.log.FileTarget}: a file that other programs may rotate;
 *   <li>{@link io.ballast.core.log.RotatedFile}: a file that is rotated by size;
 *   <li>{@link io.ballast.core.log.StreamTarget}: standard output or standard error.
 * </ul>
 */
@NullMarked
package io.ballast.core.log;

import org.jspecify.annotations.NullMarked;
