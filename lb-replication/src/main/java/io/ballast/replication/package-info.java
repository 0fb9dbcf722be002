/** Keeps overrides, edits, secrets and cache removals of a process equal to those of the other nodes of its cluster. */
@NullMarked
package io.ballast.replication;

import org.jspecify.annotations.NullMarked;
