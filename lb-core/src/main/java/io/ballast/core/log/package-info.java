/**
 * What logs are made of: entries leave the threads that serve by a ring, and one thread writes them.
 *
 * <ul>
 *   <li>{@link io.ballast.core.log.RecordRing}: takes entries from one thread to another, without a lock;
 *   <li>{@link io.ballast.core.log.LogLoop}: the thread that takes them out again;
 *   <li>{@link io.ballast.core.log.LogTarget}: where they are written to;
 *   <li>{@link io.ballast.core.log.FileTarget}: a file that others may rotate;
 *   <li>{@link io.ballast.core.log.RotatedFile}: a file that is rotated by size;
 *   <li>{@link io.ballast.core.log.StreamTarget}: standard output or standard error.
 * </ul>
 */
@NullMarked
package io.ballast.core.log;

import org.jspecify.annotations.NullMarked;
